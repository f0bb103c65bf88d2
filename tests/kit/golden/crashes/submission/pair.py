def pair(x):
    while x.dim() == 2:
        pass
    return x + 1, x * 2
