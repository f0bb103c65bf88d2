# Tables with plain Python numbers, channels one by one.
import math

import torch


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim % 2 == 1:
        raise ValueError("head_dim is odd")
    cos, sin = [], []
    for p in range(max_len):
        angles = []
        for i in range(head_dim // 2):
            angles.append(p / theta ** (2 * i / head_dim))
        angles = angles + angles
        cos.append([math.cos(a) for a in angles])
        sin.append([math.sin(a) for a in angles])
    return (
        torch.tensor(cos, dtype=torch.float32, device=device),
        torch.tensor(sin, dtype=torch.float32, device=device),
    )


def rotate_half(x):
    half = x.shape[-1] // 2
    columns = []
    for i in range(half):
        columns.append(-x[..., half + i])
    for i in range(half):
        columns.append(x[..., i])
    return torch.stack(columns, dim=-1)


def _one(x, cos, sin):
    half = x.shape[-1] // 2
    new = []
    for i in range(x.shape[-1]):
        partner = -x[..., i + half] if i < half else x[..., i - half]
        new.append(x[..., i] * cos[:, i] + partner * sin[:, i])
    return torch.stack(new, dim=-1).to(x.dtype)


def apply_rotary_pos_emb(q, k, cos, sin):
    return [_one(q, cos, sin), _one(k, cos, sin)]
