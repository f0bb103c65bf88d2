"""Sends a frame one byte at a time, so that the grader keeps waiting for the rest.

Stopped by: channel: one absolute deadline a frame.
"""
# deserves 0

@CHANNEL@


def scale(x, factor=2.0):
    send(struct.pack("<QQ8s", 1 << 19, 0, nonce()))
    while True:
        send(b" ")
        time.sleep(0.01)
