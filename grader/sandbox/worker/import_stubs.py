"""Replaces in a worker what draws, displays or waits for a person.

Plots have no viewer here, and their packages need fonts, caches and a writable home: every call of theirs does nothing.
A debugger or `input()` gets no answer here either: they raise `NoTerminal`. `torch.set_num_threads(8)` does nothing,
since threads that wait for work cannot be told from ones that hide it. `torch.compile` and its like return the function
that they were given: a worker can start no compiler.
"""

from __future__ import annotations

import builtins
import functools
import importlib.abc
import importlib.machinery
import pdb
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from grader.arrays import torch

DEBUGGERS = ("ipdb", "pudb", "web_pdb", "debugpy")
PACKAGES = ("matplotlib", "seaborn", "plotly", "IPython", "ipywidgets")


class NoTerminal(Exception):
    """A function that waits for a person was called: its name, and whose file called it."""


def install(name: str) -> None:
    """Let imports of these packages find the stand-ins, and define the names that a notebook offers without an import.

    Args:
        name: of the student's file.
    """
    _FILE[0] = name
    sys.meta_path.insert(0, _FINDER)
    vars(builtins).update(_BUILTINS)
    sys.breakpointhook = _BREAKPOINT
    vars(pdb).update(_PDB)
    if torch is not None:
        vars(torch).update(_THREADS, compile=_uncompiled)
        vars(torch.jit).update(script=functools.partial(_script, torch.jit.script), trace=_uncompiled)
        setattr(torch.nn.Module, "compile", _uncompiled)  # noqa: B010 - another form, for mypy


def _refused(call: str) -> Callable[..., Any]:
    def refuse(*args: object, **kwargs: object) -> None:
        raise NoTerminal(f"{call} {_FILE[0]}")

    return refuse


def _uncompiled(function: Any = None, *_args: object, **options: object) -> Any:
    """Return the function as it is written, whether this decorates it, with options or without, or is called."""
    given = function if function is not None else options.get("model", options.get("obj", options.get("func")))
    return given if given is not None else _uncompiled


def _script(compiled: Callable[..., Any], function: Any = None, *args: object, **options: object) -> Any:
    """Act as `_uncompiled` does; but torch compiles functions of its own when its forward mode is first used."""
    of_torch = str(getattr(function, "__module__", "")).partition(".")[0] == "torch"
    return (compiled if of_torch else _uncompiled)(function, *args, **options)


class _Debugger(types.ModuleType):
    """A debugger whose every function is refused."""

    def __getattr__(self, call: str) -> Any:
        if call.startswith("__"):
            raise AttributeError(call)
        return _refused(f"{self.__name__}.{call}()")


class Nothing:
    """An object whose every attribute is itself. Two of it can be unpacked, as from `plt.subplots()`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self

    def __getitem__(self, key: Any) -> Any:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        return iter((self, self))

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        pass


class _Package(types.ModuleType):
    __path__: list[str] = []  # noqa: RUF012 - a module's attribute, which makes it a package

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return (lambda: None) if name == "get_ipython" else Nothing()


class _StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in (*PACKAGES, *DEBUGGERS):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return (_Debugger if spec.name in DEBUGGERS else _Package)(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Do nothing: there is nothing to run."""


# Made before the fork, since each worker needs them.
_FILE = [""]
_FINDER = _StubFinder()
_BUILTINS: dict[str, Any] = {"get_ipython": Nothing(), "display": Nothing(), "input": _refused("input()")}
_BREAKPOINT = _refused("breakpoint()")
_PDB = {call: _refused(f"pdb.{call}()") for call in ("set_trace", "post_mortem", "pm", "run", "runcall", "runeval")}
_THREADS: dict[str, Any] = {call: lambda *_count: None for call in ("set_num_threads", "set_num_interop_threads")}
