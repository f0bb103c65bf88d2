"""The attention block of MiniMind: projections, RoPE, cache, grouped queries, causal mask, output projection."""

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


def minimind_attention(
    x: Tensor, W: list[Tensor], num_heads: int, num_kv_heads: int, theta: float = 1e6, cache: Cache | None = None
) -> tuple[Tensor, Cache]:
    """Causal grouped-query self-attention with RoPE, as in MiniMind of December 2025 (no normalisation of q and k).

    Args:
        x: the new tokens [B, T, C].
        W: W_Q [C, H * Dh], W_K and W_V [C, H_kv * Dh], W_O [H * Dh, C].
        cache: rotated keys and values [B, H_kv, T_past, Dh] of the tokens before x.

    Returns:
        output [B, T, C] and the cache with the new tokens.

    Raises:
        ValueError: H is not a multiple of H_kv.
    """
    if num_heads % num_kv_heads:
        raise ValueError(f"{num_heads} query heads cannot share {num_kv_heads} key and value heads equally")
    B, T, _ = x.shape
    q = (x @ W[0]).reshape(B, T, num_heads, -1).transpose(1, 2)  # [B, H, T, Dh]
    k = (x @ W[1]).reshape(B, T, num_kv_heads, -1).transpose(1, 2)  # [B, H_kv, T, Dh]
    v = (x @ W[2]).reshape(B, T, num_kv_heads, -1).transpose(1, 2)  # [B, H_kv, T, Dh]
    past = 0 if cache is None else cache[0].shape[2]
    q, k = rotate(q, past, theta), rotate(k, past, theta)
    if cache is not None:
        k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)  # [B, H_kv, S, Dh], S = past + T
    cache = k, v
    k, v = (t.repeat_interleave(num_heads // num_kv_heads, dim=1) for t in cache)  # [B, H, S, Dh]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [B, H, T, S]
    key = torch.arange(past + T, device=x.device)  # [S]
    visible = key <= key[past:].unsqueeze(1)  # [T, S]: the queries are the last T positions
    weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)  # [B, H, T, S]
    merged = (weights @ v).transpose(1, 2).reshape(B, T, -1)  # [B, T, H * Dh]
    return merged @ W[3], cache
