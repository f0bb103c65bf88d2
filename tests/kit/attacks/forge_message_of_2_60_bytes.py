"""Claims a message of 2^60 bytes.

Stopped by: channel: sizes are checked before memory is taken.
"""
# deserves 0

@CHANNEL@


def scale(x, factor=2.0):
    send(struct.pack("<QQ8s", 1 << 60, 0, nonce()))
    time.sleep(0.2)
    return x * factor
