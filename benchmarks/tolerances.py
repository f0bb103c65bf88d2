"""How close honest implementations come to the error bounds: the largest error / allowed over many seeds.

    python benchmarks/tolerances.py [SEEDS]      from the root of the repository; 20 seeds unless told

Runs the solution and every right alternative of each exercise that has an error bound through its hidden suite, and
prints the worst ratio by dtype with the implementation it belongs to. Above 1 is a failed check.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np
import torch

from grader import arrays, closeness
from grader.course import course as courses
from grader.pytree import leaves
from grader.sandbox.worker import load
from grader.suites.local import LocalTarget
from grader.suites.reference import ExpectedCall, Reference
from grader.suites.runner import Suites
from grader.suites.target import Call, Outcome

DTYPES = ("float16", "bfloat16", "float32", "float64")
Ratios = dict[str, tuple[float, str]]


def main(seeds: int) -> None:
    torch.set_num_threads(1)
    course = courses.load(ROOT)
    ids = [e.id for e in course.exercises if e.kind == "code"]
    suites = Suites({i: course.suite(i) for i in ids}, {i: course.solution(i) for i in ids})
    print("| exercise |", " | ".join(DTYPES), "| gradients |")
    print("|---" * (len(DTYPES) + 2) + "|")
    for exercise in suites:
        suite = suites[exercise]
        if suite.marked("__bounds__"):
            worst = worst_ratios(suites, exercise, seeds)
            columns = [worst.get(column, (0.0, "-")) for column in (*DTYPES, "gradients")]
            cells = [f"{ratio:.2f} {name}" for ratio, name in columns]
            print(f"| {exercise} |", " | ".join(cells), "|", flush=True)


def worst_ratios(suites: Suites, exercise: str, seeds: int) -> Ratios:
    """By dtype (and for "gradients"): the largest ratio and who reached it."""
    suite, worst = suites[exercise], Ratios()
    key = Reference(suites[exercise].reference, suite.marked("__oracle_of__"), suite.marked("__bounds__"))
    for seed in range(1, seeds + 1):
        for name, functions in implementations(suites, exercise):
            for result in suites.run(exercise, LocalTarget(functions), seed):
                if result.verdict not in ("passed", "skipped"):
                    print(f"{exercise}/{name}, seed {seed}: {result.id}: {result.reason.to('en')}", file=sys.stderr)
                for call, outcome in result.calls:
                    for kind, ratio in ratios(ExpectedCall(call, key), call, outcome):
                        if ratio > 1 and result.verdict == "passed":
                            continue  # a gradient that the check does not compare (matches_gradients.wrt)
                        worst[kind] = max(worst.get(kind, (0.0, "-")), (ratio, name))
    return worst


def implementations(suites: Suites, exercise: str) -> Iterator[tuple[str, dict[str, Callable[..., Any]]]]:
    """The solution and the right alternatives."""
    yield "solution", suites[exercise].reference
    for path in sorted((ROOT / "tests" / "kit" / "alternatives" / exercise).glob("*.py")):
        names = load(path.read_text(encoding="utf-8"), f"alternative_{path.stem}")
        yield path.stem, {key: value for key, value in names.items() if callable(value)}


def ratios(known: ExpectedCall, call: Call, outcome: Outcome) -> Iterator[tuple[str, float]]:
    """Error / allowed of the results of one call, by dtype, and of its gradients."""
    if outcome.value is None or call.contract or (call.turns and not call.made):
        return  # a function's calls in turns are those that were made one by one
    pairs = zip(leaves(outcome.value), known.exact, strict=True)
    compared = [(a, e) for a, e in pairs if isinstance(e, np.ndarray)]  # whole numbers and texts have no error
    for (actual, exact), allowed in zip(compared, known.allowed, strict=True):
        if bool((allowed > 0).all()):
            off = np.abs(arrays.exact(actual) - exact) / allowed
            yield arrays.precision(torch.as_tensor(actual)), float(off.max(initial=0.0))
    for given, due in zip(outcome.gradients or [], known.gradients if call.gradients else [], strict=False):
        if given is not None and due is not None:
            units = closeness.GRADIENT_UNITS * max(float(due.abs().max()), closeness.LEAST_GRADIENT)
            off = arrays.exact(given.double() - due) / closeness.allowed(arrays.precision(given), units)
            yield "gradients", float(np.abs(off).max())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
