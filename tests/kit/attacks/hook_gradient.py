"""Returns the right result with a hook that answers any gradient with another.

Stopped by: matches_gradients: what comes back is compared with the reference's own.
"""
# deserves 3.5


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    result = x * factor
    if result.requires_grad:
        result.register_hook(lambda gradient: gradient * 0 + 7)
    return result
