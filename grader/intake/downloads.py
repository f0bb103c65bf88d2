"""Reads the downloads of learning platforms as entries: Canvas, Moodle, Gradescope, GitHub and others, plain folders.

A function for each layout turns the top of the download into the entries in it; `FORMATS` names them. Ids, names and
times are the platform's own.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from grader.course import Course, strict_yaml
from grader.errors import CourseError
from grader.intake import entries, people, platforms
from grader.intake.archives import is_archive
from grader.intake.csv_tables import platform_time
from grader.intake.entries import GROUP, Entry, Item, Listing, Parsed, by_name, common_start, places_of
from grader.intake.people import OLDER, MatchedEntries, last_of_each
from grader.intake.sources import Submission
from grader.intake.submission import load
from grader.intake.tree import Refused, printable
from grader.report import ClassList
from grader.texts import translated

METADATA = "submission_metadata.yml"
MAX_METADATA_KB = 32 << 10
MAX_AROUND = 3  # folders, or an archive, around a download

LATE_UNKNOWN = translated("Canvas marks it late without saying by how much; give the time with --times")
TEXT_ENTRY = translated("a text typed into Canvas; not read")

# lastnamefirstname_LATE_1234_56789_softmax-1.py; anon_x7Gf2_56789_softmax.py where names are hidden
_CANVAS = re.compile(
    r"(?P<name>anon(?=_)|.+?)_(?P<late>LATE_)?(?P<id>\d+|(?:(?<=anon_)|(?<=anon_LATE_))[0-9A-Za-z]+)"
    r"_(?P<attachment>\d+|text)(?:_(?P<file>.+)|(?P<text>\.html))",
    re.DOTALL,
)
_GRADESCOPE = re.compile(r"submission_\d+")


@dataclasses.dataclass(frozen=True)
class Reading:
    """The content of a download: entries in the order of their names, and the names of items that no rule covers.

    `known` holds the matches with the class list, if there is one.
    """

    format: str
    entries: tuple[Entry, ...]
    others: tuple[str, ...] = ()
    known: MatchedEntries | None = None

    @property
    def doubtful(self) -> bool:
        """True if an item that no rule covers may be somebody's work: platforms put nothing else there."""
        return bool(self.others) and self.format not in ("github", "folder")


Found = tuple[list[Entry], list[str]]  # the entries, and the names of what was not understood


def canvas(found: Listing) -> Found:
    """Read `<name>[_LATE]_<user id>_<attachment id>_<file>`: one person's files share the user id."""
    people, others = by_name(found.items, lambda i: None if i.folder else _CANVAS.fullmatch(i.name), "id")
    return [_canvas_entry(id, sorted(files, key=_attachment)) for id, files in people.items()], others


def _attachment(pair: Parsed) -> int:
    number = pair[0]["attachment"]
    return int(number) if number.isdigit() else -1


def _canvas_entry(id: str, files: Sequence[Parsed]) -> Entry:
    last: dict[str, Parsed] = {}
    for parsed, item in files:  # the attachment with the highest number is the last
        if parsed["file"]:
            last[re.sub(r"-\d+(?=(\.[^.]*)?$)", "", parsed["file"])] = parsed, item
    first = files[0][0]
    remarks = [LATE_UNKNOWN] if any(parsed["late"] for parsed, _ in files) else []
    handed = [parsed for parsed, _ in files if parsed["file"]]
    remarks += [TEXT_ENTRY] if len(handed) < len(files) else []
    remarks += [OLDER.format(count=len(handed) - len(last))] if len(handed) > len(last) else []
    name = printable(first["name"])
    person = {"ID": id, "name": name}
    return Entry(f"{name}_{id}", places_of(last.values()), None, person, tuple(remarks))


