"""The steps of a call, asked for beside attempts: in the thread that grades, with the processes that are warm."""

from __future__ import annotations

import queue
import sys

import pytest
from support import ENVIRONMENT, solution

from grader.batch import ForkServer
from grader.course import course as courses
from grader.errors import MachineError
from grader.learner.attempts import ENDED, Attempt, Attempts
from grader.sandbox.processes import ShownSteps

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only"),
]


@pytest.fixture
def attempts(toy_copy):
    found: queue.SimpleQueue = queue.SimpleQueue()
    made = Attempts(
        courses.load(toy_copy),
        toy_copy / "exercises",
        lambda: ForkServer(ENVIRONMENT, confined=True),
        "cpu",
        7,
        found.put,
    )
    made.found = found
    yield made
    made.close()


def test_steps_are_shown_between_two_attempts(attempts, toy_copy):
    (toy_copy / "exercises" / "scale.py").write_text(solution("scale").replace("x * factor", "x + factor"), "utf-8")
    attempts.ask("scale")
    shown = attempts.steps("scale")
    assert isinstance(attempts.found.get(), Attempt), "what was asked first is done first"
    assert isinstance(shown, ShownSteps)
    assert [(s.line, s.value.state) for s in shown.steps] == [(9, "wrong")]
    assert attempts.steps("scale", "test_gradient[cpu]").check == "test_gradient[cpu]"
    assert attempts.found.empty(), "steps are not put where attempts are"


def test_what_cannot_be_shown_is_said(attempts):
    with pytest.raises(MachineError, match="scale has no check 'test_of_none'"):
        attempts.steps("scale", "test_of_none")


def test_nobody_waits_for_one_that_is_closed(attempts):
    attempts.close()
    with pytest.raises(MachineError, match=ENDED):
        attempts.steps("scale")
