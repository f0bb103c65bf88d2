"""Reads a folder of submissions, or a platform's download, as entries: who handed in which files, and when."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import io
import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from grader.course import Course, file_name
from grader.errors import CourseError
from grader.intake.archives import Budget, is_archive, members
from grader.intake.choosing import named_sources, whose
from grader.intake.csv_tables import Line
from grader.intake.notebook_files import is_notebook
from grader.intake.sources import Submission
from grader.intake.submission import Place, collected
from grader.intake.tree import File, Refused, is_noise, opened, printable, single, student_id, walk
from grader.texts import Text, translated

MAX_LISTED = 1 << 20  # files of a whole class
MAX_INSIDE_KB = 1 << 20  # of a class's archive that lies in another one
OF_A_CLASS = (1 << 40, MAX_LISTED, 1 << 40, 1 << 40)  # room for the archives of a class
ALONE = (".py", ".py.txt", ".yaml", ".yml")  # a submission that is one file, if it is not a notebook

BOTH = translated("{first} and {second} belong to one student; keep one of them")
NO_FILES = translated("nothing was handed in")
GROUP = translated("handed in by {count} people together")


@dataclasses.dataclass(frozen=True)
class Entry:
    """One person's submission: its name in reports, and the places of its files.

    Attributes:
        when: the time that the platform recorded, None if it gave none.
        person: the platform's data about the student, by its own names: id, name, email.
        remarks: sentences about how it was found.
        refused: the reason why it cannot be read at all.
    """

    student: str
    places: tuple[Place, ...]
    when: datetime.datetime | None = None
    person: Line = dataclasses.field(default_factory=dict)
    remarks: tuple[Text, ...] = ()
    refused: Text | None = None

    def load(self, course: Course) -> Submission:
        """Return the submission; a student's mistake never raises an exception."""
        if self.refused:
            return Submission(self.student, {}, self.refused)
        return collected(self.places, course, course.sources, self.student)


@dataclasses.dataclass(frozen=True)
class Item:
    """A file or folder at the top of a folder of submissions."""

    name: str
    folder: bool
    places: tuple[Place, ...]

    @property
    def file(self) -> File:
        """Return the item's file, unless it is a folder."""
        place = self.places[0]
        return single(place) if isinstance(place, Path) else place


@dataclasses.dataclass(frozen=True)
class Listing:
    """The content of a folder of submissions, or of a zip as a platform gives it."""

    path: Path
    items: tuple[Item, ...]

    def item(self, name: str) -> Item | None:
        return next((i for i in self.items if i.name == name), None)


Parsed = tuple[re.Match[str], Item]  # an item of a platform's, with its name taken apart


def places_of(parts: Iterable[Parsed]) -> tuple[Place, ...]:
    """Return the places of one person's items: folders, and files under the names that the student gave them."""
    return tuple(
        p if item.folder else File((match["file"],), item.file.read) for match, item in parts for p in item.places
    )


def by_name(
    items: Iterable[Item], parsed: Callable[[Item], re.Match[str] | None], *parts: str
) -> tuple[dict[Any, list[Parsed]], list[str]]:
    """Group the items by these parts of their parsed names; return the other names, too."""
    found: dict[Any, list[Parsed]] = {}
    others = []
    for item in items:
        if match := parsed(item):
            found.setdefault(match.group(*parts), []).append((match, item))
        else:
            others.append(item.name)
    return found, others


def common_start(names: Sequence[str], separator: str) -> str:
    """Return the start of all names, up to the last separator that they share."""
    parts = zip(*(name.split(separator)[:-1] for name in names), strict=False)
    return "".join(f"{same[0]}{separator}" for same in itertools.takewhile(lambda part: len({*part}) == 1, parts))


