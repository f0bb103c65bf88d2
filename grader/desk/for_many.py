"""The pages on which something is decided for many at once: a mistake, a failure without a name, a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from grader.course import total
from grader.desk.deciding import Effect, moved
from grader.desk.desk import Desk
from grader.desk.index import Key, StudentFacts
from grader.desk.views import A_PAGE, DeskViews, paged
from grader.rendering.pages import student_view
from grader.report import Decision, ExerciseReport, decisions
from grader.texts import NOTHING, Text

KINDS = ("mistake", "group", "check")  # of these pages, and what their addresses are called
SIDE_BY_SIDE = 6  # files of a page
Form = Mapping[str, str]


class ForMany:
    """Makes these pages, each by its kind."""

    def __init__(self, desk: Desk, views: DeskViews) -> None:
        self._desk, self._views, self._course = desk, views, desk.course
        self._content = dict(zip(KINDS, (self._mistake, self._group, self._check), strict=True))

    def page(
        self, kind: str, key: Key, number: int, form: Form, effect: Effect | None = None, trouble: Text = NOTHING
    ) -> str | None:
        """Return one of these pages; None unless it `is_there`.

        Args:
            number: the page of its list, counted from 1.
            form: what was typed.
            effect: what a decision would change.
        """
        if not self.is_there(kind, key):
            return None
        return self._views.page(
            f"desk_{kind}.html", kind=kind, exercise=key[0], id=key[1], title=student_view.title(self._course, key[0]),
            typed=form, effect=effect and _told(effect), trouble=trouble, **self._content[kind](key, number),
        )  # fmt: skip

    def is_there(self, kind: str, key: Key) -> bool:
        """Return True if there is such a page."""
        return key in self._desk.index.checks if kind == "check" else bool(self.students(kind, key))

    def decision(self, kind: str, key: Key, form: Form, points: float | None) -> Decision:
        """Return what a form of such a page decides."""
        reason = form.get("reason", "").strip()
        if kind == "check":
            return Decision(key[0], reason, without=key[1])
        if kind == "group":
            return Decision(key[0], reason, mistake=form.get("name", "").strip(), alike=key[1], points=points)
        return Decision(key[0], reason, mistake=key[1], points=points)

    def students(self, kind: str, key: Key) -> list[StudentFacts]:
        """Those whom a page is about: who made the mistake, who fail alike, who fail the check; nobody without one."""
        index = self._desk.index
        if kind == "group":
            return [s for s in index.students.values() if s.alike.get(key[0]) == key[1]]
        return index.who_failed(key) if kind == "check" else index.who_made(key) if kind == "mistake" else []

    def _mistake(self, key: Key, number: int) -> dict[str, Any]:
        """A mistake: who made it, with their code, and what it costs."""
        made = self.students("mistake", key)
        listed, costs = paged(made, number, SIDE_BY_SIDE), [s.made[key] for s in made]
        return {
            "listed": listed, "shown": [(self._code(s, key, {key[1]}), [s]) for s in listed["items"]],
            "least": min(costs), "most": max(costs), "together": total(costs), "count": len(made),
            "message": self._desk.index.messages[key],
            "history": self._views.history(lambda d: d.mistake == key[1] and d.exercise == key[0]),
        }  # fmt: skip

    def _group(self, key: Key, number: int) -> dict[str, Any]:
        """Those who fail alike: equal code is shown once, with all whose code it is."""
        members = self.students("group", key)
        listed, programs = paged(members, number), dict[str, Any]()
        for student in listed["items"]:
            lines, why = self._code(student, key, set())
            same = " ".join(str(line) for _, line, _ in lines if line.strip())
            programs.setdefault(same, ((lines, why), []))[1].append(student)
        shown = sorted(programs.values(), key=lambda p: -len(p[1]))
        return {"listed": listed, "shown": shown, "count": len(members), "failed": self._desk.index.failures[key]}

    def _check(self, key: Key, number: int) -> dict[str, Any]:
        """A check: how hard, whom it separates, which mistakes are behind it."""
        index = self._desk.index
        failing = index.who_failed(key)
        behind = Counter(made for student in failing for made in student.made if made[0] == key[0])
        history = self._views.history(lambda d: (d.exercise, d.without) == key)
        named = sum(any(made[0] == key[0] for made in s.made) for s in failing)
        return {
            "facts": index.checks[key], "listed": paged(failing, number),
            "unnamed": len(failing) - named, "count": len(failing),
            "behind": [(m, index.messages[m], n, len(index.who_made(m)) - n) for m, n in behind.most_common()],
            "history": history, "out": any(line["holds"] and line["decision"].without for line in history),
        }  # fmt: skip

    def _code(self, student: StudentFacts, key: Key, mistakes: set[str]) -> tuple[Any, Text]:
        """A student's code with what the checks say that one of these mistakes explains, or none if there are none."""
        report = self._desk.report(student.id)
        exercise = next((e for e in report.exercises if e.id == key[0]), None) if report else None
        reasons = _reasons(exercise, mistakes) if exercise else []
        return self._views.code(self._views.submission(student.id), key[0], reasons)


def _reasons(exercise: ExerciseReport, mistakes: set[str]) -> list[Text]:
    explained = {c for d in exercise.diagnoses if d.misconception in mistakes for c in d.checks}
    if not mistakes:
        explained = {c.id for c in decisions.unnamed(exercise)}
    reasons = [c.reason for c in exercise.failed if c.id in explained]
    if exercise.reason and exercise.chief in explained:  # which also says where it went wrong first
        reasons.insert(0, exercise.reason)
    return reasons


def _told(effect: Effect) -> dict[str, Any]:
    lines = [(old, new, moved(old, new)) for old, new in effect.changed]
    return {"lines": lines[:A_PAGE], "count": len(lines), "total": total(n.score - o.score for o, n in effect.changed)}
