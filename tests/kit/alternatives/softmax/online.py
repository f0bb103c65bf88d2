"""One pass: running maximum and running sum, rescaled whenever the maximum grows."""

import torch


def softmax(x, dim=-1):
    x = x.movedim(dim, 0)
    m = torch.full_like(x[0], torch.finfo(x.dtype).min)
    total = torch.zeros_like(x[0])
    for row in x:
        new = torch.maximum(m, row)
        total = total * torch.exp(m - new) + torch.exp(row - new)
        m = new
    return (torch.exp(x - m) / total).movedim(0, dim)
