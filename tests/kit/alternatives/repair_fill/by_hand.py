import torch


def attention_with_mask(q, k, v, mask):
    s = (q / q.shape[-1] ** 0.25) @ (k / k.shape[-1] ** 0.25).transpose(-1, -2)
    top = s.masked_fill(~mask, torch.finfo(s.dtype).min).amax(-1, keepdim=True)
    e = (s - top).masked_fill(~mask, 0).exp() * mask
    total = e.sum(-1, keepdim=True)
    w = e / torch.where(total > 0, total, torch.ones_like(total))
    return w @ v, w
