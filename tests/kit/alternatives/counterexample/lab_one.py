import torch


def counterexample():
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    w = (x @ x.T / 2**0.5).softmax(-1)[2]
    return w, x @ torch.tensor([[1.0, 0.0], [-1.0, 0.0]])


def twins():
    v = torch.tensor([[1.0, 0], [0, 0], [1, 0]], dtype=torch.float64)
    w = torch.tensor([0.1, 0.3, 0.6], dtype=torch.float64)
    return w, w[[2, 1, 0]], v
