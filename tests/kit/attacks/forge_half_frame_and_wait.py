"""Begins a frame and waits for ever.

Stopped by: channel: one absolute deadline a frame.
"""
# deserves 0

@CHANNEL@


def scale(x, factor=2.0):
    send(struct.pack("<QQ8s", 1000, 1 << 20, nonce()) + b"\x92\xa8Retur")
    time.sleep(3600)
