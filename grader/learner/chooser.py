"""The list to choose an exercise from: units that fold, a cursor, and a filter."""

from __future__ import annotations

from grader.course import Course, Exercise, Unit
from grader.learner import views
from grader.learner.keyboard import BACK, DOWN, ENTER, ESCAPE, LEFT, RIGHT, UP
from grader.learner.progress import Standings
from grader.rendering.terminal import Screen
from grader.texts import in_every_language, translated

FOUND = translated("find: {words}▏ · exercises: {count}")
FOLDED, UNFOLDED = "▸ ", "▾ "
CURSOR = "reverse"


class Chooser:
    """The path's units with the exercises of the unfolded ones; at first that of the exercise `now`."""

    def __init__(self, course: Course, now: Exercise) -> None:
        self._course = course
        self._open = {u.id for u in course.path if now in u.exercises}
        self._at: Unit | Exercise = now
        self._words = ""
        self.typing = False
        self.closed = False

    @property
    def rows(self) -> list[Unit | Exercise]:
        """Return the rows from the top; with a filter, those that match it."""
        if self._words:
            return [e for e in self._course.steps if self._fits(e)]
        found: list[Unit | Exercise] = []
        for unit in self._course.path:
            found += [unit, *(unit.exercises if unit.id in self._open else ())]
        return found

    def _fits(self, exercise: Exercise) -> bool:
        said = " ".join((exercise.id, *in_every_language(exercise.title), *exercise.functions)).lower()
        return all(word in said for word in self._words.split())

    def press(self, key: str) -> Exercise | None:
        """Take a key; return the exercise that it chooses, if any."""
        rows = self.rows
        at = rows.index(self._at) if self._at in rows else 0
        if key in (UP, DOWN) and rows:
            self._at = rows[(at + (1 if key == DOWN else -1)) % len(rows)]
        elif key == ENTER or (key == RIGHT and not self.typing):
            row = rows[at] if rows else None
            self._open ^= {row.id} if isinstance(row, Unit) else set()
            return row if isinstance(row, Exercise) else None
        elif key == ESCAPE:
            self.closed = not self.typing
            self.typing, self._words = False, ""
        elif self.typing:
            self._words = self._words[:-1] if key == BACK else self._words + key if key.isprintable() else self._words
            self._at = [*self.rows, self._at][0]
        elif key == LEFT:
            unit = next(u for u in self._course.path if self._at == u or self._at in u.exercises)
            self._open -= {unit.id}
            self._at = unit
        elif key == "/":
            self.typing = True
        return None

    def draw(self, screen: Screen, standings: Standings, room: int) -> None:
        """Show the rows around the cursor, as many as there is room for."""
        rows = self.rows
        if self.typing:
            screen.say(FOUND, "bold", words=self._words, count=len(rows) if self._words else len(self._course.steps))
            room -= 1
        at = rows.index(self._at) if self._at in rows else 0
        first = max(0, min(at - room // 2, len(rows) - room))
        for number, row in enumerate(rows[first : first + room], first):
            style = CURSOR if number == at else ""
            if isinstance(row, Unit):
                lead = UNFOLDED if row.id in self._open else FOLDED
                views.unit_row(screen, self._course, row, standings, style or "bold", lead)
            else:
                views.exercise_row(screen, self._course, row, standings, style)
