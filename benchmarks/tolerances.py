"""How close honest implementations come to the error bounds: the largest error / allowed over many seeds.

    python benchmarks/tolerances.py [SEEDS]      from the root of the repository; 20 seeds unless told

Runs the solution and every right alternative of each exercise that has an error bound through its hidden suite, and
prints the worst ratio by dtype with the implementation it belongs to. 1 would be a failed check.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402 -- after the path

from grader import probes, worker  # noqa: E402
from grader.suite import Suites  # noqa: E402
from grader.target import LocalTarget  # noqa: E402

DTYPES = ("float16", "bfloat16", "float32", "float64")
Ratios = dict[str, tuple[float, str]]


def main(seeds: int) -> None:
    torch.set_num_threads(1)
    suites = Suites(files("tests/hidden"), files("solutions"))
    print("| exercise |", " | ".join(DTYPES), "| gradients |")
    print("|---" * (len(DTYPES) + 2) + "|")
    for exercise, suite in suites.suites.items():
        if suite.marked("__bounds__"):
            worst = worst_ratios(suites, exercise, seeds)
            cells = [f"{ratio:.2f} {name}" for ratio, name in (worst.get(c, (0.0, "")) for c in (*DTYPES, "gradients"))]
            print(f"| {exercise} |", " | ".join(cells), "|", flush=True)


def files(folder: str) -> dict[str, Path]:
    """The Python files of a folder, by name."""
    return {path.stem: path for path in sorted((ROOT / folder).glob("*.py"))}


def worst_ratios(suites: Suites, exercise: str, seeds: int) -> Ratios:
    """By dtype (and for "gradients"): the largest ratio and who reached it."""
    worst: Ratios = {}
    for name, functions in implementations(suites, exercise):
        with recorded(worst, name):
            for seed in range(1, seeds + 1):
                for result in suites.run(exercise, LocalTarget(functions), seed):
                    if result.verdict != "passed":
                        print(f"{exercise}/{name}, seed {seed}: {result.id}: {result.reason.en}", file=sys.stderr)
    return worst


def implementations(suites: Suites, exercise: str) -> Iterator[tuple[str, dict[str, Callable[..., Any]]]]:
    """The solution and the right alternatives."""
    yield "solution", suites.references[exercise]
    for stem, path in files(f"tests/kit/alternatives/{exercise}").items():
        names = worker.load(path.read_text(encoding="utf-8"), f"alternative_{stem}")
        yield stem, {key: value for key, value in names.items() if callable(value)}


@contextmanager
def recorded(worst: Ratios, name: str) -> Iterator[None]:
    """Watch the probes compare, and keep the largest ratio of each kind."""
    compare, compare_gradient = probes.Golden._compare, probes.Gradients._compare

    def note(kind: str, actual: torch.Tensor, expected: torch.Tensor, allowed: torch.Tensor) -> None:
        ratio = (actual.double() - expected.double()).abs() / allowed
        largest = float(ratio.masked_fill(actual.double() == expected.double(), 0.0).max())
        worst[kind] = max(worst.get(kind, (0.0, "")), (largest, name))

    def golden(self: Any, call: Any, actual: Any, expected: Any, allowed: Any, *index: Any) -> None:
        note(str(actual.dtype).removeprefix("torch."), actual, expected, allowed)
        compare(self, call, actual, expected, allowed, *index)

    def gradient(self: Any, call: Any, argument: str, actual: Any, expected: Any) -> None:
        if actual is not None and expected is not None:
            units = self.SLACK * max(float(expected.abs().max()), 1e-3)
            note("gradients", actual, expected, probes.tolerance(actual.dtype, units))
        compare_gradient(self, call, argument, actual, expected)

    probes.Golden._compare, probes.Gradients._compare = golden, gradient  # type: ignore[method-assign]
    try:
        yield
    finally:
        probes.Golden._compare, probes.Gradients._compare = compare, compare_gradient  # type: ignore[method-assign]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
