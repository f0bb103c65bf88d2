import torch


def rms_norm(x, weight=None, eps=1e-6):
    """In the dtype of x: divided by a power of two near the largest entry, nothing overflows."""
    top = x.detach().abs().amax(-1, keepdim=True).float().clamp(min=1.0)
    power = torch.exp2(torch.floor(torch.log2(top)))
    small = x / power.to(x.dtype)
    mean = (small * small).float().mean(-1, keepdim=True)
    y = small * torch.rsqrt(mean + eps / power**2).to(x.dtype)
    return y if weight is None else (y * weight).to(x.dtype)
