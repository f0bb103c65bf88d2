"""Reads the cells of a Jupyter notebook from a file's bytes: any format and encoding, whatever the file's name is."""

from __future__ import annotations

import dataclasses
import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from grader.intake.decoding import decode_sheet
from grader.intake.tree import TOO_LARGE, File, Refused
from grader.texts import Text, one_line, translated

NOTEBOOK = ".ipynb"
MAX_KB = 8 << 10  # of a notebook without its outputs; each exercise's cell has the limit of a source file
MAX_FILE_KB = 64 << 10  # with them
MAX_CELLS = 2000
MAX_LOOKED_INTO = 200  # files that may be one by their content only
MAX_LOOKED_KB = 32 << 10  # of these together, where their beginnings do not tell
MOST_BRACKETS = 4_000_000  # brackets and strings that are counted to leave outputs out
# Browsers and people put endings of their own behind it: hw.ipynb.txt, hw.ipynb (1), hw.ipynb.download
_NAME = re.compile(r".*\.ipynb([.](txt|json|bak|download|crdownload))?([ _.-]*([(]?\d+[)]?)?)", re.IGNORECASE)
_TEXT_NAME = re.compile(r"[^.]*|.*\.(py[w3]?|txt|md|markdown|json|ya?ml|bak|zip)", re.IGNORECASE)  # or under these
_PYTHON = re.compile(r"^(?:def|class)[ \t]+\w+.*:", re.MULTILINE)

_MARK = re.compile(rb'["\[\]{}]')
_END = re.compile(rb'(?<!\\)(?:\\\\){0,64}"')  # of a string: an even number of backslashes, bounded for memory's sake
_OUTPUTS = re.compile(rb'"outputs"\s*:\s*\[')
_CONFLICT = re.compile(r"^(?:<{7} |={7}$|>{7} )", re.MULTILINE)

NOT_JSON = translated("{name} is not a notebook: it is not JSON ({error}); hand in a copy that Jupyter opens")
NOTHING_IN_IT = translated("{name} is empty; save the notebook in Jupyter and hand it in again")
WEB_PAGE = translated(
    "{name} is a web page and not the notebook itself; download the file (on GitHub: Download raw file; in Colab: "
    "File, Download .ipynb)"
)
CONFLICT = translated(
    "{name} is not a notebook: an unfinished merge left its marks in it (line {line}); keep one side of each conflict, "
    "see that Jupyter opens it, and hand it in again"
)
CUT_OFF = translated(
    "{name} is not a notebook: it breaks off in line {line}, so it was not saved or sent completely; hand in a "
    "complete copy that Jupyter opens"
)
POINTER = translated("{name} is only a pointer of Git LFS; hand in the file that `git lfs pull` brings")
NO_CELLS = translated("{name} is not a notebook: it holds no list of cells; hand in a copy that Jupyter opens")
TOO_MANY_CELLS = translated("{name} has more than {limit} cells")
OTHER_LANGUAGE = translated("{name} belongs to a kernel for {language}; it must be a Python notebook")


@dataclasses.dataclass(frozen=True)
class Cell:
    """One cell: `id` is nbgrader's name for it, None for a cell of the student's own."""

    kind: str
    source: str
    id: str | None
    attachments: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Notebook:
    """The readable cells of a notebook, and the reason if its code is not graded."""

    name: str
    cells: tuple[Cell, ...] = ()
    refused: Text | None = None

    def last(self, id: str | None) -> int | None:
        """Return the number of the last cell with this id: of several, it counts, as in nbgrader."""
        return max((n for n, cell in enumerate(self.cells) if cell.id == id), default=None)

    def earlier(self, id: str) -> list[int]:
        """Return the numbers of further cells with this id and another content."""
        last = self.last(id)
        return [n for n, c in enumerate(self.cells) if c.id == id and c.source != self.cells[last or 0].source]


def is_notebook(name: str) -> bool:
    """Return True if a file of this name is a notebook."""
    return _NAME.fullmatch(name) is not None


def among(files: Sequence[File]) -> tuple[list[File], list[File]]:
    """Split files into notebooks, without Jupyter's own copies (hw-checkpoint.ipynb beside hw.ipynb), and others."""
    books, others, looked_into, left = list[File](), list[File](), 0, MAX_LOOKED_KB << 10
    for file in files:
        named = is_notebook(file.name)
        looked_into += not named
        is_one, read = _is_one(file, left) if named or looked_into <= MAX_LOOKED_INTO else (False, 0)
        (books if is_one else others).append(file)
        left -= read
    names = {f.name for f in books}
    return [f for f in books if (own := f.name.replace("-checkpoint.", ".")) == f.name or own not in names], others


def _is_one(file: File, most: int) -> tuple[bool, int]:
    """Return True for a notebook, by its content under any name, or by its name unless it holds Python; and how many
    bytes of it were read, at most `most`, if its beginning did not tell.
    """
    named = is_notebook(file.name)
    if not (named or _TEXT_NAME.fullmatch(file.name)):
        return False, 0
    try:
        begins = decode_sheet(file.begins()).lstrip("\ufeff \t\r\n")
        if (begins.startswith("{") and '"cells"' in begins) or (named and begins[:1] in ("", "{", "<", "[", "=")):
            return True, 0
        if not (named or begins.startswith("{")):
            return False, 0
        data = file.read(min(most >> 10, MAX_KB))
    except Refused:
        return named, 0
    if begins.startswith("{"):
        return b'"nbformat"' in data.replace(b"\0", b""), len(data)
    return not _PYTHON.search(decode_sheet(data)), len(data)


