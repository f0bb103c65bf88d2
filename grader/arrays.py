"""Arrays of two kinds: numpy's, and torch's tensors. A course need not use torch, whose import takes seconds.

A process that is started for a course of `arrays: numpy` has WITHOUT_TORCH in its environment and never imports torch:
`torch` is None there, and no value is a `Tensor`.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

import numpy as np

from grader.closeness import EPSILON

WITHOUT_TORCH = "GRADER_WITHOUT_TORCH"

if TYPE_CHECKING or WITHOUT_TORCH not in os.environ:
    import torch as torch
    from torch import Tensor as Tensor
    from torch.nn import Module as Module
else:
    torch = None

    class Tensor:
        """A stand-in for torch.Tensor without torch: no value is one."""

    class Module:
        """A stand-in for torch.nn.Module without torch: no object is one."""


FLOATS = {"torch": ("float16", "bfloat16", "float32", "float64"), "numpy": ("float32", "float64")}
"""The dtypes that a check runs in unless told otherwise; numpy's linear algebra knows no float16."""
USUAL = {"torch": "float32", "numpy": "float64"}
OTHERS = {kind: tuple(name for name in names if name != USUAL[kind]) for kind, names in FLOATS.items()}
UNITS = {"W": 604800.0, "D": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
"""Of time, in seconds; moments and spans in others do not cross."""
MOST_KEPT = 1 << 14  # entries of a tensor whose values in float64 are kept
REAL = {"complex64": "float32", "complex128": "float64"}
Numpy: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
Array: TypeAlias = "Tensor | Numpy"


def is_array(value: Any) -> TypeGuard[Array]:
    """Return True for an array of numpy or a tensor of torch."""
    return isinstance(value, Tensor | np.ndarray)


def dtype(kind: str, name: str) -> Any:
    """Return the dtype of this name, of the library `kind`."""
    return getattr(torch, name) if kind == "torch" else np.dtype(name)


def dtype_name(array: Array) -> str:
    """Return the name of an array's dtype, such as `float32`."""
    return str(array.dtype).removeprefix("torch.")


def precision(array: Array) -> str:
    """Return the name of the dtype that holds the array's real numbers; float32 for whole numbers."""
    name = dtype_name(array)
    name = REAL.get(name, name)
    return name if name in EPSILON else "float32"


def is_real(array: Array) -> bool:
    """Return True if the dtype holds real numbers with a fraction."""
    return dtype_name(array) in EPSILON


def size(array: Array) -> int:
    """Return the number of entries."""
    return array.numel() if isinstance(array, Tensor) else array.size


def device(array: Array) -> str:
    """Return the device of an array: `cpu`, `cuda` or `meta`."""
    return array.device.type if isinstance(array, Tensor) else "cpu"


def turned(array: Array, order: Sequence[int]) -> Array:
    """Return the array with its axes in the given order."""
    return array.permute(*order) if isinstance(array, Tensor) else array.transpose(*order)


def holds_numbers(leaf: Any) -> bool:
    """Return True for an array, except one of texts or times."""
    return not isinstance(leaf, np.ndarray) or leaf.dtype.kind in "biufc"


def holds_texts(array: Array) -> bool:
    """Return True for an array of texts."""
    return isinstance(array, np.ndarray) and array.dtype.kind in "OU"


def rounds(leaf: Any) -> bool:
    """Return True if a tolerance makes sense for the value: not for texts, times and booleans."""
    return not isinstance(leaf, np.ndarray) or leaf.dtype.kind in "iufc"


def exact(array: Any) -> Numpy:
    """Return the values in float64 (complex ones in complex128) as a numpy array outside of any graph.

    A time becomes the seconds since 1970, a text a number that stands for it: equal texts become equal numbers.
    """
    if isinstance(array, Tensor):
        array = array.detach().cpu()
        array = array.to(torch.complex128).resolve_conj().numpy() if array.is_complex() else array.double().numpy()
    array = np.asarray(array)
    if array.dtype.kind in "mM":
        return np.where(np.isnat(array), -np.inf, array.view(np.int64) * UNITS[np.datetime_data(array.dtype)[0]])
    if array.dtype.kind in "OU":
        digits = {text: blake2b(str(text).encode("utf-8", "replace"), digest_size=6) for text in {*array.flat}}
        return np.array([float(int(digits[text].hexdigest(), 16)) for text in array.flat]).reshape(array.shape)
    found: Numpy = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64, copy=False)
    return found


