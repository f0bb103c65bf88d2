"""Writes answers in sentences as a table to grade in any spreadsheet, and reads its points back."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.course import Course
from grader.intake import Line, take_lines
from grader.report import Mark, Marks, Report, as_csv, essays, guarded, unguarded
from grader.texts import Text

COLUMNS = ("student", "question", "text", "rubric", "points", "comment", "most")
STEP = 0.5  # points are whole or half
LONGEST_COMMENT = 4_000


@dataclasses.dataclass(frozen=True)
class EssayQuestion:
    """A question: its text, its points, the lines of its rubric, an answer that gets all points."""

    text: Text
    points: float
    rubric: tuple[Text, ...]
    example: Text


@dataclasses.dataclass(frozen=True, slots=True)
class EssayAnswer:
    """One student's answer to one question; `points` is None until somebody has given some."""

    student: str
    question: str
    text: str
    points: float | None
    comment: str


def questions(course: Course) -> dict[str, EssayQuestion]:
    """The questions that are answered in sentences, by exercise/question."""
    from grader.questions import Paper, Written

    found = {}
    for exercise in (e for e in course.exercises if e.kind == "questions"):
        paper = Paper(
            course.suite(exercise.id), course.root / "solutions", course.settings.arrays, points=exercise.points
        )
        for question in paper.questions:
            if isinstance(form := question.form, Written):
                found[f"{exercise.id}/{question.name}"] = EssayQuestion(
                    question.doc, question.points, form.lines, form.example
                )
    return found


def worth(course: Course, asked: Mapping[str, EssayQuestion]) -> dict[str, float]:
    """Return the points of the exercises that hold such questions, by exercise."""
    holding = {name.partition("/")[0] for name in asked}
    return {e.id: float(e.points) for e in course.exercises if e.id in holding}


def answers(report: Report, student: str) -> tuple[EssayAnswer, ...]:
    """Return the answers in sentences that a report holds, under this name of the student."""
    return tuple(
        EssayAnswer(
            student, essays.place(e, c), c.answer or "", *((c.points, c.reason.key) if c.graded else (None, ""))
        )
        for e, c in essays.written(report)
    )


def collected(
    reports: Sequence[Report], asked: Mapping[str, EssayQuestion], marks: Marks, anonymous: bool
) -> list[EssayAnswer]:
    """Return the answers, question by question; within one in an order that reveals nothing of the students."""
    found = []
    for report in reports:
        code = marks.code(report.student)
        for entry in answers(report, code if anonymous else report.student):
            found.append((hashlib.sha256(f"{entry.question} {code}".encode()).hexdigest(), entry))
    order = list(asked)
    known = [(order.index(e.question), key, e) for key, e in found if e.question in asked]
    return [entry for _, _, entry in sorted(known, key=lambda item: item[:2])]


def table(entries: Sequence[EssayAnswer], asked: Mapping[str, EssayQuestion], lang: str) -> str:
    """Return the table to fill in: a line for each answer."""
    rows: list[Sequence[str]] = [COLUMNS]
    for entry in entries:
        about = asked[entry.question]
        rubric = "\n".join(line.to(lang) for line in about.rubric)
        points = "" if entry.points is None else f"{entry.points:g}"
        text, comment = guarded(entry.text), guarded(entry.comment)
        rows.append([guarded(entry.student), entry.question, text, rubric, points, comment, f"{about.points:g}"])
    return as_csv(rows)


def taken(
    path: Path, reports: Sequence[Report], asked: Mapping[str, EssayQuestion], before: Marks
) -> dict[str, dict[str, Mark]]:
    """Return the marks `before` with those of a filled-in table; a line without points removes its mark.

    Raises:
        CourseError: the table cannot be read, or a line of it makes no sense; then none of it counts.
    """
    marks = {student: dict(given) for student, given in before.marks.items()}
    known = {key: report for report in reports for key in (before.code(report.student), report.student)}
    seen = set()

    def take(line: Line) -> None:
        student, question, mark = _mark(line, known, asked)
        if (student, question) in seen:
            raise ValueError(f"{question} of {student} is there twice")
        seen.add((student, question))
        marks.setdefault(student, {}).pop(question, None)
        if mark:
            marks[student][question] = mark

    take_lines(path, COLUMNS, take)
    return {student: given for student, given in marks.items() if given}


def _mark(line: Line, known: Mapping[str, Report], asked: Mapping[str, EssayQuestion]) -> tuple[str, str, Mark | None]:
    """Return the student, question and mark of a line, None for no mark. Raises ValueError."""
    name, question = line.get("student", ""), line.get("question", "")
    report = known.get(name) or known.get(unguarded(name))
    if report is None:
        raise ValueError(f"nobody here is called {name!r}")
    if question not in asked:
        raise ValueError(f"there is no question {question!r}; the questions are {', '.join(asked)}")
    written = {answer.question: answer.text for answer in answers(report, report.student)}
    given = line.get("points", "")
    if not given:
        return report.student, question, None
    if question not in written:
        raise ValueError(f"{report.student} has written nothing for {question}")
    points = points_of(given, asked[question].points)
    comment = unguarded(line.get("comment", ""))[:LONGEST_COMMENT]
    return report.student, question, Mark(points, comment, essays.digest(written[question]))


def points_of(given: str, most: float) -> float:
    """Return points as people write them: 1.5, 1,5, 1½, 2/3 (of 3)."""
    text = given.strip().replace(",", ".").replace("½", ".5").replace("..", ".")
    match = re.fullmatch(r"([0-9]*\.?[0-9]+|[0-9]+\.)(?:\s*/\s*([0-9.]+))?", text)
    if not match or (match[2] and float(match[2]) != most):
        raise ValueError(f"points {given!r}: write a number from 0 to {most:g}, whole or half")
    points = float(match[1])
    if not 0 <= points <= most or points % STEP:
        raise ValueError(f"points {given!r}: from 0 to {most:g}, whole or half points")
    return points
