"""What is said to the fork server and to worker pools: short requests to fork and to end, with file descriptors beside.

Two conversations: the command line and the fork server, a grading process and its worker pool. All are ours.
"""

from __future__ import annotations

import functools
import importlib
import signal
import socket
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from grader.sandbox.confinement import ProcessLimits
from grader.sandbox.processes.values import Message, Withheld

_LARGEST = 1 << 17
M = TypeVar("M")
# A confined worker cannot send these to itself; absent where a system has no such signals.
OUTSIDE = {getattr(signal, name, None) for name in ("SIGHUP", "SIGQUIT", "SIGKILL", "SIGTERM")}

# --- the command line and the fork server


class StartGrading(Message, frozen=True):
    """Fork a grading process, with a worker pool of its own; the socket to it comes along.

    service: the function to call in it, as `module:name`; worker: in each worker; prepare: in each pool that withholds
    something. core: the one to keep to, if any. gpu: of the workers that may use a GPU, where there is one.
    """

    service: str
    worker: str
    limits: ProcessLimits
    confined: bool
    core: int | None = None
    gpu: ProcessLimits | None = None
    prepare: str = ""


class GradingStarted(Message, frozen=True):
    """Process ids: of the worker pool and of the grading process."""

    pids: tuple[int, int]


# --- a grading process and its worker pool


class Fork(Message, frozen=True):
    """Fork a worker; its channel, the pipe for what it prints and the memory for its inputs come along.

    imports: modules that it is to find imported, for they take seconds. gpu: whether it may use the GPU.
    """

    imports: tuple[str, ...] = ()
    gpu: bool = False


class Prepare(Message, frozen=True):
    """Fork a pool whose workers have `imports` and lack what is withheld, see `Load`; the socket to it comes along."""

    imports: tuple[str, ...]
    forbid: tuple[str, ...]
    withheld: Withheld


What = Literal["end", "interrupt", "exit", "times", "threads", "memory"]


class OfWorker(Message, frozen=True):
    """What is to be done with one worker, or what is asked of it.

    end: kill it; nobody waits for it. interrupt: have it write down where it is; there is no answer. exit: how has it
    ended? One that has not is killed. The answer is `Exited`. times: what has it done with its time? Answer: `Times`.
    threads: start none from now on if the limit is 0, and as many as it may without a limit. memory: map so many bytes
    at most beside what it began with, as many as it may without a limit. The answer to both is `Limited`.
    """

    pid: int
    what: What
    limit: int | None = None


class Limited(Message, frozen=True):
    """How many threads it has now; whether it takes no more memory than that already. None: the system does not say."""

    found: bool | int | None = None


class PoolReady(Message, frozen=True):
    """The layers of confinement that hold, and the number of the GPU that workers may use."""

    layers: tuple[str, ...]
    card: int | None = None


class Forked(Message, frozen=True):
    """`number` is the one in the namespace that /proc shows, where the worker may use a GPU and the system tells."""

    pid: int
    number: int | None = None


class ForkFailed(Message, frozen=True):
    reason: str


class Exited(Message, frozen=True):
    """How a worker ended. `code` is negative for a signal; None if it lived and was killed.

    outside: whether somebody else ended it, as the kernel does when memory runs out: nothing that a confined worker can
    do gives such an end, and no limit of its own explains it. held: the most bytes that it had in memory, if known.
    """

    code: int | None
    outside: bool = False
    held: int = 0


# --- how it is said


def send(sock: socket.socket, message: msgspec.Struct, fds: Sequence[int] = ()) -> None:
    """One message. Raises OSError once the peer is gone."""
    socket.send_fds(sock, [msgspec.msgpack.encode(message)], fds)


def fits(message: msgspec.Struct) -> bool:
    """Whether it is small enough to be sent."""
    return len(msgspec.msgpack.encode(message)) <= _LARGEST


def receive(sock: socket.socket, expects: type[M], fds: int = 0) -> tuple[M | None, list[int]]:
    """The next message and its file descriptors, `fds` at most; None once the peer is gone."""
    try:
        data, received, _, _ = socket.recv_fds(sock, _LARGEST, fds)
    except OSError:
        return None, []
    return (_decoder(expects).decode(data), list(received)) if data else (None, [])  # type: ignore[arg-type] # types hash


@functools.cache
def _decoder(expects: type[M]) -> msgspec.msgpack.Decoder[M]:
    return msgspec.msgpack.Decoder(expects)


def entry_point(name: str) -> Callable[..., Any]:
    """The function that `module:name` stands for. Whoever starts a process names what is to run in it."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found
