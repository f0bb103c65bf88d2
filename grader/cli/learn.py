"""`grader watch`, `hint`, `progress`, `list`, `next` and `reset`: for the learner between two attempts."""

from __future__ import annotations

import contextlib
import dataclasses
import queue
import secrets
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from grader.batch import ForkServer
from grader.cli import common
from grader.course import Course, Exercise
from grader.course import course as courses
from grader.errors import CourseError

if TYPE_CHECKING:
    from grader.learner import Progress
    from grader.rendering.terminal import Screen


@dataclasses.dataclass(frozen=True)
class WatchOptions(common.DeviceOptions, common.FolderOptions):
    """The options of `grader watch`."""

    id: Annotated[str | None, common.name("ID", "the exercise to begin with (default: the next one)")]


@dataclasses.dataclass(frozen=True)
class ProgressOptions(common.FolderOptions):
    """The options of `grader progress`."""

    all: Annotated[bool, common.option("list the exercises of every unit")]


@dataclasses.dataclass(frozen=True)
class HintOptions(common.FolderOptions):
    """The options of `grader hint`."""

    id: Annotated[str | None, common.name("ID", "the exercise (default: the next one)")]
    all: Annotated[bool, common.option("show all its hints")]


@dataclasses.dataclass(frozen=True)
class ResetOptions(common.FolderOptions):
    """The options of `grader reset`."""

    id: Annotated[str, common.name("ID", "the exercise")]


@common.command("watch", "Check each exercise file whenever you save it.", "grader watch\ngrader watch EXERCISE")
def run_watch(options: WatchOptions) -> int:
    fork_server = common.start_fork_server(options.course)
    from grader.learner import Attempts, Event, Pressed, Redraw, Saved, Watch, by_line, in_foreground, raw, run, watched

    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    seed = options.seed if options.seed is not None else secrets.randbelow(1 << 31)
    with contextlib.ExitStack() as stack:
        stack.callback(fork_server.close)
        place = Workplace.of(options)
        first = place.first(options.id) if options.id else None
        live, listening = place.screen.live, in_foreground()
        stack.enter_context(_ended_by_signals())
        attempts = Attempts(
            place.course, place.folder, beginning_with(fork_server, options.course), options.device, seed, events.put
        )
        stack.callback(attempts.close)
        watch = Watch(place.course, place.called, place.screen, place.progress, attempts, live, first)
        stack.enter_context(watched(place.folder, watch.files, lambda files: events.put(Saved(files))))
        if listening and live:
            stack.enter_context(raw(lambda k: events.put(Pressed(k)), lambda: events.put(Redraw())))
        elif listening:
            stack.enter_context(by_line(lambda k: events.put(Pressed(k))))
        try:
            run(watch, events)
        except KeyboardInterrupt:
            return 130
    return 0


def beginning_with(fork_server: ForkServer, course: Path | None) -> Callable[[], ForkServer]:
    """Return a function that gives this fork server first and, if it is lost, new ones."""
    started = [fork_server]
    return lambda: started.pop() if started else common.start_fork_server(course)


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """End the command in an orderly way on a request to end, or when the terminal is gone."""
    names = [n for n in ("SIGTERM", "SIGHUP") if hasattr(signal, n)]
    before = [signal.signal(getattr(signal, n), lambda number, _: sys.exit(128 + number)) for n in names]
    try:
        yield
    finally:
        for name, handler in zip(names, before, strict=True):
            signal.signal(getattr(signal, name), handler)


@common.command("progress", "Show what you have passed and what comes next.", "grader progress")
def run_progress(options: ProgressOptions) -> int:
    from grader.learner import views

    place = Workplace.of(options)
    standings = place.progress.standings()
    views.progress(place.screen, place.course, standings, place.called, options.all)
    return place.done()


@common.command("list", "List all exercises with your points, as `grader progress --all` does.", "grader list")
def run_list(options: common.FolderOptions) -> int:
    return run_progress.run(ProgressOptions(**vars(options), all=True))


@common.command("next", "Name the exercise to do next, and its file.", "grader next")
def run_next(options: common.FolderOptions) -> int:
    from grader.learner import views

    place = Workplace.of(options)
    views.upcoming(place.screen, place.progress.standings(), place.called)
    return place.done()


@common.command("hint", "Show a hint, and one more each time you ask.", "grader hint EXERCISE")
def run_hint(options: HintOptions) -> int:
    from grader.learner import views

    place = Workplace.of(options)
    if options.id:
        exercise = place.course.exercise(options.id)
    else:
        exercise = [*place.progress.standings().open_now(), place.course.steps[-1]][0]
    shown = len(exercise.hints) if options.all else place.progress.hint(exercise)
    if exercise.hints:
        place.screen.line(f"{exercise.id}: {place.screen.words(exercise.title)}", "bold")
        place.screen.line("")
    views.hints(place.screen, exercise, shown)
    return place.done()


@common.command("reset", "Restore an exercise's original file, and keep a copy of your work.", "grader reset EXERCISE")
def run_reset(options: ResetOptions) -> int:
    with contextlib.closing(common.start_fork_server(options.course)) as fork_server:
        from grader.learner import Attempts

        place = Workplace.of(options)
        attempts = Attempts(
            place.course, place.folder, beginning_with(fork_server, options.course), "cpu", 0, lambda _: None
        )
        with contextlib.closing(attempts):
            found = attempts.put_back(place.course.exercise(options.id).id)
    if found.refused:
        raise CourseError(found.said.to(options.lang))
    place.screen.say(found.said)
    return 0


@dataclasses.dataclass(frozen=True)
class Workplace:
    """A learner's place of work: the course, the folder of files and the learner's name for it, progress, screen."""

    course: Course
    folder: Path
    called: str
    progress: Progress
    screen: Screen

    @classmethod
    def of(cls, options: common.FolderOptions) -> Workplace:
        from grader.learner import Progress

        course = courses.find(options.course)
        folder = options.folder(course)
        called = str(options.dir) if options.dir else "exercises"
        return cls(course, folder, called, Progress(course, folder), common.screen(options.lang))

    def first(self, id: str) -> Exercise:
        """Return the exercise to begin with, of those that `id` names for `grader check`."""
        named = self.course.chosen([id])
        order = [*self.progress.standings().open_now(), *self.course.steps]
        return next(e for e in order if e.id in named)

    def done(self) -> int:
        """Report faults of the progress file; return the exit code."""
        for trouble in self.progress.troubles:
            self.screen.say(trouble, "yellow")
        return 0
