"""Finds how a long array was made: all entries alike, counted, or drawn with a usual seed."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from grader.arrays import Numpy

SHORT = 12
"""Entries of an array that is written out in any case."""
SEEDS = (*range(101), 123, 1234, 12345, *range(2020, 2031))
STREAM = 4_000  # numbers that are drawn of a seed to find an array among them
DRAWS = [(maker, draw) for maker in ("default_rng", "RandomState") for draw in ("standard_normal", "random")]


def of_array(array: Numpy) -> str:
    """Return an expression that makes it; "" for a short one, or if none is found."""
    if not array.size and array.dtype.kind in "biufc":
        return f"np.zeros({array.shape}, dtype={array.dtype.name!r})"
    if array.size <= SHORT or array.dtype.kind not in "iuf":
        return ""
    dtype, shape = f", dtype={array.dtype.name!r}", f".reshape{array.shape}" if array.ndim > 1 else ""
    if (array == array.flat[0]).all():
        return f"np.full({array.shape}, {array.flat[0].item()!r}{dtype})"
    if np.array_equal(array.ravel(), np.arange(array.size).astype(array.dtype)):
        return f"np.arange({array.size}{dtype}){shape}"
    entries = array.ravel()
    for maker, draw in DRAWS if array.dtype == np.float64 else ():
        for seed in SEEDS:
            for start in np.flatnonzero(_drawn(maker, draw, seed, STREAM) == entries[0]).tolist():
                end = start + len(entries)
                if np.array_equal(_drawn(maker, draw, seed, end)[start:], entries):
                    return f"np.random.{maker}({seed}).{draw}({end}){f'[{start}:]' if start else ''}{shape}"
    return ""


@functools.lru_cache(1000)
def _drawn(maker: str, draw: str, seed: int, count: int) -> Numpy:
    found: Numpy = getattr(getattr(np.random, maker)(seed), draw)(count)
    return found


def of_tensor(torch: Any, tensor: Any) -> str:
    """Return the same for a tensor: the first that is drawn from a seed."""
    if not tensor.numel():
        return f"torch.zeros({(*tensor.shape,)}, dtype={tensor.dtype})"
    if tensor.numel() > SHORT and tensor.dtype == torch.float32 and tensor.is_cpu:
        for seed, draw in ((seed, draw) for seed in SEEDS for draw in ("randn", "rand")):
            if torch.equal(getattr(torch, draw)(tensor.shape, generator=torch.Generator().manual_seed(seed)), tensor):
                return f"torch.{draw}({(*tensor.shape,)}, generator=torch.Generator().manual_seed({seed}))"
    return ""
