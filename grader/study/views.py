"""The content of the learner's pages, as HTML in the languages of the course, and data for their script."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from grader.course import DRAWINGS, Exercise, Unit, file_name
from grader.learner.attempts import Attempt
from grader.learner.display import NOT_YET
from grader.learner.progress import Standings, builds_on, kept_stub
from grader.learner.views import NO_SOLUTION
from grader.rendering.pages import book, student_view
from grader.rendering.pages import pages as html
from grader.rendering.pages import questions as forms
from grader.rendering.pages.statement import statement
from grader.report import STATUS, ExerciseReport
from grader.sandbox.processes import ShownSteps
from grader.serving.guard import ELSEWHERE
from grader.study.session import COMMAND, StudySession
from grader.texts import Text, plain, translated

STYLES = ("base.css", "book.css", "questions.css", "study.css")
SCRIPTS = ("switches.js", "questions.js", "study.js")
CONTEXT = 2  # equal lines around what differs
SCRIPT = {  # what study.js says
    "checking": translated("checking ..."),
    "typing": translated("not saved yet"),
    "saved": translated("saved"),
    "unsaved": translated("not saved; it is tried again"),
    "outside": translated("changed outside this page, and shown"),
    "deleted": translated("deleted outside this page; its last text stays here, and is saved again when you type"),
    "copied": translated("Copied"),
    "fill_in": translated("Fill this in first."),
    "ask_reset": translated("Put the untouched file back? What it holds now is kept as a backup."),
}


class StudyViews:
    """The pages of one session; `lang` is the language in which they open."""

    def __init__(self, session: StudySession, lang: str) -> None:
        self._session, self._course, self._lang = session, session.course, lang
        self._languages = tuple(dict.fromkeys((lang, *self._course.settings.languages)))

    def path(self) -> str:
        """The units in order with how far each is, and where to go on."""
        standings = self._session.progress.standings()
        following, today = next(iter(standings.open_now()), None), standings.new_today()
        return self._page(
            "study_path.html", SCRIPTS, units=[self._unit(u, standings) for u in self._course.path],
            next=following and self._next(following, standings),
            begun=any(s.points or s.passed for s in standings.values()),
            today=[e.title for e in self._course.steps if e.id in today],
        )  # fmt: skip

    def unit(self, number: int) -> str:
        """Lessons, exercises and questions of the unit with this number on the path, counted from 1."""
        path = self._course.path
        unit, standings = path[number - 1], self._session.progress.standings()
        near = {n: {"number": n, "title": path[n - 1].title} for n in (number - 1, number + 1) if 0 < n <= len(path)}
        lessons = [u for u in self._course.settings.units if u.id in unit.read_here]
        there = [u for u in lessons if any(self._course.lesson(u.id, lang).is_file() for lang in self._languages)]
        return self._page(
            "study_unit.html", (*SCRIPTS[:-1], "explore.js", SCRIPTS[-1]), number=number, title=unit.title,
            lessons=there, exercises=[self._exercise(e, standings) for e in unit.exercises],
            before=near.get(number - 1), after=near.get(number + 1),
        )  # fmt: skip

    def lesson(self, unit: str, texts: Mapping[str, str]) -> Markup:
        """A lesson that was built."""
        return self._part("lesson", book.bodies(texts, self._languages, f"{unit}-"))

    def questions(self, exercise: Exercise) -> Markup:
        """The questions of an exercise as forms, with what stands on the sheet, and what is known of it."""
        asked = self._session.answers.questions().get(exercise.id, ())
        attempt = self._session.latest.get(exercise.id)
        known = forms.verdicts(attempt.report, asked, self._languages) if attempt else {}
        given = self._session.answers.given(exercise.id)
        return Markup("").join(forms.forms(exercise.id, asked, given, self._languages, known).values())

    def review(self) -> Markup:
        """The card of questions from earlier units that come again today; nothing where none does."""
        return forms.review(self._session.answers.due(), self._languages)

    def again(self, report: ExerciseReport, question: str) -> Markup:
        """Return the verdict on an answer that was given once more."""
        asked = self._session.answers.questions().get(report.id, ())
        return forms.verdicts(report, asked, self._languages).get(question, Markup(""))

    def verdict(self, attempt: Attempt) -> dict[str, Any]:
        """Return the verdict on an exercise: HTML, and the lines that the page marks in its editor."""
        report, exercise = attempt.report, self._course.exercise(attempt.exercise)
        standings = self._session.progress.standings()
        known = self._session.answers.questions() if exercise.kind == "questions" else {}
        shown = student_view.block(report, self._course)
        found = student_view.marked([report.reason] if report.reason and report.failed else [])
        own = known and not (report.started and report.reason and not shown.chief)  # nothing but the questions' own
        return {
            "html": "" if own else self._part("verdict", shown, [line for line, _ in found]),
            "state": report.state,
            "status_html": self._part("note", STATUS[report.state]),
            "score": f"{report.score:g} / {report.max_score:g}",
            "passed": standings.passed(exercise.id),
            "lines": [
                {"line": line, "said": {lang: said.to(lang) for lang in self._languages}} for line, said in found
            ],
            "questions": forms.verdicts(report, known.get(exercise.id, ()), self._languages) if known else {},
        }

    def hints(self, exercise: Exercise, shown: int) -> Markup:
        """The first `shown` hints."""
        return self._part("hints", exercise.hints[:shown], len(exercise.hints))

    def solution(self, exercise: Exercise) -> Markup:
        """A solution, once the exercise passes and where the course has it."""
        if not self._session.progress.standings().passed(exercise.id):
            return self.note(NOT_YET.format(id=exercise.id))
        try:
            source = self._course.solution(exercise.id).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return self.note(NO_SOLUTION.format(id=exercise.id))
        return self._part("solution", html.coloured(source.splitlines()))

    def debug(self, exercise: Exercise) -> Markup:
        """Return the note on how to repeat the failing call in a debugger."""
        return self._part("debug", f"grader debug {exercise.id} --pdb")

    def steps(self, exercise: Exercise, shown: ShownSteps) -> Markup:
        """The steps of a call, and which other calls can be picked."""
        offered = self._part("offered", shown.checks, shown.check)
        return offered + html.steps_fragment(shown, exercise.view, self._languages)

    def conflict(self, mine: str, theirs: str) -> Markup:
        """Two versions of a file: what differs."""
        differ = difflib.unified_diff(mine.splitlines(), theirs.splitlines(), lineterm="", n=CONTEXT)
        kinds = {"-": "minus", "+": "plus"}  # on the page, in the file
        return self._part("conflict", [(kinds.get(line[:1], "same"), line) for line in list(differ)[2:]])

    def note(self, text: Text) -> Markup:
        """A sentence."""
        return self._part("note", text)

    def _page(self, template: str, scripts: Sequence[str], **values: Any) -> str:
        standings = self._session.progress.standings()
        words = {lang: {key: said.to(lang) for key, said in SCRIPT.items()} for lang in self._languages}
        return html.page(
            template, STYLES, scripts, self._lang, self._course.settings.languages, served=True,
            own_script=self._course.script(DRAWINGS) if "explore.js" in scripts else "",
            course=self._course.settings.title, words=html.embedded(words), reached=standings.in_words(),
            elsewhere=ELSEWHERE.format(command=COMMAND),
            troubles=[*self._session.progress.troubles, *self._session.answers.troubles], **values,
        )  # fmt: skip

    def _part(self, macro: str, *values: Any) -> Markup:
        return html.part("study_parts.html", macro, self._languages, *values)

    def _number_of(self, exercise: Exercise) -> int:
        return next(n for n, u in enumerate(self._course.path, 1) if exercise in u.exercises)

    def _unit(self, unit: Unit, standings: Standings) -> dict[str, Any]:
        points, most = standings.points_of(unit.exercises)
        return {
            "number": self._course.path.index(unit) + 1, "title": unit.title, "minutes": unit.minutes,
            "after": builds_on(self._course, unit),
            "points": points, "most": most, "share": 100 * points / (most or 1), "all": len(unit.exercises),
            "done": sum(standings.passed(e.id) for e in unit.exercises),
        }  # fmt: skip

    def _next(self, exercise: Exercise, standings: Standings) -> dict[str, Any]:
        """Return the exercise to go on with; a unit not yet begun is `new`, and is read from its top."""
        number = self._number_of(exercise)
        unit = self._course.path[number - 1]
        begun = any(standings[e.id].points or standings.passed(e.id) for e in unit.exercises if e.id in standings)
        return {"title": exercise.title, "id": exercise.id, "unit": number, "of": unit.title, "new": not begun}

    def _exercise(self, exercise: Exercise, standings: Standings) -> dict[str, Any]:
        done = standings.passed(exercise.id)
        points = standings.best_points(exercise)
        known = self._session.latest.get(exercise.id)
        state = known.report.state if known else "passed" if done else "failed" if points else "unstarted"
        waits = [self._course.exercise(a) for a in exercise.after if not standings.passed(a)]
        return {
            "exercise": exercise, "file": file_name(exercise.source), "state": state, "passed": done, "points": points,
            "status": STATUS.get(state, plain(state)), "asked": self._asked(exercise),
            "waits": [{"id": e.id, "title": e.title, "unit": self._number_of(e)} for e in waits],
        }  # fmt: skip

    def _asked(self, exercise: Exercise) -> Mapping[str, Markup]:
        """Return what the exercise asks, by language, from its original file; questions ask in their forms instead."""
        kept = (kept_stub(self._course, exercise.id), self._course.stub(exercise.id))
        path = next((p for p in kept if p.is_file() and exercise.kind != "questions"), None)
        try:
            stub = path.read_text(encoding="utf-8") if path else ""
        except (OSError, UnicodeDecodeError):
            stub = ""  # the editor says what is the matter
        return {lang: shown for lang in self._languages if (shown := statement(stub, lang))}
