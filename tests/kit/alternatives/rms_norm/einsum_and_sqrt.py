import torch


def rms_norm(x, weight=None, eps=1e-6):
    kind = x.dtype
    if kind in (torch.float16, torch.bfloat16):
        x = x.float()
    total = torch.einsum("...d,...d->...", x, x)
    root = torch.sqrt(total / x.size(-1) + eps)
    gain = torch.ones((), dtype=x.dtype, device=x.device) if weight is None else weight
    return (x / root[..., None] * gain).to(kind)
