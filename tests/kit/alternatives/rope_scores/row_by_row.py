"""Loops over positions and pairs, in the dtype of the inputs except for the angles, which are Python floats."""

import math

import torch


def turn(vector, position, theta):
    size = vector.shape[-1]
    if size % 2 == 1:
        raise ValueError("an odd number of channels")
    first, second = [], []
    for i in range(size // 2):
        a = position * theta ** (-2 * i / size)
        x, y = vector[..., i], vector[..., i + size // 2]
        first.append(x * math.cos(a) - y * math.sin(a))
        second.append(y * math.cos(a) + x * math.sin(a))
    return torch.stack(first + second, -1)


def rotate(x, positions, theta=10000.0):
    return torch.stack([turn(x[..., t, :], p, theta) for t, p in enumerate(positions.tolist())], -2)


def rope_scores(q, k, length, theta=10000.0):
    rows = []
    for m in range(length):
        rows.append(torch.stack([(turn(q, m, theta) * turn(k, n, theta)).sum() for n in range(length)]))
    return torch.stack(rows)


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.size(-2))
    q = rotate(q, positions, theta)
    k = rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    outputs = []
    for t in range(q.size(-2)):
        scores = (q[..., t : t + 1, :] * k).sum(-1) / math.sqrt(q.size(-1))
        e = (scores - scores.amax(-1, keepdim=True)).exp()
        outputs.append((e.unsqueeze(-1) * v).sum(-2) / e.sum(-1, keepdim=True))
    return torch.stack(outputs, -2)
