"""The pages on which something is decided for many at once: a mistake, a failure without a name, a check."""

from __future__ import annotations

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

SIDE_BY_SIDE = 6  # files of a page
Form = Mapping[str, str]


class ForMany:
    """Makes these pages. `form` is what was typed, `effect` what a decision would change."""

    def __init__(self, desk: Desk, views: DeskViews) -> None:
        self._desk, self._views, self._course = desk, views, desk.course
        self.pages = {"mistake": self.mistake, "group": self.group, "check": self.check}
        """Each by the name of its address: of a key, a number, a form, an effect, and what is the matter."""

    def decision(self, kind: str, key: Key, form: Form, points: float | None) -> Decision:
        """Return what a form of such a page decides."""
        reason = form.get("reason", "").strip()
        if kind == "check":
            return Decision(key[0], reason, without=key[1])
        if kind == "group":
            return Decision(key[0], reason, mistake=form.get("name", "").strip(), alike=key[1], points=points)
        return Decision(key[0], reason, mistake=key[1], points=points)

    def students(self, kind: str, key: Key) -> list[StudentFacts]:
        """Those whom such a page is about: who made the mistake, who fail alike, who fail the check."""
        index = self._desk.index
        if kind == "group":
            return [s for s in index.students.values() if s.alike.get(key[0]) == key[1]]
        return index.who_failed(key) if kind == "check" else index.who_made(key)

    def unnamed(self, number: int) -> dict[str, Any]:
        """Those who fail alike without a named mistake, as the page of the mistakes lists them."""
        index = self._desk.index
        found = [(key, index.failures[key], who) for key, who in index.unnamed()]
        return paged(found, number)

    def mistake(
        self, key: Key, number: int, form: Form, effect: Effect | None = None, trouble: Text = NOTHING
    ) -> str | None:
        """A mistake: who made it, with their code, and what it costs."""
        made = self.students("mistake", key)
        if not made:
            return None
        listed, costs = paged(made, number, SIDE_BY_SIDE), [s.made[key] for s in made]
        shown = [(self._code(s, key, {key[1]}), [s]) for s in listed["items"]]
        return self._page(
            "mistake", key, form, effect, trouble, listed=listed, shown=shown, least=min(costs), most=max(costs),
            together=total(costs), count=len(made), message=self._desk.index.messages[key],
            history=self._views.history(lambda d: d.mistake == key[1] and d.exercise == key[0]),
        )  # fmt: skip

    def group(
        self, key: Key, number: int, form: Form, effect: Effect | None = None, trouble: Text = NOTHING
    ) -> str | None:
        """Those who fail alike: equal code is shown once, with all whose code it is."""
        members = self.students("group", key)
        if not members:
            return None
        listed, programs = paged(members, number), dict[str, Any]()
        for student in listed["items"]:
            lines, why = self._code(student, key, set())
            same = " ".join(str(line) for _, line, _ in lines if line.strip())
            programs.setdefault(same, ((lines, why), []))[1].append(student)
        shown = sorted(programs.values(), key=lambda p: -len(p[1]))
        return self._page(
            "group", key, form, effect, trouble, listed=listed, shown=shown, count=len(members),
            failed=self._desk.index.failures[key],
        )  # fmt: skip

    def check(
        self, key: Key, number: int, form: Form, effect: Effect | None = None, trouble: Text = NOTHING
    ) -> str | None:
        """A check: how hard, whom it separates, which mistakes are behind it; None where there is none."""
        index = self._desk.index
        if key not in index.checks:
            return None
        failing = index.who_failed(key)
        behind: dict[Key, int] = {}
        for student in failing:
            for made in student.made:
                if made[0] == key[0]:
                    behind[made] = behind.get(made, 0) + 1
        passed = {made: len(index.who_made(made)) - count for made, count in behind.items()}
        history = self._views.history(lambda d: (d.exercise, d.without) == key)
        named = sum(any(made[0] == key[0] for made in s.made) for s in failing)
        return self._page(
            "check", key, form, effect, trouble, facts=index.checks[key], listed=paged(failing, number),
            unnamed=len(failing) - named, count=len(failing),
            behind=[(m, index.messages[m], n, passed[m]) for m, n in sorted(behind.items(), key=lambda b: -b[1])],
            history=history, out=any(line["holds"] and line["decision"].without for line in history),
        )  # fmt: skip

    def _page(self, kind: str, key: Key, form: Form, effect: Effect | None, trouble: Text, **values: Any) -> str:
        worth = next((e.points for e in self._course.exercises if e.id == key[0]), 0)
        return self._views.page(
            f"desk_{kind}.html", kind=kind, exercise=key[0], id=key[1], title=student_view.title(self._course, key[0]),
            typed=form, effect=effect and _told(effect), trouble=trouble, worth=worth, **values,
        )  # fmt: skip

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