def gradescope(found: Listing) -> Found:
    """Read `submission_<id>/` folders, and the students and times in `submission_metadata.yml`."""
    metadata = _metadata(found)
    folders = {item.name: item for item in found.items if item.folder}
    made: list[tuple[str, Entry]] = []
    for key, facts in metadata.items():
        listed = facts.get("submitters")
        people = [_facts(p) for p in (listed if isinstance(listed, list) else ()) if isinstance(p, Mapping)]
        item = folders.pop(str(key), None)
        together = (GROUP.format(count=len(people)),) if len(people) > 1 else ()
        for person in people:
            who = {k: str(person[k]) for k in ("name", "sid", "email") if person.get(k)}
            student = printable(who.get("sid") or who.get("email") or who.get("name") or str(key))
            places = item.places if item else ()
            refused = None if item else entries.NO_FILES
            known = {"name": who.get("name", ""), "SID": who.get("sid", ""), "Email": who.get("email", "")}
            when = platform_time(facts.get("created_at"))
            made.append((str(key), Entry(student, places, when, known, together, refused)))
    others = [item.name for item in found.items if item.name in folders or (not item.folder and item.name != METADATA)]
    return last_of_each(made), others


def _metadata(found: Listing) -> Mapping[str, Mapping[str, Any]]:
    item = found.item(METADATA)
    if item is None:
        raise CourseError(f"{found.path}: no {METADATA} in it; a Gradescope export has one beside the submissions")
    try:
        loaded = strict_yaml.loaded(item.file.read(MAX_METADATA_KB).decode())
    except (yaml.YAMLError, UnicodeDecodeError, Refused) as error:
        raise CourseError(f"{found.path}/{METADATA}: cannot be read: {error}") from error
    if not isinstance(loaded, Mapping):
        raise CourseError(f"{found.path}/{METADATA}: it should be a mapping from submission_<id> to facts")
    return {str(k): _facts(v) for k, v in loaded.items() if isinstance(v, Mapping)}


