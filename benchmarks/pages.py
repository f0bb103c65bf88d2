"""How long the page of a class takes in headless Chromium: to write, to load, to sort, to filter, to open a student.

    python benchmarks/pages.py [STUDENTS ...]      from the root of the repository; 12 and 5000 unless told

Grades examples/class once, multiplies its reports with scores and mistakes shuffled, and drives the page through
Playwright. Needs the extra `pages` and Chromium (CHROMIUM=/path/to/it where it is not found).
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from msgspec.structs import replace
from playwright.sync_api import Page, sync_playwright

from grader.course import course as courses
from grader.rendering.pages import class_page
from grader.report.report import Report, total

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"  # after the next frame


def main(sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        options = ["--out", str(folder / "graded"), "--quiet", "--seed", "7"]
        command = [sys.executable, "-m", "grader", "grade", "examples/class", *options]
        if (code := subprocess.run(command, cwd=ROOT).returncode) not in (0, 1):  # 1: of one nothing could be used
            sys.exit(f"grader grade ended with exit code {code}")
        reports = [Report.from_json(p.read_text()) for p in sorted((folder / "graded" / "reports").glob("*.json"))]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        print("| students | page | write | load | sort | filter | search | open |")
        print("|---|---|---|---|---|---|---|---|")
        for size in sizes:
            results = multiplied(reports, size, folder / str(size))
            start = time.perf_counter()
            path = class_page.write(results, courses.find(ROOT), "en")
            written = time.perf_counter() - start
            took = " | ".join(f"{seconds:.2f} s" for seconds in driven(browser.new_page(), path))
            print(f"| {size} | {path.stat().st_size / 1e6:.1f} MB | {written:.2f} s | {took} |", flush=True)
        browser.close()


def multiplied(reports: list[Report], size: int, folder: Path) -> Path:
    """A RESULTS folder of `size` reports, each a mixture of the exercises of real ones."""
    draw = random.Random(1)
    (folder / "reports").mkdir(parents=True)
    for number in range(size):
        exercises = tuple(draw.choice(reports).exercises[n] for n in range(len(reports[0].exercises)))
        score = total(e.score for e in exercises)
        report = replace(draw.choice(reports), student=f"s{number:05}", exercises=exercises, score=score)
        (folder / "reports" / f"s{number:05}.json").write_text(report.to_json(), encoding="utf-8")
    return folder


def driven(page: Page, path: Path) -> list[float]:
    """Seconds until the page shows what was asked for: loading, sorting, filtering, searching, opening a student."""
    rows = page.locator("#matrix tbody tr")

    def load() -> None:
        page.goto(path.as_uri())
        rows.first.wait_for()

    actions = [
        load,
        lambda: page.click("#matrix thead th:last-child button"),
        lambda: page.select_option("#filter-state", label="not right yet"),
        lambda: page.fill("#filter-text", "7"),
        lambda: rows.first.locator("a").click(),
    ]
    return [timed(page, action) for action in actions]


def timed(page: Page, action: object) -> float:
    start = time.perf_counter()
    action()
    page.evaluate(SETTLED)
    return time.perf_counter() - start


if __name__ == "__main__":
    main([int(a) for a in sys.argv[1:]] or [12, 5000])
