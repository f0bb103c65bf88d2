"""nn.MultiheadAttention with every number of heads, tried out."""

from typing import Any

import torch
from torch import nn


def heads_report(embed_dim: int) -> dict[int, dict[str, Any] | None]:
    """For each h from 1 to embed_dim what nn.MultiheadAttention(embed_dim, h) makes of 2 examples of 5 tokens.

    Args:
        embed_dim: channels of a token.

    Returns:
        By h: head_dim, parameters and the shapes of output, weights (averaged) and per_head weights; None where torch
        refuses.
    """
    return {h: _tried(embed_dim, h) for h in range(1, embed_dim + 1)}


def _tried(embed_dim: int, h: int) -> dict[str, Any] | None:
    try:
        module = nn.MultiheadAttention(embed_dim, h, batch_first=True)
    except AssertionError:  # embed_dim must be divisible by num_heads
        return None
    x = torch.zeros(2, 5, embed_dim)  # [B, T, D]
    output, weights = module(x, x, x)  # [B, T, D], [B, T, T]
    _, per_head = module(x, x, x, average_attn_weights=False)  # [B, h, T, T]
    return {
        "head_dim": module.head_dim,
        "parameters": sum(p.numel() for p in module.parameters()),
        "output": tuple(output.shape),
        "weights": tuple(weights.shape),
        "per_head": tuple(per_head.shape),
    }
