"""Calls that students write to tell wrong programs from right ones: what they earn, and files that are made to hurt."""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from commands import Borrowed
from support import OPTIONS, TOY, check, exercise

from grader.authoring import lint
from grader.batch import SHOW_STEPS
from grader.batch.grading_processes import ForkServer, GradingProcess
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake import Source, Submission
from grader.report import ExerciseReport, Report
from grader.sandbox.processes import ShownSteps, ShowSteps
from grader.suites import Suites, breaking

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

ENTRY = """      - id: break_scale
        title: Two results at once
        kind: tests
        points: 5
        functions: [cases]
        after: [scale]
"""
MORE_MISTAKES = '''

@misconception("scale")
def sign_lost(x, factor=2.0):
    """The sign of the factor is lost."""
    return x * abs(factor)


@misconception("scale")
def zero_passes(x, factor=2.0):
    """A factor of 0 is not refused."""
    return x * factor
'''
SUITE = '''"""Hidden suite for calls that show mistakes of scale."""

from hidden import scale

from grader.suites import breaking


def by_addition(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor")
    return x + (factor - 1) * x


test_promised, test_told_apart = breaking.checks(scale, "scale", points=5, calls=2, right=[by_addition])
'''
SOLUTION = '''"""Calls."""

import torch


def cases():
    """An ordinary call, then two that show more."""
    yield (torch.tensor([2.0]),)
    yield torch.tensor([1.0, 3.0]), -3.0
    yield torch.tensor([1.0]), 0.0
'''
STUB = '''"""Break it."""


def cases():
    """Yield the arguments of calls of scale."""
    raise NotImplementedError
'''
X = "import torch\nx = torch.tensor([1.0, 3.0])\n"


