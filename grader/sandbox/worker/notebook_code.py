"""A notebook's cells to one module: what the graded functions need, in the notebook's order.

The cell of the exercise counts: what it defines is not taken from another one. Of the others come the definitions and
imports that the functions need; what shows or plots something stays behind, and so does what only IPython understands.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence

from grader.sandbox.worker import needs

_CELL_MAGIC = re.compile(r"\A(\s*)%%(\w+)")
_TIMING = ("time", "timeit", "capture", "prun")  # the rest of such a cell is Python
_ASSIGNED = re.compile(r"^(\s*[\w.]+\s*=)\s*[%!].*$", re.MULTILINE)  # x = !ls
_LINE = re.compile(  # %time f(), !ls, ?f, f?; not `% 3` or `!= 3`, with which a long expression goes on
    r"^([ \t]*)(?:%{1,2}[A-Za-z].*|!(?!=).*|\?.*|[^#\n]*[\w)\]]\?{1,2}[ \t]*)$", re.MULTILINE
)


def gathered(
    source: str, others: Sequence[str], at: int, graded: Collection[str]
) -> tuple[str, list[ast.stmt], tuple[int, ...]]:
    """The cell `source`, standing before number `at` of `others`, with what it needs of them.

    Returns the text that the lines' numbers refer to, the statements, and the numbers of the cells that were needed.

    Raises:
        SyntaxError: the cell is no Python; other cells that are none are left out.
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
