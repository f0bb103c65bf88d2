"""Sends messages whose texts are no UTF-8.

Stopped by: channel.Channel.receive: such a message is a broken frame.
"""
# deserves 0

texts = [b"\xff\xfe\x00", b"\xed\xa0\x80", b"\xc0\x80", b"\x80\x80\x80"]
calls = 0


def forged(request):
    global calls
    calls += 1
    return b"\x93\xa6Raised\x91\xa1E" + bytes([0xA0 + len(texts[calls % 4])]) + texts[calls % 4], b""


@FORGED@
