import torch


def masked_softmax(scores, mask, dim=-1):
    x = scores.float().masked_fill(~mask, float("-inf"))
    p = torch.softmax(x, dim, dtype=torch.float32)
    p = torch.where(mask, p, torch.zeros((), device=p.device))
    return p.to(scores.dtype)
