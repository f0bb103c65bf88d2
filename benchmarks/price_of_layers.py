"""What the sandbox costs: the same honest class graded with all layers and with the process wall alone, in turns.

    python benchmarks/price_of_layers.py [--students 60] [--rounds 5]

Both runs grade copies of the solutions under one seed, on the same machine, one right after the other; the order
changes from round to round. The figure is the median of the rounds' ratios; the target is at most 1.25.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WALLS = {"all layers": [], "process wall alone": ["--unsafe-no-sandbox"]}


def seconds(submissions: Path, results: Path, jobs: int, wall: list[str]) -> tuple[float, float]:
    """Wall time and processor time of one run."""
    command = [sys.executable, "-m", "grader.cli", "grade", submissions, "--out", results, "--course", ROOT]
    command += ["--seed", "1", "--device", "cpu", "--jobs", str(jobs), *wall]
    started = time.perf_counter()
    program = subprocess.Popen([os.fspath(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(program.pid, 0)
    if status:
        raise SystemExit(f"grading failed: {' '.join(map(str, command))}")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--students", type=int, default=60)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = options.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        submissions = Path(folder, "submissions")
        for index in range(chosen.students):
            shutil.copytree(
                ROOT / "solutions", submissions / f"s{index:03}", ignore=shutil.ignore_patterns("__pycache__")
            )
        for number in range(chosen.rounds):
            taken = {}
            for name in sorted(WALLS, reverse=bool(number % 2)):
                results = Path(folder, f"{number}-{name}")
                taken[name] = seconds(submissions, results, chosen.jobs, WALLS[name])
            (wall, _), (alone, _) = taken["all layers"], taken["process wall alone"]
            ratios.append(wall / alone)
            figures = ", ".join(f"{name} {a:.2f} s" for name, (a, _) in taken.items())
            print(f"round {number + 1}: {figures}; ratio {ratios[-1]:.3f}", flush=True)
    print(f"median ratio {statistics.median(ratios):.3f}; load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
