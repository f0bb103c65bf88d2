"""Kills of a batch at random moments, and whether it ends with the reports of an undisturbed run all the same.

    python benchmarks/kills.py [--kills 50] [--students 300] [--seed 1]

The class of tests/kit/batch/test_killed.py (toy course: right, wrong, raising, slow), graded once in one go and
once with SIGKILL or Ctrl-C again and again, a fifth of them while a run starts. Takes some minutes. Linux only.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "kit"), str(ROOT / "tests" / "kit" / "batch")]

from test_killed import undisturbed_and_killed


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kills", type=int, default=50)
    options.add_argument("--students", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        dice = random.Random(given.seed)
        amid, equal = undisturbed_and_killed(Path(folder), given.students, given.kills, dice)
    print(f"{given.kills} kills, {amid} of them while the batch ran, {time.monotonic() - started:.0f} s")
    print(f"{given.students} reports and the summary: {'equal' if equal else 'NOT EQUAL'}")
    sys.exit(not equal)


if __name__ == "__main__":
    main()
