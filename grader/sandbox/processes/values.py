"""The forms in which values are sent between processes: plain data, no class of Python's, no code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from grader.errors import BadValue as BadValue

WHOLE = 1 << 63  # whole numbers that cross are smaller than this, either way from 0
LONGEST = 1 << 48  # a dimension, a stride, a place in the payload
MOST_DIMENSIONS = 16
MOST_ELEMENTS = 1 << 48
MAX_ITEMS = 10_000  # values in a value, those inside others too
Whole = Annotated[int, Meta(ge=1 - WHOLE, le=WHOLE - 1)]
Length = Annotated[int, Meta(ge=0, lt=LONGEST)]
Withheld = tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]
"""What forbidden calls stand for: operators as (name, dispatch key), functions of torch as (module, qualified name)."""


class Message(msgspec.Struct, frozen=True, tag=True, tag_field="!", array_like=True):
    """One message of a conversation; it is sent as its class name and its fields."""


class ArrayForm(Message, frozen=True, tag="array"):
    """An array whose entries are in the payload: `bytes` of them from `at` on, with strides in entries."""

    dtype: str
    shape: Annotated[list[Length], Meta(max_length=MOST_DIMENSIONS)]
    strides: Annotated[list[Length], Meta(max_length=MOST_DIMENSIONS)]
    at: Length
    bytes: Length


class TensorForm(ArrayForm, frozen=True, tag="tensor"):
    """A tensor of torch's."""

    device: Literal["cpu", "cuda", "meta"]
    grad: bool


class ComplexForm(Message, frozen=True, tag="complex"):
    real: float
    imaginary: float


class ListForm(Message, frozen=True, tag="list"):
    items: Annotated[list[Value], Meta(max_length=MAX_ITEMS)]


class TupleForm(Message, frozen=True, tag="tuple"):
    items: Annotated[list[Value], Meta(max_length=MAX_ITEMS)]


class DictForm(Message, frozen=True, tag="dict"):
    items: Annotated[list[tuple[str | Whole, Value]], Meta(max_length=MAX_ITEMS)]


class PartsForm(Message, frozen=True, tag="parts"):
    """An array of texts, or a value of pandas or scipy, and the tree that stands for it, see `grader.parts`."""

    kind: str
    tree: Value


class DtypeForm(Message, frozen=True, tag="dtype"):
    name: str


class DeviceForm(Message, frozen=True, tag="device"):
    name: Literal["cpu", "cuda", "meta"]


class OpaqueForm(Message, frozen=True, tag="opaque"):
    """A value that cannot be sent, named by its type."""

    type: str


class GeneratorForm(Message, frozen=True, tag="generator"):
    """A generator of random numbers in its state: numpy's, with the name of its bit generator, or torch's."""

    kind: Literal["numpy", "torch"]
    name: Annotated[str, Meta(pattern="^[A-Za-z0-9]{1,40}$")]
    state: Annotated[str, Meta(max_length=1 << 16)]

    def __repr__(self) -> str:
        return f"Generator({self.name})"


class FunctionForm(Message, frozen=True, tag="function"):
    """A function that is computed on the other side, or an object that has such methods; one without a name is its
    call.

    methods: each with its parameters (name, kind as `inspect` counts them, True if it has a default), if these are
    known.
    number: of the function among those that a call is given.
    """

    number: int
    name: str
    methods: tuple[tuple[str, tuple[tuple[str, int, bool], ...] | None], ...]


Value = (
    None
    | bool
    | Whole
    | float
    | str
    | TensorForm
    | ArrayForm
    | ComplexForm
    | ListForm
    | TupleForm
    | DictForm
    | PartsForm
    | DtypeForm
    | DeviceForm
    | OpaqueForm
    | GeneratorForm
    | FunctionForm
)


def arrays_in(form: Value) -> list[ArrayForm]:
    """Return the arrays of a value, in order."""
    if isinstance(form, ArrayForm):
        return [form]
    if isinstance(form, ListForm | TupleForm):
        return [array for item in form.items for array in arrays_in(item)]
    return [array for _, item in form.items for array in arrays_in(item)] if isinstance(form, DictForm) else []


def tensor_devices(form: Value) -> list[str]:
    """Return the device that each array of an encoded value claims to be on, in order."""
    return [array.device if isinstance(array, TensorForm) else "cpu" for array in arrays_in(form)]


def keys_once(items: list[tuple[str | int, Value]]) -> list[tuple[str | int, Value]]:
    """Check that the keys of items differ: else tensors and their devices would not pair off."""
    if len({key for key, _ in items}) != len(items):
        raise BadValue("a key that is there twice")
    return items


def check_layout(shape: Sequence[int], strides: Sequence[int]) -> None:
    """Raise BadValue for an array that no form describes."""
    if len(shape) > MOST_DIMENSIONS:
        raise BadValue(f"more than {MOST_DIMENSIONS} dimensions")
    array_size(shape)
    if max(strides, default=0) >= LONGEST:
        raise BadValue("strides that are too large")


def array_size(shape: Sequence[int]) -> int:
    """Return how many entries an array of this shape has."""
    size = math.prod(shape)
    if (size or math.prod(n or 1 for n in shape)) >= MOST_ELEMENTS:  # beside a 0 too: strides are products
        raise BadValue("a tensor that is too large")
    return size
