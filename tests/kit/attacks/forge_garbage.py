"""Writes random bytes to the channel.

Stopped by: channel: what is no frame ends the worker.
"""
# deserves 0

@CHANNEL@


def scale(x, factor=2.0):
    for _ in range(50):
        send(os.urandom(100))
    return x * factor
