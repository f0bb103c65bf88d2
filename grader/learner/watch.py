"""The watch loop: saves, keys and outcomes come in; the display changes."""

from __future__ import annotations

import dataclasses
import queue

from grader.course import Course, Exercise, file_name
from grader.learner.attempts import Attempt, Attempts, Failed, Found, PutBack
from grader.learner.checking import Checking
from grader.learner.display import Display
from grader.learner.keyboard import DOWN, END, ENTER, ESCAPE, LEFT, PAGE_DOWN, PAGE_UP, RIGHT, UP
from grader.learner.progress import Progress
from grader.rendering.terminal import Screen
from grader.texts import Text, plain, translated

TICK = 0.25  # seconds until the size of the terminal and the clock are looked at again

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
    """The terminal may show something else now."""


Event = Saved | Pressed | Redraw | Found


class Watch:
    """The exercises to check, and the effects of keys.

    Args:
        called: the learner's name for the folder of exercise files.
        live: True if the terminal can be redrawn; else lines are added.
        first: the exercise to begin with, if not the next one.
    """

    def __init__(
        self, course: Course, called: str, screen: Screen, progress: Progress, attempts: Attempts, live: bool,
        first: Exercise | None = None,
    ) -> None:  # fmt: skip
        self._course, self._called = course, called
        self._progress, self._attempts = progress, attempts
        self._display = Display(course, called, screen, progress, attempts.seed, live)
        self._display.now = first or self._display.now
        self._checking = Checking(course, attempts)
        self._batch: list[str] = []  # saved, and one of them to be shown
        self.finished = False

    @property
    def files(self) -> list[str]:
        """Return the names of the files to watch."""
        return [file_name(s) for s in self._course.sources]

    def begin(self) -> None:
        """Show something at once, and check the next exercise."""
        if not self._display.live:
            self._display.say(WATCHING, folder=self._called)
        self._checking.check([self._display.now.id])
        if self._display.live:
            self._display.busy = CHECKING.format(id=self._checking.busy)
            self._display.draw()

    def handle(self, event: Event) -> None:
        """Handle one event."""
        match event:
            case Saved(files):
                self._saved(files)
            case Pressed(key):
                self._pressed(key)
            case Redraw():
                self._display.draw()
            case Attempt() | Failed():
                self._found(event)
            case PutBack(said=said, refused=refused):
                self._display.tell(said, "red" if refused else "green")
                self._display.draw()

    def tick(self) -> None:
        """Handle the passing of time."""
        display, said = self._display, self._waiting()
        slow = said and said != display.busy
        if slow:
            display.busy = said
        if slow and said and not display.live:
            display.say(said, "dim")
        if display.live and (display.resized() or slow):
            display.draw()

    def _waiting(self) -> Text | None:
        """Return a sentence for an attempt that takes long."""
        checking = self._checking
        if checking.busy is None or checking.seconds <= 2 * TICK:
            return None
        return (ENDLESS if checking.endless else CHECKING).format(id=checking.busy)

    def _saved(self, files: list[str]) -> None:
        self._display.note = None
        ids = self._checking.saved(files)
        self._batch += [i for i in ids if i not in self._batch]

    def _found(self, found: Attempt | Failed) -> None:
        self._display.busy = None
        last = self._checking.idle
        news = self._checking.found(found)
        if isinstance(found, Attempt):
            self._display.keep(found)
            self._progress.note([found.report], {found.exercise: found.source})
        elif news:
            self._display.tell(NO_CHECK, "red", id=found.exercise, reason=plain(found.reason))
        if last:
            if self._batch:  # else nothing was saved since the learner pressed a key
                self._turn_to(self._batch)
                self._display.turn()
            self._batch = []
            self._display.draw()

    def _turn_to(self, ids: list[str]) -> None:
        """Show the first of these that fails, unless one of them is on the screen."""
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
            if chosen := chooser.press(key):
                self._go_to(chosen)
            elif chooser.closed:
                display.turn()
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
            order = self._course.steps
            before = order[order.index(display.now) - 1]
            self._go_to(self._following() if key == "n" else before if key == "p" else display.now)
        else:
            if key == "h":
                self._progress.hint(display.now)
            display.turn(VIEWS.get(key, "verdict"))
        display.draw()

    def _go_to(self, exercise: Exercise) -> None:
        """Show this exercise, checked again."""
        if exercise != self._display.now:
            self._batch = []
        self._display.now = exercise
        self._display.turn()
        self._checking.check([exercise.id])

    def _following(self) -> Exercise:
        """Return the exercise that can be done after the shown one; if all are done, the next in order."""
        order = self._course.steps
        here = order.index(self._display.now)
        after = [*order[here + 1 :], *order[:here]]
        ready = self._progress.standings().open_now()
        return [*(e for e in after if e in ready), *after, self._display.now][0]


def run(watch: Watch, events: queue.SimpleQueue[Event]) -> None:
    """Handle events until the learner leaves."""
    watch.begin()
    while not watch.finished:
        try:
            watch.handle(events.get(timeout=TICK))
        except queue.Empty:
            watch.tick()
