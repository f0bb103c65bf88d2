"""Where the processor time of one submission goes, and the floor below which no grader of this kind can get.

    python benchmarks/where.py [--students 30] [--submission solutions]

Grades one submission again and again on one grading process, on one core, the six core exercises, and reads from
/proc what it, the worker pool (which forks) and the workers took. The floor: the student's own functions called
directly, and one fork of a process that has loaded torch, which dies at once. Between the two: what the calls of all
checks take in six forked processes with nothing around them, the first time, when each page that is written to has to
be copied, and again. Then what comes once: the suites of the whole course, and their rehearsal under one seed. Linux
only.
"""

import argparse
import itertools
import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

from bench import below
from same_checks import CORE, SEED, Checks, Direct, functions_of
from scale import resident

from grader.batch.grading_processes import ForkServer
from grader.course import course as courses
from grader.intake import load
from grader.sandbox.processes import CallFunction, RunOptions
from grader.sandbox.worker.worker import Session
from grader.suites.runner import Suites
from grader.suites.target import Call, Outcome

TICK = os.sysconf("SC_CLK_TCK")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--students", type=int, default=30)
    options.add_argument("--submission", type=Path, default=ROOT / "solutions")
    given = options.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f}")
    print("| | processor ms | of it in the kernel | page faults |\n|---|---|---|---|")
    graded(given.submission, given.students)
    replayed(given.submission)
    floor(given.submission)
    start_up()


def graded(folder: Path, students: int) -> None:
    """What the processes of one grading process take for a submission."""
    course = courses.load(ROOT)
    submission = load(folder, course, CORE)
    environment = {k: os.environ[k] for k in ("PATH", "LD_LIBRARY_PATH") if k in os.environ}
    fork_server, core = ForkServer(environment, confined=True), min(os.sched_getaffinity(0))
    try:
        process = fork_server.grading_process(course, RunOptions("cpu", CORE, "benchmark"), core)
        for _ in range(2):  # the second finds workers that are prepared for what the first rehearsed
            process.grade(submission, "", SEED)
        pool_pid, grading_pid = process._forked
        time.sleep(0.5)  # for its workers to be gone
        rest = [pool_pid, *(pid for pid in below(pool_pid) if resident(pid))]
        before = {pid: used(pid) for pid in (grading_pid, *rest)}
        taken = []
        for _ in range(students):
            started = time.perf_counter()
            process.grade(submission, "", SEED)
            taken.append(time.perf_counter() - started)
        time.sleep(0.5)  # for the last worker to be reaped
        after = {pid: used(pid) for pid in before}
    finally:
        fork_server.close()
    more = {pid: [(b - a) / students for a, b in zip(before[pid], after[pid], strict=True)] for pid in before}
    show("grading process: suites, comparing, talking", more[grading_pid][:3])
    show("worker pools: forking six workers", [sum(more[pid][i] for pid in rest) for i in range(3)])
    show("workers: confine, load, run, die", [sum(more[pid][i] for pid in rest) for i in range(3, 6)])
    show("together", [sum(numbers[i] + numbers[i + 3] for numbers in more.values()) for i in range(3)])
    print(f"| sandbox, one grading process: {1000 * statistics.median(taken):.0f} ms (median of {students}) | | | |")


