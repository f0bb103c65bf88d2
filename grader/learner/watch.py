"""The watch loop: what was saved, pressed or found comes in; what there is to see goes out."""

from __future__ import annotations

import dataclasses
import queue
import time

from grader.course import Course, Exercise, file_name
from grader.learner import progress as learning
from grader.learner.attempts import Attempt, Attempts, Failed, Found, Kept, PutBack
from grader.learner.chooser import Chooser
from grader.learner.display import Display
from grader.learner.keyboard import DOWN, END, ENTER, ESCAPE, LEFT, PAGE_DOWN, PAGE_UP, RIGHT, UP
from grader.learner.progress import Progress
from grader.rendering.terminal import Screen
from grader.texts import Text, plain, translated

TICK = 0.25  # seconds until the size of the terminal and the clock are looked at again
PATIENCE = 1.0  # seconds that an attempt may take before a new save ends it
LONG = 3.0  # seconds that an attempt takes only where a call hangs, once torch is there

WATCHING = translated("Watching {folder}: save a file to have it checked.")
CHECKING = translated("checking {id} ...")
ENDLESS = translated("checking {id} ... it takes long: is there a loop that never ends?")
NO_CHECK = translated("{id} could not be checked. It is not your fault; Enter tries again.\n{reason}")
VIEWS = {"h": "hints", "l": "list", "d": "checks", "r": "reset", "s": "solution", "o": "output"}
LIST_TAKES = (UP, DOWN, LEFT, RIGHT, ENTER, ESCAPE, "/")
TURNS = {" ": 1, DOWN: 1, PAGE_DOWN: 1, UP: -1, PAGE_UP: -1}


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
    """What is to be checked, and what the keys do.

    Args:
        called: the folder of exercise files as the learner calls it.
        live: whether the terminal can be drawn anew; else lines are added.
        first: what to begin with, if not with what comes next.
    """

    def __init__(
        self, course: Course, called: str, screen: Screen, progress: Progress, attempts: Attempts, live: bool,
        first: Exercise | None = None,
    ) -> None:  # fmt: skip
        self._course, self._called = course, called
        self._progress, self._attempts = progress, attempts
        self._display = Display(course, called, screen, progress, attempts.seed, live)
        self._display.now = first or self._display.now
        self._todo: list[str] = []
        self._batch: list[str] = []  # saved, and one of them to be shown
        self._busy: str | None = None
        self._since = 0.0
        self._warm = False
        self.finished = False

    @property
    def files(self) -> list[str]:
        """The names of the files to watch."""
        return [file_name(s) for s in self._course.sources]

    def begin(self) -> None:
        """Show something at once, and check what is to be done next."""
        if not self._display.live:
            self._display.say(WATCHING, folder=self._called)
        self._check([self._display.now.id])
        if self._display.live:
            self._display.busy = CHECKING.format(id=self._busy)
            self._display.draw()

    def handle(self, event: Event) -> None:
        """Take one event in."""
        match event:
            case Saved(files):
                self._saved(files)
            case Pressed(key):
                self._pressed(key)
            case Redraw():
                self._display.draw()
            case Attempt() | Failed():
                self._found(event)
            case PutBack() | Kept():
                self._put_back(event)

    def tick(self) -> None:
        """Some time has passed."""
        display, said = self._display, self._waiting()
        slow = said and said != display.busy
        if slow:
            display.busy = said
        if slow and said and not display.live:
            display.say(said, "dim")
        if display.live and (display.resized() or slow):
            display.draw()

    def _waiting(self) -> Text | None:
        """What to say of an attempt that takes long."""
        waited = time.monotonic() - self._since
        if self._busy is None or waited <= 2 * TICK:
            return None
        return (ENDLESS if waited > LONG and self._warm else CHECKING).format(id=self._busy)

    def _saved(self, files: list[str]) -> None:
        ids = [e.id for e in self._course.exercises if file_name(e.source) in files]
        if self._busy in ids and time.monotonic() - self._since > PATIENCE:
            self._attempts.abandon()
        self._display.note = None
        self._batch += [i for i in ids if i not in self._batch]
        self._check(ids)

    def _check(self, ids: list[str]) -> None:
        self._todo += [i for i in ids if i not in self._todo]
        self._go_on()

    def _go_on(self) -> None:
        if self._busy is None and self._todo:
            self._busy, self._since = self._todo.pop(0), time.monotonic()
            self._attempts.ask(self._busy)

    def _found(self, found: Attempt | Failed) -> None:
        self._busy, self._display.busy, self._warm = None, None, True
        if isinstance(found, Attempt):
            self._display.keep(found)
            self._progress.note([found.report], {found.exercise: found.source})
        elif found.exercise not in self._todo:  # else it was ended for the sake of a new save
            self._display.tell(NO_CHECK, "red", id=found.exercise, reason=plain(found.reason))
        if not self._todo:
            if self._batch:  # else nothing was saved since the learner pressed a key
                self._turn_to(self._batch)
                self._display.turn()
            self._batch = []
            self._display.draw()
        self._go_on()

    def _turn_to(self, ids: list[str]) -> None:
        """Show the first of these that fails, unless one of them is being looked at."""
        now = self._display.now.id
        if now not in ids:
            failing = [i for i in ids if self._display.failing(i)]
            self._display.now = self._course.exercise([*failing, *ids, now][0])

    def _pressed(self, key: str) -> None:
        display = self._display
        asked, display.note = display.view == "reset", None
        chooser = display.chooser
        if key == "q" and chooser and not chooser.typing:
            key = ESCAPE  # it leaves the list, not the watch
        if key == END or (key == "q" and not chooser):
            self.finished = True
            return
        if chooser and (chooser.typing or key in LIST_TAKES):
            self._choose(chooser, key)
        elif asked:
            display.turn()
            if key == "y":
                self._attempts.reset(display.now.id)
                return
        elif key in TURNS:
            display.turn_page(TURNS[key])
        elif key == "z":
            display.speak(display.next_language)
        elif key in (ENTER, "n", "p"):
            self._go_to({"n": self._following, "p": self._before}.get(key, lambda: display.now)())
        else:
            if key == "h":
                self._progress.hint(display.now)
            display.turn(VIEWS.get(key, "verdict"))
        display.draw()

    def _choose(self, chooser: Chooser, key: str) -> None:
        if chosen := chooser.press(key):
            self._go_to(chosen)
        elif chooser.closed:
            self._display.turn()

    def _go_to(self, exercise: Exercise) -> None:
        """Show this exercise, checked anew."""
        if exercise != self._display.now:
            self._batch = []
        self._display.now = exercise
        self._display.turn()
        self._check([exercise.id])

    def _following(self) -> Exercise:
        """What can be done after the one that is shown; where all is done, the next in order."""
        order = self._course.steps
        here = order.index(self._display.now)
        after = [*order[here + 1 :], *order[:here]]
        ready = learning.open_now(self._course, self._progress.standings())
        return [*(e for e in after if e in ready), *after, self._display.now][0]

    def _before(self) -> Exercise:
        order = self._course.steps
        return order[order.index(self._display.now) - 1]

    def _put_back(self, found: PutBack | Kept) -> None:
        if isinstance(found, Kept):
            self._display.tell(found.reason, "red")
        else:
            self._display.tell(found.done.said(self._course.root), "green")
        self._display.draw()


def run(watch: Watch, events: queue.SimpleQueue[Event]) -> None:
    """Take events until the learner has had enough."""
    watch.begin()
    while not watch.finished:
        try:
            watch.handle(events.get(timeout=TICK))
        except queue.Empty:
            watch.tick()
