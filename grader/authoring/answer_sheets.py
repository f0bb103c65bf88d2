"""Writes the files of concept questions: the blank answer sheet, the solved one, the answers with their evidence."""

from __future__ import annotations

import json
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from grader.course import COMMON, SHEET, Course, Exercise, file_name
from grader.sandbox.processes import DescribedQuestion
from grader.texts import WITHOUT_SPACES, Text, translated

WIDTH = 110
CLOSING = set("，。；：、！？）》」’”…%")  # none of these begins a line
OPENING = "（《「‘“"  # none of these ends one
_PLAIN = re.compile(r"[\w.+/%-]+")
_COMMENTS = re.compile(r"^[ \t]*#.*(?:\n[ \t]*#.*)*$", re.MULTILINE)

_WORTH = re.compile(r"^[ \t]*# \((\d+(?:\.\d+)?)\) .*\n(?:[ \t]*#.*\n)*[ \t]+(\w+)[ \t]*:", re.MULTILINE)

Questions = Sequence[DescribedQuestion]

HEAD = translated(
    """\
# The answer sheet. Write each answer after its colon; the arrow above it points to the place and says in which form.
# Decimals have a point (0.25); fractions and square roots are fine too; letters may be capitals. A `?` or nothing is no
# answer. `grader check` looks at the sheet.
"""
)
INTRODUCTION = translated(
    """\
Every concept question with its answer and the numbers that prove it. Nothing here is written by hand:
`grader answers --write` runs each question's experiment on the solutions and writes this page, and a test fails when it
is stale.
"""
)
BY_HAND = translated("A person grades this, by these lines:")
FULL = translated("An answer that gets all points")
EXAMPLE, ANSWER = translated("An answer that is right"), translated("Answer")
NOT = translated("Not `{answer}`: {why}")


def generated(course: Course, questions: Mapping[str, Questions]) -> dict[Path, str]:
    """Return the course's files that experiments write, with their content, in the course's own language."""
    lang = course.settings.languages[0]
    return {
        course.root / "exercises" / file_name(SHEET): blank_sheet(course, questions, COMMON, lang),
        course.root / "solutions" / file_name(SHEET): _sheet(course, questions, COMMON, lang, lambda q: q.key),
        course.root / "solutions" / "ANSWERS.md": answers_page(course, questions, lang),
    }


def blank_sheet(course: Course, questions: Mapping[str, Questions], variant: str, lang: str) -> str:
    """Return `exercises/answers.yaml`: every question, nothing filled in."""
    return _sheet(course, questions, variant, lang, lambda q: q.blank)


def with_points_of(sheet: str, questions: Mapping[str, Questions]) -> Mapping[str, Questions]:
    """Return the questions with a sheet's points: in a student's copy they have none of their own."""
    said = {name: float(points) for points, name in _WORTH.findall(sheet)}
    return {
        id: [msgspec.structs.replace(q, points=said.get(q.name, q.points)) for q in asked]
        for id, asked in questions.items()
    }


def translated_sheet(filled: str, blanks: Sequence[str], wanted: str) -> str:
    """Replace a sheet's comments from one of `blanks` by those of the blank sheet `wanted`.

    Everything else stays as it is, such as answers and a student's own notes beside them.
    """
    place, ending = 0, "\r\n" if "\r\n" in filled else "\n"
    for said, *known in zip(*map(_COMMENTS.findall, (wanted, *blanks)), strict=False):
        lines = (re.escape(comment.replace("\n", ending)) for comment in known)
        if there := re.compile(rf"^(?:{'|'.join(lines)})(?=\r?$)", re.MULTILINE).search(filled, place):
            filled = filled[: there.start()] + said.replace("\n", ending) + filled[there.end() :]
            place = there.start() + len(said)
    return filled


