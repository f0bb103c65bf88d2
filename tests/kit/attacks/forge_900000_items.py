"""Answers with a list of 900,000 items in a message that is no longer than it may be.

Stopped by: values.ListForm: a list has no more items than a value may have, which is looked at before they are decoded.
"""
# deserves 0

def forged(request):
    return ["Returned", ["list", [None] * 900_000]], b""


@FORGED@
