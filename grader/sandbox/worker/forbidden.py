"""Takes what an exercise forbids out of torch and numpy in a worker: for every thread, by whatever way.

Functions of numpy are replaced by refusals in the modules that hold them. For torch there is more to take out.

Operators are replaced in the dispatcher's table, which is the whole process's: a mode would see only the thread that
entered it. Where backward passes are forbidden, no operator records a graph for one. Functions and methods of torch
written in Python get another body; every reference to them keeps it. The replaced code is kept nowhere. It is still the
student's own process, where nothing is beyond reach of code that is determined enough; see docs/threat-model.md.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from grader import packages
from grader.arrays import torch
from grader.sandbox.processes.values import Withheld
from grader.sandbox.worker.front_ends import Guards
from grader.sandbox.worker.refusals import FUNCTION, Undo, empty, forbids, of_calls, put, refusal, watch_imports

_BACKENDS = (
    "CPU", "QuantizedCPU", "MkldnnCPU", "SparseCPU", "SparseCsrCPU", "NestedTensorCPU", "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
)  # fmt: skip
_ENGINE = "run_backward"  # of autograd's engine
_ATEN = "aten::"
_METHOD = type(str.join)
_OPERATORS = ("TensorBase", "_VariableFunctionsClass")  # whose methods are operators


@functools.cache
def withheld(calls: tuple[str, ...]) -> Withheld:
    """Return the operators and functions that `calls` name."""
    return (tuple(_operators(calls)), tuple(_functions(calls))) if torch is not None else ((), ())


def _operators(calls: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the places of the operators in the dispatcher."""
    backends, composites = list(_BACKENDS), ["AutogradCPU", "CPU"]
    if torch.cuda.is_available():
        backends, composites = [*backends, "CUDA"], [*composites, "AutogradCUDA", "CUDA"]
    for operator in _mentioning(calls, _of_dispatcher()):
        if not forbids(calls, operator):
            continue
        has = functools.partial(torch._C._dispatch_has_kernel_for_dispatch_key, _qualified(operator))
        yield from ((operator, key) for key in backends if has(key))
        if has("CompositeImplicitAutograd"):  # made of others; called with gradients, and in inference mode
            yield from ((operator, key) for key in composites)


