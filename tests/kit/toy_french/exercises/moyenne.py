"""La moyenne pondérée."""


def moyenne(x, w):
    """La moyenne de x [n] avec les poids w [n]."""
    raise NotImplementedError
