import math

import torch


def padded_attention(q, k, v, mask):
    b, h, t, d = q.shape
    shapes = {2: (b, 1, 1, t), 3: (b, 1, t, t)}
    if mask.dim() not in shapes:
        raise ValueError(tuple(mask.shape))
    bias = torch.zeros_like(mask, dtype=q.dtype).masked_fill(~mask, -math.inf).reshape(shapes[mask.dim()])
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(d) + bias
    return torch.einsum("bhqk,bhkd->bhqd", scores.softmax(-1), v)
