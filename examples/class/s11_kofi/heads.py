"""Splitting a model's channels into attention heads, and putting them back together."""

from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Give each head its own consecutive block of channels: [B, T, D] -> [B, H, T, D/H].

    Raises:
        ValueError: D is not divisible by num_heads.
    """
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError(f"{D} channels cannot be split evenly into {num_heads} heads")
    x = x.reshape(B, T, num_heads, D // num_heads)  # (B, T, H, Dh)
    return x.transpose(1, 2)  # (B, H, T, Dh)


def merge_heads(x: Tensor) -> Tensor:
    """Put the heads' channels side by side again, the inverse of split_heads: [B, H, T, Dh] -> [B, T, H * Dh]."""
    B, H, T, Dh = x.shape
    x = x.transpose(1, 2)  # (B, T, H, Dh)
    return x.reshape(B, T, H * Dh)  # (B, T, D)
