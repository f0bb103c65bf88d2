"""The questions of a course as quizzes can ask them: choices, pairs to match, numbers, essays for a person."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from grader.authoring.answer_sheets import ANSWER, BY_HAND, EXAMPLE, FULL, NOT, flow
from grader.closeness import LAST_DECIMAL, WRITTEN_EXACTLY
from grader.course import Exercise, Unit, total
from grader.integrations.markup import inline, plain, table
from grader.sandbox.processes import DescribedQuestion, Fields
from grader.texts import NOTHING, Text, translated

MOST_ALIKE = 10  # right or wrong options, whose fractions Moodle knows
CONSTRUCTED = translated(
    "{question}: many answers are right, so a person grades it there; the explanation has one of them"
)
NO_FORM = translated("{question}: no question there takes such an answer, so a person grades it there")
MATCHED = translated(
    "{question}: it becomes {count} pairs to match; each right one earns its part, a wrong one costs nothing"
)
ORDERED = translated(
    "{question}: it becomes {count} places to match; each right one earns its part, a wrong one costs nothing"
)
WHOLE = translated("{question}: its numbers count together here, and one by one there")
PLACES = translated("Choose the place of each; 1 is the first.")


@dataclasses.dataclass(frozen=True)
class NumberField:
    """A number to fill in: the label of its field, the right value, how far off an answer may be."""

    label: str
    value: str
    tolerance: str


@dataclasses.dataclass(frozen=True)
class QuizItem:
    """A question as a quiz asks it. Texts are HTML, except in `pairs` and `words`.

    options: of one or many, text and True for a right one. pairs: items to match with the `words`. numbers: row by row,
    so many in each. rubric: the lines by which a person grades an essay. lost: what the quiz does differently.
    """

    name: str
    points: float
    kind: Literal["one", "many", "matching", "numbers", "essay"]
    text: str
    feedback: str
    options: tuple[tuple[str, bool], ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    numbers: tuple[NumberField, ...] = ()
    in_row: int = 1
    rubric: str = ""
    lost: tuple[Text, ...] = ()


@dataclasses.dataclass(frozen=True)
class Section:
    """An exercise's questions; several items for one whose numbers vary."""

    id: str
    unit: str
    title: str
    questions: tuple[tuple[QuizItem, ...], ...]

    @property
    def points(self) -> float:
        return total(versions[0].points for versions in self.questions)


def sections(
    units: Sequence[Unit], versions: Sequence[Mapping[str, Sequence[DescribedQuestion]]], lang: str
) -> list[Section]:
    """Return the exercises of these units that ask concept questions.

    Args:
        versions: the questions by exercise, as often as their numbers were drawn.
    """

    def section(unit: Unit, exercise: Exercise) -> Section:
        drawn = zip(*(questions[exercise.id] for questions in versions), strict=True)
        different = ([q for n, q in enumerate(qs) if q not in qs[:n]] for qs in drawn)
        found = tuple(tuple(item(exercise.id, q, lang) for q in qs) for qs in different)
        return Section(exercise.id, unit.title.to(lang), exercise.title.to(lang), found)

    return [section(unit, e) for unit in units for e in unit.exercises if e.kind == "questions"]


def item(section: str, question: DescribedQuestion, lang: str) -> QuizItem:
    """Return the question in one language."""
    name, said = f"{section}/{question.name}", question.about
    found = _asked(question, lang)
    if question.fields.ordered:
        said = PLACES
    elif found["kind"] in ("one", "many", "matching"):
        said = NOTHING
    elif "rows" in said.values:
        said = said.format(rows=NOTHING)
    lost = tuple(text.format(question=name, count=len(found.get("pairs", ()))) for text in found.pop("lost", ()))
    text = "".join(f"<p>{inline(t.to(lang))}</p>" for t in (question.text, said) if t)
    text += _in_words(question, lang) if found["kind"] == "essay" else ""
    return QuizItem(name, question.points, text=text, feedback=_feedback(question, lang), lost=lost, **found)


