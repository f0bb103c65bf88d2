import torch


def counterexample():
    return torch.tensor([0.7, 0.3]), torch.tensor([[0.01], [5.0]])


def twins():
    v = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 1.0], [0.5, -1.0], [3.0, 0.0]])
    system = torch.cat([v.T, torch.ones(1, 5)])
    _, _, vh = torch.linalg.svd(system)
    direction = vh[-1]
    w = torch.full((5,), 0.2)
    step = 0.15 / direction.abs().max()
    return [w, w + step * direction, v]
