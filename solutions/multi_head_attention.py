"""Multi-head self-attention as a function of its matrices."""

import math

from torch import Tensor


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    """Concat(head_0, ...) W_O with head_i = Attention(x W_Q^i, x W_K^i, x W_V^i); Vaswani et al. 2017, section 3.2.2.

    Args:
        x: tokens [B, T, D].
        W: W_Q, W_K, W_V, W_O, each [D, D]; W^i is column block i.
        biases: their biases, each [D].
        num_heads: H.
        mask: bool, broadcastable to [B, H, T, T]; True = may attend.

    Returns:
        [B, T, D].

    Raises:
        ValueError: D is not divisible by num_heads.
    """
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError(f"{D} channels cannot be shared equally among {num_heads} heads")
    Dh = D // num_heads
    q, k, v = (x @ W[i] + biases[i] for i in range(3))  # [B, T, D]
    q, k, v = (t.reshape(B, T, num_heads, Dh).transpose(1, 2) for t in (q, k, v))  # [B, H, T, Dh]
    scores = q @ k.transpose(-2, -1) / math.sqrt(Dh)  # [B, H, T, T]
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)  # [B, H, T, T]
    heads = scores.softmax(dim=-1) @ v  # [B, H, T, Dh]
    merged = heads.transpose(1, 2).reshape(B, T, D)  # [B, T, D]: head 0 first
    return merged @ W[3] + biases[3]  # [B, T, D]
