"""Admits requests to a server of ours, or refuses them.

Only this machine can reach it, only pages that it gave out itself may ask it (Host, Origin and a cookie are looked
at), on Linux only its own user, and no page may load anything from elsewhere.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from grader.texts import Text, in_every_language, translated

HOST = "127.0.0.1"
COOKIE = "grader-{command}-{port}"
ALIVE = "/alive"  # what anybody may ask: the answer proves something to those who know the token only
LARGEST = 4_000_000  # bytes of a request
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
ELSEWHERE = translated("This page belongs to an earlier session. Open the address that `grader {command}` printed.")
NOTHING_HERE = translated("There is nothing of this name here.")
OTHERS = translated("This page belongs to another user of this machine.")
SOCKETS = ("/proc/net/tcp", "/proc/net/tcp6")  # of Linux: local and remote end, state, owner
ESTABLISHED = "01"
ROOT, UNMAPPED = 0, 65534  # users: who may read everything anyway, and those outside a container of ours


class Guard:
    """Lets in who opened the address with the token, from a page of this server, under this server's own name.

    Args:
        command: who started it, as `grader` is told.
    """

    def __init__(self, app: ASGIApp, port: int, token: str, command: str) -> None:
        self._app, self._token, self._cookie = app, token, COOKIE.format(command=command, port=port)
        self._elsewhere = ELSEWHERE.format(command=command)
        self._port = port
        self._hosts = {f"{HOST}:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        refused = self._refused(request)
        answer: ASGIApp = self._app if refused is None else refused
        if refused is None and self._same(request.query_params.get("token", "")):
            answer = RedirectResponse(request.url.path, 303)
            answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
            await send(message)

        await answer(scope, receive, with_headers)

    def _refused(self, request: Request) -> Response | None:
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if host not in self._hosts:
            return PlainTextResponse("This server has another name.", 421)
        site = request.headers.get("sec-fetch-site", "none")
        if origin not in (None, f"http://{host}") or site not in ("same-origin", "none"):
            return PlainTextResponse("Only pages of this server may ask it.", 403)
        if request.method not in ("GET", "HEAD") and origin is None:
            return PlainTextResponse("Only pages of this server may change anything.", 403)
        length = request.headers.get("content-length", "0" if request.method in ("GET", "HEAD") else "")
        if not length.isdecimal() or len(length) > 9 or int(length) > LARGEST:
            return PlainTextResponse("This request is too large, or does not say how large it is.", 413)
        if request.url.path == ALIVE:
            return None
        known = self._same(request.cookies.get(self._cookie, "")) or self._same(request.query_params.get("token", ""))
        if not known:
            return PlainTextResponse(in_all(self._elsewhere), 403)
        client = request.client.port if request.client else 0
        return PlainTextResponse(in_all(OTHERS), 403) if others(client, self._port) else None

    def _same(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())


def in_all(text: Text) -> str:
    """A sentence in every language, for a page that knows none."""
    return "\n".join(dict.fromkeys(in_every_language(text)))


def alive(port: int, token: str, of: Path) -> Callable[[Request], Response]:
    """Proves to another process of ours that this is a server of ours, and of which folder."""

    def proven(request: Request) -> Response:
        return JSONResponse({"proof": proof(port, token, request.query_params.get("asked", ""), of)})

    return proven


def proof(port: int, token: str, asked: str, of: Path) -> str:
    """Return the answer that only a holder of the token can give, and only a server at this port should."""
    return hmac.digest(token.encode(), f"alive {port} {asked} {of}".encode(), "sha256").hex()


def others(client: int, port: int) -> bool:
    """Return True if a connection to us is another user's or has closed, as far as this system tells.

    If we are root, we may be in a container, where the user of the browser has another number.

    Args:
        client: the port at its other end.
        port: ours.
    """
    here = f"{int.from_bytes(socket.inet_aton(HOST), sys.byteorder):08X}"
    ours, theirs = f"{here}:{port:04X}", f"{here}:{client:04X}"
    states, owner, told = [], None, False
    for table in SOCKETS:
        with contextlib.suppress(OSError), open(table, encoding="ascii") as lines:
            for line in lines:
                _, local, remote, state, *_, uid = line.split()[:8]
                told = True
                if local.endswith(ours) and remote.endswith(theirs):
                    states.append(state)
                elif local.endswith(theirs) and remote.endswith(ours):
                    owner = int(uid)
    if os.name != "posix" or not told or os.geteuid() == ROOT:
        return False
    return ESTABLISHED not in states or owner not in (None, ROOT, UNMAPPED, os.geteuid())
