"""Turns values into frames and back: arrays, numbers, strings, lists, tuples, dicts; never pickle.

An array travels as a `TensorForm` or an `ArrayForm` and the span of memory that it addresses in the payload. Decoding
trusts nothing: a form that does not describe memory inside the payload raises `BadValue`.
"""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from grader import arrays, parts
from grader.arrays import Numpy, Tensor, torch
from grader.sandbox.processes.values import (
    MAX_ITEMS,
    WHOLE,
    ArrayForm,
    BadValue,
    ComplexForm,
    DeviceForm,
    DictForm,
    DtypeForm,
    FunctionForm,
    GeneratorForm,
    ListForm,
    OpaqueForm,
    PartsForm,
    TensorForm,
    TupleForm,
    Value,
    array_size,
    check_layout,
    keys_once,
)

if TYPE_CHECKING or torch is not None:
    from grader.sandbox.worker.dispatch import Elsewhere

_COMMON = (
    "float16", "float32", "float64", "complex64", "complex128", "bool", "uint8", "int8", "int16", "int32", "int64",
)  # fmt: skip
DTYPES = {name: getattr(torch, name) for name in (*_COMMON, "bfloat16")} if torch is not None else {}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
_TIMES = tuple(f"{kind}[{unit}]" for kind in ("datetime64", "timedelta64") for unit in arrays.UNITS)
OF_NUMPY = {name: np.dtype(name) for name in (*_COMMON, "uint16", "uint32", "uint64", *_TIMES)}
DEVICES = ("cpu", "cuda", "meta")
PLAIN = frozenset((str, int, float, bool, type(None)))
MAX_DEPTH = 16
MAX_TYPE = 200  # characters of a type's name
_MEMMOVE, _EMPTY = ctypes.memmove, torch.empty_strided if torch is not None else None  # before a file replaces them
Turned = Callable[[Any], Any]
EXPANSION = 16  # entries of an expanded tensor per entry stored; beyond it the copy is sent


@dataclasses.dataclass(frozen=True)
class Opaque:
    """A stand-in for a value that cannot be sent, named by its type. A tuple would pass for a result of one part."""

    type: str


