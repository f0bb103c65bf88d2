"""What runs in processes that tests have forked: a service and a worker that do what they are told, line by line."""

from __future__ import annotations

import os
import socket
import sys
from typing import Any

from grader.course import Limits
from grader.sandbox.processes import (
    Channel,
    ChannelError,
    ForkedWorkerPool,
    Inspect,
    Inspected,
    Raised,
    Ready,
    Request,
    Worker,
)

PREPARED: list[int] = []


def prepare() -> None:
    """Note in which process it was called."""
    PREPARED.append(os.getpid())


def service(client: socket.socket, pool: socket.socket) -> None:
    """Evaluate what the client sends, with a worker `pool` at hand; answer with its repr."""
    names = {**globals(), "pool": ForkedWorkerPool(pool, Limits())}
    while code := client.recv(1 << 16):
        client.sendall(repr(eval(code, names)).encode())


def worker(sock: socket.socket) -> None:
    """Say that it is ready, then evaluate the source of each `Inspect`."""
    channel = Channel(sock, Request)
    channel.send(Ready())
    while True:
        try:
            request, _, nonce = channel.receive()
        except ChannelError:
            return
        assert isinstance(request, Inspect)
        try:
            reply: Inspected | Raised = Inspected(None, [repr(eval(request.source, dict(globals())))])
        except Exception as error:
            reply = Raised([type(error).__name__], str(error))
        sys.stdout.flush()
        channel.send(reply, nonce=nonce)


def silent(sock: socket.socket) -> None:
    """A worker that says why it cannot begin, and ends."""
    print("no room in here", flush=True)


def hasty(sock: socket.socket) -> None:
    """A worker that answers before it says that it is ready."""
    Channel(sock, Request).send(Inspected(None, []))


def told(worker: Worker, source: str) -> Any:
    """What a worker answers to this source: its value's repr, or the name of what it raised."""
    worker.channel.send(Inspect(source, "", ()))
    reply = worker.channel.receive().message
    return reply.defines[0] if isinstance(reply, Inspected) else reply.types[0]
