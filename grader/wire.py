"""Values to frames and back: tensors, numbers, strings, lists, tuples, dicts; never pickle.

A tensor travels as `{"!": "tensor", dtype, shape, strides, at, bytes, device, grad}` and its storage span in the
payload. Decoding trusts nothing: whatever does not describe memory inside the payload raises `BadValue`.
"""

from __future__ import annotations

import ctypes
import dataclasses
import math
from typing import Any

import torch

DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128,
        torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
    )
}  # fmt: skip
NAMES = {dtype: name for name, dtype in DTYPES.items()}
PLAIN = frozenset((str, int, float, bool, type(None)))
MAX_DEPTH = 16
MAX_ITEMS = 10_000
MAX_NDIM = 16
MOST_ELEMENTS = 1 << 48
LONGEST = 1 << 48  # a dimension, a stride, a place in the payload
MOST_WHOLE = 1 << 63  # a whole number that is to become a float must not overflow
EXPANSION = 16  # entries of an expanded tensor per entry stored; beyond it the copy is sent


class BadValue(Exception):
    """A value that cannot or may not cross; the message says why."""


@dataclasses.dataclass(frozen=True)
class Opaque:
    """Stands for a value that does not cross, named by its type. A tuple would pass for a result of one part."""

    type: str


class Encoder:
    """Collects the tensors of one frame, of `cap` bytes at most."""

    def __init__(self, cap: int | None = None) -> None:
        self._cap = cap
        self.parts: list[bytes] = []
        self._size = 0
        self._items = 0

    def encode(self, value: Any, depth: int = 0) -> Any:
        """The JSON form of `value`; tensors are appended to `parts`.

        Raises:
            BadValue: nested deeper than MAX_DEPTH or holding more than MAX_ITEMS values.
        """
        self._items += 1
        if depth > MAX_DEPTH:
            raise BadValue(f"nested deeper than {MAX_DEPTH} levels")
        if self._items > MAX_ITEMS:
            raise BadValue(f"more than {MAX_ITEMS} values")
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if value is None or type(value) in (bool, str):
            return value
        if type(value) is int:
            return value if abs(value) < MOST_WHOLE else {"!": "opaque", "type": "int of over 64 bits"}
        if type(value) is float:
            return value if math.isfinite(value) else {"!": "float", "value": repr(value)}
        if isinstance(value, list):
            return [self.encode(v, depth + 1) for v in value]
        if isinstance(value, tuple):
            return {"!": "tuple", "items": [self.encode(v, depth + 1) for v in value]}
        if isinstance(value, dict) and all(type(k) in (str, int) for k in value):
            return {"!": "dict", "items": [[k, self.encode(v, depth + 1)] for k, v in value.items()]}
        if isinstance(value, dict):
            return {"!": "opaque", "type": "dict with keys that are neither texts nor whole numbers"}
        if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () and hasattr(value, "item"):
            return self.encode(value.item(), depth + 1)
        if isinstance(value, torch.dtype):
            return {"!": "dtype", "name": str(value).removeprefix("torch.")}
        if isinstance(value, torch.device):
            return {"!": "device", "name": str(value)}
        return {"!": "opaque", "type": f"{type(value).__module__}.{type(value).__qualname__}"[:200]}

    def _tensor(self, value: torch.Tensor) -> Any:
        name = NAMES.get(value.dtype)
        if name is None or value.layout is not torch.strided or value.is_quantized:
            return {"!": "opaque", "type": f"torch.Tensor of {value.dtype}, {value.layout}"}
        spec: dict[str, Any] = {"!": "tensor", "dtype": name, "shape": list(value.shape), "device": value.device.type}
        spec["grad"] = value.requires_grad
        if value.is_meta:
            return {**spec, "strides": [], "at": 0, "bytes": 0}
        flat, strides = _storage_span(value)
        size = flat.nbytes
        if self._cap is not None and self._size + size > self._cap:
            raise BadValue(f"larger than {self._cap >> 20} MB")
        spec["strides"], spec["at"], spec["bytes"] = strides, self._size, size
        self.parts.append(ctypes.string_at(flat.data_ptr(), size) if size else b"")
        self._size += size
        return spec


def _storage_span(value: torch.Tensor) -> tuple[torch.Tensor, list[int]]:
    """The elements that `value` may address, in order, as a CPU tensor without gaps, and the strides into it."""
    resolved = type(value) is torch.Tensor and value.is_cpu and not (value.is_conj() or value.is_neg())
    if resolved and value.is_contiguous():
        return value, list(value.stride())
    plain = value.detach()
    if type(plain) is not torch.Tensor:
        plain = plain.as_subclass(torch.Tensor)
    if not plain.is_cpu or plain.is_conj() or plain.is_neg():
        plain = plain.cpu().resolve_conj().resolve_neg()
    numel, span = plain.numel(), 1
    for n, s in zip(plain.shape, plain.stride(), strict=True):
        span += (n - 1) * s
    if numel == 0 or span > 4 * numel or numel > EXPANSION * span:
        plain, span = plain.contiguous(), numel
    return plain.as_strided((span,), (1,)), list(plain.stride())


