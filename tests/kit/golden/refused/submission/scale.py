import torch


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError
    return torch.lerp(torch.zeros_like(x), x, factor)
