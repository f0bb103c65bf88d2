"""Notices which files of a folder were saved: by events of the operating system, and by a look once a second.

The events themselves are not trusted, only the state of the files: editors write through renames, truncate first, leave
copies; a folder may vanish and be made again; a network folder sends no events.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

STEP = 20  # milliseconds without another change until a save is taken for whole
MOST = 200  # milliseconds to wait for that
LOOK = 1000  # milliseconds after which to look even if nothing was told
AWAY = 0.25  # seconds between looks while the folder cannot be watched

FileState = tuple[int, int, int]
Put = Callable[[list[str]], None]


@contextlib.contextmanager
def watched(folder: Path, names: Sequence[str], put: Put) -> Iterator[Callable[[], None]]:
    """Call `put` with those of the file names that were saved or deleted, in a thread, until the block is left.

    The block gets a function that looks at once, in the thread that calls it.
    """
    stop, looking, known = threading.Event(), threading.Lock(), marks(folder, names)

    def look() -> None:
        with looking:
            now = marks(folder, names)
            changed = [name for name in names if now[name] != known[name]]
            known.update(now)
            if changed:
                put(changed)

    thread = threading.Thread(target=_watch, args=(folder, names, look, stop), daemon=True)
    thread.start()
    try:
        yield look
    finally:
        stop.set()
        thread.join(2.0)


def marks(folder: Path, names: Sequence[str]) -> dict[str, FileState | None]:
    """Return what identifies the state of each file; None if there is no file."""
    return {name: _mark(folder / name) for name in names}


def _mark(path: Path) -> FileState | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _watch(folder: Path, names: Sequence[str], look: Callable[[], None], stop: threading.Event) -> None:
    import watchfiles

    while not stop.is_set():
        here = _mark(folder)
        changes = watchfiles.watch(
            folder, watch_filter=lambda _, path: os.path.basename(path) in names, step=STEP, debounce=MOST,
            rust_timeout=LOOK, yield_on_timeout=True, stop_event=stop, recursive=False, raise_interrupt=False,
        )  # fmt: skip
        try:
            for _ in changes:
                look()
                if here is None or (now := _mark(folder)) is None or now[2] != here[2]:
                    break  # another folder than the one that is watched
        except (OSError, RuntimeError):  # it is gone, or the system allows no more watches
            look()
            stop.wait(AWAY)
