"""Claims gradients of complex, bool and integer dtype.

Stopped by: probes.MatchesGradients: a gradient has the dtype of its input.
"""
# deserves at most 1

kinds = {"complex64": 24, "bool": 3, "int64": 24, "float16": 6, "uint8": 3}
calls = 0


def forged(request):
    global calls
    calls += 1
    name, size = list(kinds.items())[calls % len(kinds)]
    return ["Returned", zero(), ["list", [zero(dtype=name, at=12, bytes=size)]]], bytes(12 + size)


@FORGED@
