import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from layers import double_, linear, relu


def test_relu():
    assert torch.equal(relu(torch.tensor([-1.0, 2.0])), torch.tensor([0.0, 2.0]))


def test_linear():
    torch.manual_seed(0)
    x, w = torch.randn(4, 8), torch.randn(3, 8)
    torch.testing.assert_close(linear(x, w), torch.nn.functional.linear(x, w))


def test_linear_bias():
    y = linear(torch.ones(1, 2), torch.ones(1, 2), torch.tensor([0.5]))
    torch.testing.assert_close(y, torch.tensor([[2.5]]), rtol=0, atol=1e-4)


def test_linear_sizes():
    with pytest.raises(ValueError):
        linear(torch.ones(1, 2), torch.ones(1, 3))


def test_gradient():
    x = torch.tensor([1.0, -1.0], requires_grad=True)
    relu(x).sum().backward()
    assert x.grad.tolist() == [1.0, 0.0]


def test_double():
    x = torch.ones(2)
    assert double_(x) is x
    assert x.tolist() == [2.0, 2.0]


@settings(max_examples=50)
@given(st.lists(st.floats(-10, 10), min_size=1, max_size=5))
def test_relu_is_never_negative(values):
    assert (relu(torch.tensor(values)) >= 0).all()
