"""A notebook's cells to one module: what the graded functions need, in the notebook's order.

The cell of the exercise counts: what it defines is not taken from another one. Of the others come the definitions and
imports that the functions need; what shows or plots something stays behind, and so does what only IPython understands.
A file that is no Python may be pasted from a notebook, a terminal or a chat: it is read as a cell would be.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence

from grader.sandbox.worker import needs

_CELL_MAGIC = re.compile(r"\A(\s*)%%(\w+)")
_TIMING = ("time", "timeit", "capture", "prun")  # the rest of such a cell is Python
_ASSIGNED = re.compile(r"^([ \t]*[\w.]+[ \t]*=)[ \t]*[%!].*$", re.MULTILINE)  # x = !ls
_MAGIC = r"%{1,2}[A-Za-z].*|!(?!=).*"  # %time f(), !ls; not `% 3` or `!= 3`, with which a long expression goes on
_MAGICS = re.compile(rf"^([ \t]*)(?:{_MAGIC})$", re.MULTILINE)
_LINE = re.compile(rf"^([ \t]*)(?:{_MAGIC}|\?.*|[^#\n]*[\w)\]]\?{{1,2}}[ \t]*)$", re.MULTILINE)  # and ?f, f?
_PROMPT = re.compile(r"(?:In ?\[\d*\]:|>>>)(?: |$)|[ ]*\.{3}:?(?: |$)")  # IPython's and Python's, and how they go on
_FENCE = re.compile(r"[ \t]*(?:```|~~~)[ \t]*(?P<other>(?!i?py)\w+)?", re.IGNORECASE)  # other: ```bash


def gathered(
    source: str, others: Sequence[str], at: int, graded: Collection[str]
) -> tuple[str, list[ast.stmt], tuple[int, ...]]:
    """The cell `source`, standing before number `at` of `others`, with what it needs of them.

    Returns the text that the lines' numbers refer to, the statements, and the numbers of the cells that were needed.

    Raises:
        SyntaxError: the cell is not Python; other cells that are not are left out.
    """
    work = statements(source)
    own = set[str]().union(*map(needs.bound, work))
    text, body, cell_of = source, list[ast.stmt](), dict[ast.stmt, int]()
    for number, other in enumerate(others):
        if number == at:
            body += work
        found = [n for n in _or_nothing(other) if not (names := needs.bound(n)) or names - own]
        for node in found:
            ast.increment_lineno(node, text.count("\n") + 1)
            cell_of[node] = number
        body += found
        text += "\n" + other
    if at >= len(others):
        body += work
    kept = needs.needed(body, graded)
    chosen = sorted((n for n in body if n in kept), key=lambda n: not _is_future(n))
    return text, chosen, tuple(sorted({cell_of[n] for n in chosen if n in cell_of}))


def statements(cell: str) -> list[ast.stmt]:
    """The cell's statements; lines that are not Python do nothing.

    Raises:
        SyntaxError: it is no Python even then.
    """
    try:
        return ast.parse(cell).body
    except SyntaxError:
        magic = _CELL_MAGIC.match(cell)
        if magic and magic[2] not in _TIMING:
            return []
        return ast.parse(_LINE.sub(r"\1pass", _ASSIGNED.sub(r"\1 None", cell))).body


def pasted(source: str, graded: Collection[str]) -> str:
    """A file that is no Python, line by line without what pasting brought along: Markdown, prompts, magics."""
    lines = re.split("\r\n?|\n", source)
    fences = [(i, found["other"]) for i, line in enumerate(lines) if (found := _FENCE.match(line))]
    blocks = zip(fences[::2], [*fences[1::2], (len(lines), None)], strict=False)
    inside = {i for (start, other), (end, _) in blocks if not other for i in range(start + 1, end)}
    works = re.compile(rf"(?:def|class)[ \t]+(?:{'|'.join(graded)})\b")
    if any(works.match(lines[i]) for i in inside):
        lines = [line if i in inside else "" for i, line in enumerate(lines)]
    if _PROMPT.match(next((line for line in lines if line.strip()), "")):
        lines = [line[found.end() :] if (found := _PROMPT.match(line)) else "" for line in lines]
    return _MAGICS.sub(r"\1pass", _ASSIGNED.sub(r"\1 None", "\n".join(lines)))


def _or_nothing(cell: str) -> list[ast.stmt]:
    """The statements of a cell that need not be Python."""
    try:
        found = statements(cell)
        for node in found:
            needs.bound(node)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return found


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
