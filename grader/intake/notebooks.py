"""A Jupyter notebook's bytes to its cells and each exercise's source; nothing of it is run or read as Python."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grader.course import SHEET, Course, Exercise, file_name
from grader.intake.choosing import TWO_FIT, meant
from grader.texts import Text, one_line, plain, translated

NOTEBOOK = ".ipynb"
MAX_KB = 8 << 10  # of a notebook with its outputs; each exercise's cell has the limit of a source file
MAX_CELLS = 2000
_NAME = re.compile(r".*\.ipynb([.](txt|json))?", re.IGNORECASE)  # some browsers put an ending of their own behind it
_WRITES = re.compile(r"\A\s*%%(?:write)?file[ \t](.*)")
_FILE_MAGIC = re.compile(r"\A\s*%%(?=(?:write)?file\b)")  # of a cell that becomes a file; it has two names
OTHER_CELLS = 8  # files of code, at most, that an exercise's cell may take its helpers and imports from

NOT_TEXT = translated("{name} is not a notebook: it is not valid UTF-8")
NOT_JSON = translated(
    "{name} is not a notebook: it is not JSON ({error}); open it in Jupyter and save it again, or call it .py if it is "
    "code"
)
NO_CELLS = translated("{name} is not a notebook: it holds no list of cells; open it in Jupyter and save it again")
TOO_MANY_CELLS = translated("{name} has more than {limit} cells")
OTHER_LANGUAGE = translated("{name} belongs to a kernel for {language}; it must be a Python notebook")
NO_CELL = translated(
    "{name} has no cell {cell}: it was deleted, or its mark was lost; put your work into the cell of a fresh copy"
)
NO_WORK = translated("{name} has no cell for it, and {file} was not handed in")
NO_NOTEBOOK = translated("no notebook holds the cell {cell}")
TWO_NOTEBOOKS = translated("{first} and {second} both hold the cell {cell}; hand in one of them")
NO_UNICODE = translated("the cell {cell} of {name} holds characters that are not text")
NULL_BYTES = translated("the cell {cell} of {name} contains null bytes")
CELL_TOO_LARGE = translated("the cell {cell} of {name} is larger than {limit} KB")  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Cell:
    """One cell: `id` is what nbgrader knows it by, None for a cell of the student's own."""

    kind: str
    source: str
    id: str | None
    attachments: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Notebook:
    """A notebook's cells as far as they can be read, and why its code is not graded."""

    name: str
    cells: tuple[Cell, ...] = ()
    refused: Text | None = None

    def last(self, id: str | None) -> int | None:
        """The number of the last cell with this id: of several it is the one that counts, as in nbgrader."""
        return max((n for n, cell in enumerate(self.cells) if cell.id == id), default=None)

    def earlier(self, id: str) -> list[int]:
        """The numbers of further cells with this id and another content."""
        last = self.last(id)
        return [n for n, c in enumerate(self.cells) if c.id == id and c.source != self.cells[last or 0].source]


def is_notebook(name: str) -> bool:
    """Whether a file of this name is a notebook."""
    return _NAME.fullmatch(name) is not None


def work_cell(exercise: str) -> str:
    """The id of the cell that holds the student's work on an exercise."""
    return f"{exercise}-solution"


def read(name: str, data: bytes) -> Notebook:
    """The cells of a notebook of format 4, whatever else is wrong with it; never raises for what a student did."""
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Notebook(name, refused=NOT_TEXT.format(name=name))
    except (ValueError, RecursionError) as error:  # RecursionError: nested too deeply to be a notebook
        where = f"{error.lineno}:{error.colno}" if isinstance(error, json.JSONDecodeError) else type(error).__name__
        return Notebook(name, refused=NOT_JSON.format(name=name, error=where))
    cells = found.get("cells") if isinstance(found, dict) else None
    if not isinstance(cells, list):
        return Notebook(name, refused=NO_CELLS.format(name=name))
    if len(cells) > MAX_CELLS:
        return Notebook(name, refused=TOO_MANY_CELLS.format(name=name, limit=MAX_CELLS))
    language = _other_language(_mapping(found.get("metadata")))
    refused = OTHER_LANGUAGE.format(name=name, language=language) if language else None
    return Notebook(name, tuple(_cell(cell) for cell in cells if isinstance(cell, dict)), refused)


