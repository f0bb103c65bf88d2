"""Makes a root directory for workers that holds what they may read, under its usual names, and nothing else.

A worker cannot ask for any process of the machine, any other folder, or any target of a link. The root is a tmpfs in a
mount namespace of the worker pool's, into which the readable folders are bound; a worker changes into it before it
gives up the right to do so.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Sequence

import grader
from grader.sandbox.confinement import libc
from grader.sandbox.confinement.readable import within

PLACES = ("/mnt", "/media", "/srv", "/var/tmp", "/opt", "/home", "/tmp", "/run")  # one that nothing needed lies in
_BIND, _REC, _REMOUNT, _RDONLY, _NOSUID, _NODEV, _PRIVATE = 0x1000, 0x4000, 0x20, 1, 2, 4, 0x40000
_DETACH = 2
_LINKED = ("/lib", "/lib64", "/usr/lib64")  # where the loader looks for libraries


def build(paths: Sequence[str]) -> str | None:
    """Make the root, with these files and folders in it.

    Call it in a mount namespace of one's own, in a process without threads.
    Returns: its path, None if the machine does not allow it.
    """
    place = next((p for p in PLACES if _free(p, paths)), None)
    if place is None:
        return None
    try:
        libc.call("mount", None, b"/", None, _REC | _PRIVATE, None)  # else the machine would see what is mounted
        libc.call("mount", b"tmpfs", place.encode(), b"tmpfs", _NOSUID | _NODEV, b"size=1m,mode=755")
    except OSError:
        return None
    try:
        _fill(place, list(outermost(paths)))
        libc.call("mount", None, place.encode(), None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV, None)
    except OSError:
        with contextlib.suppress(OSError):
            libc.call("umount2", place.encode(), _DETACH)
        return None
    return place


def enter(place: str) -> None:
    """Change into it, for good once the capabilities are dropped. Raises: OSError."""
    os.chroot(place)
    os.chdir("/")


def outermost(paths: Iterable[str]) -> Iterable[str]:
    """Return the paths that lie in no other of them."""
    found: list[str] = []
    for path in sorted(set(paths)):
        if not any(within(path, other) for other in found):
            found.append(path)
    return found


def _free(place: str, paths: Sequence[str]) -> bool:
    """Return True if this folder exists and can be covered: nothing that this process still needs lies in it."""
    needed = (*paths, *sys.path, os.getcwd(), *grader.__path__)
    real = os.path.isdir(place) and not os.path.islink(place)
    return real and not any(within(os.path.realpath(p), place) or within(place, p) for p in needed if p != "/")


def _fill(root: str, paths: Sequence[str]) -> None:
    for link, target in links((*_LINKED, *sys.path)).items():
        if not any(within(link, path) for path in paths):
            os.makedirs(root + os.path.dirname(link), exist_ok=True)
            os.symlink(target, root + link)
    for path in paths:
        if os.path.isdir(path):
            os.makedirs(root + path, exist_ok=True)
        else:
            os.makedirs(root + os.path.dirname(path), exist_ok=True)
            os.close(os.open(root + path, os.O_CREAT | os.O_WRONLY, 0o644))
        libc.call("mount", path.encode(), (root + path).encode(), None, _BIND | _REC, None)


def links(paths: Iterable[str]) -> dict[str, str]:
    """Return the symbolic links on the way to these paths, each with its target."""
    found: dict[str, str] = {}
    todo = [os.path.normpath(p) for p in paths if os.path.isabs(p)]
    while todo:
        path = todo.pop()
        at = ""
        for part in path.split("/")[1:]:
            at = f"{at}/{part}"
            if at not in found and os.path.islink(at):
                found[at] = os.readlink(at)
                todo.append(os.path.normpath(os.path.join(os.path.dirname(at), found[at]) + path[len(at) :]))
                break
    return found
