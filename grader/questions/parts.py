"""Decides what a partly right answer earns: no more than a guess can expect, which is next to nothing.

Right parts count for it and wrong ones against it, such that guesses add up to 0 in the mean; blank parts do neither.
No question takes points from another, so luck alone would still earn something: nothing is paid unless this balance is
more than half of what it could be for what is answered. See docs/assessment.md.
"""

from __future__ import annotations

import collections
import dataclasses
import itertools
from collections.abc import Hashable, Sequence

from grader.texts import NOTHING, Text, translated

CELLS = translated("{right} of {total} cells are right")
OPTIONS = translated("{right} of {total} options are judged correctly")
PAIRS = translated("{right} of {total} pairs are in the right order")
NUMBERS = translated("{right} of {total} numbers are right")
DUST = 1e-9  # of binary fractions


@dataclasses.dataclass(frozen=True)
class Parts:
    """The number of right parts of an answer, and the share of the points that it earns."""

    share: float
    right: int = 0
    total: int = 1
    sentence: Text = NOTHING

    @property
    def said(self) -> Text:
        """Return a sentence on how many parts are right, if that adds to the verdict."""
        return self.sentence.format(right=self.right, total=self.total) if 0 < self.right < self.total else NOTHING


@dataclasses.dataclass(frozen=True)
class ChoicePart:
    """A part to choose from a few words. given: the word on the sheet, None if it is blank. want: the right one."""

    given: Hashable | None
    want: Hashable

    @property
    def right(self) -> bool:
        return self.given == self.want


def whole(right: bool) -> Parts:
    """Return the parts of an answer that is right or wrong as a whole."""
    return Parts(float(right), int(right))


def of_numbers(right: Sequence[bool | None]) -> Parts:
    """Return the parts of a list of numbers, None for a blank one. A wrong number costs nothing: none is guessed by
    chance.

    Less than half of them earn nothing: the zeros of a causal mask are no weights.
    """
    earned, answered = sum(map(bool, right)), sum(r is not None for r in right)
    return Parts(earned / len(right) if 2 * earned >= answered else 0.0, earned, len(right), NUMBERS)


def grouped(columns: Sequence[Sequence[ChoicePart]]) -> list[list[ChoicePart]]:
    """Return the cells of a table; columns with words of their own are separate, since anyone sees which words fit."""
    groups: list[list[ChoicePart]] = []
    for column in columns:
        alike = [group for group in groups if _words(group) & _words(column)]
        groups = [group for group in groups if group not in alike] + [[*column, *itertools.chain(*alike)]]
    return groups if all(len(_words(group)) > 1 for group in groups) else [list(itertools.chain(*columns))]


def _words(cells: Sequence[ChoicePart]) -> set[Hashable]:
    return {cell.want for cell in cells}


def balance(groups: Sequence[Sequence[ChoicePart]]) -> tuple[float, float]:
    """Return right less wrong parts, and the balance if all answered parts were right; with all cells answered it is 1.

    In a group each word of the key has the same weight, shared by the cells where it is right, so that one word in all
    cells earns as little as words by chance: a wrong cell loses 1 / (words - 1) of what it would have earned.
    """
    total = sum(map(len, groups))
    found = most = 0.0
    for group in groups:
        counts = collections.Counter(cell.want for cell in group)
        for cell in group:
            if cell.given is not None:
                weight = len(group) / total / len(counts) / counts[cell.want]
                found += weight if cell.right else -weight / max(len(counts) - 1, 1)
                most += weight
    return found, most


def of_words(groups: Sequence[Sequence[ChoicePart]], sentence: Text) -> Parts:
    """Return the parts of cells with words to choose from, in groups that have their own words."""
    found, most = balance(groups)
    cells = [cell for group in groups for cell in group]
    return Parts(_paid(found, most), sum(cell.right for cell in cells), len(cells), sentence)


def of_order(answer: Sequence[str], key: Sequence[str]) -> Parts:
    """Return the parts of an order: one for each two items in the right order (Kendall's tau)."""
    pairs = list(itertools.combinations(key, 2))
    right = sum(answer.index(first) < answer.index(second) for first, second in pairs)
    return Parts(_paid((2 * right - len(pairs)) / len(pairs), 1.0), right, len(pairs), PAIRS)


def _paid(found: float, most: float) -> float:
    """Return a balance that luck hardly reaches; 0 for any other."""
    return found if found > most / 2 + DUST else 0.0
