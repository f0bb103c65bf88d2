"""Claims that there are no gradients to compare.

Stopped by: probes.MatchesGradients: a gradient that is missing is wrong.
"""
# deserves at most 1

def forged(request):
    return ["Returned", zero(), ["list", []]], bytes(12)


@FORGED@
