from typing import NamedTuple

import torch


class Rotated(NamedTuple):
    q: torch.Tensor
    k: torch.Tensor


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    if head_dim // 2 * 2 != head_dim:
        raise ValueError("head_dim // 2 pairs do not cover it")
    with torch.no_grad():
        position = torch.arange(max_len, dtype=torch.float32, device=device)
        frequency = torch.tensor([theta ** (-2.0 * i / head_dim) for i in range(head_dim // 2)], device=device)
        angle = position[:, None].mul(frequency).repeat(1, 2)
        return torch.cos(angle), torch.sin(angle)


def rotate_half(x):
    y = x.unflatten(-1, (2, -1))
    return torch.stack([-y[..., 1, :], y[..., 0, :]], dim=-2).flatten(-2)


def apply_rotary_pos_emb(q, k, cos, sin):
    cos, sin = cos.float()[None, None], sin.float()[None, None]
    q32, k32 = q.float(), k.float()
    return Rotated(
        (q32 * cos + rotate_half(q32) * sin).type_as(q),
        (k32 * cos + rotate_half(k32) * sin).type_as(k),
    )
