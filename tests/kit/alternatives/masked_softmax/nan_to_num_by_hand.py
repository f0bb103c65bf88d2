import torch


def masked_softmax(scores, mask, dim=-1):
    s = scores.masked_fill(~mask, float("-inf"))
    e = torch.exp(s - s.amax(dim, keepdim=True))
    return torch.nan_to_num(e / e.sum(dim, keepdim=True))
