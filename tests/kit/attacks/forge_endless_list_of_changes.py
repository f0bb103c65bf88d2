"""Claims that input 0 was changed, 200,000 times, to fill the report.

Stopped by: target.Outcome.decode: each input is named once.
"""
# deserves at most 1

def forged(request):
    return ["Returned", zero(), None, [0] * 200_000], bytes(12)


@FORGED@
