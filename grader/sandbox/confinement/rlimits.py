"""Limits a worker's resources: memory, processor time, descriptors, threads."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass

from grader.sandbox.confinement import libc

if sys.platform == "linux":
    import resource

    _NONE_OF = (
        resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK,
        resource.RLIMIT_MSGQUEUE, resource.RLIMIT_NICE, resource.RLIMIT_RTPRIO,
    )  # fmt: skip

# Where workers count together with all that their user runs: tasks that the user may start after `prepare`.
_ROOM = 1024


@dataclass(frozen=True)
class ProcessLimits:
    """The limits of one worker.

    memory_bytes: address space above what the fork server takes; an allocation beyond it fails in the worker.
    cpu_seconds: whole seconds of processor time of all its threads; then SIGXCPU, and one second later SIGKILL.
    open_files: the highest descriptor number plus one.
    threads: how many at a time, besides the first. Exact for workers that root starts; those of an ordinary user
        are counted together with the user's other tasks, and 1024 more are let through.
    stack_bytes: stack of the first thread.
    card: the number of the GPU that it may use, if any. Its driver maps terabytes, so the address space is left
        free; the process that forked the worker watches its resident memory, see `memory_watch`.
    """

    memory_bytes: int
    cpu_seconds: int
    open_files: int = 64
    threads: int = 64
    stack_bytes: int = 8 << 20
    card: int | None = None


def apply(limits: ProcessLimits, tasks: int) -> None:
    """Set the limits of this process, each no higher than the one in force. `tasks`: see `tasks_allowed`.

    Raises: OSError without /proc.
    """
    cpu = limits.cpu_seconds
    for which, soft, hard in (
        *(() if limits.card is not None else ((resource.RLIMIT_AS, address_space() + limits.memory_bytes, None),)),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_NOFILE, limits.open_files, None),
        (resource.RLIMIT_NPROC, tasks, None),
        (resource.RLIMIT_STACK, limits.stack_bytes, None),
        *((which, 0, None) for which in _NONE_OF),
    ):
        ceiling = resource.getrlimit(which)[1]
        highest = soft if hard is None else hard
        if ceiling != resource.RLIM_INFINITY:
            highest = min(highest, ceiling)
        resource.setrlimit(which, (min(soft, highest), highest))


def limit_memory(pid: int, most: int | None) -> bool:
    """Let a child map so many bytes from now on, None for no limit. Returns: True if the limit holds."""
    try:
        hard = resource.prlimit(pid, resource.RLIMIT_AS)[1]
        within = most is not None and (hard == resource.RLIM_INFINITY or most < hard)
        resource.prlimit(pid, resource.RLIMIT_AS, (most if within and most is not None else hard, hard))
    except OSError:
        return False
    return True


def address_space(process: int | str = "self") -> int:
    """Return the bytes that a process has mapped, by its number in /proc."""
    status = os.open(f"/proc/{process}/statm", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return int(os.read(status, 100).split()[0]) * resource.getpagesize()
    finally:
        os.close(status)


def spare_ids() -> tuple[int, int] | None:
    """Return a range of unused user ids: (first, how many); None if this process may not take one.

    RLIMIT_NPROC counts the tasks of a *real* user id, and never binds id 0. Under an id of its own a worker is
    bound, and the count is its alone. The effective id stays: it decides which files can be read.
    """
    if os.geteuid() != 0:
        return None
    first, count = max(libc.id_map("uid"), key=lambda row: row[1])
    if count < 1 << 10:
        return None
    spare = (first + count // 2, count // 4)
    return None if libc.attempt(lambda: take_spare_id(*spare)) else spare


def take_spare_id(first: int, count: int) -> None:
    """Make a random id of this range the real user id. Raises: OSError."""
    os.setresuid(first + int.from_bytes(os.urandom(4), "little") % count, -1, -1)


def tasks_allowed(limits: ProcessLimits, *, counted_alone: bool) -> int:
    """Return RLIMIT_NPROC for a worker: all threads and processes of its real user id, on this machine.

    counted_alone: True if each worker has an id of its own. If not, what runs under the id now, as far as /proc shows
        it, comes on top: a limit below that would refuse even the first thread.
    """
    return limits.threads + 1 if counted_alone else limits.threads + 1 + _tasks_now() + _ROOM


def _tasks_now() -> int:
    tasks = 0
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if entry.isdigit() and os.stat(f"/proc/{entry}").st_uid == os.getuid():
                tasks += os.stat(f"/proc/{entry}/task").st_nlink - 2
    return tasks
