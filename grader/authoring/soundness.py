"""What makes a suite's verdicts worthless, found by running it on what is known: for `grader lint`."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from grader.suites import FREE, CheckResult, ExpectedCall, LocalTarget, Suite, Suites

FINE = ("passed", "skipped")
WIDE = 0.02  # of the largest entry; what a bound may allow of it in float32


def problems(suites: Suites, exercise: str) -> Iterator[str]:
    """One sentence each; the suite must load."""
    suite, where = suites[exercise], f"tests/hidden/{exercise}.py"
    if not suite.misconceptions:
        yield f"{where}: knows no mistake; write down the usual ones, see docs/writing-an-exercise.md"
    torch.manual_seed(1)
    results = list(suites.run(exercise, LocalTarget(suite.reference), 1))
    yield from (f"{where}: {said}" for said in _wide(results, suite))
    yield from (f"{where}: {said}" for said in _unseeded(suites, exercise, results))
    for m in suite.misconceptions:
        target = LocalTarget({**suite.reference, **m.functions})
        if all(r.verdict in FINE for r in suites.run(exercise, target, 1)):
            yield f"{where}: {m.name} passes every check; is it equal to the solution?"


def _wide(results: list[CheckResult], suite: Suite) -> Iterator[str]:
    """Bounds that let pass what is plainly wrong."""
    for r in results:
        for call, outcome in r.calls:
            known = ExpectedCall(call, suite.key)
            if (
                outcome.raised
                or call.contract
                or call.turns
                or any(t.dtype != torch.float32 for t in _floats(call.tensors))
            ):
                continue
            for exact, allowed in zip(_floats(known.exact), known.allowed, strict=False):
                largest = float(exact.abs().nan_to_num(0, 0, 0).max()) if exact.numel() else 0.0
                may_be_off = float(allowed.double().median())
                if allowed is not FREE and largest and may_be_off > WIDE * largest:
                    said = f"may be off by {may_be_off:.2g} where the largest entry is {largest:.2g}"
                    yield f"{r.id}: {call.function} {said}; its @error_bound is too wide"
                    return


def _unseeded(suites: Suites, exercise: str, first: list[CheckResult]) -> Iterator[str]:
    """Checks that ask other inputs when the global generators stand elsewhere."""
    torch.manual_seed(2)
    suites.forget()
    for one, other in zip(first, suites.run(exercise, LocalTarget(suites[exercise].reference), 1), strict=True):
        same = len(one.calls) == len(other.calls)
        if not same or not all(a.same(b) for (a, _), (b, _) in zip(one.calls, other.calls, strict=True)):
            yield f"{one.id}: asks other inputs each time it is run; draw them from `make`"


def _floats(values: list[torch.Tensor]) -> list[torch.Tensor]:
    return [t for t in values if isinstance(t, torch.Tensor) and t.is_floating_point()]
