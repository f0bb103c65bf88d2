"""`grader answers`: the answer sheet, and each concept question's answer with its evidence."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader import console
from grader.errors import CourseError

if TYPE_CHECKING:
    from grader.course import Course
    from grader.lanes import Lane

ANSWER_SECONDS = 600.0


def add(commands: Any) -> None:
    """Describe the command to the parser."""
    answers = console.command(commands, "answers", run_answers, "show a question's answer and what proves it")
    answers.add_argument("ids", nargs="*", metavar="ID", help="a question, or an exercise with questions")
    answers.add_argument("--dir", type=Path, metavar="DIR", help="where your answers.yaml is (default: exercises)")
    answers.add_argument("--reveal", action="store_true", help="also where the question is not solved yet")
    answers.add_argument("--sheet", type=Path, metavar="FILE", help="write a blank answer sheet")
    answers.add_argument("--student", metavar="NAME", help="with --sheet: the variant of this student")
    answers.add_argument("--write", action="store_true", help="write the course's sheets and solutions/ANSWERS.md anew")


def run_answers(options: argparse.Namespace) -> int:
    warm = console.start_warm(confined=True)
    from grader import answer_sheet
    from grader import course as courses
    from grader.course import COMMON

    try:
        course = courses.find(options.course)
        if not answer_sheet.asked(course):
            raise CourseError("this course has no concept questions")
        options.device, options.seed = "cpu", None
        lane = warm.lane(course, console.lane_options(options, []))
        if options.write:
            for path, text in answer_sheet.generated(course, asked(lane, COMMON)).items():
                path.write_text(text, encoding="utf-8")
                print(f"wrote {path}")
            return 0
        if options.sheet:
            variant = options.student or COMMON
            if options.sheet.exists():
                raise CourseError(f"{options.sheet}: is there already; answers in it would be lost. Name another file")
            text = answer_sheet.blank_sheet(course, asked(lane, variant), variant)
            options.sheet.write_text(text, encoding="utf-8")
            print(f"wrote {options.sheet}")
            return 0
        return show(options, course, lane)
    finally:
        warm.close()


def asked(lane: Lane, variant: str) -> dict[str, list[dict[str, Any]]]:
    """All questions of the course with their keys, as the experiments give them."""
    found: dict[str, list[dict[str, Any]]] = lane.ask({"op": "questions", "variant": variant}, ANSWER_SECONDS)
    return found


def show(options: argparse.Namespace, course: Course, lane: Lane) -> int:
    """Print the questions asked for: those that are solved, or all with --reveal."""
    from grader import answer_sheet
    from grader.course import COMMON
    from grader.report import Report
    from grader.submission import load

    folder = options.dir or course.root / "exercises"
    submission = load(folder, course.sources, course.settings.limits.source_kb)
    report = Report.from_json(lane.grade(submission, "", 0))
    solved = {(e.id, c.id) for e in report.exercises for c in e.checks if c.verdict == "passed"}
    questions = asked(lane, submission.student if course.settings.variants == "student" else COMMON)
    wanted = [(e, q) for e, qs in questions.items() for q in qs if not options.ids or {e, q["name"]} & set(options.ids)]
    unknown = set(options.ids) - set(questions) - {q["name"] for qs in questions.values() for q in qs}
    if unknown:
        from grader.strict import nearest

        known = [*questions, *(q["name"] for qs in questions.values() for q in qs)]
        raise CourseError(f"there is no question {min(unknown)!r}{nearest(min(unknown), known)}")
    display = console.screen(options.lang)
    for exercise, question in wanted:
        if options.ids and (options.reveal or (exercise, question["name"]) in solved):
            display.line(answer_sheet.explained(exercise, question))
        else:
            mark = "✔" if (exercise, question["name"]) in solved else "·"
            display.line(f"{mark} {exercise} {question['name']:<28} {question['text'][options.lang == 'zh']}")
    return 0
