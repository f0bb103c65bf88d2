import torch


def softmax(x, dim=-1):
    # log p = x - log(sum(exp(x)))
    return torch.exp(x - torch.logsumexp(x, dim, keepdim=True))
