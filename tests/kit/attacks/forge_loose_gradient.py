"""Claims zero gradients in bfloat16, where the tolerance is wide.

Stopped by: probes.MatchesGradients: a gradient has the dtype of its input.
"""
# deserves at most 1

def forged(request):
    return ["Returned", zero(), ["list", [zero(dtype="bfloat16", bytes=6, at=12)]]], bytes(18)


@FORGED@
