"""Writes Moodle XML: questions in categories of the question bank, as Moodle 4 imports them.

Words are matched, several numbers are fields of a cloze question, whose marks are whole numbers.
"""

from __future__ import annotations

import html
import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence

from grader.integrations.markup import document, node, table
from grader.integrations.quizzes.items import QuizItem, Section
from grader.texts import Text, translated

FILE, SYSTEM = "questions.xml", "Moodle"
MARKS = translated(
    "{question}: Moodle gives {marks} points for its numbers; set its maximum mark in the quiz to {points:g}"
)
TYPES = {"one": "multichoice", "many": "multichoice", "matching": "matching", "essay": "essay"}


def write(title: str, sections: Sequence[Section]) -> bytes:
    """Return the file. Each section has a category, and so has each question whose numbers vary, with its versions."""
    quiz = ET.Element("quiz")
    for section in sections:
        place = [title, section.unit, section.title]
        for versions in section.questions:
            inner = versions[0].name.rpartition("/")[2]
            path = [name.replace("/", "//") for name in (*place, *([inner] if len(versions) > 1 else []))]
            category = node("category", node("text", "/".join(["$course$", "top", *path])))
            quiz.append(node("question", category, type="category"))
            quiz.extend(_question(item) for item in versions)
    return document(quiz)


def lost(item: QuizItem) -> Iterator[Text]:
    """Yield what Moodle does differently from the course."""
    yield from item.lost
    marks = _mark(item) * len(item.numbers)
    if len(item.numbers) > 1 and marks != item.points:
        yield MARKS.format(question=item.name, marks=marks, points=item.points)


def _question(item: QuizItem) -> ET.Element:
    kind = TYPES.get(item.kind) or ("cloze" if len(item.numbers) > 1 else "numerical")
    text = item.text + _fields(item) if kind == "cloze" else item.text
    found = node("question", node("name", node("text", item.name)), _html("questiontext", text), type=kind)
    found.append(_html("generalfeedback", item.feedback))
    if kind != "cloze":
        found.extend([node("defaultgrade", f"{item.points:g}"), *_answers(item)])
    return found


def _answers(item: QuizItem) -> Iterator[ET.Element]:
    """Yield the elements that only questions of its type have."""
    if item.kind == "essay":
        yield from (node("responseformat", "editor"), _html("graderinfo", item.rubric))
    elif item.kind == "matching":
        yield node("shuffleanswers", "true")
        extra = [("", word) for word in item.words if word not in dict(item.pairs).values()]
        for left, right in (*item.pairs, *extra):
            yield node(
                "subquestion", node("text", html.escape(left)), node("answer", node("text", right)), format="html"
            )
    elif item.kind == "numbers":
        (number,) = item.numbers
        tolerance = node("tolerance", number.tolerance)
        yield node("answer", node("text", number.value), tolerance, fraction="100")
    else:
        yield from (node("single", str(item.kind == "one").lower()), node("shuffleanswers", "false"))
        yield node("answernumbering", "none")
        rights = sum(right for _, right in item.options)
        wrongs = len(item.options) - rights if item.kind == "many" else math.inf
        for said, is_right in item.options:
            earned = 100 / rights if is_right else 0.0 - 100 / wrongs
            yield node("answer", node("text", said), fraction=f"{earned:.5f}", format="html")


def _fields(item: QuizItem) -> str:
    """Return a table of fields to fill in."""
    start = f"{{{_mark(item)}:NUMERICAL:="
    cells = [f"{html.escape(n.label)}: {start}{n.value}:{n.tolerance}}}" for n in item.numbers]
    return table([cells[i : i + item.in_row] for i in range(0, len(cells), item.in_row)])


def _mark(item: QuizItem) -> int:
    """Return the marks of each field, a whole number."""
    each = item.points / max(len(item.numbers), 1)
    return int(each) if each >= 1 and each == int(each) else 1


def _html(tag: str, text: str) -> ET.Element:
    return node(tag, node("text", text), format="html")
