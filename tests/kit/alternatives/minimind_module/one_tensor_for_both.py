"""Keys and values lie in one tensor that is a buffer, and keys are turned anew at every call."""

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("不能整除")
        d = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * d, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * d, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * d, bias=False)
        self.o_proj = nn.Linear(num_heads * d, hidden_size, bias=False)
        self.conf = (num_heads, num_kv_heads, d, theta)
        self.register_buffer("kv", None, persistent=False)

    def forward(self, x, continued=False):
        H, G, d, theta = self.conf
        B, T, C = x.shape
        kv = torch.stack([self.k_proj(x), self.v_proj(x)])
        if continued and self.kv is not None:
            kv = torch.cat([self.kv, kv], dim=2)
        self.kv = kv.detach()
        S = kv.shape[2]
        k, v = kv.view(2, B, S, G, d).transpose(2, 3)
        q = self.q_proj(x).view(B, T, H, d).transpose(1, 2)
        ang = torch.arange(S, device=x.device, dtype=torch.float32)[:, None] / theta ** (
            torch.arange(0, d, 2, device=x.device).float() / d
        )

        def turn(t, a):
            t1, t2 = t.chunk(2, -1)
            return torch.cat([t1 * a.cos() - t2 * a.sin(), t1 * a.sin() + t2 * a.cos()], -1).to(x.dtype)

        q, k = turn(q, ang[S - T :]), turn(k, ang)
        k, v = k.repeat_interleave(H // G, 1), v.repeat_interleave(H // G, 1)
        s = (q @ k.transpose(-1, -2)) / d**0.5
        keep = torch.arange(S, device=x.device) <= torch.arange(S - T, S, device=x.device).unsqueeze(-1)
        p = s.masked_fill(~keep, float("-inf")).softmax(-1)
        return self.o_proj((p @ v).transpose(1, 2).flatten(2))
