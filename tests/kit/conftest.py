"""Fixtures that the tests share: the toy course, one fork server with one grading process, a way to grade sources."""

from __future__ import annotations

import builtins
import functools
import gc
import os
import pdb
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
import torch
from commands import in_a_process, in_this_process
from support import ENVIRONMENT, OPTIONS, ROOT, TOY, exercise

from grader import catalogues
from grader.batch.grading_processes import ForkServer, GradingProcess
from grader.course import course as courses
from grader.course.course import Course
from grader.grading.process import COLLECT_AFTER
from grader.intake import Source, Submission
from grader.report.report import ExerciseReport, Report
from grader.sandbox.worker.import_stubs import DEBUGGERS, PACKAGES
from grader.texts import Text

torch.set_num_threads(1)
gc.set_threshold(*COLLECT_AFTER)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has it ignored by what it starts in the background
hypothesis.settings.register_profile("kit", database=None, deadline=None, derandomize=True)
hypothesis.settings.load_profile("kit")


def unsaid(text: Text) -> str:
    raise TypeError(f"{text!r} is shown without a language: use `to`")


type.__setattr__(Text, "__str__", unsaid)  # so that no test passes where somebody would read English by chance


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="write the expected reports of tests/kit/golden anew")
    parser.addoption("--whole", action="store_true", help="measure all of every exercise, not what changed and a few")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three on two cores: a third of the time tests wait, for time-outs and for programs that start."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(2, cores * 3 // 2)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put files that take long first: xdist gives whole files to its processes, which short ones keep busy at the end.

    Half of a file to another process would have it make anew what the tests of the file share.
    """
    if hasattr(config, "workerinput"):
        long = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in long)


@pytest.fixture(scope="session")
def toy() -> Course:
    """The toy course: `scale(x, factor=2.0)` for 4 points, `pair(x) -> (x + 1, x * 2)` for 2."""
    return courses.load(TOY)


@pytest.fixture(autouse=True)
def said_by_the_toy(request: pytest.FixtureRequest) -> None:
    """A process has one course; here the last one that was loaded speaks, so a test of the toy course takes it anew."""
    if "toy" in request.fixturenames:
        catalogues.take(TOY)


@pytest.fixture
def toy_copy(tmp_path: Path) -> Path:
    """A copy of the toy course that a test may break."""
    return Path(shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    parent = ForkServer(ENVIRONMENT, confined=True)
    yield parent
    parent.close()


@pytest.fixture(scope="session")
def process(fork_server: ForkServer, toy: Course) -> Iterator[GradingProcess]:
    opened = fork_server.grading_process(toy, OPTIONS)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def course_process(fork_server: ForkServer) -> Iterator[GradingProcess]:
    """One for our own course: an exercise is rehearsed and its known mistakes are tried once for all tests."""
    opened = fork_server.grading_process(courses.load(ROOT), OPTIONS)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def run_here(request: pytest.FixtureRequest) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`run_here("check", ...)`: a command in this process; in one of its own where there is no fork server."""
    if sys.platform != "linux":
        return in_a_process
    return functools.partial(in_this_process, request.getfixturevalue("fork_server"))


@pytest.fixture
def as_before() -> Iterator[None]:
    """What a worker exchanges in its process is taken back: here that is the process of the tests."""
    kept = [(place, dict(vars(place))) for place in (builtins, pdb)]
    found, modules, hook = sys.meta_path[:], dict(sys.modules), sys.breakpointhook
    yield
    for place, names in kept:
        held = vars(place)
        for name in held.keys() - names.keys():
            del held[name]
        held.update(names)
    sys.meta_path[:], sys.breakpointhook = found, hook
    for name in [n for n in sys.modules if n not in modules and n.partition(".")[0] in (*PACKAGES, *DEBUGGERS)]:
        del sys.modules[name]


Grade = Callable[..., Report]


@pytest.fixture(scope="session")
def grade(process: GradingProcess) -> Grade:
    """`grade(scale="def scale...")` grades these sources; exercises that are not named are missing."""

    def run(**sources: str) -> Report:
        submission = Submission("s1", {name: Source(text) for name, text in sources.items()})
        return Report.from_json(process.grade(submission, "fingerprint", seed=1))

    return run


@pytest.fixture(scope="session")
def scale(grade: Grade) -> Callable[[str], ExerciseReport]:
    """`scale(source)` is the report on scale.py with this source."""
    return lambda source: exercise(grade(scale=source), "scale")
