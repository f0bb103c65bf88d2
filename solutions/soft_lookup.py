"""Soft dictionary lookup: a mix of all values instead of one of them."""

from torch import Tensor


def soft_lookup(weights: Tensor, values: Tensor) -> Tensor:
    """sum_j weights[..., j] values[j], the last step of attention; Bahdanau et al. 2015, equation 5.

    Args:
        weights: [..., n], taken as they are.
        values: [n, d].

    Returns:
        [..., d].
    """
    return weights @ values  # [..., n] @ [n, d] -> [..., d]