class Encoder:
    """Collects the tensors of one frame, each at a multiple of `aligned`, of `cap` bytes at most, after `size` bytes of
    another's. `other` gives the form of a value that is no data, if it has one.
    """

    def __init__(self, cap: int | None = None, size: int = 0, aligned: int = 1, other: Turned | None = None) -> None:
        self._cap, self._other = cap, other
        self.parts: list[bytes] = []
        self.opaque: list[str] = []
        self._size, self._aligned, self._items = size, aligned, 0

    def encode(self, value: Any, depth: int = 0) -> Value:
        """Return the form in which `value` is sent; tensors go to `parts`, types that cannot be sent to `opaque`.

        Raises:
            BadValue: nested deeper than MAX_DEPTH or holding more than MAX_ITEMS values.
        """
        form = self._form(value, depth)
        if isinstance(form, OpaqueForm):
            self.opaque.append(form.type)
        return form

    def _form(self, value: Any, depth: int) -> Value:
        self._items += 1
        if depth > MAX_DEPTH:
            raise BadValue(f"nested deeper than {MAX_DEPTH} levels")
        if self._items > MAX_ITEMS:
            raise BadValue(f"more than {MAX_ITEMS} values")
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, np.ndarray | np.generic):
            return self._numpy(value, depth)
        if parts.KINDS and (name := parts.kind(value)):
            return self._apart(name, value, depth)
        if parts.KINDS and (moment := parts.plain(value)) is not None:
            return self._numpy(moment, depth)
        if value is None or type(value) in (bool, float):
            return value  # type: ignore[no-any-return] # one of these types
        if type(value) is str:
            return value.encode("utf-8", "replace").decode()  # no lone surrogates
        if type(value) is int:
            return value if abs(value) < WHOLE else OpaqueForm("int of over 64 bits")
        if isinstance(value, list):
            return ListForm([self.encode(v, depth + 1) for v in value])
        if isinstance(value, tuple):
            return TupleForm([self.encode(v, depth + 1) for v in value])
        if isinstance(value, dict) and all(type(k) in (str, int) for k in value):
            return DictForm(keys_once([(_key(k), self.encode(v, depth + 1)) for k, v in value.items()]))
        if isinstance(value, dict):
            return OpaqueForm("dict with keys that are neither texts nor whole numbers")
        if type(value) is complex:
            return ComplexForm(value.real, value.imag)
        if torch is not None and isinstance(value, torch.dtype):
            return DtypeForm(NAMES[value]) if value in NAMES else _opaque(str(value))
        if torch is not None and isinstance(value, torch.device):
            return DeviceForm(value.type) if value.type in DEVICES else _opaque(f"torch.device of {value.type}")  # type: ignore[arg-type]
        return (self._other and self._other(value)) or _opaque(f"{type(value).__module__}.{type(value).__qualname__}")

    def _apart(self, name: str, value: Any, depth: int) -> PartsForm | OpaqueForm:
        try:
            return PartsForm(name, self.encode(parts.apart(value), depth + 1))
        except parts.NoParts as why:
            return _opaque(f"{name}: {why}")

    def _numpy(self, value: Any, depth: int) -> Value:
        """Encode an array; one without dimensions and a scalar as a number; a structured one by its fields."""
        plain = np.asarray(value)
        if plain.dtype.names:
            return DictForm([(name, self.encode(plain[name], depth + 1)) for name in plain.dtype.names])
        plain = plain.astype(plain.dtype.newbyteorder("="), copy=False)
        if plain.dtype.kind == "U" and plain.shape:
            return PartsForm(parts.TEXTS, self.encode(parts.of_texts(plain), depth + 1))
        if plain.dtype.kind != "U" and plain.dtype not in OF_NUMPY.values():
            return _opaque(f"numpy.ndarray of dtype {plain.dtype}")
        if not plain.shape and plain.dtype.kind not in "mM":
            return self.encode(plain.item(), depth + 1)
        span, strides = arrays.window(plain, EXPANSION)
        check_layout(plain.shape, strides)
        self._room_for(span.nbytes)
        at = self._append(span.tobytes())
        return ArrayForm(plain.dtype.name, list(plain.shape), strides, at, span.nbytes)

    def _room_for(self, size: int) -> None:
        if self._cap is not None and self._size + size > self._cap:
            raise BadValue(f"larger than {self._cap >> 20} MB")

    def _append(self, content: bytes) -> int:
        """Append the bytes; return their place in the payload."""
        gap = bytes(-self._size % self._aligned)
        at = self._size + len(gap)
        self.parts += [gap, content] if gap else [content]
        self._size = at + len(content)
        return at

    def _tensor(self, value: Tensor) -> TensorForm | OpaqueForm:
        name = NAMES.get(value.dtype)
        if name is None or value.layout is not torch.strided or value.is_quantized:
            return _opaque(f"torch.Tensor of {value.dtype}, {value.layout}")
        shape, grad = list(value.shape), value.requires_grad
        check_layout(shape, value.stride())
        device = "cpu" if type(value) is Tensor and value.is_cpu else value.device.type
        if isinstance(value, Elsewhere):
            value = value.on_cpu
        elif value.is_meta:
            return TensorForm(name, shape, [], 0, 0, "meta", grad)
        flat, strides = arrays.storage(value, EXPANSION)
        size = flat.nbytes
        self._room_for(size)
        at = self._append(ctypes.string_at(flat.data_ptr(), size) if size else b"")
        return TensorForm(name, shape, strides, at, size, device, grad)  # type: ignore[arg-type] # as above


def _opaque(name: str) -> OpaqueForm:
    return OpaqueForm(name.encode("utf-8", "replace").decode()[:MAX_TYPE])


def decode(form: Value, payload: bytearray | memoryview, in_place: bool = False, made: Turned | None = None) -> Any:
    """Return the value of `form` and `payload`. Its tensors get CPU (or meta) memory of their own; with `in_place`, for
    what the grader wrote, they use the payload. `made` gives the value for a form of a function or a generator.

    Raises:
        BadValue: for anything that `Encoder` would not have written.
    """
    return form if type(form) in PLAIN else _Decoder(payload, in_place, made).decode(form, 0)


