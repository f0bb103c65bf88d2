"""One learner's work behind the page: what is checked, what was found, and who is told of it.

The attempts, the look at the files and the lessons are made in threads of their own; pages are told through queues of
the server's loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from grader.batch import ForkServer
from grader.course import Course, file_name
from grader.learner import Attempts, Failed, Progress, watched
from grader.learner.attempts import Attempt, Found
from grader.learner.checking import Checking
from grader.study.answers import NAME, Answers
from grader.study.author import Author
from grader.study.files import Content, Files
from grader.texts import plain, translated

COMMAND = "study"  # what starts it
END = "end"  # the kind of the last message
MOST_WAITING = 200  # messages for a page that does not take them

NO_CHECK = translated("{id} could not be checked. It is not your fault; save again, or reload this page.\n{reason}")
Message = dict[str, Any]


class StudySession:
    """All that the pages of one learner share.

    Args:
        folder: the learner's exercise files.
        server: the process that imports torch.
        start: gives this one first, and another one each time that the attempts have lost it.
    """

    def __init__(
        self, course: Course, folder: Path, server: ForkServer, start: Callable[[], ForkServer], device: str = "auto",
        seed: int | None = None,
    ) -> None:  # fmt: skip
        self.course, self.folder = course, folder
        self.files = Files(course, folder)
        self.progress = Progress(course, folder)
        self.latest: dict[str, Attempt] = {}
        self._server, self._start = server, start
        self._pages: dict[asyncio.Queue[Message], asyncio.AbstractEventLoop] = {}
        self._lock = threading.RLock()
        self._look: Callable[[], None] = lambda: None  # at the files, while they are watched
        seed = secrets.randbelow(1 << 31) if seed is None else seed
        self.attempts = Attempts(course, folder, self._served, device, seed, self._found)
        self._checking = Checking(course, self.attempts)
        self.author = Author(course, lambda: self._server)
        self.answers = Answers(course, folder, self.files, self.author, self.attempts, self.progress)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Look at the files, and end every process when the block is left."""
        try:
            with watched(self.folder, [file_name(s) for s in self.course.sources], self._saved) as self._look:
                yield
        finally:
            self.attempts.close()
            self.author.close()
            self._server.close()

    @contextlib.contextmanager
    def listening(self) -> Iterator[asyncio.Queue[Message]]:
        """Give the queue of messages for a page while the block lasts; enter it in the server's event loop."""
        told: asyncio.Queue[Message] = asyncio.Queue(MOST_WAITING)
        with self._lock:
            self._pages[told] = asyncio.get_running_loop()
            told.put_nowait({"kind": "busy", "id": self._checking.busy or ""})
        try:
            yield told
        finally:
            with self._lock:
                del self._pages[told]

    def save(self, name: str, text: str, known: str) -> Content:
        """Save a file as `Files.save`, and have it checked at once."""
        saved = self.files.save(name, text, known)
        self._look()
        return saved

    def check(self, ids: Sequence[str], again: bool = False) -> None:
        """Have these checked; those of which a verdict is known only `again`."""
        with self._lock:
            self._checking.check([i for i in dict.fromkeys(ids) if again or i not in self.latest])
            self._tell_busy()

    def tell(self, message: Message) -> None:
        """Tell every page."""
        with self._lock:
            for told, loop in self._pages.items():
                with contextlib.suppress(RuntimeError):  # the server is ending
                    loop.call_soon_threadsafe(_put, told, message)

    def _served(self) -> ForkServer:
        self._server = self._start()
        return self._server

    def _saved(self, files: list[str]) -> None:
        own = files == [NAME] and self.answers.is_last()  # an answer of a page, checked when it is handed in
        with self._lock:
            self.tell({"kind": "file", "names": files, "own": own})
            if not own:
                self._checking.saved(files)
            self._tell_busy()

    def _found(self, found: Found) -> None:
        if isinstance(found, Attempt):  # before any page is told of it; the server's loop does not wait for the disk
            self.answers.noted(found.report)
            self.progress.note([found.report], {found.exercise: found.source})
        with self._lock:
            if isinstance(found, Attempt | Failed):
                self._verdict(found)
            else:
                self.tell({"kind": "note", "id": found.exercise, "note": found.said})

    def _verdict(self, found: Attempt | Failed) -> None:
        news = self._checking.found(found)
        if isinstance(found, Attempt):
            self.latest[found.exercise] = found
            self.tell({"kind": "verdict", "id": found.exercise})
        elif news:
            said = NO_CHECK.format(id=found.exercise, reason=plain(found.reason))
            self.tell({"kind": "note", "id": found.exercise, "note": said})
        self._tell_busy()

    def _tell_busy(self) -> None:
        self.tell({"kind": "busy", "id": self._checking.busy or ""})


def _put(told: asyncio.Queue[Message], message: Message) -> None:
    if told.full():  # a page that is asleep begins anew when it wakes up
        while not told.empty():
            told.get_nowait()
        message = {"kind": "again"}
    told.put_nowait(message)
