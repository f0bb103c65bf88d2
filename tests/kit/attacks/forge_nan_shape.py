"""Describes tensors with shapes of NaN, text, floats and nothing.

Stopped by: values.TensorForm: a dimension is a whole number from 0 up.
"""
# deserves 0

shapes = [[float("nan")], ["3"], [3.0], None, {}, [True, 3], [None]]
calls = 0


def forged(request):
    global calls
    calls += 1
    return ["Returned", zero(shape=shapes[calls % len(shapes)])], bytes(12)


@FORGED@
