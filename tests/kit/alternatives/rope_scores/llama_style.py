import math

import torch


def rotate_half(x):
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def rotate(x, positions, theta=10000.0):
    dim = x.shape[-1]
    if dim % 2 != 0:
        raise ValueError("dim must be even")
    inv_freq = 1.0 / (theta ** (torch.arange(0, dim, 2, device=x.device).float() / dim))
    freqs = torch.einsum("i,j->ij", positions.float(), inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    return x * emb.cos().to(x.dtype) + rotate_half(x) * emb.sin().to(x.dtype)


def rope_scores(q, k, length, theta=10000.0):
    positions = torch.arange(length, device=q.device)
    return torch.matmul(rotate(q[None].repeat(length, 1), positions, theta), rotate(k[None].repeat(length, 1), positions, theta).transpose(0, 1))


def rotated_attention(q, k, v, start=0, rotate_values=False, theta=10000.0):
    positions = torch.arange(start, start + q.shape[-2], device=q.device)
    q, k = rotate(q, positions, theta), rotate(k, positions, theta)
    if rotate_values:
        v = rotate(v, positions, theta)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.shape[-1])
    return torch.matmul(torch.softmax(scores.float(), dim=-1).type_as(q), v)
