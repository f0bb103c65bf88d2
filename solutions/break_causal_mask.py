"""Break it: calls of causal_mask that show its mistakes."""

from collections.abc import Iterator
from typing import Any


def cases() -> Iterator[tuple[Any, ...]]:
    """An ordinary call, then those that show more.

    Yields:
        Arguments.
    """
    yield (3,)
    yield 2, 5
    yield 4, 4
    yield 2, 3001
    yield 2, 1
    yield 3, 0
    yield (0,)
