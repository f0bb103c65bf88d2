"""How a function behaves beside what it returns: inputs changed, devices, refusals, memory."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from toy_suites import HEAD, OneByOne, course

from grader.suites.local import LocalTarget


def test_changing_the_input(problem):
    def inplace(x, factor=2.0):
        x *= factor
        return x

    assert problem(inplace, "test_input_unchanged") == "scale(x [3] float32): changes its input x in place"


def test_changing_the_input_and_back_is_seen(problem):
    def there_and_back(x, factor=2.0):
        result = x.mul_(factor).clone()
        x.div_(factor)
        return result

    assert "changes its input x in place" in problem(there_and_back, "test_input_unchanged")


def test_a_gradient_that_stays_in_the_input_is_seen(problem):
    """The next backward pass adds to it; that x now requires a gradient is no harm."""

    def with_backward(x, factor=2.0):
        x.requires_grad_()
        (x * x).sum().backward(inputs=[x], retain_graph=True)
        return x * factor

    assert "changes its input x in place" in problem(with_backward, "test_input_unchanged")


def test_an_input_that_requires_a_gradient_now_is_not_changed(run):
    def differentiates(x, factor=2.0):
        (slope,) = torch.autograd.grad((x.requires_grad_() * factor).sum(), x, create_graph=True)
        return x * slope

    assert run("scale", differentiates)["test_input_unchanged"].verdict == "passed"


@pytest.mark.parametrize(
    "constant",
    [
        lambda x, factor=2.0: x * torch.full(x.shape, factor),
        lambda x, factor=2.0: x * torch.tensor([factor]),
        lambda x, factor=2.0: x * torch.tensor([x[0] * 0 + factor]),
        lambda x, factor=2.0: x * torch.ones(3, device="cpu") * factor,
    ],
)
def test_a_constant_made_on_the_cpu(problem, constant):
    reason = problem(constant, "test_device")
    assert "one tensor is on the device of the inputs, another on the CPU" in reason


def test_numpy_on_a_gpu(problem):
    def through_numpy(x, factor=2.0):
        return torch.from_numpy(x.numpy() * factor)

    assert ".numpy()" in problem(through_numpy, "test_device")


def test_a_result_left_on_the_cpu(problem):
    assert problem(lambda x, factor=2.0: x.cpu() * factor, "test_device").endswith(
        "the result is on the device cpu, expected on meta"
    )


def put(x, where, factor):
    x[where] = x[where] * factor
    x[1:2] *= factor
    return x


GPU_HONEST = {
    "item": lambda x, factor=2.0: x * torch.tensor(factor, device=x.device).item(),
    "made from values on the device": lambda x, factor=2.0: x * torch.tensor([factor], device=x.device),
    "made from entries on the device": lambda x, factor=2.0: x * torch.as_tensor([x[0] * 0 + factor], device=x.device),
    "data by name": lambda x, factor=2.0: x * torch.tensor(data=[factor], device=x.device),
    "new_tensor": lambda x, factor=2.0: x * x.new_tensor([factor]),
    "a branch on values": lambda x, factor=2.0: x * factor if x.sum() > 0 else factor * x,
    "a constant on the device": lambda x, factor=2.0: x * torch.full(x.shape, factor, device=x.device),
    "like the input": lambda x, factor=2.0: x * torch.full_like(x, factor),
    "a CPU scalar": lambda x, factor=2.0: x * torch.tensor(factor),
    "item assignment": lambda x, factor=2.0: torch.zeros_like(x).copy_(x * factor),
    "entries chosen by a list": lambda x, factor=2.0: (x[[2, 1, 0]] * factor)[[2, 1, 0]],
    "entries put by a list": lambda x, factor=2.0: put(x.clone(), [0, 2], factor),
    "there and back": lambda x, factor=2.0: (x.cpu() * factor).to(x.device),
}


@pytest.mark.parametrize("way", GPU_HONEST)
def test_what_works_on_a_gpu_passes(run, way):
    assert run("scale", GPU_HONEST[way])["test_device"].verdict == "passed"


def test_what_cannot_be_followed_is_judged_on_the_cpu(run):
    def resizes(x, factor=2.0):
        y = x.clone()
        y.unsqueeze_(0)
        return (y * factor)[0]

    assert run("scale", resizes)["test_device"].verdict == "passed"
    listed = run("scale", lambda x, factor=2.0: resizes(x, factor).tolist())["test_device"]
    assert (listed.verdict, listed.wrong_values) == ("passed", True)  # other checks say that it is no tensor


def test_a_wrong_value_is_no_matter_of_the_device(run):
    assert run("scale", lambda x, factor=2.0: x + factor)["test_device"].verdict == "passed"


def test_a_value_where_an_error_is_due(problem):
    reason = problem(lambda x, factor=2.0: x, "test_zero")
    assert reason == "scale(x [3] float32, factor=0.0): returns a value, expected a ValueError"


def test_another_error_than_the_one_due(problem):
    def divides(x, factor=2.0):
        return x / (1 / factor)

    reason = problem(divides, "test_zero")
    assert (
        reason
        == "scale(x [3] float32, factor=0.0): raises ZeroDivisionError: float division by zero, expected a ValueError"
    )


def test_a_derived_error_will_do(run):
    class Special(ValueError):
        pass

    def special(x, factor=2.0):
        raise Special

    assert run("scale", special)["test_zero"].verdict == "passed"


LARGEST = (
    HEAD
    + """
