import torch


def rms_norm(x, weight=None, eps=1e-6):
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    h = x.to(wide)
    y = (h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)).to(x.dtype)
    return y if weight is None else y * weight.to(x.dtype)
