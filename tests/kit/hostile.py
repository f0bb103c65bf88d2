"""Results that no suite may trip over, and what becomes of them: an exception would stop the whole class's grading."""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from grader import pytree
from grader.diagnosis import diagnose, unrecognised
from grader.sandbox.worker import wire
from grader.suites import Misconception
from grader.suites.local import LocalTarget
from grader.suites.runner import CheckResult, Suites
from grader.suites.script import NothingAhead
from grader.suites.target import Call, Outcome

ODD = torch.tensor([math.nan, math.inf, -math.inf, 0.0, -1.0, 1e-45, 3e38, 65504.0], dtype=torch.float64)
LONGEST = 1200  # characters of a reason
VERDICTS = {"passed", "failed", "skipped"}


def filled(value: float) -> Callable[[Tensor], Tensor]:
    """Real tensors full of `value`; in the others everything is turned over."""

    def fill(t: Tensor) -> Tensor:
        if t.dtype is torch.bool:
            return ~t
        return torch.full_like(t, value) if t.is_floating_point() else torch.full_like(t, torch.iinfo(t.dtype).min)

    return fill


def odd_numbers(t: Tensor) -> Tensor:
    """Every kind of number that breaks a formula, in turn."""
    return ODD[torch.arange(t.numel()) % len(ODD)].to(t.dtype).reshape(t.shape) if t.is_floating_point() else t + 1


def number(tensor: float, whole: int, text: str) -> Callable[[Any], Any]:
    """Leaves that are no tensors, by kind."""
    return lambda v: (
        (not v) if isinstance(v, bool) else whole if isinstance(v, int) else tensor if isinstance(v, float) else text
    )


def leafwise(tensor: Callable[[Tensor], Any], other: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: pytree.mapped(
        lambda leaf: tensor(leaf.detach()) if isinstance(leaf, Tensor) else leaf if leaf is None else other(leaf), value
    )


ANY_SUITE = {
    "nan": leafwise(filled(math.nan), number(math.nan, -1, "")),
    "odd": leafwise(odd_numbers, number(math.inf, 2**63 - 1, "{0}{x!r}\x1b[31m<b>\ud800" + "x" * 500_000)),
    "elsewhere": leafwise(lambda t: t.to("meta"), lambda v: v if isinstance(v, str) else torch.tensor(v)),
    "claims": leafwise(lambda t: t.clone().requires_grad_(t.is_floating_point()), lambda v: v),
}
RIGHT = ("claims", "elsewhere")  # where all results are numbers: a tensor will do for one
BUILT = {  # of any form, for suites that take what a student builds
    "zero": leafwise(torch.zeros_like, number(0.0, 0, "none")),
    "huge": leafwise(filled(65504.0), number(1e308, 10**9, "~")),
    "no dimension": leafwise(lambda t: torch.ones((), dtype=t.dtype), number(1.0, 1, "1")),
    "empty": leafwise(lambda t: t.flatten()[:0], number(1.0, 1, " ")),
    "no rows": leafwise(lambda t: t[:0], number(1.0, 1, " ")),
    "no columns": leafwise(lambda t: t[..., :0], number(1.0, 1, " ")),
    "one entry": leafwise(lambda t: t.flatten()[:1], number(1.0, 1, " ")),
    "flat": leafwise(lambda t: t.flatten(), number(1.0, 1, " ")),
    "more dimensions": leafwise(lambda t: t.reshape(*[1] * (16 - t.dim()), *t.shape), number(1.0, 1, " ")),
    "turned": leafwise(lambda t: t.mT if t.dim() > 1 else t.flip(0), number(1.0, 1, " ")),
    "three times": leafwise(lambda t: torch.cat([t] * 3), number(1.0, 1, " ")),
    "millions": leafwise(lambda t: torch.ones(1, dtype=t.dtype).expand(1 << 24), number(1.0, 1, " ")),
    **{
        str(dtype): leafwise(lambda t, to=dtype: t.nan_to_num().to(to), lambda v: v)
        for dtype in (torch.complex64, torch.int64, torch.uint8, torch.bool, torch.float16, torch.bfloat16)
    },
    "nothing": lambda value: None,
    "something else": lambda value: wire.Opaque("numpy.ndarray"),
    "one part": lambda value: value[:1] if isinstance(value, tuple) else (value,),
    "nested": lambda value: [[value], {"x": value}],
    "thousands": lambda value: [1.0] * 9000,
}


@dataclasses.dataclass(frozen=True)
class Hostile(NothingAhead):
    """The solution, with every result changed; it also claims all that a worker may claim."""

    right: LocalTarget
    change: Callable[[Any], Any]

    def call(self, call: Call) -> Outcome:
        due = self.right.call(call)
        if due.raised:
            return dataclasses.replace(due, raised=None, value=self.change(torch.ones(2, 3)), devices=("cpu",))
        value = self.change(due.value)
        gradients = None if due.gradients is None else [g if g is None else self.change(g) for g in due.gradients]
        devices = tuple(t.device.type for t in pytree.tensors(value))
        return dataclasses.replace(
            due, value=value, gradients=gradients, devices=devices, changed=(0, 99), largest=(1 << 62) - 1
        )


def judged(
    suites: Suites, exercise: str, change: Callable[[Any], Any], known: Sequence[Misconception]
) -> list[CheckResult]:
    """The verdicts, which must be some, and short reasons; with all that is said about what failed.

    known: the mistakes that the diagnosis knows. What each answers to each call takes longer than all the rest.
    """
    suite = copy.copy(suites[exercise])
    suite.misconceptions = [*known]
    target = Hostile(LocalTarget(suite.reference), change)
    results = list(suites.run(exercise, target, 1))
    assert {r.verdict for r in results} <= VERDICTS
    failed = [r for r in results if r.verdict == "failed"]
    assert all(0 < len(r.reason.to("en")) < LONGEST for r in failed), max(len(r.reason.to("en")) for r in failed)
    diagnose(exercise, suite, results, target.call)
    for result in failed:
        unrecognised(result.reason, results, suite)
    return failed