class _Decoder:
    """Decodes one value; `left` bytes of the payload are not taken yet, so its tensors cannot outgrow it.

    It stops at the first item that is too many, before it builds anything from it.
    """

    def __init__(self, payload: bytearray | memoryview, in_place: bool, made: Turned | None) -> None:
        self._payload, self._in_place, self._made = payload, in_place, made
        self._left, self._items = len(payload), 0
        self._first = ctypes.c_char.from_buffer(payload) if payload else ctypes.c_char()  # keeps it where it is
        self._address = ctypes.addressof(self._first)

    def decode(self, form: Value, depth: int) -> Any:
        self._items += 1
        if self._items > MAX_ITEMS:
            raise BadValue(f"more than {MAX_ITEMS} values")
        if type(form) in PLAIN:
            return form
        if depth > MAX_DEPTH:
            raise BadValue(f"nested deeper than {MAX_DEPTH} levels")
        match form:
            case TensorForm():
                return self._tensor(form)
            case ArrayForm():
                return self._array(form)
            case ComplexForm(real, imaginary):
                return complex(real, imaginary)
            case ListForm(items):
                return [self.decode(item, depth + 1) for item in items]
            case TupleForm(items):
                return tuple(self.decode(item, depth + 1) for item in items)
            case DictForm(items):
                return {key: self.decode(value, depth + 1) for key, value in keys_once(items)}
            case DtypeForm(name):
                return _dtype(name)
            case DeviceForm(name):
                return torch.device(name)
            case OpaqueForm(type=name):
                return Opaque(name[:MAX_TYPE])
            case FunctionForm() | GeneratorForm() if self._made or isinstance(form, GeneratorForm):
                return self._made(form) if self._made else form
            case PartsForm(kind, tree):
                return parts.together(kind, self.decode(tree, depth + 1))
        raise BadValue("a value of no known kind")

    def _array(self, form: ArrayForm) -> Numpy:
        if form.dtype not in OF_NUMPY:
            raise BadValue(f"no dtype {form.dtype[:40]!r}")
        dtype, size = OF_NUMPY[form.dtype], array_size(form.shape)
        span = self._take(form, size, dtype.itemsize)
        if not size:
            return np.empty(form.shape, dtype)
        flat = np.frombuffer(self._payload, dtype, span, form.at)
        if not self._in_place:  # booleans are 0 or 1: other bytes are undefined
            flat = flat.view(np.uint8) != 0 if form.dtype == "bool" else flat.copy()
        return np.lib.stride_tricks.as_strided(flat, form.shape, [s * dtype.itemsize for s in form.strides])

    def _take(self, form: TensorForm | ArrayForm, size: int, itemsize: int) -> int:
        """Return how many entries in a row an array of `size` addresses; they are known to lie in the payload."""
        if len(form.strides) != len(form.shape):
            raise BadValue("not a stride for each dimension")
        span = 1 if size else 0
        for n, s in zip(form.shape, form.strides, strict=True) if size else ():
            span += (n - 1) * s
        self._left -= form.bytes
        if form.at + form.bytes > len(self._payload) or self._left < 0 or span * itemsize > form.bytes:
            raise BadValue("a tensor outside its payload")
        if size * itemsize > EXPANSION * max(form.bytes, 1):
            raise BadValue("a tensor expanded too far")
        return span

    def _tensor(self, form: TensorForm) -> Tensor:
        dtype, shape, strides = _dtype(form.dtype), form.shape, form.strides
        numel = array_size(shape)
        if form.device == "meta" and not form.bytes and not (strides and not numel):  # one that has no values
            return torch.empty(shape, dtype=dtype, device="meta").requires_grad_(_differentiable(form, dtype))
        span = self._take(form, numel, dtype.itemsize)
        grad = _differentiable(form, dtype)
        if not numel:
            return torch.empty(shape, dtype=dtype).requires_grad_(grad)
        start, size = form.at, span * dtype.itemsize
        if self._in_place:
            found = torch.frombuffer(self._payload, dtype=dtype, count=span, offset=start).as_strided(shape, strides)
        elif dtype is torch.bool and bytes(self._payload[start : start + size]).strip(b"\0\1"):
            true = torch.frombuffer(self._payload, dtype=torch.uint8, count=span, offset=start) != 0
            found = true.as_strided(shape, strides)
        else:
            found = _EMPTY(shape, strides, dtype=dtype, device="cpu")
            _MEMMOVE(found.data_ptr(), self._address + start, size)
        return found.requires_grad_() if grad else found


def _dtype(name: str) -> torch.dtype:
    if name not in DTYPES:
        raise BadValue(f"no dtype {name[:40]!r}")
    found: torch.dtype = DTYPES[name]
    return found


def _differentiable(form: TensorForm, dtype: torch.dtype) -> bool:
    if form.grad and not (dtype.is_floating_point or dtype.is_complex):
        raise BadValue(f"a gradient of {form.dtype}")
    return form.grad


def _key(key: str | int) -> str | int:
    if isinstance(key, int) and abs(key) >= WHOLE:
        raise BadValue("a key of over 64 bits")
    return key.encode("utf-8", "replace").decode() if isinstance(key, str) else key
