"""Operators that an exercise forbids, taken out of torch in a worker: for every thread and under every mode.

A mode sees only the thread that entered it, and code can switch modes off. The dispatcher's table is the whole
process's: what is replaced there answers every caller. It is still the student's own process, where nothing is beyond
reach of code that is determined enough; see docs/threat-model.md.
"""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

_BACKENDS = ("CPU", "MkldnnCPU", "SparseCPU", "NestedTensorCPU")
_kept: list[torch.library.Library] = []  # what it registered is undone when it is freed


def forbids(calls: Iterable[str], operator: str) -> str | None:
    """The first of `calls` ("torch.nn.functional.softmax") whose words the operator's name ("_softmax") holds."""
    words = set(re.split(r"[_.]", operator))
    return next((c for c in calls if set(c.rpartition(".")[2].split("_")) <= words), None)


@functools.cache
def places(calls: tuple[str, ...]) -> list[tuple[str, str]]:
    """Where the dispatcher keeps the operators that `calls` name: (operator, dispatch key) pairs."""
    found = []
    backends, composites = list(_BACKENDS), ["AutogradCPU", "CPU"]
    if torch.cuda.is_available():
        backends, composites = [*backends, "CUDA"], [*composites, "AutogradCUDA", "CUDA"]
    for name in sorted(torch._C._dispatch_get_all_op_names()):
        library, _, operator = name.partition("::")
        if library != "aten" or "backward" in operator or not forbids(calls, operator):
            continue
        has = functools.partial(torch._C._dispatch_has_kernel_for_dispatch_key, name)
        found += [(operator, key) for key in backends if has(key)]
        if has("CompositeImplicitAutograd"):  # made of others; called with gradients, and in inference mode
            found += [(operator, key) for key in composites]
    return found


def withhold(where: Sequence[tuple[str, str]], called: set[str]) -> None:
    """Replace these operators, for good, by a refusal that notes the name in `called`."""
    if not where:
        return
    library = torch.library.Library("aten", "IMPL")  # type: ignore[no-untyped-call] # torch's has no types
    _kept.append(library)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it overrides
        for operator, key in where:
            refuse = _refusal(operator.partition(".")[0], called)
            library.impl(operator, refuse, key)  # type: ignore[no-untyped-call] # as above


def _refusal(operator: str, called: set[str]) -> Callable[..., Any]:
    def refuse(*_args: Any, **_kwargs: Any) -> Any:
        called.add(operator)
        raise RuntimeError(f"{operator} is not allowed here")

    return refuse
