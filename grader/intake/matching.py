"""Finds each person's line in a table.

One law holds in any language: the known facts about people are compared with the columns of a table, and the column
that fits most of them holds that fact. No heading needs to be understood.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.intake.csv_tables import Line

CALLED, NAME, MATCHED = "", "name", "match"  # of what is known of somebody: what they are called, their name, --match
FEWEST = 3  # numbers fit a column by chance, but not those of one in so many people
_NO_PART_OF_A_NAME = re.compile(r"[@\d]")
_NUMBERED = re.compile(r"([^\W\d][^\d]*[^\W\d][^\d]*?)\s*(\d+)")  # `Participant 20001`, `Teilnehmer/in20001`
_MEASURE = re.compile(r"[-+]?\d*[.,]\d+|.*\d:\d\d.*|-")  # points and times, which tell nobody
Facts = Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Taken:
    """A column of a table that holds a fact about people: the fact's name, and how many it fits."""

    column: str
    fact: str
    count: int


def find(
    columns: Sequence[str], lines: Sequence[Line], people: Sequence[Facts]
) -> tuple[list[int | None], list[Taken]]:
    """Return the number of each person's line in a table, None without a unique line; and which column holds which
    fact.

    A fact by which a platform knows somebody goes before the name, and the name before the submission's name: a name
    that anybody may choose takes no line from the person whose number is on it.
    """
    tables = [_Column(column, [line[column] for line in lines]) for column in dict.fromkeys(columns)]
    tables += _pairs(columns, lines)
    facts = list(dict.fromkeys(fact for person in people for fact in person if fact not in (NAME, CALLED)))
    found: list[int | None] = [None] * len(people)
    taken = []
    for fact in (*sorted(facts, key=lambda f: f != MATCHED), NAME, CALLED):
        if None not in found:
            break
        column, numbers = _best(fact, [person.get(fact, "") for person in people], tables, len(lines))
        held = {number for number in found if number is not None} if fact in (NAME, CALLED) else set()
        new = [n for n, number in enumerate(numbers) if number is not None and found[n] is None and number not in held]
        for n in new:
            found[n] = numbers[n]
        if new:
            taken.append(Taken(column, fact, len(new)))
    return found, taken


class _Column:
    """The index of a column's cells: as written, without regard to case, in part, and as names."""

    def __init__(self, heading: str, cells: Sequence[str], names_only: bool = False) -> None:
        self.heading = heading
        word = common_word([c for c in cells if c])
        self._levels: list[dict[str, set[int]]] = [{}, {}, {}, {}]
        for number, cell in enumerate(cells):
            for level, keys in enumerate(_cell_keys(cell, word)):
                if keys and (level == len(self._levels) - 1 or not names_only):
                    for key in keys:
                        self._levels[level].setdefault(key, set()).add(number)
        self._all = frozenset(key for held in self._levels for key in held)

    def find(self, value: Sequence[set[str]]) -> tuple[int, int] | None:
        """Return the one line that fits a value, and how closely, from 0; None if no line, or more than one, fits.

        Args:
            value: its possible spellings, level by level, and at last all of these.
        """
        if self._all.isdisjoint(value[-1]):  # most columns hold nothing like it
            return None
        for level, keys in enumerate(value[:-1]):
            fitting = set[int]().union(*(self._levels[level].get(key, ()) for key in keys))
            if fitting:
                return (fitting.pop(), level) if len(fitting) == 1 else None
        return None


def _cell_keys(cell: str, word: str) -> Iterator[set[str]]:
    if is_measure(cell):
        return
    folded = _folded(cell)
    address = folded.partition("@")[0]
    yield {cell}
    yield {folded}
    behind = cell.removeprefix(word).strip() if word and cell.startswith(word) else ""  # the word that all begin with
    yield {address, behind, _without_zeros(folded)} - {""}
    yield name_keys(cell) | name_keys(address)


def _value_keys(value: str) -> Iterator[set[str]]:
    if is_measure(value):
        return
    folded = _folded(value)
    yield {value}
    yield {folded}
    yield {folded, _without_zeros(folded)}
    yield name_keys(value)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _without_zeros(text: str) -> str:
    """Return a number as a spreadsheet leaves it."""
    return text.lstrip("0") if text.isdecimal() else text


def _pairs(columns: Sequence[str], lines: Sequence[Line]) -> Iterator[_Column]:
    """Yield names in two neighbouring columns."""
    for first, second in itertools.pairwise(columns):
        cells = [f"{line[first]} {line[second]}" for line in lines]
        if not any(map(_NO_PART_OF_A_NAME.search, cells)):
            yield _Column(f"{first} + {second}", cells, names_only=True)


def _best(fact: str, values: Sequence[str], columns: Iterable[_Column], count: int) -> tuple[str, list[int | None]]:
    """Return the column that holds a fact of most people, and each person's line in it; no lines if no column fits."""
    nowhere: list[int | None] = [None] * len(values)
    best = "", nowhere
    best_rank = (0, False, 0)
    keys = [[*levels, set[str]().union(*levels)] for levels in map(list, map(_value_keys, values))]
    known = sum(len(levels) > 1 for levels in keys)
    for column in columns:
        hits = [column.find(k) for k in keys]
        number = sum(hit is not None for hit in hits)
        same = fact != CALLED and _folded(fact) == _folded(column.heading)
        rank = number, same, -sum(hit[1] for hit in hits if hit)
        telling = (
            same
            or number * FEWEST >= min(known, count)
            or any(hit and not value.isdecimal() for hit, value in zip(hits, values, strict=True))
        )
        if number and telling and rank > best_rank:
            best, best_rank = (column.heading, [hit[0] if hit else None for hit in hits]), rank
    return best


def name_keys(name: str) -> set[str]:
    """Return the keys of a name without regard to order, case and blanks: `Lovelace, Ada`, `lovelaceada`."""
    parts = [p for p in re.split(r"[\W_]+", _folded(name)) if p]
    turned = ("".join((*parts[n:], *parts[:n])) for n in (0, 1, -1))
    return {" ".join(sorted(parts)), *turned} - {""}


def common_word(cells: Sequence[str]) -> str:
    """Return the one word before the number in cells of a word and a number: `Participant`, `参与者`."""
    words = {match[1] for cell in cells if (match := _NUMBERED.fullmatch(cell))}
    return words.pop() if len(words) == 1 else ""


def is_measure(cell: str) -> bool:
    """Return True if a cell holds points, a time or nothing: it identifies no person."""
    return not cell or bool(_MEASURE.fullmatch(cell))
