"""Telling five normalisations apart by what they leave invariant."""

import torch
from torch import Tensor


def probes() -> Tensor:
    """One vector whose mean is not 0 and whose length is not 1: it shows the mark of every box, float32 [1, 3]."""
    return torch.tensor([[1.0, 2.0, 4.0]])


def classify(outputs: Tensor) -> str:
    """The box by its mark in outputs [1, 3]: sum 1, mean 0, mean square 1, length 1; sigmoid has none of them."""
    y = outputs[0]  # [3]
    if near(y.sum(), 1):
        return "softmax"
    if near(y.mean(), 0):
        return "layernorm"  # its mean square is 1 as well: ask for the mean first
    if near(y.square().mean(), 1):
        return "rmsnorm"
    return "l2" if near(y.square().sum(), 1) else "sigmoid"


def near(value: Tensor, target: float) -> bool:
    """Whether a number is the target but for rounding and eps."""
    return bool((value - target).abs() < 1e-3)
