import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.double()
    y = h / (h * h + eps).mean(dim=-1, keepdim=True).sqrt()
    if weight is None:
        weight = torch.ones(x.shape[-1], dtype=x.dtype, device=x.device)
    return (y * weight).to(x.dtype)
