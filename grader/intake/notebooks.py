"""Turns the cells of Jupyter notebooks into each exercise's source; nothing in them is run or parsed as Python."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable, Mapping, Sequence

from grader.course import SHEET, Course, Exercise, file_name
from grader.intake.choosing import ENOUGH, TWO_FIT, answered, meant
from grader.intake.notebook_files import MAX_CELLS, Cell, Notebook
from grader.intake.own_code import MOST_FILES
from grader.intake.sources import Source
from grader.intake.stubs import asked
from grader.texts import Text, one_line, plain, translated

_WRITES = re.compile(r"\A\s*%%(?:write)?file[ \t](.*)")
_FILE_MAGIC = re.compile(r"\A\s*%%(?=(?:write)?file\b)")  # of a cell that becomes a file; it has two names
_PROMPT = r"(?:>>> |In ?\[\d*\]: ?)?"  # with which a cell is pasted
_NAMES = re.compile(r"\b(?:def|class)[ \t]+(\w+)|^(\w+)[ \t]*[:=]", re.MULTILINE)
_SAID = re.compile(r"(\"{3}|'{3}).*?\1|#[^\n]*", re.DOTALL)  # docstrings and comments
_STUB = re.compile(r":\s*(?:raise NotImplementedError(?:\(.*\))?|pass|\.\.\.|return(?: None)?)\s*\Z")
_WHOLE, _STUBBED = 10_000, 100
NO_CELL = translated(
    "{name} has no cell {cell}: it was deleted, or its mark was lost; put your work into the cell of a fresh copy"
)
NO_WORK = translated("no cell of {name} holds what belongs in {file}; use the names that the exercise gives")
NO_NOTEBOOK = translated("no notebook holds the cell {cell}")
TWO_NOTEBOOKS = translated("{first} and {second} both hold the cell {cell}; hand in one of them")
NO_UNICODE = translated("the cell {cell} of {name} holds characters that are not text")
NULL_BYTES = translated("the cell {cell} of {name} contains null bytes")
TOO_MUCH_CODE = translated("the cells of {name} hold more than {limit} KB of code; hand in only those with your work")
CELL_TOO_LARGE = translated("the cell {cell} of {name} is larger than {limit} KB")  # fmt: skip


def work_cell(exercise: str) -> str:
    """Return the id of the cell that holds the student's work on an exercise."""
    return f"{exercise}-solution"


def defining(exercise: Exercise, course: Course, cells: Sequence[str]) -> int | None:
    """Return the number of the cell with the work on an exercise: the last that defines most of its functions.

    A later cell that defines some of them once more, and nothing that other exercises ask for, is a second try.
    """
    return _most(exercise, course, cells)[1]


def _most(exercise: Exercise, course: Course, cells: Sequence[str]) -> tuple[int, int | None]:
    """Return how much of what the exercise asks for its cell defines, and the number of that cell."""
    others = {f for e in course.exercises for f in e.functions}.difference(exercise.functions)
    if exercise.functions:
        ranked = [(_defined(exercise.functions, cell), number) for number, cell in enumerate(cells)]
    else:  # questions: the cell that writes the answer sheet
        sheet = file_name(exercise.source)
        ranked = [(int(_written(cell) == sheet), number) for number, cell in enumerate(cells)]
    most, number = max(ranked, default=(0, 0))
    again = [n for rank, n in ranked if n > number and rank >= _WHOLE and not _defined(others, cells[n])]
    return most, max(again, default=number) if most else None


def _defined(functions: Iterable[str], cell: str) -> int:
    """Return how much of these a cell defines: a written function counts more than a stub, and a stub more than a name
    that is defined within another definition.
    """
    found = 0
    for name in _begins(cell).intersection(functions):
        blocks = re.findall(rf"^{_PROMPT}def[ \t]+{name}\b.*?(?=^[^\s)#]|\Z)", cell, re.MULTILINE | re.DOTALL)
        if blocks and all(_STUB.search(_SAID.sub("", block)) for block in blocks):
            found += _STUBBED
        elif blocks or re.search(rf"^{_PROMPT}class[ \t]+{name}\b", cell, re.MULTILINE) or _assigned(name, cell):
            found += _WHOLE
        elif re.search(rf"^[ \t]+def[ \t]+{name}\b", cell, re.MULTILINE):
            found += 1
    return found


@functools.lru_cache(maxsize=MAX_CELLS)
def _begins(cell: str) -> frozenset[str]:
    """Return the names that a cell may define."""
    return frozenset(name for both in _NAMES.findall(cell) for name in both)


