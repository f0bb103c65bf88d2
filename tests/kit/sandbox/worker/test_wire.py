"""Values survive the crossing; whatever a hostile sender writes either decodes within bounds or raises BadValue."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.sandbox.processes import ArrayForm, BadValue, DictForm, ListForm, TensorForm, Value, tensor_devices
from grader.sandbox.worker import wire
from grader.sandbox.worker.wire import Encoder, Opaque


def received(form: Any) -> Value:
    """What arrives of a form, or of what a hostile sender writes in its place. Raises msgspec.ValidationError."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(form), type=Value)


def encode(value):
    """The form and the payload, as they would cross."""
    encoder = Encoder()
    form = encoder.encode(value)
    return received(form), bytearray(b"".join(encoder.parts))


def crossed(value):
    return wire.decode(*encode(value))


def same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Same form and same bits, NaN included."""
    if (a.dtype, a.shape, a.requires_grad) != (b.dtype, b.shape, b.requires_grad):
        return False
    return torch.equal(*(t.detach().resolve_conj().contiguous().view(-1).view(torch.uint8) for t in (a, b)))


def tensor_of(dtype: torch.dtype) -> torch.Tensor:
    values = torch.tensor([[0.0, 1, -2, 3], [100, 7, 0, 5]], dtype=torch.float64)
    return values.abs().to(dtype) if dtype is torch.uint8 else values.to(dtype)


@pytest.mark.parametrize("name", wire.DTYPES)
def test_every_dtype(name):
    x = tensor_of(wire.DTYPES[name])
    assert same(crossed(x), x)


LAYOUTS = {
    "contiguous": lambda x: x,
    "transposed": lambda x: x.T,
    "sliced": lambda x: x[:, ::2],
    "a column": lambda x: x[:, 1],
    "expanded": lambda x: x[:, :1].expand(2, 9),
    "expanded far": lambda x: x[:1, :1].expand(500, 500),
    "a corner of a large one": lambda x: torch.zeros(1000, 1000)[::500, ::500],
    "0-dim": lambda x: x[0, 1],
    "empty": lambda x: x[:0],
    "empty inside": lambda x: x[:, :0, None].expand(2, 0, 3),
    "overlapping windows": lambda x: x.flatten().unfold(0, 3, 1),
    "conjugated": lambda x: torch.complex(x, x).conj(),
    "a negative view": lambda x: torch.complex(x, x).conj().imag,
    "with a gradient": lambda x: x.clone().requires_grad_(),
    "computed with a gradient": lambda x: x.clone().requires_grad_() * 2,
    "a parameter": lambda x: torch.nn.Parameter(x.clone()),
    "inf and nan": lambda x: torch.tensor([math.inf, -math.inf, math.nan, -0.0]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout(layout):
    x = LAYOUTS[layout](torch.arange(8.0).reshape(2, 4))
    y = crossed(x)
    assert type(y) is torch.Tensor
    assert y.is_leaf
    assert same(y, x)


@pytest.mark.parametrize("layout", ["transposed", "sliced", "expanded"])
def test_strides_survive(layout):
    x = LAYOUTS[layout](torch.arange(8.0).reshape(2, 4))
    assert crossed(x).stride() == x.stride()


def test_an_expanded_tensor_costs_what_it_stores():
    _, payload = encode(torch.zeros(1).expand(16))
    assert len(payload) == 4


VALUES = [
    None, True, False, 0, -(2**63) + 1, 2**63 - 1, 1.5, -0.0, math.inf, -math.inf, "text", "双语",
    [], (), {}, [1, [2.5, "x"]], (1, (2, None)), {"a": {"b": [1]}}, [(1,), {"c": ()}],
    torch.float16, torch.device("cpu"), torch.device("meta"), torch.device("cuda"),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_plain_values(value):
    got = crossed(value)
    assert got == value
    assert type(got) is type(value)
    assert repr(got) == repr(value)


def test_half_a_character_is_replaced():
    assert crossed(["a\ud800b", {"\udfff": 1}]) == ["a?b", {"?": 1}]


def test_nan():
    assert math.isnan(crossed(math.nan))


def test_tensors_inside_containers():
    a, b = torch.arange(3), torch.ones(2, 2, dtype=torch.float64)
    got = crossed({"first": [a], "second": (b, a)})
    assert same(got["first"][0], a)
    assert same(got["second"][0], b)
    assert same(got["second"][1], a)


def test_meta_tensors_carry_only_their_form():
    tree, payload = encode(torch.empty(10**6, 10**6, device="meta", dtype=torch.float16))
    got = wire.decode(tree, payload)
    assert (got.device.type, got.shape, got.dtype, payload) == ("meta", (10**6, 10**6), torch.float16, bytearray())


class Strange:
    pass


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (Strange(), f"{__name__}.Strange"),
        ({1.5: 2}, "dict with keys that are neither texts nor whole numbers"),
        (2**63, "int of over 64 bits"),
        (torch.eye(2).to_sparse(), "torch.Tensor of torch.float32, torch.sparse_coo"),
        (print, "builtins.builtin_function_or_method"),
    ],
)
def test_what_cannot_cross_is_named(value, name):
    assert crossed(value) == Opaque(name)


def test_a_received_tensor_shares_no_memory():
    tree, payload = encode(torch.zeros(4))
    got = wire.decode(tree, payload)
    payload[:] = b"\xff" * len(payload)
    assert torch.equal(got, torch.zeros(4))


def nested(depth: int) -> list:
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


def test_too_deep_to_send():
    assert crossed(nested(wire.MAX_DEPTH)) == nested(wire.MAX_DEPTH)
    with pytest.raises(BadValue, match="nested deeper than 16 levels"):
        encode(nested(wire.MAX_DEPTH + 1))


def test_a_list_that_holds_itself():
    endless: list = []
    endless.append(endless)
    with pytest.raises(BadValue, match="nested deeper"):
        encode(endless)


def test_too_many_to_send():
    with pytest.raises(BadValue, match="more than 10000 values"):
        encode([0] * wire.MAX_ITEMS)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (torch.zeros([1] * 17), "more than 16 dimensions"),
        (torch.zeros([1] * 17, device="meta"), "more than 16 dimensions"),
        (np.zeros([1] * 17), "more than 16 dimensions"),
        (torch.empty(0, 1 << 50), "a tensor that is too large"),
        (torch.zeros(1).expand(1 << 50), "a tensor that is too large"),
        (torch.empty(1 << 50, device="meta"), "a tensor that is too large"),
        (torch.zeros(1).as_strided((1,), (1 << 60,)), "strides that are too large"),
        ({chr(0xD800): 1, chr(0xDFFF): 2}, "a key that is there twice"),
    ],
    ids=str,
)
def test_what_would_be_refused_is_not_sent(value, why):
    with pytest.raises(BadValue, match=why):
        encode(value)


@pytest.mark.parametrize("value", [torch.float8_e4m3fn, torch.device("xla")], ids=str)
def test_an_unknown_dtype_and_device_go_by_name(value):
    assert isinstance(crossed(value), Opaque)


def test_too_deep_to_receive():
    form: Value = ListForm([])
    for _ in range(wire.MAX_DEPTH + 1):
        form = ListForm([form])
    with pytest.raises(BadValue, match="nested deeper than 16 levels"):
        wire.decode(form, bytearray())


def spec(**changes):
    """A right description of a float32 [2, 3], with changes."""
    return msgspec.structs.replace(TensorForm("float32", [2, 3], [3, 1], 0, 24, "cpu", False), **changes)


def test_the_unchanged_description_is_taken():
    assert wire.decode(spec(), bytearray(24)).shape == (2, 3)


BAD_TENSORS = {  # beside those that are no form at all, see test_values.py
    "after the payload": spec(at=1),
    "far after the payload": spec(at=2**40),
    "larger than the payload": spec(bytes=25),
    "more elements than bytes": spec(shape=[2, 4], strides=[4, 1]),
    "strides past the end": spec(strides=[100, 1]),
    "huge shape": spec(shape=[2**47, 2**47], strides=[0, 0]),
    "expanded far": spec(shape=[10**6, 10**6], strides=[0, 0]),
    "too few strides": spec(strides=[1]),
    "too many strides": spec(strides=[3, 1, 1]),
    "unknown dtype": spec(dtype="qint8"),
    "no dtype": spec(dtype=""),
    "gradient of integers": spec(dtype="int32", grad=True),
    "gradient of integers without memory": spec(dtype="int32", grad=True, device="meta"),
    "meta over 62 bits": spec(device="meta", shape=[2**40, 2**40], strides=[]),
    "empty but huge": spec(shape=[0, 2**47, 2**47], strides=[1, 1, 1]),
}


@pytest.mark.parametrize("case", BAD_TENSORS)
def test_a_tensor_that_is_none(case):
    assert received(BAD_TENSORS[case]) == BAD_TENSORS[case]
    with pytest.raises(BadValue):
        wire.decode(BAD_TENSORS[case], bytearray(24))


def test_one_payload_cannot_be_taken_twice():
    """Else a short header could make the receiver copy one large payload thousands of times."""
    with pytest.raises(BadValue, match="outside its payload"):
        wire.decode(ListForm([spec(), spec()]), bytearray(24))


def test_bytes_that_are_no_bool_become_true():
    got = wire.decode(spec(dtype="bool", shape=[3], strides=[1], bytes=3), bytearray([0, 2, 255]))
    assert got.double().tolist() == [0.0, 1.0, 1.0]


def test_a_key_that_is_there_twice():
    with pytest.raises(BadValue, match="a key that is there twice"):
        wire.decode(DictForm([("a", 1), ("a", 2)]), bytearray())


@pytest.mark.parametrize("value", [object(), b"bytes", 1j, {"a": 1}, [1]], ids=lambda v: type(v).__name__)
def test_what_is_no_form_is_not_taken_for_a_value(value):
    with pytest.raises(BadValue, match="a value of no known kind"):
        wire.decode(value, bytearray())


leaves = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=5)
lengths = st.integers(-3, 30) | st.sampled_from([2**31, 2**47, 2**63, 2**64 - 1]) | leaves
near_tensors = st.tuples(
    st.just("tensor"),
    st.sampled_from([*wire.DTYPES, "float8_e4m3fn"]) | leaves,
    st.lists(lengths, max_size=4) | leaves,
    st.lists(lengths, max_size=4) | leaves,
    lengths,
    lengths,
    st.sampled_from(["cpu", "meta", "cuda"]) | leaves,
    st.booleans() | leaves,
)
small = st.integers(0, 4)
tensors = st.tuples(
    st.just("tensor"),
    st.sampled_from(["float32", "bool", "complex64"]),
    st.lists(small, max_size=3),
    st.lists(small, max_size=3),
    small,
    st.integers(0, 64),
    st.sampled_from(["cpu", "meta"]),
    st.booleans(),
)
kinds = st.sampled_from(["tensor", "list", "tuple", "dict", "dtype", "device", "opaque"]) | leaves
trees = st.recursive(
    leaves | near_tensors | tensors,
    lambda inner: (
        st.tuples(st.sampled_from(["list", "tuple"]), st.lists(inner, max_size=4))
        | st.tuples(st.just("dict"), st.lists(st.tuples(leaves, inner), max_size=3))
        | st.tuples(kinds, inner)
        | st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)


def storage_bytes(value) -> int:
    if isinstance(value, torch.Tensor):
        return 0 if value.device.type == "meta" else value.untyped_storage().nbytes()
    if isinstance(value, Opaque):
        return 0
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
    return sum(map(storage_bytes, items))


@pytest.mark.slow
@settings(max_examples=500)
@given(trees, st.binary(max_size=64))
def test_hostile_values(tree, payload):
    """Whatever comes: a value whose tensors hold no more than the payload did, or it is refused."""
    try:
        form = received(tree)
        value = wire.decode(form, bytearray(payload))
    except (msgspec.ValidationError, BadValue):
        return
    assert storage_bytes(value) <= len(payload)
    assert set(tensor_devices(form)) <= {"cpu", "meta", "cuda"}


python_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=10,
)


@settings(max_examples=200)
@given(python_values)
def test_any_plain_value_survives(value):
    assert crossed(value) == value


def test_devices_are_listed_in_order():
    tree, _ = encode((torch.zeros(1), [torch.zeros(1, device="meta")]))
    assert tensor_devices(tree) == ["cpu", "meta"]


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_a_huge_shape_beside_a_zero_is_refused(device):
    """Its strides are products of the other sizes, more than torch can count."""
    form = spec(dtype="complex64", shape=[1 << 47, 0, 1 << 47], strides=[1, 1, 1], bytes=0, device=device)
    with pytest.raises(BadValue, match="too large"):
        wire.decode(form, bytearray())


NUMBERS = np.array([[0.0, 1, -2, 3], [100, 7, 0, 5]])
OF_NUMPY = {
    **{name: np.abs(NUMBERS).astype(dtype) for name, dtype in wire.OF_NUMPY.items()},
    "transposed": NUMBERS.T,
    "sliced": NUMBERS[:, ::2],
    "reversed": NUMBERS[:, ::-1],
    "broadcast": np.broadcast_to(NUMBERS[:1], (9, 4)),
    "broadcast far": np.broadcast_to(NUMBERS[:1, :1], (500, 500)),
    "of the other byte order": NUMBERS.astype(">f8"),
    "empty": np.zeros((0, 3)),
    "not a number": np.array([np.nan, np.inf]),
    "masked": np.ma.masked_array(NUMBERS, NUMBERS > 50),
}


@pytest.mark.parametrize("name", OF_NUMPY)
def test_arrays_of_numpy(name):
    value = OF_NUMPY[name]
    found = crossed({"a": [value]})["a"][0]
    assert type(found) is np.ndarray
    assert (found.dtype, found.shape) == (value.dtype.newbyteorder("="), value.shape)
    assert np.array_equal(found, np.asarray(value), equal_nan=value.dtype.kind == "f")


def test_the_layout_of_an_array_crosses():
    """A suite can ask for results of arrays that are not contiguous."""
    assert crossed(NUMBERS.T).strides == NUMBERS.T.strides
    assert crossed(np.broadcast_to(NUMBERS[:1], (9, 4))).strides == (0, 8)


@pytest.mark.parametrize(
    ("value", "number"),
    [(np.float32(0.5), 0.5), (np.int64(3), 3), (np.bool_(True), True), (np.array(2.5), 2.5), (np.complex64(1j), 1j)],
)
def test_what_has_no_dimension_is_a_number(value, number):
    found = crossed(value)
    assert (type(found), found) == (type(number), number)


def test_a_structured_array_crosses_by_its_fields():
    rows = np.array([(1.5, 2), (2.5, 3)], dtype=[("x", "f8"), ("n", "i4")])
    found = crossed(rows)
    assert {name: column.tolist() for name, column in found.items()} == {"x": [1.5, 2.5], "n": [2, 3]}


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(np.array([{}, None]), "object"), (np.array([b"a"]), "|S1"), (np.array(["2026-01"], "M8[M]"), "datetime64[M]")],
)
def test_an_array_of_other_things_is_named(value, dtype):
    assert crossed(value) == Opaque(f"numpy.ndarray of dtype {dtype}")


@pytest.mark.parametrize(
    "value",
    [np.array([["a", "bcd"], ["", "é"]]), np.array(["2026-02-27", "NaT"], "M8[D]"), np.array([[1, -5]], "m8[ms]")],
)
def test_texts_and_times_cross(value):
    found = crossed(value)
    assert (found.dtype, found.tolist()) == (value.dtype, value.tolist())


@pytest.mark.parametrize(
    "form",
    [
        ArrayForm("object", [1], [1], 0, 8),
        ArrayForm("float64", [2], [1], 0, 8),
        ArrayForm("float64", [1], [1], 8, 8),
        ArrayForm("float64", [2], [1, 1], 0, 16),
        ArrayForm("float64", [1 << 40, 1 << 40], [0, 0], 0, 8),
        ArrayForm("float64", [1000], [0], 0, 8),
    ],
)
def test_a_hostile_array_is_refused(form):
    with pytest.raises(BadValue):
        wire.decode(received(form), bytearray(8))
