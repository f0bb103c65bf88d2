"""The pretended device refuses what a GPU would refuse, and nothing else; what runs inside a call is seen."""

from __future__ import annotations

import pytest
import torch

from grader import pytree
from grader.sandbox.processes import tensor_devices
from grader.sandbox.worker import wire
from grader.sandbox.worker.dispatch import (
    ELSEWHERE,
    MOST_OPERATORS,
    Elsewhere,
    NotFollowed,
    WrongDevice,
    move,
    other_device,
    trace,
    unseen,
)


def elsewhere(function, *args):
    """The function's result on the pretended device, for these CPU values."""
    with other_device():
        return function(*pytree.mapped(move, list(args)))


X, Y = torch.arange(6.0).reshape(2, 3), torch.ones(2, 3)
HONEST = {
    "elementwise": lambda x, y: x * y + 1,
    "a matrix product": lambda x, y: x @ y.T,
    "a mask on the device": lambda x, y: x.masked_fill(torch.ones(2, 3, dtype=torch.bool, device=x.device), 0.0),
    "made like the input": lambda x, y: torch.zeros_like(x) + x.new_ones(3),
    "made of values": lambda x, y: x + torch.tensor([1.0, 2.0, 3.0], device=x.device),
    "a new tensor of its kind": lambda x, y: x + x.new_tensor([1.0, 2.0, 3.0]),
    "positions on the device": lambda x, y: x + torch.arange(3, device=x.device),
    "a CPU scalar": lambda x, y: x * torch.tensor(2.0),
    "a CPU index": lambda x, y: x[torch.tensor([1, 0])],
    "writing into a result": lambda x, y: torch.empty_like(x).copy_(y),
    "looking at values": lambda x, y: x + 1 if bool((x > 3).any()) else x,
    "a value as a number": lambda x, y: x * float(y.sum()),
    "in place": lambda x, y: x.clone().add_(y),
    "a conjugate's part": lambda x, y: torch.complex(x, y).conj().imag,
    "a conjugate turned back": lambda x, y: torch.view_as_real(torch.complex(x, y).conj() * torch.polar(y, x)),
    "copied from the CPU": lambda x, y: x + torch.ones(3).to(x.device),
}


@pytest.mark.parametrize("way", HONEST)
def test_honest_code_computes_what_it_does_on_the_cpu(way):
    result = elsewhere(HONEST[way], X, Y)
    assert isinstance(result, Elsewhere)
    assert result.device == ELSEWHERE
    assert torch.equal(result.on_cpu, HONEST[way](X, Y))


@pytest.mark.parametrize("way", HONEST)
def test_so_does_code_in_inference_mode(way):
    def inferred(x, y):
        with torch.inference_mode():
            return HONEST[way](x.transpose(0, 1).transpose(0, 1), y.view(2, 3))

    result = elsewhere(inferred, X, Y)
    assert isinstance(result, Elsewhere)
    assert torch.equal(result.on_cpu, HONEST[way](X, Y))


WRONG = {
    "made on the CPU": lambda x, y: x + torch.ones(3),
    "positions on the CPU": lambda x, y: x + torch.arange(3),
    "a mask on the CPU": lambda x, y: x.masked_fill(torch.ones(2, 3, dtype=torch.bool), 0.0),
    "where": lambda x, y: torch.where(x > 0, x, torch.zeros(2, 3)),
    "concatenated": lambda x, y: torch.cat([x, torch.zeros(2, 3)]),
    "written into a CPU tensor with others": lambda x, y: torch.zeros(2, 3).add_(x),
}


@pytest.mark.parametrize("way", WRONG)
def test_what_a_gpu_refuses_is_refused(way):
    WRONG[way](X, Y)
    with pytest.raises(WrongDevice, match="one tensor is on the device of the inputs, another on the CPU"):
        elsewhere(WRONG[way], X, Y)


def test_a_result_that_stays_on_the_cpu_shows():
    assert type(elsewhere(lambda x: torch.tensor(x.tolist()), X)) is torch.Tensor


@pytest.mark.parametrize("way", [lambda x: x.numpy(), lambda x: __import__("numpy").asarray(x)])
def test_numpy_is_refused(way):
    with pytest.raises(TypeError, match=r"a tensor on a GPU has no .numpy\(\)"):
        elsewhere(way, X)


def test_what_cannot_be_followed_is_said():
    with pytest.raises(NotFollowed):
        elsewhere(lambda x: x.clone().squeeze_(0), torch.ones(1, 3))


def test_so_many_operators_are_followed():
    def loop(x, steps):
        for _ in range(steps):
            x = x + 1
        return x

    assert elsewhere(lambda x: loop(x, MOST_OPERATORS), torch.zeros(2)).on_cpu[0] == MOST_OPERATORS
    with pytest.raises(NotFollowed, match="more than 10000 operators"):
        elsewhere(lambda x: loop(x, MOST_OPERATORS + 1), torch.zeros(2))


def test_its_values_cross_and_say_where_they_were():
    encoder = wire.Encoder()
    form = encoder.encode(elsewhere(lambda x: (x.half(), 3, [x[:0]]), X))
    half, number, (nothing,) = wire.decode(form, bytearray(b"".join(encoder.parts)))
    assert tensor_devices(form) == ["meta", "meta"]
    assert (half.dtype, number, nothing.shape) == (torch.float16, 3, (0, 3))
    assert torch.equal(half, X.half())


def test_the_rules_end_with_the_block():
    elsewhere(lambda x: x, X)
    assert (X + torch.ones(3)).device.type == "cpu"


def test_all_functions_and_operators_are_seen():
    with trace() as seen:
        torch.nn.functional.softmax(X, -1)
        X.mul(2)
    assert {"softmax", "_softmax", "mul"} <= seen.names


def test_the_largest_tensor_is_what_is_stored():
    with trace() as seen:
        torch.ones(7, 3).expand(500, 7, 3).sum()
    assert seen.largest == 21
    with trace() as seen:
        torch.ones(7, 3).expand(5, 7, 3).contiguous()
    assert seen.largest == 105


def test_a_subclass_that_no_mode_can_make_is_known_by_its_error():
    from torch.nn.attention.bias import causal_lower_right  # with it comes the compiler: seconds

    with trace(), pytest.raises(RuntimeError) as raised:
        causal_lower_right(3, 3)
    assert unseen(raised.value)
    assert not unseen(RuntimeError("something else"))
