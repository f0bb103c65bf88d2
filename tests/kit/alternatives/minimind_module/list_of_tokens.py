"""Remembers one key and value a token in Python lists, and answers token by token."""

import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if num_heads < num_kv_heads or hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes")
        self.H, self.K, self.D = num_heads, num_kv_heads, hidden_size // num_heads
        self.angles = [theta ** (-2 * i / self.D) for i in range(self.D // 2)]
        self.q_proj, self.o_proj = (nn.Linear(hidden_size, hidden_size, bias=False) for _ in range(2))
        self.k_proj, self.v_proj = (nn.Linear(hidden_size, self.K * self.D, bias=False) for _ in range(2))
        self.keys, self.values = [], []

    def at(self, x, position):
        c, s = ([f(position * a) for a in self.angles] for f in (math.cos, math.sin))
        c, s = (torch.tensor(t, dtype=torch.float64).to(x) for t in (c, s))
        a, b = x[..., : self.D // 2], x[..., self.D // 2 :]
        return torch.cat([a * c - b * s, b * c + a * s], -1)

    def forward(self, x, continued=False):
        if not continued:
            self.keys, self.values = [], []
        outputs = []
        for t in range(x.shape[1]):
            token, position = x[:, t], len(self.keys)
            q = self.at(self.q_proj(token).view(-1, self.H, self.D), position) / self.D**0.5
            self.keys.append(self.at(self.k_proj(token).view(-1, self.K, self.D), position))
            self.values.append(self.v_proj(token).view(-1, self.K, self.D))
            k = torch.stack(self.keys, 2).repeat_interleave(self.H // self.K, 1)
            v = torch.stack(self.values, 2).repeat_interleave(self.H // self.K, 1)
            w = torch.softmax((q.unsqueeze(2) * k).sum(-1), -1)
            outputs.append(self.o_proj((w.unsqueeze(-1) * v).sum(2).flatten(1)))
        return torch.stack(outputs, 1)
