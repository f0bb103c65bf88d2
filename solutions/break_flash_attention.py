"""Break it: calls of flash_attention that show its mistakes."""

from collections.abc import Iterator
from typing import Any

import torch


def cases() -> Iterator[tuple[Any, ...]]:
    """An ordinary call, then those that show more.

    Yields:
        Arguments.
    """
    random = torch.Generator().manual_seed(1)
    x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    yield x, x, x, 2

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=random, dtype=torch.float64)

    yield drawn(2, 1, 3, 5), drawn(2, 1, 7, 5), drawn(2, 1, 7, 4), 3, True
    keys = torch.tensor([[-100.0, 0.0], [-99.0, 0.0], [-98.0, 0.0], [-95.0, 1.0], [-98.0, 0.0]])
    yield torch.tensor([[40.0, 0.0], [-40.0, 0.0]]), keys, keys, 2
    yield drawn(3, 4), drawn(3, 4), drawn(3, 2), 2, True
    yield drawn(4, 4), drawn(3, 4), drawn(3, 2), 2, True
    yield drawn(4, 4), drawn(3, 4), drawn(3, 2), 2
    yield x, x, x, -1
    yield x.half(), x.half(), x.half(), 2, True
