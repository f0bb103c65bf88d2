"""MiniMind's attention block as a module that remembers the text so far."""

import math

import torch
from torch import Tensor, nn


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    """RoPE (Su et al. 2021) for x [B, H, T, Dh] at the positions start, start + 1, ...; pairs (i, i + Dh/2)."""
    T, Dh = x.shape[-2:]
    dtype = torch.promote_types(x.dtype, torch.float32)
    exponent = torch.arange(0, Dh, 2, dtype=dtype, device=x.device) / Dh  # [Dh/2]
    position = torch.arange(start, start + T, dtype=dtype, device=x.device)  # [T]
    angle = torch.outer(position, theta**-exponent)  # [T, Dh/2]
    x1, x2 = x.chunk(2, dim=-1)  # [B, H, T, Dh/2] each
    return torch.cat([x1 * angle.cos() - x2 * angle.sin(), x2 * angle.cos() + x1 * angle.sin()], dim=-1).to(x.dtype)


class MiniMindAttention(nn.Module):
    """Causal grouped-query self-attention with RoPE and a cache of keys and values, after MiniMind of December 2025.

    Raises:
        ValueError: hidden_size is no multiple of num_heads, or num_heads none of num_kv_heads.
    """

    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError(f"heads must divide evenly, got {hidden_size}, {num_heads}, {num_kv_heads}")
        kv_size = hidden_size // num_heads * num_kv_heads
        self.num_heads, self.num_kv_heads, self.theta = num_heads, num_kv_heads, theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, kv_size, bias=False)
        self.v_proj = nn.Linear(hidden_size, kv_size, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache: tuple[Tensor, Tensor] | None = None

    def forward(self, x: Tensor, continued: bool = False) -> Tensor:
        """Args: x [B, T, C], the next tokens of the text before if `continued`. Returns: [B, T, C]."""
        B, T, C = x.shape
        if not continued:
            self.cache = None
        q = self.q_proj(x).reshape(B, T, self.num_heads, -1).transpose(1, 2)  # [B, H, T, Dh]
        k = self.k_proj(x).reshape(B, T, self.num_kv_heads, -1).transpose(1, 2)  # [B, H_kv, T, Dh]
        v = self.v_proj(x).reshape(B, T, self.num_kv_heads, -1).transpose(1, 2)  # [B, H_kv, T, Dh]
        past = 0 if self.cache is None else self.cache[0].shape[2]
        q, k = rotate(q, past, self.theta), rotate(k, past, self.theta)
        if self.cache is not None:
            k, v = torch.cat([self.cache[0], k], dim=2), torch.cat([self.cache[1], v], dim=2)  # [B, H_kv, S, Dh]
        self.cache = k, v
        k, v = (t.repeat_interleave(self.num_heads // self.num_kv_heads, dim=1) for t in (k, v))  # [B, H, S, Dh]
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [B, H, T, S]
        key = torch.arange(past + T, device=x.device)  # [S]
        visible = key <= key[past:].unsqueeze(1)  # [T, S]: the queries are the last T positions
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)  # [B, H, T, S]
        return self.o_proj((weights @ v).transpose(1, 2).reshape(B, T, C))
