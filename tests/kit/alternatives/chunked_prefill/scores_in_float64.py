"""Scores by hand in both ways, grouped, in float64."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

Past = tuple[Tensor, Tensor]


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    """RoPE for x [B, T, H, Dh] at the positions start, start + 1, ...; this function is right.

    对 x [B, T, H, Dh] 施加 RoPE，位置为 start、start + 1、……；这个函数没有问题。
    """
    half = x.shape[3] // 2
    frequency = theta ** (-torch.arange(half, device=x.device).float() / half)  # [Dh/2]
    position = torch.arange(start, start + x.shape[1], device=x.device).float()  # [T]
    angle = torch.outer(position, frequency).unsqueeze(1)  # [T, 1, Dh/2]
    cos, sin = angle.cos(), angle.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)




def _qkv(x, W, num_heads, num_kv_heads, past, theta):
    B, T, C = x.shape
    q = (x @ W[0]).view(B, T, num_heads, -1)
    k = (x @ W[1]).view(B, T, num_kv_heads, -1)
    v = (x @ W[2]).view(B, T, num_kv_heads, -1)
    start = past[0].shape[1] if past is not None else 0
    q, k = rotate(q, start, theta), rotate(k, start, theta)
    if past is not None:
        k = torch.cat([past[0], k], dim=1)
        v = torch.cat([past[1], v], dim=1)
    return q, k, v


class Prefill:
    def __init__(self, num_heads, num_kv_heads):
        self.h, self.g = num_heads, num_kv_heads

    def attend(self, q, k, v):
        B, T, H, D = q.shape
        S = k.shape[1]
        q = q.reshape(B, T, self.g, H // self.g, D)
        s = torch.einsum("btgrd,bsgd->bgrts", q, k).double() / math.sqrt(D)
        later = torch.ones(T, S, device=q.device).triu(S - T + 1).bool()
        w = s.masked_fill(later, -math.inf).softmax(-1).to(v.dtype)
        return torch.einsum("bgrts,bsgd->btgrd", w, v).reshape(B, T, H * D)


def prefill(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    q, k, v = _qkv(x, W, num_heads, num_kv_heads, past, theta)
    return Prefill(num_heads, num_kv_heads).attend(q, k, v) @ W[3], (k, v)
