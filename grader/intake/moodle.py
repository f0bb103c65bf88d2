"""Moodle's "Download all submissions", and when each came, by its grading worksheet."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grader.intake import entries
from grader.intake.entries import Entry, Item, Listing, by_name, common_start, renamed
from grader.intake.matching import NAME, find
from grader.intake.times import moodle_time
from grader.intake.tree import printable
from grader.report import ClassList
from grader.texts import translated

TIME_UNKNOWN = translated("handed in {time}, which is not a time that can be read; give it with --times")
ONLINE_TEXT = translated("a text typed into Moodle; not read")

# Ada Lovelace_20001_assignsubmission_file_ and what follows: a folder of Moodle's, or in front of a name that a student
# chose. So the first such mark counts in a file's name, where the student may have written another behind it.
_MARK = r"_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)"
_MOODLE_FOLDER = re.compile(rf"(?P<name>.+){_MARK}", re.DOTALL)
_MOODLE_FILE = re.compile(rf"(?P<name>.+?){_MARK}", re.DOTALL)
_TIME = re.compile(r"\d{4}.*\d:\d\d")


def submissions(found: Listing, roster: ClassList | None) -> tuple[list[Entry], list[str]]:
    """`<Full Name>_<participant id>_assignsubmission_file_`, folders or files; and what is not understood."""
    people, others = by_name(found.items, parsed, "id")
    names = {id: printable(parts[0][0]["name"]) for id, parts in people.items()}
    # Team Red-Ada Lovelace, where the files of one group were downloaded
    group = common_start([*names.values()], "-") if len(names) > 1 else ""
    known = {id: {"Identifier": id, NAME: name.removeprefix(group)} for id, name in names.items()}
    times = _worksheet_times(roster, known)
    made = []
    for id, parts in people.items():
        files = [(match, item) for match, item in parts if match["kind"] == "file"]
        places = [p if item.folder else renamed(item, match["file"]) for match, item in files for p in item.places]
        remarks = [] if len(files) == len(parts) else [ONLINE_TEXT]
        refused = None if files else entries.NO_FILES
        time = times.get(id, "")
        when = moodle_time(time)
        remarks += [TIME_UNKNOWN.format(time=printable(time))] if time.strip("- ") and not when else []
        made.append(Entry(f"{names[id]}_{id}", tuple(places), when, known[id], tuple(remarks), refused))
    return made, others


def _worksheet_times(roster: ClassList | None, known: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """When each handed in, by the grading worksheet: its first column of times, whatever it is called."""
    if roster is None:
        return {}
    columns = ([line[c] for line in roster.lines if line[c].strip("- ")] for c in roster.columns)
    held = (c for c, cells in zip(roster.columns, columns, strict=True) if cells and all(map(_TIME.search, cells)))
    column = next(held, None)
    lines, _ = find(roster.columns, roster.lines, list(known.values()))
    found = zip(known, lines, strict=True)
    return {id: roster.lines[line][column] for id, line in found if column and line is not None}


def parsed(item: Item) -> re.Match[str] | None:
    """Whose a file or folder is, by its name."""
    return (_MOODLE_FOLDER if item.folder else _MOODLE_FILE).fullmatch(item.name)
