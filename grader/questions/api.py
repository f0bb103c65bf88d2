"""How a concept question is written: its form, its points, the experiment that derives its key."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from grader.questions.answer_forms import Form
from grader.texts import NOTHING, Text, of_docstring, sentence


@dataclasses.dataclass(frozen=True)
class Question:
    """A concept question: the form of its answer and the experiment that derives the key.

    Where many answers are right, `accepts` tries out the one given and raises CheckFailed; the experiment's is an
    example then. Without an experiment only the form of an answer can be checked: see `asked`.
    """

    name: str
    points: float
    form: Form
    experiment: Callable[..., Any] | None
    accepts: Callable[[Any], None] | None = None
    text: Text = NOTHING

    @property
    def doc(self) -> Text:
        """What is asked: the experiment's docstring."""
        return of_docstring(self.experiment.__doc__) if self.experiment else self.text


def asked(name: str, form: Form, text: Text | str) -> Question:
    """A question as a student's copy has it: what is asked and in which form, but nothing of the answer."""
    return Question(name, 0, form, None, text=sentence(text, {}))


def question(
    points: float, form: Form, accepts: Callable[[Any], None] | None = None
) -> Callable[[Callable[..., Any]], Question]:
    """Mark an experiment: called with a lab, it returns the key. Its docstring is the question."""

    def mark(experiment: Callable[..., Any]) -> Question:
        return Question(experiment.__name__, points, form, experiment, accepts)

    return mark
