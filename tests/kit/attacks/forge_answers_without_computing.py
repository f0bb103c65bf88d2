"""Replaces the worker's own `call` and answers every call with zeros of the right shape.

Stopped by: probes.MatchesReference: values are compared in the grader, which made the inputs.
"""
# deserves at most 1

import math


def forged(request):
    x = request.args.items[0]
    if request.contract:
        return ["Returned", zero(dtype=x.dtype, shape=x.shape, strides=[], bytes=0, device="meta")], b""
    size = math.prod(x.shape) * (8 if x.dtype == "float64" else 4)
    strides = [math.prod(x.shape[i + 1 :]) for i in range(len(x.shape))]
    form = zero(dtype=x.dtype, shape=x.shape, strides=strides, bytes=size, grad=True)
    return ["Returned", form, ["list", [zero(dtype=x.dtype, shape=x.shape, strides=strides, bytes=size, at=size)]]], bytes(2 * size)


@FORGED@
