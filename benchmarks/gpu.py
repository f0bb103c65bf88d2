"""The same exam on CUDA as on the CPU: right and wrong files on both; writes the CUDA columns of three pages.

    make cuda
    python benchmarks/gpu.py --rehearse --exercise softmax --students 4

The tests marked `cuda` come first, with the attacks. Then solutions and alternatives are graded in confined workers on
both devices, and misconceptions run in this process, for they are ours. Last, fifty submissions are graded on the CPU,
on both, and by two grading processes that share the card. With --rehearse the CPU takes the place of the GPU, no test
runs and nothing is written: it only tries what this script does.
"""

import argparse
import contextlib
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.batch.grading_processes import ForkServer, GradingProcess
from grader.course import Course
from grader.course import course as courses
from grader.intake import Source, Submission, load
from grader.report.report import Check, Report
from grader.sandbox.processes import RunOptions
from grader.suites import LocalTarget, Suites

ALTERNATIVES = ROOT / "tests" / "kit" / "alternatives"
PAGES = ("judgement", "threat-model", "performance")
BLOCK = re.compile(r"<!-- cuda -->\n.*?<!-- end of cuda -->", re.DOTALL)
SEED = 1
FINE = ("passed", "skipped")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rehearse", action="store_true")
    options.add_argument("--exercise", action="append", default=[])
    options.add_argument("--students", type=int, default=50)
    chosen = options.parse_args()
    if not chosen.rehearse and not torch.cuda.is_available():
        raise SystemExit("no CUDA device here: run `make cuda` on a machine with an NVIDIA GPU and its driver")
    course = courses.load(ROOT)
    ids = [e.id for e in course.exercises if e.kind == "code" and e.id in (chosen.exercise or [e.id])]
    where = "the CPU in a GPU's place" if chosen.rehearse else torch.cuda.get_device_name()
    where += f", torch {torch.__version__}"
    tested = "Not run: this is a rehearsal." if chosen.rehearse else tests()
    with both_ways(course, ids, chosen.rehearse) as (cpu, cuda, second):
        judged = judgement(course, ids, cuda)
        solutions = load(ROOT / "solutions", course)
        speed = performance(solutions, cpu, cuda, second, chosen.students)
    judged += misconceptions(course, ids, "cpu" if chosen.rehearse else "cuda")
    tables = {
        "judgement": table(("tried", "on the CPU", "on CUDA"), judged),
        "threat-model": tested,
        "performance": table(("way", "seconds a submission"), speed),
    }
    for page in PAGES:
        text = f"Measured by `make cuda` on {where}, {time.strftime('%Y-%m-%d')}.\n\n{tables[page]}\n"
        print(f"\n# {page}\n{text}")
        if not chosen.rehearse:
            publish(ROOT / "docs" / f"{page}.md", text)


