"""Namespaces: the fork server leaves the machine's processes, network and users behind.

The process that starts here becomes a guard; what runs on is its child, which is process 1 of its own pid
namespace: the kernel kills everything in it when it ends. The guard holds nothing open and lives as long as
both its parent and its child do.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from typing import NoReturn

from grader.sandbox.confinement import libc

# In this order: a user namespace of one's own gives the right to make the others.
_FLAGS = {
    "user": 0x10000000,
    "mount": 0x00020000,
    "pid": 0x20000000,
    "net": 0x40000000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
    "cgroup": 0x02000000,
}
ESSENTIAL = frozenset({"pid", "net"})
_MS_REC_PRIVATE = 0x4000 | 0x40000
_LOOK_EVERY = 0.25  # seconds between two looks at whether the parent still lives


def enter_namespaces() -> tuple[str, ...]:
    """Move this process into namespaces of its own, as many as the machine grants, and go on in a child.

    Call it in a program of one thread, before it forks anything else: the process that called stays behind as
    a guard and never returns from here. Open descriptors go with the child. The guard ends with the child's
    exit status or signal; the child is killed when the guard dies, and the guard leaves when its own parent
    has died.

    Returns: "namespaces" if processes and network of the machine are out of reach now, "mounts" if a root of one's
        own can be made. Does not raise if the machine refuses.
    """
    if sys.platform != "linux":
        return ()
    parent = os.getppid()
    entered = unshare()
    _leave_a_guard(parent)
    missing = ESSENTIAL - set(entered)
    return tuple(name for name, holds in (("namespaces", not missing), ("mounts", "mount" in entered)) if holds)


def unshare() -> tuple[str, ...]:
    """Call `unshare(2)` for each namespace; return those that worked. The next child, not this process, is in the pid
    namespace.
    """
    entered: list[str] = []
    for name, flag in _FLAGS.items():
        with contextlib.suppress(OSError):
            _unshare_user(flag) if name == "user" else libc.call("unshare", flag)
            entered.append(name)
    if "mount" in entered:
        with contextlib.suppress(OSError):  # AppArmor may forbid it; then changes still do not travel out
            libc.call("mount", None, b"/", None, _MS_REC_PRIVATE, None)
    return tuple(entered)


def _unshare_user(flag: int) -> None:
    """Enter a user namespace in which every id keeps its meaning from outside.

    Root needs all ids mapped, not only its own: its workers run under unused ids (see `confine`), without which no
    limit on threads binds them. Only a process outside the new namespace has the right to write that map, so a child is
    made beforehand. An ordinary user has the right to map one id: its own.
    """
    uid, gid = os.geteuid(), os.getegid()
    maps = {
        kind: "\n".join(f"{first} {first} {count}" for first, count in libc.id_map(kind)) for kind in ("uid", "gid")
    }
    ready, go = os.pipe()
    writer = os.fork()
    if not writer:
        status = 1
        try:
            os.close(go)
            if os.read(ready, 1):
                for kind, text in maps.items():
                    _write(f"/proc/{os.getppid()}/{kind}_map", text)
                status = 0
        finally:
            os._exit(status)
    os.close(ready)
    try:
        libc.call("unshare", flag)
        os.write(go, b"!")
    finally:
        os.close(go)
        _, status = os.waitpid(writer, 0)
    if status:
        with contextlib.suppress(OSError):
            _write("/proc/self/uid_map", f"{uid} {uid} 1")
        with contextlib.suppress(OSError):
            _write("/proc/self/setgroups", "deny")
            _write("/proc/self/gid_map", f"{gid} {gid} 1")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii", buffering=1 << 16) as file:
        file.write(text)


def _leave_a_guard(parent: int) -> None:
    """Fork; the child returns, the parent guards. `parent`: the process that the guard must not outlive."""
    alive, held = os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    child = os.fork()
    if child:
        _guard(child, parent, held)
    os.close(held)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    libc.die_with_parent()
    # The guard may have died before the line above. Its pid cannot tell (it lies outside our namespace), its pipe does.
    poller = select.poll()
    poller.register(alive, 0)
    if poller.poll(0):
        os._exit(1)
    os.close(alive)
    libc.lower_bounding_set()


def _guard(child: int, parent: int, held: int) -> NoReturn:
    """Wait for the child and end as it did; end at once, and the child too, when the parent is gone.

    The parent is watched by its pid: PR_SET_PDEATHSIG already fires when the *thread* that started us ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.closerange(3, held)
    os.closerange(held + 1, os.sysconf("SC_OPEN_MAX"))
    while os.getppid() == parent:
        signal.sigtimedwait({signal.SIGCHLD}, _LOOK_EVERY)
        pid, status = os.waitpid(child, os.WNOHANG)
        if not pid:
            continue
        if os.WIFSIGNALED(status):
            _die_of(os.WTERMSIG(status))
        os._exit(os.waitstatus_to_exitcode(status))
    os._exit(1)


def _die_of(number: int) -> NoReturn:
    import resource  # here: absent on Windows

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):  # SIGKILL has no handler to reset
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(128 + number)
