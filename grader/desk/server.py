"""The teacher's pages as a server on this machine: what is answered to those whom the guard lets in."""

from __future__ import annotations

import functools
import math
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from grader.desk.desk import Desk
from grader.desk.essay_marks import groups
from grader.desk.for_many import KINDS, ForMany
from grader.desk.oral_page import OralPage
from grader.desk.student_page import StudentPage
from grader.desk.versions_page import VersionsPage
from grader.desk.views import DeskViews
from grader.errors import CourseError, GraderError
from grader.integrations.essays import points_of
from grader.report import Decision
from grader.sandbox.processes import ShownSteps
from grader.serving import Place, application, guard
from grader.texts import Text, WithReason, plain, translated

COMMAND = "desk"
NO_NUMBER = translated("{points} is no number of points.")
MOST_FIELDS = 20  # of a form
Form = Mapping[str, str]


class NoPoints(WithReason):
    """The form holds something else where points should be."""


class DeskServer:
    """The answers to what the pages ask, each in a thread of its own."""

    def __init__(self, desk: Desk, lang: str) -> None:
        self._desk, self._views = desk, DeskViews(desk, lang)
        self._students = StudentPage(desk, self._views)
        self._many = ForMany(desk, self._views)
        self._oral, self._versions = OralPage(desk, self._views), VersionsPage(desk, self._views)

    def app(self, there: Place) -> Starlette:
        """The application."""
        get: dict[str, Callable[[Request], Response]] = {
            "/": self.overview, "/student": self.student, "/mistakes": self.mistakes, "/checks": self.checks,
            "/essays": self.essays, "/oral": self.oral, "/version": self.version,
            **{f"/{kind}": functools.partial(self.for_many, kind) for kind in KINDS},
        }  # fmt: skip
        post = {
            "/decide": self.decide, "/undo": self.undo, "/rubric": self.rubric, "/mark": self.mark,
            "/again": self.again, "/oral": self.examine, "/regrade": self.regrade,
        }  # fmt: skip
        return application(
            COMMAND, there, self._desk.results, {path: self._fresh(answer) for path, answer in get.items()},
            {path: self._form(answer) for path, answer in post.items()}, {GraderError: self._failed},
        )  # fmt: skip

    def overview(self, request: Request) -> Response:
        """The class."""
        asked = request.query_params
        return HTMLResponse(self._views.overview(asked.get("q", ""), asked.get("show", ""), _page(request)))

    def student(self, request: Request) -> Response:
        """A student."""
        return self._found(self._students.of(request.query_params.get("id", "")))

    def mistakes(self, request: Request) -> Response:
        """All mistakes."""
        return HTMLResponse(self._views.all_mistakes(_page(request), _page(request, "unnamed")))

    def for_many(self, kind: str, request: Request) -> Response:
        """A mistake, those who fail alike without one, or a check."""
        return self._found(self._many.page(kind, _key(request.query_params), _page(request), {}))

    def checks(self, request: Request) -> Response:
        """All checks."""
        return HTMLResponse(self._views.all_checks(_page(request)))

    def oral(self, request: Request) -> Response:
        """A question of the oral exam, or all who are asked some."""
        if student := request.query_params.get("student", ""):
            return self._found(self._oral.question(student, _page(request, "question", 0)))
        return HTMLResponse(self._oral.overview(_page(request)))

    def version(self, request: Request) -> Response:
        """An earlier submission."""
        return self._found(self._versions.of(request.query_params.get("id", ""), _page(request, "number")))

    def essays(self, request: Request) -> Response:
        """An answer in sentences."""
        asked = request.query_params
        question = asked.get("question", "") or next(iter(self._desk.waiting()), "")
        return self._found(self._views.essay(question, asked.get("answer", ""), asked.get("anonymous") == "1"))

    def decide(self, form: Form) -> Response:
        """Points for a student, or a comment."""
        student, exercise = form.get("student", ""), form.get("exercise", "")
        try:
            points = None if form.get("what") == "comment" else _points(form)
            self._desk.decide(Decision(exercise, form.get("reason", "").strip(), student, points=points))
        except (CourseError, NoPoints) as error:
            return self._found(self._students.of(student, _said(error), form), 422)
        return _to("/student", exercise, id=student)

    def undo(self, form: Form) -> Response:
        """A decision is taken back."""
        number = form.get("number", "")[:9]
        self._desk.decide(Decision("", form.get("reason", "").strip(), undoes=int(number) if number.isdecimal() else 0))
        if student := form.get("student", ""):
            return _to("/student", id=student)
        self._desk.fresh()
        key, kind = _key(form), form.get("kind", "mistake")
        return _to(f"/{kind}", exercise=key[0], id=key[1]) if self._many.is_there(kind, key) else _to("/mistakes")

    def rubric(self, form: Form) -> Response:
        """Show what a decision for many would change; apply it once the form says so."""
        key, kind = _key(form), form.get("kind", "mistake")
        if not self._many.is_there(kind, key):
            return self._found(None)
        try:
            free = kind == "check" or (kind == "group" and not form.get("points", "").strip())
            decision = self._many.decision(kind, key, form, None if free else _points(form))
            if form.get("apply") != "1":
                return self._found(self._many.page(kind, key, 1, form, self._desk.effect(decision)))
            effect = self._desk.decide(decision)
        except (CourseError, NoPoints) as error:
            return self._found(self._many.page(kind, key, 1, form, trouble=_said(error)), 422)
        if kind == "group":  # it has a name now
            return _to("/mistake", exercise=key[0], id=effect.decided[0].mistake)
        return _to(f"/{kind}", exercise=key[0], id=key[1])

    def regrade(self, form: Form) -> Response:
        """Grade a student again, or all of whom a page is."""
        key, kind, student = _key(form), form.get("kind", "mistake"), form.get("student", "")
        many = [s.id for s in self._many.students(kind, key)]
        wanted = [student] if student in self._desk.index.students else many
        if not wanted:
            return self._found(None)
        self._desk.regrade(wanted)
        return _to("/student", id=student) if student else _to(f"/{kind}", exercise=key[0], id=key[1])

    def examine(self, form: Form) -> Response:
        """Points for a question of the oral exam; then comes the next one."""
        student, number = form.get("student", ""), _number(form.get("question", ""), 0)
        try:
            student, number = self._oral.mark(student, number, form)
        except ValueError as error:
            return self._found(self._oral.question(student, number, plain(str(error)), form), 422)
        return _to("/oral", **({"student": student, "question": str(number)} if student else {}))

    def mark(self, form: Form) -> Response:
        """Points for an answer in sentences; then comes the next one."""
        question, wanted, anonymous = form.get("question", ""), form.get("answer", ""), form.get("anonymous") == "1"
        group = next((g for g in groups(self._desk.index, question) if g.id == wanted), None)
        if group is None or question not in self._desk.asked:
            return self._found(None)
        typed = form.get("points") or form.get("other", "")
        try:
            points = points_of(typed, self._desk.asked[question].points) if typed else None
        except ValueError as error:
            return self._found(self._views.essay(question, wanted, anonymous, plain(str(error))), 422)
        self._desk.mark(group, points, form.get("comment", "").strip())
        after = form.get("after", "") if points is not None else wanted
        return _to("/essays", question=question, answer=after, **({"anonymous": "1"} if anonymous else {}))

    def again(self, form: Form) -> Response:
        """A call of a student's code, made once more in the sandbox."""
        student, exercise, call = (form.get(name, "") for name in ("student", "exercise", "call"))
        if student not in self._desk.index.students or exercise not in {e.id for e in self._desk.course.exercises}:
            return self._found(None)
        try:
            shown = self._desk.again(student, exercise, form.get("check", ""), call.strip())
        except CourseError as error:
            shown = ShownSteps(error=plain(str(error)))
        return HTMLResponse(self._students.again(student, exercise, call, shown))

    def _fresh(self, answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
        def answered(request: Request) -> Response:
            self._desk.fresh()
            return answer(request)

        return answered

    def _form(self, answer: Callable[[Form], Response]) -> Callable[[Request], Any]:
        def answered(form: Form) -> Response:
            self._desk.fresh()
            return answer(form)

        async def taken(request: Request) -> Response:
            try:
                text = (await request.body()).decode("ascii")
                form = dict(urllib.parse.parse_qsl(text, True, errors="strict", max_num_fields=MOST_FIELDS))
            except (ValueError, UnicodeError):
                return self._found(None)
            return await run_in_threadpool(answered, form)

        return taken

    def _found(self, page: str | None, status: int = 200) -> Response:
        if page is None:
            return HTMLResponse(self._views.trouble(guard.NOTHING_HERE), 404)
        return HTMLResponse(page, status)

    async def _failed(self, _: Request, error: GraderError) -> Response:
        said: Text = plain(str(error))
        return HTMLResponse(await run_in_threadpool(self._views.trouble, said), 422)


def _page(request: Request, name: str = "page", default: int = 1) -> int:
    return _number(request.query_params.get(name, ""), default)


def _number(typed: str, default: int) -> int:
    return int(typed) if typed.isdecimal() and len(typed) < 7 else default


def _key(asked: Mapping[str, str]) -> tuple[str, str]:
    return asked.get("exercise", ""), asked.get("id", "")


def _points(form: Form) -> float:
    """The points of a form. Raises NoPoints."""
    typed = form.get("points", "").strip().replace(",", ".")
    try:
        points = float(typed)
    except ValueError:
        points = math.nan
    if not math.isfinite(points):
        raise NoPoints(NO_NUMBER.format(points=repr(typed)))
    return points


def _said(error: Exception) -> Text:
    return error.reason if isinstance(error, WithReason) else plain(str(error))


def _to(path: str, at: str = "", **asked: str) -> Response:
    """To another page, as after every change: nothing is sent twice by a page that is loaded again."""
    where = f"{path}?{urllib.parse.urlencode(asked)}" + (f"#{urllib.parse.quote(at)}" if at else "")
    return RedirectResponse(where, 303)
