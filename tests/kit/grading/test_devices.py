"""CUDA is taken only where a worker, in its sandbox, can use it; a report says why it was not."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from support import ENVIRONMENT

from grader.errors import CourseError
from grader.grading import Grader, devices
from grader.grading.process import WORKER
from grader.intake import Source, Submission
from grader.report import RAN
from grader.sandbox.processes import RunOptions, SpawnedWorkerPool
from grader.texts import plain

no_gpu = pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without a GPU")


@pytest.fixture
def course(toy):
    """The toy course, on both devices."""
    return dataclasses.replace(toy, settings=dataclasses.replace(toy.settings, devices=("cpu", "cuda")))


@pytest.fixture
def seen(monkeypatch):
    """torch says that there is a GPU."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)


def never() -> str:
    raise AssertionError("no worker is to be asked")


@pytest.mark.usefixtures("seen")
@pytest.mark.parametrize("wanted", ["auto", "cuda"])
def test_a_gpu_that_a_worker_reaches_is_taken(course, wanted):
    assert devices.choose(wanted, course, lambda: None)[0] == "cuda"


@pytest.mark.usefixtures("seen")
def test_a_gpu_behind_the_wall_is_no_reason_to_fail_a_student(course):
    chosen = devices.choose("auto", course, lambda: "a worker cannot use it: no")
    assert chosen == ("cpu", {"cpu": RAN, "cuda": plain("a worker cannot use it: no")})
    with pytest.raises(CourseError, match="--device cuda: a worker cannot use it: no"):
        devices.choose("cuda", course, lambda: "a worker cannot use it: no")


@pytest.mark.usefixtures("seen")
def test_no_worker_is_asked_for_what_nobody_wants(course, toy):
    assert devices.choose("cpu", course, never)[1]["cuda"] == devices.NOT_ASKED
    assert devices.choose("auto", toy, never) == ("cpu", {"cpu": RAN})
    with pytest.raises(CourseError, match="does not list cuda"):
        devices.choose("cuda", toy, never)


@no_gpu
def test_without_a_gpu_the_report_says_so(course):
    assert devices.choose("auto", course, never) == ("cpu", {"cpu": RAN, "cuda": devices.NONE})
    with pytest.raises(CourseError, match="no CUDA device here"):
        devices.choose("cuda", course, never)


@pytest.mark.slow
@no_gpu
@pytest.mark.usefixtures("seen")
def test_a_real_worker_is_asked_and_its_answer_is_in_the_report(course):
    """Here torch's word is made up, and the worker finds no GPU: the same as one that its sandbox keeps out."""
    grader = Grader(course, RunOptions(only=("pair",)), SpawnedWorkerPool(WORKER, ENVIRONMENT))
    assert grader.device == "cpu"
    report = grader.grade(Submission("s", {"pair": Source("def pair(x): return x + 1, x * 2")}), "", 1)
    assert report.environment.devices["cuda"].to("en").startswith("a worker cannot use it: ")
    assert report.score == report.max_score > 0
