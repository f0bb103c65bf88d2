"""The worker pool as a process: forks, confines and ends the workers of one grading process."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from typing import NoReturn

import msgspec

import grader
from grader.sandbox.confinement import ProcessLimits, layers, libc, memory_watch, rlimits
from grader.sandbox.confinement.layers import Plan
from grader.sandbox.processes import processor_time
from grader.sandbox.processes.fork_messages import (
    OUTSIDE,
    Exited,
    Fork,
    Forked,
    ForkFailed,
    Limited,
    OfWorker,
    PoolReady,
    Prepare,
    StartGrading,
    entry_point,
    receive,
    send,
)  # fmt: skip
from grader.sandbox.processes.processor_time import Times
from grader.sandbox.processes.shared_memory import ROOM, attached, rehearse

Request = Fork | Prepare | OfWorker


def serve(control: socket.socket, request: StartGrading) -> None:
    """Enter namespaces, then serve the grading process until it is gone."""
    entered = layers.enter_namespaces() if request.confined else ()
    rehearse()
    libc.close_holes()
    root = layers.own_root() if "mounts" in entered else None
    _Pool(control, request, root).serve(tuple(name for name in entered if name != "mounts"))


class _Pool:
    """The living workers, and the way to make one."""

    def __init__(self, control: socket.socket, request: StartGrading, root: str | None) -> None:
        self._control, self._request, self._root = control, request, root
        self._workers: dict[int, int] = {}
        """The bytes that each began with; 0 for one that may use a GPU, whose driver maps terabytes."""
        self._ended: set[int] = set()
        self._pools: list[int] = []
        self.over_memory: set[int] = set()
        """Workers that were ended because they held more than they may."""
        self._plan = self._planned(request.limits)
        self._gpu_plan: Plan | None = None

    def serve(self, entered: tuple[str, ...]) -> None:
        """Serve until the peer is gone. `entered`: layers that this process has for all its workers."""
        watched = self._request.gpu if self._request.confined else None
        ceiling = memory_watch.resident() + watched.memory_bytes if watched else 0
        held = (*(self._plan.layers if self._plan else ()), *entered, *(("root",) if self._root else ()))
        send(self._control, PoolReady(held, self._request.gpu.card if self._request.gpu else None))
        while True:
            if watched:
                self.over_memory |= memory_watch.until_asked(self._control, ceiling)
            command, fds = receive(self._control, Request, 3)  # type: ignore[arg-type] # a union is a type too
            if command is None:
                break
            self.obey(command, fds)
        self.close()

    def _planned(self, limits: ProcessLimits) -> Plan | None:
        """Plan how to confine later forks: their memory is counted from what this process has.

        The driver of a GPU needs more files than a root of our own holds.
        """
        root = self._root if limits.card is None else None
        return layers.prepare(limits, layers.default_readable(), root) if self._request.confined else None

    def obey(self, command: Request, fds: Sequence[int]) -> None:
        match command:
            case Fork(imports, gpu):
                self._import(imports)
                self._fork(fds, gpu)
            case Prepare():
                self._import(command.imports)
                self._fork_pool(command, fds)
                return
            case OfWorker(pid, "times"):
                send(self._control, processor_time.of(pid) if pid in self._workers else Times())
                return  # one that has died is kept until somebody asks how
            case OfWorker(pid, "threads", limit):
                known = pid in self._workers
                send(self._control, Limited(processor_time.limit_threads(pid, limit is None) if known else None))
                return
            case OfWorker(pid, "memory", limit):
                began = self._workers.get(pid, 0)
                send(self._control, Limited(limited(pid, None if limit is None else began + limit) if began else None))
                return
            case OfWorker(pid, "exit"):
                send(self._control, self._exited(pid) if pid in self._workers else Exited(None))
                self._forget(pid)
            case OfWorker(pid, what) if pid in self._workers:
                os.kill(pid, signal.SIGKILL if what == "end" else signal.SIGUSR1)
                if what == "end":  # its death takes long; nobody waits for it
                    self._ended.add(pid)
        for pid in [pid for pid in self._ended if os.waitpid(pid, os.WNOHANG)[0]]:  # how others died will be asked
            self._forget(pid)

    def _exited(self, pid: int) -> Exited:
        """Return how a worker ended that was not told to; one that lives is killed."""
        limits = self._request.limits if self._workers[pid] else self._request.gpu
        seconds = limits.cpu_seconds if limits and self._request.confined else None
        return exited(pid, seconds, pid in self.over_memory)

    def _forget(self, pid: int) -> None:
        self._workers.pop(pid, None)
        self._ended.discard(pid)
        self.over_memory.discard(pid)

    def close(self) -> None:
        """End the workers, and wait for the forked pools, which do the same; so their time is counted here."""
        for pid in self._workers:
            os.kill(pid, signal.SIGKILL)
        for pid in (*self._workers, *self._pools):
            os.waitpid(pid, 0)

    def _import(self, names: Sequence[str]) -> None:
        """Import these modules for all later forks."""
        missing = [name for name in names if name not in sys.modules]
        for name in missing:
            importlib.import_module(name)
        if missing:
            gc.freeze()
            libc.close_holes()
            self._plan, self._gpu_plan = self._planned(self._request.limits), None

    def _fork(self, fds: Sequence[int], gpu: bool) -> None:
        plan, gpu_limits = self._plan, self._request.gpu
        if gpu and gpu_limits is not None:  # planned when the first is asked for
            plan = self._gpu_plan = self._gpu_plan or self._planned(gpu_limits)
        try:
            pid = os.fork()
        except OSError as error:
            send(self._control, ForkFailed(f"fork: {error.strerror}"))
        else:
            if pid == 0:
                run_and_exit(lambda: self._live_as_worker(fds, plan))
            self._workers[pid] = 0 if gpu else rlimits.address_space() + ROOM
            send(self._control, Forked(pid, processor_time.number(pid) if gpu else None))
        finally:
            for fd in fds:
                os.close(fd)

    def _fork_pool(self, asked: Prepare, fds: Sequence[int]) -> None:
        """Fork another pool, which ends with this one, and whose socket closes if it cannot be made."""
        self._pools = [pid for pid in self._pools if not os.waitpid(pid, os.WNOHANG)[0]]
        with contextlib.suppress(OSError):
            if (pid := os.fork()) == 0:
                run_and_exit(lambda: self._live_as_pool(asked, *fds))
            self._pools.append(pid)
        for fd in fds:
            os.close(fd)

    def _live_as_pool(self, asked: Prepare, control_fd: int, calls_fd: int) -> None:
        libc.die_with_parent()
        self._control.close()
        for plan in (self._plan, self._gpu_plan):
            if plan and plan.ruleset is not None:
                os.close(plan.ruleset)
        if self._request.prepare:
            with open(calls_fd, "rb") as calls:
                entry_point(self._request.prepare)(asked.forbid, asked.withheld, calls.read())
        gc.freeze()
        libc.close_holes()
        request = msgspec.structs.replace(self._request, gpu=None)  # who may use one is forked by this process's parent
        _Pool(socket.socket(fileno=control_fd), request, self._root).serve(())

    def _live_as_worker(self, fds: Sequence[int], plan: Plan | None) -> None:
        """In the child: standard streams to the pipe, nothing open but the channel, confined; then serve."""
        channel_fd, output_fd, shared_fd = fds
        shared = attached(shared_fd)
        null = os.open(os.devnull, os.O_RDONLY)
        for target, source in enumerate((null, output_fd, output_fd)):
            os.dup2(source, target)
        for fd in (null, output_fd, shared_fd, self._control.detach()):
            os.close(fd)
        if plan:
            layers.confine(plan)
        else:
            libc.die_with_parent()
        hide_kit()
        entry_point(self._request.worker)(socket.socket(fileno=channel_fd), shared)


def limited(pid: int, most: int | None) -> bool | None:
    """Let a worker map so many bytes from now on; return True if it has mapped no more already.

    Memory that it mapped and freed again is no longer bounded: it could be used. None if the system does not enforce
    it.
    """
    if not rlimits.limit_memory(pid, most):
        return None
    number = processor_time.number(pid)
    return most is None or number is None or rlimits.address_space(number) <= most


def run_and_exit(body: Callable[[], object]) -> NoReturn:
    """Run the life of a forked child; it never returns into the code of its parent."""
    try:
        body()
    except BaseException:  # whatever it was, report it and go
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def exited(pid: int, seconds: float | None = None, over_memory: bool = False) -> Exited:
    """Return how a worker that has gone silent ended; one that lives is killed.

    seconds: of processor time that it may use; a worker that goes on after the warning gets SIGKILL.
    over_memory: True if it was killed for the memory that it held.
    """
    tries = 0
    while not (found := os.wait4(pid, os.WNOHANG))[0]:
        if (tries := tries + 1) > 40 and not processor_time.is_ending(pid):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return Exited(None)
        time.sleep(0.005)
    code, used = os.waitstatus_to_exitcode(found[1]), found[2]
    if code == -signal.SIGKILL and seconds is not None and used.ru_utime + used.ru_stime >= seconds:
        return Exited(-signal.SIGXCPU)
    return Exited(code, -code in OUTSIDE and not over_memory, used.ru_maxrss << 10)


def hide_kit() -> None:
    """Remove the folder that holds the grader from `sys.path`, unless torch lives there too."""
    root = os.path.dirname(os.path.abspath(grader.__path__[0]))
    if not os.path.isdir(os.path.join(root, "torch")):
        sys.path[:] = [p for p in sys.path if os.path.abspath(p) != root]
