"""Finds the statements of a module that some functions need: those that bind the names they use, and so on."""

from __future__ import annotations

import ast
import dis
import types
from collections.abc import Collection, Sequence

_READS = ("LOAD_GLOBAL", "LOAD_NAME")
_BINDS = ("STORE_NAME", "STORE_GLOBAL")


def needed(body: Sequence[ast.stmt], names: Collection[str]) -> set[ast.stmt]:
    """Return the statements without which these names cannot be bound and used."""
    binds, reads = {n: bound(n) for n in body}, {n: read(n) for n in body}
    # `from torch import *` may bind anything.
    kept: set[ast.stmt] = {n for n in body if isinstance(n, ast.ImportFrom) and any(a.name == "*" for a in n.names)}
    wanted = set(names)
    while more := {n for n in body if n not in kept and binds[n] & wanted}:
        kept |= more
        wanted = wanted.union(*(reads[n] for n in more))
    return kept


def bound(node: ast.stmt) -> set[str]:
    """Return the names that a statement binds, or whose objects it changes.

    Examples: `w`, `Block` in `Block.f = g`, `w` in `w.add_(1)`.

    Raises:
        SyntaxError: the statement cannot stand in a module.
    """
    targets: list[ast.AST] = [
        n for n in ast.walk(node) if isinstance(n, ast.Attribute | ast.Subscript) and isinstance(n.ctx, ast.Store)
    ]
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        targets.append(node.value.func.value)
    inside = (n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name))
    return _globals(node, _BINDS).union(inside)


def defined(node: ast.stmt) -> set[str]:
    """Return the names that a statement itself binds, not those that functions in it change."""
    return _globals(node, _BINDS[:1])


def read(node: ast.stmt) -> set[str]:
    """Return the module's names that a statement uses, also within the functions that it defines."""
    return _globals(node, _READS)


def is_future(node: ast.stmt) -> bool:
    """Return True for `from __future__ import annotations`, which has to come first."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _globals(node: ast.stmt, uses: tuple[str, ...]) -> set[str]:
    codes, found = [compile(ast.Module([node], []), "", "exec", dont_inherit=True)], set[str]()
    while codes:
        code = codes.pop()
        found |= {i.argval for i in dis.get_instructions(code) if i.opname in uses}
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return found
