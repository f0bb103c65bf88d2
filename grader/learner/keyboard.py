"""Reads single keys from the terminal, without Enter and without an echo; the terminal is always restored."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator

try:
    import termios
    import tty
except ImportError:  # Windows
    termios = None  # type: ignore[assignment] # where there is none

_PASTED = 16  # characters at once are no keys
_TICK = 0.05
ENTER, END, BACK, ESCAPE = "\n", "\x04", "\x7f", "escape"
UP, DOWN, LEFT, RIGHT, PAGE_UP, PAGE_DOWN = "up", "down", "left", "right", "page up", "page down"
_NAMED = {"A": UP, "B": DOWN, "C": RIGHT, "D": LEFT, "5~": PAGE_UP, "6~": PAGE_DOWN}
_WINDOWS = {"H": UP, "P": DOWN, "K": LEFT, "M": RIGHT, "I": PAGE_UP, "Q": PAGE_DOWN}

Put = Callable[[str], None]


@contextlib.contextmanager
def raw(put: Put, resumed: Callable[[], None]) -> Iterator[None]:
    """Call `put` with each key pressed on the terminal of stdin, in a thread, until the block is left.

    Arrows and similar keys come by name, a letter in its lower-case half-width form (an input method for Chinese may
    send others), the end of the input as `END`. Ctrl-C keeps its meaning. `resumed` is called when the process comes
    back from Ctrl-Z.
    """
    if termios is None:
        with by_line(put):  # which gives single keys there
            yield
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)

    def stopped(number: int, frame: object) -> None:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
        os.kill(os.getpid(), signal.SIGSTOP)
        tty.setcbreak(fd, termios.TCSADRAIN)
        resumed()

    handler = signal.signal(signal.SIGTSTP, stopped)
    try:
        tty.setcbreak(fd, termios.TCSADRAIN)
        with _in_a_thread(lambda stop, wake: _posix_keys(fd, put, wake)):
            yield
    finally:
        signal.signal(signal.SIGTSTP, handler)
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def by_line(put: Put) -> contextlib.AbstractContextManager[None]:
    """Do the same for a terminal that reads only whole lines: the keys of a line come once Enter is pressed."""
    if termios is None:
        return _in_a_thread(lambda stop, _: _windows_keys(put, stop))
    return _in_a_thread(lambda _, wake: _posix_keys(sys.stdin.fileno(), put, wake, lines=True))


def in_foreground() -> bool:
    """Return True if stdin is a terminal whose keys go to this process, not to one that suspended it."""
    if not sys.stdin or not sys.stdin.isatty():
        return False
    try:
        return termios is None or os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:
        return False


def keys(text: str) -> list[str]:
    """Return the keys in a chunk that a terminal sent: single letters, and names such as `UP` and `ESCAPE`."""
    found: list[str] = []
    for part in re.split(r"(\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?)", text, flags=re.DOTALL):
        if part == "\x1b":
            found.append(ESCAPE)
        elif part.startswith("\x1b"):
            found += [_NAMED[part[2:]]] if part[2:] in _NAMED else []
        else:
            letters = unicodedata.normalize("NFKC", part).lower().replace("\r", "\n").replace("\x08", BACK)
            found += letters if len(letters) <= _PASTED else []
    return found


@contextlib.contextmanager
def _in_a_thread(read: Callable[[threading.Event, int], None]) -> Iterator[None]:
    stop = threading.Event()
    ours, theirs = os.pipe()
    thread = threading.Thread(target=read, args=(stop, ours), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        os.write(theirs, b"x")
        thread.join(1.0)
        os.close(ours)
        os.close(theirs)


def _posix_keys(fd: int, put: Put, wake: int, lines: bool = False) -> None:
    while True:
        ready, _, _ = select.select([fd, wake], [], [])
        if wake in ready:
            return
        try:
            data = os.read(fd, 4096)
        except OSError:  # the terminal is gone
            data = b""
        found = keys(data.decode("utf-8", "ignore")) if data else [END]
        for key in found[:-1] if lines and found[1:] else found:  # the Enter that ends a line is no key
            put(key)
        if not data:
            return


def _windows_keys(put: Put, stop: threading.Event) -> None:
    import msvcrt

    read: Callable[[], str] = getattr(msvcrt, "getwch")  # noqa: B009 -- typed only where it exists
    waiting: Callable[[], bool] = getattr(msvcrt, "kbhit")  # noqa: B009 -- likewise
    while not stop.is_set():
        if not waiting():
            time.sleep(_TICK)
            continue
        key = read()
        if key in "\x00\xe0":  # an arrow key or its kind: a second code follows
            if name := _WINDOWS.get(read()):
                put(name)
            continue
        for one in keys(key):
            put(END if one == "\x1a" else one)
