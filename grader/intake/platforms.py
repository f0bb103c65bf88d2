"""Platforms that hand out every attempt of a person, with its time: Brightspace, Blackboard. The last counts."""

from __future__ import annotations

import contextlib
import datetime
import re

from grader.intake import entries
from grader.intake.entries import Entry, Item, Listing, by_name, common_start, renamed
from grader.intake.matching import NAME
from grader.intake.people import last_of_each
from grader.intake.times import moodle_time
from grader.intake.tree import Refused, printable
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


def brightspace(found: Listing) -> tuple[list[Entry], list[str]]:
    """`<user>-<folder> - <Full Name> - <time>`: a folder for each attempt, or in front of each file."""

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
        places = [p if item.folder else renamed(item, match["file"]) for match, item in parts for p in item.places]
        remarks = () if when else (UNCLEAR.format(time=printable(time)),)
        person = {"ID": number, NAME: name}
        made.append((printable(parts[0][1].name), Entry(f"{name}_{number}", tuple(places), when, person, remarks)))
    return last_of_each(made), [name for name in others if name.lower() != "index.html"]


def blackboard(found: Listing) -> tuple[list[Entry], list[str]]:
    """`<assignment>_<user>_attempt_<time>_<file>`, and a note about each attempt, which is nobody's submission."""
    attempts, others = by_name(
        found.items, lambda item: None if item.folder else BLACKBOARD.fullmatch(item.name), "who", "when"
    )
    start = common_start([who for who, _ in attempts], "_")  # the assignment
    made = []
    for (who, time), parts in attempts.items():
        name, user = next(filter(None, (_told(who, item) for match, item in parts if not match["file"])), ("", ""))
        user = user or who.removeprefix(start)
        files = [(match["file"], item) for match, item in parts if match["file"]]
        places = tuple(renamed(item, file) for file, item in files)
        refused = None if files else entries.NO_FILES
        when = None
        with contextlib.suppress(ValueError):  # no such day
            when = datetime.datetime.strptime(time, "%Y-%m-%d-%H-%M-%S")
        person = {"username": user, **({NAME: name} if name else {})}
        made.append((f"{printable(who)}_{time}", Entry(printable(user), places, when, person, (), refused)))
    return last_of_each(made), others


def _told(who: str, item: Item) -> tuple[str, str] | None:
    """Name and user by the first line of the note, if the user is the one in the note's own name."""
    try:
        text = item.file.read(MAX_NOTE_KB).decode("utf-8-sig", "replace")
    except Refused:
        return None
    match = _WHO.fullmatch(text.partition("\n")[0].strip())
    return (printable(match["name"]), match["user"]) if match and who.endswith(f"_{match['user']}") else None
