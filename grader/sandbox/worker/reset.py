"""Resets a worker for a student's next file, where a worker for each file would cost too much.

On a GPU each process needs a context, which takes a second. So one worker runs all files of a submission there, and
what one did to Python and torch is put back before the next. Changes that cannot be put back are found, and such a
worker is not used again. All this runs beside the student's code and can be undone by it, but only at the cost of the
student's own next file.
"""

from __future__ import annotations

import builtins
import gc
import linecache
import math
import os
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader import parts
from grader.arrays import torch

_CALLED = (types.FunctionType, types.BuiltinFunctionType, type, types.ModuleType)
_MISSING = object()


class InitialState:
    """A worker's state before the first file; `undo` holds further changes to take back before the next."""

    def __init__(self, device: str) -> None:
        self._device = device
        if device == "cuda":
            warm()
        self._modules = dict(sys.modules)
        self._held = [(vars(m), dict(vars(m))) for m in self._modules.values() if type(m) is types.ModuleType]
        self._classes = [(c, dict(vars(c))) for c in _classes()]
        self._settings = [*_settings()]
        for setting in self._settings:
            next(setting)
        self._threads = threading.active_count()
        self.undo: list[Callable[[], object]] = []

    def put_back(self) -> bool:
        """Take back what the last file did; return True if the worker is as it was."""
        while self.undo:  # what was replaced last is taken back first
            self.undo.pop()()
        self._put_back_modules()
        for owner, kept in self._classes:
            for name in vars(owner).keys() - kept.keys():
                delattr(owner, name)
            for name in [n for n, value in kept.items() if vars(owner).get(n, _MISSING) is not value]:
                setattr(owner, name, kept[name])
        for setting in self._settings:
            next(setting)
        linecache.clearcache()
        gc.collect()
        if self._device == "cuda":
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
        left_open = torch is not None and _replaced() - _REPLACED  # operators of torch that a file replaced
        return threading.active_count() == self._threads and not left_open

    def _put_back_modules(self) -> None:
        """Restore modules under their names, except those without a source, and the functions in them."""
        for name, module in [*sys.modules.items()]:
            if name in self._modules:
                sys.modules[name] = self._modules[name]
            elif getattr(module, "__spec__", None) is None:
                del sys.modules[name]
        for name in self._modules.keys() - sys.modules.keys():
            sys.modules[name] = self._modules[name]
        whole = [vars(builtins), vars(math)]
        for now, kept in self._held:
            exact = any(now is one for one in whole)
            for name, value in kept.items():
                if now.get(name, _MISSING) is not value and (exact or isinstance(value, _CALLED)):
                    now[name] = value
            for name in [n for n in now if exact and n not in kept]:
                del now[name]


def warm() -> None:
    """Load the driver, make the context and the libraries' handles; no student pays for these seconds. TF32 is off."""
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    x = torch.ones(8, 8, device="cuda", requires_grad=True)
    torch.autograd.grad((x @ x).exp().sum(), x)
    torch.cuda.synchronize()


def _classes() -> list[type]:
    """Return the classes of torch and pandas whose methods a file may replace."""
    found: set[type] = {parts.pd.DataFrame, parts.pd.Series, parts.pd.Index} if parts.pd else set()
    if torch is None:
        return [*found]
    places = [m for name, m in [*sys.modules.items()] if name.startswith("torch.nn.") and m is not None]
    found |= {v for m in places for v in vars(m).values() if isinstance(v, type) and v.__module__.startswith("torch")}
    written = {c for c in found if c.__flags__ & (1 << 9)}  # Python's own classes; others let nobody change them
    return [torch.Tensor, torch.autograd.Function, *sorted(written - {torch.Tensor}, key=lambda c: c.__qualname__)]


def _settings() -> Iterator[Iterator[None]]:
    """Yield a generator for each setting of the process, which saves it and puts it back when it goes on."""
    if torch is not None:
        yield from (_of_modes(), _of_torch(), _of_kernels())  # a mode sees, and may refuse, whatever is done after
    yield from (_of_python(), _of_numpy())


def _of_python() -> Iterator[None]:
    limit, environment, path, found = sys.getrecursionlimit(), dict(os.environ), [*sys.path], [*sys.meta_path]
    names = ("stdin", "stdout", "stderr", "excepthook", "displayhook", "breakpointhook")
    held, shown = {name: getattr(sys, name) for name in names}, [*warnings.filters]
    while True:
        yield
        sys.setrecursionlimit(limit)
        sys.settrace(None)
        sys.setprofile(None)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:], sys.meta_path[:] = path, found
        for name, value in held.items():
            setattr(sys, name, value)
        warnings.filters[:] = shown  # type: ignore[index] # a list, whatever its stub says
        gc.enable()


def _of_numpy() -> Iterator[None]:
    errors, printed = np.geterr(), np.get_printoptions()
    while True:
        yield
        np.seterr(**errors)
        np.set_printoptions(**printed)


def _of_torch() -> Iterator[None]:
    dtype, threads = torch.get_default_dtype(), torch.get_num_threads()
    shown: Any = torch.set_printoptions
    while True:
        yield
        torch.set_default_dtype(dtype)
        torch.set_default_device(None)
        torch.set_num_threads(threads)
        torch.set_grad_enabled(True)
        torch.set_anomaly_enabled(False)
        torch.set_flush_denormal(False)
        torch._C._set_deterministic_algorithms(False, warn_only=False)  # without the compiler, which it would import
        shown(profile="default")
        for kind in ("cpu", "cuda"):
            torch.set_autocast_enabled(kind, False)
        for name, hooks in vars(torch.nn.modules.module).items():
            if name.startswith("_global_") and isinstance(hooks, dict):
                hooks.clear()


def _of_kernels() -> Iterator[None]:
    """Save and restore TF32 and the choice of kernels, which decide how exact a product is."""
    places = {
        torch.backends.cuda.matmul: ("allow_tf32", "allow_fp16_reduced_precision_reduction"),
        torch.backends.cudnn: ("allow_tf32", "benchmark", "deterministic", "enabled"),
    }
    held = [(place, name, getattr(place, name)) for place, names in places.items() for name in names]
    cuda, chosen = torch.backends.cuda, ("flash", "mem_efficient", "math", "cudnn")
    sdp = [(getattr(cuda, f"enable_{name}_sdp"), getattr(cuda, f"{name}_sdp_enabled")()) for name in chosen]
    while True:
        yield
        for place, name, value in held:
            setattr(place, name, value)
        for enable, was in sdp:
            enable(was)


def _of_modes() -> Iterator[None]:
    """Save and restore modes that a file entered and never left."""
    functions: Any = torch.overrides
    operators: Any = torch.utils._python_dispatch
    while True:
        yield
        while functions._get_current_function_mode_stack():
            functions._pop_mode()
        while operators._get_current_dispatch_mode_stack():
            operators._pop_mode()


def _replaced() -> set[str]:
    return {name for name in torch.library._impls if name.startswith("aten/")}


_REPLACED = _replaced() if torch is not None else set()
