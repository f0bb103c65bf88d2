"""Writes what belongs to concept questions: the blank answer sheet, the solved one, the answers with their evidence."""

from __future__ import annotations

import json
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.course import COMMON, SHEET, Course, Exercise, file_name
from grader.sandbox.processes import DescribedQuestion
from grader.texts import WITHOUT_SPACES, translated

WIDTH = 110
CLOSING = set("，。；：、！？）》」’”…%")  # none of these begins a line
OPENING = "（《「‘“"  # none of these ends one
_PLAIN = re.compile(r"[\w.+/%-]+")

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
    """The files of the course that the experiments write, with their content."""
    return {
        course.root / "exercises" / file_name(SHEET): blank_sheet(course, questions, COMMON),
        course.root / "solutions" / file_name(SHEET): solved_sheet(course, questions, COMMON),
        course.root / "solutions" / "ANSWERS.md": answers_page(course, questions),
    }


def blank_sheet(course: Course, questions: Mapping[str, Questions], variant: str) -> str:
    """`exercises/answers.yaml`: every question, nothing filled in."""
    return _sheet(course, questions, variant, lambda q: q.blank)


def solved_sheet(course: Course, questions: Mapping[str, Questions], variant: str) -> str:
    """`solutions/answers.yaml`: every question, answered."""
    return _sheet(course, questions, variant, lambda q: q.key)


def _sheet(
    course: Course, questions: Mapping[str, Questions], variant: str, answer: Callable[[DescribedQuestion], Any]
) -> str:
    languages = course.settings.languages
    lines = [*"".join(dict.fromkeys(map(HEAD.to, languages))).splitlines(), "", f"variant: {_flow(variant)}", ""]
    for exercise in (e for e in asked(course) if e.id in questions):
        lines += [*(f"# {exercise.title.to(lang)}" for lang in languages), f"{exercise.id}:"]
        for question in questions[exercise.id]:
            lines += [
                "",
                *(f"  # {line}".rstrip() for line in _comment(question, languages)),
                *_entry(question.name, answer(question)),
            ]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def asked(course: Course) -> list[Exercise]:
    """The exercises whose answers go on the sheet."""
    return [e for e in course.exercises if e.kind == "questions"]


def _comment(question: DescribedQuestion, languages: Sequence[str]) -> Iterator[str]:
    points = f"({question.points:g}) "
    for lang in languages:
        said = points + question.text.to(lang)
        yield from wrapped(said) if lang in WITHOUT_SPACES else textwrap.wrap(said, WIDTH)
        points = ""
    for letter, text in question.options:
        yield f"  {letter}: {text.together(languages)}"
    yield f"↓ {question.about.together(languages)}"


def wrapped(text: str) -> list[str]:
    """Chinese text in lines of WIDTH columns: broken between any two characters, but not inside a word of letters."""
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


def _entry(name: str, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"  {name}:", *(f"    {row}: {_flow(cells)}" for row, cells in value.items())]
    return [f"  {name}: {_flow(value)}".rstrip()]


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{_flow(k)}: {_flow(v)}".rstrip() + (" " if v is None else "") for k, v in value.items())
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if value is None:
        return ""
    return str(value) if _PLAIN.fullmatch(str(value)) else json.dumps(str(value), ensure_ascii=False)


def answers_page(course: Course, questions: Mapping[str, Questions]) -> str:
    """`solutions/ANSWERS.md`: each answer with its evidence."""
    languages = course.settings.languages
    parts = ["# Answers\n", *dict.fromkeys(map(INTRODUCTION.to, languages))]
    for exercise in asked(course):
        parts.append(f"## {exercise.title.together(languages)}\n")
        parts += [explained(exercise.id, question, languages) for question in questions[exercise.id]]
    return "\n".join(parts).rstrip() + "\n"


def explained(exercise: str, question: DescribedQuestion, languages: Sequence[str]) -> str:
    """One question in Markdown: text, options, answer, evidence, and what wrong answers tell."""
    lines = [f"### {exercise}: {question.name}", ""]
    lines += [line for lang in languages for line in (question.text.to(lang), "")]
    lines += [f"- {letter}: {text.together(languages)}" for letter, text in question.options]
    if question.rubric:
        lines += ["", BY_HAND.together(languages), ""]
        lines += [f"- {line.together(languages)}" for line in question.rubric]
        lines += ["", f"**{FULL.together(languages)}**: {question.key}"] if question.key else []
    else:
        lines += ["", f"**{(EXAMPLE if question.example else ANSWER).together(languages)}**: `{_flow(question.key)}`"]
    for caption, rows in question.shown:
        lines += ["", caption.together(languages), *_table(rows)]
    for value, why in question.wrong_answers:
        lines += ["", NOT.format(answer=_flow(value), why=why).together(languages)]
    return "\n".join(lines) + "\n"


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    head, *body = rows if len(rows) > 1 else [[""] * len(rows[0]), *rows]
    return ["", _line(head), "|" + "---|" * len(head), *map(_line, body)]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
