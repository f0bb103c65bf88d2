"""The pages of the desk about the class, a mistake, a check, and answers in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from grader.desk.desk import Desk
from grader.desk.essay_marks import AnswerGroup, groups
from grader.desk.index import ItemAnalysis, matching
from grader.errors import CourseError
from grader.intake import Submission
from grader.rendering.pages import pages as html
from grader.rendering.pages import student_view
from grader.report import Batch, Decision, class_tally
from grader.report import results as aftermath
from grader.texts import NOTHING, Text, plain, translated

STYLES = ("base.css", "class.css", "study.css", "desk.css")
SCRIPTS = ("switches.js", "desk.js")
A_PAGE = 50  # students of a list
SHOWN = 8  # mistakes on the first page
BUTTONS = 20  # points that a button is offered for
FILTERS = {
    "": translated("all"),
    "late": translated("late"),
    "waiting": translated("wait for marks"),
    "oral": translated("not examined"),
    "rejected": translated("rejected"),
    "edited": translated("report changed by hand"),
}
NO_FILE = translated("There is no file for this exercise in the submission.")
T = TypeVar("T")


class DeskViews:
    """The pages; `lang` is the language in which they open."""

    def __init__(self, desk: Desk, lang: str) -> None:
        self._desk, self._course, self._lang = desk, desk.course, lang

    def overview(self, wanted: str, kind: str, number: int) -> str:
        """Return the page of the class: how it stands, what waits, and the students."""
        index = self._desk.index
        everybody = list(index.students.values())
        graded = [s for s in everybody if s.status == "graded"]
        examined = index.sheets or any(s.oral for s in graded)
        filters = {
            "": everybody, "late": [s for s in everybody if s.late], "waiting": [s for s in everybody if s.waiting],
            "oral": [s for s in graded if s.oral < index.sheets.get(s.id, 1)] if examined else [],
            "rejected": [s for s in everybody if s.status == "rejected"],
            "edited": [s for s in everybody if s.edited],
        }  # fmt: skip
        return self.page(
            "desk_class.html", wanted=wanted, kind=kind if kind in filters else "",
            listed=paged(matching(filters.get(kind, everybody), wanted), number),
            filters=[(name, FILTERS[name], len(found)) for name, found in filters.items() if found or not name],
            graded=len(graded), quartiles=class_tally.spread([s.counts for s in graded]),
            max_score=max((s.max_score for s in everybody), default=0.0),
            mistakes=self.mistakes()[:SHOWN], backwards=[c for c in self._checks() if c.backwards],
            questions=self.questions(), oral_waiting=len(index.unexamined()),
            faults=aftermath.faults(self._desk.results), damaged=index.damaged.items(),
        )  # fmt: skip

    def mistakes(self) -> list[dict[str, Any]]:
        """The mistakes that were made, the most frequent first."""
        messages = self._desk.index.messages
        return [
            {"exercise": key[0], "id": key[1], "message": messages[key], "students": count, "cost": cost}
            for key, count, cost in self._desk.index.mistakes()
        ]

    def all_mistakes(self, number: int, unnamed: int) -> str:
        """All of them, and those who fail alike without one; of each list one page."""
        index = self._desk.index
        alike = [(key, index.failures[key], who) for key, who in index.unnamed()]
        return self.page("desk_mistakes.html", listed=paged(self.mistakes(), number), unnamed=paged(alike, unnamed))

    def _checks(self) -> list[ItemAnalysis]:
        known = [c for c in self._desk.index.checks.values() if c.runs]
        return sorted(known, key=lambda c: (not c.backwards, -c.difficulty, c.exercise, c.id))

    def all_checks(self, number: int) -> str:
        """The checks, first those that good students fail and weak ones pass, then the hardest."""
        return self.page("desk_checks.html", listed=paged(self._checks(), number))

    def submission(self, student: str, batch: Batch | None = None) -> Submission | Text:
        """Return what the student handed in, with a batch or last, or the reason why it cannot be shown."""
        try:
            return self._desk.version(student, batch) if batch else self._desk.submission(student)
        except CourseError as error:
            return plain(str(error))

    def code(self, submission: Submission | Text, exercise: str, reasons: Iterable[Text]) -> tuple[Any, Text]:
        """The lines of a student's file, each with what a verdict says of it; or why there are none."""
        if isinstance(submission, Text):
            return [], submission
        asked = student_view.known(self._course, exercise)
        found = submission.sources.get(asked.source if asked else exercise)
        if found is None or found.text is None:
            return [], (found and found.refused) or NO_FILE
        said: dict[int, Text] = dict(student_view.marked(reasons))
        lines = html.coloured(found.text.splitlines())
        return [(n, line, said.get(n)) for n, line in enumerate(lines, 1)], NOTHING

    def history(self, about: Any) -> list[dict[str, Any]]:
        """The decisions about something, the newest first, and which of them hold."""
        found = self._desk.record()
        holding = {d.number for d in found.holding}
        ours: dict[int, Decision] = {d.number: d for d in found.lines if not d.undoes and about(d)}
        lines = [d for d in found.lines if d.number in ours or d.undoes in ours]
        return [{"decision": d, "holds": d.number in holding} for d in reversed(lines)]

    def questions(self) -> list[dict[str, Any]]:
        """The questions with answers in sentences, and how many of these wait."""
        counts: dict[str, list[int]] = {q: [0, 0] for q in self._desk.waiting()}
        for _, answer in self._desk.index.answers():
            if answer.question in counts:
                counts[answer.question][0] += 1
                counts[answer.question][1] += answer.points is None
        asked = self._desk.asked if counts else {}
        return [{"id": q, "text": asked[q].text, "answers": n, "waiting": w} for q, (n, w) in counts.items()]

    def essay(self, question: str, wanted: str, anonymous: bool, trouble: Text = NOTHING) -> str | None:
        """One answer in sentences to read and to mark; `wanted` is its group, "" for the first that waits."""
        if question not in self._desk.waiting():
            return None
        found, asked = groups(self._desk.index, question), self._desk.asked[question]
        numbers = {group.id: n for n, group in enumerate(found)}
        first = next((n for n, group in enumerate(found) if group.points is None), 0)
        here = numbers.get(wanted, first)
        steps = [n / 2 for n in range(int(asked.points * 2) + 1)]
        return self.page(
            "desk_essays.html", question=question, asked=asked, group=found[here], number=here + 1, count=len(found),
            before=found[here - 1].id if here else "", after=found[here + 1].id if here + 1 < len(found) else "",
            waiting=_next_waiting(found, here), left=sum(g.points is None for g in found), anonymous=anonymous,
            steps=steps if len(steps) <= BUTTONS else [], questions=self.questions(), trouble=trouble,
        )  # fmt: skip

    def trouble(self, said: Text) -> str:
        """A page that says what is the matter."""
        return self.page("desk_trouble.html", said=said)

    def page(self, template: str, **values: Any) -> str:
        """A page of the desk."""
        languages = self._course.settings.languages
        return html.page(
            template, STYLES, SCRIPTS, self._lang, languages, served=True, forms=True,
            course=self._course.settings.title, results=self._desk.results, late_summary=self._desk.summing.trouble,
            essays=bool(self._desk.waiting()), oral=bool(self._desk.index.sheets),
            regrading=self._desk.regrading.standing, **values,
        )  # fmt: skip


def _next_waiting(found: Sequence[AnswerGroup], here: int) -> str:
    """The next group after this one that waits, from the first on again; "" for none."""
    order = [*found[here + 1 :], *found[:here]]
    return next((g.id for g in order if g.points is None), "")


def paged(items: Sequence[T], number: int, size: int = A_PAGE) -> dict[str, Any]:
    """One page of a list, counted from 1."""
    pages = max(1, -(-len(items) // size))
    number = min(max(number, 1), pages)
    return {"items": items[(number - 1) * size : number * size], "number": number, "pages": pages, "all": len(items)}
