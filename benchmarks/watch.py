"""From a save to its verdict on the screen, in `grader watch` on a pseudo-terminal; and what many saves leave behind.

    python benchmarks/watch.py [--saves 200] [--exercise attention]

A wrong file and the solution are saved in turns, each through a rename, as editors do. Measured is the time from the
rename until the terminal holds the verdict. Printed: median, 95th percentile and longest; then the processes, the
open files and the resident memory of the watch and all it started, early on and at the end (Linux only).
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "kit")]

from support import descendants
from terminal import Terminal

EARLY = 10


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--saves", type=int, default=200)
    options.add_argument("--exercise", default="attention")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("course.yaml", "exercises", "solutions", "tests/hidden"):
            source, target = ROOT / name, Path(folder) / name
            target.parent.mkdir(exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
        measure(Path(folder), given.exercise, given.saves)


def measure(course: Path, exercise: str, saves: int) -> None:
    """Save, wait, print."""
    right = (course / "solutions" / f"{exercise}.py").read_text(encoding="utf-8")
    wrong = right.replace("return", "return None and", 1)
    terminal = Terminal(course, "watch", "--seed", "1")
    terminal.wait_for("checked at", seconds=60)
    taken, early = [], {}
    for number in range(saves):
        source, sign = (right, "✔") if number % 2 else (wrong, "✘")
        terminal.forget()
        started = time.perf_counter()
        terminal.save(source, f"{exercise}.py")
        terminal.wait_for(f"{sign} {exercise}")
        taken.append(time.perf_counter() - started)
        if number == EARLY:
            early = used(terminal.process.pid)
        time.sleep(0.1)
    late = used(terminal.process.pid)
    terminal.press("q")
    code = terminal.end()
    taken.sort()
    print(f"{exercise}, {saves} saves: median {statistics.median(taken):.3f} s, 95 % below ", end="")
    print(f"{taken[int(0.95 * saves) - 1]:.3f} s, longest {taken[-1]:.3f} s; exit code {code}")
    for what, before in early.items():
        print(f"{what}: {before} after {EARLY} saves, {late[what]} after {saves}")


def used(pid: int) -> dict[str, int]:
    """Processes, open files and resident memory (MB) of a process and all below it."""
    if sys.platform != "linux":
        return {}
    pids = [pid, *descendants(pid)]
    files = sum(len(os.listdir(f"/proc/{p}/fd")) for p in pids)
    pages = sum(int(Path(f"/proc/{p}/statm").read_text().split()[1]) for p in pids)
    return {"processes": len(pids), "open files": files, "resident MB": pages * os.sysconf("SC_PAGE_SIZE") >> 20}


if __name__ == "__main__":
    main()
