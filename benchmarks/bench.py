"""The same submissions and the same checks, graded side by side in one run by nbgrader, pytest, bare Python and us.

    make bench                                           or: python benchmarks/bench.py [--repeats 3] [--copies 8]

Every way grades the same class of twelve: the solutions, five students of examples/class, six sets of other people's
right solutions. It runs the same checks of the six core exercises on the same inputs, and the run ends with an error
unless all ways give the same scores. In favour of the others: torch has one thread, pytest loads no plugin and caches
its bytecode, a notebook has one test cell an exercise (one a check would cost more), and what the ways that keep torch
loaded compare with is computed before they start. In favour of ours: nothing; it also diagnoses, which they do not.

The quick ways grade several copies of the class too, since start-up would hide their rate. Each way is a process of
its own; they take turns, so that whatever else the machine does hits all alike. Seconds and processor time (of all
processes, killed workers included) are medians over the repeats; memory is the largest sum of proportional set sizes
seen in an extra round. Needs Linux and the extra `nbgrader`.
"""

import argparse
import ctypes
import os
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import ways

ROOT = ways.ROOT
STUDENTS = ("s01_ada", "s02_bao", "s03_chen", "s04_dina", "s08_hana")
ALTERNATIVES = 6


@dataclass(frozen=True)
class Cost:
    """What one run took: wall seconds, processor seconds, and the most memory in MB, where it was watched."""

    seconds: float
    processor: float
    memory: float


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--copies", type=int, default=8, help="of the class, for the quick ways")
    options.add_argument("--without", action="append", default=[], metavar="WAY", help="leave one out")
    given = options.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PATH"] = f"{ways.BIN}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
    adopt()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        classes = {12: folder / "class", 12 * given.copies: folder / "classes"}
        for number, path in classes.items():
            hand_in(path, number // 12)
        if "nbgrader" not in given.without:
            ways.release(classes[12], folder)
        runs = {(w, n): run for (w, n), run in all_runs(classes, folder).items() if w not in given.without}
        print(
            f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; load before: {os.getloadavg()[0]:.1f}",
            flush=True,
        )
        costs: dict[tuple[str, int], list[Cost]] = {key: [] for key in runs}
        memory, scores = {}, {}
        for turn in range(given.repeats + 1):
            for key, run in runs.items():
                cost, found = measured(run, watched=turn == 0)
                if turn == 0:
                    memory[key], scores[key] = cost.memory, found()
                else:
                    costs[key].append(cost)
                print(f"  {key[0]}, {key[1]}: {cost.seconds:.1f} s, {cost.processor:.1f} s of processor", flush=True)
        same(scores)
        print(table(costs, memory))


def adopt() -> None:
    """Become the parent of orphans below, so that `measured` counts their processor time too."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def all_runs(classes: dict[int, Path], folder: Path) -> dict[tuple[str, int], Callable[[], Callable[[], ways.Scores]]]:
    """What to run, by the name of the way and the number of submissions."""
    small = min(classes)
    runs: dict[tuple[str, int], Callable[[], Callable[[], ways.Scores]]] = {}
    runs["nbgrader", small] = lambda: ways.nbgrader(classes[small], folder)
    runs["pytest", small] = lambda: ways.here("pytest", classes[small], folder)
    for number, path in classes.items():
        for way in ("process", "fork"):
            runs[way, number] = lambda way=way, path=path: ways.here(way, path, folder)
        runs["one grading process", number] = lambda path=path: ways.ours(path, folder, "--jobs", "1")
        runs["ours", number] = lambda path=path: ways.ours(path, folder)
    return runs


def hand_in(target: Path, copies: int) -> None:
    """Twelve submissions, so many times each, no two with the same file."""
    sources = {"solution": {e: ROOT / "solutions" / f"{e}.py" for e in ways.CORE}}
    for student in STUDENTS:
        sources[student] = {e: ROOT / "examples" / "class" / student / f"{e}.py" for e in ways.CORE}
    for number in range(ALTERNATIVES):
        right = {e: sorted((ROOT / "tests" / "kit" / "alternatives" / e).glob("*.py")) for e in ways.CORE}
        sources[f"right{number}"] = {e: found[number % len(found)] for e, found in right.items()}
    for student, files in sources.items():
        for copy in range(copies):
            (target / f"{student}_{copy}").mkdir(parents=True)
            for exercise, path in files.items():
                if path.is_file():  # no two files alike, since ours would run such once
                    source = f"{path.read_text(encoding='utf-8')}\n# {student}, {copy}\n"
                    (target / f"{student}_{copy}" / f"{exercise}.py").write_text(source, encoding="utf-8")


def measured(run: Callable[[], Callable[[], ways.Scores]], watched: bool) -> tuple[Cost, Callable[[], ways.Scores]]:
    """Run it, wait for whatever it leaves behind, and say what all of that took."""
    peak, over = [0.0], threading.Event()
    watcher = threading.Thread(target=watch, args=(peak, over))
    if watched:
        watcher.start()
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    try:
        found = run()
    finally:
        over.set()
    seconds = time.perf_counter() - started
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if watched:
        watcher.join()
    return Cost(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak[0]), found


def watch(peak: list[float], over: threading.Event) -> None:
    """Keep the largest sum of proportional set sizes, in MB, of all processes below this one."""
    while not over.wait(0.2):
        peak[0] = max(peak[0], sum(proportional(pid) for pid in below(os.getpid())))


def below(pid: int) -> list[int]:
    """The processes that descend from this one."""
    try:
        children = [
            int(n) for task in Path(f"/proc/{pid}/task").iterdir() for n in (task / "children").read_text().split()
        ]
    except OSError:
        return []
    return [n for child in children for n in (child, *below(child))]


def proportional(pid: int) -> float:
    """A process's memory in MB, pages that it shares counted in part; 0 once it is gone."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1024


def same(scores: dict[tuple[str, int], ways.Scores]) -> None:
    """End with an error unless all ways gave the same scores."""
    first = next(iter(scores.values()))
    for (way, _), found in scores.items():
        for student, by_exercise in found.items():
            expected = first[f"{student.rpartition('_')[0]}_0"]
            for exercise, score in by_exercise.items():
                if abs(score - expected[exercise]) > 0.001:
                    raise SystemExit(f"{way} gives {student} {score} for {exercise}, not {expected[exercise]}")
    print(f"All ways gave the same scores: {len(first)} submissions, {len(ways.CORE)} exercises each.")


NAMES = {
    "nbgrader": "nbgrader autograde", "pytest": "one pytest process each", "process": "one process, no isolation",
    "fork": "a bare fork each, no isolation", "one grading process": "ours, one grading process",
    "ours": "ours, default settings",
}  # fmt: skip


def table(costs: dict[tuple[str, int], list[Cost]], memory: dict[tuple[str, int], float]) -> str:
    """Seconds and processor seconds a submission, how they compare, and memory; as Markdown."""
    each = {
        (way, n): (
            statistics.median(c.seconds for c in found) / n,
            statistics.median(c.processor for c in found) / n,
        )
        for (way, n), found in costs.items()
    }
    slow = {way: next((v[0] for (w, _), v in each.items() if w == way), None) for way in ("nbgrader", "pytest")}
    lines = [
        "| way | submissions | s each | nbgrader / it | pytest / it | processor s each | it / bare fork | MB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (way, n), (seconds, processor) in each.items():
        ratios = [f"{slow[w] / seconds:.1f}" if slow[w] else "" for w in ("nbgrader", "pytest")]
        fork = each.get(("fork", n))
        price = f"{processor / fork[1]:.2f}" if fork else ""
        cells = [NAMES[way], str(n), f"{seconds:.3f}", *ratios, f"{processor:.3f}", price, f"{memory[way, n]:.0f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", *marginal(each)])


def marginal(each: dict[tuple[str, int], tuple[float, float]]) -> list[str]:
    """What one more submission takes, start-up left out: from the difference between the two sizes."""
    lines = []
    for way in ("process", "fork", "one grading process", "ours"):
        sizes = sorted(n for w, n in each if w == way)
        if len(sizes) == 2:
            few, many = sizes
            more = [(each[way, many][i] * many - each[way, few][i] * few) / (many - few) for i in (0, 1)]
            lines.append(f"one more submission, {NAMES[way]}: {more[0]:.3f} s, {more[1]:.3f} s of processor")
    return lines


if __name__ == "__main__":
    main()
