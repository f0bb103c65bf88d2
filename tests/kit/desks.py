"""A class of twelve, graded by the real grader, and a running `grader desk`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from urllib.parse import urlencode

from quiz import HALF, PAPER
from studying import Served
from support import TOY, solution

from grader.report.report import Report

HOSTILE = "</pre></script><script>alert(1)</script><img src=x onerror=alert(2)>"
ADDS = "def scale(x, factor=2.0):\n    if factor == 0:\n        raise ValueError\n    return x + factor\n"
RAISES = f"# {HOSTILE}\ndef scale(x, factor=2.0):\n    return x * factor + undefined\n"
SCALES = {
    "ann": solution("scale"), "bob": ADDS, "cem": ADDS + "# mine\n", "dee": ADDS + "# mine too\n", "eve": RAISES,
    "fay": solution("scale"), "gus": "def scale(x, factor=2.0):\n    return x * factor\n", "hal": None,
}  # fmt: skip
ESSAYS = {
    "ann": "Because  it is.",
    "bob": "because it is.",
    "cem": HOSTILE,
    "dee": "It is 一二三。",
    "ivy": "Because so.",
}
ENTRY = "      - {id: quiz, title: Questions, points: 12, kind: questions}\n"
DUE = "due: 2026-03-01T12:00:00Z\nlate: {percent_a_day: 10}\n"
TIMES = "student,time\nann,2026-03-01T10:00:00Z\nbob,2026-03-02T11:00:00Z\n"


def made(root):
    """A toy course with questions, and the results of the class."""
    course = root / "toy"
    shutil.copytree(TOY, course, ignore=shutil.ignore_patterns("__pycache__", "results"))
    with open(course / "course.yaml", "a", encoding="utf-8") as file:
        file.write(ENTRY + DUE)
    for name, text in {
        "solutions/half.py": HALF, "tests/hidden/quiz.py": PAPER, "solutions/answers.yaml": "",
        "exercises/answers.yaml": "",
    }.items():  # fmt: skip
        (course / name).write_text(text, encoding="utf-8")
    for name in ("ann", "bob", "cem", "dee", "eve", "fay", "gus", "hal", "ivy", "joe", "kim", "lou"):
        folder = root / "class" / name
        folder.mkdir(parents=True)
        (folder / "pair.py").write_text(solution("pair"), encoding="utf-8")
        if source := SCALES.get(name, solution("scale")):
            (folder / "scale.py").write_text(source, encoding="utf-8")
        if essay := ESSAYS.get(name):
            sheet = f"quiz:\n  a_third: 1/3\n  essay: |\n    {essay}\n"
            (folder / "answers.yaml").write_text(sheet, encoding="utf-8")
    (root / "times.csv").write_text(TIMES, encoding="utf-8")
    only = [part for id in ("scale", "pair", "quiz") for part in ("--exercise", id)]
    command("grade", root / "class", "--out", root / "results", "--times", root / "times.csv", *only, course=course)


def command(*arguments, course):
    """A command as a user runs it."""
    given = [sys.executable, "-m", "grader", *map(str, arguments), "--course", str(course)]
    done = subprocess.run(given, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


class Desk(Served):
    """A running `grader desk`."""

    def __init__(self, place, *options):
        super().__init__("desk", place.course, str(place.results), *(options or ("--port", "0")))
        self.results = place.results

    def page(self, path, status=200, **asked):
        """A page that is there."""
        found, _, text = self.ask(f"{path}?{urlencode(asked)}")
        assert found == status, text[-1500:]
        assert "<script>alert" not in text
        assert "<img" not in text
        return text

    def post(self, path, **form):
        """What a form leads to: status, and where to, or the page."""
        body, kind = urlencode(form).encode(), "application/x-www-form-urlencoded"
        status, headers, text = self.ask(path, "POST", body, Content_Type=kind)
        return status, headers.get("location", text)

    def report(self, student):
        return Report.from_json((self.results / "reports" / f"{student}.json").read_text(encoding="utf-8"))

    def points(self, student, exercise="scale"):
        return next(e.score for e in self.report(student).exercises if e.id == exercise)


def alert(page):
    """What a page says is the matter."""
    return re.sub(r"<[^>]+>", "", re.search(r'role="alert">(.*?)</p>', page, re.DOTALL)[1])