def read(name: str, data: bytes) -> Notebook:
    """Read the cells of a notebook of format 3 or later, whatever else is wrong with it; never raises."""
    if len(data) > MAX_KB << 10:
        data = _without_outputs(data)
    if len(data) > MAX_KB << 10:
        return Notebook(name, refused=TOO_LARGE.format(name=name, limit=MAX_KB))
    text = decode_sheet(data).lstrip("\ufeff")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:  # RecursionError: nested too deeply to be a notebook
        return Notebook(name, refused=_why(name, text, error))
    cells = _cells(found) if isinstance(found, dict) else None
    if cells is None:
        return Notebook(name, refused=NO_CELLS.format(name=name))
    if len(cells) > MAX_CELLS:
        return Notebook(name, refused=TOO_MANY_CELLS.format(name=name, limit=MAX_CELLS))
    read = tuple(_cell(cell) for cell in cells if isinstance(cell, dict))
    language = _other_language(_mapping(found.get("metadata")))
    if language is None or any(c.kind == "code" and _PYTHON.search(c.source) for c in read):
        return Notebook(name, read)
    return Notebook(name, read, OTHER_LANGUAGE.format(name=name, language=language))


def _without_outputs(data: bytes) -> bytes:
    """Empty a notebook's `outputs`, which may be a hundred times the written text; nothing is parsed."""
    kept, start, at, depth = list[bytes](), 0, 0, 0
    for _ in range(MOST_BRACKETS):
        if not (found := _MARK.search(data, at)):
            return b"".join([*kept, data[start:]] if not depth else kept)
        at = found.end()
        if found[0] == b'"':
            outputs = None if depth else _OUTPUTS.match(data, found.start())
            end = outputs or _END.search(data, at)
            at = end.end() if end else len(data)
            if outputs:
                kept.append(data[start:at])
                depth = 1
        elif depth:
            depth += 1 if found[0] in b"[{" else -1
            start = at - 1
    return data


def _why(name: str, text: str, error: Exception) -> Text:
    """Say what a file is that is not JSON."""
    begins, lines = text.strip(" \t\r\n\0"), text.rstrip().count("\n") + 1
    if not begins:
        return NOTHING_IN_IT.format(name=name)
    if begins[:5].lower() in ("<!doc", "<html", "<?xml"):
        return WEB_PAGE.format(name=name)
    if begins.startswith("version https://git-lfs"):
        return POINTER.format(name=name)
    if conflict := _CONFLICT.search(text):
        return CONFLICT.format(name=name, line=text.count("\n", 0, conflict.start()) + 1)
    if not isinstance(error, json.JSONDecodeError):
        return NOT_JSON.format(name=name, error=type(error).__name__)
    if begins.startswith("{") and (error.pos >= len(text.rstrip()) or "Unterminated" in error.msg):
        return CUT_OFF.format(name=name, line=lines)
    return NOT_JSON.format(name=name, error=f"{error.lineno}:{error.colno}")


def _cells(found: Mapping[str, Any]) -> list[Any] | None:
    """Return the list of cells; in format 3 that of each worksheet."""
    cells, sheets = found.get("cells"), found.get("worksheets")
    if not isinstance(cells, list) and isinstance(sheets, list):
        lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        cells = [cell for some in lists if isinstance(some, list) for cell in some]
    return cells if isinstance(cells, list) else None


def _other_language(metadata: Mapping[str, Any]) -> str | None:
    """Return the language in a notebook's metadata if it is not Python."""
    named = (_mapping(metadata.get("kernelspec")).get("language"), _mapping(metadata.get("language_info")).get("name"))
    languages = [one_line(n, 40) for n in named if isinstance(n, str) and n]
    return next((n for n in languages if "python" not in n.lower()), None)


def _cell(cell: Mapping[str, Any]) -> Cell:
    kind, source = cell.get("cell_type"), cell.get("source", cell.get("input"))
    id = _mapping(_mapping(cell.get("metadata")).get("nbgrader")).get("grade_id")
    pictures = {
        name: {kind: data for kind, data in _mapping(kinds).items() if isinstance(data, str)}
        for name, kinds in _mapping(cell.get("attachments")).items()
    }
    lines = [line for line in (source if isinstance(source, list) else [source]) if isinstance(line, str)]
    ended = any(line.endswith("\n") for line in lines[:-1])  # some programs write lines without their ends
    text = ("" if ended else "\n").join(lines)
    return Cell(
        kind if kind in ("code", "markdown") else "raw",
        _flush(text.removeprefix("\ufeff")) if kind == "code" else text,
        id if isinstance(id, str) and id else None,
        pictures,
    )


def _flush(code: str) -> str:
    """Return a cell of Python without its common indentation, which IPython accepts."""
    first = next((line for line in code.splitlines() if line.strip()), "")
    found = textwrap.dedent(code) if first[:1] in (" ", "\t") else code
    return found if _PYTHON.search(found) else code


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
