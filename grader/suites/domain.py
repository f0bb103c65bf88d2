"""The domain of a suite's functions, which laws draw their calls from: the dtypes, lengths and memory layouts."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import itertools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from grader import arrays, pytree
from grader.arrays import Array, Tensor, torch
from grader.suites import regions
from grader.suites.api import Make
from grader.suites.probes import Probe
from grader.suites.reference import Reference
from grader.suites.tally import Again, Cheap, Tally
from grader.suites.target import Call

Examples = Callable[[Any, Make], object]
AtLength = Callable[[Any, Make, int], object]
LOW = ("float16", "bfloat16")
LONG = (520, 260)
"""Lengths beyond the sizes that people write into their code for tables and buffers, the better one first."""
PLAIN = {"matches_reference", "notes_values", "student", "make", "reference", "dtype"}
"""What a check takes whose calls can be collected."""
ENTRIES = 280_000
"""The largest tensor that the reference may make in a call at such a length: all pairs at the better one."""


@dataclasses.dataclass(frozen=True)
class Domain:
    """The inputs that the checks of a suite promise beside the examples of a law.

    dtypes: those in which some check is made, beside the usual one. at_length: the calls of `laws.lengths`.
    values: the checks that make plain calls, see `regions`.
    """

    dtypes: Sequence[str] = ()
    at_length: AtLength = lambda ask, make, n: None
    values: tuple[Callable[..., object], ...] = ()

    @property
    def low(self) -> Sequence[str]:
        """The dtypes of low precision among them."""
        return [name for name in self.dtypes if name in LOW]


@functools.cache
def of_suite(module: ModuleType, kind: str) -> Domain:
    """Return the domain that the checks of a suite span."""
    checks = [check for name, check in vars(module).items() if name.startswith("test") and callable(check)]
    lengths = [check.__at_length__ for check in checks if hasattr(check, "__at_length__")]
    asked = {name for check in checks for name in _dtypes(check, kind)}
    own = [check for check in checks if check.__module__ == module.__name__ and {*_parameters(check)} <= PLAIN]
    values = tuple(c for c in own if "dtype" not in _parameters(c) or arrays.USUAL[kind] in _dtypes(c, kind))
    found = Domain([name for name in arrays.OTHERS[kind] if name in asked], values=values)
    return dataclasses.replace(found, at_length=lengths[0]) if lengths else found


def _parameters(check: Callable[..., object]) -> Sequence[str]:
    return list(inspect.signature(check).parameters)


def _dtypes(check: Callable[..., object], kind: str) -> Sequence[str]:
    """Return the dtypes that a check is made in."""
    named = [mark.args for mark in getattr(check, "pytestmark", ()) if mark.name == "dtypes"]
    every = hasattr(check, "__every_dtype__") or "dtype" in _parameters(check)
    return named[0] if named else arrays.FLOATS[kind] if every else ()


def in_other_regions(
    domain: Domain, probe: Any, tally: Tally, make: Make, most: int = regions.MOST_CALLS, of_gradients: bool = False
) -> None:
    """Make some calls of the checks of values, `most` of each function, in regions where no example lies.

    of_gradients: ask only whether there are any. A wrong function may have a pole there, a drawn mask may hide a row.
    """

    def choose(key: Reference, device: str) -> list[Call]:
        reached = regions.of_checks(domain.values, key, device, make.kind, make.dtype)
        return regions.beyond(reached, key, list(tally.calls), most, finite=of_gradients)

    for call in probe.chosen(choose):
        asked = tally.probes[call.function].beside
        tally.ask(asked.flows() if of_gradients else asked, call)


def in_other_dtypes(names: Sequence[str], examples: Examples, probe: Any, tally: Tally, make: Make) -> None:
    """Make a call of each function in these dtypes, each in a memory layout of its own."""
    again = [Again(tally, turn) for turn in range(len(names))]
    for name, more, laid_out in zip(names, again, (transposed, sliced, as_it_is), strict=False):
        examples(Mapped(probe.beside.counted_by(more), laid_out), make.of(name))


def at_a_length(domain: Domain, probe: Any, tally: Tally, make: Make) -> None:
    """Make each call at a length beyond most tables: the longest that is cheap in the reference.

    Each input of a function is long in some of them.
    """
    ways, made = {(call.function, call.turns) for call in tally.calls}, set[int]()
    for n in LONG:
        found = Cheap(ENTRIES)
        domain.at_length(probe.counted_by(found), make, n)
        for number, call in enumerate(found.calls):
            if call and number not in made and (call.function, call.turns) in ways:
                tally.ask(tally.probes[call.function].beside, call)
                made.add(number)
        if len(made) == len(found.calls):
            break


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


def as_it_is(t: Array) -> Array:
    """Return the array itself."""
    return t


class Mapped:
    """A probe that changes every array among the arguments of its calls; of several changes, call by call the next."""

    def __init__(self, probe: Probe, *changes: Callable[[Any], Array]) -> None:
        self._probe, self._changes = probe, itertools.cycle(changes)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._probe, name)
        if isinstance(found, Probe):  # .turns
            return self._with(found)
        if name in ("made", "of", "wrt", "counted_by"):
            return lambda *args, **kwargs: self._with(found(*args, **kwargs))
        return functools.partial(self._asked, found)

    def _with(self, probe: Probe) -> Mapped:
        other = Mapped(probe)
        other._changes = self._changes
        return other

    def _asked(self, asked: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        change = next(self._changes)
        args, kwargs = pytree.mapped(lambda leaf: change(leaf) if arrays.is_array(leaf) else leaf, (args, kwargs))
        return asked(*args, **kwargs)


def quiet(t: Any) -> Array:
    """Return small numbers of one sign: no large sums cancel, so that little is lost to rounding."""
    found: Array = abs(t) / 8 if arrays.is_real(t) else t
    return found
