"""Makes a unit's nbgrader source notebook: task, work cell, visible examples and grade cell for each exercise."""

from __future__ import annotations

import ast
import dataclasses
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from grader.authoring import blank_sheet
from grader.course import COMMON, SHEET, Course, Exercise, Unit, file_name, stub_languages
from grader.errors import CourseError
from grader.intake import work_cell
from grader.integrations.nbgrader.graded_notebook import assembled
from grader.report import total
from grader.sandbox.processes import DescribedQuestion, ExampleCall
from grader.texts import translated

INTRODUCTION = translated(
    "Each exercise has a cell for your work. What your functions need from other cells, helpers and imports, is taken"
    " from them in their order; where two cells define the same name, the exercise's cell counts. The cell below it"
    " checks a few examples; the grading checks much more."
)
AS_GRADED = translated(
    "# As it will be graded: shows what is taken from this notebook, then the reasons. It needs the course's kit.\n"
    "from grader.notebook import check, show\n\nshow({id})\ncheck({id})"
)
# What nbgrader takes out of the copy for students, and runs only if it grades without the kit.
UNGRADED = """

### BEGIN HIDDEN TESTS
raise AssertionError("graded without the course's kit: add its lines to nbgrader_config.py and autograde again")
### END HIDDEN TESTS"""
HEADING = translated("## {title} ({points:g} points)")
EXAMPLES = translated("# {points:g} points. These are examples; the grading checks much more.")
NO_EXAMPLES = translated("# {points:g} points, given when this is graded.")
SHEET_CELL = translated("### Your answers\n\nWrite each answer after its colon.")
WIDTH = 100
IMPORTS = {
    "torch": ("from torch import inf, nan, tensor", "from torch.testing import assert_close"),
    "numpy": (
        "from numpy import array, inf, nan",
        "from numpy.testing import assert_allclose",
        "",
        "def assert_close(got, due, **tolerance):",
        "    if isinstance(due, dict):",
        "        got, due = [got[key] for key in due], [*due.values()]",
        "    if isinstance(due, (list, tuple)):",
        "        for one, other in zip(got, due):",
        "            assert_close(one, other, **tolerance)",
        "    elif due is None:",
        "        assert got is None",
        "    else:",
        "        assert_allclose(got, due, **tolerance)",
    ),
}
REGION = ("### BEGIN SOLUTION", "### END SOLUTION")


def notebook(
    course: Course,
    unit: Unit,
    lang: str,
    examples: Mapping[str, Sequence[ExampleCall]],
    questions: Mapping[str, Sequence[DescribedQuestion]],
) -> NotebookNode:
    """Return the source notebook of a unit, with the texts in `lang`; the same each time it is made.

    Raises:
        CourseError: a stub cannot be read or is not Python.
    """
    cells = [_text(f"# {unit.title.to(lang)}\n\n{INTRODUCTION.to(lang)}")]
    for exercise in unit.exercises:
        heading = HEADING.format(title=exercise.title, points=exercise.points).to(lang)
        if exercise.kind != "questions":
            cells += _code(course, exercise, heading, lang, examples.get(exercise.id, ()))
        else:
            cells += _questions(exercise, heading, lang, questions[exercise.id])
    cells += _sheet(course, unit, lang, questions)
    code = [exercise.id for exercise in unit.exercises if exercise.kind != "questions"]
    cells += [new_code_cell(AS_GRADED.format(id=repr(id)).to(lang)) for id in code[:1]]
    return assembled(cells, unit.id[:40])


def _code(
    course: Course, exercise: Exercise, heading: str, lang: str, examples: Sequence[ExampleCall]
) -> list[NotebookNode]:
    path = course.stub(exercise.id)
    try:
        task, work = split(path.read_text(encoding="utf-8"), lang)
    except (OSError, UnicodeDecodeError, SyntaxError) as error:
        raise CourseError(f"{path}: cannot be made into notebook cells: {error}") from error
    return [
        _text(f"{heading}\n\n{task}"),
        _marked(new_code_cell(work), work_cell(exercise.source), solution=True),
        _marked(
            new_code_cell(_tests(exercise, examples, lang, course.settings.arrays) + UNGRADED),
            exercise.id,
            points=exercise.points,
        ),
    ]


def _questions(
    exercise: Exercise, heading: str, lang: str, questions: Sequence[DescribedQuestion]
) -> list[NotebookNode]:
    """Return the cells of the questions; below a written one a cell for its answer, in the source with the rubric."""
    cells = [_text(heading)]
    for question in questions:
        said = f"**{question.name}** ({question.points:g}) {question.text.to(lang)}\n\n"
        choices = [f"- {letter}: {option.to(lang)}" for letter, option in question.options]
        if not question.rubric:
            cells.append(_text(said + "\n".join([*choices, f"\n→ {question.about.to(lang)}"]).strip()))
            continue
        rubric = "\n".join([REGION[0], *(f"- {line.to(lang)}" for line in question.rubric), REGION[1]])
        answer = _marked(
            new_markdown_cell(rubric), f"{exercise.id}-{question.name}", solution=True, points=question.points
        )
        cells += [_text(said.strip()), answer]
    return cells


