"""`grader generate`: one's own code at work, as the course shows it."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Annotated

from grader.cli import common
from grader.cli.common import option
from grader.course import GENERATE, Course
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake import load
from grader.sandbox.processes import Part
from grader.texts import translated

SECONDS = 1200.0  # for a part, on a busy machine
STEPS = 1000
BEGIN, GO_ON = "grader.grading.performing:begun", "grader.grading.performing:gone_on"
NOT_YET = translated("{id} has not passed all its checks yet, so what follows may go wrong: `grader check {id}`")
STOPPED = translated("{id} cannot go on: {problem}. `grader check {id}` says more.")
INTERRUPTED = translated("Stopped.")


@dataclasses.dataclass(frozen=True)
class GenerateOptions(common.FolderOptions):
    """The options of `grader generate`."""

    steps: Annotated[int, option(f"how many steps to train (default: {STEPS})", "N", default=STEPS)]
    seed: Annotated[int, option("another training, another text (default: 0)", "N", default=0)]


@common.command("generate", "Train your own model on the lessons and watch it write.", "grader generate --steps 300")
def run_generate(options: GenerateOptions) -> int:
    if options.steps < 1 or not 0 <= options.seed < 1 << 31:
        raise CourseError("--steps is at least 1, and --seed a number from 0 to 2147483647")
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        from grader.learner import Progress

        course = courses.find(options.course)
        script, chosen = course.script(GENERATE), course.settings.generate
        if not (script and chosen):
            raise CourseError("this course has nothing to generate: no line `generate` in course.yaml, or no script")
        exercise, folder = course.exercise(chosen), options.folder(course)
        screen, id = common.screen(options.lang), exercise.id
        if not Progress(course, folder).standings().passed(id):
            screen.say(NOT_YET, "dim", id=id)
        given = (text_of(course, options.lang), options.lang, options.steps, options.seed)
        with contextlib.closing(fork_server.grading_process(course, options.on_cpu([id]))) as process:
            begun = False
            try:
                part = process.ask(BEGIN, Part, SECONDS, load(folder, course, [exercise.source]), id, script, given)
                while part.text:
                    print(part.text, end="", flush=True)
                    begun, part = True, process.ask(GO_ON, Part, SECONDS)
            except KeyboardInterrupt:
                print()
                screen.say(INTERRUPTED)
                return 130
    if part.error.key:
        if begun:
            print()
        screen.say(STOPPED, id=id, problem=part.error)
    return 1 if part.error.key else 0


def text_of(course: Course, lang: str) -> str:
    """All lessons in this language. Raises CourseError where there are none."""
    paths = [course.lesson(unit.id, lang) for unit in course.settings.units]
    if found := [path.read_text(encoding="utf-8") for path in paths if path.is_file()]:
        return "\n".join(found)
    raise CourseError(f"there are no lessons in {lang} to learn from; --lang names another language of the course")
