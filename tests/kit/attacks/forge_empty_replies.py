"""Answers with nothing in it.

Stopped by: channel.BrokenFrame: what is none of the messages ends the worker.
"""
# deserves 0

replies = [[], ["Returned"], {}, None, "", b"", ["Raised"], 0]
calls = 0


def forged(request):
    global calls
    calls += 1
    return replies[calls % len(replies)], b""


@FORGED@
