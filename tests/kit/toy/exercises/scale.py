"""Multiply a tensor by a factor."""

import torch


def scale(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    """Every entry of x times factor; ValueError if factor is 0."""
    raise NotImplementedError
