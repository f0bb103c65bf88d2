"""Starts the server of the learner's pages: its port, its token, one for a folder at a time."""

from __future__ import annotations

import contextlib
import hmac
import http.client
import json
import os
import secrets
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import msgspec
import uvicorn

from grader.errors import CourseError
from grader.learner.progress import FOLDER, make
from grader.study import guard
from grader.study.server import Server
from grader.study.session import END, Session
from grader.study.views import Views
from grader.whole_files import replace

FILE = "study.json"
PORT = 8300
ASK_SECONDS = 2.0
END_SECONDS = 1


class Place(msgspec.Struct, frozen=True):
    """Where the pages of a course are, and the token that lets in; kept, so that open pages live on after a restart."""

    port: int
    token: str

    @property
    def address(self) -> str:
        """What a browser opens."""
        return f"http://{guard.HOST}:{self.port}/?token={self.token}"


def place(root: Path, port: int | None) -> tuple[Place, socket.socket | None]:
    """Where the pages are to be, and a socket that listens there; none where they are there already.

    port: the one that was asked for, 0 for any that is free.

    Raises:
        CourseError: another program has the port that was asked for.
    """
    known = _known(root)
    if known and port in (None, known.port) and alive(known, root):
        return known, None
    wanted = port if port is not None else known.port if known else PORT
    try:
        listening = _bound(wanted)
    except OSError as error:
        if port is not None:
            raise CourseError(
                f"port {port} cannot be used ({error.strerror}); --port 0 takes one that is free"
            ) from error
        known, listening = None, _bound(0)  # browsers may have sent the old token to who has its port now
    found = Place(listening.getsockname()[1], known.token if known else secrets.token_urlsafe(24))
    _keep(root, found)
    return found, listening


def alive(there: Place, root: Path) -> bool:
    """Whether a server of ours shows this course there; it proves that it knows the token, and is not told it."""
    asked = secrets.token_urlsafe(24)
    connection = http.client.HTTPConnection(guard.HOST, there.port, timeout=ASK_SECONDS)
    try:
        connection.request("GET", f"{guard.ALIVE}?asked={asked}")
        told = str(json.loads(connection.getresponse().read(10_000))["proof"])
        return hmac.compare_digest(told.encode(), guard.proof(there.port, there.token, asked, str(root)).encode())
    except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def serve(session: Session, lang: str, there: Place, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Answer the pages until somebody ends it."""
    app = Server(session, Views(session, lang)).app(there.port, there.token)
    config = uvicorn.Config(
        app, http="h11", ws="none", proxy_headers=False, log_level="error", access_log=False, server_header=False,
        timeout_graceful_shutdown=END_SECONDS,
    )  # fmt: skip
    server = Serving(config, session)
    signal.signal(signal.SIGINT, server.handle_exit)  # raised as KeyboardInterrupt, it could be lost in a callback
    with session.running():
        ready()
        server.run(sockets=[listening])


class Serving(uvicorn.Server):
    """A server that lets its pages go before it ends."""

    def __init__(self, config: uvicorn.Config, session: Session) -> None:
        super().__init__(config)
        self._session = session

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        self._session.tell({"kind": END})
        await super().shutdown(sockets)


def _bound(port: int) -> socket.socket:
    listening = socket.socket()
    if os.name == "posix":  # elsewhere it would let two servers share a port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((guard.HOST, port))
        listening.listen(64)
    except OSError:
        listening.close()
        raise
    return listening


def _known(root: Path) -> Place | None:
    """What the last start kept, unless others could have read it, or written it: then it is no secret."""
    path = root / FOLDER / FILE
    try:
        found = path.lstat()
        if os.name == "posix" and (found.st_mode & 0o077 or found.st_uid != os.geteuid()):
            return None
        return msgspec.json.decode(path.read_bytes(), type=Place)
    except (OSError, msgspec.MsgspecError):
        return None


def _keep(root: Path, found: Place) -> None:
    """Keep it for the next start, readable by its owner only."""
    path = root / FOLDER / FILE
    with contextlib.suppress(OSError):  # a folder that cannot be written: pages that are open do not live on
        make(path.parent)
        replace(path, msgspec.json.encode(found), 0o600)
