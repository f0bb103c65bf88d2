"""Checks that any function can be asked for, each written once. A suite takes one in a line, with its own examples:

    def examples(ask, make):
        ask.softmax(make.normal(5))
        ask.softmax(make.normal(2, 3, 5), dim=0)

    test_device = laws.device(0.5, examples)

`ask` is a probe: `ask.softmax(x)` calls the function and returns the student's result. Examples for a class call
`ask.made(8, 2, state=weights).Block(x)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader import arrays, trees
from grader.arrays import Array, Tensor, torch
from grader.course import LAW_TITLES
from grader.suites.api import Make, dtypes, essential, points
from grader.suites.probes import Probe
from grader.suites.tally import Tally

Examples = Callable[[Any, Make], object]
AtLength = Callable[[Any, Make, int], object]
LENGTHS = (15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 300, 600)
"""Lengths around the sizes that people write into their code for tiles and blocks, and beyond those for tables."""
FEW = 256
"""A table or buffer that ends before this length is of no use; one that ends later is a slip in a corner."""


def device(value: float, examples: Examples) -> Any:
    """Check that new tensors are made on the device of the inputs."""

    def check(notes_values: Any, stays_on_device: Any, make: Make) -> None:
        examples(stays_on_device, make)
        examples(notes_values, make)

    return _law(value, "device", check)


def inputs_unchanged(value: float, examples: Examples) -> Any:
    """Check that tensors, lists and dicts that are passed in, weights and the names in a state_dict stay as they were.

    The check runs in all usual dtypes.
    """

    def check(notes_values: Any, does_not_mutate: Any, make: Make) -> None:
        examples(does_not_mutate, make)
        for name in arrays.FLOATS[make.kind]:
            examples(does_not_mutate.inputs_only, make.of(name))
        examples(notes_values, make)

    return _law(value, "inputs_unchanged", check)


def memory_layout(value: float, examples: Examples, *layouts: Callable[[Any], Array]) -> Any:
    """Check inputs that are laid out in memory in other ways: in all those defined below, unless some are named."""

    def check(keeps_layout: Any, make: Make) -> None:
        for laid_out in layouts or (transposed, sliced, expanded):
            examples(_Mapped(keeps_layout, laid_out), make)

    return _law(value, "memory_layout", check)


def every_dtype(value: float, examples: Examples, *changes: Callable[[Any], Array]) -> Any:
    """Check the result in each usual float dtype, up to rounding; also with changed inputs, such as `laws.quiet`."""

    def check(matches_reference: Any, make: Make) -> None:
        for name in arrays.FLOATS[make.kind]:
            examples(matches_reference, make.of(name))
            for changed in changes:
                examples(_Mapped(matches_reference, changed), make.of(name))

    return _law(value, "every_dtype", check)


def gradient(value: float, examples: Examples, *names: str) -> Any:
    """Check the gradients of all float inputs, in float32 and float64 unless other dtypes are named.

    The check is essential where a function never gives a gradient.
    """

    def check(matches_gradients: Any, make: Make, dtype: Any) -> None:
        differentiable(matches_gradients, make, examples)

    return dtypes(*(names or ("float32", "float64")))(_law(value, "gradient", check))


def differentiable(matches_gradients: Any, make: Make, examples: Examples) -> None:
    """Ask what the law of gradients asks, in a check with a title of its own."""
    tally = Tally()
    examples(matches_gradients.counted_by(tally), make)
    tally.end(useless=tally.nothing_came)


def remembers_nothing(value: float, examples: Examples) -> Any:
    """Check that no state is kept: make all calls in a row, then in reverse, with two objects side by side."""

    def check(remembers_nothing: Any, make: Make) -> None:
        examples(remembers_nothing, make)
        examples(remembers_nothing, make)  # the same shapes with other values
        remembers_nothing.in_any_order()

    return _law(value, "remembers_nothing", check)


def keywords(value: float, examples: Examples) -> Any:
    """Check that the parameters have the names that the stub gives them."""

    def check(keeps_names: Any, make: Make) -> None:
        examples(keeps_names, make)

    return _law(value, "keywords", check)


def train_and_eval(value: float, examples: Examples) -> Any:
    """Check a module in training mode, then in evaluation mode. This is essential: it is trained before it is used."""

    def check(keeps_mode: Any, make: Make) -> None:
        examples(keeps_mode, make)

    return essential(_law(value, "train_and_eval", check))


def lengths(value: float, example: AtLength, *sizes: int) -> Any:
    """Check `example(ask, make, n)` for each n around the sizes of tiles and blocks.

    The check is essential where most lengths fail, or all from a certain one on, as with a table that ends.
    """
    tried = (*sizes, *LENGTHS[-2:]) if sizes else LENGTHS

    def check(matches_reference: Any, make: Make) -> None:
        tally, lost = Tally(), dict[int, int]()
        for n in tried:
            before = len(tally.failed)
            example(matches_reference.counted_by(tally), make, n)
            if tally.failed[before:]:
                lost[n] = max(n, tally.failed[before].longest)
            if lost and n == tried[0] and matches_reference.wrong_before:
                tally.end(useless=False)  # wrong at any length, and charged where values are checked
        tally.end(useless=_most(lost, tried))

    return _law(value, "lengths", check)


def _most(lost: Mapping[int, int], tried: Sequence[int]) -> bool:
    """Return whether most lengths are lost, or all from one on; `lost` has the longest axis of the call for each."""
    all_from_one_on = sorted(lost) == sorted(tried)[-len(lost) :]
    return bool(lost) and min(lost.values()) <= FEW and (2 * len(lost) > len(tried) or all_from_one_on)


def refuses_when_made(value: float, examples: Examples) -> Any:
    """Check that wrong sizes are refused when an object is made: `ask.made(7, 2).turns.Block()` makes one, no more."""

    def check(raises_value_error: Any, make: Make) -> None:
        examples(raises_value_error, make)

    return _law(value, "refuses_when_made", check)


def transposed(t: Any) -> Array:
    """Return the same values with the last two axes exchanged in memory."""
    if isinstance(t, np.ndarray):
        return np.ascontiguousarray(t.swapaxes(-2, -1)).swapaxes(-2, -1) if t.ndim > 1 else sliced(t)
    return t.transpose(-2, -1).contiguous().transpose(-2, -1) if t.dim() > 1 else sliced(t)


def sliced(t: Any) -> Array:
    """Return the same values as every second entry of a larger array, not at its start."""
    if isinstance(t, np.ndarray):
        return np.repeat(t, 2, axis=-1)[..., 1::2] if t.ndim else t
    wide = torch.zeros(*t.shape[:-1], 2 * t.shape[-1] + 1, dtype=t.dtype) if t.dim() else torch.zeros(2, dtype=t.dtype)
    part: Tensor = wide[..., 1::2] if t.dim() else wide[1]
    found: Tensor = part.copy_(t) if t.dim() else part.fill_(t.item())
    return found


def expanded(t: Any) -> Array:
    """Return the first row in the place of all rows, which share its memory; the values are others than before."""
    if isinstance(t, np.ndarray):
        return np.broadcast_to(t[:1], t.shape) if t.ndim and len(t) else t
    found: Tensor = t[:1].expand(t.shape) if t.dim() and len(t) else t
    return found


def quiet(t: Any) -> Array:
    """Return small numbers of one sign: no large sums cancel, so that little is lost to rounding."""
    found: Array = abs(t) / 8 if arrays.is_real(t) else t
    return found


def _law(value: float, name: str, check: Callable[..., None]) -> Any:
    title = LAW_TITLES[name]
    check.__doc__, check.__name__ = title.key, name
    return points(value)(check)


class _Mapped:
    """A probe that changes every array among the arguments of its calls."""

    def __init__(self, probe: Probe, change: Callable[[Any], Array]) -> None:
        self._probe, self._change = probe, change

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._probe, name)
        if isinstance(found, Probe):  # .turns
            return _Mapped(found, self._change)
        if name in ("made", "of", "wrt"):
            return lambda *args, **kwargs: _Mapped(found(*args, **kwargs), self._change)
        return lambda *args, **kwargs: found(*self._changed(args), **self._changed(kwargs))

    def _changed(self, values: Any) -> Any:
        return trees.mapped(lambda leaf: self._change(leaf) if arrays.is_array(leaf) else leaf, values)
