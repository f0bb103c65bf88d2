"""Replaces the worker's tracer by one that sees nothing, around a forbidden call with a made-up name.

Stopped by: forbidden.withhold: the operator refuses, whoever looks.
"""
# deserves 0

import contextlib
import sys

import torch

calls = sys.modules["grader.sandbox.worker.calls"]
calls.trace = lambda: contextlib.nullcontext(calls.Seen())
calls._called.__defaults__ = (calls.trace,)


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return getattr(torch, "le" + "rp")(torch.zeros_like(x), x, factor)
