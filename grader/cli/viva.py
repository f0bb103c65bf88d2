"""`grader viva`: questions about a student's own code, for the board or on paper; and for a learner, at once."""

from __future__ import annotations

import contextlib
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grader.batch import ForkServer
from grader.cli import common, viva_class
from grader.cli.viva_class import SHEET_SECONDS, VivaOptions
from grader.course import Course
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake import load
from grader.report.oral_exam import Question, Sheet
from grader.viva import SERVICE, AskSheet

if TYPE_CHECKING:
    from grader.rendering.terminal import Screen

EXAMPLE = "grader viva results --to sheets\ngrader viva EXERCISE"
LONGEST = 20  # questions of a sheet


@common.command(
    "viva", "Quiz students on their own code: printed sheets for a class, or interactively for one learner.", EXAMPLE
)
def run_viva(options: VivaOptions) -> int:
    if not 1 <= options.questions <= LONGEST:
        raise CourseError(f"--questions {options.questions}: a sheet has 1 to {LONGEST}")
    if options.seed is not None and not 0 <= options.seed < 1 << 63:
        raise CourseError(f"--seed {options.seed}: write a whole number from 0 on, of at most 18 digits")
    results = Path(options.target)
    if options.take:
        return viva_class.take(results, options)
    if options.to or (results / "reports").is_dir():
        return viva_class.write(results, options)
    return alone(options)


def alone(options: VivaOptions) -> int:
    """Ask a learner about one file, each answer judged at once; 1 unless all were right."""
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        from grader.rendering.terminal import oral

        course = courses.find(options.course)
        viva_class.refuse_without_torch(course)
        exercise = course.exercise(options.target)
        if exercise.kind != "code":
            raise CourseError(f"{exercise.id} has no code to ask about; `grader answers {exercise.id}` explains it")
        seed = options.seed if options.seed is not None else secrets.randbelow(1 << 31)
        sheet = asked(fork_server, course, options, exercise.id, seed)
    screen = common.screen(options.lang)
    right = sum(posed(screen, sheet, q, n) for n, q in enumerate(sheet.questions, 1))
    oral.summary(screen, sheet, right)
    return 0 if sheet.questions and right == len(sheet.questions) else 1


def asked(fork_server: ForkServer, course: Course, options: VivaOptions, exercise: str, seed: int) -> Sheet:
    """The sheet about a learner's own file."""
    submission = load(options.folder(course), course)
    process = fork_server.grading_process(course, options.on_cpu([exercise]), service=SERVICE)
    return process.ask(AskSheet(submission, seed, options.questions, (exercise,)), Sheet, SHEET_SECONDS)


def posed(screen: Screen, sheet: Sheet, question: Question, number: int) -> bool:
    """Ask one question, take the answer, say what the run gave; whether it was right."""
    from grader.rendering.terminal import oral

    oral.question(screen, question, number, len(sheet.questions))
    given = oral.answer(screen, question, sys.stdin)
    oral.verdict(screen, question, given)
    return given == question.right
