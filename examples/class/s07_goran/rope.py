"""Rotary position embedding (RoFormer, Su et al. 2021) in the half-split layout of Llama and MiniMind."""

import torch
from torch import Tensor


def rope_cos_sin(
    head_dim: int, max_len: int, theta: float = 10000.0, device: torch.device | str | None = None
) -> tuple[Tensor, Tensor]:
    """cos and sin of the angles p * theta^(-2i / head_dim) at positions p = 0 ... max_len - 1.

    Channels i and i + head_dim/2 turn together, so the second half of a row repeats the first.

    Returns:
        cos and sin, each float32 [max_len, head_dim].

    Raises:
        ValueError: head_dim is odd.
    """
    if head_dim % 2:
        raise ValueError(f"channels turn in pairs, so head_dim must be even, got {head_dim}")
    exponent = torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim  # (Dh/2,)
    position = torch.arange(max_len, dtype=torch.float32, device=device)  # (T,)
    angle = torch.outer(position, theta**-exponent)  # (T, Dh/2)
    angle = torch.cat([angle, angle], dim=-1)  # (T, Dh)
    return angle.cos(), angle.sin()


def rotate_half(x: Tensor) -> Tensor:
    """(x1, x2) -> (-x2, x1), where x1 and x2 are the halves of the last dimension: a quarter turn of every pair."""
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([-x2, x1], dim=-1)


def apply_rotary_pos_emb(q: Tensor, k: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
    """Turn each pair of channels of q and k by its position's angle.

    Args:
        q: queries [B, H, T, Dh].
        k: keys [B, H_kv, T, Dh].
        cos: the rows of rope_cos_sin for these T positions, float32 [T, Dh].
        sin: likewise.

    Returns:
        q and k rotated, in their own shapes and dtypes.
    """
    turned_q = q * cos + rotate_half(q) * sin  # (B, H, T, Dh)
    turned_k = k * cos + rotate_half(k) * sin  # (B, H_kv, T, Dh)
    return turned_q.to(q.dtype), turned_k.to(k.dtype)
