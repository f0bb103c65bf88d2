"""Decides which names are forbidden, and makes their stand-ins: they record who calls them, and raise."""

from __future__ import annotations

import ast
import contextlib
import ctypes
import functools
import gc
import os
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from importlib.machinery import SourceFileLoader
from typing import Any

from grader.arrays import torch

FRONT_ENDS = frozenset(("ao", "export", "fx", "jit", "library", "onnx", "ops", "package", "quantization"))
"""Modules of torch that write operators down, or compile, export and interpret what was: more doors to all of them."""
COMPILERS = ("torch.compile", "torch.jit.script", "torch.jit.trace")
"""What gives back the function that it is given, in a worker, see `import_stubs`."""
REFUSED = re.compile(r"(\w[\w.]*) is not allowed here")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_FILLS = "torch.nn.init."  # which only fills weights with numbers
TORCH = os.path.dirname(torch.__file__) + os.sep if torch is not None else os.devnull
FUNCTION = types.FunctionType
_WRITTEN = 1 << 9  # the flag of a class in Python
Undo = MutableSequence[Callable[[], object]]


def forbids(calls: Iterable[str], name: str) -> str | None:
    """Return the first of `calls` ("torch.nn.functional.softmax") whose words a name ("_softmax") holds."""
    held = words(name)
    return next((call for call, named in of_calls(tuple(calls)) if named <= held), None)


@functools.cache
def of_calls(calls: tuple[str, ...]) -> list[tuple[str, frozenset[str]]]:
    """Return each call with the words by which it is known."""
    return [(call, words(call.rpartition(".")[2]) - {"forward"}) for call in calls]


@functools.lru_cache(1 << 15)  # torch has about 15,000 names
def words(name: str) -> frozenset[str]:
    """Return the words of a name in lower case."""
    return frozenset(map(str.lower, _WORD.findall(name)))


def is_own(name: str) -> bool:
    """Return True for Python's own names, such as `__init__`."""
    return name.startswith("__") and name.endswith("__")


def beyond(name: str) -> bool:
    """Return True if a name, "torch._C._te" with all that it is found in, is private to torch or of a front end."""
    root, *parts = name.split(".")
    if root != "torch" or not parts or name.startswith(_FILLS) or name in COMPILERS:
        return False
    private = any(part.startswith("_") and not is_own(part) for part in parts)
    asks = parts[-1].startswith("is_")  # it answers yes or no, as `is_scripting`
    return private or (parts[0] in FRONT_ENDS and len(parts) > 1 and not asks)


def refusal(name: str, called: set[str]) -> Callable[..., Any]:
    """Return the stand-in for a function; it records in `called` that it was called."""

    def refuse(*_args: Any, **_kwargs: Any) -> Any:
        called.add(name)
        raise RuntimeError(f"{name} is not allowed here")

    return refuse


def put(kind: type, name: str, value: Any, undo: Undo | None) -> None:
    """Put a method into a class, also into one in C, which does not allow it."""
    if undo is not None:
        undo.append(functools.partial(put, kind, name, vars(kind)[name], None))
    if kind.__flags__ & _WRITTEN:
        setattr(kind, name, value)
        return
    gc.get_referents(vars(kind))[0][name] = value
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def empty(function: types.FunctionType, name: str, called: set[str], undo: Undo | None) -> None:
    """Give a function, and what it wraps, a body that refuses; every reference to it keeps that."""
    closed = list(function.__closure__ or ())
    inside = [getattr(function, "__wrapped__", None), *(cell.cell_contents for cell in closed if _filled(cell))]
    if undo is not None:
        undo.append(functools.partial(setattr, function, "__code__", function.__code__))
    function.__code__ = _refusing(len(closed), name, called)
    for wrapped in inside:
        if type(wrapped) is FUNCTION and wrapped.__code__.co_filename.startswith(TORCH):
            empty(wrapped, name, called, undo)


