"""Answers with a dict that holds a key twice, a tensor of values first and one without memory behind it, so that the
device of the one would be taken for that of the other.

Stopped by: values.BadValue: a key comes once.
"""
# deserves 0

def forged(request):
    nowhere = zero(strides=[], bytes=0, device="meta")
    return ["Returned", ["dict", [["x", zero()], ["x", nowhere]]]], bytes(12)


@FORGED@
