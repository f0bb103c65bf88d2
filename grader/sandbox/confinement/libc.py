"""Linux calls for which Python has no name, through the C library."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import struct
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_READ = 23
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

LARGEST_HOLE = 1032  # bytes asked for first; larger holes are taken in pieces
_CAPABILITY_VERSION_3 = 0x20080522


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def call(function: str, *arguments: object) -> int:
    """Call a function of the C library; whole numbers are passed as unsigned long.

    Returns: its result.
    Raises: OSError with its errno if that was -1.
    """
    wide = (ctypes.c_ulong(a) if isinstance(a, int) else a for a in arguments)
    result: int = getattr(_libc(), function)(*wide)
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{function}: {os.strerror(number)}")
    return result


def prctl(option: int, argument: int = 0, pointer: int = 0) -> int:
    """`prctl(2)`. Raises: OSError."""
    result = _prctl()(option, argument, pointer, 0, 0)
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")
    return result


@functools.cache
def _prctl() -> Callable[..., int]:
    # Declared arguments make a call cost half a microsecond; a worker needs fifty before it may start.
    function = _libc().prctl
    function.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)
    return function


class _HeapInfo(ctypes.Structure):
    """The figures of `mallinfo2(3)`: nine numbers, then the size in bytes of the free end of the heap."""

    _fields_ = (("others", ctypes.c_size_t * 9), ("free_end", ctypes.c_size_t))


def close_holes() -> None:
    """Return freed memory to the system, and take what stays free between used blocks, before workers are forked.

    A fork then inherits no room that is not counted. What it allocates lies close together in new pages; in the holes
    it would write to 240 pages more that it shares with its parent, each of which the kernel copies.
    """
    libc = _libc()
    if hasattr(libc, "malloc_trim"):  # of glibc
        libc.malloc_trim(0)
    if not hasattr(libc, "mallinfo2"):  # of glibc, from 2.33 on
        return
    libc.mallinfo2.restype, libc.sbrk.restype, libc.malloc.restype = _HeapInfo, ctypes.c_size_t, ctypes.c_size_t
    libc.sbrk.argtypes, libc.malloc.argtypes = [ctypes.c_ssize_t], [ctypes.c_size_t]
    beyond = libc.sbrk(0) - libc.mallinfo2().free_end  # all that is free from here on is in one piece
    for size in range(LARGEST_HOLE, 0, -16):
        while 0 < libc.malloc(size) < beyond:
            pass


def die_with_parent() -> None:
    """Have this process killed when the thread that forked it ends; nothing outside Linux."""
    if sys.platform == "linux":
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def drop_capabilities() -> None:
    """Give up every capability of this process.

    Raises: OSError if the sets in force cannot be emptied (never seen: dropping needs no right).
    """
    lower_bounding_set()
    with contextlib.suppress(OSError):
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    call("capset", struct.pack("=II", _CAPABILITY_VERSION_3, 0), bytes(24))


def lower_bounding_set() -> None:
    """Let no program that this process or a child executes gain a capability, if it has the right to say so.

    Capabilities in force now stay. Inherited: done once in the fork server, it costs a worker next to nothing.
    """
    with contextlib.suppress(OSError):  # EPERM for an ordinary user; EINVAL marks the last capability
        for capability in range(64):
            if prctl(PR_CAPBSET_READ, capability):
                prctl(PR_CAPBSET_DROP, capability)


def id_map(kind: str) -> list[tuple[int, int]]:
    """Return the ids that exist in this user namespace. `kind`: "uid" or "gid".

    Returns: (first id, how many) for each range.
    Raises: OSError without /proc.
    """
    with open(f"/proc/self/{kind}_map", encoding="ascii") as file:
        rows = [line.split() for line in file]
    return [(int(first), int(count)) for first, _, count in rows]


def attempt(action: Callable[[], None]) -> str:
    """Run `action` in a forked child. Returns: its exception as text, "" if there was none."""
    if sys.platform != "linux":
        return f"there is none on {sys.platform}"
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        message = "the attempt was cut short"
        try:
            action()
            message = ""
        except BaseException as error:  # whatever went wrong, it does not work here
            message = str(error) or type(error).__name__
        finally:
            os.write(writing, message.encode(errors="replace")[:4000])
            os._exit(0 if not message else 1)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        message = file.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    return message or ("" if status == 0 else f"the attempt ended with status {status}")
