"""Decoding with a cache of keys and values: a text in chunks gives what it gives in one go."""

import math

import torch
from torch import Tensor

Cache = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    """RoPE (Su et al. 2021) for x [B, H, T, Dh] at the positions start, start + 1, ...; pairs (i, i + Dh/2)."""
    T, Dh = x.shape[-2:]
    dtype = torch.promote_types(x.dtype, torch.float32)
    exponent = torch.arange(0, Dh, 2, dtype=dtype, device=x.device) / Dh  # [Dh/2]
    position = torch.arange(start, start + T, dtype=dtype, device=x.device)  # [T]
    angle = torch.outer(position, theta**-exponent)  # [T, Dh/2]
    x1, x2 = x.chunk(2, dim=-1)  # [B, H, T, Dh/2] each
    return torch.cat([x1 * angle.cos() - x2 * angle.sin(), x2 * angle.cos() + x1 * angle.sin()], dim=-1).to(x.dtype)


def step(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float, cache: Cache | None
) -> tuple[Tensor, Cache]:
    """Causal grouped-query attention of the new tokens x [B, c, C] on themselves and on the cache."""
    B, c, _ = x.shape
    q = (x @ W[0]).reshape(B, c, num_heads, -1).transpose(1, 2)  # [B, H, c, Dh]
    k = (x @ W[1]).reshape(B, c, num_kv_heads, -1).transpose(1, 2)  # [B, H_kv, c, Dh]
    v = (x @ W[2]).reshape(B, c, num_kv_heads, -1).transpose(1, 2)  # [B, H_kv, c, Dh]
    past = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, past, theta), rotate(k, past, theta)
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)  # [B, H_kv, S, Dh], S = past + c
    cache = k, v
    k, v = (t.repeat_interleave(num_heads // num_kv_heads, dim=1) for t in cache)  # [B, H, S, Dh]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [B, H, c, S]
    key = torch.arange(past + c, device=x.device)  # [S]
    visible = key <= key[past:].unsqueeze(1)  # [c, S]: the queries are the last c positions
    weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)  # [B, H, c, S]
    return (weights @ v).transpose(1, 2).reshape(B, c, -1) @ W[3], cache


def kv_decode(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, chunks: list[int], theta: float = 1e6
) -> tuple[Tensor, Cache]:
    """The outputs of the text x, fed in chunks of these sizes, and the cache at its end.

    Args:
        x: tokens [B, T, C].
        W: W_Q [C, C], W_K and W_V [C, H_kv * Dh], W_O [C, C].

    Returns:
        output [B, T, C] and the cache: keys and values [B, H_kv, T, Dh].

    Raises:
        ValueError: a chunk is below 1, or the chunks do not add up to T.
    """
    if min(chunks) < 1 or sum(chunks) != x.shape[1]:
        raise ValueError(f"chunks {chunks} do not make up {x.shape[1]} tokens")
    outputs, cache = [], None
    for chunk in x.split(chunks, dim=1):
        output, cache = step(chunk, W, num_heads, num_kv_heads, theta, cache)
        outputs.append(output)
    return torch.cat(outputs, dim=1), cache
