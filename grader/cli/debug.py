"""`grader debug`: writes the call that failed last as plain Python for the user's own machine."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

from grader.atomic_write import replace
from grader.cli import common
from grader.course import course as courses
from grader.intake import load
from grader.sandbox.processes import SavedCall
from grader.texts import translated

SECONDS = 180.0
SAVE = "grader.grading.failing_call:save"
SEED = "use the inputs of this seed, or of this report in a RESULTS folder (default: of the last run)"
RUNS = translated("{function}, called as in the check that failed, in plain Python without the sandbox: {script}")
FINE = translated("{function} passes everything; this is one of its calls: {script}")
IMPORTS = translated("{id}.py cannot be imported; this imports it: {script}")


@dataclasses.dataclass(frozen=True)
class DebugOptions(common.FolderOptions):
    """The options of `grader debug`."""

    id: Annotated[str, common.name("ID", "the exercise")]
    seed: Annotated[int | None, common.option(SEED, "N|REPORT", type=common.seed)]
    pdb: Annotated[bool, common.option("start in the debugger; an exception leads back to it")]


@common.command(
    "debug",
    "Repeat the call that failed last in plain Python, where breakpoint() and input() work.",
    "grader debug EXERCISE --pdb",
)
def run_debug(options: DebugOptions) -> int:
    script = written(options)
    encoding = os.environ.get("PYTHONIOENCODING", "").partition(":")[0]
    environment = {**os.environ, "PYTHONIOENCODING": f"{encoding}:replace"}  # a print of any sign must not end it
    return subprocess.call([sys.executable, *(("-m", "pdb") if options.pdb else ()), str(script)], env=environment)


def written(options: DebugOptions) -> Path:
    """Write the script; return its path and print the call."""
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        from grader.learner import debugging

        course = courses.find(options.course)
        exercise, folder = course.exercise(options.id), options.folder(course)
        submission = load(folder, course, [exercise.source])
        seed = debugging.seed_of(course, exercise.id) if options.seed is None else options.seed
        script, inputs = debugging.place(course, exercise.id)
        process = fork_server.grading_process(course, options.on_cpu([exercise.id]))
        saved = process.ask(SAVE, SavedCall, SECONDS, submission, exercise.id, str(seed), os.fsencode(inputs))
    replace(script, debugging.script(exercise, folder, inputs, saved, course.settings))
    said = IMPORTS if not saved.function else RUNS if saved.failed else FINE
    common.screen(options.lang).say(said, "dim", id=exercise.id, function=saved.function, script=script)
    sys.stdout.flush()
    return script
