import torch


def softmax(x, dim=-1):
    e = torch.exp(x - torch.max(x, dim=dim, keepdim=True).values)
    return torch.div(e, torch.sum(e, dim=dim, keepdim=True))
