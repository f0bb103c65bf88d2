"""Values survive the crossing; whatever a hostile sender writes either decodes within bounds or raises BadValue."""

from __future__ import annotations

import json
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.sandbox.worker import wire
from grader.sandbox.worker.wire import BadValue, Encoder, Opaque


def encode(value):
    """The JSON text and the payload, as they would cross."""
    encoder = Encoder()
    tree = encoder.encode(value)
    return json.loads(json.dumps(tree)), bytearray(b"".join(encoder.parts))


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
    None, True, False, 0, -(2**63) + 1, 2**63 - 1, 1.5, -0.0, math.inf, -math.inf, "text", "双语", "\ud800",
    [], (), {}, [1, [2.5, "x"]], (1, (2, None)), {"a": {"b": [1]}}, [(1,), {"c": ()}],
    torch.float16, torch.device("cpu"), torch.device("meta"), torch.device("cuda"),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_plain_values(value):
    got = crossed(value)
    assert got == value
    assert type(got) is type(value)
    assert repr(got) == repr(value)


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
        (Strange(), "test_wire.Strange"),
        (1 + 2j, "builtins.complex"),
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


def test_too_deep_to_receive():
    with pytest.raises(BadValue, match="nested deeper than 16 levels"):
        wire.decode(nested(wire.MAX_DEPTH + 1), bytearray())


def spec(**changes):
    """A right description of a float32 [2, 3], with changes."""
    right = {"!": "tensor", "dtype": "float32", "shape": [2, 3], "strides": [3, 1], "at": 0, "bytes": 24}
    return {**right, "device": "cpu", "grad": False, **changes}


def test_the_unchanged_description_is_taken():
    assert wire.decode(spec(), bytearray(24)).shape == (2, 3)


BAD_TENSORS = {
    "after the payload": spec(at=1),
    "far after the payload": spec(at=2**40),
    "before the payload": spec(at=-4),
    "larger than the payload": spec(bytes=25),
    "more elements than bytes": spec(shape=[2, 4], strides=[4, 1]),
    "strides past the end": spec(strides=[100, 1]),
    "negative strides": spec(strides=[-3, 1]),
    "negative shape": spec(shape=[-2, 3]),
    "huge shape": spec(shape=[2**47, 2**47], strides=[0, 0]),
    "shape over 48 bits": spec(shape=[2**48], strides=[0]),
    "expanded far": spec(shape=[10**6, 10**6], strides=[0, 0]),
    "too few strides": spec(strides=[1]),
    "too many strides": spec(strides=[3, 1, 1]),
    "NaN length": spec(at=math.nan),
    "float length": spec(bytes=24.0),
    "bool length": spec(at=False),
    "bool in the shape": spec(shape=[True, 3]),
    "text in the shape": spec(shape=["2", 3]),
    "shape that is a text": spec(shape="23"),
    "shape that is null": spec(shape=None),
    "unknown dtype": spec(dtype="qint8"),
    "dtype that is a list": spec(dtype=["float32"]),
    "unknown device": spec(device="xla", shape=[2, 300]),
    "17 dimensions": spec(shape=[1] * 17, strides=[1] * 17),
    "gradient of integers": spec(dtype="int32", grad=True),
    "no dtype": {k: v for k, v in spec().items() if k != "dtype"},
    "meta over 62 bits": spec(device="meta", shape=[2**40, 2**40], strides=[]),
    "meta of negative length": spec(device="meta", shape=[-1], strides=[]),
    "empty but huge": spec(shape=[0, 2**47, 2**47], strides=[1, 1, 1]),
}


@pytest.mark.parametrize("case", BAD_TENSORS)
def test_a_tensor_that_is_none(case):
    with pytest.raises(BadValue):
        wire.decode(BAD_TENSORS[case], bytearray(24))


def test_one_payload_cannot_be_taken_twice():
    """Else a short header could make the receiver copy one large payload thousands of times."""
    with pytest.raises(BadValue, match="outside its payload"):
        wire.decode([spec(), spec()], bytearray(24))


def test_bytes_that_are_no_bool_become_true():
    got = wire.decode(spec(dtype="bool", shape=[3], strides=[1], bytes=3), bytearray([0, 2, 255]))
    assert got.double().tolist() == [0.0, 1.0, 1.0]


BAD_VALUES = [
    {}, {"!": None}, {"!": []}, {"!": "code", "value": "1"}, {"!": "tuple"}, {"!": "tuple", "items": 3},
    {"!": "dict", "items": [["a"]]}, {"!": "dict", "items": [[1.5, 2]]}, {"!": "dict", "items": [[["a"], 2]]},
    {"!": "dict", "items": {"a": 1}}, {"!": "float", "value": "1e5"}, {"!": "float", "value": []},
    {"!": "dtype", "name": "float"}, {"!": "device", "name": "cuda:7"}, {"!": "opaque"}, object(), b"bytes",
]  # fmt: skip


@pytest.mark.parametrize("tree", BAD_VALUES, ids=repr)
def test_a_value_that_is_none(tree):
    with pytest.raises(BadValue):
        wire.decode(tree, bytearray())


json_leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
lengths = st.integers(-3, 30) | st.sampled_from([2**31, 2**47, 2**63, 2**70]) | json_leaves
tensor_trees = st.fixed_dictionaries(
    {"!": st.just("tensor")},
    optional={
        "dtype": st.sampled_from([*wire.DTYPES, "float8_e4m3fn"]) | json_leaves,
        "shape": st.lists(lengths, max_size=4) | json_leaves,
        "strides": st.lists(lengths, max_size=4) | json_leaves,
        "at": lengths,
        "bytes": lengths,
        "device": st.sampled_from(["cpu", "meta", "cuda"]) | json_leaves,
        "grad": st.booleans() | json_leaves,
    },
)
kinds = st.sampled_from(["tensor", "tuple", "dict", "float", "dtype", "device", "opaque"]) | json_leaves
trees = st.recursive(
    json_leaves | tensor_trees,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["!", "items", "value", "name", "type", "shape"]) | st.text(), inner)
        | st.fixed_dictionaries({"!": kinds, "items": inner | st.lists(st.lists(inner, max_size=3), max_size=3)})
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


@settings(max_examples=300)
@given(trees, st.binary(max_size=64))
def test_hostile_values(tree, payload):
    """Whatever comes: a value whose tensors hold no more than the payload did, or BadValue."""
    try:
        value = wire.decode(tree, bytearray(payload))
    except BadValue:
        return
    assert storage_bytes(value) <= len(payload)


@settings(max_examples=100)
@given(trees)
def test_devices_are_read_from_anything(tree):
    assert all(isinstance(name, str) and len(name) <= 20 for name in wire.tensor_devices(tree))


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
    assert wire.tensor_devices(tree) == ["cpu", "meta"]


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_a_huge_shape_beside_a_zero_is_refused(device):
    """Its strides are products of the other sizes, more than torch can count."""
    tree = {"!": "tensor", "dtype": "complex64", "shape": [1 << 47, 0, 1 << 47], "strides": [1, 1, 1]}
    with pytest.raises(BadValue, match="too large"):
        wire.decode({**tree, "at": 0, "bytes": 0, "device": device, "grad": False}, bytearray())
