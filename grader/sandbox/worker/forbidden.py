"""What an exercise forbids, taken out of torch and numpy in a worker: for every thread, by whatever way.

Functions of numpy are exchanged for refusals in the modules that hold them. Of torch there is more to take out.

Operators are replaced in the dispatcher's table, which is the whole process's: a mode would see only the thread that
entered it. Functions and methods of torch written in Python get another body; every reference to them keeps it. Modules
of torch that are imported later come with such bodies: honest code imports hundreds of them unawares, with its first
`torch.testing.assert_close`. What was replaced is nowhere kept. It is still the student's own process, where nothing is
beyond reach of code that is determined enough; see docs/threat-model.md.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import functools
import importlib
import os
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from importlib.machinery import SourceFileLoader
from typing import Any

from grader.arrays import torch

_BACKENDS = ("CPU", "MkldnnCPU", "SparseCPU", "NestedTensorCPU")
_FUNCTION = types.FunctionType
_TORCH = os.path.dirname(torch.__file__) + os.sep if torch is not None else os.devnull
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
REFUSED = re.compile(r"(\w[\w.]*) is not allowed here")
Withheld = tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]
Undo = MutableSequence[Callable[[], object]]


def forbids(calls: Iterable[str], name: str) -> str | None:
    """The first of `calls` ("torch.nn.functional.softmax") whose words a name ("_softmax", "Softmax.forward") holds."""
    words = _words(name)
    return next((call for call, named in _named(tuple(calls)) if named <= words), None)


@functools.cache
def _named(calls: tuple[str, ...]) -> list[tuple[str, frozenset[str]]]:
    return [(call, _words(call.rpartition(".")[2]) - {"forward"}) for call in calls]


@functools.lru_cache(1 << 15)  # torch has about 15,000 names
def _words(name: str) -> frozenset[str]:
    return frozenset(map(str.lower, _WORD.findall(name)))


@functools.cache
def withheld(calls: tuple[str, ...]) -> Withheld:
    """What `calls` name: operators as (name, dispatch key), functions of torch as (module, qualified name)."""
    return (tuple(_operators(calls)), tuple(_functions(calls))) if torch is not None else ((), ())


def _operators(calls: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Where the dispatcher keeps the operators."""
    backends, composites = list(_BACKENDS), ["AutogradCPU", "CPU"]
    if torch.cuda.is_available():
        backends, composites = [*backends, "CUDA"], [*composites, "AutogradCUDA", "CUDA"]
    for operator in _mentioning(calls, _of_aten()):
        if not forbids(calls, operator):
            continue
        has = functools.partial(torch._C._dispatch_has_kernel_for_dispatch_key, f"aten::{operator}")
        yield from ((operator, key) for key in backends if has(key))
        if has("CompositeImplicitAutograd"):  # made of others; called with gradients, and in inference mode
            yield from ((operator, key) for key in composites)


