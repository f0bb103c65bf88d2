"""Judges one answer: right, or wrong with what may be said of it, with and without shown results.

Without shown results (`feedback: hints`) the sentence depends on the student's answer and not on the key. Only a known
mistake in numbers is named, in words.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from grader.arrays import torch
from grader.catalogues import ENGLISH, Signs
from grader.questions.answer_forms import Form
from grader.questions.lab import Solved, WrongAnswer
from grader.questions.numbers import LONGEST, TypedNumber, Unreadable
from grader.questions.tables import Table
from grader.report import report
from grader.suites import CheckFailed
from grader.texts import NOTHING, Text, either, in_every_language, places, plain, translated

NOT_RIGHT = translated("not what the experiment gives")
NOT_SO = translated("it is not what the question asks for")
AND_MORE = translated("{said}; more than that is wrong")
FIRST_WRONG = translated("row {row}, column {column}: not what the experiment gives")
IN_PART = translated("{said} ({parts})")
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


UNIT = translated("write the number alone, in what the question asks for, without {unit!r}")
_WORDS = """byte parameter param token score head row column channel number entry entries cell word key step layer
    position rad radian time x value pair query queries
    次 倍 步 层 头 位 行 列 字节 参数 词元 弧度 数 格 对 分数 键 词 通道"""
COUNTS = set(_WORDS.split())


class Judged(NamedTuple):
    """The judgement of an answer: the verdict, the reason, the known wrong answer, the share of the points."""

    verdict: report.Verdict
    reason: Text
    known: WrongAnswer | None = None
    share: float = 0.0


def judged(solved: Solved, given: Any, damage: Text | None, kind: str, signs: Signs = ENGLISH) -> Judged:
    """Judge an answer.

    Args:
        solved: the question with its key.
        given: the answer as it stands on the sheet.
        damage: what is wrong with its place on the sheet.
        kind: the arrays of the course.
        signs: how numbers are written in its language.
    """
    form: Form = solved.question.form
    try:
        answer = form.read(given, signs)
        refuse_units(answer, solved.text)
        if not solved.question.experiment:
            return Judged("skipped", FITS)
        if solved.question.accepts:
            _try_out(solved.question.accepts, _constructed(answer, getattr(form, "shape", ()), kind))
            return Judged("passed", NOTHING, share=1.0)
    except Unreadable as error:
        said = WANTED.format(problem=damage or error.reason, form=form.about())
        parted = solved.question.experiment and not solved.question.accepts
        return _in_part(solved, said, readable(form, given, solved.text, signs) if parted else None)
    except CheckFailed as error:
        return Judged("failed", either(error.reason, plain(name) if (name := _in_words(error.reason)) else NOT_SO))
    if form.right(answer, solved.key):
        return Judged("passed", NOTHING, share=1.0)
    reason, known = _wrong(solved, form, answer)
    return _in_part(solved, reason, answer)._replace(known=known)


def readable(form: Form, given: Any, question: Text, signs: Signs) -> Any:
    """Return the readable parts of an answer, if any; in a table, None for each cell that cannot be read."""
    try:
        answer = form.read(given, signs)
    except Unreadable as error:
        answer = error.rest
    try:
        refuse_units(answer, question)
    except Unreadable:
        return None
    return answer


def _in_part(solved: Solved, reason: Text, answer: Any) -> Judged:
    """Judge an answer that is not right as a whole: how much of it is right, if any part could be read."""
    if answer is None:
        return Judged("failed", reason)
    parts = solved.question.form.parts(answer, solved.key)
    if parts.said:
        reason = either(IN_PART.format(said=reason, parts=parts.said), reason)
    return Judged("failed", reason, share=parts.share)


def _wrong(solved: Solved, form: Form, answer: Any) -> tuple[Text, WrongAnswer | None]:
    unnamed = _unnamed(form, answer)
    shared = [form.shared(answer, w.value, solved.key) for w in solved.wrong_answers]
    if not any(shared):
        return either(_why(form, answer, solved.key), unnamed), None
    known = solved.wrong_answers[shared.index(max(shared))]
    if not form.right(answer, known.value):
        hidden = dataclasses.replace(known, message=msgspec.structs.replace(known.message, hint=""))
        return either(AND_MORE.format(said=known.message), unnamed), hidden
    told = dataclasses.replace(known, message=named(form, known.message))
    return told.message if told.message.hint else either(known.message, unnamed), told


def named(form: Form, message: Text) -> Text:
    """Name a known mistake; its hint is the mistake's name, or "" if that would reveal the answer."""
    return msgspec.structs.replace(message, hint="" if form.choices() else _in_words(message))


def _in_words(message: Text) -> str:
    """Return the name of a mistake without its remedy, itself a sentence of catalogues; "" if it contains a number."""
    name = _REMEDY.sub("", message.key)
    return "" if _NUMBER.search(name) or places(name) else name


def _unnamed(form: Form, answer: Any) -> Text:
    """Return a sentence on a wrong answer that does not reveal the right one."""
    if form.choices():
        return NOT_RIGHT
    unsure = next((number.unsure for number in numbers_in(answer) if number.unsure), NOT_RIGHT)
    return WANTED.format(problem=unsure, form=form.about())


def _why(form: Form, answer: Any, key: Any) -> Text:
    if doubt := form.doubt(answer, key):
        return doubt
    if isinstance(form, Table):
        wrong = form.wrong_cells(answer, key)
        return FIRST_WRONG.format(row=wrong[0][0], column=wrong[0][1])
    return NOT_RIGHT


def _constructed(answer: Any, shape: Sequence[int], kind: str) -> Any:
    """Return numbers as an array of the course's kind, to try out a construction; any other answer unchanged."""
    given = answer if isinstance(answer, list) else [answer]
    if not all(isinstance(g, TypedNumber) for g in given):
        return answer
    if not all(math.isfinite(g.value) for g in given):  # else inf would be beyond any bound that is asked for
        raise Unreadable(NOT_FINITE)
    found = np.array([g.value for g in given], dtype=float).reshape(tuple(shape))
    return torch.from_numpy(found) if kind == "torch" else found


def _try_out(accepts: Callable[[Any], None], given: Any) -> None:
    """Try out a construction. Raises CheckFailed, or Unreadable if nothing can be computed with the numbers."""
    try:
        accepts(given)
    except (ArithmeticError, ValueError, RuntimeError) as error:  # 1e308 squared, a matrix without an inverse
        raise Unreadable(NOT_TRIED) from error


def refuse_units(answer: Any, question: Text) -> None:
    """Raise Unreadable for a unit in the answer that may make another number: 2 KB, 3 million."""
    for number in numbers_in(answer):
        if number.unit and not _asked_for(number.unit, question):
            raise Unreadable(UNIT.format(unit=number.unit[:LONGEST]))


def numbers_in(answer: Any) -> Iterator[TypedNumber]:
    """Yield the numbers of an answer that was read, row by row."""
    if isinstance(answer, list):
        for item in answer:
            yield from numbers_in(item)
    elif isinstance(answer, TypedNumber):
        yield answer


def _asked_for(unit: str, question: Text) -> bool:
    """Return True if a unit is a plain count, or one that the question names."""
    words = unit.casefold().split()
    if all(w in COUNTS or w.removesuffix("s") in COUNTS for w in words) or unit.strip("个") in COUNTS | {""}:
        return True
    word = rf"\b{re.escape(unit)}\b"
    return (
        len(unit) > 1
        and not unit.startswith("的")
        and any(unit in said if not unit.isascii() else re.search(word, said) for said in in_every_language(question))
    )