def inside(found: Listing, item: Item, held: contextlib.ExitStack) -> Listing | None:
    """Return the content of a folder or an archive of a listing; None for another file or a damaged archive.

    Args:
        held: an archive stays open as long as this.
    """
    if not (item.folder or is_archive(item.name)):
        return None
    place = item.places[0]
    try:
        if isinstance(place, Path):
            return listing(place, held) if item.folder else packed(place, held)
        if item.folder:
            return Listing(found.path / item.name, tuple(_grouped([p for p in item.places if isinstance(p, File)])))
        return _top(Path(item.name), members(item.name, io.BytesIO(place.read(MAX_INSIDE_KB)), Budget(*OF_A_CLASS)))
    except (Refused, OSError):
        return None


def listing(path: Path, held: contextlib.ExitStack) -> Listing:
    """Return the top of a folder or of a zip of submissions; a folder around everything in a zip is skipped.

    A single file is the only item of its listing.

    Args:
        held: a zip stays open as long as this, so that its files can be read.

    Raises:
        CourseError: it is neither, or cannot be read.
    """
    try:
        if path.is_dir():
            found = sorted(p for p in path.iterdir() if not is_noise(p.name) or _is_somebodys(p))
            return Listing(path, tuple(Item(p.name, p.is_dir(), (p,)) for p in found))
        if is_archive(path.name):
            return packed(path, held)
    except Refused as error:
        raise CourseError(f"{path}: {error}") from error
    except OSError as error:
        raise CourseError(f"{path}: cannot be listed: {error.strerror}") from error
    if path.is_file() and not is_archive(path.name) and may_be_work(path.name):
        return Listing(path, (Item(path.name, False, (path,)),))
    what = "cannot be taken for submissions" if path.exists() else "is not there"
    raise CourseError(f"{path} {what}; name a folder with a folder or zip for each student, or a platform's download")


def _is_somebodys(path: Path) -> bool:
    """Return True if a folder with an ignored name (`env`) holds work: then it is a student's name."""
    if path.name.startswith((".", "~$")) or not path.is_dir() or path.is_symlink():
        return False
    return any(may_be_work(p.name) and not is_noise(p.name) for p in path.iterdir())


def packed(path: Path, held: contextlib.ExitStack) -> Listing:
    """Return the top of an archive of submissions; raises Refused and OSError."""
    data = held.enter_context(opened(path.parent, (path.name,)))
    return _top(path, members(path.name, data, Budget(*OF_A_CLASS)))


def _top(path: Path, found: Iterable[File]) -> Listing:
    """Group these files by the items at the top; a folder around all of them is skipped."""
    files = list(found)
    while files and len({f.parts[0] for f in files}) == 1 and all(len(f.parts) > 1 for f in files):
        files = [dataclasses.replace(f, parts=f.parts[1:]) for f in files]
    return Listing(path, tuple(_grouped(files)))


def _grouped(files: Sequence[File]) -> Iterator[Item]:
    by_top: dict[str, list[File]] = {}
    for file in files:
        by_top.setdefault(file.parts[0], []).append(file)
    for name, group in sorted(by_top.items()):
        folder = len(group[0].parts) > 1
        yield Item(name, folder, tuple(dataclasses.replace(f, parts=f.parts[1:]) if folder else f for f in group))


def plain(found: Listing, course: Course) -> tuple[list[Entry], list[str]]:
    """Return the entries of a folder with a folder or a file for each student, and the names of other items.

    A folder or zip that itself holds a file of the course's is one submission.

    Raises:
        CourseError: it is one submission and also looks like a class; or everything that it holds does.
    """
    if own := _own(found, course):
        if not found.item("course.yaml") and len(beside := alike(found, course)) > 1:
            theirs = ", ".join(map(printable, beside[:3])) + (", ..." if len(beside) > 3 else "")
            raise CourseError(
                f"{found.path} holds {own}, as one person's submission does, and {theirs}, as a class does. If it is a "
                f"class, move {own} elsewhere; one person's work is graded in a folder of its own, or by "
                "`grader check --dir`"
            )
        whole: tuple[Place, ...] = (found.path,)
        return [Entry(student_id(found.path), whole)], []
    holders = [item for item in found.items if item.folder or is_archive(item.name)]
    if len(holders) > 1 and _are_sections(found, holders, course):
        named = ", ".join(printable(item.name) for item in holders[:3])
        raise CourseError(f"{found.path}: {named} hold the work of several students each; grade one of them at a time")
    students: dict[str, list[Item]] = {}
    others = []
    together = _together(found, course)
    for item in found.items:
        link = any(isinstance(p, Path) and p.is_symlink() for p in item.places)
        if item.folder or link or may_be_work(item.name):
            called = printable(item.name) if item.folder else student_id(Path(item.name))
            students.setdefault(together.get(item.name) or called, []).append(item)
        else:
            others.append(item.name)
    return [_entry(student, items, set(together)) for student, items in students.items()], others


