"""Calls that are made ahead: a file gets the same report from a worker that was prepared for them as from any other."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

import msgspec
import pytest
from scale_files import RIGHT, on_the_call
from support import OPTIONS, ROOT
from toy_suites import OneByOne

from grader.batch.grading_processes import ForkServer, GradingProcess
from grader.course import Course
from grader.course import course as courses
from grader.intake import Source, Submission
from grader.report.report import Report
from grader.sandbox.processes import BrokenFrame, Called, Packed, Ready, each_frame, parsed
from grader.sandbox.worker.source import load
from grader.suites.runner import Suites

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

FIRST = "factor == 2.0 and x.dtype is torch.float64"
FILES = {
    "right": RIGHT,
    "rounded otherwise": RIGHT.replace("x * factor", "(x * 3 * factor) / 3"),
    "wrong": RIGHT.replace("x * factor", "x + factor"),
    "wrong in one call": on_the_call("return x"),
    "raises": on_the_call("raise IndexError('there')"),
    "refuses nothing": RIGHT.replace("factor == 0", "False"),
    "not written": "def scale(x, factor=2.0):\n    raise NotImplementedError\n",
    "another name": RIGHT.replace("def scale", "def scaled"),
    "changes its input": RIGHT.replace("return x * factor", "return x.mul_(factor)"),
    "a gradient lost": RIGHT.replace("x * factor", "x.detach() * factor"),
    "ends": on_the_call("import os; os._exit(3)"),
    "ends in the first call": on_the_call("import os; os._exit(3)", FIRST),
    "breaks off": on_the_call("import ctypes; ctypes.string_at(0)"),
    "hangs": on_the_call("while True: pass"),
    "sleeps": RIGHT.replace("    if factor", "    __import__('time').sleep(0.3)\n    if factor"),
    "writes to the connection": on_the_call(
        "import os\n        for fd in range(3, 64):\n            try: os.write(fd, b'garbage' * 10)\n"
        "            except OSError: pass"
    ),
    "closes the connection": on_the_call("import os; os.closerange(3, 64)"),
    "a large result": on_the_call("return torch.zeros(1 << 24)"),
    "prints": RIGHT.replace("    if factor", "    print('x' * 1000)\n    if factor"),
    "remembers": RIGHT.replace("import torch\n", "import torch\nKEPT = []\n").replace(
        "return x * factor", "KEPT.append(x)\n    return x * factor + len(KEPT) // 6"
    ),
}


@pytest.fixture(scope="module")
def prepared(fork_server: ForkServer, toy: Course) -> Iterator[GradingProcess]:
    """A grading process that knows all calls, so that its workers get them before they are forked."""
    with contextlib.closing(fork_server.grading_process(toy, OPTIONS)) as process:
        process.grade(Submission("s1", {"scale": Source(RIGHT)}), "", seed=1)
        yield process


def judged(process: GradingProcess, source: str) -> object:
    """The report without the times."""
    report = Report.from_json(process.grade(Submission("s1", {"scale": Source(source)}), "", seed=1))
    plain = msgspec.to_builtins(report)
    for exercise in plain["exercises"]:
        for check in exercise["checks"]:
            check.pop("seconds")
    return plain


@pytest.mark.parametrize("case", FILES)
def test_a_prepared_worker_changes_no_report(
    case: str, prepared: GradingProcess, fork_server: ForkServer, toy: Course
) -> None:
    with contextlib.closing(fork_server.grading_process(toy, OPTIONS)) as process:
        alone = judged(process, FILES[case])
    assert judged(prepared, FILES[case]) == alone
    assert judged(prepared, FILES[case]) == alone  # nothing of it is left


def test_a_diagnosis_makes_a_call_anew(prepared: GradingProcess) -> None:
    """Code that is right in its first call alone remembers something: that call alone is right."""
    source = RIGHT.replace("import torch\n", "import torch\nKEPT = []\n").replace(
        "return x * factor", "KEPT.append(x)\n    return x * factor if len(KEPT) == 1 else x * 0"
    )
    report = Report.from_json(prepared.grade(Submission("s1", {"scale": Source(source)}), "", seed=1))
    assert [d.misconception for d in report.exercises[0].diagnoses] == ["general/remembers"]


FRAMES = [Packed(Called((0.5,)), [b"abc"]).frame(bytes(8)), Packed(Ready(), []).frame(bytes(8))]


def test_frames_one_after_another() -> None:
    assert list(each_frame(b"".join(FRAMES))) == FRAMES
    found = parsed(FRAMES[0], msgspec.msgpack.Decoder(Called).decode)
    assert (found.message, found.payload, found.nonce) == (Called((0.5,)), b"abc", bytes(8))


NAMED = Packed(Ready(), []).frame(b"12345678")


@pytest.mark.parametrize("broken", [FRAMES[0][:-1], FRAMES[0] + b"x", b"\xff" * 24, FRAMES[0][:10], NAMED])
def test_what_is_no_frame_is_refused(broken: bytes) -> None:
    with pytest.raises(BrokenFrame):
        list(each_frame(FRAMES[1] + broken))


OTHERWISE = "(e * 3 / (e.sum(dim, keepdim=True) * 3))"  # right, and rounded otherwise than the solution
SOFTMAX = f"""import torch

def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    found = {OTHERWISE}
    return BROKEN if REGION else found
"""
BROKEN = {
    "nothing": ("found", "False"),
    "an input changed where it is long": ("(found, x.data.zero_())[0]", "x.shape[-1] > 512"),
    "no gradient in float16": ("found.detach()", "x.dtype == torch.float16"),
    "wrong where it is long": ("found * 1.5", "max(x.shape) > 512"),
    "wrong in another layout": ("found + 1", "not x.is_contiguous()"),
    "on the CPU": ("found + torch.zeros(x.shape)", "x.dim() == 3"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_answers_that_are_judged_one_by_one_fail_the_checks_whose_bodies_would_fail(
    case: str, course_process: GradingProcess
) -> None:
    broken, region = BROKEN[case]
    source = SOFTMAX.replace("BROKEN", broken).replace("REGION", region)
    graded = course_process.grade(Submission("s1", {"softmax": Source(source)}), "", seed=1)
    (found,) = (e for e in Report.from_json(graded).exercises if e.id == "softmax")
    course = courses.load(ROOT)
    there = Suites({"softmax": course.suite("softmax")}, {"softmax": course.solution("softmax")})
    bodies = there.run("softmax", OneByOne(load(source, "softmax")), 1)
    assert {c.id for c in found.checks if c.failed} == {r.id for r in bodies if r.failed}
    assert any(c.failed for c in found.checks) is (case != "nothing")
