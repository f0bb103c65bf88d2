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


class NotFollowed(Exception):
    """The pretended device cannot follow this operation."""


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
        with torch.inference_mode(False):  # else it could not be a view of one that was made outside of that mode
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

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return operate(func, args, kwargs or {})


class _FromValues(TorchFunctionMode):
    """Tensors made from Python values on the other device; torch would make them without the values, unseen."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if func in _INDEXED and isinstance(args[0], Elsewhere):
            args = (args[0], _indices(args[1]), *args[2:])
        if func is torch.Tensor.new_tensor and isinstance(args[0], Elsewhere):
            kwargs = {"dtype": args[0].dtype, "device": ELSEWHERE, **kwargs}
            func, args = torch.tensor, args[1:]
        if func not in (torch.tensor, torch.as_tensor, torch.asarray) or isinstance((*args, None)[0], torch.Tensor):
            return func(*args, **kwargs)
        wanted = kwargs.pop("device", None)
        made = func(*pytree.mapped(unwrap, args), **pytree.mapped(unwrap, kwargs))
        return Elsewhere(made) if wanted is not None and torch.device(wanted) == ELSEWHERE else made


_INDEXED = (torch.Tensor.__getitem__, torch.Tensor.__setitem__)


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


CROSSES = ("_to_copy", "copy_", "index", "index_put_", "index_put", "_index_put_impl_", "lift_fresh")


def operate(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Run one operator under a GPU's rules: one device an operation, except copies, indices and CPU scalars."""
    name = func.overloadpacket.__name__
    tensors = pytree.tensors((args, kwargs))
    places = {isinstance(t, Elsewhere) for t in tensors if t.dim() or isinstance(t, Elsewhere)}
    if len(places) > 1 and name not in CROSSES:
        raise WrongDevice(f"{name}: one tensor is on the device of the inputs, another on the CPU")
    wanted = kwargs.get("device")
    if wanted is not None:
        kwargs = {**kwargs, "device": torch.device("cpu")}
        away = torch.device(wanted) == ELSEWHERE
    else:
        away = isinstance(args[0], Elsewhere) if name in CROSSES else True in places
    result = func(*pytree.mapped(unwrap, args), **pytree.mapped(unwrap, kwargs))
    if name.endswith("_") and tensors and result is unwrap(tensors[0]):
        if tensors[0].shape != result.shape:
            raise NotFollowed(name)
        return tensors[0]
    return pytree.mapped(lambda t: Elsewhere(t) if isinstance(t, torch.Tensor) else t, result) if away else result


def unwrap(value: Any) -> Any:
    """Return the CPU tensor inside a pretended one; any other value unchanged."""
    return value.on_cpu if isinstance(value, Elsewhere) else value


def move(value: Any) -> Any:
    """Return a tensor on the pretended device, the CPU device as that device; any other value unchanged."""
    if isinstance(value, torch.Tensor):
        return Elsewhere(value)
    return ELSEWHERE if isinstance(value, torch.device) else value
