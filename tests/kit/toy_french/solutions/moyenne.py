"""La moyenne pondérée."""


def moyenne(x, w):
    return (x * w).sum() / w.sum()
