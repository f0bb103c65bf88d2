"""Identifies students: by the class list, `--match` and `--groups`; each person appears once."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from grader.errors import CourseError
from grader.intake import roster
from grader.intake.csv_tables import Line, rows_of
from grader.intake.entries import BOTH, GROUP, Entry
from grader.intake.matching import CALLED, MATCHED, NAME, Taken, find, name_keys
from grader.intake.roster import NAMES, kinds
from grader.intake.tree import printable
from grader.report import ClassList
from grader.texts import Text, translated

TABLES = (".csv", ".tsv", ".txt")
OLDER = translated("{count} earlier submissions; the last one counts")
OTHER_NAME = translated("handed in as {name}; if that is a group, --groups says for whom it counts")


@dataclasses.dataclass(frozen=True)
class MatchedEntries:
    """The entries under their names on the class list, the facts in its columns, and who is in only one of both."""

    entries: Sequence[Entry]
    taken: Sequence[Taken]
    absent: Sequence[str]
    strangers: Sequence[str]


def known(entries: Sequence[Entry], listed: ClassList) -> MatchedEntries:
    """Return the entries under their names on the class list, each person once, and the matches. Entries that the list
    does not know keep their names.
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
    return MatchedEntries(last_of_each(made), taken, absent, strangers)


def _other_name(entry: Entry, line: Line, columns: Sequence[str]) -> list[Text]:
    """Return a remark if a platform's number is one person's and the name beside it another's, such as a group's.

    Args:
        columns: those that hold names.
    """
    name = entry.person.get(NAME, "")
    known = set[str]().union(*(name_keys(line[c]) for c in columns if line[c]))
    other = "ID" in entry.person and name and known and not name_keys(name) & known
    return [OTHER_NAME.format(name=name)] if other else []


def _own_key(entries: Sequence[Entry], taken: Sequence[Taken], listed: ClassList) -> str | None:
    """Return the column that holds the names of submissions, if people and not a platform gave them."""
    if listed.asked or any(entry.person for entry in entries):
        return None
    return next((t.column for t in taken if t.fact == CALLED and t.column in listed.columns), None)


def last_of_each(made: Sequence[tuple[str, Entry]]) -> list[Entry]:
    """Return each person once: of several submissions the last one, with a remark.

    Args:
        made: each entry with its name in the download.
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


def matched(entries: Sequence[Entry], match: str) -> list[Entry]:
    """Return the entries under the names that `--match` gives them, each person once; the others unchanged.

    Args:
        match: a table, in which each line gives the name of a submission and its student; or a regular expression,
            whose group matches the student's id in the name of a submission.

    Raises:
        CourseError: it is neither, or fits no submission.
    """
    path = Path(match)
    by_table = path.is_file() or match.lower().endswith(TABLES)
    names = _by_table(entries, path) if by_table else _by_pattern(entries, match)
    if not any(names):
        raise CourseError(
            f"--match {match}: fits none of {len(entries)} submissions, called like {entries[0].student!r}"
        )
    found = [
        (e.student, dataclasses.replace(e, student=printable(name), person={**e.person, MATCHED: name}) if name else e)
        for e, name in zip(entries, names, strict=True)
    ]
    return last_of_each(found)


def _by_pattern(entries: Sequence[Entry], pattern: str) -> list[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise CourseError(f"--match {pattern}: neither a file nor a regular expression: {error}") from error
    if compiled.groups != 1:
        raise CourseError(f"--match {pattern}: needs one group in parentheses, which holds what a student is called")
    found = [compiled.search(e.student) for e in entries]
    return [(m[1] or "").strip() if m else "" for m in found]


def _by_table(entries: Sequence[Entry], path: Path) -> list[str]:
    columns, rows = rows_of(path)
    numbered = tuple(map(str, range(len(columns))))
    # Whether the first line is a heading, the submissions tell.
    lines = [dict(zip(numbered, row, strict=True)) for row in (columns, *(row for _, row in rows))]
    found, taken = find(numbered, lines, [{**e.person, CALLED: e.student} for e in entries])
    if not taken:
        return []
    theirs = max(taken, key=lambda t: t.count).column
    other = next((c for c in numbered if c != theirs), None)
    if other is None:
        raise CourseError(f"{path}:1: needs two columns: what a submission is called, and whose it is")
    return ["" if number is None else lines[number][other] for number in found]


def grouped(entries: Sequence[Entry], path: Path) -> list[Entry]:
    """Return the entries, those of groups once for each member.

    Args:
        path: a table; one of its columns holds the names of groups, the others the members: a line for each member,
            or a line for each group.

    Raises:
        CourseError: it cannot be read, or none of its columns names a group that handed in.
    """
    columns, rows = rows_of(path)
    lines = [dict(zip(columns, row, strict=True)) for _, row in rows]
    called = [set().union(*map(name_keys, (e.student, e.person.get(NAME, "")))) for e in entries]
    by_column = {c: _rows_by_name(c, lines) for c in columns}
    fitting = {c: sum(bool(names & held.keys()) for names in called) for c, held in by_column.items()}
    column = max(fitting, key=lambda c: fitting[c], default="")
    if not fitting.get(column):
        raise CourseError(
            f"{path}: none of its columns ({', '.join(columns) or 'none'}) holds what a submission is called, such as "
            f"{entries[0].student!r}"
        )
    held = by_column[column]
    made = []
    for entry, names in zip(entries, called, strict=True):
        key = next((name for name in sorted(names) if name in held), None)
        members = [(entry.student, entry)] if key is None else _members(entry, column, columns, held[key], lines)
        made += members
    return last_of_each(made)


def _rows_by_name(column: str, lines: Sequence[Line]) -> dict[str, list[Line]]:
    """Return the lines of each group, by all spellings of its name."""
    found: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        for key in name_keys(line[column]):
            found[key].append(line)
    return found


def _members(
    entry: Entry, column: str, columns: Sequence[str], group: Sequence[Line], lines: Sequence[Line]
) -> list[tuple[str, Entry]]:
    """Return the entry of a group for each of its members."""
    several = len({line[column] for line in lines}) < len(lines)
    others = [c for c in columns if c != column]
    if several:
        key = next(iter(roster.keys(others, lines)), None)
        people = [(line[key] if key else next(filter(None, (line[c] for c in others)), ""), line) for line in group]
    else:
        people = [(line[c], {}) for line in group for c in others if line[c]]
    people = [(name, line) for name, line in people if name]
    remarks = (*entry.remarks, GROUP.format(count=len(people)))
    return [
        (entry.student, dataclasses.replace(entry, student=printable(name), person=dict(line), remarks=remarks))
        for name, line in people
    ]
