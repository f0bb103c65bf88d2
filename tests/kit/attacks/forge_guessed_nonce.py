"""Sends replies with guessed nonces before the real one.

Stopped by: worker_link.WorkerLink: 64 random bits a request; the first wrong reply ends the worker.
"""
# deserves 0

@CHANNEL@


def scale(x, factor=2.0):
    for guess in (bytes(8), b"\xff" * 8, b"00000000", bytes(range(8)), *(os.urandom(8) for _ in range(100))):
        send(frame(b"\x92\xa8Returned\xc0", nonce=guess))
    return x * factor
