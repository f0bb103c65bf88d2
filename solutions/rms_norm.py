"""Root mean square normalisation."""

import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    """x / sqrt(mean(x^2) + eps) * weight; Zhang and Sennrich 2019, with eps and the float32 detour as in Llama.

    Args:
        x: [..., D].
        weight: [D].
        eps: added to the mean of the squares.

    Returns:
        [..., D] in the dtype of x.
    """
    wide = x.to(torch.promote_types(x.dtype, torch.float32))  # [..., D]: squares fit, and half precision is not enough
    y = wide * torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + eps)  # [..., D]
    if weight is not None:
        y = y * weight  # [..., D]
    return y.to(x.dtype)  # [..., D]
