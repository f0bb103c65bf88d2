"""Starts a server of pages: its port, its token, one for a folder at a time."""

from __future__ import annotations

import contextlib
import hmac
import http.client
import json
import os
import secrets
import signal
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from grader.atomic_write import replace
from grader.errors import CourseError
from grader.serving import guard

PORT = 8300
ASK_SECONDS = 2.0
END_SECONDS = 1
Answer = Callable[[Request], Any]  # a response, or what is awaited for one


class Place(msgspec.Struct, frozen=True):
    """The port of the pages of a course, and the token for access; kept, so that open pages survive a restart."""

    port: int
    token: str

    @property
    def address(self) -> str:
        """The address that a browser opens."""
        return f"http://{guard.HOST}:{self.port}/?token={self.token}"


def place(of: Path, file: Path, port: int | None) -> tuple[Place, socket.socket | None]:
    """Return where the pages are to be, and a socket that listens there; no socket if they are served there already.

    Args:
        of: the folder that the pages show.
        file: the file that keeps the place for the next start, in a folder that exists if possible.
        port: the one that was asked for, 0 for any that is free.

    Raises:
        CourseError: another program has the port that was asked for.
    """
    known = _known(file)
    if known and port in (None, known.port) and alive(known, of):
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
    with contextlib.suppress(OSError):  # a folder that cannot be written: pages that are open do not live on
        replace(file, msgspec.json.encode(found), 0o600)  # readable by its owner only
    return found, listening


def alive(there: Place, of: Path) -> bool:
    """Return True if a server of ours shows this folder there.

    The server proves that it knows the token; we do not send the token itself.
    """
    asked = secrets.token_urlsafe(24)
    connection = http.client.HTTPConnection(guard.HOST, there.port, timeout=ASK_SECONDS)
    try:
        connection.request("GET", f"{guard.ALIVE}?asked={asked}")
        told = str(json.loads(connection.getresponse().read(10_000))["proof"])
        return hmac.compare_digest(told.encode(), guard.proof(there.port, there.token, asked, of).encode())
    except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def application(
    command: str, there: Place, of: Path, get: Mapping[str, Answer], post: Mapping[str, Answer],
    failures: Mapping[Any, Any], *others: BaseRoute,
) -> Starlette:  # fmt: skip
    """Return the server that answers, at these paths, those whom the guard lets in.

    Args:
        command: who started it, as `grader` is told.
        of: the folder that the pages show.
        failures: what answers instead, by the class of exception.
    """
    routes = [Route(path, answer) for path, answer in get.items()]
    routes += [Route(path, answer, methods=["POST"]) for path, answer in post.items()]
    return Starlette(
        routes=[*routes, Route(guard.ALIVE, guard.alive(there.port, there.token, of)), *others],
        middleware=[Middleware(guard.Guard, port=there.port, token=there.token, command=command)],
        exception_handlers=failures,
    )


def serve(app: Starlette, listening: socket.socket, ready: Callable[[], None], end: Callable[[], None]) -> None:
    """Answer until somebody ends it; `end` lets go whoever still waits for an answer."""
    config = uvicorn.Config(
        app, http="h11", ws="none", proxy_headers=False, log_level="error", access_log=False, server_header=False,
        timeout_graceful_shutdown=END_SECONDS,
    )  # fmt: skip
    server = Serving(config, end)
    signal.signal(signal.SIGINT, server.handle_exit)  # raised as KeyboardInterrupt, it could be lost in a callback
    ready()
    server.run(sockets=[listening])


class Serving(uvicorn.Server):
    """A server that lets its pages go before it ends."""

    def __init__(self, config: uvicorn.Config, end: Callable[[], None]) -> None:
        super().__init__(config)
        self._end = end

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        self._end()
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


def _known(file: Path) -> Place | None:
    """Return what the last start kept, unless others could have read or written it: it is no secret then."""
    try:
        found = file.lstat()
        if os.name == "posix" and (found.st_mode & 0o077 or found.st_uid != os.geteuid()):
            return None
        return msgspec.json.decode(file.read_bytes(), type=Place)
    except (OSError, msgspec.MsgspecError):
        return None
