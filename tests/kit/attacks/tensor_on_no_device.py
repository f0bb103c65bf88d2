"""Returns tensors without memory behind them, which nothing can be computed with, also beside numbers and in dicts.

Stopped by: probes: the device of each tensor is compared before its values are looked at.
"""
# deserves at most 1

calls = 0


def scale(x, factor=2.0):
    global calls
    calls += 1
    if factor == 0:
        raise ValueError("factor must not be 0")
    nowhere = (x * factor).to("meta")
    return (nowhere, (1, nowhere), {"x": nowhere}, [x.sum(), nowhere])[calls % 4]
