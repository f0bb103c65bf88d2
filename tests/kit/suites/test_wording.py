"""The sentences of a check: calls as students read them, differences, exceptions, files that cannot be imported."""

from __future__ import annotations

import dataclasses
import math

import pytest
import torch

from grader.sandbox.worker.wire import Opaque
from grader.suites import exceptions, wording
from grader.suites.excerpt import Compared
from grader.suites.target import StudentError
from grader.texts import NOTHING, plain

X = torch.zeros(2, 3)


def test_a_call():
    said = wording.call("f", {"x": X, "dim": -1, "parts": [X.half(), (1, "a")], "of": {"k": torch.device("cpu")}})
    assert said.to("en") == "f(x [2, 3] float32, dim=-1, parts=[[2, 3] float16, (1, 'a')], of={'k': cpu})"
    assert said.to("en") == said.to("zh")


def test_what_comes_back_where_value_error_is_due():
    assert (
        exceptions.no_error(X).to("en")
        == exceptions.no_error(Opaque("builtins.set")).to("en")
        == "returns a value, expected a ValueError"
    )
    said = exceptions.no_error(Opaque("builtins.ValueError")).to("en")
    assert said == "returns ValueError where ValueError is to be raised: write `raise`, not `return`"


def test_calls_in_turns():
    new = wording.call("Block", {"size": 8})
    assert wording.in_turns(new, [{"x": X}]).to("en") == "Block(size=8) called with (x [2, 3] float32)"
    many = wording.in_turns(new, [{"x": X, "last": True}, {"x": X[:1]}, {"x": X}, {"x": X}])
    shown = "(x [2, 3] float32, last=True), (x [1, 3] float32), (x [2, 3] float32) ... (4 calls)"
    assert many.to("en") == f"Block(size=8) called with {shown}"
    assert "4 calls" not in many.to("zh")
    assert wording.in_turns(new, []) == new
    two = wording.in_turns(new, [{"x": X}, {"x": X}], objects=2).to("en")
    assert two == "2 objects Block(size=8) called by turns with (x [2, 3] float32), (x [2, 3] float32)"


def error(*types: str, message: str = "no", **more) -> StudentError:
    return StudentError((*types, "Exception"), message, **more)


RAISED = {
    "raises KeyError: no": error("KeyError"),
    "raises KeyError": error("KeyError", message=""),
    "raises KeyError on line 3: no": error("KeyError", lines=(3,)),
    "raises KeyError on line 3, `d[k]`: no": error("KeyError", lines=(3,), code="d[k]"),
    "raises KeyError on line 3, `d[k]`, called from line 9, 20: no": error("KeyError", lines=(3, 9, 20), code="d[k]"),
    "raises KeyError: one two": error("KeyError", message="one\n   two"),
    f"raises KeyError: {'m' * 300}": error("KeyError", message="m" * 900),
    "raises ValueError on line 3, `raise Odd()`: no [these arguments are allowed and must not be refused]": error(
        "ValueError", lines=(3,), code="raise Odd()"
    ),
    "raises ValueError on line 3, `a, b = c`: no": error("ValueError", lines=(3,), code="a, b = c"),
    "ends the program (SystemExit on line 3) instead of returning a value": error("SystemExit", lines=(3,)),
    "tries something that the sandbox does not allow: no": error("PermissionError"),
    "runs out of memory on line 3": error("MemoryError", lines=(3,)),
    "runs out of memory": error("RuntimeError", message="[enforce fail] not enough memory: you tried"),
    "starts more threads than allowed": error("RuntimeError", message="can't start new thread"),
    "opens more files than allowed": error("OSError", message="[Errno 24] Too many open files"),
    "raises OSError: [Errno 2] No such file": error("OSError", message="[Errno 2] No such file"),
    "calls itself too deeply": error("RecursionError"),
    "returns a value that cannot be accepted: no": error("BadValue"),
}


@pytest.mark.parametrize("said", RAISED)
def test_an_exception(said):
    found = exceptions.raised(RAISED[said])
    assert found.to("en") == said
    assert found.to("zh") != said


