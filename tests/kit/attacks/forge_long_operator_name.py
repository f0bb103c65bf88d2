"""Claims to have run a forbidden operator with a name of half a megabyte.

Stopped by: target.Outcome.decode: names are cut; a claim can only cost points.
"""
# deserves 0

def forged(request):
    return ["Returned", zero(), None, [], ["lerp_" + "A<b>" * 100_000] * 2], bytes(12)


@FORGED@
