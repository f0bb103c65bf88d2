"""A student's source: parsed without running any of it, then run as a module; and its exceptions as data."""

from __future__ import annotations

import ast
import itertools
import linecache
import re
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grader.arrays import Tensor, torch
from grader.sandbox.processes import Inspect, Inspected, Raised
from grader.sandbox.worker import needs
from grader.sandbox.worker.notebook_code import file, gathered

MESSAGE_CAP = 2000
LINE_CAP = 120
MOST_CALLERS = 3
MOST_SHAPES = 4
MOST_LINES = 1 << 20
_ARRAYS = (np.ndarray, Tensor, *((torch.nn.Parameter,) if torch is not None else ()))


def inspect(asked: Inspect) -> tuple[Inspected, str, ast.Module]:
    """Facts of a source that is parsed, not run; the text that lines refer to; and what is to run of it.

    What mentions a name of `forbid` and is not needed by the functions in `graded`, a comparison with torch at the end
    of the file for instance, is honest work; it is left out of what is to run.

    Raises:
        SyntaxError: the source is not Python; also for what the parser cannot take (RecursionError, MemoryError).
    """
    text, body, cells = asked.source, list[ast.stmt](), tuple[int, ...]()
    if asked.cells is not None:
        text, body, cells = gathered(asked.source, asked.cells, asked.at, asked.graded)
        runs = body
    else:
        text, body, runs = file(asked.source, asked.graded)
    runs = [node for node in runs if not _is_main(node)]
    aliases = _aliases(body)
    mentions = {n: found for n in runs if (found := _mentioned(n, aliases, asked.forbid))}
    left = _beside(runs, set(mentions), asked.graded) if mentions else set()
    runs = [node for node in runs if node not in left]
    borrowed = next((found for n, found in mentions.items() if n not in left), None)
    defines = [node.name[:100] for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return Inspected(borrowed, defines[:100], cells, _loops(runs)), text, ast.Module(runs, [])


def _loops(body: Sequence[ast.stmt]) -> tuple[tuple[int, int, bool], ...]:
    """First and last line of each loop, and whether it is a `while`."""
    found = (n for s in body for n in ast.walk(s) if isinstance(n, ast.While | ast.For))
    return tuple((n.lineno, n.end_lineno or n.lineno, isinstance(n, ast.While)) for n in itertools.islice(found, 200))


def _aliases(body: Sequence[ast.stmt]) -> dict[str, str]:
    """What each name stands for that an import binds, anywhere in the source."""
    found: dict[str, str] = {}
    for node in (inside for statement in body for inside in ast.walk(statement)):
        if isinstance(node, ast.Import):
            for a in node.names:
                found[a.asname or a.name.partition(".")[0]] = a.name if a.asname else a.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update({a.asname or a.name: f"{node.module}.{a.name}" for a in node.names})
    return found


def _is_main(node: ast.stmt) -> bool:
    """`if __name__ == "__main__":` never runs here."""
    return isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test) == "__name__ == '__main__'"


def _mentioned(node: ast.stmt, aliases: Mapping[str, str], forbid: Sequence[str]) -> tuple[str, int] | None:
    """The first forbidden name in a statement, and its line."""
    named = (n for n in ast.walk(node) if isinstance(n, ast.Attribute | ast.Name))
    return next(((name, n.lineno) for n in named if (name := _dotted(n, aliases)) in forbid), None)


def _beside(body: Sequence[ast.stmt], mentions: set[ast.stmt], graded: Sequence[str]) -> set[ast.stmt]:
    """Those of `mentions` that nothing graded needs, and what cannot run without them."""
    binds, reads = {n: needs.bound(n) for n in body}, {n: needs.read(n) for n in body}
    kept = needs.needed(body, graded)
    left = mentions - kept
    while True:
        gone = set[str]().union(*(binds[n] for n in left)) - set[str]().union(
            *(binds[n] for n in body if n not in left)
        )
        more = {n for n in body if n not in left and n not in kept and reads[n] & gone}
        if not more:
            return left
        left |= more


def _dotted(node: ast.AST, aliases: Mapping[str, str]) -> str:
    """`torch.nn.functional.softmax` for any way to write it that an import makes; `?.softmax` for a method."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        names.append(aliases.get(node.id, node.id))
    elif names:
        names = [names[0], "?"]
    return ".".join(reversed(names))


def load(source: str, name: str, tree: ast.Module | None = None) -> dict[str, Any]:
    """Run a student file, or what `inspect` left of it, as the module `name` and return its globals."""
    module = types.ModuleType(name)
    module.__file__ = f"{name}.py"
    sys.modules[name] = module
    linecache.cache[f"{name}.py"] = (len(source), None, source.splitlines(keepends=True), f"{name}.py")
    exec(compile(tree or source, f"{name}.py", "exec", dont_inherit=True), module.__dict__)  # what the sandbox is for
    return module.__dict__


def _unwritten() -> None:
    raise NotImplementedError


def is_unwritten(function: Any) -> bool:
    """Whether a function is `raise NotImplementedError` and nothing else."""
    if type(function) is not types.FunctionType:
        return False
    code, bare = function.__code__, _unwritten.__code__
    alike = (code.co_code, code.co_names) == (bare.co_code, bare.co_names)
    return alike and "NotImplementedError" not in function.__globals__


def describe(error: BaseException, name: str) -> Raised:
    """An exception as data: its class names, its message, and the way to it through the student's file."""
    frames = [f for f in _frames(error.__traceback__) if f[0].f_code.co_filename == f"{name}.py"]
    types = [_sayable(c.__name__)[:100] for c in type(error).__mro__ if c is not object][:8]
    try:
        message = _sayable(str.__getitem__(str(error), slice(MESSAGE_CAP)))  # its own __getitem__ may be the student's
    except BaseException:  # a student's __str__ may do anything
        message = ""
    if frames:
        frame, line = frames[-1]
        text = linecache.getline(f"{name}.py", line).strip()
        lines = tuple(dict.fromkeys(n for _, n in reversed(frames) if 0 <= n < MOST_LINES))[: MOST_CALLERS + 1]
        return Raised(types, message, lines, None, _sayable(text)[:LINE_CAP], _shapes(frame.f_locals, text))
    if isinstance(error, SyntaxError) and error.__traceback__:
        lines = tuple(n for n in (_place(error.lineno),) if n is not None)
        text = error.text.strip() if type(error.text) is str else ""
        return Raised(
            types, _sayable(str(error.msg))[:MESSAGE_CAP], lines, _place(error.offset), _sayable(text)[:LINE_CAP]
        )
    return Raised(types, message)


def _frames(traceback: types.TracebackType | None) -> Iterator[tuple[types.FrameType, int]]:
    while traceback is not None:
        yield traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next


def _shapes(values: Mapping[str, Any], text: str) -> tuple[tuple[str, str], ...]:
    """The tensors that a line names, with their shapes."""
    names = dict.fromkeys(re.findall(r"[^\W\d]\w*", text))
    found = [(n, str(list(values[n].shape))) for n in names if type(values.get(n)) in _ARRAYS]
    return tuple(found[:MOST_SHAPES])


def _place(number: Any) -> int | None:
    return number if type(number) is int and 0 <= number < MOST_LINES else None


def _sayable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
