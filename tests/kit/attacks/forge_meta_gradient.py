"""Claims gradients on the meta device, which cannot be compared.

Stopped by: target.Outcome.decode: a gradient that is not on the CPU is no answer; a student cannot break the suite.
"""
# deserves at most 1

def forged(request):
    return ["Returned", zero(), ["list", [zero(device="meta", strides=[], bytes=0)] * 3]], bytes(12)


@FORGED@
