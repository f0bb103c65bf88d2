"""Names the mistake behind failed checks: replays the student's calls on the exercise's known wrong variants.

A variant is named only if it answers every recorded call of its functions as the student did (failed checks first,
passed ones too) and differs from the reference where the student does. A diagnosis never changes a score.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from grader import slight
from grader.suite import CheckResult
from grader.suitekit import Misconception
from grader.target import Call, LocalTarget, Outcome

MOST = 2  # more variants that fit alike say nothing
LOOSE = {torch.float16: 2e-2, torch.bfloat16: 6e-2}
MOST_REPLAYS = 48  # that are kept with a call; a lane holds every call of a seed
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
    """The misconceptions that behave exactly like the student.

    One that explains less than another is dropped. Of those that explain the same, one that does not refuse what the
    student rightly refuses gives way to one that does, and one that has to compute in a wider dtype to one that has
    not; more than MOST that are left are none.
    """
    evidence: list[_Evidence] = []
    refusals: list[_Evidence] = []
    for r in results:
        for call, outcome in r.calls:
            kind = refusals if _refused(call, outcome, reference) else evidence
            kind.append(_Evidence(r.id, r.verdict == "failed", call, outcome))
    evidence.sort(key=lambda e: -_precision(e.call))  # where a wider dtype changes nothing, one try says all
    wrong = [e for e in evidence if e.failed and not alike(e.student, replay(reference, e.call))]
    if not wrong:
        return _slight(evidence, reference, misconceptions)
    fitting: dict[str, frozenset[int]] = {}
    plain = set()
    for m in misconceptions:
        there = [i for i, e in enumerate(wrong) if e.call.function in m.functions]
        mine = [wrong[i] for i in there]
        if there and _fits(m, mine, evidence):
            plain.add(m.name)
        if m.name in plain or (there and _fits_wider(m, mine, evidence)):
            fitting[m.name] = frozenset(there)
    best = {n: e for n, e in fitting.items() if not any(e < other for other in fitting.values())}
    found: list[Match] = []
    for explained in dict.fromkeys(best.values()):
        rivals = [m for m in misconceptions if best.get(m.name) == explained]
        if len(rivals) > 1:
            rivals = [m for m in rivals if _refuses(m, refusals)] or rivals
            rivals = [m for m in rivals if m.name in plain] or rivals
        failed = {wrong[i].check for i in explained}
        checks = tuple(dict.fromkeys(r.id for r in results if r.id in failed))
        found += [Match(m, checks) for m in rivals if len(rivals) <= MOST]
    return found


def _refuses(misconception: Misconception, refusals: Sequence[_Evidence]) -> bool:
    """Whether the variant refuses all that the student rightly refuses."""
    variant = misconception.functions
    return all(alike(e.student, replay(variant, e.call)) for e in refusals if e.call.function in variant)


def _slight(
    evidence: Sequence[_Evidence],
    reference: Mapping[str, Callable[..., Any]],
    misconceptions: Sequence[Misconception],
) -> list[Match]:
    """The misconception in whose direction all results deviate, if it is only one, where none is off by much."""
    checks = tuple(dict.fromkeys(e.check for e in evidence if e.failed))
    seen = slight.deviations([(e.call, e.student) for e in evidence], reference) if checks else []
    found = [m for m in misconceptions if slight.proportional(seen, m.functions)]
    return [Match(m, checks) for m in found] if len(found) == 1 else []


def _refused(call: Call, student: Outcome, reference: Mapping[str, Callable[..., Any]]) -> bool:
    """Whether the student refuses what is to be refused: no mistake shows there, and a variant need not refuse."""
    return student.raised is not None and "ValueError" in student.raised.types and bool(replay(reference, call).raised)


def _fits(
    misconception: Misconception,
    wrong: Sequence[_Evidence],
    evidence: Sequence[_Evidence],
    dtype: torch.dtype | None = None,
) -> bool:
    """Whether the variant, computing in `dtype`, answers as the student does: where that is wrong, then everywhere."""
    variant = misconception.functions
    if not all(alike(e.student, replay(variant, e.call, dtype), worded=True) for e in wrong):
        return False
    return all(alike(e.student, replay(variant, e.call, dtype)) for e in evidence if e.call.function in variant)


def _fits_wider(misconception: Misconception, wrong: Sequence[_Evidence], evidence: Sequence[_Evidence]) -> bool:
    """Whether it fits a student who computes in a wider dtype inside, which moves what overflows in half precision."""
    calls = [e.call for e in evidence if e.call.function in misconception.functions]
    wider = (d for d in (torch.float32, torch.float64) if any(_widens(call, d) for call in calls))
    return any(_fits(misconception, wrong, evidence, dtype) for dtype in wider)


def replay(functions: Mapping[str, Callable[..., Any]], call: Call, dtype: torch.dtype | None = None) -> Outcome:
    """What trusted functions answer, computing in `dtype` inside where that is wider than the inputs."""
    function = functions[call.function]
    if dtype and (isinstance(function, type) or not _widens(call, dtype)):
        dtype = None
    if outcome := call.replays.get((function, dtype)):
        return outcome
    outcome = LocalTarget({call.function: _wider(function, dtype) if dtype else function}).call(call)
    if len(call.replays) < MOST_REPLAYS:
        call.replays[function, dtype] = outcome
    return outcome


def _widens(call: Call, dtype: torch.dtype) -> bool:
    """Whether computing in `dtype` is wider than the first float input."""
    return _precision(call) < dtype.itemsize


def _precision(call: Call) -> int:
    """Bytes an entry of the first float input, which says what to compute in; more than any, if there is none."""
    sizes = (a.dtype.itemsize for a in call.args if isinstance(a, torch.Tensor) and a.is_floating_point())
    return next(sizes, 16)


def _wider(function: Callable[..., Any], dtype: torch.dtype) -> Callable[..., Any]:
    """The function, computing in `dtype` inside; its first float input is narrower."""

    def cast(value: Any, to: torch.dtype, narrower: bool) -> Any:
        if isinstance(value, tuple | list):
            return type(value)(cast(v, to, narrower) for v in value)
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            return value
        return value.to(to) if not narrower or value.dtype.itemsize < to.itemsize else value

    def computed(*args: Any, **kwargs: Any) -> Any:
        first = next(a.dtype for a in args if isinstance(a, torch.Tensor) and a.is_floating_point())
        result = function(*cast(args, dtype, True), **{k: cast(v, dtype, True) for k, v in kwargs.items()})
        return cast(result, first, False)

    return computed


def alike(one: Outcome, other: Outcome, worded: bool = False) -> bool:
    """Whether two outcomes are the same but for rounding; exceptions too in their words, if `worded`."""
    if one.raised or other.raised:
        if one.raised is None or other.raised is None or one.raised.types[0] != other.raised.types[0]:
            return False
        return not worded or one.raised.message[:60] == other.raised.message[:60]
    if one.devices != other.devices or one.changed != other.changed:
        return False
    return _close(one.value, other.value) and _close(one.gradients, other.gradients)


def _close(one: Any, other: Any) -> bool:
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(_close, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return set(one) == set(other) and all(_close(one[key], other[key]) for key in one)
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return _same(one, other)
    if isinstance(one, float) and isinstance(other, float):
        return _same(torch.tensor(one, dtype=torch.float64), torch.tensor(other, dtype=torch.float64))
    return type(one) is type(other) and bool(one == other)


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype or one.device != other.device:
        return False
    if one.device.type == "meta":
        return True
    if not one.dtype.is_floating_point:
        return torch.equal(one, other)
    a, b = one.detach().double(), other.detach().double()
    if torch.equal(a, b):
        return True
    most, off = float(b.abs().max()), float((a - b).abs().max())
    if not math.isfinite(most + off):
        finite = b.isfinite()
        if not torch.equal(a.isfinite(), finite):
            return False
        most, off = (float(t[finite].abs().max()) if bool(finite.any()) else 0.0 for t in (b, a - b))
    return off <= LOOSE.get(one.dtype, CLOSE) * max(most, 1e-6)
