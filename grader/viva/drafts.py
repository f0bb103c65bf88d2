"""What all kinds of question share: options, of which some are right and some are not, and a last run before asking."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TypeVar

from grader.report.oral_exam import Kind, Line, Option, Question
from grader.suites import Outcome
from grader.texts import Text
from grader.viva import wording
from grader.viva.material import Material

OPTIONS = 4
T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class Draft:
    """A question, and what makes sure of its answer once more before it is asked."""

    question: Question
    confirmed: Callable[[], bool]


def question(
    kind: Kind, m: Material, text: Text, options: Sequence[Option], lines: tuple[Line, ...] = (), single: bool = False
) -> Question:
    """A question about this file."""
    return Question(kind, m.exercise, text, lines, tuple(options), single)


def mixed(m: Material, right: Sequence[T], others: Sequence[T], most: int = OPTIONS) -> list[T]:
    """`most` things in an order of chance, some of either sort, as many of each as chance says; [] if it cannot be."""
    counts = [n for n in range(1, most) if n <= len(right) and most - n <= len(others)]
    if not counts:
        return []
    count = m.rng.choice(counts)
    chosen = [*m.rng.sample(right, count), *m.rng.sample(others, most - count)]
    m.rng.shuffle(chosen)
    return chosen


def input_option(m: Material, index: int, right: bool, proof: Text) -> Option:
    """An input to choose."""
    return Option(m.inputs[index].words, right, proof)


def said(m: Material, index: int, outcome: Outcome | None) -> Text:
    """A result for an input: with entries where the input's are told too."""
    assert outcome is not None
    return wording.result(outcome, m.inputs[index].full)


def result(m: Material, index: int) -> Text:
    """What the file gives for an input for which that is certain."""
    return said(m, index, m.results[index])
