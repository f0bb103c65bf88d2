"""What one answer gets: right, or not right and what may be said of it where results are shown, and where they are not.

Where they are not (`feedback: hints`), what is said depends on what was written and not on what is right. Only a known
mistake in numbers is named, in words.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.arrays import torch
from grader.questions.answer_forms import Form
from grader.questions.lab import Solved, WrongAnswer
from grader.questions.numbers import Given, Unreadable
from grader.questions.tables import Table
from grader.questions.units import numbers_in, refuse_units
from grader.report import report
from grader.suites import CheckFailed
from grader.texts import NOTHING, Text, plain, translated

NOT_RIGHT = translated("not what the experiment gives")
NOT_SO = translated("it is not what is asked for")
AND_MORE = translated("{said}; more than that is wrong")
WRONG_CELLS = translated("{wrong} of {total} cells are not what the experiment gives")
FIRST_WRONG = translated("{said}, first row {row}, column {column}")
FITS = translated("its form is right; it is marked when you hand it in")
WANTED = translated("{problem}; asked for: {form}")
NOT_FINITE = translated("every number must be finite")
NOT_TRIED = translated("the experiment cannot be run with these numbers")
_REMEDY = re.compile(r"(?:[;:]\s|[；：]).*", re.DOTALL)  # what follows the name of a mistake
_NUMBER = re.compile(
    r"(?<![A-Za-z_])\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hal(?:f|ves|ved)|twice"
    r"|doubled?|doubles|triple|thirds?|quarters?|next)\b|[二两三四五六七八九十百千半倍]|下一",
    re.IGNORECASE,
)

Judged = tuple[report.Verdict, Text, WrongAnswer | None]


def judged(solved: Solved, given: Any, damage: Text | None, kind: str) -> Judged:
    """The verdict on an answer, the reason, and the known wrong answer that it is.

    Args:
        solved: the question with its key.
        given: the answer as it stands on the sheet.
        damage: what is wrong with the place where it stands.
        kind: the arrays of the course.
    """
    form: Form = solved.question.form
    try:
        answer = form.read(given)
        refuse_units(answer, solved.text)
        if not solved.question.experiment:
            return "skipped", FITS, None
        if solved.question.accepts:
            _try_out(solved.question.accepts, _constructed(answer, getattr(form, "shape", ()), kind))
            return "passed", plain(""), None
    except Unreadable as error:
        return "failed", WANTED.format(problem=damage or error.reason, form=form.about()), None
    except CheckFailed as error:
        return "failed", error.reason.or_hint(_in_words(error.reason) or NOT_SO), None
    if form.right(answer, solved.key):
        return "passed", plain(""), None
    return "failed", *_wrong(solved, form, answer)


def _wrong(solved: Solved, form: Form, answer: Any) -> tuple[Text, WrongAnswer | None]:
    unnamed = _unnamed(form, answer)
    shared = [form.shared(answer, w.value, solved.key) for w in solved.wrong_answers]
    if not any(shared):
        return _why(form, answer, solved.key).or_hint(unnamed), None
    known = solved.wrong_answers[shared.index(max(shared))]
    if not form.right(answer, known.value):
        hidden = dataclasses.replace(known, message=known.message.or_hint(NOTHING))
        return AND_MORE.format(said=known.message).or_hint(unnamed), hidden
    name = None if form.choices() else _in_words(known.message)
    named = dataclasses.replace(known, message=known.message.or_hint(name or NOTHING))
    return known.message.or_hint(name or unnamed), named


def _in_words(message: Text) -> Text | None:
    """The name of a mistake without its remedy; None where it has a number in it."""
    name = message.each(lambda sentence: _REMEDY.sub("", sentence))
    return None if any(map(_NUMBER.search, name.sentences)) else name


def _unnamed(form: Form, answer: Any) -> Text:
    """What can be said of a wrong answer without the right one in view."""
    if form.choices():
        return NOT_RIGHT
    unsure = next((number.unsure for number in numbers_in(answer) if number.unsure), NOT_RIGHT)
    return WANTED.format(problem=unsure, form=form.about())


def _why(form: Form, answer: Any, key: Any) -> Text:
    if doubt := form.doubt(answer, key):
        return doubt
    if isinstance(form, Table):
        wrong = form.wrong_cells(answer, key)
        said = WRONG_CELLS.format(wrong=len(wrong), total=len(form.rows) * len(form.columns))
        return FIRST_WRONG.format(said=said, row=wrong[0][0], column=wrong[0][1])
    return NOT_RIGHT


def _constructed(answer: Any, shape: Sequence[int], kind: str) -> Any:
    """Numbers as an array of the course's kind, for a construction that is tried out; anything else as it was read."""
    given = answer if isinstance(answer, list) else [answer]
    if not all(isinstance(g, Given) for g in given):
        return answer
    if not all(math.isfinite(g.value) for g in given):  # else inf would be beyond any bound that is asked for
        raise Unreadable(NOT_FINITE)
    found = np.array([g.value for g in given], dtype=float).reshape(tuple(shape))
    return torch.from_numpy(found) if kind == "torch" else found


def _try_out(accepts: Callable[[Any], None], given: Any) -> None:
    """Raises CheckFailed, or Unreadable where nothing can be computed with the numbers."""
    try:
        accepts(given)
    except (ArithmeticError, ValueError, RuntimeError) as error:  # 1e308 squared, a matrix without an inverse
        raise Unreadable(NOT_TRIED) from error
