"""One operation of a call as a step of it, and whether two steps have the same value."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator, Sequence

from grader import arrays
from grader.arrays import Tensor, torch
from grader.closeness import LEAST, VISIBLE, VISIBLE_HALF, close
from grader.diagnosis.replaying import ITEMSIZE
from grader.sandbox.worker.recording import BACKWARD, MOST_ENTRIES, MOST_LETTERS
from grader.suites import Outcome
from grader.texts import one_line

MOST_STEPS = 64  # of a call; one with more is a loop, in which one line is many steps
MOST_AXES = 5  # of a value that may stand with its axes in another order


@dataclasses.dataclass(frozen=True, eq=False)
class Step:
    """One operation: its result, the line that asked for it, the line that led there, its input steps and its name."""

    line: int
    caller: int
    value: Tensor
    takes: Sequence[int] = ()
    operation: str = ""

    @functools.cached_property
    def entries(self) -> Tensor:
        """Return the entries in float64, flattened; none if the value is unknown or complex."""
        left_out = self.value.is_meta or self.value.is_complex()
        return (torch.empty(0) if left_out else self.value).double().flatten()

    @functools.cached_property
    def sums(self) -> tuple[int, int, float]:
        """Return the number of entries, the number of finite ones, and the sum of their absolute values."""
        finite = self.entries[self.entries.isfinite()]
        return self.entries.numel(), finite.numel(), float(finite.abs().sum())


def claimed(came: Outcome, most: int = MOST_STEPS) -> list[Step]:
    """Return the computed steps that a worker claims; none if the claim is impossible or too large to tell apart."""
    found: list[Step] = []
    for record in came.recorded[: most + 1]:
        match record:
            case [int(line), int(caller), Tensor() as value, [*takes], str(operation)] if (
                value.is_meta or value.numel() <= MOST_ENTRIES
            ) and all(type(n) is int and BACKWARD <= n < len(found) for n in takes):
                found.append(Step(line, caller, value, takes, one_line(operation, MOST_LETTERS)))
            case _:
                return []
    return found if len(found) <= most else []


def same(one: Step, other: Step) -> bool:
    """Return True if two values are equal up to rounding and the order of their axes."""
    (*counts, ours), (*theirs, due) = one.sums, other.sums
    short = one.value.is_floating_point() and max(one.value.itemsize, other.value.itemsize) < ITEMSIZE["float32"]
    most = VISIBLE_HALF if short else VISIBLE
    if counts != theirs or not counts[0] or abs(ours - due) > most * max(due, LEAST):
        return False
    if one.value.is_floating_point() != other.value.is_floating_point():
        return False
    if one.value.itemsize < min(other.value.itemsize, ITEMSIZE["float32"]):
        return False  # rounded in a shorter dtype on the way
    return any(near(value.flatten(), other.entries, most) for value in turned(one.value, other.value.shape))


def placed(step: Step, own: Step) -> Tensor | None:
    """Return the value in the form that fits there, if it can; no whole numbers, which may decide how much is
    allocated.
    """
    value, due = step.value, own.value
    if value.is_meta or due.is_meta or value.is_floating_point() != due.is_floating_point():
        return None
    if not value.is_floating_point() and {value.dtype, due.dtype} != {torch.bool}:
        return None
    fitting = next(turned(step.value, own.value.shape), None)
    return None if fitting is None else fitting.to(own.value.dtype)


def turned(value: Tensor, shape: torch.Size) -> Iterator[Tensor]:
    """Yield the value in this shape: as it is, with axes of size 1 removed or added, or with its axes reordered."""
    if [n for n in value.shape if n != 1] == [n for n in shape if n != 1]:
        yield value.reshape(shape)
    elif value.ndim == len(shape) <= MOST_AXES and sorted(value.shape) == sorted(shape):
        for order in itertools.permutations(range(value.ndim)):
            if tuple(value.shape[axis] for axis in order) == tuple(shape):
                yield value.permute(order)


def near(one: Tensor, other: Tensor, share: float = VISIBLE) -> bool:
    """Return True if the entries are equal up to rounding, with infinities and NaN in the same places."""
    return close(arrays.exact(one), arrays.exact(other), share)
