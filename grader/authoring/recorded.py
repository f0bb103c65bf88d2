"""What a run of a teacher's tests notes, as data: between `recorder`, a process of its own, and `from_tests`."""

from __future__ import annotations

import msgspec


class Asked(msgspec.Struct):
    """A call that a check makes of a solution's function. `untouched`: the line that asks whether inputs stay."""

    file: str
    function: str
    lines: list[str]
    untouched: str


class Test(msgspec.Struct):
    """A test, all its parameters together: where it stands, and what it asks.

    why: what keeps it from being a check. missed: what is said of calls that are not asked. minds: whether it fails
    where inputs are changed. doubt: what other results it accepts, "" if none.
    """

    path: str
    line: int
    name: str
    title: str
    asked: list[Asked] = []
    why: str = ""
    missed: list[str] = []
    minds: bool = False
    doubt: str = ""


class Recorded(msgspec.Struct):
    """What came of a run.

    broken: what is said of files that cannot be imported. functions: those of each solution. allowed: by solution and
    function, the widest tolerance that a test compares with, relative and absolute. definitions, imports: what calls
    need of the tests' files, definitions by name. running: the test that did not end in time.
    """

    tests: list[Test] = []
    broken: list[str] = []
    definitions: dict[str, str] = {}
    imports: list[str] = []
    functions: dict[str, list[str]] = {}
    allowed: dict[str, dict[str, tuple[float, float]]] = {}
    running: str = ""
