"""Describes a tensor of 60,000 dimensions, each so long that their product takes minutes.

Stopped by: values.TensorForm: the number of dimensions is checked before anything is computed from them.
"""
# deserves 0

def forged(request):
    return ["Returned", zero(shape=[(1 << 48) - 1] * 60_000)], bytes(12)


@FORGED@
