"""Tables of cosines in buffers, [B, T, H, Dh] in the cache, fused attention with a mask."""

import torch
import torch.nn.functional as F
from torch import nn


def rotate_half(x):
    return torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads, self.n_kv, self.n_rep = num_heads, num_kv_heads, num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / (theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim))
        angles = torch.outer(torch.arange(4096), freqs).float()
        self.register_buffer("freqs_cos", torch.cat([angles.cos(), angles.cos()], -1), persistent=False)
        self.register_buffer("freqs_sin", torch.cat([angles.sin(), angles.sin()], -1), persistent=False)
        self.past = None

    def forward(self, x, continued=False):
        bsz, seq_len, _ = x.shape
        past = self.past if continued else None
        xq = self.q_proj(x).view(bsz, seq_len, self.n_heads, self.head_dim)
        xk = self.k_proj(x).view(bsz, seq_len, self.n_kv, self.head_dim)
        xv = self.v_proj(x).view(bsz, seq_len, self.n_kv, self.head_dim)
        start = past[0].shape[1] if past is not None else 0
        cos = self.freqs_cos[start : start + seq_len].unsqueeze(1)
        sin = self.freqs_sin[start : start + seq_len].unsqueeze(1)
        xq = (xq * cos + rotate_half(xq) * sin).to(x.dtype)
        xk = (xk * cos + rotate_half(xk) * sin).to(x.dtype)
        if past is not None:
            xk, xv = torch.cat([past[0], xk], dim=1), torch.cat([past[1], xv], dim=1)
        self.past = (xk, xv)
        xq = xq.transpose(1, 2)
        xk = xk.repeat_interleave(self.n_rep, 2).transpose(1, 2)
        xv = xv.repeat_interleave(self.n_rep, 2).transpose(1, 2)
        mask = torch.ones(seq_len, start + seq_len, dtype=torch.bool, device=x.device).tril(start)
        output = F.scaled_dot_product_attention(xq, xk, xv, attn_mask=mask)
        return self.o_proj(output.transpose(1, 2).reshape(bsz, seq_len, -1))
