"""How a batch grows: seconds and megabytes for 100, 1,000 and 10,000 submissions, and whether anything is left behind.

    python benchmarks/scale.py [SIZES ...] [--jobs N]      100 1000 10000 unless told

To keep the largest run short, one cheap exercise is graded, causal_mask; what is looked for (memory, descriptors,
processes, temporary files, a rate that sinks) does not depend on which. Every third submission is wrong and gets a
diagnosis, and no two are equal. "ms each" counts from the first outcome to the 100th, and over the last 1,000. Memory
is resident: of the command line at the 100th outcome, at the last, and at most until it has ended (it then writes the
page of the class); of all other processes together, pages that they share counted each time. Linux only.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench import below

ROOT = Path(__file__).resolve().parent.parent
WARM_UP = 100
EXERCISE = "causal_mask"


@dataclass(frozen=True)
class Sight:
    """What can be seen of a running batch: MB of the command line, MB of the rest, descriptors, processes."""

    parent: float
    rest: float
    descriptors: int
    processes: int


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("sizes", nargs="*", type=int, default=[100, 1000, 10000])
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    given = options.parse_args()
    head = (
        "submissions", "s", "ms each, first 100", "ms each, last", "MB at 100th", "MB at last", "MB at most",
        "MB of the rest", "descriptors", "processes", "temporary files left",
    )  # fmt: skip
    print(f"{EXERCISE}, {given.jobs} grading processes; load before: {os.getloadavg()[0]:.1f}", flush=True)
    print(f"| {' | '.join(head)} |\n{'|---' * len(head)}|", flush=True)
    for size in given.sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            hand_in(folder / "submissions", size)
            print(f"| {' | '.join(graded(folder, given.jobs, size))} |", flush=True)


def hand_in(folder: Path, size: int) -> None:
    """Submissions, no two alike: twice the solution, then one whose queries come first instead of last."""
    right = (ROOT / "solutions" / f"{EXERCISE}.py").read_text(encoding="utf-8")
    wrong = right.replace("arange(kv_len - q_len, kv_len,", "arange(0, q_len,")
    assert wrong != right
    for number in range(size):
        path = folder / f"s{number:06}"
        path.mkdir(parents=True)
        source = wrong if number % 3 == 2 else right
        (path / f"{EXERCISE}.py").write_text(f"# submission {number}\n{source}", encoding="utf-8")


def graded(folder: Path, jobs: int, size: int) -> list[str]:
    """One batch: a row of the table."""
    temporary = folder / "temporary"
    temporary.mkdir()
    environment = {**os.environ, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(temporary))}
    command = [sys.executable, "-m", "grader", "grade", folder / "submissions", "--out", folder / "results"]
    command += ["--exercise", EXERCISE, "--jobs", str(jobs), "--json-lines", "--seed", "7"]
    started = time.perf_counter()
    batch = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    assert batch.stdout is not None
    times, sights = [], {}
    for number, _ in enumerate(batch.stdout, 1):
        times.append(time.perf_counter())
        if number in (WARM_UP, size):
            sights[number] = seen(batch.pid)
    most = sights[size].parent
    while batch.poll() is None:
        most = max(most, resident(batch.pid))
        time.sleep(0.05)
    if batch.returncode != 0 or len(times) != size:
        raise SystemExit(f"{len(times)} of {size} graded, exit code {batch.returncode}")
    seconds = time.perf_counter() - started
    early, late = sights[WARM_UP], sights[size]
    tail = min(1000, size - 1)
    each = (times[WARM_UP - 1] - times[0]) / (WARM_UP - 1), (times[-1] - times[-1 - tail]) / tail
    leftover = sum(1 for _ in temporary.rglob("*"))
    numbers = [f"{seconds:.1f}", *(f"{1000 * e:.1f}" for e in each), f"{early.parent:.1f}", f"{late.parent:.1f}"]
    numbers.append(f"{most:.1f}")
    more = [f"{early.rest:.0f} to {late.rest:.0f}", f"{early.descriptors} to {late.descriptors}"]
    return [str(size), *numbers, *more, f"{early.processes} to {late.processes}", str(leftover)]


def seen(pid: int) -> Sight:
    """The batch as it is now."""
    started = [p for p in below(pid) if resident(p)]
    descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return Sight(resident(pid), sum(map(resident, started)), descriptors, len(started))


def resident(pid: int) -> float:
    """A process's resident memory in MB; 0 once it is gone."""
    try:
        return (
            int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20
        )
    except OSError:
        return 0.0


if __name__ == "__main__":
    main()
