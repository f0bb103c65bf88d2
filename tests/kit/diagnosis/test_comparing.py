"""Whether two answers agree: but for rounding, and each promise for itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from grader.diagnosis import comparing
from grader.diagnosis.comparing import (
    agree,
    equal,
    equal_but_for_dtype,
    equal_if_finite,
    equal_where_finite,
    where_finite,
)
from grader.suites.target import Call, Outcome, StudentError

X = torch.tensor([1.0, -2.0, 3.0])
CALL = Call("f", (X,))
WATCHED = Call("f", (X,), gradients=True, watch=True)


def raising(type_: str, message: str = "no") -> Outcome:
    return Outcome(raised=StudentError((type_, "Exception"), message))


def test_which_promises_a_call_tests():
    assert comparing.tested(CALL, Outcome(X)) == ("value",)
    assert comparing.tested(WATCHED, Outcome(X)) == ("value", "gradient", "input")
    assert comparing.tested(Call("f", (X,), contract=True), Outcome(X)) == ("device",)
    assert comparing.tested(CALL, raising("ValueError")) == ("refusal",)


ALIKE = {
    "rounding": (X, X * (1 + 1e-6)),
    "the same infinities": (torch.tensor([1.0, math.inf]), torch.tensor([1.0, math.inf])),
    "NaN in the same places": (torch.tensor([math.nan, 2.0]), torch.tensor([math.nan, 2.0])),
    "half precision": (X.half(), (X * 1.001).half()),
    "no entries": (torch.zeros(0), torch.zeros(0)),
}
UNLIKE = {
    "a percent": (X, X * 1.01),
    "another dtype": (X, X.double()),
    "another shape": (X, X[None]),
    "NaN": (X, X * math.nan),
    "NaN elsewhere": (torch.tensor([math.nan, 2.0]), torch.tensor([2.0, math.nan])),
    "infinity for NaN": (torch.tensor([math.nan, 1.0]), torch.tensor([1.0, math.inf])),
    "another truth": (torch.tensor([True]), torch.tensor([False])),
}


@pytest.mark.parametrize("case", ALIKE)
def test_tensors_that_agree(case):
    assert equal(*ALIKE[case])


@pytest.mark.parametrize("case", UNLIKE)
def test_tensors_that_do_not(case):
    assert not equal(*UNLIKE[case])


def test_but_for_the_dtype():
    assert equal_but_for_dtype(X, X.double())
    assert not equal_but_for_dtype(X, X.double() + 1)
    assert equal_but_for_dtype(torch.tensor([1, 0]), torch.tensor([True, False]))
    assert not equal_but_for_dtype(torch.tensor([2, 0]), torch.tensor([True, False]))


def test_where_both_are_finite():
    assert equal_where_finite(torch.tensor([math.nan, 2.0]), torch.tensor([1.0, 2.0]))
    assert not equal_where_finite(torch.tensor([math.nan, 2.0]), torch.tensor([1.0, 3.0]))
    assert not equal_where_finite(torch.tensor([math.nan]), torch.tensor([1.0]))  # nothing is compared
    assert not equal_where_finite(torch.tensor([-math.inf, 2.0]), torch.tensor([1.0, 2.0]))  # infinity is a result


def test_where_both_may_be_finite_nowhere():
    assert equal_if_finite(torch.tensor([math.nan]), torch.tensor([1.0]))
    assert not equal_if_finite(torch.tensor([math.nan, 2.0]), torch.tensor([1.0, 3.0]))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_the_lowest_number_stands_for_minus_infinity(dtype):
    lowest = torch.tensor([torch.finfo(dtype).min, 2.0], dtype=dtype)
    infinite = torch.tensor([-math.inf, 2.0], dtype=dtype)
    assert equal_where_finite(lowest, infinite)
    assert not equal_where_finite(lowest, -infinite)
    assert not equal_where_finite(torch.tensor([-60000.0, 2.0], dtype=dtype), infinite)


def test_only_what_is_finite_in_the_other():
    torch_s, numpy_s = where_finite((X, {"a": np.ones(2)}), (X / torch.zeros(()), {"a": np.array([np.inf, 3.0])}))
    assert bool(torch_s.isnan().all())
    assert np.array_equal(numpy_s["a"], [np.nan, 1.0], equal_nan=True)
    assert where_finite([True, 2], [False, 3]) == [True, 2]


def test_each_promise_for_itself():
    g = Outcome(X, gradients=[X])
    assert agree("gradient", WATCHED, g, Outcome(X + 1, gradients=[X]))
    assert not agree("value", WATCHED, g, Outcome(X + 1, gradients=[X]))
    assert not agree("gradient", WATCHED, g, Outcome(X, gradients=[2 * X]))
    assert not agree("gradient", WATCHED, g, Outcome(X, gradients=[None]))
    assert agree("gradient", WATCHED, Outcome(X, gradients=[X * 0]), Outcome(X, gradients=[None]))
    assert agree("input", WATCHED, Outcome(X, changed=(0,)), Outcome(X + 1, changed=(0,)))
    assert not agree("input", WATCHED, Outcome(X, changed=(0,)), Outcome(X))
    on_cpu, elsewhere = Outcome(X, ("cpu",)), Outcome(X, ("meta",))
    assert agree("device", CALL, on_cpu, Outcome(X + 1, ("cpu",)))
    assert not agree("device", CALL, on_cpu, Outcome(X[1:], ("cpu",)))
    assert not agree("device", CALL, on_cpu, elsewhere)
    assert not agree("device", CALL, elsewhere, Outcome(X + 1, ("meta",)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_nan_in_a_gradient_stays_there(dtype):
    """However often it is compared: a check that NaN made fail is to be explained by it."""
    lost, due = Outcome(X, gradients=[torch.full((3,), math.nan, dtype=dtype)]), Outcome(X, gradients=[X.to(dtype)])
    for _ in range(2):
        assert not agree("gradient", WATCHED, lost, due)
    assert not agree("gradient", WATCHED, lost, Outcome(X, gradients=[torch.zeros(3, dtype=dtype)]))


def test_gradients_that_are_none_count_as_missing():
    """What a worker claims is anything: on no device, of another kind, too few."""
    due = Outcome(X, gradients=[X])
    for claimed in ([], None, [None], [X.to("meta")], [X.to(torch.complex64)], [X > 0]):
        assert not agree("gradient", WATCHED, Outcome(X, gradients=claimed), due)
    assert not agree("gradient", WATCHED, Outcome(X, gradients=[X, X]), due)


def test_refusals_need_no_words_in_common():
    assert agree("refusal", CALL, raising("ValueError", "a"), raising("ValueError", "b"))
    assert not agree("refusal", CALL, raising("ValueError"), raising("KeyError"))
    assert not agree("refusal", CALL, raising("ValueError"), Outcome(X))
    assert not agree("refusal", CALL, Outcome(X), Outcome(X + 1))


def test_an_exception_is_a_value_of_its_kind():
    """torch words it otherwise for other sizes, after the colon or far behind; that is no difference."""
    assert agree("value", CALL, raising("RuntimeError", "sizes: 2"), raising("RuntimeError", "sizes: 3"))
    assert not agree("value", CALL, raising("RuntimeError"), raising("IndexError"))
    assert not agree("value", CALL, raising("RuntimeError"), Outcome(X))


def test_results_of_several_parts():
    one, other = Outcome((X, [1, 2.0])), Outcome((X, [1, 2.0 + 1e-9]))
    assert agree("value", CALL, one, other)
    assert not agree("value", CALL, one, Outcome((X, [1, 2.1])))
    assert not agree("value", CALL, one, Outcome((X,)))
    assert agree("value", CALL, Outcome({"a": X}), Outcome({"a": X}))
    assert not agree("value", CALL, Outcome({"a": X}), Outcome({"b": X}))
    assert not agree("value", CALL, Outcome(1), Outcome(True))


def test_two_factors_that_do_not_broadcast_are_alike_in_either_order():
    def product(a, b):
        with pytest.raises(RuntimeError) as error:
            torch.ones(a) * torch.ones(b)
        return raising("RuntimeError", str(error.value))

    for n in (5, 17, 300):
        assert agree("value", CALL, product(3, n), product(n, 3))
        assert not agree("value", CALL, product(3, n), product(3, n + 1))
