"""What an experiment works with, and what it leaves behind: wrong answers to expect, evidence, facts."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import torch

from grader.texts import Text


@dataclasses.dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer that tells what was misunderstood."""

    name: str
    value: Any
    message: Text


@dataclasses.dataclass(frozen=True)
class EvidenceTable:
    """A piece of evidence: what it shows, and rows of cells, the first of them the head."""

    caption: Text
    rows: tuple[tuple[str, ...], ...]


class Lab:
    """What an experiment works with: the solutions, numbers drawn for the variant, a place for evidence."""

    def __init__(self, solutions: Callable[[str], Mapping[str, Any]], variant: str, question: str) -> None:
        self._solutions = solutions
        self._seed = f"{variant}:{question}"
        self.varies = False
        self.wrong_answers: list[WrongAnswer] = []
        self.shown: list[EvidenceTable] = []
        self.facts: dict[str, str] = {}

    def solution(self, exercise: str) -> Any:
        """The functions of an exercise's solution, as attributes."""
        return SimpleNamespace(**self._solutions(exercise))

    def draw(self) -> torch.Generator:
        """A source of random numbers that the variant seeds: another student may get other numbers."""
        self.varies = True
        return torch.Generator().manual_seed(int.from_bytes(hashlib.sha256(self._seed.encode()).digest()[:7], "big"))

    def put(self, **facts: Any) -> None:
        """Values for the places in braces in the question's text."""
        self.facts.update({name: str(value) for name, value in facts.items()})

    def wrong_answer(self, name: str, value: Any, en: str, zh: str) -> None:
        """A wrong answer to expect, and what to say to whoever gives it."""
        self.wrong_answers.append(WrongAnswer(name, value, Text(en, zh)))

    def show(self, en: str, zh: str, rows: Any = (), head: Sequence[str] = ()) -> None:
        """Evidence for the answer: a sentence and a table (rows of cells, or a tensor, numbers to four decimals)."""
        table = rows.tolist() if isinstance(rows, torch.Tensor) else list(rows)
        table = [row.tolist() if isinstance(row, torch.Tensor) else row for row in table]
        table = [row if isinstance(row, Sequence) and not isinstance(row, str) else [row] for row in table]
        lines = [tuple(head)] if head else []
        self.shown.append(EvidenceTable(Text(en, zh), tuple(lines + [tuple(map(_cell, row)) for row in table])))


def _cell(value: Any) -> str:
    value = value.item() if isinstance(value, torch.Tensor) else value
    return f"{value:.4f}" if isinstance(value, float) else str(value)
