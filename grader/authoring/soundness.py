"""Finds what makes a suite's verdicts worthless, by running it on known solutions: for `grader lint`."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import inspect
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from grader import arrays, closeness, pytree
from grader.arrays import Tensor, torch
from grader.authoring import mistake_texts
from grader.course import nearest
from grader.diagnosis import unrecognised
from grader.suites import CheckResult, ExpectedCall, LocalTarget, Suite, Suites
from grader.texts import NOTHING

SHORT = {"np": "numpy", "F": "torch.nn.functional", "nn": "torch.nn"}
WRONG = 0.0, 65504.0  # results that facts must be able to speak of
WIDE = 0.02  # of the largest entry; what a bound may allow of it in float32


def problems(suites: Suites, exercise: str) -> Iterator[str]:
    """Yield one sentence for each problem; the suite must load."""
    suite, where = suites[exercise], f"tests/hidden/{exercise}.py"
    if not suite.misconceptions and not hasattr(suite.module, "KNOWN"):  # `KNOWN = []` says that it is meant
        yield f"{where}: knows no mistake; write down the usual ones, see docs/writing-an-exercise.md"
    if unheard := [f"{where}: {said}" for said in (*_of_no_function(suite), *_unread(suite))]:
        yield from unheard
        return
    _global_generators(1)
    results = list(suites.run(exercise, LocalTarget(suite.reference), 1))
    yield from (f"{where}: {said}" for said in _wide(suites, exercise))
    yield from (f"{where}: {said}" for said in _unseeded(suites, exercise, results))
    for m in suite.misconceptions:
        for function, variant in m.functions.items():
            if missing := _other_names(suite.reference[function], variant):
                said = f"{function} has no parameter {', '.join(missing)}, by which it is called"
                yield f"{where}: {m.name}: its {said}; name its parameters as the solution does"
        target = LocalTarget({**suite.reference, **m.functions})
        if not any(r.failed for r in suites.run(exercise, target, 1)):
            yield f"{where}: {m.name} passes every check; is it equal to the solution?"
    yield from (f"{where}: {said}" for said in untold(suites, exercise))


def _of_no_function(suite: Suite) -> Iterator[str]:
    """Yield texts and settings for functions that the solution does not define."""
    said = {
        "@error_bound": suite.marked("__bounds__"),
        "@oracle": suite.marked("__oracle_of__"),
        "@facts": suite.facts,
        "tolerance or exact": [name for name in suite.tolerances if name],
        "accepts": [name for name in suite.accepted if name],
    } | {f"the mistake {m.name}": m.functions for m in suite.misconceptions}
    for what, functions in said.items():
        for name in (n for n in functions if n not in suite.reference):
            yield f"{what} is of {name!r}, which the solution does not define{nearest(name, sorted(suite.reference))}"


def _unread(suite: Suite) -> Iterator[str]:
    """Yield lines without an effect: functions that look like checks, texts that belong to no mistake."""
    checks = {item.function for item in suite.items}
    for name, value in vars(suite.module).items():
        marked = any(mark.name == "points" for mark in getattr(value, "pytestmark", ()))
        if marked and inspect.isfunction(value) and value not in checks:
            yield f"{name} has points and is never run; a check's name begins with test_"
    known = mistake_texts.parts([m.name for m in suite.misconceptions])
    for name in (n for n in suite.texts if n not in known):
        yield f"the text {name!r} in the catalogue beside it is of no mistake{nearest(name, sorted(known))}"


def untold(suites: Suites, exercise: str) -> Iterator[str]:
    """Yield the first fact that fails on a wrong result (of one token, without a batch): it would stop grading."""
    suite = suites[exercise]
    for check, calls in suites.rehearsed(exercise, 1).items():
        for known in (known for known in calls if known.call.function in suite.facts):
            for value in WRONG:
                wrong = dataclasses.replace(
                    known.outcome, value=pytree.mapped(functools.partial(_filled, value), known.outcome.value)
                )
                result = CheckResult(check, NOTHING, "failed", 0.0, 1.0, calls=((known.call, wrong),))
                try:
                    unrecognised(NOTHING, [result], suite)
                except Exception as error:
                    words = suite.key.words(known.call).to("en")
                    yield f"{check}: the facts of {words} cannot be told: {type(error).__name__}: {error}"
                    return


def _filled(value: float, leaf: Any) -> Any:
    """Return an array of real numbers with this value in every entry; any other leaf unchanged."""
    if not (arrays.is_array(leaf) and arrays.is_real(leaf)):
        return leaf
    return torch.full_like(leaf, value) if isinstance(leaf, Tensor) else np.full_like(leaf, value)


def unknown_names(forbid: Sequence[str]) -> Iterator[str]:
    """Yield misspelt names, which would forbid nothing. One like no other may be of another version."""
    for name in forbid:
        module, _, last = name.rpartition(".")
        short = name.partition(".")[0]
        if short in SHORT:
            yield f"forbid: {name} is not found by its short name; write {name.replace(short, SHORT[short], 1)}"
        elif module in sys.modules and last not in (there := dir(sys.modules[module])):
            for close in difflib.get_close_matches(last, there, n=1, cutoff=0.75):
                yield f"forbid: there is no {name}; did you mean {module}.{close}?"


def _other_names(solution: Callable[..., Any], variant: Callable[..., Any]) -> list[str]:
    """Return the parameters of the solution that the variant lacks: it fails if they are passed by name."""
    own = inspect.signature(variant).parameters
    if any(p.kind is p.VAR_KEYWORD for p in own.values()):
        return []
    by_name = {n for n, p in own.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    return [n for n in inspect.signature(solution).parameters if n not in by_name]


def _wide(suites: Suites, exercise: str) -> Iterator[str]:
    """Yield bounds that accept plainly wrong results in most calls of a check: in a few long ones, rounding adds up."""
    suite = suites[exercise]
    for check, answers in suites.rehearsed(exercise, 1).items():
        found = defaultdict[tuple[str, int], list[tuple[float, float, float]]](list)
        for answer in answers:
            call = answer.call
            usual = all(arrays.dtype_name(t) == arrays.USUAL[suite.kind] for t in filter(arrays.is_real, call.arrays))
            if not (answer.compared and usual) or answer.outcome.raised or call.turns:
                continue
            known, given = ExpectedCall(call, suite.key), suite.key.tolerance_of(call.function)
            near_zero = given.atol if given else 0.0  # what is 0 but for rounding may be off by as much as that
            exact = [e for e in known.exact if isinstance(e, np.ndarray)]
            for part, (due, allowed) in enumerate(zip(exact, known.allowed, strict=False)):
                largest = closeness.largest(due)
                if allowed is not closeness.FREE and allowed.size and largest > near_zero:
                    off = float(np.median(allowed))
                    found[call.function, part].append((off / largest, off, largest))
        for (function, _), calls in found.items():
            share, off, largest = statistics.median_high(calls)
            if share > WIDE:
                said = f"may be off by {off:.2g} where the largest entry is {largest:.2g}"
                yield f"{check}: {function} {said}; its @error_bound or tolerance is too wide"
                return


def _unseeded(suites: Suites, exercise: str, first: list[CheckResult]) -> Iterator[str]:
    """Yield checks with other inputs when the global generators are in another state."""
    _global_generators(2)
    suites.forget()
    for one, other in zip(first, suites.run(exercise, LocalTarget(suites[exercise].reference), 1), strict=True):
        same = len(one.calls) == len(other.calls)
        if not same or not all(a.same(b) for (a, _), (b, _) in zip(one.calls, other.calls, strict=True)):
            yield f"{one.id}: asks other inputs each time it is run; draw them from `make`"


def _global_generators(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    if torch is not None:
        torch.manual_seed(seed)
