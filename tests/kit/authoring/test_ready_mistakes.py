"""Each ready-made slip does the one thing wrong that it says, to functions and to classes."""

from __future__ import annotations

import pytest
import torch

from grader.authoring.ready_mistakes import READY, around, can_show
from grader.suites.target import Call, Outcome

X = torch.tensor([[1.0, -2.0, 3.0]])


def double(x):
    return x * 2


def slipped(name: str, x: torch.Tensor = X):
    return around(name, double)(x)


def test_a_slip_of_each_kind():
    assert slipped("float32_result", X.double()).dtype == torch.float32
    assert not slipped("no_gradient", X.clone().requires_grad_()).requires_grad
    assert slipped("squeezed").shape == (3,)
    assert torch.equal(slipped("long_rows_cut", torch.ones(130)), torch.cat([torch.full((100,), 2.0), torch.zeros(30)]))


@pytest.mark.parametrize("name", [n for n in READY if n not in ("float32_result", "squeezed", "long_rows_cut")])
def test_values_are_right_at_first(name):
    assert torch.equal(slipped(name, X.repeat(2, 1)), 2 * X.repeat(2, 1))


def test_the_input_is_changed():
    for x in (X.clone(), torch.tensor([1, 2]), torch.tensor([True, False])):
        before = x.clone()
        around("changes_input", lambda x: x)(x)
        assert not torch.equal(x, before)


def test_what_is_remembered():
    by_shape, buffer = (around(name, double) for name in ("remembers_by_shape", "reuses_buffer"))
    assert torch.equal(by_shape(X), by_shape(X + 1))
    assert torch.equal(by_shape(X[:, :2]), 2 * X[:, :2])
    first = buffer(X)
    assert torch.equal(buffer(X + 1), 2 * X + 2)
    assert torch.equal(first, 2 * X + 2)


def test_what_only_some_inputs_show():
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        slipped("needs_contiguous", torch.ones(2, 3).T)
    with pytest.raises(TypeError, match="unexpected keyword"):
        around("other_names", double)(x=X)
    with pytest.raises(RuntimeError, match="device"):
        slipped("made_on_cpu", X.to("meta"))


def test_a_class_slips_where_it_is_called():
    class Doubles(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.factor = torch.nn.Parameter(torch.tensor(2.0))

        def forward(self, x):
            return x * self.factor

    wrong = around("no_gradient", Doubles)()
    assert torch.equal(wrong(X), 2 * X)
    assert not wrong(X).requires_grad
    assert dict(wrong.named_parameters()).keys() == {"factor"}
    assert around("no_gradient", dict) is dict


def test_where_a_slip_could_show():
    tensors, number = [(Call("f", (X,)), Outcome(X))], [(Call("f", (3,)), Outcome(torch.tensor([True])))]
    equal = {name for name in READY if "equal_shapes" in name}
    assert {name for name in READY if not can_show(name, tensors)} == {"wrong_in_five_dimensions", *equal}
    assert {name for name in READY if can_show(name, number)} == {
        "reuses_buffer", "made_on_cpu", "squeezed", "other_names", "long_rows_cut", "wrong_above_256",
        "wrong_above_600", "wrong_at_size_1",
    }  # fmt: skip
    any_shape = [(Call("f", (torch.ones(shape),)), Outcome(X)) for shape in ((2,), (2, 3), (2, 3, 4))]
    assert can_show("wrong_in_five_dimensions", any_shape)


def test_a_slip_in_one_region_only():
    ones = torch.ones
    for name, shape, outside in (
        ("wrong_above_256", (2, 257), (2, 256)), ("wrong_above_600", (601,), (600,)),
        ("wrong_at_size_1", (2, 1), (2, 2)), ("wrong_at_batch_1", (1, 2), (2, 1)),
        ("wrong_in_five_dimensions", (1, 1, 1, 1, 2), (1, 1, 1, 2)),
    ):  # fmt: skip
        assert torch.allclose(slipped(name, ones(shape)), 2.4 * ones(shape))
        assert torch.equal(slipped(name, ones(outside)), 2 * ones(outside))
    half = slipped("wrong_in_bfloat16", ones(2, dtype=torch.bfloat16))
    assert torch.allclose(half, torch.tensor(2.4, dtype=torch.bfloat16))
    for name in ("refused_in_float16", "refused_in_bfloat16"):
        with pytest.raises(RuntimeError, match="not implemented"):
            slipped(name, ones(2, dtype=getattr(torch, name.removeprefix("refused_in_"))))
    for name, x in (("changes_input_in_float16", ones(2).half()), ("changes_input_at_size_1", ones(2, 1))):
        slipped(name, x)
        assert not torch.equal(x, torch.ones_like(x))
    scaled = slipped("input_scaled_in_bfloat16", ones(2, dtype=torch.bfloat16))
    assert torch.allclose(scaled, torch.tensor(2.4, dtype=torch.bfloat16))
    assert not slipped("no_gradient_at_size_1", ones(1, 2).requires_grad_()).requires_grad
    assert slipped("no_gradient_at_size_1", ones(2, 2).requires_grad_()).requires_grad


def test_equal_shapes_are_a_region_where_a_suite_goes_there():
    def calls(*inputs, raised=None):
        return [(Call("f", inputs), Outcome(torch.ones(2, 3), raised=raised))]

    name, (one, other) = "no_gradient_at_equal_shapes", (torch.ones(2, 3), torch.ones(4, 3))
    assert can_show(name, calls(one, one.clone()))
    assert not can_show(name, calls(one, other))
    assert not can_show(name, calls(one, one.clone(), raised=ValueError()))
    x = one.clone().requires_grad_()
    wrong = around(name, lambda x, y: x * y.sum())
    assert wrong(x, other).requires_grad
    assert not wrong(x, one).requires_grad
