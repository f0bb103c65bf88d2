"""The warm parent: a program of its own that imports torch once and forks everything that needs it.

It is started by exec with an empty environment and only the control socket open, and it holds no secret. On request
it forks a pair: a nursery, which enters namespaces and forks a confined worker for each exercise, and a lane, the
trusted process that loads suites and solutions after the fork and grades. Workers descend from the nursery, so what
a lane knows was never in their memory.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import socket
import sys
import time
from typing import Any

_MESSAGE = 1 << 16


def main(control_fd: int) -> None:
    """Serve `lane` requests on the control socket until it closes; then end everything that was forked."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # a library that starts threads at import would make forking unsafe
    import grader.worker  # noqa: F401 -- imported once, for every worker
    from grader.preload import preload

    preload()

    control = socket.socket(fileno=control_fd)
    children: list[int] = []
    while True:
        request, fds = receive(control, 1)
        if request is None:
            break
        children += fork_pair(socket.socket(fileno=fds[0]), request, control)
        send(control, {"pids": children[-2:]})
    for pid in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    os._exit(0)


def fork_pair(lane: socket.socket, request: dict[str, Any], control: socket.socket) -> list[int]:
    """Fork a nursery and a lane that are joined by a socket; the pids."""
    from grader import lane as lane_program

    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)  # messages that do not run together
    nursery = os.fork()
    if nursery == 0:
        guard(control, lane, ours)
        keep_to(request["core"])
        os.setsid()  # where the kernel shares out time by session, a student's many threads get one share
        run_and_exit(lambda: serve_nursery(theirs, request))
    grading = os.fork()
    if grading == 0:
        guard(control, theirs)
        keep_to(request["core"])
        with contextlib.suppress(OSError):  # woken by an answer, it lets the worker go on to the next call first
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        run_and_exit(lambda: lane_program.main(lane, ours))
    for sock in (ours, theirs, lane):
        sock.close()
    return [nursery, grading]


def guard(*unneeded: socket.socket) -> None:
    """In a fresh child: die with the parent, keep nothing of it open."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    for sock in unneeded:
        sock.close()


def keep_to(core: int | None) -> None:
    """Run on this core only, this process and all that it forks, if the system lets it."""
    if core is not None:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})


def run_and_exit(body: Any) -> None:
    """Run the life of a forked child; it never returns into the code of its parent."""
    try:
        body()
    except BaseException:  # whatever it was, report it and go
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def serve_nursery(control: socket.socket, request: dict[str, Any]) -> None:
    """Fork and end workers for one lane."""
    from grader import confine, watch

    limits = confine.Limits(**request["limits"])
    plan, layers = None, []
    if request["confined"]:
        entered = confine.enter_namespaces()
        plan = confine.prepare(limits, confine.default_readable())
        layers = [*plan.layers, *entered]
    ceiling = watch.resident() + limits.memory_bytes if limits.watched else 0
    send(control, {"layers": layers})
    workers: set[int] = set()
    while True:
        if limits.watched and request["confined"]:
            watch.until_asked(control, ceiling)
        command, fds = receive(control, 2)
        if command is None:
            break
        if command["op"] == "fork":
            try:
                pid = os.fork()
            except OSError as error:
                for fd in fds:
                    os.close(fd)
                send(control, {"failed": f"fork: {error.strerror}"})
                continue
            if pid == 0:
                run_and_exit(lambda fds=fds: become_worker(control, fds, plan))
            for fd in fds:
                os.close(fd)
            workers.add(pid)
            send(control, {"pid": pid})
        elif command["op"] == "end" and command["pid"] in workers:
            os.kill(command["pid"], signal.SIGKILL)  # its death takes long; nobody waits for it
        elif command["op"] == "why":
            known = command["pid"] in workers
            workers.discard(command["pid"])
            send(control, {"code": last_words(command["pid"]) if known else None})
        workers -= {pid for pid in workers if os.waitpid(pid, os.WNOHANG)[0]}
    for pid in workers:
        os.kill(pid, signal.SIGKILL)


def last_words(pid: int) -> int | None:
    """End a worker that has gone silent: the exit code of its own death, None if it had to be killed."""
    for _ in range(40):
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def become_worker(control: socket.socket, fds: list[int], plan: Any) -> None:
    """In the child: standard streams to the pipe, nothing open but the channel, confined; then serve."""
    from grader import confine, worker

    channel_fd, output_fd = fds
    if not plan:  # which does it too
        guard()
    null = os.open(os.devnull, os.O_RDONLY)
    for target, source in enumerate((null, output_fd, output_fd)):
        os.dup2(source, target)
    for fd in (null, output_fd, control.detach()):
        os.close(fd)
    if plan:
        confine.confine(plan)
    hide_kit()
    worker.run(socket.socket(fileno=channel_fd))


def hide_kit() -> None:
    """Take the folder that holds the grader off `sys.path`, unless torch lives there too."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if not os.path.isdir(os.path.join(root, "torch")):
        sys.path[:] = [p for p in sys.path if os.path.abspath(p) != root]


def send(sock: socket.socket, message: dict[str, Any], fds: list[int] | None = None) -> None:
    """One small message, with file descriptors."""
    socket.send_fds(sock, [json.dumps(message).encode()], fds or [])


def receive(sock: socket.socket, fds: int) -> tuple[dict[str, Any] | None, list[int]]:
    """The next message and its file descriptors; None once the peer is gone."""
    try:
        data, received, _, _ = socket.recv_fds(sock, _MESSAGE, fds)
    except OSError:
        return None, []
    return (json.loads(data), list(received)) if data else (None, [])
