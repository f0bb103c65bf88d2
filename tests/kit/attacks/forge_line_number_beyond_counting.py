"""Claims an exception on a line whose number has 64 bits, or is below 0, or is no whole number.

Stopped by: messages.Place: a line number has a limit.
"""
# deserves 0

replies = [["Raised", ["ValueErro"], "x", [n]] for n in (2**64 - 1, -5, 1 << 40, True, 1.5)]
calls = 0


def forged(request):
    global calls
    calls += 1
    return replies[calls % len(replies)], b""


@FORGED@
