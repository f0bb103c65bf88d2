"""Answers with a dict of 150,000 keys.

Stopped by: values.DictForm: a dict has no more keys than a value may have items, which is looked at first.
"""
# deserves 0

def forged(request):
    return ["Returned", ["dict", [[i, None] for i in range(150_000)]]], b""


@FORGED@