def _sheet(
    course: Course, questions: Mapping[str, Questions], variant: str, lang: str,
    answer: Callable[[DescribedQuestion], Any],
) -> str:  # fmt: skip
    lines = [*HEAD.to(lang).splitlines(), "", f"variant: {flow(variant)}", ""]
    for exercise in (e for e in asked(course) if e.id in questions):
        lines += [f"# {exercise.title.to(lang)}", f"{exercise.id}:"]
        for question in questions[exercise.id]:
            comment = (f"  # {line}".rstrip() for line in _comment(question, lang))
            lines += ["", *comment, *entry(question.name, answer(question))]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def asked(course: Course) -> list[Exercise]:
    """Return the exercises whose answers go on the sheet."""
    return [e for e in course.exercises if e.kind == "questions"]


def _comment(question: DescribedQuestion, lang: str) -> Iterator[str]:
    said = f"({question.points:g}) {question.text.to(lang)}"
    yield from wrapped(said) if lang in WITHOUT_SPACES else textwrap.wrap(said, WIDTH)
    for letter, text in question.options:
        yield f"  {letter}: {text.to(lang)}"
    yield f"↓ {question.about.to(lang)}"


def wrapped(text: str) -> list[str]:
    """Return Chinese text in lines of WIDTH columns: broken between any two characters, but not inside a Latin word."""
    lines, room = [""], WIDTH
    for word in re.findall(r"[\x21-\x7e]+ ?|.", text):
        columns = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in word)
        if columns > room and word[0] not in CLOSING:
            full = lines[-1].rstrip()
            lines[-1] = full.rstrip(OPENING)
            lines.append(full[len(lines[-1]) :])
            room = WIDTH - 2 * len(lines[-1])
        lines[-1] += word
        room -= columns
    return lines


def entry(name: str, value: Any) -> list[str]:
    """Return the lines of an answer: a table one row per line, any other answer on one line."""
    if isinstance(value, Mapping):
        return [f"  {name}:", *(f"    {row}: {flow(cells)}" for row, cells in value.items())]
    return [f"  {name}: {flow(value)}".rstrip()]


def flow(value: Any) -> str:
    """Return a value of a sheet on one line."""
    if isinstance(value, Mapping):
        pairs = (f"{flow(k)}: {flow(v)}".rstrip() + (" " if v is None else "") for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value is None:
        return ""
    return str(value) if _PLAIN.fullmatch(str(value)) else json.dumps(str(value), ensure_ascii=False)


def answers_page(course: Course, questions: Mapping[str, Questions], lang: str) -> str:
    """Return `solutions/ANSWERS.md`: each answer with its evidence."""
    parts = ["# Answers\n", INTRODUCTION.to(lang)]
    for exercise in asked(course):
        parts.append(f"## {exercise.title.to(lang)}\n")
        parts += [explained(exercise.id, question, lang) for question in questions[exercise.id]]
    return "\n".join(parts).rstrip() + "\n"


def explained(exercise: str, question: DescribedQuestion, lang: str) -> str:
    """Return one question in Markdown: text, options, answer, evidence, and the explanations of wrong answers."""
    lines = [f"### {exercise}: {question.name}", "", question.text.to(lang), ""]
    lines += [f"- {letter}: {text.to(lang)}" for letter, text in question.options]
    if question.rubric:
        lines += ["", BY_HAND.to(lang), "", *(f"- {line.to(lang)}" for line in question.rubric)]
        lines += ["", f"**{FULL.to(lang)}**: {Text(question.key).to(lang)}"] if question.key else []
    else:
        lines += ["", f"**{(EXAMPLE if question.example else ANSWER).to(lang)}**: `{flow(question.key)}`"]
    for caption, rows in question.shown:
        headless = [[""] * len(rows[0]), *rows] if len(rows) == 1 else rows
        lines += ["", caption.to(lang), *(["", *table(headless)] if rows else [])]
    for value, why in question.wrong_answers:
        lines += ["", NOT.format(answer=flow(value), why=why).to(lang)]
    return "\n".join(lines) + "\n"


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a Markdown table; the first row is its head."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]
