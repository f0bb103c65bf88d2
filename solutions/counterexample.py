"""Weights are not an explanation: two constructions; Jain and Wallace 2019."""

import torch
from torch import Tensor


def counterexample() -> tuple[Tensor, Tensor]:
    """The third token has most of the weight and a value of zero, so it contributes nothing.

    Returns:
        weights [3], values [3, 2].
    """
    weights = torch.tensor([0.25, 0.25, 0.5])
    values = torch.tensor([[1.0, 0.0], [-1.0, 0.5], [0.0, 0.0]])
    return weights, values


def twins() -> tuple[Tensor, Tensor, Tensor]:
    """The first and third value are equal, so their weights can be swapped.

    Returns:
        w [3], w2 [3], values [3, 2].
    """
    w = torch.tensor([0.2, 0.2, 0.6])
    values = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    return w, w.flip(0), values
