"""An exercise that asks for a class and for a tree of values: its solution and its suite, of 8 points."""

from __future__ import annotations

from toy_suites import HEAD

SOLUTION = '''
import torch
from torch import nn

class Scaled(nn.Module):
    """x @ W.T * factor, and how many rows it saw so far."""
    def __init__(self, size, factor=1.0):
        super().__init__()
        self.inner = nn.Linear(size, size, bias=False)
        self.factor = factor
        self.rows = 0
    def forward(self, x):
        self.rows += x.shape[0]
        return self.inner(x) * self.factor, self.rows

def facts(n):
    return {"n": n, 1: {"half": n / 2}, "parts": (torch.arange(n), ["a", None, True])}
'''
SUITE = (
    HEAD
    + """
from grader.suites import expect

@error_bound("Scaled")
def bound(module, *turns):
    inputs = [turn[0] if isinstance(turn, tuple) else turn for turn in turns]
    return [x.abs() @ module.inner.weight.abs().T * 8 for x in inputs]

@points(1)
@dtypes("float32", "float64")
def test_values(matches_reference, make, dtype):
    matches_reference.made(3, factor=2.0, state={"inner.weight": make.normal(3, 3)}).Scaled(make.normal(2, 3))

@points(1)
def test_turns(matches_reference, make):
    made = matches_reference.made(3, state={"inner.weight": make.normal(3, 3)})
    made.turns.Scaled((make.normal(2, 3),), (make.normal(1, 3),))

@points(1)
def test_gradient(matches_gradients, make):
    matches_gradients.made(3, state={"inner.weight": make.normal(3, 3)}).Scaled(make.normal(2, 3))

@points(1)
def test_contract(stays_on_device, make):
    stays_on_device.made(3, state={"inner.weight": make.normal(3, 3)}).Scaled(make.normal(2, 3))

@points(1)
def test_untouched(does_not_mutate, make):
    does_not_mutate.made(3, state={"inner.weight": make.normal(3, 3)}).Scaled(make.normal(2, 3))

@points(1)
def test_largest(largest_tensor, make):
    assert largest_tensor.made(3, state={"inner.weight": make.normal(3, 3)}).Scaled(make.normal(2, 3)) >= 6

@points(1)
def test_facts(matches_reference):
    matches_reference.facts(3)

@points(1)
def test_loose(any_shape):
    found = any_shape.facts(3)
    expect(found["parts"][0].numel() >= 3, "too few parts")
"""
)
