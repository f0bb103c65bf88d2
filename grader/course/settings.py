"""The content of course.yaml as data: exercises and units, limits, and the other settings."""

from __future__ import annotations

import dataclasses

from grader.course.deadlines import FREE, Extension, Policy
from grader.texts import LANGUAGES, Text

SHEET = "answers"
COMMON = "common"


@dataclasses.dataclass(frozen=True)
class Limits:
    """The limits for one student's code."""

    call_seconds: float = 5.0
    """For one call, and for the import of a file. Here and below, waiting for a processor does not count."""
    exercise_seconds: float = 30.0
    """For all calls of one exercise."""
    submission_seconds: float = 120.0
    """For all exercises of one submission."""
    memory_mb: int = 1024
    """Address space over what the bare worker has."""
    gpu_memory_mb: int = 4096
    """Memory on the GPU that a worker may hold, the driver's own part included."""
    threads: int = 64
    """Threads of one worker."""
    open_files: int = 64
    """Open file descriptors of one worker."""
    value_mb: int = 64
    """Size of one call's result."""
    source_kb: int = 256
    """Size of one file."""
    output_kb: int = 4
    """How much of what an exercise prints is kept; the rest is counted."""


@dataclasses.dataclass(frozen=True)
class Exercise:
    """One exercise: `exercises/<id>.py`, `solutions/<id>.py` and `tests/hidden/<id>.py` belong to it.

    An exercise of kind `questions` has no file of its own for students: its questions are a section of `answers.yaml`.
    """

    id: str
    title: Text
    points: float
    functions: tuple[str, ...] = ()
    kind: str = "code"
    after: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    hints: tuple[Text, ...] = ()
    view: str = "matrix"
    """How pages draw a wrong result: `matrix`, and beside it `pairs` (columns as points) or `places` (what moved)."""

    @property
    def source(self) -> str:
        """Return the name, without its ending, of the file that a student hands in."""
        return SHEET if self.kind == "questions" else self.id


@dataclasses.dataclass(frozen=True)
class Unit:
    """Exercises that belong together, in teaching order."""

    id: str
    title: Text
    exercises: tuple[Exercise, ...]
    due: str = ""  # where it is not due when the rest of the course is
    minutes: int = 0
    """What it usually takes, 0 where nobody has said."""
    lessons: tuple[str, ...] = ()

    @property
    def read_here(self) -> tuple[str, ...]:
        """Return the ids of the units whose lessons are read here: by default its own."""
        return self.lessons or (self.id,)


@dataclasses.dataclass(frozen=True)
class Stage:
    """A part of the learner's path through the course: exercises by their ids, from any units.

    `lessons` names the units whose lessons are read here.
    """

    title: Text
    exercises: tuple[str, ...]
    minutes: int = 0
    lessons: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Settings:
    """The content of course.yaml. `feedback` is full (with values), hints (property, shape, size) or verdict.

    `units` are those that the file describes, or, of those under `syllabus`, the ones that its line `units` names.
    """

    title: Text
    units: tuple[Unit, ...]
    ship: tuple[str, ...] = ()
    limits: Limits = Limits()
    arrays: str = "torch"
    """What checks are made of: torch's tensors or numpy's arrays. A course of numpy never imports torch."""
    devices: tuple[str, ...] = ("cpu", "cuda")
    feedback: str = "full"
    languages: tuple[str, ...] = LANGUAGES
    """The one in which every text of the course is written, and those of which it has a catalogue of translations."""
    variants: str = COMMON
    """Whether each student's questions have numbers of their own: `common` or `student`."""
    charge: str = "once"
    """What a recognised mistake costs: `once`, a share of the points; `each`, all checks that fail by it."""
    attempts: int = 0
    """How many different answer sheets of a student are marked; 0 for as many as there are."""
    due: str = ""
    """When work is due, in ISO 8601 with an offset, such as 2026-10-01T23:59+08:00."""
    late: Policy = FREE
    """What it costs to be late; `extensions` are for who has more time."""
    extensions: tuple[Extension, ...] = ()
    kit: str = ""
    """The versions of the kit that it is for, such as `>=0.2`; checked before all else is read."""
    packages: tuple[str, ...] = ()
    """What else suites, solutions and students' files may import, see `grader.packages`."""
    accepts: tuple[str, ...] = ()
    """Forms of results that are judged as if they were the one that is due, see `suite_texts.ACCEPTED`."""
    generate: str = ""
    """The exercise whose code `grader generate` runs, with `lessons/generate.py` behind it; "" for none."""
    path: tuple[Stage, ...] = ()
    """The order for who learns alone, where it is not that of the units."""
