"""`grader check` as a learner runs it, beside `import torch`: one table row a way, medians of turns one after another.

python benchmarks/check.py [--repeats N]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GRADER = [sys.executable, "-m", "grader"]


def seconds(*command: str, cwd: Path) -> float:
    started = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return time.perf_counter() - started


def fresh(course: Path) -> Path:
    """The course as it is cloned, stubs and all."""
    shutil.rmtree(course, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        if name.startswith(("course.yaml", "exercises/", "solutions/", "tests/hidden/", "lessons/")):
            (course / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, course / name)
    return course


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        course = fresh(Path(folder) / "course")
        seconds(*GRADER, "check", cwd=course)  # Python keeps what it compiles
        for _ in range(repeats):
            fresh(course)

            def took(way: str, *command: str) -> None:
                found.setdefault(way, []).append(seconds(*command, cwd=course))

            took("import torch", sys.executable, "-c", "import torch")
            took("untouched, the first time", *GRADER, "check")
            took("untouched, again", *GRADER, "check")
            shutil.copy(ROOT / "solutions" / "softmax.py", course / "exercises")
            took("one exercise begun", *GRADER, "check")
            took("that one alone", *GRADER, "check", "softmax")
            took("a hint", *GRADER, "hint", "softmax")
            took("solved", *GRADER, "check", "--dir", "solutions")
    base = statistics.median(found["import torch"])
    print("| | s | of `import torch` |\n|---|---|---|")
    for way, times in found.items():
        print(f"| {way} | {statistics.median(times):.2f} | {statistics.median(times) / base:.2f} |")


if __name__ == "__main__":
    main()
