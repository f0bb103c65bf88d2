"""Writes the visible examples of a student's copy, in place of hidden suites; results are recorded, not computed.

A file of `tests/visible/` is suite and reference in one: it reveals the results of its examples and nothing else.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence

import numpy as np

from grader.course import Exercise
from grader.sandbox.processes import DescribedQuestion, ExampleCall
from grader.texts import Text, translated

WIDTH = 110
HEAD = '''"""Visible examples of {id}. The hidden suite, which marks what you hand in, checks far more."""

{before}{imports}
{functions}'''
IMPORTS = {
    "torch": """from torch import inf, nan, tensor

from grader.suites import ROUNDED, error_bound, find, points""",
    "numpy": """from numpy import array, inf, nan

from grader.suites import find, points, tolerance

ROUNDED = tolerance(rtol=1e-4, atol=1e-4)""",
}
TABLES = ("DataFrame", "Series", "Index")
OF_TABLES = f"from pandas import {', '.join(sorted((*TABLES, 'NaT', 'Timedelta', 'Timestamp')))}\n"
NONE = '''"""The hidden suite of {id} marks what you hand in; no short example can show what it asks."""

from grader.suites import not_shown, points


@points({points:g})
def test_marked_later(student):
    {title}
    not_shown()
'''
LATER = translated("This exercise is marked when you hand it in.")
GIVES = translated("{call} gives {result}")
NUMBERED = translated("Example {number}: {call}")
WHERE = translated("{said}, where {formulas}")
QUESTIONS = '''"""The questions of {id} and the form of each answer. They are marked when you hand in your sheet."""

from grader.questions import Choice, Number, Numbers, Table, Text, Written, asked
'''


def questions_source(exercise: str, questions: Sequence[DescribedQuestion]) -> str:
    """Return the file `tests/visible/<id>.py` of an exercise of questions: texts and forms, no answers."""
    parts = [QUESTIONS.format(id=exercise)]
    for question in questions:
        said = question.text if question.text.values else question.text.key
        form = textwrap.indent(question.form, "    ")
        parts.append(f"\n{question.name} = asked(\n    {question.name!r},\n{form},\n    {said!r},\n)\n")
    return "".join(parts)


def suite_source(
    exercise: Exercise,
    stub: str,
    examples: Sequence[ExampleCall],
    arrays: str = "torch",
) -> str:
    """Return the file `tests/visible/<id>.py`.

    Args:
        exercise: the exercise that it belongs to.
        stub: the text of its stub, which holds the signatures.
        examples: a `call` and its `result` each, as Python.
        arrays: the kind of the course's arrays.
    """
    if not examples:
        return NONE.format(id=exercise.id, points=exercise.points, title=_docstring(LATER))
    tables = OF_TABLES if any(f"{name}(" in f"{e.call}{e.result}" for e in examples for name in TABLES) else ""
    before = dict.fromkeys(text for example in examples for text in example.before)
    lines = "".join(f"{text}\n" for text in before if not text.startswith("def "))
    functions = "".join(f"\n\n{text}\n" for text in before if text.startswith("def "))
    accepted = {_called(e.call): e.accepts for e in examples if e.accepts is not None}
    imports = IMPORTS[arrays].replace("\n\n", f"\n{tables}\n", 1)
    imports = imports.replace("suites import", "suites import accepts,") if accepted else imports
    parts = [
        HEAD.format(
            id=exercise.id, before=lines and f"{lines}\n", imports=imports, functions=functions and f"{functions}\n"
        )
    ]
    for function, words in accepted.items():
        said = ", ".join([*map(repr, words), f"of={function!r}"])
        parts.append(f"ACCEPTED_OF_{function.upper()} = accepts({said})\n")
    signatures = {n.name: n.args for n in ast.parse(stub).body if isinstance(n, ast.FunctionDef)}
    for function in exercise.functions:
        calls = [e for e in examples if _called(e.call) == function]
        if calls and function in signatures:
            parts.append(_reference(function, signatures[function], calls, bound=arrays == "torch"))
    share = exercise.points / len(examples)
    parts += [_check(number, example, share) for number, example in enumerate(examples, 1)]
    return "".join(parts)


def _called(call: str) -> str:
    node = ast.parse(call, mode="eval").body
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _reference(function: str, signature: ast.arguments, examples: Sequence[ExampleCall], bound: bool) -> str:
    """Return a function that answers the examples and nothing else, and how far its answers are rounded."""
    by_place = [*signature.posonlyargs, *signature.args]
    names = [a.arg for a in (*by_place, *signature.kwonlyargs)]
    preset = [*zip(reversed(by_place), reversed(signature.defaults), strict=False)]
    preset += [(a, d) for a, d in zip(signature.kwonlyargs, signature.kw_defaults, strict=True) if d]
    defaults = {a.arg: ast.unparse(d) for a, d in preset}
    rows = []
    for example in examples:
        call = ast.parse(example.call, mode="eval").body
        assert isinstance(call, ast.Call)
        given = {**defaults, **{n: ast.unparse(a) for n, a in zip(names, call.args, strict=False)}}
        given |= {str(k.arg): ast.unparse(k.value) for k in call.keywords}
        inside = ", ".join(f"{name!r}: {value}" for name, value in given.items())
        rows.append(f"    ({{{inside}}}, {example.result}),\n")
    table, passed = function.upper(), ", ".join(f"{name}={name}" for name in names)
    head, table_of = (
        f"def {function}({ast.unparse(without_annotations(signature))}):",
        f"\n{table} = [\n{''.join(rows)}]\n\n\n",
    )
    answers = f'{head}\n    """Answers the examples."""\n    return find({table}, {passed})\n\n\n'
    if not bound:
        return f"{table_of}{answers}".rstrip("\n") + "\n"
    rounded = f'@error_bound("{function}")\ndef {function}_is_rounded(*_args, **_kwargs):\n    return [ROUNDED] * '
    parts = _real(ast.parse(examples[0].result, mode="eval").body)
    return f"{table_of}{answers}{rounded}{parts}\n"


def _real(node: ast.expr) -> int:
    """Return how many tensors and real numbers a result holds; whole numbers are exact."""
    if isinstance(node, ast.Tuple | ast.List):
        return sum(map(_real, node.elts))
    if isinstance(node, ast.Dict):
        return sum(map(_real, node.values))
    return not (isinstance(node, ast.Constant) and not isinstance(node.value, float))


def _check(number: int, example: ExampleCall, share: float) -> str:
    return (
        f"\n\n@points({share!r})\ndef test_example_{number}(matches_reference):\n"
        f"    {_docstring(_title(number, example))}\n    matches_reference.{example.call}\n"
    )


def _docstring(text: Text) -> str:
    """Return the sentence in English."""
    lines = textwrap.indent(textwrap.fill(text.to("en"), WIDTH, break_long_words=False), "    ").lstrip()
    return f'"""{lines}"""' if "\n" not in lines else f'"""{lines}\n    """'


def _title(number: int, example: ExampleCall) -> Text:
    """Return the whole example if it fits into a line; else its call with the shapes of its arguments."""
    said = GIVES.format(call=example.call, result=example.result)
    if len(said.to("en")) > WIDTH:
        said = NUMBERED.format(number=number, call=_with_shapes(ast.parse(example.call, mode="eval").body))
    formulas = ", ".join(filter(None, map(formula, example.before)))
    return WHERE.format(said=said, formulas=formulas) if formulas else said


def _with_shapes(node: ast.expr) -> str:
    """Return an expression as Python, with its shape in the place of each tensor or array."""
    if isinstance(node, ast.List | ast.Tuple):
        inside = ", ".join(map(_with_shapes, node.elts))
        return f"[{inside}]" if isinstance(node, ast.List) else f"({inside})"
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return ast.unparse(node)
    if node.func.id in TABLES:
        return f"{node.func.id}(...)"
    if node.func.id in ("tensor", "array"):
        return f"{node.func.id} {[*np.shape(ast.literal_eval(node.args[0]))]}"
    named = [f"{keyword.arg}={_with_shapes(keyword.value)}" for keyword in node.keywords]
    return f"{node.func.id}({', '.join([*map(_with_shapes, node.args), *named])})"


def formula(definition: str) -> str:
    """Return a function of one line as people write it, `f(x) = x**2 - 2`; "" for any other piece of Python."""
    (node,) = ast.parse(definition).body
    if not isinstance(node, ast.FunctionDef) or len(node.body) > 1 or not isinstance(node.body[0], ast.Return):
        return ""
    value = node.body[0].value
    return f"{node.name}({ast.unparse(node.args)}) = {ast.unparse(value)}" if value else ""


def without_annotations(arguments: ast.arguments) -> ast.arguments:
    """Return the arguments of a function, changed in place, as callers see them."""
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return arguments
