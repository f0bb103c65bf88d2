"""Answer sheets made to hurt: marked in a real grading process, each ends in a plain verdict.

What each deserves stands beside it; after each of them an honest sheet still gets its marks.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from quiz import HALF, PAPER
from support import OPTIONS, TOY, exercise

from grader.batch.batch import Context, grade_all
from grader.batch.grading_processes import ForkServer, GradingProcess
from grader.batch.pool import GradingPool
from grader.course import course as courses
from grader.intake import Entry, Source, Submission
from grader.report import ExerciseReport, Report, Results, Row
from grader.texts import NOTHING

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

ENTRY = "      - {id: quiz, title: Questions, points: 12, kind: questions}\n"
KB_256 = 256 << 10


@pytest.fixture(scope="module")
def process(fork_server: ForkServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GradingProcess]:
    """The toy course with concept questions."""
    opened = fork_server.grading_process(
        courses.load(with_questions(tmp_path_factory.mktemp("hostile") / "toy")), OPTIONS
    )
    yield opened
    opened.close()


def with_questions(root: Path, call_seconds: float = 5) -> Path:
    """The toy course in this folder, with concept questions."""
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__"))
    settings = (root / "course.yaml").read_text(encoding="utf-8").replace("source_kb: 64", "source_kb: 300")
    settings = settings.replace("call_seconds: 1", f"call_seconds: {call_seconds}").replace("seconds: 4", "seconds: 20")
    (root / "course.yaml").write_text(settings + ENTRY, encoding="utf-8")
    for name, text in {
        "solutions/half.py": HALF, "tests/hidden/quiz.py": PAPER, "solutions/answers.yaml": "",
        "exercises/answers.yaml": "",
    }.items():  # fmt: skip
        (root / name).write_text(text, encoding="utf-8")
    return root


def graded(process: GradingProcess, sheet: str) -> ExerciseReport:
    """What becomes of a submission of this sheet."""
    submission = Submission("s1", {"answers": Source(sheet)})
    found = exercise(Report.from_json(process.grade(submission, "fingerprint", seed=1, only=["quiz"])), "quiz")
    said = [*(c.reason for c in found.checks), found.reason or NOTHING, *(d.message for d in found.diagnoses)]
    reasons = [text.to(lang) for text in said for lang in ("en", "zh")]
    assert all(len(reason) < 1200 for reason in reasons), max(map(len, reasons))
    assert all(c in "\n\t" or c.isprintable() for reason in reasons for c in reason)
    return found


RIGHT_SHEET = """
quiz:
  a_third: 1/3
  one: b
  some: a, c
  order: [c, a, b]
  matrix: [[1, 0.25], [0.125, -3]]
  table: {first: same changes, second: changes changes}
  construct: 1 1 -2
