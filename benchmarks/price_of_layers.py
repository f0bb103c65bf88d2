"""What the sandbox costs: the same honest submission with all layers and with the process boundary alone, in turns.

    python benchmarks/price_of_layers.py [--students 60] [--seed 1]

Both are warm and grade the solutions under one seed, one right after the other, in changing order, so that whatever
else the machine does hits both alike. Printed: seconds a submission (medians), their ratio, whose target is at most
1.25.
"""

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.batch.grading_processes import ForkServer, GradingProcess
from grader.course import course as courses
from grader.intake import Submission, load
from grader.report.report import Report
from grader.sandbox.processes import RunOptions

NAMES = ("all layers", "process boundary alone")


def seconds(process: GradingProcess, submission: Submission, seed: int) -> float:
    """One submission's wall time."""
    started = time.perf_counter()
    report = Report.from_json(process.grade(submission, "", seed))
    taken = time.perf_counter() - started
    if report.score != report.max_score:
        raise SystemExit(f"a solution got {report.score} of {report.max_score}")
    return taken


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--students", type=int, default=60)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    course = courses.load(ROOT)
    submission = load(ROOT / "solutions", course)
    environment = {k: os.environ[k] for k in ("PATH", "LD_LIBRARY_PATH") if k in os.environ}
    fork_servers = [ForkServer(environment, confined) for confined in (True, False)]
    try:
        run = RunOptions("cpu", (), "benchmark")
        processes = [server.grading_process(course, run) for server in fork_servers]
        print(f"layers: {', '.join(processes[0].isolation)}; against: {', '.join(processes[1].isolation) or 'none'}")
        for process in processes:
            seconds(process, submission, chosen.seed)  # the answers of a seed are computed once
        taken: list[list[float]] = [[], []]
        for number in range(chosen.students):
            for which in (0, 1) if number % 2 else (1, 0):
                taken[which].append(seconds(processes[which], submission, chosen.seed))
    finally:
        for server in fork_servers:
            server.close()
    for name, times in zip(NAMES, taken, strict=True):
        print(f"{name}: {statistics.median(times) * 1000:.0f} ms a submission (fastest {min(times) * 1000:.0f} ms)")
    ratios = {
        "of the medians": statistics.median(taken[0]) / statistics.median(taken[1]),
        "in pairs": statistics.median(a / b for a, b in zip(*taken, strict=True)),
        "of the fastest": min(taken[0]) / min(taken[1]),
    }
    print("ratio:", ", ".join(f"{value:.3f} {name}" for name, value in ratios.items()))
    print(f"load average: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
