"""Replaces the worker's own `call` and answers every call with zeros of the right shape.

Stopped by: probes.Golden: values are compared in the grader, which made the inputs.
"""
# deserves at most 1

import sys


def forged(function, request, payload, cap):
    import torch

    x = request["args"][0]
    size = 8 if x["dtype"] == "float64" else 4
    count = 1
    for n in x["shape"]:
        count *= n
    zero = {**x, "at": 0, "bytes": count * size, "grad": True}
    zero["strides"] = [count // n if i == 0 else 1 for i, n in enumerate(x["shape"])]
    return {"ok": zero, "gradients": [zero], "changed": [], "operators": []}, [memoryview(bytes(count * size))]


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
