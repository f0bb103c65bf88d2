"""`ask(scale="def scale...")`: the sheet about these sources of the toy course, with two exercises on larger inputs."""

from __future__ import annotations

import shutil

import pytest
from spread import ENTRY, RIGHT, SPREAD
from support import OPTIONS, TOY

from grader.course import course as courses
from grader.intake import Source, Submission
from grader.report.oral_exam import OralSheet
from grader.viva import ASK


@pytest.fixture(scope="session")
def viva_course(tmp_path_factory):
    """The toy course with one exercise more, about which much can be asked."""
    root = tmp_path_factory.mktemp("viva") / "toy"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__", "results"))
    settings = (root / "course.yaml").read_text(encoding="utf-8")
    (root / "course.yaml").write_text(settings + ENTRY, encoding="utf-8")
    for name, text in {"solutions": RIGHT, "tests/hidden": SPREAD, "exercises": RIGHT}.items():
        (root / name / "spread.py").write_text(text, encoding="utf-8")
    return courses.load(root)


@pytest.fixture(scope="session")
def examiner(fork_server, viva_course):
    opened = fork_server.grading_process(viva_course, OPTIONS)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def ask(examiner):
    def asked(student="ann", seed=1, count=5, only=(), books=(), **sources) -> OralSheet:
        found = {id: text if isinstance(text, Source) else Source(text) for id, text in sources.items()}
        return examiner.ask(ASK, OralSheet, 120.0, Submission(student, found, books=books), seed, count, tuple(only))

    return asked
