"""MiniMind's attention with its cache mended: a prompt may come in chunks."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    """RoPE for x [B, T, H, Dh] at the positions start, start + 1, ...; pairs (i, i + Dh/2)."""
    T, Dh = x.shape[1], x.shape[3]
    dtype = torch.promote_types(x.dtype, torch.float32)
    exponent = torch.arange(0, Dh, 2, dtype=dtype, device=x.device) / Dh  # [Dh/2]
    position = torch.arange(start, start + T, dtype=dtype, device=x.device)  # [T]
    angle = torch.outer(position, theta**-exponent).unsqueeze(1)  # [T, 1, Dh/2]: the same for all heads
    x1, x2 = x.chunk(2, dim=-1)  # [B, T, H, Dh/2] each
    return torch.cat([x1 * angle.cos() - x2 * angle.sin(), x2 * angle.cos() + x1 * angle.sin()], dim=-1).to(x.dtype)


def prefill(
    x: Tensor,
    W: list[Tensor],
    num_heads: int,
    num_kv_heads: int,
    past: Past | None = None,
    flash: bool = True,
    theta: float = 1e6,
) -> tuple[Tensor, Past]:
    """Causal grouped-query attention of the tokens x [B, T, C] on themselves and on the past.

    Args:
        W: W_Q [C, C], W_K and W_V [C, H_kv * Dh], W_O [C, C].
        past: rotated keys and values [B, T_past, H_kv, Dh].
        flash: PyTorch's fused attention, else scores by hand.

    Returns:
        output [B, T, C] and the past with the new tokens.
    """
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)  # [B, T, H, Dh]
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)  # [B, T, H_kv, Dh]
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)  # [B, T, H_kv, Dh]
    start = 0 if past is None else past[0].shape[1]
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k, v = torch.cat([past[0], k], dim=1), torch.cat([past[1], v], dim=1)  # [B, S, H_kv, Dh], S = start + T
    past = k, v
    q = q.transpose(1, 2)  # [B, H, T, Dh]
    k, v = (t.repeat_interleave(num_heads // num_kv_heads, dim=2).transpose(1, 2) for t in (k, v))  # [B, H, S, Dh]
    visible = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)  # [T, S], at the bottom right
    if flash:
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)  # [B, H, T, Dh]
    else:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [B, H, T, S]
        heads = scores.masked_fill(~visible, -math.inf).softmax(dim=-1) @ v  # [B, H, T, Dh]
    return heads.transpose(1, 2).reshape(B, T, C) @ W[3], past
