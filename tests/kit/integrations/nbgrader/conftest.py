"""The kit's commands on an nbgrader course, as an instructor gives them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from subprocess import CompletedProcess

import classroom
import pytest


@pytest.fixture(scope="session")
def grader(run_here: Callable[..., CompletedProcess[str]]) -> Callable[..., CompletedProcess[str]]:
    """`grader("grade", ..., cwd=course)`: in this process, with the configuration of the course alone."""
    return functools.partial(classroom.grader, how=run_here)
