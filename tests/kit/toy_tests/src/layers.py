"""Layers."""


def relu(x):
    """Entries below 0 become 0."""
    return x.clamp(min=0)


def linear(x, w, b=None):
    """x w^T + b."""
    if x.shape[-1] != w.shape[-1]:
        raise ValueError("the sizes do not fit")
    y = x @ w.T
    return y if b is None else y + b


def double_(x):
    """Double x, in place."""
    return x.mul_(2)
