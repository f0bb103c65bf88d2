import torch


def counterexample():
    n = 4
    w = torch.full((n,), 0.2, dtype=torch.float16)
    w[-1] = 0.4
    v = torch.eye(n, dtype=torch.float16)
    v[-1] *= 1e-3
    return w, v


def twins():
    v = torch.arange(3.0)[:, None]
    return torch.tensor([0.25, 0.5, 0.25]), torch.tensor([0.4, 0.2, 0.4]), v
