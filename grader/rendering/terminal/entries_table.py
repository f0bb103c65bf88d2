"""The table of what a download holds, before anything is graded: who, when, which files, what is not understood."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text as Styled

from grader.course import Course, file_name
from grader.intake import Entry, Submission, downloads, roster
from grader.intake.people import MatchedEntries
from grader.rendering.terminal.screen import Screen, printable
from grader.texts import translated

HEADINGS = translated("student|handed in|files|remarks")
READ_AS = translated("Read as {format}: {count} submissions.")
GUESSED = translated("If this is wrong, name the kind of download with --from.")
NOBODYS = translated("Skipped, because no student could be found for: {names}")
FEW = 6  # files that are named; more are counted
FILES = translated("{count} of {all} files")
UNUSUAL = translated("{wanted} is {found}")
UNREAD = translated("not read: {names}")
NONE = translated("none")
ABSENT = translated("{count} of the class list handed in nothing: {names}")
STRANGERS = translated("{count} not in the class list: {names}")
MOST_NAMED = 200


def show(screen: Screen, reading: downloads.Reading, course: Course, wanted: Sequence[str], guessed: bool) -> None:
    """Print the table.

    Args:
        wanted: the sources that it is about.
        guessed: whether nobody said what kind of download it is.
    """
    screen.say(READ_AS, format=reading.format, count=len(reading.entries))
    if guessed:
        screen.say(GUESSED, "dim")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in HEADINGS.to(screen.lang).split("|"):
        table.add_column(heading)
    for entry in sorted(reading.entries, key=lambda e: e.student):
        table.add_row(*map(Styled, _row(screen, entry, entry.load(course), wanted)))
    screen.table(table)
    if reading.others:
        screen.say(NOBODYS, "yellow", names=", ".join(reading.others))


def _row(screen: Screen, entry: Entry, found: Submission, wanted: Sequence[str]) -> tuple[str, str, str, str]:
    sources = {s: source for s, source in found.sources.items() if s in wanted}
    there = [s for s, source in sources.items() if source.text is not None]
    files = ", ".join(map(file_name, there)) or screen.words(NONE)
    if len(there) > FEW:
        files = screen.words(FILES, count=len(there), all=len(wanted))
    remarks = [screen.words(remark) for remark in entry.remarks]
    remarks += dict.fromkeys(screen.words(trouble) for trouble in found.troubles.values())
    remarks += [screen.words(found.refused)] if found.refused else []
    reasons = [s.refused for s in sources.values() if s.refused and not found.refused]
    remarks += [screen.words(reason) for reason in reasons[:FEW]]
    remarks += [f"+{len(reasons) - FEW}"] if len(reasons) > FEW else []
    for name, source in sources.items():
        if source.text is not None and source.path.rpartition("/")[2] not in ("", file_name(name)):
            remarks.append(screen.words(UNUSUAL, wanted=file_name(name), found=source.path))
    remarks += [screen.words(UNREAD, names=", ".join(found.ignored))] if found.ignored and not found.refused else []
    when = entry.when.isoformat(" ", "minutes") if entry.when else ""
    name = entry.person.get("name", "")
    who = f"{entry.student} ({name})" if name and name not in entry.student else entry.student
    return printable(who), when, files, "; ".join(remarks)


def class_list(screen: Screen, known: MatchedEntries, found: int) -> None:
    """Print what was taken for what in a class list, who is in it and handed in nothing, and who is not in it.

    Args:
        found: how many submissions there are.
    """
    for said in roster.told(known.taken, found):
        screen.say(said, "dim")
    for text, names in ((ABSENT, known.absent), (STRANGERS, known.strangers)):
        if names:
            more = f", +{len(names) - MOST_NAMED}" if len(names) > MOST_NAMED else ""
            screen.say(text, "yellow", count=len(names), names=printable(", ".join(names[:MOST_NAMED])) + more)
