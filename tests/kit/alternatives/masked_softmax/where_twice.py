import torch


def masked_softmax(scores, mask, dim=-1):
    # nothing infinite anywhere: hidden scores are replaced before and after
    m = torch.where(mask, scores, torch.finfo(scores.dtype).min).amax(dim, keepdim=True)
    shifted = torch.where(mask, scores - m, 0)
    e = torch.where(mask, shifted.exp(), 0)
    total = e.sum(dim, keepdim=True)
    return e / torch.where(total == 0, 1, total)
