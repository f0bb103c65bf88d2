"""Key after key with a running maximum, as in FlashAttention; the weights come at the end."""

import math

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q @ k.transpose(-2, -1)).div(math.sqrt(q.shape[-1]))
    lowest = torch.finfo(scores.dtype).min
    if mask is not None:
        scores = scores.masked_fill(~mask, lowest)

    m = torch.full_like(scores[..., :1], lowest)
    total = torch.zeros_like(m)
    output = torch.zeros_like(v[..., :1, :])
    for j in range(k.shape[-2]):
        s = scores[..., j : j + 1]
        new = torch.maximum(m, s)
        shrink, p = torch.exp(m - new), torch.exp(s - new)
        total = total * shrink + p
        output = output * shrink + p * v[..., j : j + 1, :]
        m = new
    return output / total, torch.exp(scores - m) / total
