"""Namespaces: the child is process 1 of its own, a guard stays behind, and all end together."""

from __future__ import annotations

import os
import socket
import sys

import pytest
from confined import finish, said, start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux only")


def test_a_network_of_its_own_reaches_nobody() -> None:
    """The namespaces alone, without the other layers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"""
import socket
from grader.sandbox.confinement import namespaces
entered = namespaces.unshare()
try: reached = bool(socket.create_connection({server.getsockname()!r}, 1))
except OSError: reached = False
print("net" in entered, reached)"""
        entered, reached = said(code).split()
    assert entered != reached


def test_the_users_of_the_machine_keep_their_numbers() -> None:
    """In a user namespace of its own a process is still who it was."""
    code = """
import os
from grader.sandbox.confinement import namespaces
before = os.getuid(), os.getgid()
namespaces.unshare()
print(before == (os.getuid(), os.getgid()))"""
    assert said(code) == "True\n"


ENTER = (
    "import os, signal, sys, time\nfrom grader.sandbox.confinement import layers, namespaces\n"
    "entered = layers.enter_namespaces()\n"
)


def test_the_child_is_process_one_and_keeps_its_descriptors() -> None:
    reading, writing = os.pipe()
    code = ENTER + f"os.write({writing}, repr((entered, os.getpid())).encode())"
    finish(start(code, pass_fds=[writing]))
    os.close(writing)
    with os.fdopen(reading) as pipe:
        layers, pid = eval(pipe.read())  # our own text
    assert pid == 1 if layers else pid > 1


@pytest.mark.parametrize(
    ("end", "status"),
    [("sys.exit(7)", 7), ("pass", 0), ("namespaces._die_of(signal.SIGSEGV)", None)],
)
def test_the_guard_ends_as_the_child_did(end: str, status: int | None) -> None:
    program = start(ENTER + end)
    finish(program)
    assert program.returncode != 0 if status is None else program.returncode == status


STAY = (
    ENTER
    + """
plan = layers.prepare(layers.ProcessLimits(1 << 28, 60), layers.default_readable())
if not os.fork():
    layers.confine(plan)
    os.write(1, b"worker\\n")
time.sleep(60)"""
)


def test_all_die_with_the_guard() -> None:
    guard = start(STAY)
    assert guard.stdout
    assert guard.stdout.readline() == "worker\n"
    guard.kill()
    assert finish(guard) == ""


def test_all_die_with_the_grader() -> None:
    grader = start(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {STAY!r}])")
    assert grader.stdout
    assert grader.stdout.readline() == "worker\n"
    grader.kill()
    assert finish(grader) == ""
