"""What passed on the CPU is checked on CUDA too, and a check passes that passes on both.

No GPU is needed: CUDA's place is taken by workers that compute on the CPU.
"""

from __future__ import annotations

import sys

import msgspec
import pytest
from gpu_stand_in import THERE
from support import check, exercise, solution

from grader.grading import Grader, devices, grade
from grader.intake import Source, Submission
from grader.report import RAN, Report

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
SAYS = THERE + "print('there' if THERE else 'here', flush=True)\n"


def graded(grader: Grader, **sources: str) -> Report:
    return grader.grade(Submission("s", {name: Source(SAYS + text) for name, text in sources.items()}), "", 1)


def test_one_report_has_both_columns(both_devices):
    report = graded(both_devices, scale=solution("scale"), pair=solution("pair"))
    assert report.environment.devices == {"cpu": RAN, "cuda": RAN}
    assert report.score == report.max_score == 6.0
    assert {(c.verdict, c.cuda) for e in report.exercises for c in e.checks} == {("passed", "passed")}
    assert Report.from_json(report.to_json()) == report


def test_what_fails_there_only_costs_the_check_and_says_where(both_devices):
    report = graded(both_devices, scale=solution("scale").replace("x * factor", "x * factor + THERE"))
    found = exercise(report, "scale")
    values = check(found, "test_values[cpu-float32]")
    assert (values.verdict, values.cuda, values.points) == ("failed", "failed", 0.0)
    assert values.reason.to("en").startswith("on CUDA: scale(x [")
    assert 0 < found.score < found.max_score
    assert found.reason.to("en").startswith("on CUDA: ")


def test_what_failed_here_is_not_run_there(both_devices):
    report = graded(both_devices, scale=solution("scale").replace("x * factor", "x * factor + 1"))
    found = exercise(report, "scale")
    failed = [c for c in found.checks if c.verdict == "failed"]
    assert failed
    assert {c.cuda for c in failed} == {None}
    assert not failed[0].reason.to("en").startswith("on CUDA")


def test_what_fails_everywhere_needs_no_second_worker(both_devices):
    report = graded(both_devices, scale="def scale(x, factor=2.0):\n    raise NotImplementedError\n")
    assert "there" not in exercise(report, "scale").stdout
    assert exercise(report, "scale").score == 0


def test_an_import_that_fails_there_fails_what_passed_here(both_devices):
    report = graded(both_devices, pair="ONE = 1 // (not THERE)\n" + solution("pair").replace("x + 1", "x + ONE"))
    found = exercise(report, "pair")
    assert {(c.verdict, c.cuda) for c in found.checks} == {("failed", "failed")}
    assert found.score == 0


def test_what_cannot_be_checked_there_costs_nothing():
    here = grade.CheckResult("test", grade.MISSING, "passed", 1.0, grade.MISSING, None, 0.5)
    there = msgspec.structs.replace(here, verdict="skipped")
    assert devices.both(here, there) == msgspec.structs.replace(here, seconds=1.0, cuda="skipped")
