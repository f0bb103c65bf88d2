"""Claims an exception whose class names are lists nested 900 deep.

Stopped by: messages.Raised: class names are texts, eight at most.
"""
# deserves 0

def forged(request):
    return b"\x93\xa6Raised" + b"\x91" * 900 + b"\x90" + b"\xa0", b""


@FORGED@
