"""The table from the distance alone, and positions that start at 0 wherever the values stay as they are."""

import math

import torch


def angles(positions, channels, theta):
    if channels % 2:
        raise ValueError(channels)
    i = torch.arange(channels // 2, device=positions.device).float()
    return positions.float().unsqueeze(-1) * torch.exp(i * (-2 * math.log(theta) / channels))


def rotate(x, positions, theta=10000.0):
    a = angles(positions, x.shape[-1], theta)
    cos, sin = a.cos().repeat(1, 2), a.sin().repeat(1, 2)
    left, right = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return (x * cos + torch.cat([-right, left], -1) * sin).type_as(x)


def rope_scores(q, k, length, theta=10000.0):
    i = torch.arange(length, device=q.device)
    a = angles((i[:, None] - i).flatten(), len(q), theta)
    q1, q2 = q.chunk(2)
    k1, k2 = k.chunk(2)
    score = a.cos() @ (q1 * k1 + q2 * k2).to(a.dtype) + a.sin() @ (q1 * k2 - q2 * k1).to(a.dtype)
    return score.reshape(length, length).to(q.dtype)


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    i = torch.arange(q.shape[-2], device=q.device)
    if rotate_values:
        v = rotate(v, i + start, theta)
    scores = rotate(q, i, theta) @ rotate(k, i, theta).mT
    return torch.softmax(scores * q.shape[-1] ** -0.5, -1) @ v
