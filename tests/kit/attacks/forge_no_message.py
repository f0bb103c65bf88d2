"""Sends frames whose message is empty, cut short, no MessagePack, or none of those that a worker sends.

Stopped by: channel.Channel.receive: all are broken frames.
"""
# deserves 0

@CHANNEL@


def scale(x, factor=2.0):
    for message in (b"", b"\x90", b"\xc0", b"\xc1", b"\x92\xa8Returned", b"{}", b"\x92\xa6Passed\x04", b"\xd4\x00\x00"):
        send(frame(message, nonce=nonce()))
    return x * factor