def _sheet(
    course: Course, unit: Unit, lang: str, questions: Mapping[str, Sequence[DescribedQuestion]]
) -> list[NotebookNode]:
    """Return one cell for the answers to all questions of the unit that need no person, and their grade cells."""
    marked = {e.id: [q for q in questions[e.id] if not q.rubric] for e in unit.exercises if e.kind == "questions"}
    exercises = tuple(e for e in unit.exercises if marked.get(e.id))
    if not exercises:
        return []
    alone = dataclasses.replace(unit, exercises=exercises)
    only = dataclasses.replace(course, settings=dataclasses.replace(course.settings, units=(alone,)))
    lines = blank_sheet(only, marked, COMMON, lang).splitlines()
    fields = [line for line in lines if line.strip() and not line.lstrip().startswith(("#", "variant:"))]
    work = "\n".join([f"%%writefile {file_name(SHEET)}", *REGION, *fields])
    worth = {e.id: total(q.points for q in marked[e.id]) for e in exercises}
    grades = [
        _marked(new_code_cell(NO_EXAMPLES.format(points=points).to(lang) + UNGRADED), id, points=points)
        for id, points in worth.items()
    ]
    return [_text(SHEET_CELL.to(lang)), _marked(new_code_cell(work), work_cell(SHEET), solution=True), *grades]


def _text(source: str) -> NotebookNode:
    cell: NotebookNode = new_markdown_cell(source, metadata={"deletable": False, "editable": False})
    return cell


def _marked(cell: NotebookNode, id: str, *, solution: bool = False, points: float | None = None) -> NotebookNode:
    """Return the cell with nbgrader's marks: a solution of the student's, worth points, or both (for a person to
    grade).
    """
    marks: dict[str, Any] = {
        "schema_version": 3, "grade_id": id, "solution": solution, "grade": points is not None,
        "locked": not solution, "task": False, "cell_type": cell.cell_type,
    }  # fmt: skip
    cell.metadata.nbgrader = marks if points is None else {**marks, "points": points}
    return cell


def _tests(exercise: Exercise, examples: Sequence[ExampleCall], lang: str, arrays: str) -> str:
    if not examples:
        return NO_EXAMPLES.format(points=exercise.points).to(lang)
    before = dict.fromkeys(text for example in examples for text in example.before)
    lines = [EXAMPLES.format(points=exercise.points).to(lang), *IMPORTS[arrays], "", *before]
    for example in examples:
        nan = ", equal_nan=True" if "nan" in example.result else ""
        call, result = (textwrap.indent(broken(getattr(example, part)), "    ") for part in ("call", "result"))
        lines += [
            "assert_close(",
            f"{call},",
            f"{result},",
            f"    rtol=0.01, atol=0.001{f'{nan}, check_dtype=False' if arrays == 'torch' else ''},",
            ")",
        ]
    return "\n".join(lines)


def broken(expression: str) -> str:
    """Return an expression, too long for a line, with a line for each of its outermost arguments or items."""
    if len(expression) <= WIDTH or (start := expression.find("(")) < 0 or not expression.endswith(")"):
        return expression
    depth, parts = 0, [""]
    for sign in expression[start + 1 : -1]:
        depth += (sign in "([{") - (sign in ")]}")
        parts = [*parts, ""] if sign == "," and depth == 0 else [*parts[:-1], parts[-1] + sign]
    inside = ",\n".join(f"    {part.strip()}" for part in parts if part.strip())
    return f"{expression[: start + 1]}\n{inside},\n)"


def split(stub: str, lang: str) -> tuple[str, str]:
    """Split a stub into the task, in Markdown, and the student's code cell, both with their texts in `lang`.

    Raises:
        SyntaxError: the stub is not Python.
    """
    stub = stub_languages.in_language(stub, lang)
    tree, lines = ast.parse(stub), stub.splitlines()
    begun = [n for n in ast.walk(tree) if isinstance(n, ast.Raise) and "NotImplementedError" in ast.unparse(n)]
    for node in sorted(begun, key=lambda n: n.lineno, reverse=True):
        lines[node.lineno - 1 : node.lineno - 1] = [" " * node.col_offset + mark for mark in REGION]
    own = tree.body[0] if ast.get_docstring(tree) is not None else None
    work = "\n".join(lines[own.end_lineno if own and own.end_lineno else 0 :]).strip()
    if not begun:  # code to be mended: all of it stays, the region above it only tells nbgrader so
        work = "\n".join([*REGION, work])
    return ast.get_docstring(tree) or "", work


def written(nb: NotebookNode) -> bytes:
    """Return the notebook as a file."""
    text: str = nbformat.writes(nb)
    return text.encode()
