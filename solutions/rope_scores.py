"""A laboratory for rotary position embedding: which scores come out, and what happens if values are rotated too."""

import math

import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, theta: float = 10000.0) -> Tensor:
    """Turn channel pair (i, i + Dh/2) of row t by positions[t] * theta^(-2i / Dh) radians; RoFormer, Su et al. 2021.

    Args:
        x: vectors [..., T, Dh].
        positions: whole numbers [T].

    Raises:
        ValueError: Dh is odd.
    """
    Dh = x.shape[-1]
    if Dh % 2:
        raise ValueError(f"channels turn in pairs, so Dh must be even, got {Dh}")
    dtype = torch.promote_types(x.dtype, torch.float32)  # half precision cannot tell far positions apart
    exponent = torch.arange(0, Dh, 2, dtype=dtype, device=x.device) / Dh  # [Dh/2]
    angle = torch.outer(positions.to(dtype), theta**-exponent)  # [T, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x.chunk(2, dim=-1)  # [..., T, Dh/2] each
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)  # [..., T, Dh]


def rope_scores(q: Tensor, k: Tensor, length: int, theta: float = 10000.0) -> Tensor:
    """Entry (m, n) of [length, length]: the score of query q [Dh] at position m with key k [Dh] at position n."""
    positions = torch.arange(length, device=q.device)
    queries = rotate(q.expand(length, -1), positions, theta)  # [length, Dh]: the same query at every position
    keys = rotate(k.expand(length, -1), positions, theta)  # [length, Dh]
    return queries @ keys.T  # [length, length]


def rotated_attention(
    q: Tensor, k: Tensor, v: Tensor, start: int = 0, rotate_values: bool = False, theta: float = 10000.0
) -> Tensor:
    """Attention among T tokens at the positions start ... start + T - 1.

    Args:
        q: queries [..., T, Dh].
        k: keys [..., T, Dh].
        v: values [..., T, Dv].
        rotate_values: rotate v as well, which RoPE does not do.

    Returns:
        [..., T, Dv].
    """
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [..., T, T]
    return scores.softmax(dim=-1) @ v  # [..., T, Dv]
