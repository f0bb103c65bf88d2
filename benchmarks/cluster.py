"""The rate of a Dask cluster of two workers on this machine, beside that of two local grading processes, in turns.

    python benchmarks/cluster.py [--copies 8] [--repeats 3]      needs the extra `cluster`

Grades copies of the class of `bench.py` on the six core exercises. A rate counts from the tenth outcome to the last,
so that start-up (here: one; there: every worker's) is left out. The aim is a rate within 15 % of the local one.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bench
import ways

FIRST = 10


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--copies", type=int, default=8)
    options.add_argument("--repeats", type=int, default=3)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench.hand_in(folder / "class", given.copies)
        file = folder / "scheduler.json"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
        local = ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
        worker = ["--nworkers", "2", "--nthreads", "1", "--no-dashboard", "--local-directory", name]
        started = [
            subprocess.Popen([ways.BIN / "dask", "scheduler", *local, "--scheduler-file", file], **quiet),
            subprocess.Popen([ways.BIN / "dask", "worker", *worker, "--scheduler-file", file], **quiet),
        ]
        rates: dict[str, list[float]] = {"two grading processes here": [], "two Dask workers": []}
        try:
            while not file.exists():
                time.sleep(0.1)
            time.sleep(5)  # for the workers to register
            for turn in range(given.repeats):
                for way, more in (
                    ("two grading processes here", ["--jobs", "2"]),
                    ("two Dask workers", ["--cluster", str(file)]),
                ):
                    rates[way].append(rate(folder / "class", folder / f"{turn} {way}", more))
                    print(f"  {way}: {rates[way][-1]:.2f} a second", flush=True)
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait(30)
    here, there = (statistics.median(found) for found in rates.values())
    print(f"medians: {here:.2f} a second here, {there:.2f} on the cluster: {there / here:.2f} of it")


def rate(submissions: Path, out: Path, more: list[str]) -> float:
    """Submissions a second, once all is under way."""
    chosen = [word for exercise in ways.CORE for word in ("--exercise", exercise)]
    command = [sys.executable, "-m", "grader", "grade", submissions, "--out", out, "--json-lines", "--seed", "7"]
    with subprocess.Popen([*command, *chosen, *more], cwd=ways.ROOT, stdout=subprocess.PIPE) as batch:
        assert batch.stdout is not None
        times = [time.perf_counter() for _ in batch.stdout]
    expected = len(os.listdir(submissions))
    if batch.returncode or len(times) != expected:
        raise SystemExit(f"{len(times)} of {expected} graded, exit code {batch.returncode}")
    return (len(times) - FIRST) / (times[-1] - times[FIRST - 1])


if __name__ == "__main__":
    main()