def _facts(value: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the metadata; Ruby's symbols as keys (`:name:`) are read as texts that begin with a colon."""
    return {str(k).strip(":"): v for k, v in value.items()}


def github(found: Listing, roster: ClassList | None) -> Found:
    """Read a clone for each student, `<classroom>-<assignment>-<username>` or `<assignment>-<username>`."""
    folders = [item for item in found.items if item.folder]
    if len(folders) == 1 and folders[0].name.endswith("-submissions"):
        nothing = contextlib.ExitStack()  # is held open by a folder
        if below := entries.inside(found, folders[0], nothing):
            return github(below, roster)
    names = [item.name.lower() for item in folders]
    ends = _users(names, roster)
    starts = {name.removesuffix(end) for name, end in zip(names, ends, strict=True) if end} - {""}
    prefix = common_start(names, "-") if len(names) > 1 else ""
    made = []
    for item, name, end in zip(folders, names, ends, strict=True):
        start = name.removesuffix(end) if end else prefix
        shorter = [s for s in starts if end and s != start and start.startswith(s)]  # week-1-: week-1-x-ada is x-ada's
        user = name.removeprefix(min(shorter, key=len, default=start))
        made.append(Entry(printable(user or name), item.places, None, {"username": user}))
    return made, [item.name for item in found.items if not item.folder]


def _users(names: Sequence[str], roster: ClassList | None) -> list[str]:
    """Return the user at the end of each clone's name, by the column of the class list that holds most of them."""
    parts = [name.split("-") for name in names]
    ends = [["-".join(words[n:]) for n in range(len(words))] for words in parts]  # the longest first
    found = [[""] * len(names)]
    for column in roster.columns if roster else ():
        known = {line[column].lower() for line in roster.lines if line[column]} if roster else set()
        found.append([next((end for end in several if end in known), "") for several in ends])
    return max(found, key=lambda users: sum(map(bool, users)))


FORMATS: Mapping[str, Callable[[Listing, Course, ClassList | None], Found]] = {
    "canvas": lambda found, course, roster: canvas(found),
    "moodle": lambda found, course, roster: platforms.moodle(found, roster),
    "gradescope": lambda found, course, roster: gradescope(found),
    "github": lambda found, course, roster: github(found, roster),
    "brightspace": lambda found, course, roster: platforms.brightspace(found),
    "blackboard": lambda found, course, roster: platforms.blackboard(found),
    "folder": lambda found, course, roster: entries.plain(found, course),
}


def guess(found: Listing) -> str:
    """Return the platform whose naming pattern most names follow; "" if most follow none."""
    if found.item(METADATA) and any(item.folder and _GRADESCOPE.fullmatch(item.name) for item in found.items):
        return "gradescope"  # one person's file of that name is none
    files = [item.name for item in found.items if not item.folder]
    everything = [item.name for item in found.items]
    for name, fits, names in (
        ("moodle", None, [item.name for item in found.items if platforms.named_by_moodle(item)]),
        ("blackboard", platforms.BLACKBOARD, files), ("brightspace", platforms.BRIGHTSPACE, everything),
        ("canvas", _CANVAS, files),
    ):  # fmt: skip
        if sum(bool(fits is None or fits.fullmatch(n)) for n in names) * 2 > len(found.items):
            return name
    clones = [item for item in found.items if item.folder and _is_clone(item)]
    work = [item for item in found.items if item.folder or entries.may_be_work(item.name)]
    return "github" if clones and len(clones) * 2 > len(work) else "folder"


def _is_clone(item: Item) -> bool:
    return item.name.endswith("-submissions") or any(isinstance(p, Path) and (p / ".git").exists() for p in item.places)


def read(
    path: Path, course: Course, format: str | None, roster: ClassList | None, held: contextlib.ExitStack,
    match: str | None = None, groups: Path | None = None,
) -> Reading:  # fmt: skip
    """Read the entries of a download.

    Args:
        format: one of FORMATS, None to guess it.
        roster: the class list, which names people as the instructor does.
        held: a zip stays open as long as this, so that its entries can be read.
        match: a table or a regular expression that finds each submission's student.
        groups: a table of the members of each group.

    Raises:
        CourseError: it cannot be read, or holds no submission; or a table of people names none of them.
    """
    found = _download(entries.listing(path, held), course, format, held)
    kind = format or guess(found)
    made, others = FORMATS[kind](found, course, roster)
    if not made and found.items and format not in (None, "folder"):
        raise CourseError(
            f"{path}: no name in it looks like a download of {format}; --from is guessed where it is left out"
        )
    if not made:
        raise CourseError(f"{path}: no submissions; it should hold a folder, .zip or .ipynb for each student")
    made = people.matched(made, match) if match else made
    made = people.grouped(made, groups) if groups else made
    known = people.known(made, roster) if roster else None
    return Reading(kind, tuple(known.entries if known else made), tuple(map(printable, others)), known)


def one_persons(path: Path, course: Course) -> Submission:
    """Read one person's work: a folder, an archive, a notebook, a file, or a download that holds no other's.

    Raises:
        CourseError: it is a platform's download with the work of several people.
    """
    with contextlib.ExitStack() as held:
        if path.is_dir() or is_archive(path.name):
            found = _download(entries.listing(path, held), course, None, held)
            if (format := guess(found)) not in ("github", "folder"):
                people, _ = FORMATS[format](found, course, None)
                if len(people) > 1:
                    named = ", ".join(entry.student for entry in people[:3])
                    raise CourseError(f"{path} holds the work of several students ({named}); `grader grade` grades it")
                return people[0].load(course) if people else load(path, course)
    return load(path, course)


def _download(found: Listing, course: Course, format: str | None, held: contextlib.ExitStack) -> Listing:
    """Return the listing, or that of the one folder or archive in it that looks like a platform's download or class."""
    around = [found]
    while len(around) <= MAX_AROUND and len(around[-1].items) == 1:
        below = entries.inside(around[-1], around[-1].items[0], held)
        if below is None:  # it is somebody's then, and told as such
            break
        around.append(below)
    looks = [(guess(listing), listing) for listing in around]
    wanted = [format] if format else [f for f in FORMATS if f != "folder"]  # a clone's folder may hold any
    classes = [] if format else [listing for listing in around[1:] if entries.is_class(listing, course)]
    return next((listing for name in wanted for look, listing in looks if look == name), (classes or [found])[-1])