@pytest.fixture(scope="module")
def breakable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy course with an exercise of kind `tests`."""
    root = tmp_path_factory.mktemp("breaking") / "toy"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in {"course.yaml": ENTRY, "tests/hidden/scale.py": MORE_MISTAKES}.items():
        (root / name).write_text((root / name).read_text(encoding="utf-8") + text, encoding="utf-8")
    for folder, text in {"tests/hidden": SUITE, "solutions": SOLUTION, "exercises": STUB}.items():
        (root / folder / "break_scale.py").write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def process(fork_server: ForkServer, breakable: Path) -> Iterator[GradingProcess]:
    opened = fork_server.grading_process(courses.load(breakable), OPTIONS)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def graded(process: GradingProcess) -> Callable[[str], ExerciseReport]:
    """`graded(text)` grades this file."""

    def run(text: str) -> ExerciseReport:
        submission = Submission("s1", {"break_scale": Source(text)})
        report = Report.from_json(process.grade(submission, "fingerprint", seed=1, only=["break_scale"]))
        return exercise(report, "break_scale")

    return run


def reasons(found: ExerciseReport) -> str:
    return " | ".join(c.reason.to("en") for c in found.checks)


@pytest.mark.parametrize(
    ("calls", "promised", "told_apart", "said"),
    [
        (["x, -3.0", "x, 0.0"], 1, 4, ""),
        (["x, 0.0", "x, 2.0", "x, -3.0"], 1, 4, ""),
        (["x, 3.0"], 1, 1, "the caller's tensor changes. The sign of the factor is lost."),
        (["x, -3.0"], 1, 2, "the caller's tensor changes. A factor of 0 is not refused."),
        (["x, 3.0", "x, -3.0", "x, 0.0"], 1, 2, "only the first 2 calls that show something new count"),
        (["x * 0 + 2"], 0, 0, "no call tells a wrong program from a right one"),
        (["x, -3.0", "x, 0.0", "x, 3j"], 0, 4, "call 3"),
    ],
    ids=["all", "useless ones cost nothing", "one", "two", "too many", "ordinary", "not promised"],
)
def test_points_are_for_mistakes_that_an_ordinary_call_does_not_show(graded, calls, promised, told_apart, said):
    found = graded(X + "def cases():\n" + "".join(f"    yield {call},\n" for call in calls))
    assert (check(found, "test_promised").points, check(found, "test_told_apart").points) == (promised, told_apart)
    assert said in reasons(found)
    assert found.score == promised + told_apart
    assert not found.diagnoses


HOSTILE = {
    "no cases": ("y = 1", "does not define cases"),
    "nothing yielded": ("def cases(): return []", "no call tells"),
    "returns None": ("def cases(): return None", "TypeError"),
    "raises": ("def cases():\n    yield x, 3.0\n    raise KeyError", "raises KeyError"),
    "ends its process": ("import os\ndef cases():\n    os._exit(0)\n    yield", "ended its process"),
    "no tuple": ("def cases(): yield x", "is no tuple of arguments"),
    "text": ("def cases(): yield x, 'two'", "not all numbers"),
    "a function": ("def cases(): yield x, abs", "not all numbers"),
    "no values": ("def cases(): yield x.to('meta'),", "not all numbers"),
    "too many arguments": ("def cases(): yield x, 1.0, 2.0", "does not take the arguments of call 1"),
    "a large array": ("def cases(): yield torch.zeros(5000),", "is too large"),
    "large when broadcast": (
        "def cases(): yield torch.zeros(100, 1), torch.zeros(100)",
        "is too large",
    ),
    "empty and long": ("def cases(): yield torch.zeros(0, 2**40),", "is too large"),
    "more than a result may hold": ("def cases(): yield torch.zeros(2**20),", "1 MB"),
    "a large number": ("def cases(): yield x, 10**9", "whole number beyond 4,096"),
    "an enormous number": ("def cases(): yield x, 10**90", "not all numbers"),
    "another error": ("def cases(): yield x, None", "the solution raises TypeError"),
    "NaN": ("def cases(): yield x, float('nan')", "the exercise does not say"),
    "a list in itself": ("def cases():\n    x = []\n    x.append(x)\n    yield x,", "too deeply"),
}


@pytest.mark.parametrize(("body", "said"), HOSTILE.values(), ids=list(HOSTILE))
def test_a_file_without_a_good_call_earns_nothing(graded, body, said):
    found = graded(X + body)
    assert found.score == 0
    assert said in reasons(found)


@pytest.mark.parametrize("body", ["while True: yield x, -3.0", "yield from ((x, -float(n)) for n in range(3, 10**9))"])
def test_calls_without_an_end_are_cut_off(graded, body):
    assert graded(f"{X}def cases():\n    {body}").score == 3


def test_a_program_of_ours_that_takes_long_is_ended(monkeypatch, breakable):
    """A call may send a program of ours into a loop that nobody has foreseen."""

    def endless(x, factor=2.0):
        while True:
            pass

    monkeypatch.setattr(breaking, "SECONDS", 0.2)
    module = Suites(*({"scale": breakable / f / "scale.py"} for f in ("tests/hidden", "solutions")))["scale"].module
    bank = breaking.Bank(module, "scale", [endless], "torch", lambda: [(torch.ones(2),)] * 3)
    assert bank.own.told == ()
    assert bank.own.problem.to("en") == "the programs take more than 0.2 s for all calls; make them smaller"


def test_one_that_hangs_is_stopped(graded):
    found = graded("def cases():\n    while True: pass\n    yield")
    assert {c.verdict for c in found.checks} == {"timeout"}
    assert found.score == 0


def test_the_programs_are_not_in_the_students_process(graded):
    spy = (
        "import gc, sys\n"
        "names = {getattr(o, '__name__', '') for o in gc.get_objects() if callable(o)}\n"
        "known = names & {'adds_instead', 'sign_lost', 'by_addition', 'scale'}\n"
        "known |= {m for m in sys.modules if m.startswith(('hidden', 'solutions'))}\n"
        "def cases():\n"
        "    assert not known, known\n"
        "    yield x, -3.0\n"
        "    yield x, 0.0\n"
    )
    assert graded(X + spy).score == 5


def test_the_solutions_calls_are_shown_to_nobody(process):
    request = ShowSteps(Submission("s1", {"break_scale": Source(SOLUTION)}), "break_scale", "1", "")
    with pytest.raises(CourseError, match="the solution's would be the answer"):
        process.ask(SHOW_STEPS, ShownSteps, 60, request)


def test_the_stub_is_not_started(graded):
    found = graded(STUB)
    assert (found.score, found.started) == (0, False)


def linted(root: Path, fork_server: ForkServer) -> list[str]:
    """What is wrong with a course, but for sentences that are not translated."""
    course = courses.load(root)
    with contextlib.closing(Borrowed(fork_server)) as borrowed:
        found = [*lint.static_problems(course), *lint.dynamic_problems(course, borrowed)]
    return [p for p in found if "languages/zh.po" not in p]


def test_lint_holds_for_it(fork_server, breakable):
    assert linted(breakable, fork_server) == []


@pytest.mark.parametrize(
    ("solution", "said"),
    [
        ("    yield torch.tensor([1.0]), None", "the solution: call 1, scale"),
        ("    yield torch.tensor([1.0]), 2.0", "the solution: no call tells"),
    ],
)
def test_lint_finds_a_solution_whose_calls_are_no_good(fork_server, breakable, tmp_path, solution, said):
    root = Path(shutil.copytree(breakable, tmp_path / "toy"))
    text = SOLUTION.partition("    yield")[0] + solution + "\n"
    (root / "solutions" / "break_scale.py").write_text(text, encoding="utf-8")
    assert said in "\n".join(linted(root, fork_server))
