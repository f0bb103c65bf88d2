"""The steps of one call as a page shows them: line by line, each value drawn beside the expected one."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

from grader.rendering.pages import student_view
from grader.rendering.pages.student_view import PicturedResult
from grader.sandbox.processes import ShownStep, ShownSteps, ShownValue
from grader.texts import NOTHING, Text, translated

PILLS = {"right": "passed", "wrong": "failed", "other": "skipped"}
STATES = {
    "right": translated("as in the solution"),
    "wrong": translated("not as in the solution"),
    "first": translated("the first difference"),
    "other": translated("no such step in the solution"),
}
CAPTIONS = student_view.CAPTIONS | {
    "given": translated("given"),
    "same": translated("yours, as expected"),
    "actual": translated("yours"),
    "framed": NOTHING,
}
LINE, LINE_CALLED = translated("line {line}"), translated("line {line}, called from line {caller}")
REFUSED = translated("The solution refuses these arguments with a ValueError.")
NO_STEP = translated("The steps of this call cannot be shown.")
UNEXPLAINED = translated("No single step explains what is wrong; compare what the call returns.")
MORE = translated("At least {count} more step is not shown.", plural="At least {count} more steps are not shown.")


@dataclasses.dataclass(frozen=True)
class DrawnValue:
    """A value with its drawings. pill: its class and words; folded: whether it is seen once somebody opens it."""

    value: ShownValue
    pill: tuple[str, Text]
    pictures: tuple[PicturedResult, ...]
    expected: DrawnValue | None = None
    folded: bool = False
    first: bool = False


@dataclasses.dataclass(frozen=True)
class StepLine:
    """A line of the file with what it gives, one time that it runs."""

    line: Text
    code: str
    values: tuple[DrawnValue, ...]


def lines(shown: ShownSteps) -> list[StepLine]:
    """The steps, those together that follow each other on a line."""
    grouped = itertools.groupby(shown.steps, key=lambda s: (s.line, s.caller))
    return [_line(list(steps)) for _, steps in grouped]


def inputs(shown: ShownSteps) -> list[DrawnValue]:
    """Return the inputs of the call, each with its pictures."""
    drawn = [tuple(student_view.alone(p, "given") for p in value.pictures) for value in shown.inputs]
    return [DrawnValue(value, ("", NOTHING), pictures) for value, pictures in zip(shown.inputs, drawn, strict=True)]


def results(shown: ShownSteps, view: str) -> list[DrawnValue]:
    """Return the results of the call; `view` is how the course wants a wrong result drawn."""
    return [_drawn(value, view) for value in shown.results]


def remark(shown: ShownSteps) -> Text:
    """Return the sentence for a call in which no step can be named; nothing if one is, or if everything is right."""
    if shown.refused:
        return REFUSED
    if not shown.steps and not shown.error:
        return NO_STEP
    wrong = any(value.state == "wrong" for value in shown.results)
    unexplained = shown.compared and wrong and not any(step.first for step in shown.steps)
    return UNEXPLAINED if unexplained else NOTHING


def _line(steps: Sequence[ShownStep]) -> StepLine:
    step = steps[0]
    said = LINE if step.caller == step.line else LINE_CALLED
    values = [_drawn(s.value, "matrix", first=s.first, folded=s is not steps[-1]) for s in steps]
    return StepLine(said.format(line=step.line, caller=step.caller), step.code, tuple(values))


def _drawn(value: ShownValue, view: str, first: bool = False, folded: bool = False) -> DrawnValue:
    """A value whose solution's has another form stands alone, as that one does."""
    beside = value.state == "wrong" and not value.expected
    caption = "same" if value.state == "right" else "actual"
    drawn = tuple(student_view.pictured(p, view) if beside else student_view.alone(p, caption) for p in value.pictures)
    drawn = tuple(sorted(drawn, key=lambda d: not any(bad for _, rows in d.numbers for row in rows for _, bad in row)))
    pill = PILLS.get(value.state, ""), STATES["first" if first else value.state] if value.state in PILLS else NOTHING
    due = None
    if value.expected:
        shown = tuple(student_view.alone(p, "expected") for p in value.expected.pictures)
        due = DrawnValue(value.expected, ("", CAPTIONS["expected"]), shown)
    return DrawnValue(value, pill, drawn, due, folded and value.state != "wrong", first)
