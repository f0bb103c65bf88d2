"""Runs a student's source as a module, without unneeded statements that fail; turns its exceptions into data."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import linecache
import re
import sys
import traceback
import types
from collections.abc import Callable, Collection, Mapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from grader.arrays import Tensor, torch
from grader.sandbox.processes.worker_messages import MOST_LEFT_OUT, LeftOut, Raised
from grader.sandbox.worker import dependencies
from grader.sandbox.worker.own_files import Finder, ModulePaths, Path

MESSAGE_CAP = 2000
LINE_CAP = 120
MOST_CALLERS = 3
MOST_SHAPES = 4
MOST_LINES = 1 << 20
_TOP = "<module>"
_ARRAYS = (np.ndarray, Tensor, *((torch.nn.Parameter,) if torch is not None else ()))


@dataclasses.dataclass(frozen=True)
class RunnableFile:
    """One file as it runs: its name, the text that lines refer to, the statements.

    needed: those without which the requested names cannot be had. less: True if others were taken out before.
    """

    name: str
    text: str
    body: Sequence[ast.stmt] | None = None
    needed: Callable[[], Collection[ast.stmt]] = tuple
    less: bool = False


@dataclasses.dataclass(frozen=True)
class Program:
    """The file that is graded, and the student's other files that it imports, by their paths in the submission."""

    main: RunnableFile
    places: ModulePaths
    others: Mapping[Path, RunnableFile]


def load(source: str, name: str) -> dict[str, Any]:
    """Run a student file as the module `name` and return its globals."""
    return run_program(Program(RunnableFile(f"{name}.py", source), ModulePaths({}, ""), {}), name, [])


def run_program(
    program: Program, name: str, left_out: list[LeftOut], undo: MutableSequence[Callable[[], object]] | None = None
) -> dict[str, Any]:
    """Run the program of `inspect` as the module `name` and return its globals; record unneeded failures in `left_out`.

    undo: gets the function that stops imports from finding the student's other files.
    """
    module = types.ModuleType(name)
    module.__file__ = program.main.name
    sys.modules[name] = module
    if program.others:
        finder = Finder(program.places, lambda path, into: _run(program.others[path], into, left_out), program.others)
        finder.install(module)
        if undo is not None:
            undo.append(finder.remove)
    _run(program.main, module.__dict__, left_out)
    return module.__dict__


def _run(unit: RunnableFile, into: dict[str, Any], left_out: list[LeftOut]) -> None:
    """Run a file in these globals. An unneeded statement that fails is skipped."""
    linecache.cache[unit.name] = (len(unit.text), None, unit.text.splitlines(keepends=True), unit.name)
    if unit.body is None:
        _execute(unit.text, unit.name, into)
        return
    rest = list(unit.body)
    future = [n for n in rest if dependencies.is_future(n)]
    while rest:
        try:
            _execute(ast.Module(rest, []), unit.name, into)
            return
        except BaseException as error:  # sys.exit() too
            at = _failed(rest, error, unit.name)
            if at is None or rest[at] in unit.needed():
                raise
            line, said = rest[at].lineno, describe(error, unit.name.removesuffix(".py"))
            left_out += [LeftOut(unit.name[:200], line, said)] * (len(left_out) < MOST_LEFT_OUT)
            rest = [*future, *rest[at + 1 :]] if rest[at + 1 :] else []


def _execute(code: str | ast.Module, file: str, into: dict[str, Any]) -> None:
    exec(compile(code, file, "exec", dont_inherit=True), into)  # what the sandbox is for


def _failed(body: Sequence[ast.stmt], error: BaseException, file: str) -> int | None:
    """Return the number of the statement that raised; None if the file was not run at all."""
    raised = error.__traceback__
    while raised and (raised.tb_frame.f_code.co_filename, raised.tb_frame.f_code.co_name) != (file, _TOP):
        raised = raised.tb_next
    if raised is None:
        return None
    code, line = raised.tb_frame.f_code, raised.tb_lineno
    positions = code.co_positions() if sys.version_info >= (3, 11) else iter(())
    column = next(itertools.islice(positions, raised.tb_lasti // 2, None), (None,) * 4)[2]
    there = [i for i, n in enumerate(body) if first_line(n) <= line <= (n.end_lineno or n.lineno)]
    several = [i for i in there if column is None or (body[i].lineno, body[i].col_offset) <= (line, column)]
    return (several or there)[-1] if there else None


def first_line(node: ast.stmt) -> int:
    """Return the line on which a statement begins, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def _unwritten() -> None:
    raise NotImplementedError


def is_unwritten(function: Any) -> bool:
    """Return True if a function is `raise NotImplementedError` and nothing else."""
    if type(function) is not types.FunctionType:
        return False
    code, bare = function.__code__, _unwritten.__code__
    alike = (code.co_code, code.co_names) == (bare.co_code, bare.co_names)
    return alike and "NotImplementedError" not in function.__globals__


def describe(error: BaseException, name: str) -> Raised:
    """Return an exception as data: its class names, its message, and the way to it through the student's file."""
    frames = [f for f in traceback.walk_tb(error.__traceback__) if f[0].f_code.co_filename == f"{name}.py"]
    types = [_sayable(c.__name__)[:100] for c in type(error).__mro__ if c is not object][:8]
    try:
        message = _sayable(str.__getitem__(str(error), slice(MESSAGE_CAP)))  # its own __getitem__ may be the student's
    except BaseException:  # a student's __str__ may do anything
        message = ""
    if frames:
        frame, line = frames[-1]
        text = linecache.getline(f"{name}.py", line).strip()
        lines = tuple(dict.fromkeys(n for _, n in reversed(frames) if 0 <= n < MOST_LINES))[: MOST_CALLERS + 1]
        return Raised(types, message, lines, None, _cut(text), _shapes(frame.f_locals, text))
    if isinstance(error, SyntaxError) and error.__traceback__:
        lines = tuple(n for n in (_place(error.lineno),) if n is not None)
        text = error.text.strip() if type(error.text) is str else ""
        return Raised(types, _sayable(str(error.msg))[:MESSAGE_CAP], lines, _place(error.offset), _cut(text))
    return Raised(types, message)


def _cut(code: str) -> str:
    """Return a line of the file, marked if only its beginning is quoted."""
    said = _sayable(code)
    return said if len(said) <= LINE_CAP else f"{said[: LINE_CAP - 4]} ..."


def _shapes(values: Mapping[str, Any], text: str) -> tuple[tuple[str, str], ...]:
    """Return the tensors that a line names, with their shapes."""
    names = dict.fromkeys(re.findall(r"[^\W\d]\w*", text))
    found = [(n, str(list(values[n].shape))) for n in names if type(values.get(n)) in _ARRAYS]
    return tuple(found[:MOST_SHAPES])


def _place(number: Any) -> int | None:
    return number if type(number) is int and 0 <= number < MOST_LINES else None


def _sayable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