def _asked(question: DescribedQuestion, lang: str) -> dict[str, Any]:
    """Return the parts to fill in, as fields of a QuizItem."""
    fields, key, kind = question.fields, question.key, question.fields.cell or question.fields.kind
    options = {letter: text.to(lang) for letter, text in question.options}
    essay = {"kind": "essay", "rubric": _rubric(question, lang)}
    if kind == "written":
        return essay
    if question.example:
        return {**essay, "lost": [CONSTRUCTED]}
    rows, columns = _grid(fields)
    cells = zip([", ".join(filter(None, cell)) for cell in itertools.product(rows, columns)], _flat(key), strict=False)
    if fields.ordered:
        places = [(f"{letter}: {plain(text)}", str(key.index(letter) + 1)) for letter, text in options.items()]
        return {"kind": "matching", "pairs": tuple(places), "words": _counted(len(places)), "lost": [ORDERED]}
    if fields.kind == "table" and kind == "choice":
        words = _words(question, lang)
        pairs = tuple((label, words[value]) for label, value in cells)
        return {"kind": "matching", "pairs": pairs, "words": tuple(words.values()), "lost": [MATCHED]}
    right = {*_flat(key)} & {*options}
    if kind == "choice" and right and max(len(right), len(options) - len(right)) <= MOST_ALIKE:
        each = ((f"<code>{letter}</code> {inline(text)}", letter in right) for letter, text in options.items())
        return {"kind": "many" if fields.many else "one", "options": tuple(each)}
    if kind in ("number", "numbers") and all(math.isfinite(float(value)) for value in _flat(key)):
        numbers = tuple(NumberField(label, value, _tolerance(value, fields.decimals)) for label, value in cells)
        lost = [WHOLE] if fields.whole else []
        return {"kind": "numbers", "numbers": numbers, "in_row": len(columns), "lost": lost}
    return {**essay, "lost": [NO_FORM]}


def _in_words(question: DescribedQuestion, lang: str) -> str:
    """Return the options and the empty table of a question that is answered in an essay."""
    options = "".join(f"<li><code>{letter}</code> {inline(text.to(lang))}</li>" for letter, text in question.options)
    rows, columns = question.fields.rows, question.fields.columns
    cells = [["", *map(inline, columns)], *([inline(row), *[""] * len(columns)] for row in rows)]
    return (f"<ul>{options}</ul>" if options else "") + (table(cells) if rows else "")


def _grid(fields: Fields) -> tuple[Sequence[str], Sequence[str]]:
    """Return the names of rows and columns of cells; a single line of them needs no name."""
    if fields.kind == "table":
        return fields.rows, fields.columns
    *rows, columns = fields.shape or (1,)
    return _counted(rows[0]) if rows else ("",), _counted(columns) if fields.shape else ("",)


def _flat(key: Any) -> list[str]:
    """Return the values of a key, row by row."""
    if not isinstance(key, Mapping | list | tuple):
        return [str(key)]
    return [value for inner in (key.values() if isinstance(key, Mapping) else key) for value in _flat(inner)]


def _counted(most: int) -> tuple[str, ...]:
    return tuple(map(str, range(1, most + 1)))


def _tolerance(value: str, decimals: int) -> str:
    """Return how far off an answer with the required decimals may be; an exact one only by floating point."""
    if decimals:
        return f"{LAST_DECIMAL * 10.0**-decimals:.{decimals + 3}f}"
    return "0" if value.lstrip("-").isdigit() else f"{WRITTEN_EXACTLY * abs(float(value)):.18f}"


def _words(question: DescribedQuestion, lang: str) -> dict[str, str]:
    """Return the options to match with, each with its letter if explanations use letters."""
    said = {letter: plain(text.to(lang)) for letter, text in question.options}
    return {letter: text if len(letter) > 1 else f"{letter}: {text}" for letter, text in said.items()}


def _feedback(question: DescribedQuestion, lang: str) -> str:
    """Return the answer, the evidence, and the explanations of wrong answers."""
    if question.fields.kind == "written":
        model = Text(question.key or "").to(lang)
        return f"<p><strong>{FULL.to(lang)}</strong> {inline(model)}</p>" if model else ""
    words = _words(question, lang) if question.fields.kind == "table" else {}
    label = (EXAMPLE if question.example else ANSWER).to(lang)
    parts = [f"<p><strong>{label}</strong> {inline(f'`{flow(_worded(question.key, words))}`')}</p>"]
    for caption, rows in question.shown:
        parts += [f"<p>{inline(caption.to(lang))}</p>", table([[inline(cell) for cell in row] for row in rows])]
    for value, why in question.wrong_answers:
        parts.append(f"<p>{inline(NOT.format(answer=flow(_worded(value, words)), why=why).to(lang))}</p>")
    return "".join(parts)


def _worded(value: Any, words: Mapping[str, str]) -> Any:
    """Return an answer with the words that the quiz shows."""
    if isinstance(value, Mapping):
        return {key: _worded(inner, words) for key, inner in value.items()}
    return words.get(value, value) if isinstance(value, str) else value


def _rubric(question: DescribedQuestion, lang: str) -> str:
    """Return the rubric for a person."""
    lines = "".join(f"<li>{inline(line.to(lang))}</li>" for line in question.rubric)
    return (f"<p>{BY_HAND.to(lang)}</p><ul>{lines}</ul>" if lines else "") + _feedback(question, lang)
