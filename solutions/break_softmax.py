"""Break it: calls of softmax that show its mistakes."""

import math
from collections.abc import Iterator
from typing import Any

import torch


def cases() -> Iterator[tuple[Any, ...]]:
    """An ordinary call, then those that show more.

    Yields:
        Arguments.
    """
    random = torch.Generator().manual_seed(1)
    yield (torch.tensor([2.5, 1.3, 3.7, 0.8]),)
    yield torch.randn(2, 3, 1, 4, generator=random, dtype=torch.float64), 1
    yield torch.randn(3, 3, generator=random), 0
    yield (torch.tensor([[1000.0, 0.0, -1000.0, 1001.0], [-1000.0, -1001.0, -1002.0, -math.inf]]),)
    yield (torch.tensor([-1e4, -math.inf, -1e4]),)
