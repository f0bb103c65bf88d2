"""Writes functions that a suite passes as Python that stands alone: students read and run it in an example."""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import types
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from grader.arrays import torch
from grader.authoring.visible_examples import without_annotations
from grader.suites import Given, given

MOST_LINES = 8  # of a function that a reader takes in at a glance
LIBRARIES: Mapping[str, Any] = {"math": math, "np": np} | ({"torch": torch} if torch else {})
IMPORTS = {"math": "import math", "np": "import numpy as np", "torch": "import torch"}
RESERVED = ("array", "find", "inf", "nan", "points", "tensor", *LIBRARIES)  # in the file that it is written into
_DEFINES = ast.Lambda | ast.FunctionDef


class WrittenFunction(Given):
    """A function that can be written: `expression` is the argument of a call, `before` the code to run first.

    Numbers from its surroundings are written into it, with three digits, so it may compute something else than the
    function that the suite passes.
    """

    def __init__(self, what: Any, expression: str, before: tuple[str, ...]) -> None:
        plain = given(what, name=expression.rpartition(".")[2])
        super().__init__(what, (), plain.name, "", None, plain.entries)
        self.expression, self.before = expression, before


def written(value: Any, name: str) -> Any:
    """Return a library's function, or one with this name, in written form if it has one; any other value unchanged."""
    if not isinstance(value, Given) or [*value.methods] != [""]:
        return value
    if library := _of_library(value.what):
        return WrittenFunction(value.what, f"{library}.{value.what.__name__}", (IMPORTS[library],))
    if not isinstance(value.what, types.FunctionType) or not name or name in RESERVED:
        return value
    found = _alone(value.what, name)
    if found is None:
        return value
    module = compile(found[-1], "<example>", "exec")
    code = next(part for part in module.co_consts if isinstance(part, types.CodeType))
    computes = types.FunctionType(code, dict(LIBRARIES), name, value.what.__defaults__)
    computes.__kwdefaults__ = value.what.__kwdefaults__ or {}
    return WrittenFunction(computes, name, found)


def renamed(tree: ast.AST, old: str, new: str) -> str:
    """Change a call or a definition in place: give the function that is passed another name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new
        elif isinstance(node, ast.FunctionDef) and node.name == old:
            node.name = new
    return ast.unparse(tree)


def _of_library(function: Any) -> str:
    """Return the library in which a function stands under its name; "" if there is none."""
    name = getattr(function, "__name__", "")
    return next((key for key, module in LIBRARIES.items() if name and getattr(module, name, None) is function), "")


def _alone(function: types.FunctionType, name: str) -> tuple[str, ...] | None:
    """Return imports, then a definition of the function; None if it is long, or needs more than libraries, numbers."""
    node = definition(function.__code__)
    if node is None or (isinstance(node, ast.FunctionDef) and node.decorator_list):
        return None
    defaults = (*node.args.defaults, *node.args.kw_defaults)
    if not all(default is None or isinstance(default, ast.Constant) for default in defaults):
        return None
    around = _Around(node, {**function.__globals__, **inspect.getclosurevars(function).nonlocals})
    body: list[ast.stmt] = node.body if isinstance(node, ast.FunctionDef) else [ast.Return(node.body)]
    if ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None:
        body = body[1:]
    alone = ast.FunctionDef(name, without_annotations(node.args), body, [], lineno=1)
    around.put_into(alone)
    text = ast.unparse(ast.fix_missing_locations(alone))
    if around.needs_more or len(text.splitlines()) > MOST_LINES:
        return None
    return (*sorted(around.imports), text)


def definition(code: types.CodeType) -> _DEFINES | None:
    """Return the statement that defines a function in its file; None if that is unclear."""
    try:
        tree = ast.parse(Path(code.co_filename).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return None
    kind = ast.Lambda if code.co_name == "<lambda>" else ast.FunctionDef
    found = [n for n in ast.walk(tree) if isinstance(n, kind)]
    found = [n for n in found if [*getattr(n, "decorator_list", ()), n][0].lineno == code.co_firstlineno]
    if len(found) > 1 and hasattr(code, "co_positions"):  # from Python 3.11 on; before, two in one line look alike
        places = {(line, start) for line, _, start, end in code.co_positions() if line and start is not None and end}
        found = [n for n in found if isinstance(n, ast.Lambda) and _holds(n.body, places)]
    return found[0] if len({ast.unparse(n) for n in found}) == 1 else None


def _holds(node: ast.expr, places: Iterable[tuple[int, int]]) -> bool:
    end = node.end_lineno or 0, node.end_col_offset or 0
    return all((node.lineno, node.col_offset) <= place < end for place in places)


class _Around:
    """Puts values from a function's surroundings into it; `needs_more` if one is neither a number nor a library's."""

    def __init__(self, node: _DEFINES, values: Mapping[str, Any]) -> None:
        self._own, self._values = set(_own(node)), values
        self.imports: set[str] = set()
        self.needs_more = any(isinstance(inside, ast.Global | ast.Nonlocal) for inside in ast.walk(node))

    def put_into(self, tree: ast.AST) -> None:
        """Replace the names in it by what they stand for."""
        for node in ast.walk(tree):
            for field, inside in ast.iter_fields(node):
                many = isinstance(inside, list)
                found = [self._put(i) if isinstance(i, ast.Name) else i for i in (inside if many else [inside])]
                setattr(node, field, found if many else found[0])

    def _put(self, node: ast.Name) -> ast.expr:
        if node.id in self._own or (node.id not in self._values and hasattr(builtins, node.id)):
            return node
        value = self._values.get(node.id)
        if type(value) in (bool, int, str):
            return ast.Constant(value)
        if type(value) is float and math.isfinite(value):
            return ast.Constant(float(f"{value:.3g}"))
        if node.id in LIBRARIES and value is LIBRARIES[node.id]:
            self.imports.add(IMPORTS[node.id])
        elif library := _of_library(value):
            self.imports.add(IMPORTS[library])
            return ast.Attribute(ast.Name(library, ast.Load()), str(getattr(value, "__name__", "")), ast.Load())
        else:
            self.needs_more = True
        return node


def _own(node: ast.AST) -> Iterator[str]:
    """Yield the names that are bound somewhere in a function."""
    for inside in ast.walk(node):
        if isinstance(inside, ast.arg):
            yield inside.arg
        elif isinstance(inside, ast.Name) and not isinstance(inside.ctx, ast.Load):
            yield inside.id
        elif isinstance(inside, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler):
            yield inside.name or ""
        elif isinstance(inside, ast.alias):
            yield (inside.asname or inside.name).partition(".")[0]
