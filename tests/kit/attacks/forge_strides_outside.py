"""Describes a tensor whose strides point outside what was sent.

Stopped by: values.BadValue from the decoder is a failed check.
"""
# deserves 0

def forged(request):
    return ["Returned", zero(strides=[1 << 40])], bytes(12)


@FORGED@
