"""The watch loop: what was saved, pressed or found comes in; what there is to see goes out."""

from __future__ import annotations

import dataclasses
import queue
import time
from collections.abc import Callable

from grader.course import Course, Exercise, file_name
from grader.learner import progress as learning
from grader.learner import views
from grader.learner.attempts import Attempt, Attempts, Failed, Found, Kept, PutBack
from grader.learner.keyboard import END, ENTER
from grader.learner.progress import Progress
from grader.rendering.terminal import Screen
from grader.texts import Text, translated

TICK = 0.25  # seconds until the size of the terminal and the clock are looked at again
PATIENCE = 1.0  # seconds that an attempt may take before a new save ends it
LANGUAGE = {"en": "zh", "zh": "en"}

WHEN = translated("{id}, checked at {time} in {seconds:.2f} s, seed {seed}")
NOT_YET = translated("The solution is shown once {id} passes.")
WATCHING = translated("Watching {folder}: save a file, and what is in it is checked.")
CHECKING = translated("checking {id} ...")
NO_CHECK = translated("{id} could not be checked. It is not your fault; Enter tries again.\n{reason}")
KEYS = {
    "h": translated("hint"),
    "n": translated("next"),
    "l": translated("list"),
    "d": translated("all checks"),
    "r": translated("reset"),
    "s": translated("solution"),
    "z": translated("Chinese"),
    "q": translated("quit"),
}

FINE = ("passed", "waiting")


@dataclasses.dataclass(frozen=True)
class Saved:
    """These files were saved or deleted."""

    files: list[str]


@dataclasses.dataclass(frozen=True)
class Pressed:
    """This key was pressed."""

    key: str


@dataclasses.dataclass(frozen=True)
class Redraw:
    """The terminal may show something else by now."""


Event = Saved | Pressed | Redraw | Found


