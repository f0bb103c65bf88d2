"""Concept questions as authors write them, the tools of their experiments, and the evidence that these leave."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from grader import arrays
from grader.arrays import Array, Tensor, torch
from grader.course import COMMON
from grader.questions.answer_forms import Form
from grader.texts import NOTHING, Text, of_docstring, sentence

LARGE = 1e15  # from here on no float has four decimals, and four digits are shown


@dataclasses.dataclass(frozen=True)
class Question:
    """A concept question: the form of its answer and the experiment that derives the key.

    If many answers are right, `accepts` tries out the one given and raises CheckFailed; the experiment's answer is then
    an example. Without an experiment only the form of an answer can be checked: see `asked`.
    """

    name: str
    points: float
    form: Form
    experiment: Callable[..., Any] | None
    accepts: Callable[[Any], None] | None = None
    text: Text = NOTHING

    @property
    def doc(self) -> Text:
        """Return the question's text: the experiment's docstring."""
        return of_docstring(self.experiment.__doc__) if self.experiment else self.text


def asked(name: str, form: Form, text: Text | str) -> Question:
    """Return a question as a student's copy has it: its text and the form of its answer, but nothing of the answer."""
    return Question(name, 0, form, None, text=sentence(text))


def question(
    points: float, form: Form, accepts: Callable[[Any], None] | None = None
) -> Callable[[Callable[..., Any]], Question]:
    """Mark an experiment: called with a lab, it returns the key. Its docstring is the question."""

    def mark(experiment: Callable[..., Any]) -> Question:
        return Question(experiment.__name__, points, form, experiment, accepts)

    return mark


@dataclasses.dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer that shows what was misunderstood."""

    name: str
    value: Any
    message: Text


@dataclasses.dataclass(frozen=True)
class EvidenceTable:
    """A piece of evidence: a sentence that explains it, and rows of cells, the first of them the head."""

    caption: Text
    rows: tuple[tuple[str, ...], ...]


@dataclasses.dataclass(frozen=True)
class Solved:
    """A question with its key, as one variant's experiment gave it."""

    question: Question
    text: Text
    key: Any
    wrong_answers: tuple[WrongAnswer, ...]
    shown: tuple[EvidenceTable, ...]
    varies: bool
    facts: Mapping[str, str]


class Lab:
    """The tools of an experiment: the solutions, numbers drawn for the variant, a place for evidence."""

    def __init__(
        self,
        solutions: Callable[[str], Mapping[str, Any]],
        variant: str,
        question: str,
        attempt: int = 0,
        kind: str = "torch",
    ) -> None:
        self._solutions = solutions
        self._kind = kind
        self._variant = variant
        self._seed = f"{variant}:{question}" + (f":{attempt}" if attempt else "")
        self.varies = False
        self.wrong_answers: list[WrongAnswer] = []
        self.shown: list[EvidenceTable] = []
        self.facts: dict[str, str] = {}

    def solution(self, exercise: str) -> Any:
        """Return the functions of an exercise's solution, as attributes."""
        return SimpleNamespace(**self._solutions(exercise))

    def draw(self, what: str = "") -> Any:
        """Return a source of random numbers that the variant seeds: another student may get other numbers.

        It is a generator of the course's kind: torch.Generator or numpy.random.Generator.
        """
        self.varies = True
        seed = hashlib.sha256(f"{self._seed}{what and ':'}{what}".encode()).digest()
        number = int.from_bytes(seed[:7], "big")
        return torch.Generator().manual_seed(number) if self._kind == "torch" else np.random.default_rng(number)

    def _below(self, count: int, source: Any) -> int:
        return int(torch.randint(count, (), generator=source)) if self._kind == "torch" else int(source.integers(count))

    def pick(self, name: str, usual: Any, others: Sequence[Any]) -> Any:
        """Return a value for the place `name` of the text: the usual one on the common sheet, else another one."""
        source = self.draw(name)
        found = usual if self._variant == COMMON else others[self._below(len(others), source)]
        self.put(**{name: f"{found:g}" if isinstance(found, float) else found})
        return found

    def row(self, name: str, usual: Sequence[float], low: float, high: float) -> Array:
        """Return numbers for the place `name`: the usual ones on the common sheet, else as many others with one
        decimal.
        """
        count, source = round(10 * (high - low)) + 1, self.draw(name)
        steps = torch.randperm(count, generator=source) if self._kind == "torch" else source.permutation(count)
        drawn = [round(low + int(step) / 10, 1) for step in steps[: len(usual)]]
        found = list(usual) if self._variant == COMMON else drawn
        self.put(**{name: "[" + ", ".join(f"{value:g}" for value in found) + "]"})
        return torch.tensor(found, dtype=torch.float64) if self._kind == "torch" else np.array(found, dtype=float)

    def put(self, **facts: Any) -> None:
        """Set values for the places in braces in the question's text."""
        self.facts.update({name: str(value) for name, value in facts.items()})

    def wrong_answer(self, name: str, value: Any, said: Text | str, **values: Any) -> None:
        """Foresee a wrong answer, with the sentence for whoever gives it. A place `{n}` takes one of `values`."""
        self.wrong_answers.append(WrongAnswer(name, value, sentence(said, **values)))

    def by_letter(self, key: Sequence[str], slips: Mapping[str, tuple[str, Text | str]]) -> Sequence[str]:
        """Foresee wrong answers in a choice of several letters, by the letter that is too many or left out.

        Args:
            slips: for each letter the name of the mistake, and the sentence.

        Returns:
            The key.
        """
        for letter, (name, said) in slips.items():
            self.wrong_answer(name, sorted({*key} ^ {letter}), said)
        return key

    def show(self, said: Text | str, rows: Any = (), head: Sequence[str] = (), **values: Any) -> None:
        """Add evidence for the answer: a sentence and a table (rows of cells, or an array to four decimals)."""
        table = rows.tolist() if arrays.is_array(rows) else list(rows)
        table = [row.tolist() if arrays.is_array(row) else row for row in table]
        table = [row if isinstance(row, Sequence) and not isinstance(row, str) else [row] for row in table]
        lines = [tuple(head)] if head else []
        self.shown.append(
            EvidenceTable(sentence(said, **values), tuple(lines + [tuple(map(_cell, row)) for row in table]))
        )


def _cell(value: Any) -> str:
    value = value.tolist() if isinstance(value, Tensor | np.ndarray | np.generic) else value
    if isinstance(value, list):
        return f"[{', '.join(map(_cell, value))}]"
    if isinstance(value, float) and LARGE <= abs(value) < math.inf:
        return f"{value:.4g}"
    return f"{round(value, 4) + 0.0:.4f}" if isinstance(value, float) else str(value)  # no -0.0000: rounding's sign