from grader.suites import expect

@points(1)
def test_memory(largest_tensor, make):
    expect(largest_tensor.f(make.normal(3, 4)) <= 24, "it makes a tensor that is too large")
"""
)


@pytest.mark.parametrize(
    ("way", "passes"), [(lambda x: x.repeat(2, 1)[:3], True), (lambda x: x.repeat(9, 1)[:3], False)]
)
def test_the_largest_tensor_on_the_way(tmp_path, way, passes):
    (found,) = course(tmp_path, LARGEST).run("f", LocalTarget({"f": way}), 1)
    assert (found.verdict == "passed") == passes
    assert found.reason.to("en") == ("" if passes else "it makes a tensor that is too large")


KNOWS_IT = {
    "by its device": lambda x, factor=2.0: (
        torch.empty_like(x) if x.device.type == "meta" else x * torch.tensor([factor])
    ),
    "by its type": lambda x, factor=2.0: x if type(x) is not torch.Tensor else x * torch.full(x.shape, factor),
    "and gives other values there": lambda x, factor=2.0: x * (factor + 1 if x.device.type == "meta" else factor),
    "and refuses on the CPU": lambda x, factor=2.0: x * factor if x.device.type == "meta" else x.missing,
}


@pytest.mark.parametrize("way", KNOWS_IT)
def test_code_that_knows_the_pretended_device_has_to_do_the_work_there(problem, way):
    """Else `if x.device.type == "meta"` would be worth the points."""
    assert "gives another result there than on the CPU" in problem(KNOWS_IT[way], "test_device")


class WithoutValues(OneByOne):
    """Claims a tensor on the pretended device that has no values, as a forged reply can."""

    def call(self, call):
        found = super().call(call)
        value = (
            torch.empty(found.value.shape, device="meta") if call.contract and found.value is not None else found.value
        )
        return dataclasses.replace(found, value=value)


def test_a_tensor_without_values_is_nobodys_result(suites):
    target = WithoutValues({"scale": lambda x, factor=2.0: x * factor})
    results = {r.id.partition("[")[0]: r.verdict for r in suites.run("scale", target, 1)}
    assert results["test_device"] == "failed"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1e30, 1e-30])
def test_the_same_on_both_is_the_same_whatever_it_is(run, value):
    assert run("scale", lambda x, factor=2.0: x * factor * value)["test_device"].verdict == "passed"
