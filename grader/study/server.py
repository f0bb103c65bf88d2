"""The learner's pages as a server on this machine: what is answered to those whom the guard lets in."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import nicegui
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from grader.course import Exercise
from grader.errors import GraderError
from grader.rendering.pages import student_view
from grader.serving import Place, application, guard
from grader.study.files import Changed, NotOpen
from grader.study.session import COMMAND, END, StudySession
from grader.study.views import StudyViews
from grader.texts import Text, plain

EDITOR = Path(nicegui.__file__).parent / "elements" / "codemirror" / "dist"  # CodeMirror 6, as one module


class Unknown(Exception):
    """A page asked for what there is not, or in a form that no page of ours uses."""


class StudyServer:
    """The answers to what the pages ask, each in a thread of its own."""

    def __init__(self, session: StudySession, views: StudyViews) -> None:
        self._session, self._views, self._course = session, views, session.course

    def app(self, there: Place) -> Starlette:
        """The application."""
        views = self._views
        get = {
            "/": lambda _: HTMLResponse(views.path()), "/unit/{number:int}": self.unit, "/lesson/{unit}": self.lesson,
            "/files/{name}": self.read, "/verdict/{id}": self.verdict, "/solution/{id}": self._shown(views.solution),
            "/debug/{id}": self._shown(views.debug), "/questions/{id}": self._shown(views.questions),
            "/steps/{id}": self.steps, "/review": lambda _: _html(views.review()), "/events": self.events,
        }  # fmt: skip
        post = {
            "/check": self.check, "/hint/{id}": self.hint, "/reset/{id}": self.reset, "/kept/{name}": self.keep,
            "/answer/{id}/{question}": self.answer, "/again/{id}/{question}": self.again,
        }  # fmt: skip
        failures = {NotOpen: self._not_open, GraderError: self._failed, Unknown: self._unknown}
        others = Route("/files/{name}", self.save, methods=["PUT"]), Mount("/editor", StaticFiles(directory=EDITOR))
        return application(COMMAND, there, self._course.root, get, post, failures, *others)

    def unit(self, request: Request) -> Response:
        """A unit."""
        number = request.path_params["number"]
        if not 0 < number <= len(self._course.path):
            return RedirectResponse("/", 303)
        return HTMLResponse(self._views.unit(number))

    def lesson(self, request: Request) -> Response:
        """A lesson, once it is built."""
        unit = request.path_params["unit"]
        return _html(self._views.lesson(unit, self._session.author.lesson(unit)))

    def read(self, request: Request) -> Response:
        """A file."""
        found = self._session.files.read(request.path_params["name"])
        return JSONResponse({"text": found.text, "revision": found.revision})

    async def save(self, request: Request) -> Response:
        """A file, unless it holds something else than the page thinks: then both versions go back."""
        given = await _data(request, text=str, revision=str)
        name = request.path_params["name"]
        try:
            saved = await run_in_threadpool(self._session.save, name, given["text"], given["revision"])
        except Changed as changed:
            shown = self._views.conflict(given["text"], changed.now.text)
            return JSONResponse({"text": changed.now.text, "revision": changed.now.revision, "html": shown}, 409)
        return JSONResponse({"revision": saved.revision})

    async def keep(self, request: Request) -> Response:
        """A version of a file that is not to be the file's."""
        given = await _data(request, text=str)
        kept = await run_in_threadpool(self._session.files.keep, request.path_params["name"], given["text"])
        return JSONResponse({"kept": kept.name})

    def verdict(self, request: Request) -> Response:
        """Send the latest verdict on an exercise."""
        attempt = self._session.latest.get(self._exercise(request).id)
        return JSONResponse(self._views.verdict(attempt) if attempt else {})

    async def check(self, request: Request) -> Response:
        """Have exercises checked."""
        given = await _data(request, ids=list)
        self._session.check([self._named(i).id for i in given["ids"]], bool(given.get("again")))
        return JSONResponse({})

    def hint(self, request: Request) -> Response:
        """One more hint."""
        exercise = self._exercise(request)
        return _html(self._views.hints(exercise, self._session.progress.hint(exercise)))

    def reset(self, request: Request) -> Response:
        """The untouched file again; what it held is kept."""
        self._session.attempts.reset(self._exercise(request).id)
        return JSONResponse({})

    def steps(self, request: Request) -> Response:
        """The steps of a call as the learner's code takes them, beside the solution's."""
        exercise = self._exercise(request)
        found = self._session.attempts.steps(exercise.id, request.query_params.get("check", ""))
        return _html(self._views.steps(exercise, found))

    async def answer(self, request: Request) -> Response:
        """Put an answer on the sheet."""
        exercise, question, given = self._exercise(request), request.path_params["question"], await _answered(request)
        put = self._session.answers.put
        await run_in_threadpool(put, exercise.id, question, given["value"], bool(given.get("handed_in")))
        if given.get("handed_in"):
            self._session.check([exercise.id], again=True)
        return JSONResponse({})

    async def again(self, request: Request) -> Response:
        """The verdict on an answer that is given once more."""
        exercise, question, given = self._exercise(request), request.path_params["question"], await _answered(request)
        found = await run_in_threadpool(self._session.answers.again, exercise.id, question, given["value"])
        return _html(await run_in_threadpool(self._views.again, found, question))

    async def events(self, _: Request) -> Response:
        """Stream the events of the session as they happen."""

        async def told() -> AsyncIterator[str]:
            with self._session.listening() as messages:
                yield "retry: 1000\n\n"
                while (message := await messages.get())["kind"] != END:
                    if isinstance(note := message.pop("note", None), Text):
                        message["html"] = self._views.note(note)
                    yield f"data: {json.dumps(message)}\n\n"

        return StreamingResponse(told(), media_type="text/event-stream")

    def _exercise(self, request: Request) -> Exercise:
        return self._named(request.path_params["id"])

    def _named(self, id: Any) -> Exercise:
        """The exercise with this very id. Raises Unknown."""
        if found := student_view.known(self._course, id):
            return found
        raise Unknown

    def _shown(self, view: Callable[[Exercise], Markup]) -> Callable[[Request], Response]:
        """Answers with what this makes of the exercise that is named."""
        return lambda request: _html(view(self._exercise(request)))

    def _note(self, text: Text, status: int) -> Response:
        return _html(self._views.note(text), status)

    async def _not_open(self, _: Request, error: NotOpen) -> Response:
        return self._note(error.reason, 422)

    async def _failed(self, _: Request, error: GraderError) -> Response:
        return self._note(plain(str(error)), 500)

    async def _unknown(self, _: Request, error: Unknown) -> Response:
        return PlainTextResponse(guard.in_all(guard.NOTHING_HERE), 404)


def _html(shown: Markup, status: int = 200) -> Response:
    return JSONResponse({"html": shown}, status)


async def _data(request: Request, **kinds: type) -> dict[str, Any]:
    """The JSON object that a page sent. Raises Unknown for anything else, and for text that is no Unicode."""
    try:
        found = json.loads(await request.body())
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError, ClientDisconnect) as error:
        raise Unknown from error
    if not isinstance(found, dict) or not all(isinstance(found.get(k), kind) for k, kind in kinds.items()):
        raise Unknown
    return found


async def _answered(request: Request) -> dict[str, Any]:
    """Return what a form sent. Raises Unknown if no form can send such a `value`."""
    found = await _data(request)
    if not _fits(found.setdefault("value", None)):
        raise Unknown
    return found


def _fits(value: Any, deep: int = 2) -> bool:
    """Return True if the value is None, a text, or lists and tables of these."""
    if not isinstance(value, list | dict):
        return value is None or isinstance(value, str)
    return deep > 0 and all(_fits(v, deep - 1) for v in (value.values() if isinstance(value, dict) else value))
