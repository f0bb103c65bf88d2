"""Who is who: entries of a download under the names of the class list, each person once."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Callable, Mapping, Sequence

from grader.intake.entries import BOTH, Entry
from grader.intake.roster import Roster, match
from grader.intake.tree import printable
from grader.texts import translated

OLDER = translated("{count} earlier submissions; the last one counts")
# What a platform calls somebody by, and the columns of a class list that hold the same.
_SAME: Mapping[str, tuple[str, ...]] = {
    "ID": (), "Identifier": (), "SID": ("ID number", "SIS User ID"), "Email": ("Email address", "email"),
    "username": ("github_username",),
}  # fmt: skip


def named(entries: Sequence[Entry], roster: Roster) -> list[Entry]:
    """The entries under the names of the class list, where it knows who they are; each person once."""
    lines = {c: by_column(roster, c, _plain_id) for k in _SAME for c in (k, *_SAME[k])}
    by_name = _by_names(roster)
    loosely = match(roster, [e.student for e in entries]).lines
    known = []
    for entry in entries:
        called = entry.student
        wanted = [(c, _plain_id(value)) for k in _SAME if (value := entry.person.get(k)) for c in (k, *_SAME[k])]
        fitting = [lines[column][value] for column, value in wanted if value in lines[column]]
        fitting += [by_name[key] for key in name_keys(entry.person.get("name", "")) if key in by_name]
        fitting += [loosely[entry.student]] if entry.student in loosely else []
        if fitting:
            line = fitting[0]
            entry = dataclasses.replace(entry, student=printable(line[roster.key]), person={**entry.person, **line})
        known.append((called, entry))
    return last_of_each(known)


def _plain_id(value: str) -> str:
    return re.sub(r"^participant\s+", "", value.strip().lower())


def by_column(roster: Roster | None, column: str, plain: Callable[[str], str]) -> dict[str, Mapping[str, str]]:
    """The lines of the class list by what stands in this column."""
    lines = roster.lines if roster and column in roster.columns else ()
    return {plain(line[column]): line for line in lines if line[column]}


def _by_names(roster: Roster) -> dict[str, Mapping[str, str]]:
    """The lines by people's names, of those that only one person has."""
    found: dict[str, list[Mapping[str, str]]] = {}
    for line in roster.lines:
        names = [line.get(c, "") for c in ("Full name", "Name", "name", "Student")]
        names.append(f"{line.get('last_name', '')}, {line.get('first_name', '')}")
        for key in set().union(*map(name_keys, names)):
            found.setdefault(key, []).append(line)
    return {key: lines[0] for key, lines in found.items() if len(lines) == 1}


def name_keys(name: str) -> set[str]:
    """A name whatever the order of its parts, capitals and blanks: `Lovelace, Ada`, `Ada Lovelace`, `lovelaceada`."""
    parts = [p for p in re.split(r"[\W_]+", name.lower()) if p]
    return {" ".join(sorted(parts)), "".join(parts), "".join((*parts[1:], *parts[:1]))} - {""}


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
