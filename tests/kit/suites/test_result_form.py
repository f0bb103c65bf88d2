"""A result of another form than the one due is told by its kind, count, shape, dtype or device."""

from __future__ import annotations

from collections import namedtuple

import pytest

FORMS = {
    "shape": (lambda x, factor=2.0: (x * factor)[:1], "the result has shape [1], expected [3]"),
    "extra dimension": (lambda x, factor=2.0: (x * factor)[None], "the result has shape [1, 3], expected [3]"),
    "dtype": (lambda x, factor=2.0: (x * factor).half(), "the result has dtype float16, expected float32"),
    "device": (lambda x, factor=2.0: x.to("meta"), "the result is on the device meta, expected on cpu"),
    "list": (lambda x, factor=2.0: (x * factor).tolist(), "returns list, expected torch.Tensor"),
    "number": (lambda x, factor=2.0: 1.0, "returns float, expected torch.Tensor"),
    "comma after it": (
        lambda x, factor=2.0: (x * factor,),
        "returns tuple, expected torch.Tensor; a tuple of one value: is there a comma after it, or is [0] missing?",
    ),
    "two": (lambda x, factor=2.0: (x, x), "returns tuple, expected torch.Tensor"),
    "generator": (
        lambda x, factor=2.0: (part for part in x),
        "returns generator, expected torch.Tensor; `yield` makes a generator, `return` gives the result",
    ),
    "not called": (
        lambda x, factor=2.0: x.sum,
        "returns builtin_function_or_method, expected torch.Tensor; are the parentheses of a call missing?",
    ),
    "array": (lambda x, factor=2.0: (x * factor).numpy(), "returns numpy.ndarray, expected torch.Tensor"),
    "None": (lambda x, factor=2.0: None, "returns None (is a return missing?)"),
    "exception": (lambda x, factor=2.0: x.no_such, "raises AttributeError: 'Tensor' object has no attribute 'no_such'"),
    "exception without a text": (lambda x, factor=2.0: next(iter(())), "raises StopIteration"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_wrong_form(problem, form):
    function, message = FORMS[form]
    assert problem(function) == f"scale(x [3] float32): {message}"


def test_a_missing_parameter(problem):
    reason = problem(lambda x: x * 2)
    assert reason.startswith("scale(x [2, 3] float32, factor=-1.5): raises TypeError: ")
    assert "unexpected keyword argument 'factor'" in reason


PAIRS = {
    "tensor": (lambda x: x, "returns torch.Tensor, expected a tuple of 2 tensors"),
    "None": (lambda x: None, "returns None (is a return missing?)"),
    "one": (lambda x: (x + 1,), "returns 1 values, expected 2"),
    "three": (lambda x: (x + 1, x * 2, x), "returns 3 values, expected 2"),
    "number inside": (lambda x: (x + 1, 2.0), "returns float as result 2, expected torch.Tensor"),
    "shape": (lambda x: (x + 1, x[:1]), "result 2 has shape [1, 3], expected [2, 3]"),
    "dtype": (lambda x: ((x + 1).double(), x), "result 1 has dtype float64, expected float32"),
    "value": (lambda x: (x + 1, x * 2 + 1), "result 2 is off by up to 1 (6 of 6 entries"),
}


@pytest.mark.parametrize("form", PAIRS)
def test_a_wrong_pair(run, form):
    function, message = PAIRS[form]
    result = run("pair", function)["test_values"]
    assert result.verdict == "failed"
    assert result.reason.to("en").startswith(f"pair(x [2, 3] float32): {message}")


Both = namedtuple("Both", "first second")


@pytest.mark.parametrize("kind", [tuple, list, lambda v: Both(*v)])
def test_other_sequences_will_do(run, kind):
    results = run("pair", lambda x: kind([x + 1, x * 2]))
    assert {r.verdict for r in results.values()} == {"passed"}