def exact_again(array: Array) -> Numpy:
    """Return what `exact` does; of a small tensor, which is compared with many, it is kept for a while."""
    return _kept(array) if isinstance(array, Tensor) and array.numel() <= MOST_KEPT else exact(array)


@functools.lru_cache(512)
def _kept(tensor: Tensor) -> Numpy:
    return exact(tensor)


def as_exact(leaf: Any) -> Any:
    """Return an array, a real or a complex number as `exact` does; any other value unchanged."""
    if isinstance(leaf, np.generic) or (isinstance(leaf, np.ndarray) and not leaf.shape):
        leaf = leaf if leaf.dtype.kind in "mM" else leaf.item()  # as it crosses
    return exact(leaf) if is_array(leaf) or isinstance(leaf, float | complex) else leaf


def shown(array: Any) -> Numpy:
    """Return the values as a numpy array of the same dtype, or in float32 if numpy has no such dtype."""
    if isinstance(array, Tensor):
        array = array.detach().cpu()
        array = (array.float() if array.dtype == torch.bfloat16 else array.resolve_conj()).numpy()
    return np.asarray(array)


def minus(one: Any, other: Any) -> Numpy:
    """Return the difference of two arrays of `exact`; NaN without a warning where it is not defined."""
    with np.errstate(all="ignore"):
        found: Numpy = np.asarray(one - other)
        return found


def detached(value: Any) -> Any:
    """Return a tensor outside of any graph, so that it collects no gradient; any other value unchanged."""
    return value.detach() if isinstance(value, Tensor) else value


def widened(value: Any) -> Any:
    """Convert an array of real or complex numbers to float64 or complex128 on the CPU; other values stay unchanged."""
    if isinstance(value, Tensor):
        wide = value.detach().cpu()
        return wide.double() if wide.is_floating_point() else wide
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        return exact(value)
    return value


def equal(one: Array, other: Array) -> bool:
    """Return True if both arrays have one library, dtype, memory layout and values."""
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        alike = (one.dtype, one.shape, one.stride(), one.device) == (
            other.dtype, other.shape, other.stride(), other.device
        )  # fmt: skip
        return alike and torch.equal(one, other)
    if isinstance(one, Tensor) or isinstance(other, Tensor):
        return False
    alike = (one.dtype, one.shape, one.strides) == (other.dtype, other.shape, other.strides)
    return alike and bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fc"))


def window(array: Numpy, expansion: int) -> tuple[Numpy, list[int]]:
    """Return the entries that an array may address, in order and without gaps, and the strides into them, in entries.

    If the entries are reversed, lie far apart, or stand for more than `expansion` times as many, use those of a copy.
    """
    strides = [s // array.itemsize for s in array.strides]
    span = 1 + sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True))
    whole = all(s >= 0 and s % array.itemsize == 0 for s in array.strides) and array.size
    if not whole or span > 4 * array.size or array.size > expansion * span:
        array = np.ascontiguousarray(array)
        strides, span = [s // array.itemsize for s in array.strides], array.size
    return np.lib.stride_tricks.as_strided(array, (span,), (array.itemsize,)), strides


def storage(value: Tensor, expansion: int) -> tuple[Tensor, list[int]]:
    """Return the elements that `value` may address, in order, as a CPU tensor without gaps, and the strides into it."""
    resolved = type(value) is Tensor and value.is_cpu and not (value.is_conj() or value.is_neg())
    if resolved and value.is_contiguous():
        return value, list(value.stride())
    plain = value.detach().as_subclass(Tensor)
    if not plain.is_cpu or plain.is_conj() or plain.is_neg():
        plain = plain.cpu().resolve_conj().resolve_neg()
    numel, span = plain.numel(), 1
    for n, s in zip(plain.shape, plain.stride(), strict=True):
        span += (n - 1) * s
    if numel == 0 or span > 4 * numel or numel > expansion * span:
        plain, span = plain.contiguous(), numel
    return plain.as_strided((span,), (1,)), list(plain.stride())