def _assigned(name: str, cell: str) -> bool:
    """Return True if a cell assigns the name a value not made of its old one: `softmax = lambda x: ...`."""
    values = re.findall(rf"^{name}[ \t]*(?::[^=\n]*)?=(?!=)(.*)", cell, re.MULTILINE)
    return any(not re.search(rf"\b{name}\b", value) for value in values)


def _written(cell: str) -> str:
    """Return the name of the file that a cell writes, in any folder; "" for another cell."""
    found = _WRITES.match(cell)
    return re.split(r"[/\\\s\"']", found[1].strip("\"' \t\r"))[-1] if found else ""


def sources(
    notebooks: Sequence[Notebook], course: Course, wanted: Iterable[str]
) -> tuple[dict[str, Source], list[str]]:
    """Return each wanted source in the notebooks, or why it does not count; and the unused cells: `unit.ipynb[4]`.

    The answer sheet may be spread over several notebooks.
    """
    found: dict[str, Source] = {}
    ignored, source_kb = [], course.settings.limits.source_kb
    for source in wanted:
        cell = work_cell(source)
        holding = [i for i, n in enumerate(notebooks) if n.last(cell) is not None and not n.refused]
        holders = [notebooks[i] for i in holding]
        if len(holders) > 1 and source != SHEET:
            two = TWO_NOTEBOOKS.format(first=holders[0].name, second=holders[1].name, cell=cell)
            found[source] = Source(refused=two)
        elif holders:
            parts = [_checked(notebooks[i], notebooks[i].last(cell) or 0, cell, source_kb, book=i) for i in holding]
            refused = next((part for part in parts if part.refused), None)
            work = refused or dataclasses.replace(parts[0], text="\n".join(str(part.text) for part in parts))
            found[source] = _elsewhere(work, notebooks, course, source) or work
        elif unmarked := _unmarked(notebooks, course, source):
            found[source] = unmarked
        ignored += [f"{n.name}[{number + 1}]: {cell}" for n in holders for number in n.earlier(cell)]
    return found, ignored


def _elsewhere(work: Source, notebooks: Sequence[Notebook], course: Course, source: str) -> Source | None:
    """Return the work in a cell without marks if its own cell is still the stub, the blank sheet or empty."""
    functions = next((e.functions for e in course.exercises if e.source == source), ())
    if work.refused or _begun(work.text or "", functions, course):
        return None
    other = _unmarked(notebooks, course, source)
    return other if other and _begun(other.text or "", functions, course) else None


def _begun(text: str, functions: Sequence[str], course: Course) -> bool:
    """Return True if a cell defines one of the functions, or answers a question."""
    if functions:
        return _defined(functions, text) >= _WHOLE
    return bool(re.search(rf"\b(?:{'|'.join(asked(course))})\b\W{{0,4}}[:：][ \t]*[^\s#?]", text))


def outdone(notebooks: Sequence[Notebook], course: Course, counting: Mapping[str, str]) -> tuple[str, ...]:
    """Return the cells that differ from the files which count: `unit.ipynb[4]: softmax`."""
    also = sources(notebooks, course, counting)[0]
    different = {s: w for s, w in also.items() if w.text is not None and w.text.split() != counting[s].split()}
    return tuple(one_line(f"{work.path}[{work.number}]: {source}", 60) for source, work in different.items())


def _unmarked(notebooks: Sequence[Notebook], course: Course, source: str) -> Source | None:
    """Return the work in a notebook without marks: the cell with the exercise's functions.

    A text cell counts if no code cell holds it; the answer sheet may stand in cells of any kind.
    """
    exercise = next((e for e in course.exercises if e.source == source), None) if notebooks else None
    if not exercise:
        return None
    marks = {i for e in course.exercises for i in (e.id, work_cell(e.id), work_cell(SHEET))}
    fitting: dict[tuple[int, int], dict[str, tuple[int, int, str]]] = {}  # by how well they fit, then by the text
    for book, notebook in enumerate(notebooks):
        if notebook.refused:
            continue
        free = [c if c.id not in marks else dataclasses.replace(c, source="") for c in notebook.cells]
        most, number, text = _answers(free, course) if source == SHEET else _in_cells(free, exercise, course)
        if most:
            named, exactly = meant(notebook.name, course)
            by_name = 1 + exactly if named == source else 0 if named is None else -1  # -1: of another exercise
            alike = fitting.setdefault((by_name, most), {})
            alike.setdefault(text.strip(), (book, number, text))
    if not fitting:
        return None
    (book, number, text), *others = fitting[max(fitting)].values()
    notebook = notebooks[book]
    if others:
        two = TWO_FIT.format(first=notebook.name, second=notebooks[others[0][0]].name, name=file_name(source))
        return Source(refused=two)
    return _checked(notebook, number, source, course.settings.limits.source_kb, text, book)


