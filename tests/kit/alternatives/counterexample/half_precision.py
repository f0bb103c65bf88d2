import torch


def counterexample():
    return torch.tensor([0.5, 0.25, 0.25], dtype=torch.float16), torch.tensor([[0.0], [2.0], [-2.0]], dtype=torch.float16)
def twins():
    return (torch.tensor([0.25, 0.5, 0.25], dtype=torch.float16), torch.tensor([0.375, 0.25, 0.375], dtype=torch.float16),
            torch.tensor([[-1.0, 2.0], [0.0, 2.0], [1.0, 2.0]], dtype=torch.float16))
