"""Calls that Python has no name for."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable

import pytest
from confined import Run, outcome, said

from grader.sandbox.confinement import libc

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux only")


def test_a_call_that_fails_raises_its_error() -> None:
    with pytest.raises(OSError, match="close: Bad file descriptor") as raised:
        libc.call("close", 1 << 20)
    assert raised.value.errno == errno.EBADF
    with pytest.raises(OSError, match="prctl 4000: Invalid argument"):
        libc.prctl(4000)


def test_a_call_returns_what_the_library_does() -> None:
    assert libc.call("getpid") == os.getpid()


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: None, ""),
        (lambda: 1 / 0, "division by zero"),
        (lambda: sys.exit(), "SystemExit"),
        (lambda: os._exit(3), "the attempt ended with status 768"),
        (lambda: os.kill(os.getpid(), 9), "the attempt ended with status 9"),
    ],
)
def test_an_attempt_says_what_went_wrong(action: Callable[[], None], message: str) -> None:
    assert libc.attempt(action) == message


def test_an_attempt_changes_nothing_here() -> None:
    before = os.getcwd()
    assert libc.attempt(lambda: os.chdir("/")) == ""
    assert os.getcwd() == before


def test_this_users_own_id_is_in_the_map() -> None:
    for kind, own in (("uid", os.getuid()), ("gid", os.getgid())):
        assert any(first <= own < first + count for first, count in libc.id_map(kind))


def test_a_child_dies_with_its_parent() -> None:
    code = """
import os, time
from grader.sandbox.confinement import libc
if not os.fork():
    libc.die_with_parent()
    os.write(1, b"alive ")
    time.sleep(60)
time.sleep(0.3)
os._exit(0)"""
    assert said(code) == "alive "  # the pipe ends with its last holder, at once


def test_capabilities_cannot_be_had_back(run: Run) -> None:
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
if libc.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(1, 1, 1)) == -1:
    raise OSError(ctypes.get_errno(), "refused")"""
    assert outcome(run(code)).startswith("PermissionError")