def _in_cells(cells: Sequence[Cell], exercise: Exercise, course: Course) -> tuple[int, int, str]:
    """Return how well the best cell fits, its number, and its text."""
    for kinds, worth in (("code",), _WHOLE * _WHOLE), (("raw", "markdown"), 1):
        texts = [c.source if c.kind in kinds else "" for c in cells]
        most, number = _most(exercise, course, texts)
        if number is not None:
            return most * worth, number, texts[number]
    return 0, 0, ""


def _answers(cells: Sequence[Cell], course: Course) -> tuple[int, int, str]:
    """Return how many questions the cells answer, the number of the first such cell, and the text of all."""
    questions, sheet = asked(course), file_name(SHEET)
    found = [(n, answered(c.source) & questions, _written(c.source) == sheet) for n, c in enumerate(cells)]
    with_any = [(n, some) for n, some, writes in found if some or writes]
    most = len(set[str]().union(*(some for _, some in with_any)))
    plainly = any(writes or (some and cells[n].kind != "code") for n, some, writes in found)
    if not plainly and (not most or most < min(ENOUGH, len(questions))):  # a name in code may be a variable's
        return 0, 0, ""
    return 1 + most, with_any[0][0], "\n".join(_FILE_MAGIC.sub("# ", cells[n].source) for n, _ in with_any)


def code(notebook: Notebook, source_kb: int) -> tuple[tuple[int, str], ...]:
    """Return the code cells of a notebook by their numbers, since the work in one of them may need the others."""
    return tuple(
        (number + 1, text.decode().replace("\0", ""))
        for number, cell in enumerate(notebook.cells)
        if cell.kind == "code" and len(text := cell.source.encode("utf-8", "replace")) <= source_kb << 10
    )


def bounded(notebook: Notebook, source_kb: int) -> Notebook:
    """Return the notebook, refused if it holds too much code to search for each exercise."""
    most = MOST_FILES * source_kb
    size = sum(len(text.encode()) for _, text in code(notebook, source_kb))
    if notebook.refused or size <= most << 10:
        return notebook
    return dataclasses.replace(notebook, refused=TOO_MUCH_CODE.format(name=notebook.name, limit=most))


def _checked(
    notebook: Notebook, number: int, cell: str, source_kb: int, text: str | None = None, book: int = 0
) -> Source:
    """Return the work in a cell, counted from 0, or why it cannot be read; `text` is the cell's own unless given."""
    here = notebook.cells[number]
    source = _FILE_MAGIC.sub("# ", here.source if text is None else text)
    where = {"cell": cell, "name": notebook.name}
    try:
        size = len(source.encode())
    except UnicodeEncodeError:
        return Source(refused=NO_UNICODE.format(**where))
    if "\0" in source:
        return Source(refused=NULL_BYTES.format(**where))
    if size > source_kb * 1024:
        return Source(refused=CELL_TOO_LARGE.format(**where, limit=source_kb))
    replaced = tuple(n for n, c in enumerate(notebook.cells, 1) if here.id and c.id == here.id)
    return Source(source, path=notebook.name, number=number + 1, book=book, replaced=replaced)


def beside(notebooks: Sequence[Notebook], source: str, course: Course) -> bool:
    """Return True if a notebook has marked cells of the same unit, and so was given out with one for this source."""
    unit = {e.source for u in course.settings.units for e in u.exercises if source in {e.source for e in u.exercises}}
    marks = {work_cell(s) for s in unit - {SHEET}}
    return any(cell.id in marks for n in notebooks for cell in n.cells)


def missing(notebooks: Sequence[Notebook], source: str) -> Text:
    """Say why none of the notebooks holds it."""
    cell = work_cell(source)
    refused = next((n.refused for n in notebooks if n.refused), None)
    if refused or not notebooks:
        return refused or NO_NOTEBOOK.format(cell=plain(cell))
    if not any(c.id for n in notebooks for c in n.cells):  # never one of the kit's own
        return NO_WORK.format(name=notebooks[0].name, file=file_name(source))
    return NO_CELL.format(name=notebooks[0].name, cell=cell)
