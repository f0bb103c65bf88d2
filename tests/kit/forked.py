"""What runs in processes that tests have forked: a service and a worker that do what they are told, line by line."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
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
WITHHELD: list[str] = []
PARENTS: list[int] = []
ROOT = Path(__file__).resolve().parents[2]
BOOT = """
import socket, sys
sys.path[:0] = {path!r}
import forked
from grader.sandbox.confinement import ProcessLimits
from grader.sandbox.processes import StartGrading, pool_server
request = StartGrading("", "forked:{worker}", ProcessLimits(1 << 28, 2), {confined}, prepare="forked:withhold")
pool_server.serve(socket.socket(fileno=int(sys.argv[1])), request)
"""


def prepare() -> None:
    """Note in which process it was called."""
    PREPARED.append(os.getpid())


def withhold(forbid: tuple[str, ...], withheld: object, calls: bytes) -> None:
    """Note what the workers that are forked from here must not have."""
    WITHHELD.extend(forbid)
    PARENTS.append(os.getppid())


def service(client: socket.socket, pool: socket.socket) -> None:
    """Evaluate what the client sends, with a worker `pool` at hand; answer with its repr."""
    names = {**globals(), "pool": ForkedWorkerPool(pool, Limits())}
    while code := client.recv(1 << 16):
        client.sendall(repr(eval(code, names)).encode())


def worker(sock: socket.socket, inputs: memoryview) -> None:
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


def descriptors() -> list[int]:
    """The numbers of those that are open here."""
    found = []
    for number in range(100):
        with contextlib.suppress(OSError):
            os.fstat(number)
            found.append(number)
    return found


def silent(sock: socket.socket, inputs: memoryview) -> None:
    """A worker that says why it cannot begin, and ends."""
    print("no room in here", flush=True)


def killed(sock: socket.socket, inputs: memoryview) -> None:
    """A worker that is gone before it could begin."""
    os.kill(os.getpid(), signal.SIGKILL)


def hasty(sock: socket.socket, inputs: memoryview) -> None:
    """A worker that answers before it says that it is ready."""
    Channel(sock, Request).send(Inspected(None, []))


def told(worker: Worker, source: str) -> Any:
    """What a worker answers to this source: its value's repr, or the name of what it raised."""
    worker.channel.send(Inspect(source, "", ()))
    reply = worker.channel.receive().message
    return reply.defines[0] if isinstance(reply, Inspected) else reply.types[0]


@contextlib.contextmanager
def pools() -> Iterator[Callable[..., ForkedWorkerPool]]:
    """A way to start worker pools, each a program of its own, whose workers are this module's `worker` or another."""
    started = []

    def start(worker: str = "worker", confined: bool = True) -> ForkedWorkerPool:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        code = BOOT.format(path=[str(ROOT), str(ROOT / "tests" / "kit")], worker=worker, confined=confined)
        command = [sys.executable, "-c", code, str(theirs.fileno())]
        program = subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd="/")
        theirs.close()
        try:
            pool = ForkedWorkerPool(ours, Limits(output_kb=1))
        except BaseException:
            ours.close()
            program.wait(5)
            raise
        started.append((program, pool))
        return pool

    try:
        yield start
    finally:
        for program, pool in started:
            pool.close()
            program.wait(5)
