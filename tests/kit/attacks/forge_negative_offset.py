"""Describes a tensor that begins before what was sent.

Stopped by: values.TensorForm: a place in the payload is a whole number from 0 up.
"""
# deserves 0

def forged(request):
    return ["Returned", zero(at=-4096, strides=[-1])], bytes(12)


@FORGED@