def _functions(calls: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The functions and methods that torch has in Python."""
    for line in _mentioning(calls, _of_torch()):
        module, _, name = line.partition(":")
        if forbids(calls, name):
            yield module, name


def _mentioning(calls: tuple[str, ...], text: str) -> list[str]:
    """The lines that hold the longest word of one of the calls: to look at each of 15,000 takes much longer."""
    small, starts = _small(text), set[int]()
    for word in {max(named, key=len, default="") for _, named in _named(calls)}:
        at = small.find(word)
        while at >= 0:
            starts.add(text.rfind("\n", 0, at) + 1)
            at = small.find(word, at + 1)
    return [text[start : text.find("\n", start)] for start in sorted(starts)]


@functools.lru_cache(2)
def _small(text: str) -> str:
    return text.lower()


@functools.cache
def _of_aten() -> str:
    """The operators, a line each."""
    parts = (name.partition("::") for name in sorted(torch._C._dispatch_get_all_op_names()))
    return "".join(f"{name}\n" for library, _, name in parts if library == "aten" and "backward" not in name)


@functools.cache
def _of_torch() -> str:
    """What `_functions` looks through: a line `module:name` each."""
    found = []
    for place, module in list(sys.modules.items()):
        if place.partition(".")[0] != "torch" or type(module) is not types.ModuleType:
            continue
        for name, value in list(vars(module).items()):
            if type(value) is _FUNCTION and value.__module__ == place:
                found.append(f"{place}:{name}")
            elif issubclass(type(value), type) and value.__module__ == place:
                found += [f"{place}:{name}.{key}" for key, held in list(vars(value).items()) if _function(held)]
    return "\n".join([*found, ""])


def _function(held: Any) -> types.FunctionType | None:
    """The function that a module or a class holds, be it static or of the class."""
    held = getattr(held, "__func__", held)
    return held if type(held) is _FUNCTION else None


def withhold(where: Withheld, calls: Sequence[str], called: set[str], undo: Undo | None = None) -> None:
    """Replace what `withheld` found by refusals; those of operators note the name in `called`.

    For good, unless the worker is to run another file, see `as_new`: then `undo` gets what takes it back.
    """
    _withhold_numpy(calls, undo)
    operators, functions = where
    for module, name in functions:
        holder: Any = sys.modules.get(module)
        *outer, last = name.split(".")
        for part in outer:
            holder = vars(holder).get(part) if holder else None
        if holder and (function := _function(vars(holder).get(last))):
            own = function.__qualname__  # a class may hold another's: torch.HalfTensor that of torch.Tensor
            _empty(function, own if "<" not in own and forbids(calls, own) else name, undo)
    if operators:
        _replace(operators, called, undo)
    if calls and torch is not None:
        watched, get_code = [*calls], SourceFileLoader.get_code
        sys.addaudithook(_watching(watched))
        SourceFileLoader.get_code = _emptying(watched, get_code)  # type: ignore[method-assign] # a module's way in
        if undo is not None:
            undo += [watched.clear, lambda: setattr(SourceFileLoader, "get_code", get_code)]


def _withhold_numpy(calls: Sequence[str], undo: Undo | None) -> None:
    """Put a refusal in the place of each function of numpy that is named, wherever numpy keeps it."""
    for call in (c for c in calls if c.startswith("numpy.")):
        module, _, name = call.rpartition(".")
        function = vars(importlib.import_module(module)).get(name)
        places = [m for n, m in list(sys.modules.items()) if n.partition(".")[0] == "numpy" and m is not None]
        for place in places if function is not None else ():
            for held in [n for n, value in list(vars(place).items()) if value is function]:
                setattr(place, held, _refusal(name, set()))
                if undo is not None:
                    undo.append(functools.partial(setattr, place, held, function))


def _replace(operators: Iterable[tuple[str, str]], called: set[str], undo: Undo | None) -> None:
    table = torch._C._dispatch_library("IMPL", "aten", "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it overrides
        for operator, key in operators:
            table.impl(operator, key, _refusal(operator.partition(".")[0], called))
    if undo is not None:
        undo.append(table.reset)
        return
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(table))  # once it is freed, all is as before: nobody has it to free


def _refusal(operator: str, called: set[str]) -> Callable[..., Any]:
    """What stands in for a function; it notes in `called` that somebody called it."""

    def refuse(*_args: Any, **_kwargs: Any) -> Any:
        called.add(operator)
        raise RuntimeError(f"{operator} is not allowed here")

    return refuse


def _empty(function: types.FunctionType, name: str, undo: Undo | None) -> None:
    """Give a function, and what it wraps, a body that refuses."""
    closed = list(function.__closure__ or ())
    inside = [getattr(function, "__wrapped__", None), *(cell.cell_contents for cell in closed if _filled(cell))]
    if undo is not None:
        undo.append(functools.partial(setattr, function, "__code__", function.__code__))
    function.__code__ = _refusing(len(closed), name)
    for wrapped in inside:
        if type(wrapped) is _FUNCTION and wrapped.__code__.co_filename.startswith(_TORCH):
            _empty(wrapped, name, undo)


def _filled(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - whether it can be read is the question
    except ValueError:
        return False
    return True


def _refusing(free: int, name: str) -> types.CodeType:
    """The code of a function with as many free variables, which refuses whatever it is called with."""
    made, said = refusing_nothing(free), _said(name)
    return made.replace(co_consts=tuple(said if const == "" else const for const in made.co_consts))


@functools.cache
def refusing_nothing(free: int) -> types.CodeType:
    """The same without a text; to compile it takes longer than all else here."""
    names = ", ".join(f"v{i}" for i in range(free))
    held = f"    {names} = {', '.join(['0'] * free)}\n" if free else ""
    used = f"        ({names})\n" if free else ""
    text = f"def outer():\n{held}    def refuse(*args, **kwargs):\n{used}        raise RuntimeError('')\n"
    outer = next(c for c in compile(text, "torch", "exec").co_consts if isinstance(c, types.CodeType))
    return next(c for c in outer.co_consts if isinstance(c, types.CodeType))


def _emptying(calls: Sequence[str], get_code: Callable[..., Any]) -> Callable[..., Any]:
    """What gets the code of a module; of one of torch with what is forbidden emptied."""

    def emptied(self: SourceFileLoader, fullname: str) -> Any:
        code = get_code(self, fullname)
        if code is not None and code.co_filename.startswith(_TORCH) and any(_forbidden(calls, code)):
            with contextlib.suppress(OSError):  # no source: it is refused as a whole
                tree: Any = _empty_in(calls, ast.parse(self.get_data(code.co_filename)))
                return compile(tree, code.co_filename, "exec", dont_inherit=True)
        return code

    return emptied


def _empty_in(calls: Sequence[str], node: ast.AST, prefix: str = "") -> ast.AST:
    """Gives each function that is forbidden another body, at the top of a module and in its classes."""
    for inside in ast.iter_child_nodes(node):
        name = f"{prefix}{getattr(inside, 'name', '')}"
        if isinstance(inside, ast.ClassDef):
            _empty_in(calls, inside, f"{name}.")
        elif not isinstance(inside, ast.FunctionDef):
            _empty_in(calls, inside, prefix)  # one may stand below an `if`
        elif forbids(calls, name):
            inside.body = ast.parse(f"raise RuntimeError({_said(name)!r})").body
    return node


def _said(name: str) -> str:
    return f"{name.lstrip('_')} is not allowed here"


def _refused_here() -> None:
    raise RuntimeError("")


def _watching(calls: Sequence[str]) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook, which nothing can remove: a module of torch is not run with what is forbidden in it."""

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "exec" and isinstance(args[0], types.CodeType) and args[0].co_filename.startswith(_TORCH):
            for name in _forbidden(calls, args[0]):
                raise RuntimeError(_said(name))

    return hook


def _forbidden(calls: Sequence[str], code: types.CodeType, prefix: str = "") -> Iterator[str]:
    """The qualified names of forbidden functions that running this code defines, at its top and in its classes."""
    bare = _refused_here.__code__
    for inside in code.co_consts:
        if isinstance(inside, types.CodeType):
            name = f"{prefix}{inside.co_name}"
            if inside.co_flags & 2 == 0:  # no CO_NEWLOCALS: the body of a class
                yield from _forbidden(calls, inside, f"{name}.")
            elif forbids(calls, name) and (inside.co_code, inside.co_names) != (bare.co_code, bare.co_names):
                yield name
