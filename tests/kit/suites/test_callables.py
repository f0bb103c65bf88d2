"""Functions, generators and arguments that are changed in place cross to a student's code; none of it harms anyone."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys

import numpy as np
import pytest
from support import ENVIRONMENT, OPTIONS, TOY

from grader.arrays import WITHOUT_TORCH
from grader.batch import SHOW_STEPS
from grader.batch.grading_processes import ForkServer
from grader.cli.debug import SAVE
from grader.course import course as courses
from grader.errors import CourseError
from grader.grading import failing_call
from grader.intake import Source, Submission
from grader.report.report import ExerciseReport, Report
from grader.sandbox.processes import SavedCall, ShownSteps, ShowSteps
from grader.suites import Suites
from grader.suites.given import taken

COURSE = TOY.with_name("toy_callables")
IDS = [path.stem for path in sorted((COURSE / "solutions").glob("*.py"))]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]


@pytest.fixture(scope="module")
def process():
    with (
        contextlib.closing(ForkServer({**ENVIRONMENT, WITHOUT_TORCH: "1"}, confined=True)) as server,
        contextlib.closing(server.grading_process(courses.load(COURSE), OPTIONS)) as opened,
    ):
        yield opened


def handed_in(**source: str) -> Submission:
    return Submission("s1", {name: Source(text) for name, text in source.items()})


@pytest.fixture(scope="module")
def graded(process):
    """`graded(bisect="def bisect...")` is the report on this exercise, graded in the sandbox."""

    def grade(**source: str) -> ExerciseReport:
        report = Report.from_json(process.grade(handed_in(**source), "", seed=1))
        return next(e for e in report.exercises if e.id in source)

    return grade


def right(id: str) -> str:
    return (COURSE / "solutions" / f"{id}.py").read_text(encoding="utf-8")


def mistakes() -> dict[str, str]:
    """Each known mistake as a student would hand it in."""
    hidden, solved = (({i: COURSE / folder / f"{i}.py" for i in IDS}) for folder in ("tests/hidden", "solutions"))
    suites = Suites(hidden, solved, kind="numpy")
    found = {}
    for id in IDS:
        for m in suites[id].misconceptions:
            ((name, function),) = m.functions.items()
            text = inspect.getsource(function).replace(f"def {function.__name__}(", f"def {name}(")
            found[f"{id}/{m.name}"] = f"import numpy as np\n\n\n{text}"
    return found


MISTAKES = mistakes()


@pytest.mark.parametrize("id", IDS)
def test_the_right_file_passes(graded, id):
    found = graded(**{id: right(id)})
    assert (found.status, found.score) == ("passed", found.max_score)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_its_name(graded, name):
    found = graded(**{name.partition("/")[0]: MISTAKES[name]})
    assert name in [d.misconception for d in found.diagnoses]


def bisect(body: str) -> str:
    """A file whose `bisect` begins with these lines and goes on rightly."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return right("bisect").replace("float:\n", f"float:\n{lines}", 1)


HOSTILE = {
    "a million calls": ("for _ in range(10**6): f(a)", "f was called more than 5,000 times"),
    "without an end": ("while True: f(a)", "f was called more than 5,000 times"),
    "without an end, whatever is raised": (
        "while True:\n    try:\n        f(a)\n    except BaseException:\n        pass", "; until then f was called ",
    ),
    "never stops": ("while True: pass", "took longer than 2 s"),
    "an object": ("f(object())", "f takes numbers, texts, arrays, tuples, lists and dicts, not object"),
    "itself": ("f(f)", "not function"),
    "a large array": ("import numpy\nf(numpy.zeros(10**5))", "f takes at most 10,000 numbers"),
    "a huge array": ("import numpy\nf(numpy.zeros(10**7))", "an argument that is larger than 1 MB"),
    "a large list": ("f([0.0] * 9_000 + [[1.0] * 3_000])", "an argument that is more than 10000 values"),
    "a deep list": ("x = []\nfor _ in range(50): x = [x]\nf(x)", "nested deeper than 16 levels"),
    "a huge number": ("f(10**30)", "not int of over 64 bits"),
    "a text": ("f('<b>')", "raises TypeError"),
    "too many arguments": ("f(1.0, 2.0)", "f(): too many positional arguments"),
    "no argument": ("f()", "f(): missing a required argument: 'x'"),
    "threads": (
        "import threading\n[threading.Thread(target=lambda: [f(a) for _ in range(50)]).start() for _ in range(20)]",
        None,
    ),
    "kept in a thread": (
        "import threading\ndef later():\n    while True:\n        try: f(a)\n        except RuntimeError: pass\n"
        "threading.Thread(target=later, daemon=True).start()", None,
    ),
    "kept for the next call": (
        "kept = globals().setdefault('KEPT', [])\nfor old in kept: old(a)\nkept.append(f)", "has ended",
    ),
    "forged frames": (
        "import os\nfor fd in range(3, 20):\n    try: os.write(fd, b'(' + bytes(15) + b'x' * 48)\n"
        "    except OSError: pass", "disturbed the connection to the grader",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_what_is_odd_is_said_in_a_line(graded, case):
    body, said = HOSTILE[case]
    found = graded(bisect=bisect(body))
    reasons = [c.reason.to("en") for c in found.checks]
    assert said is None or any(said in reason for reason in reasons)
    assert all("\n" not in reason for reason in reasons)
    assert graded(bisect=right("bisect")).status == "passed"


def test_what_a_call_gives_is_shown(process):
    """To who studies: the call with what the suite says of its function, and arguments as they are afterwards."""
    shown = process.ask(SHOW_STEPS, ShownSteps, 100, ShowSteps(handed_in(bisect=bisect("return 1.0")), "bisect", "7"))
    assert shown.call.to("en") == "bisect(f=x**2 - 2, a=0.0, b=2.0)"
    assert [value.state for value in shown.results] == ["wrong"]
    shown = process.ask(SHOW_STEPS, ShownSteps, 100, ShowSteps(handed_in(lu=right("lu")), "lu", "7"))
    assert [(v.name.to("en"), v.state) for v in shown.results] == [("a after the call", "right")]


def test_a_call_with_a_function_is_not_repeated_outside(process, tmp_path):
    asked = handed_in(bisect=right("bisect")), "bisect", "7", os.fsencode(tmp_path / "inputs")
    with pytest.raises(CourseError, match="hands <function> to bisect, which stays with the grader; to debug bisect"):
        process.ask(SAVE, SavedCall, 100, *asked)


def test_a_generator_is_written_down_in_its_state():
    rng = np.random.default_rng(3)
    text = repr(failing_call._written(taken(rng)))
    assert eval(text, dict(vars(np))).normal() == rng.normal()
