def scale(x, factor=2.0)
    return x * factor
