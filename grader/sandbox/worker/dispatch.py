"""Watches operators one by one while a call runs: their names and sizes; and the pretended device, a GPU's rules."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from grader import pytree

ELSEWHERE = torch.device("meta")
MOST_OPERATORS = 10_000
"""So many operators of one call the pretended device follows, half a second; a loop over all entries runs more."""


class NotFollowed(Exception):
    """The pretended device cannot follow this operation, or so many."""


class WrongDevice(RuntimeError):
    """Two tensors of one operation are on different devices; a GPU would refuse it."""


def unseen(error: RuntimeError) -> bool:
    """Return True if a mode caused the error: under one, torch cannot make some subclasses of Tensor.

    One of these is `causal_lower_right`.
    """
    return "already associated to a python object" in str(error)


class LightDispatchMode(TorchDispatchMode):  # type: ignore[no-untyped-call] # torch's has no types
    """A dispatch mode that does not pull in the compiler: `torch._dynamo` would take a second to import."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # as above

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise NotImplementedError


@dataclasses.dataclass
class OperatorTrace:
    """The functions and operators that ran, and how many entries the largest tensor has that an operator made."""

    names: set[str] = dataclasses.field(default_factory=set)
    largest: int = 0


class _Operators(LightDispatchMode):  # type: ignore[no-untyped-call] # as above
    def __init__(self, seen: OperatorTrace) -> None:
        super().__init__()
        self._seen = seen

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        seen = self._seen
        seen.names.add(func.overloadpacket.__name__)
        result = func(*args, **kwargs) if kwargs else func(*args)
        for tensor in (result,) if isinstance(result, torch.Tensor) else pytree.tensors(result):
            if (entries := tensor.numel()) > seen.largest:
                stored = tensor.untyped_storage().nbytes() // tensor.element_size()  # an expanded one holds fewer
                seen.largest = max(seen.largest, min(entries, stored))
        return result


class _Functions(TorchFunctionMode):
    def __init__(self, seen: OperatorTrace) -> None:
        super().__init__()
        self._seen = seen

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self._seen.names.add(str(getattr(func, "__name__", "")))
        return func(*args, **(kwargs or {}))


@contextlib.contextmanager
def trace() -> Iterator[OperatorTrace]:
    """Record all torch functions and operators that run inside, however they were reached."""
    seen = OperatorTrace()
    with _Functions(seen), _Operators(seen):
        yield seen


