# ruff: noqa: E501 # tables of values
"""Values are written as Python text that makes the same values again."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import torch

from grader.authoring.literals import LiteralWriter, Unwritable

NAMES = {"np": np, "pd": pd, "torch": torch, "scipy": scipy, "math": math}
COUNTS = pd.DataFrame({("a", 1): [1, 2], ("b", 2): [0.5, np.nan]}, index=pd.Index(["x", "y"], name="row"))
MIXED = pd.DataFrame({"day": pd.to_datetime(["2026-02-27", None]), "n": pd.array([1, None], dtype="Int64"), "ok": [True, False]})  # fmt: skip
VALUES = [
    None, True, -3, 0.1, -math.inf, 2 - 1j, "it's\n", [1, (2,), {"a": [], 3: ()}], np.float32(0.1), np.int64(4),
    np.array(5.0), np.zeros((0, 3)), np.array([0.1, np.nan], dtype="float32"), np.array([True]), np.array([1 + 2j]),
    np.array(["a", "bc"]), np.array(["2026-02-27", "NaT"], dtype="datetime64[D]"), np.array([3], dtype="uint8"),
    np.array([5], dtype="timedelta64[s]"), np.full((3, 7), 2.5), np.arange(40).reshape(5, 8), np.linspace(0, 1, 30),
    np.random.default_rng(5).random(20)[4:], np.random.RandomState(42).standard_normal((9, 3)),
    torch.tensor([0.1, -1.0]), torch.tensor(3), torch.zeros(2, 0).long(), torch.tensor([[1.0]], dtype=torch.float64), torch.ones(2).bool(),
    torch.randn(5, 4, generator=torch.Generator().manual_seed(3)), torch.tensor([1.5], dtype=torch.bfloat16),
    COUNTS, MIXED, COUNTS["a"], pd.Series(["a", None]), pd.Index([3, 1]), pd.Series(pd.Categorical(["b", "a"], ordered=True)),
    pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["x", None]), pd.Timestamp("2026-02-27"), MIXED[:0],
]  # fmt: skip


def same(one: Any, other: Any) -> bool:
    """Whether two values are of one type and show the same."""
    if isinstance(one, torch.Tensor):
        return isinstance(other, torch.Tensor) and one.dtype == other.dtype and torch.equal(one, other)
    if isinstance(one, np.ndarray | np.generic):
        kind = one.dtype == other.dtype and one.shape == other.shape
        return kind and np.array_equal(one, other, equal_nan=one.dtype.kind in "fcmM")
    if isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, other, check_exact=True, check_index_type=False, check_column_type=False)
        return True
    if isinstance(one, pd.Series):
        pd.testing.assert_series_equal(one, other, check_exact=True)
        return True
    return one.equals(other) if isinstance(one, pd.Index) else type(one) is type(other) and one == other


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_the_text_makes_the_same_value(value):
    assert same(value, eval(LiteralWriter().text(value), NAMES))


def test_a_sparse_matrix_keeps_its_format():
    matrix = scipy.sparse.csc_array(np.eye(3))
    again = eval(LiteralWriter().text(matrix), NAMES)
    assert (type(again), again.toarray().tolist()) == (type(matrix), matrix.toarray().tolist())


def test_generators_are_made_of_their_seeds():
    again = eval(LiteralWriter().text(np.random.default_rng(9)), NAMES)
    assert again.random() == np.random.default_rng(9).random()
    assert LiteralWriter().text(torch.Generator().manual_seed(4)) == "torch.Generator().manual_seed(4)"


FACTOR = 3


def scaled(x, by=FACTOR):
    """A function of a test file, with what it uses."""
    return [FACTOR, math.sqrt(x) * by]


def test_functions_bring_along_what_they_use():
    writer, shift = LiteralWriter(), 2
    assert [writer.text(f) for f in (math.sin, np.sin, abs, torch.tanh)] == ["math.sin", "np.sin", "abs", "torch.tanh"]
    assert writer.text(lambda x: x + shift) == "(lambda x: x + shift)"
    assert writer.text(scaled) == "scaled"
    shift = 5
    assert writer.text(lambda y: y + shift) == "(lambda y: y + shift_2)"
    assert [*writer.before] == ["shift", "FACTOR", "scaled", "shift_2"]
    names = dict(NAMES)
    exec("\n".join(writer.before.values()), names)
    assert names["scaled"](4) == scaled(4)
    assert (names["shift"], names["shift_2"]) == (2, 5)


def test_long_arguments_get_a_name():
    writer = LiteralWriter()
    assert [writer.argument("x", [*range(n)]) for n in (3, 40, 41, 40)] == ["[0, 1, 2]", "X", "X_2", "X"]


class Thing:
    """No data."""


def drawn() -> np.random.Generator:
    """A generator that is not as new."""
    generator = np.random.default_rng(1)
    generator.random()
    return generator


UNWRITABLE = [
    ({1}, "a set"), (Fraction(1, 2), "a Fraction"), (Thing(), "a Thing"), (Thing, "a type"), (iter([]), "a list_iterator"),
    (np.random.default_rng(1).normal(3, 2, 5000), "an array of 5,000 entries, where at most 2,000 are written out"),
    (np.array([Thing()]), "an array of dtype object"), (drawn(), "a generator of random numbers that has been drawn from"),
    ({(1, 2): 3}, "a dict with keys that are neither"), (pd.DataFrame({"a": [[1]]}), "a column that holds a list"),
    (2**70, "an int"), (scaled.__get__(3), "a method"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "said"), UNWRITABLE, ids=[said for _, said in UNWRITABLE])
def test_what_is_no_data_is_named(value, said):
    with pytest.raises(Unwritable) as error:
        LiteralWriter().text(value)
    assert str(error.value).startswith(said)
