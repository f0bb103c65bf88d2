"""Reads a folder, archive or single file as a Submission: the source of each exercise, or why it is refused."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from grader.course import SHEET, Course, file_name
from grader.intake import notebooks
from grader.intake.archives import Budget, Troubles, expanded, is_archive, members
from grader.intake.choosing import ChosenFile, candidates, choose, is_copy, meant, named_sources
from grader.intake.decoding import decode, decode_sheet
from grader.intake.notebook_files import MAX_FILE_KB, Notebook, among, read
from grader.intake.own_code import imported
from grader.intake.sources import Source, Submission, listed
from grader.intake.tree import MAX_NAME, UNREADABLE, File, Refused, opened, single, student_id, walk
from grader.texts import Text, one_line, translated

MAX_NOTEBOOKS = 16
MAX_NOTEBOOKS_KB = 64 << 10  # of all together, with their outputs

NOT_THERE, AS_GIVEN_OUT = translated("{name} is missing"), translated("{name} is as it was given out")
EMPTY = translated(
    "there is no file in it, not counting hidden ones (.ipynb_checkpoints); hand in the files that you wrote"
)
NOTHING_FITS = translated("none of its files is one of the course's: {found}; they should be called {wanted}")
TROUBLE = translated("{reason} ({problem})")
UNREAD = translated("{found} is there, but that kind of file is not read: hand the work in as {name}")
NOT_A_PAGE = translated(
    "a page made of a notebook, or a link to one, is not read: hand in the notebook itself, the .ipynb"
)
PAGES = (".html", ".htm", ".mhtml", ".pdf", ".tex", ".rst", ".url", ".webloc", ".gdoc")

_VERSION = re.compile(r"(?P<word>version|versión|versão|versione|versie|wersja|версия|версія|版本|バージョン|버전)"
                      r"[ _]?(?P<number>\d+)", re.IGNORECASE)  # fmt: skip
SUPERSEDED = translated("{name} came before {last}; the last one counts")

Place = Path | File
Books = tuple[tuple[tuple[int, str], ...], ...]  # see `Submission`


def load(path: Path, course: Course, sources: Iterable[str] | None = None) -> Submission:
    """Read one student's submission: a folder, an archive or a single file, wherever in it the work is.

    A student's mistake never raises an exception; it is in `refused`. Notebooks are read for work that no other file
    holds.

    Args:
        sources: those to look for, None for all of the course.
    """
    return collected([path], course, course.sources if sources is None else tuple(sources), student_id(path))


def load_as(path: Path, course: Course, source: str) -> Submission:
    """Read a single file as this source of the course, whatever its name and whatever lies beside it."""
    file = File((file_name(source),), single(path.resolve()).read)
    return collected([file], course, (source,), student_id(path))


def collected(places: Sequence[Place], course: Course, sources: Sequence[str], student: str) -> Submission:
    """Return the submission that these folders and files hold together."""
    troubles: Troubles = {}
    with contextlib.ExitStack() as held:
        try:
            budget = Budget()
            files = last_versions([f for place in places for f in _files(place, held, budget, troubles)], troubles)
        except Refused as error:
            return Submission(student, {}, error.reason)
        return _chosen(student, files, course, sources, troubles)


def _files(place: Place, held: contextlib.ExitStack, budget: Budget, troubles: Troubles) -> list[File]:
    """Return all files in it; an archive stays open as long as `held`."""
    if isinstance(place, File):
        found, depth = [place], 0
    elif place.is_dir() or place.is_symlink() or not place.exists():  # what is not there cannot be listed
        found, depth = list(walk(place)), 0
    elif not is_archive(place.name):
        found, depth = [single(place)], 0
    else:
        try:
            data = held.enter_context(opened(place.parent, (place.name,)))
        except OSError as error:
            raise Refused(UNREADABLE.format(name=place.name, error=error.strerror)) from error
        found, depth = list(members(place.name, data, budget)), 1
    return [inside for file in found for inside in expanded(file, troubles, budget, depth)]


def _chosen(
    student: str, files: Sequence[File], course: Course, wanted: Sequence[str], troubles: Troubles
) -> Submission:
    source_kb = course.settings.limits.source_kb
    work = sorted(candidates(files), key=lambda f: (len(f.parts), f.parts))  # whatever the order in an archive
    books, others = among(work)
    chosen = choose(others, course, wanted, source_kb)
    sources = {source: _source(source, c, source_kb) for source, c in chosen.items()}
    used = {f.parts for c in chosen.values() for f in (c.found, *c.rivals) if f}
    left = [s for s in wanted if sources[s] == Source() or chosen[s].untouched]
    books = books[:MAX_NOTEBOOKS] if left else []
    found = [notebooks.bounded(n, source_kb) for n in _notebooks(books)]
    there, cells = _in_notebooks(found, course, left, [f.parts[:-1] for f in books])
    there = {s: work for s, work in there.items() if work.text or not chosen[s].untouched}
    cells += notebooks.outdone(found, course, {s: sources[s].text or "" for s in wanted if s not in left})
    sources |= there
    sources |= _lost(found, [s for s in left if sources[s] == Source()], sources, course)
    used |= _read(books, found, there) if there else set()
    code = _books(found, there, source_kb)
    texts = [work.text for s, work in sources.items() if work.text and s != SHEET]
    texts += [text for cells in code for _, text in cells]
    under = {c.found.parts: s for s, c in chosen.items() if c.found and s != SHEET}
    own, read = imported(texts, others, under, source_kb, troubles)
    used |= read
    troubles |= {f.parts: n.refused for f, n in zip(books, found, strict=True) if n.refused}
    unread = [f for f in work if f.parts not in used]
    ignored = (*(cells if there else ()), *sorted(f.path for f in unread))
    unasked = named_sources(work, course).intersection(course.sources)
    likely = _likely((f for f in unread if f.parts not in troubles), course)
    if not (used or unasked or likely or any(s != Source() for s in sources.values())):
        return Submission(student, {}, _nothing_fits(files, wanted, troubles), ignored)
    blank = {s for s, c in chosen.items() if c.untouched and s in likely and s not in there}
    sources = _explained(sources, troubles, likely, blank)
    refused = _unusable(sources) if unasked <= set(wanted) else None
    named = {one_line("/".join(parts), MAX_NAME): said for parts, said in troubles.items()}
    return Submission(student, sources, refused, ignored, named, code, own)


def _books(found: Sequence[Notebook], work: Mapping[str, Source], source_kb: int) -> Books:
    """Return the code cells of each notebook that holds some of the work."""
    holding = {source.book for s, source in work.items() if source.number and s != SHEET}
    return tuple(notebooks.code(n, source_kb) if i in holding else () for i, n in enumerate(found)) if holding else ()


def _lost(
    found: Sequence[Notebook], missing: Iterable[str], sources: Mapping[str, Source], course: Course
) -> dict[str, Source]:
    """Return the missing sources that a notebook should hold: one of its unit, or any if there is nothing else."""
    nothing = all(s == Source() for s in sources.values())
    lost = [s for s in missing if found and (nothing or notebooks.beside(found, s, course))]
    return {s: Source(refused=notebooks.missing(found, s)) for s in lost}


def _unusable(sources: Mapping[str, Source]) -> Text | None:
    """Say why no source that was found can be used."""
    if any(s.text is not None for s in sources.values()):
        return None
    return next((s.refused for s in sources.values() if s.refused), None)


def _read(books: Sequence[File], found: Sequence[Notebook], sources: Mapping[str, Source]) -> set[tuple[str, ...]]:
    """Return the notebooks that hold any of the sources; all if it was not clear which."""
    holders = {s.path for s in sources.values()}
    unclear = any(s.refused for s in sources.values())
    marked = (any(cell.id for cell in n.cells) for n in found)
    return {f.parts for f, m in zip(books, marked, strict=True) if unclear or m or f.name in holders}


def _likely(unread: Iterable[File], course: Course) -> dict[str, File]:
    """Return by source the unused file whose name means it: softmax.docx, softmax.png."""
    found: dict[str, File] = {}
    for file in unread:
        source, _ = meant(file.name, course)
        if source:
            found.setdefault(source, file)
    return found


def _explained(
    sources: Mapping[str, Source], troubles: Troubles, likely: Mapping[str, File], blank: Collection[str]
) -> dict[str, Source]:
    """Return the sources, a missing or untouched one with the file that may hold it but was not, or cannot be, read."""

    def explained(source: str) -> Source:
        name = file_name(source)
        if not (source in likely or troubles):
            return Source()
        unread = UNREAD.format(found=likely[source].path, name=name) if source in likely else None
        problem = unread or next(iter(troubles.values()))
        reason = (AS_GIVEN_OUT if source in blank else NOT_THERE).format(name=name)
        return Source(refused=TROUBLE.format(reason=reason, problem=problem))

    return {s: explained(s) if found == Source() or s in blank else found for s, found in sources.items()}


def _nothing_fits(files: Sequence[File], wanted: Sequence[str], troubles: Troubles) -> Text:
    page = any(f.name.lower().endswith(PAGES) for f in files)
    trouble = next(iter(troubles.values()), NOT_A_PAGE if page else None)
    if all(is_archive(f.name) for f in files):
        return trouble or EMPTY
    names, expected = ([*dict.fromkeys(n)] for n in ((f.path for f in files), map(file_name, wanted)))
    said = NOTHING_FITS.format(found=listed(names), wanted=listed(expected))
    return TROUBLE.format(reason=said, problem=trouble) if trouble else said


def _source(source: str, chosen: ChosenFile, source_kb: int) -> Source:
    if chosen.found is None:
        return Source(refused=chosen.refused)
    path = "" if chosen.found.path == file_name(source) else chosen.found.path
    folder = "/".join(chosen.found.parts[:-1])
    try:
        data = chosen.found.read(source_kb)
        read = decode_sheet(data, chosen.found.name) if source == SHEET else decode(chosen.found.name, data)
        return Source(read, path=path, folder=folder)
    except Refused as error:
        return Source(refused=error.reason, path=path)


def read_notebooks(folder: Path, names: Iterable[str]) -> list[Notebook]:
    """Read the notebooks of a folder by their names, or the only copy of each; a missing one says so."""
    try:
        there = {f.name: f for f in walk(folder) if len(f.parts) == 1}
    except Refused as error:
        return [Notebook(name, refused=error.reason) for name in names]
    wanted = list(names)
    copies = {name: [f for n, f in there.items() if n not in wanted and is_copy(n, name)] for name in wanted}
    found = {name: there.get(name) or (files[0] if len(files) == 1 else None) for name, files in copies.items()}
    return [_notebook(f)[0] if f else Notebook(name, refused=NOT_THERE.format(name=name)) for name, f in found.items()]


def _notebooks(files: Iterable[File]) -> list[Notebook]:
    """Read the notebooks, within the limits of one and of all."""
    found, left = [], MAX_NOTEBOOKS_KB
    for file in files:
        notebook, size = _notebook(file, left)
        found.append(notebook)
        left -= size
    return found


def _notebook(file: File, most_kb: int = MAX_FILE_KB) -> tuple[Notebook, int]:
    """Return a notebook, and the size of its file in KB."""
    try:
        data = file.read(min(most_kb, MAX_FILE_KB))
    except Refused as error:
        return Notebook(file.name, refused=error.reason), 0
    return read(file.name, data), len(data) >> 10


def from_notebooks(
    student: str, found: Sequence[Notebook], course: Course, exercises: Sequence[str], others: tuple[str, ...] = ()
) -> Submission:
    """Return the submission in these notebooks; `others` are files beside them that no exercise uses."""
    source_kb = course.settings.limits.source_kb
    found = [notebooks.bounded(n, source_kb) for n in found]
    there, extra = _in_notebooks(found, course, exercises, [()] * len(found))
    read = {s: there.get(s) or Source(refused=notebooks.missing(found, s)) for s in exercises}
    return Submission(student, read, _unusable(read), (*extra, *others), books=_books(found, there, source_kb))


def _in_notebooks(
    found: Sequence[Notebook], course: Course, wanted: Iterable[str], folders: Sequence[tuple[str, ...]]
) -> tuple[dict[str, Source], tuple[str, ...]]:
    """Return the sources in the notebooks, which lie in these folders, and the cells that no exercise uses."""
    held, extra = notebooks.sources(found, course, wanted)
    placed = {
        id: dataclasses.replace(work, folder="/".join(folders[work.book])) if work.number else work
        for id, work in held.items()
    }
    return placed, tuple(one_line(name, 60) for name in extra)


def last_versions(files: Sequence[File], troubles: Troubles) -> list[File]:
    """Drop the files of earlier versions: of `Version 1`, `Version 2` side by side, as in Teams, keep the last.

    Args:
        troubles: collects a note on the files that are left out.
    """
    newest: dict[tuple[tuple[str, ...], str], tuple[int, str]] = {}
    versions = [_versions(file) for file in files]
    for found in versions:
        for place, number, name in found:
            newest[place] = max(newest.get(place, (-1, "")), (number, name))
    kept = []
    for file, found in zip(files, versions, strict=True):
        older = next(((name, place) for place, number, name in found if number < newest[place][0]), None)
        if older is None:
            kept.append(file)
        else:
            name, place = older
            troubles[(*place[0], name)] = SUPERSEDED.format(name=name, last=newest[place][1])
    return kept


def _versions(file: File) -> list[tuple[tuple[tuple[str, ...], str], int, str]]:
    """Return the version folders on the way to a file: the place, the word, the number, the name."""
    found = [(depth, _VERSION.fullmatch(part)) for depth, part in enumerate(file.parts[:-1])]
    return [((file.parts[:n], m["word"].lower()), int(m["number"][:9]), m[0]) for n, m in found if m]
