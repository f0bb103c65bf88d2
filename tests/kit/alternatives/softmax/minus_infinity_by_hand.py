import torch


def softmax(x, dim=-1):
    hidden = x == float("-inf")
    lowest = torch.finfo(x.dtype).min
    x = torch.where(hidden, torch.full_like(x, lowest), x)
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    e = torch.where(hidden, torch.zeros_like(e), e)
    return e / e.sum(dim=dim, keepdim=True)
