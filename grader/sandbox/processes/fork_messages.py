"""The messages to the fork server and to worker pools: short requests to fork and to end, with file descriptors.

There are two conversations: the command line with the fork server, and a grading process with its worker pool. All
sides are the grader's own.
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
    """Fork a grading process, with a worker pool of its own; the socket to it is sent along.

    service: the function to call in it, as `module:name`; worker: in each worker; prepare: in each pool that withholds
    calls. core: the one to keep to, if any. gpu: the GPU of the workers that may use one.
    """

    service: str
    worker: str
    limits: ProcessLimits
    confined: bool
    core: int | None = None
    gpu: ProcessLimits | None = None
    prepare: str = ""


class GradingStarted(Message, frozen=True):
    """The process ids of the worker pool and of the grading process."""

    pids: tuple[int, int]


# --- a grading process and its worker pool


class Fork(Message, frozen=True):
    """Fork a worker; its channel, the pipe for its output and the memory for its inputs are sent along.

    imports: modules to import before the fork, since they take seconds. gpu: True if it may use the GPU.
    """

    imports: tuple[str, ...] = ()
    gpu: bool = False


class Prepare(Message, frozen=True):
    """Fork a pool whose workers have `imports` and lack the withheld calls, see `Load`; its socket is sent along.

    So is a file of the calls that they are to make, a list of `PreparedCall`; it is empty where none are known yet.
    """

    imports: tuple[str, ...]
    forbid: tuple[str, ...]
    withheld: Withheld


What = Literal["end", "interrupt", "exit", "times", "threads", "memory"]


class OfWorker(Message, frozen=True):
    """Do something with one worker, or ask about it.

    end: kill it, without waiting. interrupt: have it write its position; there is no answer. exit: ask how it ended,
    and kill it if it has not; the answer is `Exited`. times: ask how it spent its time; the answer is `Times`.
    threads: let it start none from now on if the limit is 0, and as many as it may without a limit. memory: let it map
    so many bytes beside what it began with, as many as it may without a limit. The answer to both is `Limited`.
    """

    pid: int
    what: What
    limit: int | None = None


class Limited(Message, frozen=True):
    """The number of its threads now; True if it uses no more memory than that. None: the system does not say."""

    found: bool | int | None = None


class PoolReady(Message, frozen=True):
    """The layers of confinement that hold, and the number of the GPU that workers may use."""

    layers: tuple[str, ...]
    card: int | None = None


class Forked(Message, frozen=True):
    """`number` is the pid in the namespace that /proc shows, if the worker may use a GPU and the system tells."""

    pid: int
    number: int | None = None


class ForkFailed(Message, frozen=True):
    reason: str


class Exited(Message, frozen=True):
    """The end of a worker. `code` is negative for a signal; None if it lived and was killed.

    outside: True if another process ended it, as the kernel does when memory runs out: a confined worker can do nothing
    that gives such an end, and no limit of its own explains it. held: the most bytes that it had in memory, if known.
    """

    code: int | None
    outside: bool = False
    held: int = 0


# --- how it is said


def send(sock: socket.socket, message: msgspec.Struct, fds: Sequence[int] = ()) -> None:
    """Send one message. Raises OSError once the peer is gone."""
    socket.send_fds(sock, [msgspec.msgpack.encode(message)], fds)


def fits(message: msgspec.Struct) -> bool:
    """Return True if the message is small enough to be sent."""
    return len(msgspec.msgpack.encode(message)) <= _LARGEST


def receive(sock: socket.socket, expects: type[M], fds: int = 0) -> tuple[M | None, list[int]]:
    """Return the next message and its file descriptors, `fds` at most; None once the peer is gone."""
    try:
        data, received, _, _ = socket.recv_fds(sock, _LARGEST, fds)
    except OSError:
        return None, []
    return (_decoder(expects).decode(data), list(received)) if data else (None, [])  # type: ignore[arg-type] # types hash


@functools.cache
def _decoder(expects: type[M]) -> msgspec.msgpack.Decoder[M]:
    return msgspec.msgpack.Decoder(expects)


def entry_point(name: str) -> Callable[..., Any]:
    """Return the function that `module:name` stands for; a process's starter names the code to run in it."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found
