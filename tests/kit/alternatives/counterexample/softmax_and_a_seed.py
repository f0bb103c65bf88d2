import torch


def counterexample():
    g = torch.Generator().manual_seed(3)
    w = torch.softmax(torch.tensor([3.0, 1.0, 1.0, 1.0]), -1)
    v = torch.randn(4, 8, generator=g) * 10
    v[0] *= 0.001
    return w, v
def twins():
    v = torch.eye(2).repeat(2, 1)
    a = torch.softmax(torch.tensor([1.0, 0.0, 0.0, 1.0]), 0)
    b = torch.softmax(torch.tensor([0.0, 1.0, 1.0, 0.0]), 0)
    return a, b, v