def _functions(calls: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the functions and methods that torch has in Python, and methods in C that are no operators."""
    for line in _mentioning(calls, _of_torch()):
        module, _, name = line.partition(":")
        if forbids(calls, name):
            yield module, name


def _mentioning(calls: tuple[str, ...], text: str) -> list[str]:
    """Return the lines that hold the longest word of one of the calls: looking at each of 15,000 takes much longer."""
    small, starts = _small(text), set[int]()
    for word in {max(named, key=len, default="") for _, named in of_calls(calls)}:
        at = small.find(word)
        while at >= 0:
            starts.add(text.rfind("\n", 0, at) + 1)
            at = small.find(word, at + 1)
    return [text[start : text.find("\n", start)] for start in sorted(starts)]


@functools.lru_cache(2)
def _small(text: str) -> str:
    return text.lower()


@functools.cache
def _of_dispatcher() -> str:
    """Return the operators, one per line; with the library if that is not aten."""
    return "".join(f"{name.removeprefix(_ATEN)}\n" for name in sorted(torch._C._dispatch_get_all_op_names()))


def _qualified(operator: str) -> str:
    return operator if "::" in operator else f"{_ATEN}{operator}"


@functools.cache
def _of_torch() -> str:
    """Return the text that `_functions` searches: a line `module:name` each."""
    found = []
    for place, module in list(sys.modules.items()):
        if place.partition(".")[0] != "torch" or type(module) is not types.ModuleType:
            continue
        for name, value in list(vars(module).items()):
            if type(value) is FUNCTION and value.__module__ == place:
                found.append(f"{place}:{name}")
            elif issubclass(type(value), type) and value.__module__ == place and name not in _OPERATORS:
                held = vars(value).items()
                found += [f"{place}:{name}.{key}" for key, v in list(held) if _function(v) or type(v) is _METHOD]
    return "\n".join([*found, ""])


def _function(held: Any) -> types.FunctionType | None:
    """Return the function that a module or a class holds, also a static or class method."""
    held = getattr(held, "__func__", held)
    return held if type(held) is FUNCTION else None


def withhold(where: Withheld, calls: Sequence[str], called: set[str], undo: Undo | None = None) -> None:
    """Replace the findings of `withheld` by refusals, which record in `called` each attempt to call them.

    This is permanent, unless the worker is to run another file, see `reset`: then `undo` gets the way to take it back.
    """
    _withhold_numpy(calls, called, undo)
    operators, functions = where
    for module, name in functions:
        _withhold_function(module, name, calls, called, undo)
    if operators:
        _replace(operators, called, undo)
    if torch is None or not any(call.startswith("torch.") for call in calls):
        return
    if forbids(calls, _ENGINE):
        _record_no_graphs(undo)
    guards = Guards(called, undo)
    guards.close()
    watch_imports(calls, called, guards.guard, undo)


def _withhold_function(module: str, name: str, calls: Sequence[str], called: set[str], undo: Undo | None) -> None:
    holder: Any = sys.modules.get(module)
    *outer, last = name.split(".")
    for part in outer:
        holder = vars(holder).get(part) if holder else None
    if not holder or last not in vars(holder):
        return
    if function := _function(vars(holder)[last]):
        own = function.__qualname__  # a class may hold another's: torch.HalfTensor that of torch.Tensor
        empty(function, own if "<" not in own and forbids(calls, own) else name, called, undo)
    elif isinstance(holder, type):
        put(holder, last, refusal(last.lstrip("_"), called), undo)


def _withhold_numpy(calls: Sequence[str], called: set[str], undo: Undo | None) -> None:
    """Replace each named function of numpy, pandas or scipy by a refusal, wherever the library keeps it."""
    for call in (c for c in calls if c.partition(".")[0] in ("numpy", *packages.asked())):
        module, _, name = call.rpartition(".")
        function = vars(importlib.import_module(module)).get(name)
        places = [m for n, m in list(sys.modules.items()) if m and f"{n}.".startswith(call[: call.index(".") + 1])]
        for place in places if function is not None else ():
            for held in [n for n, value in list(vars(place).items()) if value is function]:
                setattr(place, held, refusal(name, called))
                if undo is not None:
                    undo.append(functools.partial(setattr, place, held, function))


def _replace(operators: Iterable[tuple[str, str]], called: set[str], undo: Undo | None) -> None:
    for library in dict.fromkeys(_qualified(operator).partition("::")[0] for operator, _ in operators):
        named = [(_qualified(operator), key) for operator, key in operators]
        of_it = [(name.removeprefix(f"{library}::"), key) for name, key in named if name.startswith(f"{library}::")]
        kernels = [(name, key, refusal(name.partition(".")[0], called)) for name, key in of_it]
        _implement(library, kernels, undo)


def _record_no_graphs(undo: Undo | None) -> None:
    """Let no operator record how it is differentiated, backward or forward: there is no graph to walk."""
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    names = (name for name in torch._C._dispatch_get_all_op_names() if name.startswith(_ATEN) and has(name, "Autograd"))
    passing = torch.library.fallthrough_kernel
    _implement("aten", [(name.removeprefix(_ATEN), "Autograd", passing) for name in names], undo)


def _implement(library: str, kernels: Iterable[tuple[str, str, Callable[..., Any]]], undo: Undo | None) -> None:
    table = torch._C._dispatch_library("IMPL", library, "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it overrides
        for operator, key, kernel in kernels:
            table.impl(operator, key, kernel)
    if undo is not None:
        undo.append(table.reset)
        return
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(table))  # once it is freed, all is as before: nobody has it to free
