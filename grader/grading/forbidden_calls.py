"""Finds calls that an exercise forbids and a student's file uses anyway: in its source, or when it ran."""

from __future__ import annotations

from collections.abc import Sequence

from grader.course import Exercise
from grader.sandbox.worker import REFUSED, beyond, forbids
from grader.suites import CheckResult, StudentCode
from grader.texts import Text, one_line, plain, translated

MAX_FILE = 100  # characters of its path

BORROWED = translated(
    "line {line} uses {name}, which would do this exercise's work; write it yourself from simpler operations"
)
BORROWED_IN = translated(
    "line {line} of {file} uses {name}, which would do this exercise's work; write it yourself from simpler operations"
)
RAN = translated(
    "the code runs {library}'s {name} ({call} is not allowed here); write it yourself from simpler operations",
    hint="the code runs {call}, which is not allowed here; write it yourself from simpler operations",
)
BEYOND = translated(
    "line {line} uses {name}, a private name or a front end of torch, none of which this exercise allows; write it "
    "with torch's public operations"
)
BEYOND_IN = translated(
    "line {line} of {file} uses {name}, a private name or a front end of torch, none of which this exercise allows; "
    "write it with torch's public operations"
)
REACHED = translated(
    "the code reaches for {name}, a private name or a front end of torch, none of which this exercise allows; write it "
    "with torch's public operations"
)


def forbidden(code: StudentCode) -> Text | None:
    """Return a sentence on the first call in the source that the exercise forbids."""
    if code.borrowed is None:
        return None
    name, line, file = code.borrowed
    usual, in_file = (BEYOND, BEYOND_IN) if beyond(name) else (BORROWED, BORROWED_IN)
    said = in_file if file else usual
    return said.format(line=line, name=name, file=one_line(file, MAX_FILE))


def borrowed_operator(exercise: Exercise, results: Sequence[CheckResult]) -> Text | None:
    """Return a sentence on the first operator or function that ran and is forbidden, under whatever name."""
    # On the pretended device torch itself may reach for modules of its own that are withheld.
    outcomes = [outcome for r in results for call, outcome in r.calls if not call.contract]
    ran = {name for outcome in outcomes for name in outcome.operators}
    refused = (REFUSED.fullmatch(o.raised.message) for o in outcomes if o.raised)
    for name in sorted(ran | {found[1] for found in refused if found}):
        if exercise.forbid and beyond(name):
            return REACHED.format(name=plain(name))
        if call := forbids(exercise.forbid, name):
            return RAN.format(library=call.partition(".")[0], name=plain(name.strip("_")), call=call)
    return None
