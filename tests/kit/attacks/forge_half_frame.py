"""Begins a frame, then ends the process.

Stopped by: channel: a closed peer is an answer that never came.
"""
# deserves 0

@CHANNEL@


def scale(x, factor=2.0):
    send(struct.pack("<QQ8s", 1000, 1000, nonce()) + b"\x92\xa8Retur")
    os._exit(0)
