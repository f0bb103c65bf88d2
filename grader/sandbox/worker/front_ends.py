"""Keeps torch's private names and its front ends to torch itself: any other code that reaches for them is refused.

A module of torch sees who asks it for a name. If that is not torch, another package, or this one, it refuses its
private names, and a front end refuses everything. Functions that run programs in C, past the dispatcher and its
refusals, always refuse: torch needs them for its front ends alone.
"""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
import types
from collections.abc import Callable
from typing import Any

import grader
from grader.arrays import torch
from grader.sandbox.worker.refusals import FRONT_ENDS, Undo, beyond, is_own, put, refusal, words

_PACKAGES = tuple(
    os.path.dirname(os.path.abspath(file)) + os.sep
    for file in (grader.__path__[0] + os.sep, os.path.dirname(torch.__file__) if torch is not None else os.devnull)
)
_STANDARD = (sysconfig.get_path("stdlib") + os.sep, "<")  # and what is made of a text
_OPERATORS = "torch.ops"
_C = "torch._C"  # of which torch asks for operators by name; they are withheld where they run, and programs too
_C_ASKS = (
    "torch._awaits", "torch._dynamo", "torch._jit_internal", "torch._library", "torch._opaque_base",
    "torch._mkldnn", "torch._subclasses", "torch._tensor", "torch._utils", "torch.fx", "torch.library",
    "torch.utils._device",
)  # fmt: skip
"""Modules that torch's code in C asks as if the student did."""
_RUN = frozenset(
    ("aoti", "compilation", "create", "ir", "jit", "lazy", "lite", "mobile", "nativert", "runner", "script", "static")
) | {"te", "trace"}
"""Words of what runs programs in C."""
_USES = ("__init__", "__call__")
_TELL = frozenset(("get", "is", "schema", "schemas"))


class Guards:
    """Keeps torch's private names to torch; records in `called` what other code reached for."""

    def __init__(self, called: set[str], undo: Undo | None) -> None:
        self._called, self._undo = called, undo
        self._kinds: dict[tuple[type, bool], type] = {}

    def close(self) -> None:
        """Guard all loaded modules of torch, and let the functions that run programs in C refuse."""
        for holder, name in programs():
            stand_in = _refusing(f"{holder.__name__}.{name}", self._called)
            if isinstance(holder, type):
                put(holder, name, stand_in, self._undo)
                continue
            if self._undo is not None:
                self._undo.append(functools.partial(setattr, holder, name, vars(holder)[name]))
            vars(holder)[name] = stand_in
        for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
            self.guard(name)

    def guard(self, name: str) -> None:
        """Let a module of torch refuse private names to other code; a private module and a front end, all names."""
        module: Any = sys.modules.get(name)
        kind, closed = type(module), name == _OPERATORS or beyond(f"{name}.all")
        if not issubclass(kind, types.ModuleType) or kind in self._kinds.values():
            return
        if (kind, closed) not in self._kinds:
            self._kinds[kind, closed] = _guarded(kind, closed, self._called)
        object.__setattr__(module, "__class__", self._kinds[kind, closed])  # some let nobody set anything
        if self._undo is not None:
            self._undo.append(functools.partial(object.__setattr__, module, "__class__", kind))


@functools.cache
def programs() -> list[tuple[Any, str]]:
    """Return what runs programs in C: the functions, as a module and a name, and the methods, as a class and a name."""
    found: list[tuple[Any, str]] = []
    for place in [place for place in sys.modules if place.startswith("torch._C")]:
        for name, value in vars(sys.modules[place]).items():
            known = words(f"{place.rpartition('.')[2]} {name}")
            if not known & _RUN or known & _TELL or is_own(name) or not callable(value):
                continue
            if isinstance(value, type):
                found += [(value, k) for k, v in vars(value).items() if callable(v) and (k in _USES or not is_own(k))]
            else:
                found.append((sys.modules[place], name))
    return found


def _refusing(name: str, called: set[str]) -> Callable[..., Any]:
    """Return the stand-in for a function that runs programs. A module of torch that imports it is not blamed."""
    refuse, unseen = refusal(name, called), refusal(name, set())
    return lambda *_args, **_kwargs: unseen() if _imports(sys._getframe(1)) else refuse()


def _guarded(kind: type, closed: bool, called: set[str]) -> type:
    """Return a kind of module that looks at who asks for a name."""
    get: Callable[[Any, str], Any] = vars(kind).get("__getattribute__", types.ModuleType.__getattribute__)

    def getattribute(self: Any, name: str) -> Any:
        if (name.startswith("_") or closed) and (name == "__dict__" or not is_own(name)):
            asks, place = sys._getframe(1), get(self, "__name__")
            if name == "__dict__" and not _of_the_import(asks) and not _of_a_package(asks):
                return {n: value for n, value in get(self, name).items() if not _kept(place, n, value, closed)}
            if name != "__dict__" and _kept(place, name, get(self, name), closed) and not _of_a_package(asks):
                refusal(f"{place}.{name}", called)()
        return get(self, name)

    return type(kind.__name__, (kind,), {"__getattribute__": getattribute})


def _kept(place: str, name: str, value: Any, closed: bool) -> bool:
    """Return True if torch keeps to itself what a module holds under this name."""
    if place == _OPERATORS:
        return name in FRONT_ENDS
    if not beyond(f"{place}.{name}") or f"{place}.{name}".startswith(_C_ASKS):
        return False
    return isinstance(value, types.ModuleType) or (closed and not place.startswith(_C))


def _of_a_package(frame: types.FrameType | None) -> bool:
    """Return True if a package's code asks, not a student's; the standard library asks for its caller."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_PACKAGES):
            return True
        if not file.startswith(_STANDARD):
            return False
        frame = frame.f_back
    return False


def _imports(frame: types.FrameType | None) -> bool:
    """Return True if code of a package runs because it is imported."""
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGES):
        frame = frame.f_back
    return frame is not None and _of_the_import(frame)


def _of_the_import(frame: types.FrameType) -> bool:
    return frame.f_code.co_filename.startswith("<frozen importlib")