def _other_language(metadata: Mapping[str, Any]) -> str | None:
    """What language the notebook says that it is in, where that is not Python."""
    named = (_mapping(metadata.get("kernelspec")).get("language"), _mapping(metadata.get("language_info")).get("name"))
    languages = [one_line(n, 40) for n in named if isinstance(n, str) and n]
    return next((n for n in languages if "python" not in n.lower()), None)


def _cell(cell: Mapping[str, Any]) -> Cell:
    kind, source = cell.get("cell_type"), cell.get("source")
    lines = source if isinstance(source, list) else [source]
    id = _mapping(_mapping(cell.get("metadata")).get("nbgrader")).get("grade_id")
    pictures = {
        name: {kind: data for kind, data in _mapping(kinds).items() if isinstance(data, str)}
        for name, kinds in _mapping(cell.get("attachments")).items()
    }
    return Cell(
        kind if kind in ("code", "markdown") else "raw",
        "".join(line for line in lines if isinstance(line, str)),
        id if isinstance(id, str) and id else None,
        pictures,
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


@dataclasses.dataclass(frozen=True)
class Work:
    """A notebook's cell for one exercise, by its number from 1, and the notebook's other cells with code likewise."""

    name: str
    number: int
    text: str
    cells: tuple[tuple[int, str], ...]


def defining(exercise: Exercise, cells: Iterable[str]) -> int | None:
    """Which of the cells is the work on an exercise: the last that defines most of what the exercise asks for."""
    return _most(exercise, cells)[1]


def _most(exercise: Exercise, cells: Iterable[str]) -> tuple[int, int | None]:
    """How much of what the exercise asks for its cell defines, and which cell that is."""
    wanted = [re.compile(rf"^(?:def|class)\s+{f}\b|^{f}\s*(?::.*)?=(?!=)", re.MULTILINE) for f in exercise.functions]
    if wanted:
        ranked = [(sum(bool(w.search(cell)) for w in wanted), number) for number, cell in enumerate(cells)]
    else:  # questions: the cell that writes the answer sheet
        sheet = file_name(exercise.source)
        ranked = [(int(_written(cell) == sheet), number) for number, cell in enumerate(cells)]
    most, number = max(ranked, default=(0, 0))
    return most, number if most else None


def _written(cell: str) -> str:
    """The name of the file that a cell writes, wherever it puts it; nothing for another cell."""
    found = _WRITES.match(cell)
    return re.split(r"[/\\\s\"']", found[1].strip("\"' \t\r"))[-1] if found else ""


def sources(
    notebooks: Sequence[Notebook], course: Course, wanted: Iterable[str]
) -> tuple[dict[str, Work | Text], list[str]]:
    """Each wanted source that the notebooks hold, or why it does not count; and the cells that do not: `unit.ipynb[4]`.

    The answer sheet may be spread over several notebooks.
    """
    found: dict[str, Work | Text] = {}
    ignored, source_kb = [], course.settings.limits.source_kb
    for source in wanted:
        cell = work_cell(source)
        holders = [n for n in notebooks if n.last(cell) is not None and not n.refused]
        if len(holders) > 1 and source != SHEET:
            found[source] = TWO_NOTEBOOKS.format(first=holders[0].name, second=holders[1].name, cell=cell)
        elif holders:
            texts = [_checked(holder, holder.last(cell) or 0, cell, source_kb) for holder in holders]
            refused = next((text for text in texts if isinstance(text, Text)), None)
            first, number = holders[0], holders[0].last(cell) or 0
            others = () if source == SHEET else _others(first, number, source_kb)
            found[source] = refused or Work(first.name, number + 1, "\n".join(map(str, texts)), others)
        elif unmarked := _unmarked(notebooks, course, source):
            found[source] = unmarked
        ignored += [f"{n.name}[{number + 1}]: {cell}" for n in holders for number in n.earlier(cell)]
    return found, ignored


def _unmarked(notebooks: Sequence[Notebook], course: Course, source: str) -> Work | Text | None:
    """The work in a notebook that has lost its marks, or never had any: the cell with the exercise's functions."""
    exercise = next((e for e in course.exercises if e.source == source), None)
    fitting: dict[tuple[int, int], dict[str, tuple[Notebook, int]]] = {}  # by how well they fit, then by the text
    for notebook in notebooks if exercise else ():
        cells = [c.source if c.kind == "code" and c.id is None else "" for c in notebook.cells]
        if not notebook.refused and exercise and (found := _most(exercise, cells))[1] is not None:
            named, exactly = meant(notebook.name, course)
            by_name = 1 + exactly if named == source else 0 if named is None else -1  # -1: of another exercise
            alike = fitting.setdefault((by_name, found[0]), {})
            alike.setdefault(cells[found[1]].strip(), (notebook, found[1]))
    if not fitting:
        return None
    (notebook, number), *others = fitting[max(fitting)].values()
    if others:
        return TWO_FIT.format(first=notebook.name, second=others[0][0].name, name=file_name(source))
    text = _checked(notebook, number, source, course.settings.limits.source_kb)
    beside = () if source == SHEET else _others(notebook, number, course.settings.limits.source_kb)
    return text if isinstance(text, Text) else Work(notebook.name, number + 1, text, beside)


def _others(notebook: Notebook, work: int, source_kb: int) -> tuple[tuple[int, str], ...]:
    """The other cells with code that the work may need: as many as fit into eight files."""
    found, left, id = [], OTHER_CELLS * source_kb * 1024, notebook.cells[work].id or object()
    for number, cell in enumerate(notebook.cells):
        text = cell.source.encode("utf-8", "replace")
        if cell.kind == "code" and number != work and cell.id != id and len(text) <= min(source_kb * 1024, left):
            found.append((number + 1, text.decode().replace("\0", "")))
            left -= len(text)
    return tuple(found)


def _checked(holder: Notebook, number: int, cell: str, source_kb: int) -> str | Text:
    """The text of a cell with work, or why it cannot be read."""
    source = _FILE_MAGIC.sub("# ", holder.cells[number].source)
    where = {"cell": cell, "name": holder.name}
    try:
        size = len(source.encode())
    except UnicodeEncodeError:
        return NO_UNICODE.format(**where)
    if "\0" in source:
        return NULL_BYTES.format(**where)
    if size > source_kb * 1024:
        return CELL_TOO_LARGE.format(**where, limit=source_kb)
    return source


def beside(notebooks: Sequence[Notebook], source: str, course: Course) -> bool:
    """Whether a notebook has marked cells of the same unit, and so had one for this source when it was given out."""
    unit = {e.source for u in course.settings.units for e in u.exercises if source in {e.source for e in u.exercises}}
    marks = {work_cell(s) for s in unit - {SHEET}}
    return any(cell.id in marks for n in notebooks for cell in n.cells)


def missing(notebooks: Sequence[Notebook], source: str) -> Text:
    """Why none of the notebooks holds it."""
    cell = work_cell(source)
    refused = next((n.refused for n in notebooks if n.refused), None)
    if refused or not notebooks:
        return refused or NO_NOTEBOOK.format(cell=plain(cell))
    if not any(c.id for n in notebooks for c in n.cells):  # never one of the kit's own
        return NO_WORK.format(name=notebooks[0].name, file=file_name(source))
    return NO_CELL.format(name=notebooks[0].name, cell=cell)
