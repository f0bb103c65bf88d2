"""An exercise about which much can be asked: its suite, a right solution, its entry in the toy course."""

from __future__ import annotations

SPREAD = '''"""Hidden suite for spread."""

from grader.suites import error_bound, misconception, points


@error_bound("spread")
def spread_bound(x, dim=-1):
    return 8 * x.abs().amax() + 8


@points(2)
def test_values(matches_reference, make):
    """Each row is divided by the root of its sum of squares."""
    for shape in ((2,), (3,), (2, 3), (3, 2), (2, 2), (4, 5, 6)):
        matches_reference.spread(make.normal(*shape))
        for dim in range(len(shape)):
            matches_reference.spread(make.normal(*shape), dim=dim)


@points(1)
def test_large(matches_reference, make):
    """Large entries do not overflow."""
    matches_reference.spread(make.tensor([1e25, -1e25]))
    matches_reference.spread(make.tensor([[1e25, 2e25], [0.0, 3e25]]))


@misconception("spread")
def not_squared(x, dim=-1):
    """The entries are added as they are."""
    return x / x.sum(dim, keepdim=True)


@misconception("spread")
def last_only(x, dim=-1):
    """The last dimension is taken whatever dim says."""
    return x / x.norm(dim=-1, keepdim=True)


@misconception("spread")
def first_only(x, dim=-1):
    """The first dimension is taken whatever dim says."""
    return x / x.norm(dim=0, keepdim=True)


@misconception("spread")
def halved(x, dim=-1):
    """The result is halved."""
    return x / x.norm(dim=dim, keepdim=True) / 2
'''
RIGHT = '''"""Divide each row by its length."""

import torch


def spread(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    top = x.abs().amax(dim, keepdim=True)  # so that no square overflows
    small = x / top
    squares = small * small
    length = squares.sum(dim, keepdim=True).sqrt()
    return small / length
'''
ENTRY = """      - id: spread
        title: Spread
        points: 3
        functions: [spread]
        forbid: [torch.nn.functional.normalize]
"""