class Watch:
    """What is shown and what is to be checked.

    Args:
        called: the folder of exercise files as the learner calls it.
        live: whether the terminal can be drawn anew; else lines are added.
    """

    def __init__(
        self, course: Course, called: str, screen: Screen, lang: str, progress: Progress,
        attempts: Attempts, live: bool,
    ) -> None:  # fmt: skip
        self._course, self._called = course, called
        self._screen, self._lang, self._live = screen, lang, live
        self._progress, self._attempts = progress, attempts
        self._latest: dict[str, Attempt] = {}
        self._clock: dict[str, str] = {}
        self._todo: list[str] = []
        self._batch: list[str] = []  # saved, and one of them to be shown
        self._busy: str | None = None
        self._since = 0.0
        self._told = False
        self._view: Callable[[], None] = self._verdict
        self._note: tuple[str, str] | None = None
        self._size = screen.size
        self.finished = False
        ready = learning.open_now(course, progress.standings())
        self._now: Exercise = [*ready, *course.steps][0]

    @property
    def files(self) -> list[str]:
        """The names of the files to watch."""
        return [file_name(s) for s in self._course.sources]

    def begin(self) -> None:
        """Show something at once, and check what is to be done next."""
        if not self._live:
            self._screen.say(WATCHING, folder=self._called)
        self._check([self._now.id])
        if self._live:
            self._draw()

    def handle(self, event: Event) -> None:
        """Take one event in."""
        match event:
            case Saved(files):
                self._saved(files)
            case Pressed(key):
                self._pressed(key)
            case Redraw():
                self._draw()
            case Attempt() | Failed():
                self._found(event)
            case PutBack() | Kept():
                self._put_back(event)

    def tick(self) -> None:
        """Some time has passed."""
        slow = self._busy is not None and not self._told and time.monotonic() - self._since > 2 * TICK
        resized, self._size = self._screen.size != self._size, self._screen.size
        if slow and not self._live:
            self._screen.say(CHECKING, "dim", id=self._busy)
        self._told = self._told or slow
        if self._live and (slow or resized):
            self._draw()

    def _saved(self, files: list[str]) -> None:
        ids = [e.id for e in self._course.exercises if file_name(e.source) in files]
        if self._busy in ids and time.monotonic() - self._since > PATIENCE:
            self._attempts.abandon()
        self._note = None
        self._batch += [i for i in ids if i not in self._batch]
        self._check(ids)

    def _check(self, ids: list[str]) -> None:
        self._todo += [i for i in ids if i not in self._todo]
        self._go_on()

    def _go_on(self) -> None:
        if self._busy is None and self._todo:
            self._busy, self._since, self._told = self._todo.pop(0), time.monotonic(), False
            self._attempts.ask(self._busy, self._lang)

    def _found(self, found: Attempt | Failed) -> None:
        self._busy = None
        if isinstance(found, Failed):
            if found.exercise not in self._todo:  # else it was ended for the sake of a new save
                self._note = (self._screen.words(NO_CHECK, id=found.exercise, reason=found.reason), "red")
        else:
            self._keep(found)
        if not self._todo:
            self._turn_to(self._batch)
            self._batch = []
            self._view = self._verdict
            self._draw()
        self._go_on()

    def _keep(self, attempt: Attempt) -> None:
        if attempt.lang == self._lang:
            self._latest[attempt.exercise] = attempt
            self._clock[attempt.exercise] = time.strftime("%H:%M:%S")
        self._progress.note([attempt.report], {attempt.exercise: attempt.source})

    def _turn_to(self, ids: list[str]) -> None:
        """Show the first of these that fails, unless one of them is being looked at."""
        if self._now.id not in ids:
            failing = [i for i in ids if i in self._latest and self._latest[i].report.status not in FINE]
            self._now = self._course.exercise([*failing, *ids, self._now.id][0])

    def _pressed(self, key: str) -> None:
        asked, self._note = self._view == self._ask_reset, None
        if key in (END, "q"):
            self.finished = True
            return
        if asked:
            self._view = self._verdict
            if key == "y":
                self._attempts.reset(self._now.id, self._lang)
                return
        elif key in (ENTER, "n", "z"):
            self._view = self._verdict
            if key == "n":
                self._now, self._batch = self._following(), []
            if key == "z":
                self._lang = LANGUAGE[self._lang]
                self._screen = self._screen.in_language(self._lang)
                self._latest.clear()
            self._check([self._now.id])
        else:
            self._look(key)
        self._draw()

    def _look(self, key: str) -> None:
        if key == "h":
            self._progress.hint(self._now)
        known = {"h": self._hints, "l": self._list, "d": self._checks, "r": self._ask_reset, "s": self._solution}
        self._view = known.get(key, self._verdict)

    def _following(self) -> Exercise:
        """What can be done after the one that is shown; where all is done, the next in order."""
        order = self._course.steps
        here = order.index(self._now)
        after = [*order[here + 1 :], *order[:here]]
        ready = learning.open_now(self._course, self._progress.standings())
        return [*(e for e in after if e in ready), *after, self._now][0]

    def _put_back(self, found: PutBack | Kept) -> None:
        if isinstance(found, Kept):
            self._note = (self._screen.words(found.reason), "red")
        else:
            self._note = (self._screen.words(found.done.said(self._course.root)), "green")
        self._draw()

    def _draw(self) -> None:
        with self._screen.whole(clear=self._live):
            if self._live and self._view != self._list:
                views.reached(self._screen, self._course, self._progress.standings())
                self._screen.line("")
            self._view()
            for trouble in self._progress.troubles:
                self._screen.say(trouble, "yellow")
            if self._note:
                self._screen.line("")
                self._screen.line(*self._note)
            if self._live:
                self._screen.line("")
                if self._busy and self._told:
                    self._screen.say(CHECKING, "dim", id=self._busy)
                self._screen.line(" · ".join(f"{key} {self._screen.words(what)}" for key, what in self._keys()), "dim")

    def _keys(self) -> list[tuple[str, Text]]:
        hidden = {"s": not self._passed(), "h": not self._now.hints}
        return [(key, what) for key, what in KEYS.items() if not hidden.get(key)]

    def _verdict(self) -> None:
        attempt = self._latest.get(self._now.id)
        if attempt is None:
            self._screen.line(f"{self._now.id}: {self._screen.words(self._now.title)}", "bold")
            if self._busy:
                self._screen.say(CHECKING, "dim", id=self._busy)
            return
        views.verdict(self._screen, attempt.report, self._now, f"{self._called}/{file_name(self._now.source)}")
        if attempt.report.status in FINE:
            views.upcoming(self._screen, self._course, self._progress.standings(), self._called)
        facts = {"id": self._now.id, "time": self._clock[self._now.id], "seconds": attempt.seconds}
        self._screen.say(WHEN, "dim", **facts, seed=self._attempts.seed)

    def _checks(self) -> None:
        attempt = self._latest.get(self._now.id)
        if attempt is None or not attempt.report.checks:
            self._verdict()
        else:
            self._screen.result(attempt.report, self._now)
            self._screen.checks(attempt.report)
            self._screen.printed(attempt.report)

    def _list(self) -> None:
        views.progress(self._screen, self._course, self._progress.standings(), self._called)

    def _hints(self) -> None:
        known = self._progress.standings().get(self._now.id, learning.Standing())
        views.hints(self._screen, self._now, known.hints)

    def _ask_reset(self) -> None:
        views.ask_reset(self._screen, self._course, self._now)

    def _solution(self) -> None:
        if self._passed():
            views.solution(self._screen, self._course, self._now)
        else:
            self._screen.say(NOT_YET, id=self._now.id)

    def _passed(self) -> bool:
        return learning.passed(self._progress.standings(), self._now.id)


def run(watch: Watch, events: queue.SimpleQueue[Event]) -> None:
    """Take events until the learner has had enough."""
    watch.begin()
    while not watch.finished:
        try:
            watch.handle(events.get(timeout=TICK))
        except queue.Empty:
            watch.tick()
