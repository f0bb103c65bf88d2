"""Nests lists inside a value that does not cross, where a careless walk overflows the stack.

Stopped by: values.OpaqueForm: a value that does not cross is a name and nothing more.
"""
# deserves 0

def forged(request):
    deep = []
    for _ in range(400):
        deep = [deep]
    return ["Returned", ["opaque", "x", deep]], b""


@FORGED@
