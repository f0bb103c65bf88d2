"""The fork server: a program of its own that imports torch once and forks everything that needs it.

It is started by exec with an empty environment and only the control socket open, and it holds no secret. On request it
forks a pair: a worker pool, which enters namespaces and forks a confined worker for each exercise, and a grading
process, the trusted one that loads suites and solutions after the fork. Workers descend from the pool, so what a
grading process knows was never in their memory.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import time

from grader.sandbox.confinement import layers, libc
from grader.sandbox.processes.fork_messages import GradingStarted, StartGrading, entry_point, receive, send
from grader.sandbox.processes.pool_server import run_and_exit, serve

LEAVE_SECONDS = 1.0


def main(control_fd: int, prepare: str) -> None:
    """Serve requests on the control socket until it closes; then end everything that was forked.

    prepare: `module:name` of a function to call once, for all that is forked.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # a library that starts threads at import would make forking unsafe
    entry_point(prepare)()
    gc.enable()
    layers.default_readable()  # found once for all pools
    control = socket.socket(fileno=control_fd)
    pools, gradings = list[int](), list[int]()
    while True:
        request, fds = receive(control, StartGrading, 1)
        if request is None:
            break
        pair = fork_pair(socket.socket(fileno=fds[0]), request, control)
        pools.append(pair[0])
        gradings.append(pair[1])
        send(control, GradingStarted(pair))
    for pid in gradings:
        os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + LEAVE_SECONDS
    for pid in pools:  # one whose grading process is gone leaves once its workers have left
        while not (left := os.waitpid(pid, os.WNOHANG)[0]) and time.monotonic() < deadline:
            time.sleep(0.002)
        if not left:
            os.kill(pid, signal.SIGKILL)
    os._exit(0)


def fork_pair(client: socket.socket, request: StartGrading, control: socket.socket) -> tuple[int, int]:
    """Fork a worker pool and a grading process that are joined by a socket; return their pids."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)  # messages that do not run together
    pool = os.fork()
    if pool == 0:
        leave_behind(control, client, ours)
        keep_to(request.core)
        os.setsid()  # where the kernel shares out time by session, a student's many threads get one share
        run_and_exit(lambda: serve(theirs, request))
    grading = os.fork()
    if grading == 0:
        leave_behind(control, theirs)
        keep_to(request.core)
        with contextlib.suppress(OSError):  # woken by an answer, it lets the worker go on to the next call first
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        run_and_exit(lambda: entry_point(request.service)(client, ours))
    for sock in (ours, theirs, client):
        sock.close()
    return pool, grading


def leave_behind(*unneeded: socket.socket) -> None:
    """Set up a fresh child: it ends when the parent does, and keeps none of the parent's descriptors open."""
    libc.die_with_parent()
    for sock in unneeded:
        sock.close()


def keep_to(core: int | None) -> None:
    """Run on this core only, this process and all that it forks, if the system allows it."""
    if core is not None:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})
