"""The screen of the watch: a fixed head and foot, and between them one page of a view of one exercise."""

from __future__ import annotations

import time
from collections.abc import Callable

from grader.course import Course, Exercise, file_name
from grader.learner import views
from grader.learner.attempts import Attempt
from grader.learner.chooser import Chooser
from grader.learner.progress import Progress, Standing
from grader.rendering.terminal import Screen
from grader.texts import Text, called, plain, translated

WHEN = translated("{id}, checked at {time} in {seconds:.2f} s, seed {seed}")
NOT_YET = translated("The solution is shown once {id} passes.")
NOT_PRINTED = translated("Your code printed nothing.")
TURN = translated("page {page} of {pages} · space turns")
KEYS = {
    "h": translated("hint"),
    "n": translated("next"),
    "p": translated("previous"),
    "l": translated("list"),
    "d": translated("all checks"),
    "o": translated("output"),
    "r": translated("reset"),
    "s": translated("solution"),
    "z": plain("{language}"),
    "q": translated("quit"),
}
LIST_KEYS = (
    translated("↑ ↓ move"),
    translated("Enter opens"),
    translated("← folds"),
    translated("/ finds"),
    translated("Esc back"),
)
LEAST = 3  # lines of a page

Draw = Callable[[], None]


class Display:
    """One exercise, `now`, in one `view`; `note` is shown below it, with a style.

    Args:
        called: the learner's name for the folder of exercise files.
        live: True if the terminal can be redrawn; else lines are added.
    """

    def __init__(
        self, course: Course, called: str, screen: Screen, progress: Progress, seed: int, live: bool
    ) -> None:  # fmt: skip
        self._course, self._called = course, called
        self._screen, self._progress = screen, progress
        self._seed = seed
        self.live = live
        self._latest: dict[str, Attempt] = {}
        self._clock: dict[str, str] = {}
        self._page, self._pages = 0, 1
        self._size = screen.size
        self.view = "verdict"
        self.chooser: Chooser | None = None
        self.note: tuple[str, str] | None = None
        self.busy: Text | None = None
        ready = progress.standings().open_now()
        self.now: Exercise = [*ready, *course.steps][0]

    @property
    def lang(self) -> str:
        return self._screen.lang

    @property
    def next_language(self) -> str:
        """Return the course's language after this one; the same if it has no other."""
        languages = [*self._course.settings.languages]
        return [*languages, *languages][languages.index(self.lang) + 1] if self.lang in languages else languages[0]

    def speak(self, lang: str) -> None:
        """Continue in this language."""
        self._screen = self._screen.in_language(lang)

    def keep(self, attempt: Attempt) -> None:
        """Keep this attempt as the exercise's last one."""
        self._latest[attempt.exercise] = attempt
        self._clock[attempt.exercise] = time.strftime("%H:%M:%S")

    def failing(self, id: str) -> bool:
        """Return True if the exercise was checked and is not right."""
        return id in self._latest and not self._latest[id].report.done

    def turn(self, view: str = "verdict") -> None:
        """Show this view, from its first page."""
        self.view, self._page = view, 0
        self.chooser = Chooser(self._course, self.now) if view == "list" and self.live else None

    def turn_page(self, by: int) -> None:
        """Turn so many pages on."""
        self._page = (self._page + by) % self._pages

    def resized(self) -> bool:
        """Return True if the terminal has another size than when it was last drawn."""
        return self._size != self._screen.size

    def say(self, text: Text, style: str = "", **values: object) -> None:
        """Print a line of its own."""
        self._screen.say(text, style, **values)

    def tell(self, text: Text, style: str, **values: object) -> None:
        """Show this below the view."""
        self.note = self._screen.words(text, **values), style

    def draw(self) -> None:
        """Redraw everything; if that is not possible, add the view as lines."""
        if self.live:
            self._pages = self._paint()
            return
        with self._screen.whole(clear=False):
            if self.view == "verdict":
                self._above(None)
            if self.view not in ("list", "solution"):
                self._headline()
            self._body(0)
            if self.view == "verdict" and self.now.id in self._latest:
                self._when()

    def _paint(self) -> int:
        """Show one page; return how many pages there are."""
        screen = self._screen
        self._size = screen.size
        top, bottom = screen.captured(self._head), screen.captured(self._foot)
        room = max(screen.size[1] - len(top) - len(bottom), LEAST)
        lines = screen.captured(lambda: self._body(room))
        if self.view == "verdict":
            lines = screen.captured(lambda: self._above(room - len(lines))) + lines
        if len(lines) > room:
            lines = [line for line in lines if line.strip()]
        pages = [lines] if len(lines) <= room else [lines[i : i + room - 1] for i in range(0, len(lines), room - 1)]
        here = self._page % len(pages)
        if len(pages) > 1:
            bottom = screen.captured(lambda: screen.say(TURN, "dim", page=here + 1, pages=len(pages))) + bottom
        blank = [""] * (room - len(pages[here]) - (len(pages) > 1))
        screen.paint([*top, *pages[here], *blank, *bottom])
        return len(pages)

    def _head(self) -> None:
        """Show the progress and the verdicts, which are always on the screen."""
        views.reached(self._screen, self._course, self._progress.standings())
        if not self.chooser:
            self._headline()
        self._screen.line("")

    def _headline(self) -> None:
        if attempt := self._latest.get(self.now.id):
            self._screen.headline(attempt.report, self.now)
        else:
            self._screen.line(f"{self.now.id}: {self._screen.words(self.now.title)}", "bold")

    def _above(self, room: int | None) -> None:
        if attempt := self._latest.get(self.now.id):
            views.printed(self._screen, attempt.report, room)

    def _body(self, room: int) -> None:
        standings = self._progress.standings()
        if self.chooser:
            self.chooser.draw(self._screen, standings, room)
        else:
            draw: dict[str, Draw] = {
                "hints": self._hints, "checks": self._checks, "solution": self._solution, "output": self._output,
                "list": lambda: views.progress(self._screen, self._course, standings, self._called),
                "reset": lambda: views.ask_reset(self._screen, self._course, self.now),
            }  # fmt: skip
            draw.get(self.view, self._verdict)()
        for trouble in self._progress.troubles:
            self._screen.say(trouble, "yellow")
        if self.note:
            self._screen.line("")
            self._screen.line(*self.note)

    def _foot(self) -> None:
        if self.busy:
            self._screen.say(self.busy, "dim")
        elif self.now.id in self._latest:
            self._when()
        if self.chooser:
            keys = [self._screen.words(key) for key in LIST_KEYS]
        else:
            other = called(self.next_language)
            keys = [
                f"{key} {self._screen.words(what, language=other)}" for key, what in KEYS.items() if self._is_key(key)
            ]
        self._screen.side_by_side(keys, "dim")

    def _when(self) -> None:
        attempt, clock = self._latest[self.now.id], self._clock[self.now.id]
        self._screen.say(WHEN, "dim", id=self.now.id, time=clock, seconds=attempt.seconds, seed=self._seed)

    def _is_key(self, key: str) -> bool:
        """Return True if this key does something now."""
        attempt = self._latest.get(self.now.id)
        found = {
            "s": self._passed(), "h": bool(self.now.hints), "o": bool(attempt and attempt.report.stdout),
            "p": self.now != self._course.steps[0], "z": self.next_language != self.lang,
        }  # fmt: skip
        return found.get(key, True)

    def _verdict(self) -> None:
        attempt = self._latest.get(self.now.id)
        if attempt is None:
            return
        views.verdict(self._screen, attempt.report, self.now, f"{self._called}/{file_name(self.now.source)}")
        if attempt.report.done:
            views.upcoming(self._screen, self._progress.standings(), self._called)

    def _checks(self) -> None:
        attempt = self._latest.get(self.now.id)
        if attempt is None or not attempt.report.checks:
            self._verdict()
        else:
            self._screen.why(attempt.report)
            self._screen.mistakes(attempt.report, behind_chief=False)
            self._screen.checks(attempt.report, self._course.exercise(attempt.report.id).view)

    def _output(self) -> None:
        attempt = self._latest.get(self.now.id)
        if attempt and attempt.report.stdout:
            self._screen.printed(attempt.report, every=True)
        else:
            self._screen.say(NOT_PRINTED)

    def _hints(self) -> None:
        """Show the hints beside the verdict."""
        known = self._progress.standings().get(self.now.id, Standing())
        views.hints(self._screen, self.now, known.hints)
        if self.live:
            self._screen.line("")
            self._verdict()

    def _solution(self) -> None:
        if self._passed():
            views.solution(self._screen, self._course, self.now)
        else:
            self._screen.say(NOT_YET, id=self.now.id)

    def _passed(self) -> bool:
        return self._progress.standings().passed(self.now.id)