def _filled(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - whether it can be read is the question
    except ValueError:
        return False
    return True


def _refusing(free: int, name: str, called: set[str]) -> types.CodeType:
    """Return the code of a function with as many free variables, which refuses any call."""
    made, refuse = refusing_nothing(free), refusal(name.lstrip("_"), called)
    return made.replace(co_consts=tuple(refuse if const == "" else const for const in made.co_consts))


@functools.cache
def refusing_nothing(free: int) -> types.CodeType:
    """Return the same without the refusal; compiling it takes longer than everything else here."""
    names = ", ".join(f"v{i}" for i in range(free))
    held = f"    {names} = {', '.join(['0'] * free)}\n" if free else ""
    used = f"        ({names})\n" if free else ""
    text = f"def outer():\n{held}    def refuse(*args, **kwargs):\n{used}        refuses = ''\n        refuses()\n"
    outer = next(c for c in compile(text, "torch", "exec").co_consts if isinstance(c, types.CodeType))
    return next(c for c in outer.co_consts if isinstance(c, types.CodeType))


def watch_imports(calls: Sequence[str], called: set[str], arrived: Callable[[str], None], undo: Undo | None) -> None:
    """From now on empty forbidden functions in modules of torch when they are imported; `arrived` gets their names.

    Honest code imports hundreds of them unawares, with its first `torch.testing.assert_close`. If a loader gets past
    this, an audit hook, which nothing can remove, keeps such a module from running.
    """
    watched, get_code = [*calls], SourceFileLoader.get_code

    def emptied(self: SourceFileLoader, fullname: str) -> Any:
        code = get_code(self, fullname)
        if code is not None and watched and code.co_filename.startswith(TORCH):
            arrived(fullname)
            if any(_forbidden(watched, code)):
                with contextlib.suppress(OSError):  # no source: it is refused as a whole
                    return _emptied(watched, code, self.get_data(code.co_filename), called)
        return code

    sys.addaudithook(_watching(watched, called))
    SourceFileLoader.get_code = emptied  # type: ignore[method-assign,assignment] # a module's way in
    if undo is not None:
        undo += [watched.clear, lambda: setattr(SourceFileLoader, "get_code", get_code)]


def _emptied(calls: Sequence[str], code: types.CodeType, source: bytes, called: set[str]) -> types.CodeType:
    """Return the code of a module, with another body for each forbidden function: at its top and in its classes."""
    stands: dict[str, Callable[..., Any]] = {}
    tree: Any = ast.parse(source)
    for function, name in _forbidden_in(calls, tree):
        mark = f"{name} is forbidden"
        stands[mark] = refusal(name.lstrip("_"), called)
        function.body = ast.parse(f"refuses = {mark!r}\nrefuses()").body
    return _standing_in(compile(tree, code.co_filename, "exec", dont_inherit=True), stands)


def _forbidden_in(calls: Sequence[str], node: ast.AST, prefix: str = "") -> Iterator[tuple[ast.FunctionDef, str]]:
    for inside in ast.iter_child_nodes(node):
        name = f"{prefix}{getattr(inside, 'name', '')}"
        if isinstance(inside, ast.ClassDef):
            yield from _forbidden_in(calls, inside, f"{name}.")
        elif not isinstance(inside, ast.FunctionDef):
            yield from _forbidden_in(calls, inside, prefix)  # one may stand below an `if`
        elif forbids(calls, name):
            yield inside, name


def _standing_in(code: types.CodeType, stands: Mapping[str, Callable[..., Any]]) -> types.CodeType:
    """Return the code, and all code in it, with functions in the place of the texts that stand for them."""
    consts = (_standing_in(c, stands) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_consts=tuple(stands.get(c, c) if type(c) is str else c for c in consts))


def _watching(calls: Sequence[str], called: set[str]) -> Callable[[str, tuple[Any, ...]], None]:
    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "exec" and isinstance(args[0], types.CodeType) and args[0].co_filename.startswith(TORCH):
            for name in _forbidden(calls, args[0]):
                refusal(name.lstrip("_"), called)()

    return hook


def _forbidden(calls: Sequence[str], code: types.CodeType, prefix: str = "") -> Iterator[str]:
    """Yield the qualified names of forbidden functions that this code defines, at its top and in its classes."""
    for inside in code.co_consts:
        if isinstance(inside, types.CodeType):
            name = f"{prefix}{inside.co_name}"
            if inside.co_flags & 2 == 0:  # no CO_NEWLOCALS: the body of a class
                yield from _forbidden(calls, inside, f"{name}.")
            elif forbids(calls, name) and not any(type(c) is FUNCTION for c in inside.co_consts):  # none is emptied
                yield name