def tensor_devices(tree: Any) -> list[str]:
    """The device that each tensor of an encoded value claims to live on, in order."""
    if isinstance(tree, dict):
        if tree.get("!") == "tensor":
            return [str(tree.get("device"))[:20]]
        tree = tree.get("items") if tree.get("!") in ("tuple", "dict") else None
    return [name for item in tree for name in tensor_devices(item)] if isinstance(tree, list) else []


def decode(tree: Any, payload: bytearray) -> Any:
    """The value that `tree` and `payload` describe, with tensors in CPU (or meta) memory of their own.

    Raises:
        BadValue: for anything that `Encoder` would not have written.
    """
    return _Decoder(payload).decode(tree, 0)


class _Decoder:
    """Decodes one value; `left` bytes of the payload are not taken yet, so its tensors cannot outgrow it."""

    def __init__(self, payload: bytearray) -> None:
        self._payload = payload
        self._left = len(payload)

    def decode(self, tree: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise BadValue(f"nested deeper than {MAX_DEPTH} levels")
        kind = type(tree)
        if kind is list:
            return [self.decode(item, depth + 1) for item in tree]
        if kind is int and abs(tree) >= MOST_WHOLE:
            raise BadValue("a whole number of over 64 bits")
        if kind in PLAIN:
            return tree
        if kind is not dict:
            raise BadValue("not a value")
        try:
            return self._marked(tree, depth)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RuntimeError) as error:
            raise BadValue(f"a malformed value ({type(error).__name__})") from error

    def _marked(self, tree: dict[str, Any], depth: int) -> Any:
        match tree["!"]:
            case "tensor":
                return self._tensor(tree)
            case "tuple":
                return tuple(self.decode(list(tree["items"]), depth + 1))
            case "dict":
                found = {_key(key): self.decode(value, depth + 1) for key, value in tree["items"]}
                if len(found) != len(tree["items"]):  # else its tensors and their devices would not pair off
                    raise BadValue("a key that is there twice")
                return found
            case "float":
                return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}[tree["value"]]
            case "dtype":
                return DTYPES[tree["name"]]
            case "device":
                return torch.device({"cpu": "cpu", "meta": "meta", "cuda": "cuda"}[tree["name"]])
            case "opaque":
                return Opaque(str(tree["type"])[:200])
        raise BadValue("a value of no known kind")

    def _tensor(self, tree: dict[str, Any]) -> torch.Tensor:
        dtype = DTYPES[tree["dtype"]]
        if len(tree["shape"]) > MAX_NDIM:  # before anything is computed from it
            raise BadValue(f"a tensor of {len(tree['shape'])} dimensions")
        shape, strides = tree["shape"], tree["strides"]
        numel = volume = 1
        for n in shape:
            numel *= _length(n)
            volume *= n or 1
        if tree["device"] not in ("cpu", "cuda", "meta"):
            raise BadValue("a tensor on no known device")
        if volume >= MOST_ELEMENTS:  # beside a 0 too: strides are products
            raise BadValue("a tensor that is too large")
        if tree["device"] == "meta":
            return torch.empty(shape, dtype=dtype, device="meta").requires_grad_(tree["grad"] is True)
        start, size = _length(tree["at"]), _length(tree["bytes"])
        span = 1
        for n, s in zip(shape, strides, strict=True):
            span += (n - 1) * _length(s)
        span = span if numel else 0
        self._left -= size
        if start + size > len(self._payload) or self._left < 0 or span * dtype.itemsize > size:
            raise BadValue("a tensor outside its payload")
        if numel * dtype.itemsize > EXPANSION * max(size, 1):
            raise BadValue("a tensor expanded too far")
        if not numel:
            return torch.empty(shape, dtype=dtype).requires_grad_(tree["grad"] is True)
        if dtype is torch.bool:  # 0 or 1: what torch does with other bytes is undefined
            flat = torch.frombuffer(self._payload, dtype=torch.uint8, count=span, offset=start) != 0
        else:
            flat = torch.frombuffer(self._payload, dtype=dtype, count=span, offset=start).clone()
        found = flat.as_strided(shape, strides)
        return found.requires_grad_() if tree["grad"] is True else found


def _key(value: Any) -> str | int:
    if type(value) is not str and (type(value) is not int or abs(value) >= MOST_WHOLE):
        raise BadValue("a key that is neither text nor number")
    key: str | int = value
    return key


def _length(value: Any) -> int:
    if type(value) is not int or not 0 <= value < LONGEST:
        raise BadValue("a length that is no length")
    return value