def tests() -> str:
    """Runs the tests marked `cuda`, among them every attack; what came out, as a table."""
    command = [sys.executable, "-m", "pytest", "-m", "cuda", "-rfE", "--tb=short", "tests/kit"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print(run.stdout, run.stderr)
    lines = run.stdout.splitlines() or [f"exit code {run.returncode}"]
    failed = [line.split(" - ")[0].split(" ", 1)[1] for line in lines if line.startswith(("FAILED ", "ERROR "))]
    rows = [("tests marked `cuda`, with every attack", lines[-1].strip("= "))]
    return table(("what was run", "what came out"), [*rows, *((f"`{name}`", "does not hold") for name in failed)])


def publish(page: Path, text: str) -> None:
    """Put the text between the page's two marks."""
    block, before = f"<!-- cuda -->\n{text}<!-- end of cuda -->", page.read_text(encoding="utf-8")
    written, count = BLOCK.subn(lambda _: block, before)
    if count != 1:
        raise SystemExit(f"{page}: needs the marks <!-- cuda --> and <!-- end of cuda -->, once each")
    page.write_text(written, encoding="utf-8")


@contextlib.contextmanager
def both_ways(course: Course, ids: Sequence[str], rehearse: bool) -> Iterator[tuple[GradingProcess, ...]]:
    """A grading process on the CPU, and two that share the card."""
    kept = ("PATH", "LD_LIBRARY_PATH")
    server = ForkServer({k: os.environ[k] for k in kept if k in os.environ}, confined=True)
    cpu = RunOptions("cpu", tuple(ids), "benchmark")
    cuda = RunOptions("cpu" if rehearse else "cuda", tuple(ids), "benchmark", one_worker=rehearse)
    try:
        yield tuple(server.grading_process(course, run) for run in (cpu, cuda, cuda))
    finally:
        server.close()


def judgement(course: Course, ids: Sequence[str], process: GradingProcess) -> list[tuple[str, ...]]:
    """The solutions, and every other right file, on both devices."""
    rows: list[tuple[str, ...]] = []
    for kind, folder, several in (("solutions", ROOT / "solutions", False), ("alternatives", ALTERNATIVES, True)):
        files = [(i, p) for i in ids for p in sorted(folder.glob(f"{i}/*.py" if several else f"{i}.py"))]
        checks = {(i, path): graded(process, i, path) for i, path in files}
        here = sum(all(c.cuda or c.verdict in FINE for c in found) for found in checks.values())
        wrong = [f"{i}/{path.stem}" for (i, path), found in checks.items() if not all(c.verdict in FINE for c in found)]
        missed = f"; not: {', '.join(wrong)}" if wrong else ""
        there = f"{len(files) - len(wrong)} of {len(files)} full marks{missed}"
        rows.append((kind, f"{here} of {len(files)} full marks", there))
    return rows


def graded(process: GradingProcess, exercise: str, path: Path) -> tuple[Check, ...]:
    """The checks of one right file."""
    submission = Submission("s", {exercise: Source(path.read_text(encoding="utf-8"))})
    report = Report.from_json(process.grade(submission, "", SEED, [exercise]))
    (found,) = report.exercises
    if not found.checks:
        raise SystemExit(f"{path}: {found.status}: {found.reason}")
    return found.checks


def misconceptions(course: Course, ids: Sequence[str], device: str) -> list[tuple[str, ...]]:
    """Every known mistake, and of them those that only a GPU shows, by device; trusted code, in this process."""
    hidden, solved = ({i: find(i) for i in ids} for find in (course.suite, course.solution))
    places = [Suites(hidden, solved, place) for place in ("cpu", device)]
    caught, by_device, count = [0, 0], [0, 0], 0
    for exercise in ids:
        for place, suites in enumerate(places):
            suite = suites[exercise]
            for known in suite.misconceptions:
                target = LocalTarget({**suite.reference, **known.functions})
                failed = [r.id for r in suites.run(exercise, target, SEED) if r.verdict not in FINE]
                caught[place] += bool(failed)
                by_device[place] += bool(failed) and all("device" in name for name in failed)
                count += not place
    rows = [("misconceptions", *(f"{n} of {count} caught" for n in caught))]
    return [*rows, ("of these by the device checks alone", *map(str, by_device))]


def performance(
    solutions: Submission, cpu: GradingProcess, cuda: GradingProcess, second: GradingProcess, students: int
) -> list[tuple[str, ...]]:
    """The solutions as often as there are students, one after another and by two at once."""
    for process in (cpu, cuda, second):
        timed(process, solutions, 1)  # what a process does once
    alone = {"CPU": cpu, "CPU, then CUDA": cuda}
    rows = [(name, f"{timed(process, solutions, students):.3f}") for name, process in alone.items()]
    halves = [threading.Thread(target=timed, args=(p, solutions, students // 2)) for p in (cuda, second)]
    started = time.perf_counter()
    for half in halves:
        half.start()
    for half in halves:
        half.join()
    shared = (time.perf_counter() - started) / (students // 2 * 2)
    return [*rows, (f"CPU, then CUDA, {students} students, two processes on one card", f"{shared:.3f}")]


def timed(process: GradingProcess, solutions: Submission, times: int) -> float:
    """The median of so many, each of which must have full marks."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        report = Report.from_json(process.grade(solutions, "", SEED))
        taken.append(time.perf_counter() - started)
        if report.score != report.max_score:
            raise SystemExit(f"the solutions got {report.score} of {report.max_score}")
    return statistics.median(taken)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows as Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


if __name__ == "__main__":
    main()
