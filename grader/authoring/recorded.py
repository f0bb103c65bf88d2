"""The record of a run of a teacher's tests, as data: from `recorder`, a process of its own, to `from_tests`."""

from __future__ import annotations

import msgspec


def is_test(module: str) -> bool:
    """Return True for the name of a module that pytest takes for one of its own: it is no solution."""
    return module.startswith("test_") or module.endswith("_test") or module == "conftest"


class RecordedCall(msgspec.Struct):
    """A call that a check makes of a solution's function. `untouched`: the line that asks for unchanged inputs."""

    file: str
    function: str
    lines: list[str]
    untouched: str


class Test(msgspec.Struct):
    """A test, all its parameters together: its place, and its questions.

    why: the reason why it cannot be a check. missed: sentences on calls that are not asked. minds: True if it fails
    when inputs are changed. doubt: the other results that it accepts, "" if none.
    """

    path: str
    line: int
    name: str
    title: str
    asked: list[RecordedCall] = []
    why: str = ""
    missed: list[str] = []
    minds: bool = False
    doubt: str = ""


class Recorded(msgspec.Struct):
    """The outcome of a run.

    broken: sentences on files that cannot be imported. functions: those of each solution. allowed: by solution and
    function, the widest tolerance that a test compares with, relative and absolute. definitions, imports: the parts of
    the tests' files that calls need, definitions by name. running: the test that did not end in time.
    """

    tests: list[Test] = []
    broken: list[str] = []
    definitions: dict[str, str] = {}
    imports: list[str] = []
    functions: dict[str, list[str]] = {}
    allowed: dict[str, dict[str, tuple[float, float]]] = {}
    running: str = ""