def used(pid: int) -> list[float]:
    """User and kernel ms and page faults of a process, then of its children that have died."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    user, kernel, dead_user, dead_kernel = (1000 * int(n) / TICK for n in fields[11:15])
    return [user + kernel, kernel, int(fields[7]), dead_user + dead_kernel, dead_kernel, int(fields[8])]


def replayed(folder: Path, repeats: int = 10) -> None:
    """What six forked processes take for the calls of all checks, in which nothing else happens."""
    sources, requests, course = {}, {}, courses.load(ROOT)
    suites = Suites({i: course.suite(i) for i in CORE}, {i: course.solution(i) for i in CORE})
    for exercise in CORE:
        calls = [known.call for answers in suites.rehearsed(exercise, SEED).values() for known in answers]
        requests[exercise] = [(call.encoded[0], call.packed.payload) for call in calls if not call.given]
        sources[exercise] = (folder / f"{exercise}.py").read_text(encoding="utf-8")
    passes: list[list[list[float]]] = [[], [], []]
    for _ in range(repeats):
        sums = [[0.0] * 3 for _ in passes]
        for exercise in CORE:
            for taken, more in zip(sums, in_a_child(sources[exercise], exercise, requests[exercise]), strict=True):
                taken[:] = [a + b for a, b in zip(taken, more, strict=True)]
        for kept, taken in zip(passes, sums, strict=True):
            kept.append(taken)
    count = sum(map(len, requests.values()))
    for what, kept in zip(("loading six files", f"{count} calls, the first time", "again"), passes, strict=True):
        show(f"replayed: {what}", [statistics.median(row[i] for row in kept) for i in range(3)])


def in_a_child(source: str, exercise: str, requests: Sequence[tuple[CallFunction, bytes]]) -> list[list[float]]:
    """Processor ms, kernel ms and page faults of loading a file, of its calls, and of the same calls again."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        marks = [resource.getrusage(resource.RUSAGE_SELF)]
        session = Session(functions_of(source, exercise))
        marks.append(resource.getrusage(resource.RUSAGE_SELF))
        for _ in range(2):
            for request, payload in requests:
                session.answer(request, bytearray(payload))
            marks.append(resource.getrusage(resource.RUSAGE_SELF))
        told = [(1000 * (m.ru_utime + m.ru_stime), 1000 * m.ru_stime, m.ru_minflt) for m in marks]
        os.write(writing, json.dumps(told).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        rows = json.loads(file.read())
    os.wait()
    return [[b - a for a, b in zip(*pair, strict=True)] for pair in itertools.pairwise(rows)]


def floor(folder: Path) -> None:
    """The student's own functions, and a fork that dies at once."""
    calls: list[tuple[dict[str, object], Call]] = []

    class Noting(Direct):
        def call(self, call: Call) -> Outcome:
            if not (call.gradients or call.watch or call.contract):
                calls.append((self._functions, call))
            return super().call(call)

    for exercise in CORE:
        functions = functions_of((folder / f"{exercise}.py").read_text(encoding="utf-8"), exercise)
        checks = Checks(exercise)
        checks.rehearse()
        checks.score(functions, Noting(functions))
    times = []
    for _ in range(10):
        started = time.process_time()
        for functions, call in calls:
            try:
                functions[call.function](*call.args, **call.kwargs)
            except Exception:
                continue
        times.append(1000 * (time.process_time() - started))
    show(f"floor: {len(calls)} plain calls, direct", [statistics.median(times), 0, 0])
    forks = []
    for _ in range(20):
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.process_time()
        child = os.fork()
        if child == 0:
            os._exit(0)
        forking = 1000 * (time.process_time() - started)
        os.waitpid(child, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        died = 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        forks.append([forking + died, forking + died, after.ru_minflt - before.ru_minflt])
    show("floor: one fork that dies at once", [statistics.median(f[i] for f in forks) for i in range(3)])


def start_up() -> None:
    """What a grading process does once for a course, and once for a seed."""
    course = courses.load(ROOT)
    ids = [e.id for e in course.exercises if e.kind == "code"]
    suites = Suites({i: course.suite(i) for i in ids}, {i: course.solution(i) for i in ids})
    for what, work in (("loaded", suites.__getitem__), ("rehearsed", lambda i: suites.rehearsed(i, SEED))):
        started = time.process_time()
        for i in ids:
            work(i)
        show(f"once: {len(ids)} suites {what}", [1000 * (time.process_time() - started), 0, 0])


def show(what: str, numbers: list[float]) -> None:
    processor, kernel, faults = numbers
    print(f"| {what} | {processor:.1f} | {kernel:.1f} | {faults:.0f} |", flush=True)


if __name__ == "__main__":
    main()
