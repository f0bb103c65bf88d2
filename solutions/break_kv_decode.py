"""Break it: calls of kv_decode that show its mistakes."""

from collections.abc import Iterator
from typing import Any

import torch


def cases() -> Iterator[tuple[Any, ...]]:
    """An ordinary call, then those that show more.

    Yields:
        Arguments.
    """
    random = torch.Generator().manual_seed(1)
    x, e = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]), torch.eye(2)
    yield x, [e, e, e, e], 1, 1, [2, 1]

    def drawn(B: int, T: int, C: int, H: int, H_kv: int) -> tuple[torch.Tensor, list[torch.Tensor]]:
        widths = C, C // H * H_kv, C // H * H_kv, C
        W = [torch.randn(C, width, generator=random, dtype=torch.float64) / C**0.5 for width in widths]
        return torch.randn(B, T, C, generator=random, dtype=torch.float64), W

    yield *drawn(2, 6, 24, 6, 3), 6, 3, [3, 1, 2]
    x, W = drawn(1, 4, 8, 2, 1)
    yield x, W, 2, 1, [1, 3], 100.0
    yield x, W, 2, 1, [4, 1]
    yield x, W, 2, 1, [1, 2]
    yield x, W, 2, 1, [4, 0]
