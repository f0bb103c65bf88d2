"""Operators that an exercise forbids refuse every caller in a worker, and others work on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from grader.sandbox.worker.forbidden import forbids, places

CALLS = ("torch.softmax", "torch.nn.functional.scaled_dot_product_attention")


@pytest.mark.parametrize(
    ("operator", "call"),
    [
        ("softmax", "torch.softmax"),
        ("_softmax", "torch.softmax"),
        ("_safe_softmax", "torch.softmax"),
        ("_scaled_dot_product_flash_attention_for_cpu", "torch.nn.functional.scaled_dot_product_attention"),
        ("softplus", None),
        ("scaled_mm", None),
        ("exp", None),
    ],
)
def test_an_operator_is_known_by_its_words(operator: str, call: str | None) -> None:
    assert forbids(CALLS, operator) == call


def test_the_dispatcher_is_searched_for_them() -> None:
    assert {("_softmax", "CPU"), ("scaled_dot_product_attention", "CPU")} <= set(places(CALLS))
    assert not any("backward" in operator for operator, _ in places(CALLS))
    assert places(()) == []


PROGRAM = """
import threading, torch
from torch.utils._python_dispatch import _disable_current_modes
from grader.sandbox.worker.forbidden import places, withhold
x, called = torch.randn(3, 4), set()
withhold(places(("torch.softmax",)), called)

def in_a_thread():
    found = []
    def work():
        try:
            found.append(torch.softmax(x, 0))
        except RuntimeError as error:
            found.append(error)
    thread = threading.Thread(target=work); thread.start(); thread.join()
    if isinstance(found[0], Exception):
        raise found[0]

def without_modes():
    with _disable_current_modes(), torch._C.DisableTorchFunction():
        torch.softmax(x, 0)

def in_inference_mode():
    with torch.inference_mode():
        torch.softmax(torch.randn(3), 0)

ways = {
    "plain": lambda: torch.softmax(x, 0), "method": lambda: x.softmax(0), "thread": in_a_thread,
    "gradient": lambda: torch.softmax(x.clone().requires_grad_(), 0), "modes": without_modes,
    "operator": lambda: torch.ops.aten._softmax(x, 0, False), "module": lambda: torch.nn.Softmax(0)(x),
    "inference": in_inference_mode, "mkldnn": lambda: x.to_mkldnn().softmax(0),
}
for name, way in ways.items():
    try:
        way()
        print(name, "worked")
    except RuntimeError as error:
        assert "not allowed here" in str(error), error
(x.exp() / x.exp().sum(0)).sum(); torch.logsumexp(x, 0); x.clone().requires_grad_().exp().sum().backward()
print("called", *sorted(called))
"""


def test_they_refuse_every_caller() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "called _softmax softmax\n"
    assert done.stderr == ""
