import torch


def dot(a, b):
    total = a[..., 0] * b[..., 0]
    for c in range(1, a.shape[-1]):
        total = total + a[..., c] * b[..., c]
    return total


def attention_scores(q, k):
    rows = []
    for i in range(q.shape[-2]):
        rows.append(torch.stack([dot(q[..., i, :], k[..., j, :]) for j in range(k.shape[-2])], dim=-1))
    return torch.stack(rows, dim=-2)
