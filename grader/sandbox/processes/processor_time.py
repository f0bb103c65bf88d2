"""Measures how a process spent the clock's time: computing, or ready without a processor. The kernel says."""

from __future__ import annotations

import contextlib
import os
import sys
import time

from grader.sandbox.processes.values import Message

_PROCESS_CLOCK = 2  # of any process by its number; see clock_getcpuclockid(3)


class Times(Message, frozen=True):
    """The seconds that a process computed, in all threads, and those that its first thread waited for a processor.

    None if the system does not say.
    """

    computed: float | None = None
    waited: float | None = None


def of(pid: int) -> Times:
    """Return the times of a child so far."""
    return Times(_computed(pid), _delay(number(pid)))


def own_wait() -> float:
    """Return the seconds that this thread waited for a processor; 0 if the system does not say."""
    return _delay("thread-self") or 0.0


def _computed(pid: int) -> float | None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return time.clock_gettime(~pid << 3 | _PROCESS_CLOCK)
    return None


def limit_threads(pid: int, allowed: bool) -> int | None:
    """Let a child start threads, or none from now on; return how many it has. None if that cannot be done."""
    try:
        import resource  # here: absent on Windows

        hard = resource.prlimit(pid, resource.RLIMIT_NPROC)[1]
        resource.prlimit(pid, resource.RLIMIT_NPROC, (hard if allowed else min(hard, 1), hard))
        return int(_entry(_read(f"/proc/{number(pid)}/status").decode(), "Threads:"))
    except (ImportError, AttributeError, OSError, StopIteration, IndexError, ValueError):
        return None


def number(pid: int) -> int | None:
    """Return the pid of a child in the namespace that /proc shows; None if the system does not say."""
    with contextlib.suppress(OSError, AttributeError, StopIteration, IndexError, ValueError):
        fd = os.pidfd_open(pid)  # a descriptor of the process tells
        try:
            return int(_entry(_read(f"/proc/self/fdinfo/{fd}").decode(), "Pid:"))
        finally:
            os.close(fd)
    return None


def is_ending(pid: int) -> bool:
    """Return True if a child has released its memory already: it is dying, however long the machine takes."""
    with contextlib.suppress(OSError, IndexError):
        return _read(f"/proc/{number(pid)}/statm").split()[0] == b"0"
    return False


def _entry(text: str, name: str) -> str:
    return next(line.split()[1] for line in text.splitlines() if line.startswith(name))


def _read(path: str) -> bytes:
    """Read a file of the kernel's without Python's own layers, since this is done for each worker."""
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, 1 << 13)
    finally:
        os.close(fd)


def _delay(process: int | str | None) -> float | None:
    try:
        return int(_read(f"/proc/{process}/schedstat").split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return None
