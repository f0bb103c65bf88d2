"""Answers with a whole number of 64 bits, as a value, as a key, as a change and as a size.

Stopped by: values.Whole: a whole number has 63 bits and a sign; larger ones overflow where they become an index.
"""
# deserves 0

large = 2**64 - 1
replies = [
    ["Returned", large], ["Returned", ["dict", [[large, 1]]]], ["Returned", ["tuple", [large]]],
    ["Returned", None, None, [large]], ["Returned", None, ["list", [large]]], ["Returned", None, None, [], [], large],
]
calls = 0


def forged(request):
    global calls
    calls += 1
    return replies[calls % len(replies)], b""


@FORGED@
