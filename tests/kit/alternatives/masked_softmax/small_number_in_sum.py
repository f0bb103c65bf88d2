import torch


def masked_softmax(scores, mask, dim=-1):
    top = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).amax(dim, keepdim=True).detach()
    e = (scores.masked_fill(~mask, 0) - top.clamp(min=-6e4)).masked_fill(~mask, -torch.inf).exp()
    return e / e.sum(dim, keepdim=True).clamp_min(1e-6)
