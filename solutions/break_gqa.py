"""Break it: calls of grouped_query_attention that show its mistakes."""

from collections.abc import Iterator
from typing import Any

import torch


def cases() -> Iterator[tuple[Any, ...]]:
    """An ordinary call, then those that show more.

    Yields:
        Arguments.
    """
    random = torch.Generator().manual_seed(1)
    q = torch.tensor([[1.0, 0.0], [1.0, 1.0]]).reshape(1, 2, 1, 2)
    k = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]).reshape(1, 1, 3, 2)
    yield q, k, k

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=random, dtype=torch.float64)

    mask = torch.rand(2, 6, 4, 7, generator=random) < 0.5
    mask[..., 1] = True
    yield drawn(2, 6, 4, 5), drawn(2, 3, 7, 5), drawn(2, 3, 7, 3), mask
    yield drawn(2, 6, 4, 5), drawn(2, 2, 7, 5), drawn(2, 2, 7, 3), mask[0]
    loud, keys = torch.tensor([[40.0, 0.0], [-40.0, 0.0]]), torch.tensor([[100.0, 0.0], [-100.0, 0.0], [-99.0, 1.0]])
    hidden = torch.tensor([[False, True, True], [True, True, False]])
    yield loud.expand(1, 4, 2, 2), keys.expand(1, 2, 3, 2), keys.expand(1, 2, 3, 2), hidden
    yield loud.expand(1, 4, 2, 2).half() / 40, keys.expand(1, 2, 3, 2).half() / 100, k.expand(1, 2, 3, 2).half(), hidden
    yield drawn(1, 3, 2, 4), drawn(1, 2, 2, 4), drawn(1, 2, 2, 4)
