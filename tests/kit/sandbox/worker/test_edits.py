"""Where a source can be changed in one place; found without running any of it."""

from __future__ import annotations

import ast

import pytest

from grader.sandbox.processes import FindEdits
from grader.sandbox.worker import edits


def changed(source: str, kind: str | None = None) -> set[str]:
    """The source with each of its changes; of one kind, if that is named."""
    return {e.applied(source) for e in edits.find(FindEdits(source)).edits if kind in (None, e.kind)}


def body(line: str) -> str:
    return f"def f(x, y):\n    return {line}\n"


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("drop", "(x - y) / y", "(x - y)"),
        ("drop", "x - (x - y) * y", "x - (x - y)"),
        ("drop", "y / (x - y).exp()", "y / (x - y)"),
        ("drop", "x.float().sum(0, keepdim=True)", "x.sum(0, keepdim=True)"),
        ("drop", "x.masked_fill(~y, 0)", "x.masked_fill(y, 0)"),
        ("drop", "x @ y.T", "x @ y"),
        ("drop", "x.sum(0, keepdim=True)", "x.sum(0)"),
        ("drop", "x.sum((0), keepdim=(True) , dtype=y)", "x.sum((0) , dtype=y)"),
        ("number", "x.sum(-1)", "x.sum(0)"),
        ("number", "x.masked_fill(y, float('-inf'))", "x.masked_fill(y, 0.0)"),
        ("number", "x.masked_fill(y, -1e9)", "x.masked_fill(y, 0.0)"),
        ("order", "x @ (x - y)", "(x - y) @ (x)"),
        ("order", "x.permute(0, 2, 1)", "x.permute(2, 0, 1)"),
        ("order", "x, y", "y, x"),
        ("compare", "x <= y", "x < y"),
    ],
)
def test_a_change(kind, before, after):
    assert body(after) in changed(body(before), kind)


def test_calls_of_a_module_are_left_out_with_their_argument_kept():
    source = "import math\n\n\ndef f(x):\n    return x / math.sqrt(x)\n"
    assert source.replace("math.sqrt(x)", "x") in changed(source, "drop")
    assert not any("/ math\n" in text for text in changed(source))


def test_a_statement_is_left_out_with_its_comment():
    source = "def f(x, y=None):\n    if y is not None:\n        x = x + y  # as asked\n    return x\n"
    assert "def f(x, y=None):\n    pass\n    return x\n" in changed(source, "line")
    assert "def f(x, y=None):\n    if y is not None:\n        pass\n    return x\n" in changed(source, "line")


def test_defaults_are_changed_too():
    assert "def f(x, dim=0):\n    return x\n" in changed("def f(x, dim=-1):\n    return x\n", "number")


@pytest.mark.parametrize("ends", ["\r\n", "\n", "\r"])
def test_places_are_right_whatever_ends_a_line_and_stands_before(ends):
    source = f'def f(x):{ends}    "Größe 大小"{ends}    größe = "大小" and x.exp(){ends}    return größe{ends}'
    assert source.replace("x.exp()", "x") in changed(source, "drop")


def test_what_does_no_work_is_left_alone():
    source = '''import torch

LIMIT = 1


def f(x: "-1" = None) -> "x + 1":
    """x - 1"""
    import math
    assert x - 1
    if x is None:
        raise ValueError(f"{x - 1} is not {2}")
    return x
'''
    assert {text.partition("assert")[0] for text in changed(source)} <= {source.partition("assert")[0]}
    assert all("raise" in text or "pass" in text for text in changed(source))


def test_every_change_is_python_again():
    line = "[a - (b if a else y) for a, b in ((x, y), (y, x))]"
    source = f"def f(x, y):\n    z = {line}\n    return z[-1] if not x else -x @ y\n"
    found = changed(source)
    assert len(found) > 5
    for text in found:
        ast.parse(text)


def test_a_notebooks_cell_may_hold_magic():
    source = "%matplotlib inline\ndef f(x):\n    return x.exp()\n"
    assert source.replace(".exp()", "") in changed(source)


@pytest.mark.parametrize(
    "source",
    [
        "Here it is:\n```python\ndef f(x):\n    return x.exp()\n```\nGood luck!\n",
        "In [3]: def f(x):\r\n   ...:     s = 'é'; return x.exp()\r\n\r\nIn [4]: f(1)\r\nOut[4]: 2.7",
        ">>> def f(x):\n...     return x.exp()\n... \n>>> f(1)\n",
    ],
)
def test_what_was_pasted_is_changed_in_its_place(source):
    assert source.replace(".exp()", "") in changed(source)


def test_no_python():
    with pytest.raises(SyntaxError):
        edits.find(FindEdits("def f(:\n"))
