"""Finds the channel and sends a reply of its own without a nonce.

Stopped by: worker_link.WorkerLink: a reply must carry the nonce of its request.
"""
# deserves 0

@CHANNEL@


def scale(x, factor=2.0):
    send(frame(b"\x92\xa8Returned\xc3"))
    time.sleep(0.2)
    return x * factor