def _together(found: Listing, course: Course) -> dict[str, str]:
    """Return each file's owner by its name, `Ada - rope.py`, if somebody has several such files or all are such."""
    files = [item.name for item in found.items if not (item.folder or is_archive(item.name)) and may_be_work(item.name)]
    named = {name: known for name in files if (known := whose(name, course))}
    sources: dict[str, set[str]] = {}
    for source, who in named.values():
        sources.setdefault(who, set()).add(source)
    several = any(len(held) > 1 for held in sources.values())
    everybody = len(sources) == len(files) > 1
    return {name: printable(who) for name, (_, who) in named.items()} if several or everybody else {}


def _are_sections(found: Listing, holders: Sequence[Item], course: Course) -> bool:
    """Return True if each of these holds the work of several people; archives of one name are parts of work."""
    seen: set[frozenset[str]] = set()
    for item in holders:
        with contextlib.ExitStack() as held:
            below = inside(found, item, held)
            names = frozenset[str](alike(below, course) if below and is_class(below, course) else ())
        if not names or (names in seen and all(map(is_archive, names))):
            return False
        seen.add(names)
    return True


def _own(found: Listing, course: Course) -> str:
    """Return what makes a listing one person's submission, `exercises` or the course's files; "" if nothing does."""
    if whole := found.item("exercises") or found.item("course.yaml"):
        return whole.name
    files = [File((item.name,), lambda _: b"") for item in found.items if not item.folder]
    return ", ".join(sorted(map(file_name, named_sources(files, course)))[:3])


def alike(found: Listing, course: Course) -> list[str]:
    """Return the archives in a listing, and the folders that share a notebook, or a file of the course, with others."""
    others = [item for item in found.items if item.name not in ("exercises", "solutions")]
    sources = {item.name: _held(item, course) for item in others if item.folder}
    often = Counter(source for held in sources.values() for source in held)
    return [
        item.name
        for item in others
        if (any(often[s] > 1 for s in sources[item.name]) if item.folder else is_archive(item.name))
    ]


def _held(item: Item, course: Course) -> set[str]:
    """Return the sources, notebooks and archives in a folder, at any depth."""
    try:
        below = [f for p in item.places for f in (walk(p) if isinstance(p, Path) else [p])]
    except Refused:
        return set()
    books = {f.name.lower() for f in below if is_notebook(f.name)}
    packed_up = {"*" for f in below if is_archive(f.name)}
    return named_sources(below, course) | books | packed_up


def is_class(found: Listing, course: Course) -> bool:
    """Return True if the content of a listing looks like a class's."""
    return not _own(found, course) and len(alike(found, course)) > 1


def may_be_work(name: str) -> bool:
    """Return True if a file of this name may be a whole submission."""
    return is_archive(name) or is_notebook(name) or name.lower().endswith(ALONE)


def _entry(student: str, items: Sequence[Item], together: Collection[str]) -> Entry:
    if len(items) == 1 or all(item.name in together for item in items):
        return Entry(student, tuple(place for item in items for place in item.places))
    first, second = (printable(i.name) for i in items[:2])
    return Entry(student, (), refused=BOTH.format(first=first, second=second))