class Elsewhere(torch.Tensor):
    """A tensor that says it is on another device (`meta`) and keeps its values in a CPU tensor, `on_cpu`.

    Python kernels for real meta tensors would import sympy and the compiler (a second), and could not follow code
    that looks at values.
    """

    on_cpu: torch.Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment] # as torch's docs say

    @staticmethod
    def __new__(cls, inner: torch.Tensor) -> Elsewhere:
        if inner.is_conj() or inner.is_neg():  # marks that the wrapper does not have, so that torch would not see them
            inner = inner.resolve_conj().resolve_neg()
        if torch.is_inference_mode_enabled():  # where it could not be a view of one that was made outside of that mode
            with torch.inference_mode(False):
                return cls(inner)
        wrapper: Elsewhere = torch.Tensor._make_wrapper_subclass(
            cls, inner.size(), strides=inner.stride(), storage_offset=inner.storage_offset(), dtype=inner.dtype,
            device=ELSEWHERE,
        )  # fmt: skip
        wrapper.on_cpu = inner
        return wrapper

    @classmethod
    def __torch_dispatch__(  # type: ignore[override] # torch declares it without `func`
        cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return operate(func, args, kwargs or {})

    def tolist(self) -> Any:
        return self.on_cpu.tolist()

    def numpy(self, *_args: Any, **_kwargs: Any) -> Any:
        raise TypeError("a tensor on a GPU has no .numpy(); copying it to the CPU first would be slow, use torch")

    __array__ = numpy


class OtherDevice(LightDispatchMode):  # type: ignore[no-untyped-call] # as above
    """The rules of a GPU: tensors made without `device=` are on the CPU, and do not mix with those that are not."""

    def __init__(self) -> None:
        super().__init__()
        self._followed = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self._followed += 1
        if self._followed > MOST_OPERATORS:
            raise NotFollowed(f"more than {MOST_OPERATORS} operators")
        return operate(func, args, kwargs or {})


class _FromValues(TorchFunctionMode):
    """Tensors made from Python values on the other device; torch would make them without the values, unseen."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in _INDEXED and isinstance(args[0], Elsewhere):
            return func(args[0], _indices(args[1]), *args[2:], **kwargs)
        if func is torch.Tensor.new_tensor and isinstance(args[0], Elsewhere):
            kwargs = {"dtype": args[0].dtype, "device": ELSEWHERE, **kwargs}
            func, args = torch.tensor, args[1:]
        if func not in _MAKING or isinstance((*args, None)[0], torch.Tensor):
            return func(*args, **kwargs)
        wanted = kwargs.get("device")
        on_cpu = {name: unwrap(value) for name, value in kwargs.items() if name != "device"}
        made = func(*pytree.mapped(unwrap, args), **on_cpu)
        return Elsewhere(made) if wanted is not None and torch.device(wanted) == ELSEWHERE else made


_INDEXED = frozenset((torch.Tensor.__getitem__, torch.Tensor.__setitem__))
_MAKING = frozenset((torch.tensor, torch.as_tensor, torch.asarray))


def _indices(index: Any) -> Any:
    """Return an index with its lists as tensors on the other device, as torch makes them, but with their values."""
    if isinstance(index, tuple):
        return tuple(map(_indices, index))
    return Elsewhere(torch.tensor(index)) if isinstance(index, list) and _numbers(index) else index


def _numbers(items: list[Any]) -> bool:
    return all(_numbers(i) if isinstance(i, list) else isinstance(i, int) for i in items)


@contextlib.contextmanager
def other_device() -> Iterator[None]:
    """Run under the rules of a GPU."""
    with _FromValues(), OtherDevice():
        yield


CROSSES = frozenset(("_to_copy", "copy_", "index", "index_put_", "index_put", "_index_put_impl_", "lift_fresh"))


def operate(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Run one operator under a GPU's rules: one device an operation, except copies, indices and CPU scalars."""
    name, places = func.overloadpacket.__name__, set[bool]()
    inside = [_inside(arg, places) for arg in args]
    named = {key: _inside(arg, places) for key, arg in kwargs.items()}
    if len(places) > 1 and name not in CROSSES:
        raise WrongDevice(f"{name}: one tensor is on the device of the inputs, another on the CPU")
    wanted = kwargs.get("device")
    if wanted is not None:
        named["device"] = torch.device("cpu")
        away = torch.device(wanted) == ELSEWHERE
    else:
        away = isinstance(args[0], Elsewhere) if name in CROSSES else True in places
    result = func(*inside, **named)
    if name.endswith("_") and inside and result is inside[0]:
        if args[0].shape != result.shape:
            raise NotFollowed(name)
        return args[0]
    return pytree.mapped(move, result) if away else result


def _inside(value: Any, places: set[bool]) -> Any:
    """Return the value with CPU tensors in place of pretended ones; add to `places` whether there are any of each."""
    if isinstance(value, Elsewhere):
        places.add(True)
        return value.on_cpu
    if isinstance(value, torch.Tensor) and value.dim():
        places.add(False)
    return [_inside(item, places) for item in value] if isinstance(value, list | tuple) else value


def unwrap(value: Any) -> Any:
    """Return the CPU tensor inside a pretended one; any other value unchanged."""
    return value.on_cpu if isinstance(value, Elsewhere) else value


def move(value: Any) -> Any:
    """Return a tensor on the pretended device, the CPU device as that device; any other value unchanged."""
    if isinstance(value, torch.Tensor):
        return Elsewhere(value)
    return ELSEWHERE if isinstance(value, torch.device) else value
