import torch


def scale(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    if factor == 0:
        raise ValueError("a factor of zero")
    return x + factor
