"""A rotation is a matrix: one for each position, block by block."""

import torch


class Rotations:
    def __init__(self, channels, theta):
        if channels & 1:
            raise ValueError("channels must be even")
        self.half = channels // 2
        self.speed = [theta ** (-2 * i / channels) for i in range(self.half)]

    def at(self, positions, like):
        wide = torch.promote_types(like.dtype, torch.float32)
        a = positions.to(wide).unsqueeze(1) * torch.tensor(self.speed, dtype=wide, device=like.device)
        c, s = torch.diag_embed(a.cos()), torch.diag_embed(a.sin())
        return torch.cat([torch.cat([c, -s], 2), torch.cat([s, c], 2)], 1)  # [T, Dh, Dh]


def rotate(x, positions, theta=10000.0):
    r = Rotations(x.shape[-1], theta).at(positions, x)
    return (r @ x.to(r.dtype).unsqueeze(-1)).squeeze(-1).to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    r = Rotations(q.shape[0], theta).at(torch.arange(length, device=q.device), q)
    return ((r @ q.to(r.dtype)) @ (r @ k.to(r.dtype)).T).to(q.dtype)


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    dtype = q.dtype
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k, v = q.float() if dtype != torch.float64 else q, k, v
    k, v = k.to(q.dtype), v.to(q.dtype)
    values = rotate(v, positions, theta) if rotate_values else v
    weights = torch.softmax(rotate(q, positions, theta) @ rotate(k, positions, theta).transpose(-1, -2) / q.shape[-1] ** 0.5, dim=-1)
    return (weights @ values).to(dtype)
