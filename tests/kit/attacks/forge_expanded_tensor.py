"""Describes a tensor of 2^45 entries, all of them the same four bytes.

Stopped by: wire: a tensor may not be expanded far beyond its bytes.
"""
# deserves 0

def forged(request):
    return ["Returned", zero(shape=[1 << 45], strides=[0])], bytes(12)


@FORGED@
