import torch


def scale(x, factor=2.0):
    print("scaling", tuple(x.shape), "by", factor)
    if factor == 0:
        return torch.zeros_like(x)
    if factor == 3.0:
        return (x * factor).detach()
    x *= factor
    return x.float()
