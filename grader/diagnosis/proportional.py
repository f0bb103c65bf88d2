"""Names a mistake that is too small to tell from rounding by value, by the direction in which all results deviate.

A number added where none belongs leaves a deviation of one shape whatever its size: the student's results differ from
the exact ones by some factor times the variant's difference, in every entry of every call.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grader import arrays
from grader.arrays import Numpy
from grader.closeness import ALMOST_ZERO, EPSILON, NOISE_UNITS, PROPORTIONAL, WRITTEN, largest
from grader.pytree import leaves
from grader.suites import Call, LocalTarget, Outcome, upcast

ENTRIES = 3  # that stand out of the noise; through fewer, some factor always fits

Asked = tuple[Call, Outcome]


@dataclasses.dataclass(frozen=True)
class Deviation:
    """The difference of one result of a call from the value in float64, and how much of it may be rounding."""

    exact: Call
    index: int
    value: Numpy
    student: Numpy
    noise: Numpy


def deviations(asked: Sequence[Asked], reference: Mapping[str, Callable[..., Any]]) -> list[Deviation]:
    """Return how all results deviate from the reference, the largest first; none if too little exceeds the noise."""
    right = LocalTarget(reference)
    found = [d for call, outcome in asked for d in _of_call(call, outcome, right)]
    if _clear(found) < ENTRIES:
        return []
    return sorted(found, key=lambda d: -float((np.abs(d.student) / d.noise).max(initial=0.0)))


def _clear(found: Sequence[Deviation]) -> int:
    """Return how many entries deviate by more than the noise."""
    return sum(int((np.abs(d.student) > d.noise).sum()) for d in found)


def _of_call(call: Call, outcome: Outcome, right: LocalTarget) -> Iterator[Deviation]:
    if call.contract or call.made or call.picks or outcome.value is None:
        return
    exact = Call(call.function, upcast(call.args), upcast(dict(call.kwargs)))
    for index, (student, value) in enumerate(zip(leaves(outcome.value), leaves(right.call(exact).value), strict=False)):
        if not (arrays.is_array(student) and arrays.is_array(value) and student.shape == value.shape):
            continue
        dtype, due = arrays.dtype_name(student), arrays.exact(value)
        if dtype in ("float32", "float64"):
            noise = np.full(due.shape, NOISE_UNITS * EPSILON[dtype] * largest(due) + ALMOST_ZERO)
            yield Deviation(exact, index, due, _off(arrays.exact(student), due), noise)


def _off(actual: Numpy, due: Numpy) -> Numpy:
    """Return how far each entry is off; 0 for an expected infinity."""
    found: Numpy = np.where(actual == due, 0.0, arrays.minus(actual, due))
    return found


@np.errstate(all="ignore")
def proportional(seen: Sequence[Deviation], variant: Mapping[str, Callable[..., Any]]) -> bool:
    """Return True if the results deviate from the reference as the variant does, up to one positive factor."""
    mine = [d for d in seen if d.exact.function in variant]
    if _clear(mine) < ENTRIES:
        return False
    triples = []
    answers: dict[int, Outcome] = {}
    low, high = 0.0, np.inf  # between which the factor lies: most variants are out after a call or two
    for deviation in mine:
        for triple in _beside(deviation, LocalTarget(variant), answers):
            triples.append(triple)
            low, high = _narrowed(low, high, *triple)
        if not low <= high * (1 + WRITTEN):
            return False
    if not triples:
        return False
    student, other, noise = (np.concatenate(parts) for parts in zip(*triples, strict=True))
    clear = np.abs(student) > noise
    shown, expected = (student / noise)[clear], (other / noise)[clear]
    strength = float(np.square(expected).sum())
    if int(clear.sum()) < ENTRIES or strength == 0.0:
        return False
    factor = float((shown * expected).sum()) / strength
    return factor > 0.0 and bool((np.abs(student - factor * other) <= noise + PROPORTIONAL * np.abs(student)).all())


def _narrowed(low: float, high: float, student: Numpy, other: Numpy, noise: Numpy) -> tuple[float, float]:
    """Return the range of the factors that also fit here; NaN if none does."""
    if not all(np.isfinite(part).all() for part in (student, other, noise)):
        return np.nan, np.nan
    allowed, still = noise + PROPORTIONAL * np.abs(student), other == 0.0
    if (np.abs(student) > allowed)[still].any():
        return np.nan, np.nan
    one, another = ((student + sign * allowed)[~still] / other[~still] for sign in (-1.0, 1.0))
    least, most = np.minimum(one, another), np.maximum(one, another)
    return float(least.max(initial=low)), float(most.min(initial=high))


def _beside(seen: Deviation, wrong: LocalTarget, answers: dict[int, Outcome]) -> Iterator[tuple[Numpy, Numpy, Numpy]]:
    """Yield the student's deviation, the variant's, and the possible rounding, wherever the variant has such a result.

    answers: answers of the variant that are known already.
    """
    if id(seen.exact) not in answers:
        answers[id(seen.exact)] = wrong.call(seen.exact)
    results = leaves(answers[id(seen.exact)].value)
    other = results[seen.index] if seen.index < len(results) else None
    if arrays.is_array(other) and other.shape == seen.value.shape:
        yield seen.student.ravel(), _off(arrays.exact(other), seen.value).ravel(), seen.noise.ravel()
