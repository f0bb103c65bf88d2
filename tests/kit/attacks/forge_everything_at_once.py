"""Sends a reply that holds an exception, and beside it a value, gradients and a verdict.

Stopped by: messages.Raised: an exception is an exception, whatever stands beside it.
"""
# deserves 0

def forged(request):
    value = ["Returned", zero(), ["list", [zero()]]]
    return ["Raised", ["ValueErro"], "", [], None, "", [], [], value, "passed", {"score": 4}], bytes(12)


@FORGED@
