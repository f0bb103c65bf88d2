"""The sheets of a class as a table to write points into, and the points out of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from grader.intake import Line, take_lines
from grader.report import as_csv, guarded, unguarded
from grader.report.oral_exam import Answered, OralQuestion, OralSheet, letters

COLUMNS = ("student", "question", "exercise", "text", "answer", "given", "points", "comment", "most", "seed")
WORTH = 1.0  # points of one question
STEP = 0.5
LONGEST_COMMENT = 4_000


def table(sheets: Sequence[OralSheet], lang: str) -> str:
    """A line for each question of each student; `given`, `points` and `comment` are empty."""
    rows: list[Sequence[object]] = [COLUMNS]
    for sheet in sheets:
        rows += ([*line_of(sheet, number, lang).values()] for number in range(1, len(sheet.questions) + 1))
    return as_csv(rows)


def _said(question: OralQuestion, lang: str) -> str:
    lines = [f"{line.sign} {line.text.strip()}" for line in question.change]
    return " | ".join([question.text.to(lang), *lines])


def taken(path: Path, students: Sequence[str]) -> dict[str, tuple[Answered, ...]]:
    """Return what each student got for each question; a line without points and without letters gives nothing.

    Raises:
        CourseError: the table cannot be read, or a line of it makes no sense; nothing of it counts then.
    """
    found: dict[str, dict[int, Answered | None]] = {}

    def take(line: Line) -> None:
        student, question, mine = answered(line, students)
        if question in found.setdefault(student, {}):
            raise ValueError(f"question {question} of {student} is there twice")
        found[student][question] = mine

    take_lines(path, COLUMNS, take)
    return {student: tuple(a for _, a in sorted(of.items()) if a) for student, of in found.items() if any(of.values())}


def line_of(sheet: OralSheet, number: int, lang: str) -> dict[str, str]:
    """Return the line of a question, counted from 1, as it is before anybody has answered."""
    question, of = sheet.questions[number - 1], (guarded(sheet.student), str(number))
    said = (question.exercise, guarded(_said(question, lang)), " ".join(question.right))
    return dict(zip(COLUMNS, (*of, *said, "", "", "", f"{WORTH:g}", str(sheet.seed)), strict=True))


def answered(line: Line, students: Collection[str]) -> tuple[str, int, Answered | None]:
    """Return student, question and answer of a line; the answer is None if it is empty. Raises ValueError."""
    name = line.get("student", "")
    student = next((s for s in (name, unguarded(name)) if s in students), None)
    if student is None:
        raise ValueError(f"nobody here is called {name!r}")
    if not re.fullmatch("[0-9]{1,3}", line["question"]):
        raise ValueError(f"question {line['question']!r}: write its number")
    question = int(line["question"])
    most = _number(line.get("most") or f"{WORTH:g}", float("inf"))
    given, points = letters(line.get("given", "")), line.get("points", "").strip()
    if given is None and not points:
        raise ValueError(f"given {line['given'][:40]!r}: write the letters that were chosen, or points")
    if not points and not given:
        return student, question, None
    worth = _number(points, most) if points else most * (given == letters(line.get("answer", "")))
    comment, text = (unguarded(line.get(column, ""))[:LONGEST_COMMENT] for column in ("comment", "text"))
    return student, question, Answered(question, line.get("exercise", ""), text, worth, most, comment)


def _number(given: str, most: float) -> float:
    text = given.strip().replace(",", ".")
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{0,2})?", text) or float(text) > most or float(text) % STEP:
        raise ValueError(f"points {given!r}: from 0 to {most:g}, whole or half points")
    return float(text)
