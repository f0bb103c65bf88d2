"""Claims a payload of 2^63 bytes.

Stopped by: channel: sizes are checked before memory is taken.
"""
# deserves 0

@CHANNEL@


def scale(x, factor=2.0):
    message = b"\x92\xa8Returned\xc0"
    send(struct.pack("<QQ8s", len(message), 1 << 63, nonce()) + message)
    time.sleep(0.2)
    return x * factor
