"""Keeps as many threads busy in C as it may start, so that its neighbours get no turn.

Stopped by: limits on threads and processor time; what is over is killed. Neighbours get slower, not worse.
"""
# deserves at most 1

import threading

import torch


def burn():
    x = torch.randn(300, 300)
    while True:
        x = torch.mm(x, x)


def scale(x, factor=2.0):
    for _ in range(60):
        try:
            threading.Thread(target=burn, daemon=True).start()
        except RuntimeError:
            break
    return x
