"""Answers with a hundred lists of 9,000 items each, none of which is too long.

Stopped by: wire.decode: all items of a reply count.
"""
# deserves 0

def forged(request):
    return ["Returned", ["list", [["list", [None] * 9_000]] * 100]], b""


@FORGED@
