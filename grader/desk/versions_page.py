"""Earlier submissions of a student, where they are still there, beside the one that counts."""

from __future__ import annotations

import difflib
from typing import Any

from markupsafe import Markup

from grader.desk.desk import Desk
from grader.desk.views import DeskViews
from grader.intake import Submission
from grader.rendering.pages import pages as html
from grader.rendering.pages import student_view
from grader.report import graded_with
from grader.texts import NOTHING, Text, plain

MOST_LINES = 2_000  # of a file whose differences are marked


class VersionsPage:
    """Makes the page of an earlier submission."""

    def __init__(self, desk: Desk, views: DeskViews) -> None:
        self._desk, self._views = desk, views

    def of(self, student: str, number: int) -> str | None:
        """Return the page with version `number` of a student, counted from 1, beside the last one."""
        found = graded_with.versions(self._desk.results, student)
        if student not in self._desk.index.students or not 1 <= number < len(found):
            return None
        before, now = self._views.submission(student, found[number - 1][0]), self._views.submission(student)
        beside = [] if isinstance(before, Text) or isinstance(now, Text) else self._beside(before, now)
        why = next((s for s in (before, now) if isinstance(s, Text)), NOTHING)
        return self._views.page(
            "desk_version.html", student=self._desk.index.students[student], number=number, versions=found,
            earlier=self._desk.earlier(student), beside=beside, why=why,
        )  # fmt: skip

    def _beside(self, before: Submission, now: Submission) -> list[dict[str, Any]]:
        """Each file that differs: its lines then and now, where lines that changed are marked."""
        names = dict.fromkeys([*before.sources, *now.sources])
        titles = {e.source: student_view.title(self._desk.course, e.id) for e in reversed(self._desk.course.exercises)}
        found = []
        for name in names:
            old, new = (_text(submission, name) for submission in (before, now))
            if old != new:
                found.append({"title": titles.get(name, plain(name)), "name": name, "sides": _sides(old, new)})
        return found


def _text(submission: Submission, name: str) -> str:
    source = submission.sources.get(name)
    return (source and source.text) or ""


def _sides(old: str, new: str) -> list[list[tuple[int, Markup, bool]]]:
    """The lines of both texts: number, the line in colour, True if it is not in the other one."""
    both = [old.splitlines(), new.splitlines()]
    changed: list[set[int]] = [set(), set()]
    if max(map(len, both)) <= MOST_LINES:
        for kind, a, b, c, d in difflib.SequenceMatcher(None, both[0], both[1], autojunk=False).get_opcodes():
            if kind != "equal":
                changed[0].update(range(a, b))
                changed[1].update(range(c, d))
    return [
        [(n + 1, line, n in marks) for n, line in enumerate(html.coloured(lines))]
        for lines, marks in zip(both, changed, strict=True)
    ]
