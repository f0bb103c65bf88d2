"""Describes 8,000 tensors that all view the same bytes.

Stopped by: wire: a payload is taken once, so that a value cannot outgrow it.
"""
# deserves 0

def forged(request):
    return ["Returned", ["list", [zero()] * 8000]], bytes(12)


@FORGED@
