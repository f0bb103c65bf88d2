"""Grades single exercises with torch kept warm from one attempt to the next, in a thread of its own if wanted."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import TypeVar

from grader.batch import SHOW_STEPS, ForkServer, GradingProcess, kit_version
from grader.course import Course, file_name
from grader.errors import CourseError, MachineError
from grader.intake import Source, Submission, load
from grader.learner import debugging
from grader.learner.reset import NotReset, reset
from grader.report import ExerciseReport, Report, redact
from grader.sandbox.processes import RunOptions, ShownSteps, ShowSteps
from grader.texts import Text

JOIN_SECONDS = 10.0  # an import of torch that has just begun is waited for
TRUNCATED_SECONDS = 0.05  # some editors empty a file before they write it
STEPS_SECONDS = 120.0  # for all checks of one exercise, and one call more
ENDED = "the grader is being closed"
T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class Attempt:
    """One exercise as it was graded: the report, the source if it could be read, how long it took."""

    exercise: str
    report: ExerciseReport
    source: str | None
    seconds: float


@dataclasses.dataclass(frozen=True)
class Failed:
    """An attempt that could not be graded, for a reason that is not the student's."""

    exercise: str
    reason: str


@dataclasses.dataclass(frozen=True)
class PutBack:
    """An exercise file that was reset, or could not be (`refused`), and the sentence about it."""

    exercise: str
    said: Text
    refused: bool = False


Found = Attempt | Failed | PutBack
Put = Callable[[Found], None]


class Attempts:
    """Takes one exercise at a time; the outcome goes to `put`, called from the thread.

    Args:
        start: starts the process that imports torch.
        device: auto, cpu or cuda.
        seed: of the inputs; with the same ones two attempts can be compared, and take less time.
    """

    def __init__(
        self, course: Course, folder: Path, start: Callable[[], ForkServer], device: str, seed: int, put: Put
    ) -> None:
        self._course = course
        self._folder = folder
        self._start = start
        self._device = device
        self.seed = seed
        self._put = put
        self._fork_server: ForkServer | None = None
        self._process: GradingProcess | None = None
        self._thread = futures.ThreadPoolExecutor(1)
        self._closing = self._abandoned = False

    def ask(self, exercise: str) -> None:
        """Grade the file of this exercise, as it is when its turn comes."""
        self._found_later(exercise, self.graded)

    def reset(self, exercise: str) -> None:
        """Put the untouched file of this exercise back."""
        self._found_later(exercise, self.put_back)

    def steps(self, exercise: str, check: str = "") -> ShownSteps:
        """Return the steps of the file in a call of this check, see `ShowSteps`.

        Called from another thread, which waits until this one has finished earlier requests. Raises MachineError.
        """

        def ask() -> ShownSteps:
            request = ShowSteps(self._read(exercise), exercise, str(self.seed), check)
            return self._asked(lambda process: process.ask(SHOW_STEPS, ShownSteps, STEPS_SECONDS, request))

        return self._in_turn(ask)

    def judged(self, exercise: str, source: str) -> ExerciseReport:
        """Return the report on this exercise with this source in its file; asked and waited for as `steps`."""
        submission = Submission("", {self._course.exercise(exercise).source: Source(source)})
        return self._in_turn(lambda: self._grade(exercise, submission))

    def _found_later(self, exercise: str, find: Callable[[str], Found]) -> None:
        """Have this found in the thread, and put."""

        def put() -> None:
            try:
                found = _tried(lambda: find(exercise))
            except MachineError as error:
                found = Failed(exercise, str(error))
            if not self._closing:
                self._put(found)

        self._later(put)

    def _in_turn(self, do: Callable[[], T]) -> T:
        """Return the result of this in the thread, once all earlier requests are done. Raises MachineError."""
        return self._later(lambda: _tried(do)).result()

    def _later(self, do: Callable[[], T]) -> futures.Future[T]:
        def done() -> T:
            if self._closing:
                raise MachineError(ENDED)
            return do()

        return self._thread.submit(done)

    def abandon(self) -> None:
        """End the attempt that is running; it comes back as `Failed`."""
        self._abandoned = True
        if process := self._process:
            process.abandon()

    def close(self) -> None:
        """End every process; nothing is `put` any more."""
        self._closing = True
        self.abandon()
        futures.wait([self._later(lambda: None)], JOIN_SECONDS)  # which refuses all who still wait
        if self._process:
            self._process.close()
        if self._fork_server:
            self._fork_server.close()

    def graded(self, exercise: str) -> Attempt:
        """Grade this exercise here and now; only while the thread has nothing to do."""
        started = time.monotonic()
        submission = self._read(exercise)
        report = self._grade(exercise, submission)
        own = self._folder.resolve() == (self._course.root / "exercises").resolve()
        if own and report.status == "failed" and report.started:
            debugging.remember(self._course, self.seed, [exercise])
        source = submission.sources.get(self._course.exercise(exercise).source, Source()).text
        return Attempt(exercise, report, source, time.monotonic() - started)

    def put_back(self, exercise: str) -> PutBack:
        """Reset the file of this exercise here and now; its earlier content is kept beside it."""
        name = self._course.exercise(exercise).source
        sharing = [e for e in self._course.exercises if e.source == name]

        def is_stub(source: str) -> bool:
            submission = Submission("", {name: Source(source)})
            return all(self._grade(e.id, submission).stub for e in sharing)

        try:
            return PutBack(exercise, reset(self._course, exercise, self._folder / file_name(name), is_stub))
        except NotReset as error:
            return PutBack(exercise, error.reason, refused=True)

    def _grade(self, exercise: str, submission: Submission) -> ExerciseReport:
        text = self._asked(lambda process: process.grade(submission, "", self.seed, [exercise]))
        report = redact(Report.from_json(text), self._course.settings.feedback)
        return next(e for e in report.exercises if e.id == exercise)

    def _asked(self, ask: Callable[[GradingProcess], T]) -> T:
        """Return a process's answer; lost processes are replaced once, unless they were ended on purpose."""
        self._abandoned = False
        last = False
        while True:
            try:
                if self._fork_server is None:
                    self._fork_server = self._start()
                if self._process is None:
                    run = RunOptions(self._device, (), kit_version(), hurried=True)
                    self._process = self._fork_server.grading_process(self._course, run)
                return ask(self._process)
            except MachineError:
                self._drop()
                if last or self._abandoned:
                    raise
                last = True

    def _read(self, exercise: str) -> Submission:
        """Return the submission for this exercise as it is now."""
        name = self._course.exercise(exercise).source
        for last in (False, True):
            found = load(self._folder, self._course, [name])
            if last or name not in found.sources or found.sources[name].text != "":
                break
            time.sleep(TRUNCATED_SECONDS)
        return dataclasses.replace(found, ignored=())

    def _drop(self) -> None:
        """Close the grading processes, and the fork server too, unless they were ended on purpose."""
        process, self._process = self._process, None
        if process:
            process.close()
        if self._fork_server and not self._abandoned:
            self._fork_server.close()
            self._fork_server = None


def _tried(do: Callable[[], T]) -> T:
    """Return its result. Raises MachineError also for a fault of ours, which is shown and leaves nobody waiting."""
    try:
        return do()
    except (MachineError, CourseError) as error:
        raise MachineError(str(error)) from error
    except Exception as error:
        raise MachineError(f"{type(error).__name__}: {error}") from error
