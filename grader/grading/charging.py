"""Decides which points count: promises only if the code does the exercise, a recognised mistake once, practical use.

Assessors call this "error carried forward": what follows from one slip is not charged again. See docs/assessment.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from grader import arrays, pytree
from grader.arrays import Tensor
from grader.course import rounded, shared_out, total
from grader.report import Diagnosis, in_parts
from grader.suites import Call, CheckResult, Outcome
from grader.texts import translated

ONCE = 0.4  # of an exercise's points: what one mistake costs at most
OF_NO_USE = 1 / 3  # of an exercise's points: what code costs at least that nobody could use
ENOUGH = 0.5  # of the points for values, or of what fails: what shows that the code does the exercise
SEEN_ONLY = {
    f"general/{name}" for name in ("random", "nearly", "constant", "given_back", "no_difference", "other_order")
}
"""What is only seen of results, and explains nothing."""
NOT_REACHED = translated("This counts once the results are right, or wrong by a known mistake only.")

USELESS = translated(
    "{reason}. Without this the function is of no use in practice, so it costs a third of the points; as this check is "
    "worth less, the others count for less"
)


def counted(
    results: Sequence[CheckResult], diagnoses: Sequence[Diagnosis], most: float, once: bool, as_given: bool = False
) -> list[CheckResult]:
    """Return the results with the points that count of the exercise's `most`.

    once: a mistake costs its share at most. as_given: the code behaves as when it was given out to be repaired.
    """
    named = [d for d in diagnoses if d.misconception not in SEEN_ONLY]
    if as_given or not does_the_exercise(results, named):
        missed = {"verdict": "failed", "points": 0.0, "reason": NOT_REACHED}
        by_chance = not _half_right(results) and _computes_nothing(results)
        lost = [r.wrong_values or (by_chance and r.verdict == "passed") for r in results]
        counts = [msgspec.structs.replace(r, **missed) if n else r for r, n in zip(results, lost, strict=True)]
        return _of_use(counts)
    return _of_use(_once(results, named, most) if once else list(results))


def does_the_exercise(results: Sequence[CheckResult], named: Sequence[Diagnosis]) -> bool:
    """Return True if known mistakes are behind half of the failures, or half of the values are right."""
    failed = [r for r in results if r.failed]
    if _does_nothing(failed):
        return False
    known = {check for d in named for check in d.checks}
    explained = total(r.max_points for r in failed if r.id in known)
    return explained >= ENOUGH * total(r.max_points for r in failed) or _half_right(results)


def _half_right(results: Sequence[CheckResult]) -> bool:
    of_values = [r for r in results if not r.wrong_values]
    return total(r.points for r in of_values) >= ENOUGH * total(r.max_points for r in of_values)


def _once(results: Sequence[CheckResult], named: Sequence[Diagnosis], most: float) -> list[CheckResult]:
    """Charge each mistake for the checks that it fails, one after another, until it has cost its share."""
    points = {r.id: r.points for r in results}
    charged: set[str] = set()
    for diagnosis in named:
        left = rounded(ONCE * most)
        for r in results:
            if r.failed and r.id in diagnosis.checks and r.id not in charged:
                charged.add(r.id)
                taken = min(left, r.max_points)
                left, points[r.id] = rounded(left - taken), rounded(r.max_points - taken)
    return [r if r.points == points[r.id] else msgspec.structs.replace(r, points=points[r.id]) for r in results]


def _of_use(results: list[CheckResult]) -> list[CheckResult]:
    """Return the results with at most two thirds of the points if a check of practical use fails."""
    first, earned = _essential(results), total(r.points for r in results)
    most = total(r.max_points for r in results if r.verdict != "skipped")
    cap = rounded(most - math.ceil(rounded(100 * OF_NO_USE * most)) / 100)  # in hundredths, cut and not rounded
    if first is None or earned <= cap:
        return results
    points, reason = shared_out({r.id: r.points for r in results}, cap, 2), USELESS.format(reason=first.reason)
    return [msgspec.structs.replace(r, points=points[r.id], reason=reason if r is first else r.reason) for r in results]


def _essential(results: Sequence[CheckResult]) -> CheckResult | None:
    """Return the first failed check, in all its dtypes, without which the code is of no use."""
    for _, group in itertools.groupby(results, lambda r: in_parts(r.id)[0]):
        variants = [r for r in group if r.verdict != "skipped"]
        if variants and all(r.useless for r in variants):
            return variants[0]
    return None


def _does_nothing(failed: Sequence[CheckResult]) -> bool:
    """Return True if every result in the failed checks is one number throughout, or an input unchanged."""
    came = [(call, outcome) for r in failed for call, outcome in r.calls if not outcome.raised and outcome.size]
    return bool(came) and all(_is_nothing(call, outcome) for call, outcome in came)


def _computes_nothing(results: Sequence[CheckResult]) -> bool:
    """Return True if each call gives one number, an input unchanged, or a refusal by a `raise` of the code's own.

    Of results without an array, a function gives the same always.
    """
    calls, plain = [c for r in results for c in r.calls if not c[1].dropped], dict[str, str]()
    for call, outcome in calls:
        others = repr([leaf for leaf in pytree.leaves(outcome.value) if not arrays.is_array(leaf)])
        if outcome.raised:
            nothing = outcome.raised.refuses_by_itself
        else:
            nothing = plain.setdefault(call.function, others) == others and _is_nothing(call, outcome)
        if not nothing:
            return False
    return bool(calls)


def _is_nothing(call: Call, outcome: Outcome) -> bool:
    found = [leaf for leaf in pytree.leaves(outcome.value) if arrays.is_array(leaf)]
    return all(_is_one_number(leaf) or any(pytree.equal(leaf, i) for i in call.arrays) for leaf in found)


def _is_one_number(array: Any) -> bool:
    if isinstance(array, Tensor) and array.is_meta:  # one without values
        return True
    values = arrays.exact(array)
    return bool(values.size == 0 or (np.isnan(values).all() or (values == values.flat[0]).all()))
