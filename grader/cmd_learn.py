"""`grader watch`, `hint`, `progress` and `reset`: for the learner between two attempts."""

from __future__ import annotations

import argparse
import contextlib
import queue
import secrets
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader import console
from grader.errors import CourseError, MachineError

if TYPE_CHECKING:
    from grader.course import Course
    from grader.learning import Progress
    from grader.render import Screen


def add(commands: Any) -> None:
    """Describe the commands to the parser."""
    watch = console.command(commands, "watch", run_watch, "check each exercise file when it is saved")
    _folder_option(watch)
    console.run_options(watch)
    progress = console.command(commands, "progress", run_progress, "show what passed so far and what comes next")
    _folder_option(progress)
    hint = console.command(commands, "hint", run_hint, "show one more hint of an exercise each time")
    hint.add_argument("id", nargs="?", metavar="ID", help="the exercise (default: the one that is next)")
    hint.add_argument("--all", action="store_true", help="show all of them")
    _folder_option(hint)
    reset = console.command(commands, "reset", run_reset, "put an exercise's stub back and keep a copy of your work")
    reset.add_argument("id", metavar="ID", help="the exercise")
    _folder_option(reset)


def _folder_option(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--dir", type=Path, metavar="DIR", help="the folder with the exercise files (default: exercises)")


def run_watch(options: argparse.Namespace) -> int:
    warm = console.start_warm(confined=True)
    from grader.attempts import Attempts
    from grader.keyboard import by_line, in_foreground, raw
    from grader.saves import watched
    from grader.watching import Event, Pressed, Redraw, Saved, Watch, run

    started = [warm]  # the first is there already; should it be lost, another is started
    course, folder, called, progress, screen = _surroundings(options, warm)
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    lanes = {k: v for k, v in console.lane_options(options, []).items() if k != "lang"}
    seed = options.seed if options.seed is not None else secrets.randbelow(1 << 31)

    def start() -> Any:
        return started.pop() if started else console.start_warm(confined=True)

    live, listening = screen.live, in_foreground()
    with contextlib.ExitStack() as stack:
        stack.callback(warm.close)
        stack.enter_context(_ended_by_signals())
        attempts = Attempts(course, folder, start, lanes, seed, events.put)
        stack.callback(attempts.close)
        watch = Watch(course, called, screen, options.lang, progress, attempts, live)
        stack.enter_context(watched(folder, watch.files, lambda files: events.put(Saved(files))))
        if listening and live:
            stack.enter_context(raw(lambda k: events.put(Pressed(k)), lambda: events.put(Redraw())))
        elif listening:
            stack.enter_context(by_line(lambda k: events.put(Pressed(k))))
        try:
            run(watch, events)
        except KeyboardInterrupt:
            return 130
    return 0


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """A request to end, or a terminal that is gone, ends the command in an orderly way."""
    names = [n for n in ("SIGTERM", "SIGHUP") if hasattr(signal, n)]
    before = [signal.signal(getattr(signal, n), lambda number, _: sys.exit(128 + number)) for n in names]
    try:
        yield
    finally:
        for name, handler in zip(names, before, strict=True):
            signal.signal(getattr(signal, name), handler)


def run_progress(options: argparse.Namespace) -> int:
    from grader import views

    course, _, called, progress, screen = _surroundings(options)
    standings = progress.standings()
    views.progress(screen, course, standings, called)
    _tell_troubles(progress, screen)
    return 0


def run_hint(options: argparse.Namespace) -> int:
    from grader import views
    from grader.learning import open_now

    course, _, _, progress, screen = _surroundings(options)
    if options.id:
        exercise = course.exercise(options.id)
    else:
        exercise = [*open_now(course, progress.standings()), course.exercises[-1]][0]
    shown = len(exercise.hints) if options.all else progress.hint(exercise)
    views.hints(screen, exercise, shown)
    _tell_troubles(progress, screen)
    return 0


def run_reset(options: argparse.Namespace) -> int:
    warm = console.start_warm(confined=True)
    from grader.attempts import Attempts, Failed, Kept

    course, folder, _, _, screen = _surroundings(options, warm)
    lanes = {"device": "cpu", "only": [], "kit": console.kit_version()}
    attempts = Attempts(course, folder, lambda: warm, lanes, 0, lambda _: None)
    try:
        found = attempts.put_back(course.exercise(options.id).id, options.lang)
    finally:
        attempts.close()
        warm.close()
    if isinstance(found, Failed):
        raise MachineError(found.reason)
    if isinstance(found, Kept):
        raise CourseError(found.reason.to(options.lang))
    screen.say(found.done.said(course.root))
    return 0


def _surroundings(options: argparse.Namespace, warm: Any = None) -> tuple[Course, Path, str, Progress, Screen]:
    """The course, the folder of exercise files, how the learner calls it, the progress in it, and the screen."""
    from grader import course as courses
    from grader.learning import Progress

    try:
        course = courses.find(options.course)
        folder = options.dir or course.root / "exercises"
        if not folder.is_dir():
            raise CourseError(f"{folder}: no such folder; --dir names the folder with your exercise files")
    except BaseException:
        if warm:
            warm.close()
        raise
    called = str(options.dir) if options.dir else "exercises"
    return course, folder, called, Progress(course, folder), console.screen(options.lang)


def _tell_troubles(progress: Progress, screen: Screen) -> None:
    for trouble in progress.troubles:
        screen.say(trouble, "yellow")