def test_files_that_cannot_be_imported():
    syntax = error("SyntaxError", message="invalid syntax", lines=(4,), column=7)
    assert exceptions.import_failed(syntax, "f.py").to("en") == "SyntaxError in f.py, line 4, column 7: invalid syntax"
    quoted = dataclasses.replace(syntax, code="y = (")
    said = exceptions.import_failed(quoted, "f.py").to("en")
    assert said == "SyntaxError in f.py, line 4, column 7, `y = (`: invalid syntax"
    assert (
        exceptions.import_failed(error("SyntaxError", message="x", lines=(4,), code="<<<<<<< HEAD"), "f.py")
        .to("en")
        .endswith(
            ": x [version control left two versions here: keep one, and delete the lines with <<<<, ==== and >>>>]"
        )
    )
    tabs = StudentError(("TabError", "IndentationError", "SyntaxError"), "inconsistent", (4,))
    assert exceptions.import_failed(tabs, "f.py").to("en") == "TabError in f.py, line 4, column ?: inconsistent"
    other = error("NameError", message="name 'x' is not defined", lines=(2,))
    assert (
        exceptions.import_failed(other, "f.py")
        .to("en")
        .startswith("the file cannot be imported: it raises NameError on line 2")
    )


def compared(actual, expected, right) -> Compared:
    tensors = torch.as_tensor(actual), torch.as_tensor(expected).double(), torch.as_tensor(right)
    return Compared(plain("it"), *(t.numpy() for t in tensors))


def test_differences():
    right = [True, False, False]
    far = compared([1.0, 2.0, 7.0], [1.0, 2.5, 4.0], right)
    assert wording.differs(far).to("en") == "it is off by up to 3 (2 of 3 entries; at [2] it is 7, expected 4)"
    nan = compared([1.0, math.nan, 7.0], [1.0, 2.5, 7.0], [True, False, True])
    assert wording.differs(nan).to("en") == "it holds NaN (1 of 3 entries are wrong; at [1] expected 2.5)"
    truth = compared([True, False, True], [True, True, True], [True, False, True])
    assert wording.differs(truth).to("en") == "it is off by up to 1 (1 of 3 entries; at [1] it is False, expected True)"
    one = compared(1.25, 1.0, False)
    assert wording.differs(one).to("en") == "it is off by 0.25: it is 1.25, expected 1"
    assert wording.differs(compared(math.nan, 1.0, False)).to("en") == "it is NaN, expected 1"
    assert wording.differs(compared(True, False, False)).to("en") == "it is True, expected False"
    close = compared([1.0, 1.0 + 1e-7], [1.0, 1.0], [True, False])
    assert wording.differs(close).to("en").endswith("it is 1.0000001, expected 1)")


@pytest.mark.parametrize(
    ("one", "other", "said"), [(1.0, 2.0, ("1", "2")), (1.0, 1.0001, ("1", "1.0001")), (1.0, 1.0, ("1", "1"))]
)
def test_two_numbers_are_told_apart(one, other, said):
    assert wording.apart(one, other) == said


def test_values_are_shown_where_they_are_few():
    few, many = (
        compared([1.0, 2.0], [1.0, 3.0], [True, False]),
        compared(torch.zeros(7, 7), torch.ones(7, 7), torch.zeros(7, 7) > 0),
    )
    all_three = wording.values([torch.tensor([5.0, 6.0])], few, False)
    assert all_three.to("en") == "input:\n[5., 6.]\nexpected:\n[1., 3.]\ngot:\n[1., 2.]"
    assert all_three.to("zh") == "输入：\n[5., 6.]\n期望：\n[1., 3.]\n得到：\n[1., 2.]"
    assert wording.values([torch.tensor([5.0, 6.0])], few, True).to("en") == "input:\n[5., 6.]"
    assert wording.values([], few, True).to("en") == "input:\n-"
    wide = torch.full((2, 6), -1.5)  # printed in float64, of which nothing must be said, on whatever line
    assert "dtype" not in wording.values([wide], few, True).to("en")
    assert wording.values([torch.zeros(100)], few, False) == NOTHING
    assert wording.values([], many, False) == NOTHING


def test_what_a_value_is():
    assert [wording.kind(v).to("en") for v in (X, 1, None, [], Opaque("numpy.ndarray"), Opaque("builtins.set"))] == [
        "torch.Tensor", "int", "None", "list", "numpy.ndarray", "set",
    ]  # fmt: skip
