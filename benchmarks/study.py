"""From the last keystroke to the verdict on the page of `grader study`, in a real Chromium.

    python benchmarks/study.py [--times 40] [--exercise softmax] [--unit 1]

A wrong solution and the right one are typed in turns into the editor. Measured is the time from the keystroke until the
page shows the verdict: the pause that the page waits for, the save, the check, the answer. Printed: the time until the
page can be written in, then median, 95th percentile and longest.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "kit")]

from browser import launched
from studying import Study


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--times", type=int, default=40)
    options.add_argument("--exercise", default="softmax")
    options.add_argument("--unit", default="1")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("course.yaml", "exercises", "languages", "lessons", "solutions", "tests/hidden"):
            target = Path(folder) / name
            target.parent.mkdir(exist_ok=True)
            (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, target)
        started = time.perf_counter()
        study = Study(Path(folder), "--port", "0")
        for browser in launched():
            measure(study, browser.new_page(), given, started)
        study.end()


def measure(study: Study, page, given: argparse.Namespace, started: float) -> None:
    """Type, wait, print."""
    right = (study.course / "solutions" / f"{given.exercise}.py").read_text(encoding="utf-8")
    wrong = right.replace("return", "return 0 *", 1)
    page.goto(study.address)
    page.goto(f"{study.origin}/unit/{given.unit}")
    editor = page.locator(f"#{given.exercise} .cm-content")
    editor.wait_for()
    print(f"until the page can be written in: {time.perf_counter() - started:.2f} s")
    page.locator("[data-fetch] article").first.wait_for()
    taken = []
    for number in range(given.times + 2):
        source, state = (right, "passed") if number % 2 else (wrong, "failed")
        editor.click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(source)
        since = time.perf_counter()
        page.locator(f"#{given.exercise} [data-pill].{state}").wait_for()
        taken.append(time.perf_counter() - since)
        time.sleep(0.2)
    taken = sorted(taken[2:])  # the first two load what is loaded once
    middle, late = statistics.median(taken), taken[int(0.95 * len(taken))]
    print(f"{given.exercise}, {len(taken)} times: median {middle:.3f} s, 95 % {late:.3f} s, longest {taken[-1]:.3f} s")


if __name__ == "__main__":
    main()
