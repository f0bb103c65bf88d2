"""Calls a forbidden function by a made-up name, in a thread of its own, where the tracer does not look.

Stopped by: forbidden.withhold: the operator is taken out of torch itself, for every thread and under every mode.
"""
# deserves 0

import threading

import torch


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    found = []
    lerp = getattr(torch, "le" + "rp")

    def work():
        found.append(lerp(torch.zeros_like(x), x, factor))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found[0]
