"""Tries an exercise's suite on what is known to be wrong and known to be right. Trusted code only, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader import diagnose, worker
from grader.judgement import Caught, Evidence, Tried
from grader.suite import Suites
from grader.suitekit import Misconception
from grader.target import LocalTarget

FINE = ("passed", "skipped")
WORST = ("alone", "pair", "none", "other")  # from best to worst


def gather(suites: Suites, exercise: str, alternatives: Path, replays: Sequence[int], seeds: Sequence[int]) -> Evidence:
    """Every misconception under the seeds `replays`, every file in the folder `alternatives` under `seeds`."""
    wrong = suites[exercise].misconceptions
    replayed = [[_replayed(suites, exercise, m, seed) for m in wrong] for seed in replays]  # suites know one seed's key
    caught = tuple(_caught(m.name, found) for m, found in zip(wrong, zip(*replayed, strict=True), strict=True))
    right = {path.stem: LocalTarget(functions(path)) for path in sorted(alternatives.glob("*.py"))}
    failed = [
        {name for name, t in right.items() if any(r.verdict not in FINE for r in suites.run(exercise, t, seed))}
        for seed in seeds
    ]
    tried = tuple(
        Tried(name, tuple(s for s, names in zip(seeds, failed, strict=True) if name in names)) for name in right
    )
    return Evidence(exercise, len(suites.titles(exercise)), len(replays), len(seeds), caught, tried)


def functions(path: Path) -> dict[str, Any]:
    """The globals of a right solution, run as a student's file would be."""
    return worker.load(path.read_text(encoding="utf-8"), path.stem)


def _replayed(suites: Suites, exercise: str, wrong: Misconception, seed: int) -> tuple[int, set[str]]:
    """How many checks catch it, and the names that the diagnosis gives."""
    reference = suites[exercise].reference
    results = list(suites.run(exercise, LocalTarget({**reference, **wrong.functions}), seed))
    matches = diagnose.match(results, reference, suites[exercise].misconceptions)
    return sum(r.verdict not in FINE for r in results), {m.misconception.name for m in matches}


def _caught(name: str, found: Sequence[tuple[int, set[str]]]) -> Caught:
    kinds = [_kind(name, given) for _, given in found]
    beside = set().union(*(given for _, given in found)) - {name}
    return Caught(name, min(checks for checks, _ in found), max(kinds, key=WORST.index), tuple(sorted(beside)))


def _kind(name: str, given: set[str]) -> str:
    if name not in given:
        return "other" if given else "none"
    return "alone" if given == {name} else "pair" if len(given) == 2 else "other"
