"""The forms in which values cross: what they hold, and what they refuse before any of it is computed with."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from grader.sandbox.processes.values import (
    LONGEST,
    WHOLE,
    DeviceForm,
    DictForm,
    DtypeForm,
    ListForm,
    OpaqueForm,
    TensorForm,
    TupleForm,
    Value,
)

DECODE = msgspec.msgpack.Decoder(Value).decode
FORMS = [
    None, True, False, 0, 1 - WHOLE, WHOLE - 1, 0.5, float("inf"), "", "双语",
    TensorForm("float32", [2, 3], [3, 1], 8, 24, "cpu", True), TensorForm("int64", [], [], 0, 8, "cuda", False),
    ListForm([1, None, ListForm([])]), TupleForm([TupleForm([]), "a"]), DictForm([("a", 1), (2, ListForm([]))]),
    DtypeForm("bfloat16"), DeviceForm("meta"), OpaqueForm("builtins.set"),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=repr)
def test_a_form_crosses_as_it_is(form):
    crossed = DECODE(msgspec.msgpack.encode(form))
    assert crossed == form
    assert type(crossed) is type(form)


def tensor(**changes: Any) -> list[Any]:
    """A right description of a float32 [2, 3] as it crosses, with changes."""
    right = {
        "dtype": "float32",
        "shape": [2, 3],
        "strides": [3, 1],
        "at": 0,
        "bytes": 24,
        "device": "cpu",
        "grad": False,
    }
    return ["tensor", *{**right, **changes}.values()]


def test_the_unchanged_description_is_taken():
    assert DECODE(msgspec.msgpack.encode(tensor())) == TensorForm("float32", [2, 3], [3, 1], 0, 24, "cpu", False)


REFUSED = {
    "negative shape": tensor(shape=[-2, 3]),
    "negative strides": tensor(strides=[-3, 1]),
    "before the payload": tensor(at=-4),
    "shape over 48 bits": tensor(shape=[LONGEST]),
    "offset over 48 bits": tensor(at=LONGEST),
    "NaN length": tensor(at=float("nan")),
    "float length": tensor(bytes=24.5),
    "bool length": tensor(at=False),
    "bool in the shape": tensor(shape=[True, 3]),
    "text in the shape": tensor(shape=["2", 3]),
    "shape that is a text": tensor(shape="23"),
    "shape that is null": tensor(shape=None),
    "dtype that is a list": tensor(dtype=["float32"]),
    "unknown device": tensor(device="xla"),
    "device with a number": tensor(device="cuda:7"),
    "17 dimensions": tensor(shape=[1] * 17, strides=[1] * 17),
    "gradient that is a number": tensor(grad=1),
    "too few fields": tensor()[:-1],
    "no tag": [],
    "a tag that is null": [None],
    "an unknown tag": ["code", "1"],
    "a tuple of nothing": ["tuple"],
    "a tuple of a number": ["tuple", 3],
    "a key without a value": ["dict", [["a"]]],
    "a key that is a float": ["dict", [[1.5, 2]]],
    "a key that is a list": ["dict", [[["a"], 2]]],
    "a key beyond 64 bits": ["dict", [[1 << 63, 2]]],
    "a map": {"a": 1},
    "bytes": b"bytes",
    "a number beyond 64 bits": 1 << 63,
    "a device with a number": ["device", "cuda:7"],
    "an opaque value without a name": ["opaque"],
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_form_is_refused(case):
    with pytest.raises(msgspec.ValidationError):
        DECODE(msgspec.msgpack.encode(REFUSED[case]))


def test_lists_nested_without_end_are_refused():
    with pytest.raises((RecursionError, msgspec.MsgspecError)):
        DECODE(b"\x92\xa4list\x91" * 100_000)
