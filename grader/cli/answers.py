"""`grader answers`: the answer sheet, and each concept question's answer with its evidence."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from grader.batch import AUTHORING, GradingProcess
from grader.cli import common
from grader.cli.common import option
from grader.course import COMMON, Course, nearest
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake import load
from grader.report import Report
from grader.sandbox.processes import DescribedQuestion

ANSWER_SECONDS = 600.0


@dataclasses.dataclass(frozen=True)
class AnswersOptions(common.Options):
    """The options of `grader answers`."""

    ids: Annotated[tuple[str, ...], common.name("ID", "a question, or an exercise with questions")]
    dir: Annotated[Path | None, common.folder("the folder with your answers.yaml")]
    reveal: Annotated[bool, option("show answers that you have not found yet, too")]
    sheet: Annotated[Path | None, option("write a blank answer sheet", "FILE")]
    student: Annotated[str | None, option("with --sheet: write the variant of this student", "NAME")]
    write: Annotated[bool, option("rewrite the course's answer sheets and solutions/ANSWERS.md")]


@common.command("answers", "List the concept questions, or show the answer to one with its evidence.", "grader answers")
def run_answers(options: AnswersOptions) -> int:
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        from grader.authoring import answer_sheets

        course = courses.find(options.course)
        if not answer_sheets.asked(course):
            raise CourseError("this course has no concept questions")
        process = fork_server.grading_process(course, options.on_cpu())
        if options.write:
            for path, text in answer_sheets.generated(course, asked(process, COMMON)).items():
                path.write_text(text, encoding="utf-8")
                print(f"wrote {path}")
        elif options.sheet:
            variant = options.student or COMMON
            if options.sheet.exists():
                raise CourseError(f"{options.sheet}: is there already; answers in it would be lost. Name another file")
            text = answer_sheets.blank_sheet(course, asked(process, variant), variant, options.lang)
            options.sheet.write_text(text, encoding="utf-8")
            print(f"wrote {options.sheet}")
        else:
            show(options, course, process)
    return 0


def asked(process: GradingProcess, variant: str) -> Mapping[str, Sequence[DescribedQuestion]]:
    """Return all questions of the course with their keys, as the experiments give them; by exercise."""
    return process.ask(f"{AUTHORING}:questions", dict[str, list[DescribedQuestion]], ANSWER_SECONDS, variant)


def show(options: AnswersOptions, course: Course, process: GradingProcess) -> None:
    """Print the requested questions: those that are solved, or all with --reveal."""
    from grader.authoring import answer_sheets

    submission = load(options.dir or course.root / "exercises", course)
    report = Report.from_json(process.grade(submission, "", 0))
    checks = [(e.id, c) for e in report.exercises for c in e.checks]
    solved = {(id, c.id) for id, c in checks if c.verdict == "passed" or c.answer is not None}
    questions = asked(process, submission.student if course.settings.variants == "student" else COMMON)
    wanted = [(e, q) for e, qs in questions.items() for q in qs if not options.ids or {e, q.name} & set(options.ids)]
    known = [*questions, *(q.name for qs in questions.values() for q in qs)]
    if unknown := set(options.ids) - set(known):
        raise CourseError(f"there is no question {min(unknown)!r}{nearest(min(unknown), known)}")
    screen = common.screen(options.lang)
    for exercise, question in wanted:
        if options.ids and (options.reveal or (exercise, question.name) in solved):
            screen.line(answer_sheets.explained(exercise, question, options.lang))
        else:
            mark = "✔" if (exercise, question.name) in solved else "·"
            screen.line(f"{mark} {exercise} {question.name:<28} {question.text.to(options.lang)}")
