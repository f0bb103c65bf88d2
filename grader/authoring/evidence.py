"""Tries an exercise's suite on what is known to be wrong and known to be right. Trusted code only, in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.authoring import ready_mistakes
from grader.authoring.judgement import Caught, Evidence, Flip, Tried
from grader.diagnosis import misconceptions
from grader.diagnosis.comparing import PROMISES, agree
from grader.sandbox.worker import load
from grader.suites import Call, CheckResult, LocalTarget, Misconception, Outcome, Suites
from grader.suites.target import NothingAhead

FINE = ("passed", "skipped")
WORST = ("alone", "pair", "none", "other")  # from best to worst


def gather(
    suites: Suites, exercise: str, asked: Sequence[str], alternatives: Path, replays: Sequence[int],
    seeds: Sequence[int],
) -> Evidence:  # fmt: skip
    """Every misconception under the seeds `replays`, every file in the folder `alternatives` under `seeds`.

    asked: the functions that students write.
    """
    wrong = suites[exercise].misconceptions
    runs: dict[int, list[list[CheckResult]]] = {}
    pure: set[str] = set()  # by the runs at the first seed
    for seed in sorted({*replays, *seeds}):  # seed by seed: suites know one seed's key
        runs[seed] = [_run(suites, exercise, m, seed, m.name in pure) for m in wrong]
        pure = pure or {m.name for m, results in zip(wrong, runs[seed], strict=True) if _pure(m, results)}
    replayed = [[_named(suites, exercise, results) for results in runs[seed]] for seed in replays]
    caught = tuple(_caught(m.name, found) for m, found in zip(wrong, zip(*replayed, strict=True), strict=True))
    right = {path.stem: LocalTarget(functions(path)) for path in sorted(alternatives.glob("*.py"))}
    failed = [
        {name for name, t in right.items() if any(r.verdict not in FINE for r in suites.run(exercise, t, seed))}
        for seed in seeds
    ]
    tried = tuple(
        Tried(name, tuple(s for s, names in zip(seeds, failed, strict=True) if name in names)) for name in right
    )
    checks = len(suites.titles(exercise))
    passed, flips = _slips(suites, exercise, asked), _flips(wrong, [runs[seed] for seed in seeds])
    return Evidence(exercise, checks, len(replays), len(seeds), caught, tried, passed, flips)


def _slips(suites: Suites, exercise: str, asked: Sequence[str]) -> tuple[str, ...]:
    """The ready-made slips that get full marks, though the suite does not say that it lets them pass."""
    suite = suites[exercise]
    right = [c for r in suites.run(exercise, LocalTarget(suite.reference), 1) for c in r.calls]
    found = []
    for function in asked:
        calls = [(call, outcome) for call, outcome in right if call.function == function]
        for name in ready_mistakes.READY.keys() - suite.lets_pass.keys():
            if not ready_mistakes.can_show(name, calls):
                continue
            wrong = {**suite.reference, function: ready_mistakes.around(name, suite.reference[function])}
            if all(r.verdict in FINE for r in suites.run(exercise, LocalTarget(wrong), 1)):
                found.append(f"{name} of {function}")
    return tuple(sorted(found))


def _flips(wrong: Sequence[Misconception], runs: Sequence[Sequence[Sequence[CheckResult]]]) -> tuple[Flip, ...]:
    """The checks whose verdict on a misconception depends on the seed."""
    verdicts: dict[tuple[str, str], set[bool]] = {}
    for run in runs:
        for m, results in zip(wrong, run, strict=True):
            for r in results:
                verdicts.setdefault((m.name, r.id), set()).add(r.verdict in FINE)
    return tuple(Flip(name, check) for (name, check), both in verdicts.items() if len(both) > 1)


def functions(path: Path) -> dict[str, Any]:
    """The globals of a right solution, run as a student's file would be."""
    return load(path.read_text(encoding="utf-8"), path.stem)


def _run(suites: Suites, exercise: str, wrong: Misconception, seed: int, pure: bool) -> list[CheckResult]:
    functions = {**suites[exercise].reference, **wrong.functions}
    return list(suites.run(exercise, _Replayed(functions) if pure else LocalTarget(functions), seed))


class _Replayed(NothingAhead):
    """Functions that answer a call alike whenever it is made, so that the diagnosis need not make it once more."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self._functions = functions

    def call(self, call: Call) -> Outcome:
        return misconceptions.replay(self._functions, call)


def _pure(wrong: Misconception, results: Sequence[CheckResult]) -> bool:
    """Whether calls that are made for themselves have the answers that they had in a row."""
    calls = [c for r in results for c in r.calls if c[0].function in wrong.functions]
    return all(
        agree(promise, call, outcome, misconceptions.replay(wrong.functions, call))
        for call, outcome in calls
        for promise in PROMISES
    )


def _named(suites: Suites, exercise: str, results: Sequence[CheckResult]) -> tuple[int, set[str]]:
    """How many checks catch it, and the names that the diagnosis gives."""
    suite = suites[exercise]
    matches = misconceptions.match(
        misconceptions.collected(results, suite.reference), suite.reference, suite.misconceptions
    )
    return sum(r.verdict not in FINE for r in results), {m.misconception.name for m in matches}


def _caught(name: str, found: Sequence[tuple[int, set[str]]]) -> Caught:
    kinds = [_kind(name, given) for _, given in found]
    beside = set().union(*(given for _, given in found)) - {name}
    return Caught(name, min(checks for checks, _ in found), max(kinds, key=WORST.index), tuple(sorted(beside)))


def _kind(name: str, given: set[str]) -> str:
    if name not in given:
        return "other" if given else "none"
    return "alone" if given == {name} else "pair" if len(given) == 2 else "other"
