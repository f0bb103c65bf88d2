"""Break it: calls of scaled_dot_product_attention that show its mistakes."""

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
    yield x, x, x
    q, k, v = (torch.randn(2, 3, *sizes, generator=random, dtype=torch.float64) for sizes in ((2, 5), (3, 5), (3, 4)))
    yield q, k, v, torch.tensor([[[[1, 0, 1], [1, 0, 0]]], [[[1, 1, 1], [0, 0, 1]]]]).bool()
    of_heads = torch.tensor([[[1, 0, 1], [1, 1, 1]], [[0, 1, 1], [1, 1, 0]], [[1, 1, 0], [0, 0, 1]]]).bool()
    yield q, k, v, of_heads
    loud, keys = torch.tensor([[40.0, 0.0], [-40.0, 0.0]]), torch.tensor([[100.0, 0.0], [-100.0, 0.0], [-99.0, 1.0]])
    yield loud[None], keys[None], x[None], torch.tensor([[False, True, True], [True, True, False]])
    yield q.half(), k.half(), v.half(), of_heads
