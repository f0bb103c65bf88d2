"""Concept questions as forms of a page, what became of each answer, and the card of questions that come again.

A page with forms takes the style `questions.css` and the script `questions.js`. No form holds anything of the key.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from grader.rendering.pages import pages as html
from grader.report import ExerciseReport
from grader.report.report import Check
from grader.sandbox.processes import AsWritten, DescribedQuestion
from grader.texts import NOTHING, Text, translated

PARTS = "question_form.html"
AGAIN = "again-"  # before the ids of forms that come again, which may stand on the page a second time
LONGEST_WORD = 24  # characters of an option that a list to choose from can show
NONE = "none"
CHOOSE, ALL_THAT_APPLY = translated("Choose one."), translated("Choose all that apply.")
IN_ORDER, EACH_CELL = translated("Choose a letter for each place."), translated("Choose one in each cell.")
_BETWEEN = re.compile(r"[\s,，、;；\[\](){}]+")
Questions = Sequence[DescribedQuestion]


@dataclasses.dataclass(frozen=True)
class Filled:
    """The content of a form's fields: one text, cells by row and column, or choices; `left` is what fits none."""

    text: str = ""
    cells: Mapping[tuple[Any, Any], str] = dataclasses.field(default_factory=dict)
    chosen: Sequence[str] = ()
    left: str = ""


def forms(
    section: str, questions: Questions, given: Mapping[str, Any], languages: Sequence[str],
    results: Mapping[str, Markup] | None = None, prefix: str = "",
) -> dict[str, Markup]:  # fmt: skip
    """A form for each question, by its name.

    Args:
        section: the exercise that asks them.
        questions: as a grading process describes them.
        given: what stands on the sheet by the questions' names, as `SheetWriting.given` says.
        languages: those that the page can show.
        results: what `verdicts` says of the answers, where it is to be seen at once.
        prefix: of ids, for a form that is on the page twice.
    """
    shown = results or {}
    return {
        q.name: html.part(
            PARTS, "question_form", languages, _asked(q), section, filled(q, given.get(q.name)),
            _words(q, languages), shown.get(q.name, ""), prefix,
        )
        for q in questions
    }  # fmt: skip


def verdicts(report: ExerciseReport, questions: Questions, languages: Sequence[str]) -> dict[str, Markup]:
    """Return the verdict on each answer that was given, by the question's name; with the evidence once it is right.

    The report must be redacted already.
    """
    asked = {q.name: q for q in questions}
    told = {check: d.message for d in report.diagnoses for check in d.checks}
    return {
        check.id: html.part(
            PARTS, "question_verdict", languages, check, asked[check.id].shown, state(check),
            _untold(told.get(check.id, NOTHING), check),
        )
        for check in report.checks
        if check.id in asked and not check.blank
    }  # fmt: skip


def review(found: Sequence[tuple[str, Text, DescribedQuestion]], languages: Sequence[str]) -> Markup:
    """The card of questions that come again, their fields empty: (exercise, its unit's title, question) each."""
    again = [(title, forms(section, [q], {}, languages, prefix=AGAIN)[q.name]) for section, title, q in found]
    return html.part(PARTS, "review_card", languages, again) if again else Markup("")


def _asked(question: DescribedQuestion) -> DescribedQuestion:
    """The question, what to write said for its fields and not for a sheet."""
    fields, about = question.fields, question.about
    if fields.kind == "choice":
        about = IN_ORDER if fields.ordered else ALL_THAT_APPLY if fields.many else CHOOSE
    elif fields.cell == "choice":
        about = EACH_CELL
    elif "rows" in about.values:
        about = about.format(rows=NOTHING)
    return msgspec.structs.replace(question, about=about)


def _untold(mistake: Text, check: Check) -> Text:
    """The mistake behind a wrong answer, where the reason does not say it already."""
    return NOTHING if mistake.to("en") in check.reason.to("en") else mistake


def state(check: Check) -> str:
    """right, in_part, wrong, or waits for a person."""
    if check.verdict == "skipped":
        return "waits"
    return "right" if check.verdict == "passed" else "in_part" if check.points else "wrong"


def filled(question: DescribedQuestion, value: Any) -> Filled:
    """Return what the fields of a question hold if this is its answer on the sheet."""
    if isinstance(value, AsWritten):
        return Filled(left=value.text)
    fields, found = question.fields, None
    if value is None:
        return Filled()
    if fields.kind == "choice":
        found = _chosen(question, value)
    elif fields.kind == "table":
        found = _cells(fields.rows, fields.columns, value)
    elif fields.kind == "numbers":
        rows, columns = fields.shape if len(fields.shape) == 2 else (1, fields.shape[0])
        found = _cells(range(rows), range(columns), value)
    elif isinstance(value, str):
        found = Filled(value)
    return found or Filled(left=value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _chosen(question: DescribedQuestion, value: Any) -> Filled | None:
    known = {letter.casefold(): letter for letter, _ in question.options}
    words = list(map(str, _parts(value)))
    if question.fields.many and [word.casefold() for word in words] == [NONE]:
        return Filled(chosen=(NONE,))
    found = [known.get(word.strip().casefold(), "") for word in words]
    fits = all(found) or (question.fields.ordered and any(found) and len(found) <= len(known))
    several = question.fields.many or question.fields.ordered or len(found) == 1
    return Filled(chosen=found) if fits and several else None


def _cells(rows: Sequence[Any], columns: Sequence[Any], value: Any) -> Filled | None:
    """The fields of a grid, where the answer has as many parts, or names the rows and columns."""
    parts: list[list[str] | None] = [None]
    if isinstance(value, Mapping):
        parts = [_row(columns, value.get(row)) for row in rows] if set(value) <= set(rows) else parts
    elif isinstance(value, list) and len(value) == len(rows) > 1 and not all(isinstance(v, str) for v in value):
        parts = [_row(columns, row) for row in value]
    else:
        flat, width = _parts(value), len(columns)
        fits = len(flat) == len(rows) * width and all(isinstance(v, str) for v in flat)
        parts = [flat[n : n + width] for n in range(0, len(flat), width)] if fits else parts
    if None in parts:
        return None
    return Filled(cells=dict(zip(itertools.product(rows, columns), itertools.chain(*filter(None, parts)), strict=True)))


def _row(columns: Sequence[Any], value: Any) -> list[str] | None:
    if value is None or value == "":
        return [""] * len(columns)
    if isinstance(value, Mapping):
        return [str(value.get(column) or "") for column in columns] if set(value) <= set(columns) else None
    found = _parts(value)
    return list(map(str, found)) if len(found) == len(columns) else None


def _parts(value: Any) -> list[Any]:
    """Return the parts of an answer, which is a list or one text."""
    return value if isinstance(value, list) else list(filter(None, _BETWEEN.split(str(value))))


def _words(question: DescribedQuestion, languages: Sequence[str]) -> dict[str, dict[str, str]]:
    """The options in each language, where they are words and not sentences behind letters."""
    found = {option: {lang: text.to(lang) for lang in languages} for option, text in question.options}
    short = all(len(text) <= LONGEST_WORD for texts in found.values() for text in texts.values())
    return found if short and any(len(option) > 1 for option in found) else {}