"""
KEYS = "\n".join(f"  a_thir{i}: 1" for i in range(2400))
SHEETS = {  # what it says, what it deserves of 9 points, a word of the reason
    "empty": ("", 0, "not answered yet"),
    "one long word": (f"quiz:\n  a_third: {'9' * KB_256}", 0, "is not a number"),
    "one long list": (f"quiz:\n  matrix: '{'1 ' * (KB_256 // 2)}'", 0, "expected 4 numbers"),
    "brackets only": (f"quiz:\n  matrix: '{'[' * KB_256}'", 0, "expected 4 numbers, got 0"),
    "spaces in a number": (f"quiz:\n  a_third: '1{' ' * KB_256}/3'", 0, "is not a number"),
    "commas": (f"quiz:\n  one: '{',' * KB_256}'", 0, "choose exactly one"),
    "all letters at once": ("quiz:\n  one: a b c\n  some: a b c\n  order: a b c a b c", 0, "exactly one"),
    "the same letter for ever": (f"quiz:\n  one: '{'b ' * (KB_256 // 2)}'", 0, "exactly one"),
    "keys that are nearly right": (f"quiz:\n{KEYS}", 0, "is that meant?"),
    "too many keys": ("\n".join(f"k{i}: 1" for i in range(9000)), 0, "names none of the questions"),
    "a sheet for each question": ("quiz:\n  quiz:\n    one: b\none: b", 1, "not answered"),
    "deep": (f"quiz: {'[' * 5000}", 0, "names none of the questions"),
    "deep mappings": ("".join(f"{' ' * i}quiz:\n" for i in range(200)), 0, "names none of the questions"),
    "aliases": ("a: &a [1, 1]\nb: &b [*a, *a]\nquiz: *b", 0, "this is nobody's answer"),
    "tags": ("quiz: !!python/object/apply:os.system ['touch /tmp/marker']", 0, "names none of the questions"),
    "merge keys": ("quiz:\n  <<: {one: b}", 0, "names none of the questions"),
    "binary": ("quiz:\n  one: !!binary Yg==", 0, "not one of the choices"),
    "twice": ("quiz:\n  one: a\n  one: b", 0, "line 3: answered differently in line 2"),
    "in two sections": ("quiz:\n  one: a\nquiz:\n  one: b", 0, "line 4: answered differently in line 2"),
    "two documents": ("quiz:\n  one: a\n---\nquiz:\n  one: b", 0, "line 5: answered differently in line 2"),
    "an escape beyond all characters": ('quiz:\n  one: "\\Uffffffff"', 0, "line 2: this cannot be read"),
    "half a character": ('quiz:\n  one: "\\ud800"', 0, "not answered"),
    "control characters": ('quiz:\n  one: "\\e[31m\\u202eb"', 0, "not one of the choices"),
    "raw control characters": ("quiz:\n  one: \x1b[31mb", 0, "U+001B"),
    "braces": ("quiz:\n  one: '{known.__class__}'\n  a_third: '{0}{got}'", 0, "{0}{got} is not a number"),
    "markup": ("quiz:\n  one: '[red]<b>=1+1|'", 0, "is not one of the choices"),
    "infinities": ("quiz:\n  construct: [inf, -inf, 0]\n  matrix: inf inf inf inf", 0, "every number must be finite"),
    "large numbers": ("quiz:\n  construct: [1e308, 1e308, 1e308]\n  a_third: 1e999", 0, "they do not sum to 0"),
    "a fraction of nothing": ("quiz:\n  a_third: 0/0\n  construct: 1/0 0 0", 0, "0/0 is not a number"),
    "digits of other scripts": ("quiz:\n  a_third: ²/٣\n  construct: ① 0 0", 0, "is not a number"),
    "mappings for numbers": ("quiz:\n  a_third: {0.333: 1}\n  matrix: {1: 2}\n  one: {b: a}", 0, "is not a number"),
    "lists for cells": ("quiz:\n  table: [[[same], {changes: 1}], changes changes]", 0, "asked for: a table"),
    "another's numbers": (f"variant: s2\n{RIGHT_SHEET}  drawn: 1", 8, "'s2'"),
    "a variant that is none": (f"variant: [{'x, ' * 2000}]\n{RIGHT_SHEET}  drawn: 1", 8, "has the questions of"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHEETS)
def test_a_hostile_sheet(process, name):
    text, deserved, word = SHEETS[name]
    found = graded(process, text)
    assert found.score == deserved
    reasons = [c.reason.to("en") for c in found.checks]
    assert any(word in reason for reason in reasons), reasons
    assert graded(process, RIGHT_SHEET).score == 8  # all but the number drawn


def test_a_sheet_that_takes_too_long_is_no_file_that_is_imported(fork_server: ForkServer, tmp_path: Path):
    course = courses.load(with_questions(tmp_path / "toy", call_seconds=0.02))
    with contextlib.closing(fork_server.grading_process(course, OPTIONS)) as process:
        found = graded(process, SHEETS["brackets only"][0])
    assert found.reason
    assert found.reason.to("en") == "reading the answers took longer than 0.02 s"


DIFFERENT = ("quiz:\n  a_third: 0.5\n", "quiz:\n  a_third: 0.34\n", "quiz:\n  a_third: 0.333\n  one: b\n")
ALIKE = (
    "quiz:\n  a_third: 0.5\n  # I am not sure\n",
    "quiz:\n  a_third: 1/2\n",
    "quiz: {a_third: ' 50 % '}\n",
    "quiz:\n  a_third: 0.5\n  one: ?\n  essay: A sentence for a person.\n",
    "quiz:\n  a_third: 0.5\n  one: nothing that can be read\n",
)
NO_ANSWERS = (
    "",
    "quiz:\n  a_third:\n  one: ''\n",
    "# nothing\n",
    "quiz:\n  a_third: 1/0\n",
    "\x00\x01",
    "no sheet at all",
    None,
)


def test_only_answers_that_differ_use_an_attempt(fork_server, tmp_path):
    """Through a real batch: one attempt, and between the sheets whatever people hand in."""
    root = with_questions(tmp_path / "toy")
    settings = (root / "course.yaml").read_text(encoding="utf-8")
    (root / "course.yaml").write_text(f"attempts: 2\n{settings}", encoding="utf-8")
    course = courses.load(root)
    pool = GradingPool(fork_server, course, OPTIONS, 1)
    results, student = Results(tmp_path / "out"), tmp_path / "class" / "ann"
    student.mkdir(parents=True)

    def hand_in(sheet: str | None) -> Report:
        (student / "answers.yaml").unlink(missing_ok=True)
        (student / "scale.py").write_text("def scale(x, factor=2.0):\n    return x * factor\n", encoding="utf-8")
        if sheet is not None:
            (student / "answers.yaml").write_text(sheet, encoding="utf-8")
        (row,) = grade_all([Entry("ann", (student,))], course, pool, 1, results, Context(1, {}))
        assert isinstance(row, Row), row
        return Report.from_json(results.path("ann").read_text(encoding="utf-8"))

    with contextlib.closing(pool), contextlib.closing(results):
        for nothing in NO_ANSWERS:
            assert hand_in(nothing).sheets == (), nothing
        first, second, third = DIFFERENT
        for alike in (first, *ALIKE):
            assert len(hand_in(alike).sheets) == 1, alike
        assert len(hand_in(second).sheets) == 2
        for nothing in NO_ANSWERS:
            report = hand_in(nothing)
            assert len(report.sheets) == 2, nothing
            assert exercise(report, "quiz").score == 0
        report = hand_in(third)
        assert (len(report.sheets), exercise(report, "quiz").score) == (2, 0)
        assert "all 2 attempts at the questions are used up" in report.reason.to("en")
