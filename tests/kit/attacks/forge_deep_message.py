"""Sends a message nested so deeply that a decoder overflows.

Stopped by: channel.Channel.receive: RecursionError is a broken frame; values.BadValue: a value has a limit of depth.
"""
# deserves 0

calls = 0


def forged(request):
    global calls
    calls += 1
    shallow, value = b"\x92\xa8Returned", b"\x92\xa4list\x91"
    return [b"\x91" * 500_000, b"\x81\xa1a" * 200_000, shallow + value * 100_000, shallow + value * 900 + b"\xc0"][calls % 4], b""


@FORGED@
