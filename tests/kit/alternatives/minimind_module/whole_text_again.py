"""Keeps the tokens themselves and computes the whole text again: slow, but right. Float32 inside where that is wider."""

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6):
        super().__init__()
        head_dim, rest = divmod(hidden_size, num_heads)
        if rest or num_heads % num_kv_heads:
            raise ValueError
        self.n, self.g, self.d, self.theta = num_heads, num_kv_heads, head_dim, theta
        self.q_proj = nn.Linear(hidden_size, num_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * head_dim, hidden_size, bias=False)
        self.tokens = None

    def forward(self, x, continued=False):
        self.tokens = torch.cat((self.tokens, x), 1) if continued and self.tokens is not None else x
        return self.text(self.tokens)[:, -x.shape[1] :]

    def text(self, x):
        T = x.shape[1]
        q, k, v = (p(x).float() if x.dtype.itemsize < 4 else p(x) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k, v = (t.unflatten(-1, (-1, self.d)).movedim(2, 1) for t in (q, k, v))
        speed = self.theta ** (-torch.arange(0, self.d, 2, device=x.device) / self.d)
        angle = torch.arange(T, device=x.device)[:, None] * speed
        cos, sin = angle.cos(), angle.sin()
        q, k = (
            torch.cat([a * cos - b * sin, b * cos + a * sin], -1) for a, b in (t.tensor_split(2, -1) for t in (q, k))
        )
        k, v = (t[:, torch.arange(self.n, device=x.device) // (self.n // self.g)] for t in (k, v))
        scores = q @ k.transpose(2, 3) / self.d**0.5
        scores = scores + torch.full((T, T), float("-inf"), device=x.device, dtype=scores.dtype).triu(1)
        heads = scores.softmax(3) @ v
        return self.o_proj(heads.transpose(1, 2).flatten(2).to(x.dtype))
