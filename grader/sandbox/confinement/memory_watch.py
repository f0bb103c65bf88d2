"""Watches from outside the memory of workers that no limit on address space fits: a GPU driver maps terabytes.

The kernel gives each process's resident memory. Between two looks a worker can take more than it may; it is then ended.
Memory on the GPU itself is not seen here.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

LOOK_EVERY = 0.05  # seconds


def until_asked(control: socket.socket, most: int) -> set[int]:
    """Return once there is something to read; meanwhile end each child that holds more than `most` bytes.

    Returns: the pids of those that were ended.
    """
    ended: set[int] = set()
    while not select.select([control], [], [], LOOK_EVERY)[0]:
        for pid, held in children():
            if held > most:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    ended.add(pid)
    return ended


def resident() -> int:
    """Return the bytes that this process has in memory, shared ones included."""
    return _bytes(Path("/proc/self/statm"))


def children() -> Iterator[tuple[int, int]]:
    """Yield each child: its pid, as this process counts, and its bytes in memory.

    /proc may count from outside this process's pid namespace; a child's own file gives its number in each, the
    innermost last. A child that is gone is left out.
    """
    for outer in _outer_pids():
        with contextlib.suppress(OSError, StopIteration):
            lines = Path(f"/proc/{outer}/status").read_text().splitlines()
            numbers = next(line.split() for line in lines if line.startswith("NSpid:"))
            yield int(numbers[-1]), _bytes(Path(f"/proc/{outer}/statm"))


def _outer_pids() -> list[str]:
    """Return the children of all threads; a child of a thread that just ended is seen at the next look."""
    pids: list[str] = []
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):
            pids += (task / "children").read_text().split()
    return pids


def _bytes(statm: Path) -> int:
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
