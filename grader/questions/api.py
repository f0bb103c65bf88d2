"""How a concept question is written: its form, its points, the experiment that derives its key."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from grader.questions.answer_forms import Form


@dataclasses.dataclass(frozen=True)
class Question:
    """A concept question: the form of its answer and the experiment that derives the key.

    Where many answers are right, `accepts` tries out the one given and raises CheckFailed; the experiment's is an
    example then.
    """

    name: str
    points: float
    form: Form
    experiment: Callable[..., Any]
    accepts: Callable[[Any], None] | None = None


def question(
    points: float, form: Form, accepts: Callable[[Any], None] | None = None
) -> Callable[[Callable[..., Any]], Question]:
    """Mark an experiment: called with a lab, it returns the key. Its docstring is the question, English and Chinese."""

    def mark(experiment: Callable[..., Any]) -> Question:
        return Question(experiment.__name__, points, form, experiment, accepts)

    return mark
