def pair(x):
    return x + 1
