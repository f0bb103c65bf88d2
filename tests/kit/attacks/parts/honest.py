def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
