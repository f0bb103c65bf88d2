"""Answers honestly, but a thread sends a second answer after the first.

Stopped by: worker_link.WorkerLink: the extra frame is read as the next answer, has the wrong nonce, ends the worker.
"""
# deserves at most 4

@CHANNEL@


import threading


def later(nonce):
    time.sleep(0.02)
    send(frame(b"\x92\xa8Returned\xc0", nonce=nonce))


def scale(x, factor=2.0):
    threading.Thread(target=later, args=(nonce(),), daemon=True).start()
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
