"""What a student's copy checks with: visible examples instead of hidden suites, their results recorded, not computed.

A file of `tests/visible/` is suite and reference in one: it gives away the results of its examples and nothing else.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from grader import trees
from grader.course import Exercise
from grader.probes import NotChecked
from grader.words import Text

ROUNDED = 1000.0  # units of float32's epsilon: results are written down to four decimals
HEAD = '''"""Visible examples of {id}. The hidden suite, which marks what you hand in, checks far more."""

from torch import tensor

from grader.suitekit import error_bound, points
from grader.visible import ROUNDED, find
'''
NONE = '''"""The hidden suite of {id} marks what you hand in; no short example can show what it asks."""

from grader.suitekit import points
from grader.visible import not_shown


@points({points:g})
def test_marked_later(student):
    """This exercise is marked when you hand it in.

    本练习在提交之后评分。
    """
    not_shown()
'''
NOT_SHOWN = Text("there is no visible example", "没有可见示例")
QUESTIONS = '''"""The questions of {id} are marked when you hand in your sheet."""
'''
Recorded = Sequence[tuple[Mapping[str, Any], Any]]


def suite_source(exercise: Exercise, stub: str, examples: Sequence[Mapping[str, str]]) -> str:
    """The file `tests/visible/<id>.py`.

    Args:
        exercise: what it is for.
        stub: the text of its stub, which holds the signatures.
        examples: a `call` and its `result` each, as Python.
    """
    if exercise.kind == "questions":
        return QUESTIONS.format(id=exercise.id)
    if not examples:
        return NONE.format(id=exercise.id, points=exercise.points)
    parts = [HEAD.format(id=exercise.id)]
    signatures = {n.name: n.args for n in ast.parse(stub).body if isinstance(n, ast.FunctionDef)}
    for function in exercise.functions:
        calls = [e for e in examples if _called(e["call"]) == function]
        if calls and function in signatures:
            parts.append(_reference(function, signatures[function], calls))
    share = exercise.points / len(examples)
    parts += [_check(number, example, share) for number, example in enumerate(examples, 1)]
    return "".join(parts)


def _called(call: str) -> str:
    node = ast.parse(call, mode="eval").body
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _reference(function: str, signature: ast.arguments, examples: Sequence[Mapping[str, str]]) -> str:
    """A function that answers the examples and nothing else, and how far its answers are rounded."""
    names = [a.arg for a in (*signature.args, *signature.kwonlyargs)]
    for argument in (*signature.args, *signature.kwonlyargs):
        argument.annotation = None
    first_default = len(signature.args) - len(signature.defaults)
    defaults = {a.arg: ast.unparse(d) for a, d in zip(signature.args[first_default:], signature.defaults, strict=True)}
    rows = []
    for example in examples:
        call = ast.parse(example["call"], mode="eval").body
        assert isinstance(call, ast.Call)
        given = {**defaults, **{n: ast.unparse(a) for n, a in zip(names, call.args, strict=False)}}
        given |= {str(k.arg): ast.unparse(k.value) for k in call.keywords}
        inside = ", ".join(f"{name!r}: {value}" for name, value in given.items())
        rows.append(f"    ({{{inside}}}, {example['result']}),\n")
    table, passed = function.upper(), ", ".join(f"{name}={name}" for name in names)
    head, table_of = f"def {function}({ast.unparse(signature)}):", f"\n{table} = [\n{''.join(rows)}]\n\n\n"
    answers = f'{head}\n    """Answers the examples."""\n    return find({table}, {passed})\n\n\n'
    bound = f'@error_bound("{function}")\ndef {function}_is_rounded(*_args, **_kwargs):\n    return [ROUNDED] * '
    return f"{table_of}{answers}{bound}{_parts(examples[0]['result'])}\n"


def _parts(result: str) -> int:
    """How many tensors and real numbers a result holds."""
    node = ast.parse(result, mode="eval").body
    return len(node.elts) if isinstance(node, ast.Tuple | ast.List) else 1


def _check(number: int, example: Mapping[str, str], share: float) -> str:
    call, result = example["call"], example["result"]
    english = textwrap.fill(f"{call} gives {result}", 110, subsequent_indent="    ", break_long_words=False)
    chinese = textwrap.fill(f"{call} 的结果是 {result}", 110, subsequent_indent="    ", break_long_words=False)
    return (
        f"\n\n@points({share!r})\ndef test_example_{number}(golden):\n"
        f'    """{english}\n\n    {chinese}\n    """\n    golden.{call}\n'
    )


def find(examples: Recorded, **given: Any) -> Any:
    """The recorded result for these arguments, in float64 if they are.

    Raises:
        LookupError: no example has these arguments.
    """
    wide = any(t.dtype == torch.float64 for t in trees.tensors(list(given.values())))
    for arguments, result in examples:
        if all(_same(given[name], value) for name, value in arguments.items()):
            return trees.mapped(_widened, result) if wide else result
    raise LookupError("no example has these arguments")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return one.shape == other.shape and bool((one.double() == other.double()).all())
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _widened(leaf: Any) -> Any:
    return leaf.double() if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() else leaf


def not_shown() -> None:
    """Skip a check: there is nothing to show."""
    raise NotChecked(NOT_SHOWN)
