"""Who is who: entries of a download under the names of the class list, each person once."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence

from grader.intake import roster
from grader.intake.entries import BOTH, Entry
from grader.intake.matching import CALLED, NAME, Taken, find, name_keys
from grader.intake.roster import NAMES, kinds
from grader.intake.tables import Line
from grader.intake.tree import printable
from grader.report import ClassList
from grader.texts import Text, translated

OLDER = translated("{count} earlier submissions; the last one counts")
OTHER_NAME = translated("handed in as {name}; if that is a group, --groups says for whom it counts")


@dataclasses.dataclass(frozen=True)
class Known:
    """The entries under the names of the class list, what was taken for what in it, and who is in only one of both."""

    entries: Sequence[Entry]
    taken: Sequence[Taken]
    absent: Sequence[str]
    strangers: Sequence[str]


def known(entries: Sequence[Entry], listed: ClassList) -> Known:
    """The entries under the names of the class list, where it knows who they are, each person once; and what came of
    it.
    """
    people = [{**entry.person, CALLED: entry.student} for entry in entries]
    found, taken = find(listed.columns, listed.lines, people)
    key = _own_key(entries, taken, listed)
    names = [c for c, kind in kinds(listed.columns, listed.lines).items() if kind == NAMES]
    students = roster.called(listed, listed.lines)
    made, strangers = [], []
    for entry, number in zip(entries, found, strict=True):
        before = entry.student
        if number is not None:
            line = listed.lines[number]
            student = printable((line[key] if key else "") or students[number])
            remarks = (*entry.remarks, *_other_name(entry, line, names))
            entry = dataclasses.replace(entry, student=student, person={**entry.person, **line}, remarks=remarks)
        else:
            strangers.append(before)
        made.append((before, entry))
    here = set(found)
    absent = [student for number, student in enumerate(students) if number not in here]
    return Known(last_of_each(made), taken, absent, strangers)


def _other_name(entry: Entry, line: Line, columns: Sequence[str]) -> list[Text]:
    """What to say where a platform's number is one person's, and the name beside it somebody else's, such as a group's.

    Args:
        columns: those that hold names.
    """
    name = entry.person.get(NAME, "")
    known = set[str]().union(*(name_keys(line[c]) for c in columns if line[c]))
    other = "ID" in entry.person and name and known and not name_keys(name) & known
    return [OTHER_NAME.format(name=name)] if other else []


def _own_key(entries: Sequence[Entry], taken: Sequence[Taken], listed: ClassList) -> str | None:
    """The column that holds what submissions are called, where people called them and not a platform."""
    if listed.asked or any(entry.person for entry in entries):
        return None
    return next((t.column for t in taken if t.fact == CALLED and t.column in listed.columns), None)


def last_of_each(made: Sequence[tuple[str, Entry]]) -> list[Entry]:
    """Each person once: of several submissions the one that came last, which is said.

    Args:
        made: what each is called in the download, and the entry.
    """
    by_student: dict[str, list[tuple[str, Entry]]] = {}
    for called, entry in made:
        by_student.setdefault(entry.student, []).append((called, entry))
    return [_last(several) for several in by_student.values()]


def _last(several: Sequence[tuple[str, Entry]]) -> Entry:
    names, entries = [called for called, _ in several], [entry for _, entry in several]
    if len(several) == 1:
        return entries[0]
    if all(e.when for e in entries):
        last = max(entries, key=lambda e: e.when or datetime.datetime.min)
        return dataclasses.replace(last, remarks=(*last.remarks, OLDER.format(count=len(several) - 1)))
    return dataclasses.replace(entries[0], places=(), refused=BOTH.format(first=names[0], second=names[1]))
