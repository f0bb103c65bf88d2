"""Reads downloads of Moodle, and of Brightspace and Blackboard, which give every attempt: the last one counts."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Mapping

from grader.intake import entries
from grader.intake.csv_tables import moodle_time
from grader.intake.entries import Entry, Item, Listing, by_name, common_start, places_of
from grader.intake.matching import NAME, find
from grader.intake.people import last_of_each
from grader.intake.tree import Refused, printable
from grader.report import ClassList
from grader.texts import translated

MAX_NOTE_KB = 256
UNCLEAR = translated("handed in {time}, a time that was not understood")

# 1001-5001 - Ada Lovelace - Oct 1, 2026 1158 PM: a folder, or in front of the name of a file
BRIGHTSPACE = re.compile(
    r"(?P<first>\d+)-(?P<second>\d+) ?- (?P<name>.+?) - (?P<when>[^/]*?\d{1,2}[:.]?\d{2}(?: ?[AaPp]\.?[Mm]\.?)?)"
    r"(?: ?- (?P<file>.+))?",
    re.DOTALL,
)
# HW 1_ada_attempt_2026-10-01-23-58-00_softmax.py, and without a file's name the note about an attempt
BLACKBOARD = re.compile(
    r"(?P<who>.+?)_(?P<word>[^\W\d_]+)_(?P<when>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<file>.+)|\.txt)", re.DOTALL
)
_WHO = re.compile(r"[^:：\n]*[:：]\s*(?P<name>.*?)\s*[(（](?P<user>[^()（）]+)[)）]\s*")  # Name: Ada Lovelace (ada)

TIME_UNKNOWN = translated("handed in {time}, which is not a time that can be read; give it with --times")
ONLINE_TEXT = translated("a text typed into Moodle; not read")

# Ada Lovelace_20001_assignsubmission_file_ and what follows: a folder of Moodle's, or in front of a name that a student
# chose. So the first such mark counts in a file's name, where the student may have written another behind it.
_MARK = r"_(?P<id>\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)"
_MOODLE_FOLDER = re.compile(rf"(?P<name>.+){_MARK}", re.DOTALL)
_MOODLE_FILE = re.compile(rf"(?P<name>.+?){_MARK}", re.DOTALL)
_TIME = re.compile(r"\d{4}.*\d:\d\d")


def brightspace(found: Listing) -> tuple[list[Entry], list[str]]:
    """Read `<user>-<folder> - <Full Name> - <time>`: a folder for each attempt, or a prefix of each file."""

    def parsed(item: Item) -> re.Match[str] | None:
        match = BRIGHTSPACE.fullmatch(item.name)
        return match if match and bool(match["file"]) != item.folder else None

    numbers, others = by_name(found.items, parsed, "first", "second")
    firsts, seconds = (set(part) for part in zip(*numbers, strict=True)) if numbers else ((), ())
    id = "second" if len(firsts) == 1 < len(seconds) else "first"  # that of the assignment is everybody's
    attempts, _ = by_name(found.items, parsed, id, "when")
    made = []
    for (number, time), parts in attempts.items():
        name, when = printable(parts[0][0]["name"]), moodle_time(time)
        remarks = () if when else (UNCLEAR.format(time=printable(time)),)
        person = {"ID": number, NAME: name}
        made.append((printable(parts[0][1].name), Entry(f"{name}_{number}", places_of(parts), when, person, remarks)))
    return last_of_each(made), [name for name in others if name.lower() != "index.html"]


def blackboard(found: Listing) -> tuple[list[Entry], list[str]]:
    """Read `<assignment>_<user>_attempt_<time>_<file>`; the note about each attempt is no submission."""
    attempts, others = by_name(
        found.items, lambda item: None if item.folder else BLACKBOARD.fullmatch(item.name), "who", "when"
    )
    start = common_start([who for who, _ in attempts], "_")  # the assignment
    made = []
    for (who, time), parts in attempts.items():
        name, user = next(filter(None, (_told(who, item) for match, item in parts if not match["file"])), ("", ""))
        user = user or who.removeprefix(start)
        files = [(match, item) for match, item in parts if match["file"]]
        refused = None if files else entries.NO_FILES
        when = None
        with contextlib.suppress(ValueError):  # no such day
            when = datetime.datetime.strptime(time, "%Y-%m-%d-%H-%M-%S")
        person = {"username": user, **({NAME: name} if name else {})}
        made.append((f"{printable(who)}_{time}", Entry(printable(user), places_of(files), when, person, (), refused)))
    return last_of_each(made), others


def _told(who: str, item: Item) -> tuple[str, str] | None:
    """Return name and user from the first line of the note, if the user is the one in the note's own name."""
    try:
        text = item.file.read(MAX_NOTE_KB).decode("utf-8-sig", "replace")
    except Refused:
        return None
    match = _WHO.fullmatch(text.partition("\n")[0].strip())
    return (printable(match["name"]), match["user"]) if match and who.endswith(f"_{match['user']}") else None


def moodle(found: Listing, roster: ClassList | None) -> tuple[list[Entry], list[str]]:
    """Read `<Full Name>_<participant id>_assignsubmission_file_`, folders or files; return other names, too."""
    people, others = by_name(found.items, named_by_moodle, "id")
    names = {id: printable(parts[0][0]["name"]) for id, parts in people.items()}
    # Team Red-Ada Lovelace, where the files of one group were downloaded
    group = common_start([*names.values()], "-") if len(names) > 1 else ""
    known = {id: {"Identifier": id, NAME: name.removeprefix(group)} for id, name in names.items()}
    times = _worksheet_times(roster, known)
    made = []
    for id, parts in people.items():
        files = [(match, item) for match, item in parts if match["kind"] == "file"]
        remarks = [] if len(files) == len(parts) else [ONLINE_TEXT]
        refused = None if files else entries.NO_FILES
        time = times.get(id, "")
        when = moodle_time(time)
        remarks += [TIME_UNKNOWN.format(time=printable(time))] if time.strip("- ") and not when else []
        made.append(Entry(f"{names[id]}_{id}", places_of(files), when, known[id], tuple(remarks), refused))
    return made, others


def _worksheet_times(roster: ClassList | None, known: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return each submission's time by the grading worksheet: its first column of times, whatever its heading."""
    if roster is None:
        return {}
    columns = ([line[c] for line in roster.lines if line[c].strip("- ")] for c in roster.columns)
    held = (c for c, cells in zip(roster.columns, columns, strict=True) if cells and all(map(_TIME.search, cells)))
    column = next(held, None)
    lines, _ = find(roster.columns, roster.lines, list(known.values()))
    found = zip(known, lines, strict=True)
    return {id: roster.lines[line][column] for id, line in found if column and line is not None}


def named_by_moodle(item: Item) -> re.Match[str] | None:
    """Match the name of a file or folder with Moodle's pattern."""
    return (_MOODLE_FOLDER if item.folder else _MOODLE_FILE).fullmatch(item.name)
