"""What a name stands for where an exercise forbids some: a forbidden call, or a part of torch that nobody teaches."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

FRONT_ENDS = frozenset(("ao", "export", "fx", "jit", "library", "onnx", "ops", "package", "quantization"))
"""Modules of torch that write operators down, or compile, export and interpret what was: more doors to all of them."""
COMPILERS = ("torch.compile", "torch.jit.script", "torch.jit.trace")
"""What gives back the function that it is given, in a worker, see `stand_ins`."""
REFUSED = re.compile(r"(\w[\w.]*) is not allowed here")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_FILLS = "torch.nn.init."  # which only fills weights with numbers


def forbids(calls: Iterable[str], name: str) -> str | None:
    """The first of `calls` ("torch.nn.functional.softmax") whose words a name ("_softmax", "Softmax.forward") holds."""
    held = words(name)
    return next((call for call, named in of_calls(tuple(calls)) if named <= held), None)


@functools.cache
def of_calls(calls: tuple[str, ...]) -> list[tuple[str, frozenset[str]]]:
    """Each call with the words by which it is known."""
    return [(call, words(call.rpartition(".")[2]) - {"forward"}) for call in calls]


@functools.lru_cache(1 << 15)  # torch has about 15,000 names
def words(name: str) -> frozenset[str]:
    """The words of a name, small."""
    return frozenset(map(str.lower, _WORD.findall(name)))


def is_own(name: str) -> bool:
    """Whether a name is one of Python's own, as `__init__`."""
    return name.startswith("__") and name.endswith("__")


def beyond(name: str) -> bool:
    """Whether a name, "torch._C._te" with all that it is found in, is private to torch or of a front end."""
    root, *parts = name.split(".")
    if root != "torch" or not parts or name.startswith(_FILLS) or name in COMPILERS:
        return False
    private = any(part.startswith("_") and not is_own(part) for part in parts)
    asks = parts[-1].startswith("is_")  # it answers yes or no, as `is_scripting`
    return private or (parts[0] in FRONT_ENDS and len(parts) > 1 and not asks)
