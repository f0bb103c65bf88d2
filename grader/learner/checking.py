"""The queue of exercises to check: one after the other, saved ones first."""

from __future__ import annotations

import time

from grader.course import Course, file_name
from grader.learner.attempts import Attempt, Attempts, Failed

PATIENCE = 1.0  # seconds that an attempt may take before a new save ends it
LONG = 3.0  # seconds that an attempt takes only where a call hangs, once torch is there


class Checking:
    """The exercises that wait to be checked; `busy` is the one that is being checked now."""

    def __init__(self, course: Course, attempts: Attempts) -> None:
        self._course, self._attempts = course, attempts
        self._todo: list[str] = []
        self._since = 0.0
        self._warm = False
        self.busy: str | None = None

    @property
    def idle(self) -> bool:
        """True if nothing waits to be checked after this."""
        return not self._todo

    def saved(self, files: list[str]) -> list[str]:
        """Check the exercises of these saved files; an attempt that takes long is ended for them."""
        ids = [e.id for e in self._course.exercises if file_name(e.source) in files]
        if self.busy in ids and self.seconds > PATIENCE:
            self._attempts.abandon()
        self._todo = [*ids, *(i for i in self._todo if i not in ids)]
        self._go_on()
        return ids

    def check(self, ids: list[str]) -> None:
        """Check these when their turn comes."""
        self._todo += [i for i in ids if i not in self._todo]
        self._go_on()

    def found(self, found: Attempt | Failed) -> bool:
        """Record that an attempt has ended, and go on; return True if it is news.

        It is no news if the attempt was ended for a new save.
        """
        news = isinstance(found, Attempt) or found.exercise not in self._todo
        self.busy, self._warm = None, True
        self._go_on()
        return news

    @property
    def seconds(self) -> float:
        """Return how long the exercise that is being checked has taken so far."""
        return time.monotonic() - self._since

    @property
    def endless(self) -> bool:
        """True if the attempt takes so long that a loop may never end."""
        return self._warm and self.seconds > LONG

    def _go_on(self) -> None:
        if self.busy is None and self._todo:
            self.busy, self._since = self._todo.pop(0), time.monotonic()
            self._attempts.ask(self.busy)
