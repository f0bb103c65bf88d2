def pair(x):
    return x * 2, x + 1
