import torch


def softmax(x, dim=-1):
    z = x.to(torch.float64)
    z = torch.sub(z, torch.amax(z, dim, keepdim=True))
    return (z - z.exp().sum(dim, keepdim=True).log()).exp().to(dtype=x.dtype, device=x.device)
