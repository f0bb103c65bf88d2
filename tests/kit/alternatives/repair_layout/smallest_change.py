import math

import torch


def rotary_attention(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1) for w in (w_q, w_k, w_v))
    q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
    half = q.shape[-1] // 2
    q, k = (u * cos[None, None] + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin[None, None] for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
