"""Names the mistake behind failed checks: replays the student's calls on the exercise's known wrong variants.

A variant is named only if it answers every recorded call of its functions as the student did (failed checks first,
passed ones too) and differs from the reference where the student does. A diagnosis never changes a score.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from grader.suite import CheckResult
from grader.suitekit import Misconception
from grader.target import Call, LocalTarget, Outcome

MOST = 2  # more variants that fit alike say nothing
LOOSE = {torch.float16: 2e-2, torch.bfloat16: 6e-2}
CLOSE = 2e-4  # float32's reach, in units of the largest entry: a float64 call may have been computed in float32


@dataclasses.dataclass(frozen=True)
class Match:
    """A misconception and the failed checks that it explains."""

    misconception: Misconception
    checks: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class _Evidence:
    check: str
    failed: bool
    call: Call
    student: Outcome


def match(
    results: Sequence[CheckResult],
    reference: Mapping[str, Callable[..., Any]],
    misconceptions: Sequence[Misconception],
) -> list[Match]:
    """The misconceptions that behave exactly like the student, for each function on its own."""
    evidence = [_Evidence(r.id, r.verdict == "failed", call, outcome) for r in results for call, outcome in r.calls]
    evidence.sort(key=lambda e: not e.failed)
    right = LocalTarget(reference)
    found: dict[str, list[_Evidence]] = {}
    by_name = {m.name: m for m in misconceptions}
    for function in sorted({e.call.function for e in evidence if e.failed}):
        calls = [e for e in evidence if e.call.function == function and not _refused(e, right)]
        wrong = [e for e in calls if e.failed and not alike(e.student, right.call(e.call))]
        candidates = [m for m in misconceptions if function in m.functions and wrong]
        fitting = [m for m in candidates if _explains(LocalTarget({**reference, **m.functions}), wrong, calls)]
        if len(fitting) <= MOST:
            for m in fitting:
                found.setdefault(m.name, []).extend(wrong)
    return [Match(by_name[name], tuple(dict.fromkeys(e.check for e in wrong))) for name, wrong in found.items()]


def _refused(evidence: _Evidence, right: LocalTarget) -> bool:
    """Whether the student refuses what is to be refused: no mistake shows there, and each has words of their own."""
    raised = evidence.student.raised
    return raised is not None and "ValueError" in raised.types and right.call(evidence.call).raised is not None


def _explains(variant: LocalTarget, wrong: Sequence[_Evidence], calls: Sequence[_Evidence]) -> bool:
    """Whether the variant goes wrong where the student does, and the same way everywhere."""
    return all(alike(e.student, variant.call(e.call)) for e in wrong) and all(
        alike(e.student, variant.call(e.call)) for e in calls
    )


def alike(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes are the same but for rounding."""
    if one.raised or other.raised:
        return (
            one.raised is not None
            and other.raised is not None
            and (one.raised.types[0], one.raised.message[:60]) == (other.raised.types[0], other.raised.message[:60])
        )
    if one.devices != other.devices or one.changed != other.changed:
        return False
    return _close(one.value, other.value) and _close(one.gradients, other.gradients)


def _close(one: Any, other: Any) -> bool:
    pairs = list(_pairs(one, other))
    return all(a is not None and b is not None and _same(a, b) for a, b in pairs) if pairs else one == other


def _pairs(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """The tensors of both, side by side; None stands for a difference of structure."""
    if isinstance(one, tuple | list) and isinstance(other, tuple | list) and len(one) == len(other):
        for a, b in zip(one, other, strict=True):
            if a is not None or b is not None:
                yield from _pairs(a, b)
    elif isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        yield one, other
    elif one is not other:
        yield None, None


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype or one.device != other.device:
        return False
    if one.device.type == "meta":
        return True
    if not one.dtype.is_floating_point:
        return torch.equal(one, other)
    a, b = one.detach().double(), other.detach().double()
    if not torch.equal(a.isfinite(), b.isfinite()):
        return False
    finite = b.isfinite()
    scale = float(b[finite].abs().max()) if bool(finite.any()) else 1.0
    return bool(((a - b)[finite].abs() <= LOOSE.get(one.dtype, CLOSE) * max(scale, 1e-6)).all())
