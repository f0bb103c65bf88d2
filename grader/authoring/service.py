"""The grading process as authors use it: it grades, and shows texts, questions with their keys, examples, evidence."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

from grader.authoring import bounds, evidence, examples, lessons, soundness
from grader.course import Exercise
from grader.grading import Grader
from grader.grading.process import graded, serve
from grader.sandbox.processes import (
    BuildLessons,
    GatherEvidence,
    Grade,
    ListExamples,
    ListQuestions,
    ListTexts,
    ProveSuite,
    SuggestBounds,
    Texts,
)

Request = Grade | BuildLessons | ListTexts | ListQuestions | ListExamples | GatherEvidence | ProveSuite | SuggestBounds


def main(sock: socket.socket, pool: socket.socket | None = None) -> None:
    """Answer until the command line is gone, see `process.main`."""
    serve(sock, pool, Request, answer)


def answer(grader: Grader, request: Request) -> Any:
    """Return the answer to a request."""
    match request:
        case Grade():  # the solutions, by `grader lint`
            grader.suites.prove = True
            return graded(grader, request)
        case ListTexts(exercises):
            return {e.id: texts(grader, e) for e in grader.exercises if not exercises or e.id in exercises}
        case ListQuestions(variant):
            return {e.id: grader.papers[e.id].described(variant) for e in grader.exercises if e.kind == "questions"}
        case ListExamples():
            code = [e for e in grader.exercises if e.kind == "code"]
            return {e.id: examples.gather(grader.suites, e.id, e.functions) for e in code}
        case BuildLessons(units):
            return lessons.build(grader.course, units)
        case SuggestBounds(exercise, folder):
            asked = grader.course.exercise(exercise).functions
            return list(bounds.suggestions(grader.suites, exercise, asked, Path(folder)))
        case ProveSuite(exercise):
            forbid = grader.course.exercise(exercise).forbid
            unknown = (f"course.yaml: {exercise}: {said}" for said in soundness.unknown_names(forbid))
            return [*unknown, *soundness.problems(grader.suites, exercise)]
        case GatherEvidence(exercise, folder, seeds):
            asked = grader.course.exercise(exercise).functions
            return evidence.gather(grader.suites, exercise, asked, Path(folder), seeds)


def texts(grader: Grader, exercise: Exercise) -> Texts:
    """Return the texts of an exercise."""
    if exercise.kind == "questions":
        paper = grader.papers[exercise.id]
        named = ((f"{w.name} of {q.name}", w.message) for q in paper.questions for w in paper.solved(q).wrong_answers)
        return Texts(paper.titles(), dict(named))
    known = {m.name: m.message for m in grader.suites[exercise.id].misconceptions}
    return Texts(grader.suites.titles(exercise.id), known)
