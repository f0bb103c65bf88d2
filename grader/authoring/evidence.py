"""Tries an exercise's suite on known wrong and known right solutions. Trusted code only, in this process."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.authoring import ready_mistakes
from grader.authoring.judgement import Caught, Flip, SuiteEvidence, Tried
from grader.diagnosis import gathered, misconceptions, replaying
from grader.sandbox.worker import load
from grader.suites import Call, CheckResult, LocalTarget, Misconception, Outcome, Suites
from grader.suites.target import ExpectedAnswer

DIAGNOSIS = "the diagnosis"


def gather(
    suites: Suites, exercise: str, asked: Sequence[str], alternatives: Path, seeds: Sequence[int]
) -> SuiteEvidence:
    """Try every misconception and every file in the folder `alternatives` under each of the seeds; and all slips.

    asked: the functions that students write.
    """
    wrong, right = suites[exercise].misconceptions, sorted(alternatives.glob("*.py"))
    found = tried(suites, exercise, wrong, right, seeds)
    return dataclasses.replace(found, slips=_slips(suites, exercise, asked))


def tried(
    suites: Suites, exercise: str, wrong: Sequence[Misconception], right: Sequence[Path], seeds: Sequence[int]
) -> SuiteEvidence:
    """Try these misconceptions and these right solutions under each of the seeds."""
    runs, named = [], []
    for seed in seeds:  # suites know one seed's key
        submitted = [_Submitted(suites[exercise].reference, m) for m in wrong]
        runs.append([list(suites.run(exercise, target, seed)) for target in submitted])
        named.append([_named(suites, exercise, results) for results in runs[-1]])
    caught = tuple(_caught(m.name, *found) for m, found in zip(wrong, zip(runs[0], named[0], strict=True), strict=True))
    handed_in = {path.stem: LocalTarget(functions(path)) for path in right}
    failed = [
        {name for name, t in handed_in.items() if any(r.failed for r in suites.run(exercise, t, seed))}
        for seed in seeds
    ]
    judged = tuple(
        Tried(name, tuple(s for s, names in zip(seeds, failed, strict=True) if name in names)) for name in handed_in
    )
    checks = len(suites.titles(exercise))
    return SuiteEvidence(exercise, checks, len(seeds), caught, judged, (), tuple(_flips(wrong, runs, named)))


def _slips(suites: Suites, exercise: str, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the ready-made slips that get full marks, though the suite does not say that it lets them pass."""
    suite = suites[exercise]
    right = [known for calls in suites.rehearsed(exercise, 1).values() for known in calls]
    found = []
    for function in asked:
        calls = [(known.call, known.outcome) for known in right if known.call.function == function]
        for name in ready_mistakes.READY:
            slip = f"{name} of {function}"
            if slip.startswith(tuple(suite.lets_pass)) or not ready_mistakes.can_show(name, calls):
                continue
            wrong = {**suite.reference, function: ready_mistakes.around(name, suite.reference[function])}
            if not any(r.failed for r in suites.run(exercise, LocalTarget(wrong), 1)):
                found.append(slip)
    return tuple(sorted(found))


def _flips(
    wrong: Sequence[Misconception], runs: Sequence[Sequence[Sequence[CheckResult]]], named: Sequence[Sequence[set[str]]]
) -> Iterator[Flip]:
    """Yield the verdicts on a misconception that depend on the seed: first those of checks, then of the diagnosis."""
    for m, of_seeds in zip(wrong, zip(*runs, strict=True), strict=True):
        for of_check in zip(*of_seeds, strict=True):
            if len({r.failed for r in of_check}) > 1:
                yield Flip(m.name, of_check[0].id)
    for m, given in zip(wrong, zip(*named, strict=True), strict=True):
        if any(names != given[0] for names in given):
            yield Flip(m.name, DIAGNOSIS)


def functions(path: Path) -> dict[str, Any]:
    """Return the globals of a right solution, run as a student's file would be."""
    return load(path.read_text(encoding="utf-8"), path.stem)


class _Submitted(LocalTarget):
    """A misconception as a submission; its answers are kept, so that the diagnosis need not replay it."""

    def __init__(self, reference: Mapping[str, Any], wrong: Misconception) -> None:
        super().__init__({**reference, **wrong.functions})
        self._wrong = wrong

    def expect(self, calls: Sequence[ExpectedAnswer]) -> tuple[Sequence[bool], float]:
        as_expected, seconds = super().expect(calls)
        for expected in calls if as_expected else ():
            self._keep(expected.call, expected.outcome)
        return as_expected, seconds

    def call(self, call: Call) -> Outcome:
        outcome = super().call(call)
        self._keep(call, outcome)
        return outcome

    def _keep(self, call: Call, outcome: Outcome) -> None:
        if function := self._wrong.functions.get(call.function):
            replaying.keep(call, function, outcome)


def _named(suites: Suites, exercise: str, results: Sequence[CheckResult]) -> set[str]:
    """Return the names that the diagnosis gives."""
    suite = suites[exercise]
    matches = misconceptions.match(gathered(suite, results), suite.reference, suite.misconceptions)
    return {m.misconception.name for m in matches}


def _caught(name: str, results: Sequence[CheckResult], given: set[str]) -> Caught:
    kinds = {1: "alone", 2: "pair"} if name in given else {0: "none"}
    beside = tuple(sorted(given - {name}))
    return Caught(name, sum(r.failed for r in results), kinds.get(len(given), "other"), beside)
