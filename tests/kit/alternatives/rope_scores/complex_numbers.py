"""A pair is one complex number; turning it is a multiplication."""

import torch


def rotate(x, positions, theta=10000.0):
    half, rest = divmod(x.shape[-1], 2)
    if rest:
        raise ValueError("odd")
    wide = x if x.dtype in (torch.float32, torch.float64) else x.float()
    z = torch.complex(wide[..., :half], wide[..., half:])
    speed = theta ** (-torch.arange(half, device=x.device, dtype=wide.dtype) / half)
    angle = positions[:, None].to(wide.dtype) * speed
    z = z * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([z.real, z.imag], -1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    where = torch.arange(length, device=q.device)
    return torch.einsum(
        "md,nd->mn", rotate(q.repeat(length, 1), where, theta), rotate(k.repeat(length, 1), where, theta)
    )


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    where = torch.arange(q.shape[-2], device=q.device) + start
    q, k = rotate(q, where, theta), rotate(k, where, theta)
    v = rotate(v, where, theta) if rotate_values else v
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)
