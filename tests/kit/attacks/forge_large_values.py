"""Returns a megabyte more than allowed, at every call.

Stopped by: channel: a payload over the limit is refused before it is read.
"""
# deserves 0

def forged(request):
    return ["Returned", None], bytes(3 << 20)


@FORGED@
