"""Landlock: no file but those named, no other right."""

from __future__ import annotations

import errno
import socket
import sys
from pathlib import Path

import pytest
from confined import ROOT, Run, outcome, said

from grader.sandbox.confinement import landlock

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux only")


ALONE = """
import os, socket, sys
from grader.sandbox.confinement import landlock, libc
def tried(action):
    try: return action()
    except OSError as error: return type(error).__name__
def confined(readable, writable=()):
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(landlock.build(readable, writable), quiet=landlock.version() >= 7)
"""


def test_it_leaves_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    """Landlock alone, without the other layers."""
    for name in ("readable/inside", "outside", "writable"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    code = (
        ALONE
        + f"""
os.chdir({str(tmp_path)!r})
confined(["readable"], ["writable"])
print(open("readable/inside").read(), os.listdir("readable"))
with open("writable", "r+") as file: print(file.write("changed"))
for action in (
    lambda: open("outside").read(), lambda: os.listdir("."), lambda: open("readable/inside", "a"),
    lambda: open("readable/new", "w"), lambda: os.mkdir("readable/new"), lambda: os.unlink("readable/inside"),
    lambda: os.rename("readable/inside", "readable/other"), lambda: os.symlink("outside", "readable/link"),
):
    print(tried(action))"""
    )
    assert said(code).splitlines() == ["readable/inside ['inside']", "7", *["PermissionError"] * 8]
    assert (tmp_path / "writable").read_text() == "changede"


def test_it_holds_for_what_is_started_from_there() -> None:
    code = (
        ALONE
        + """
confined(["/usr"])
if not os.fork():
    os.write(1, tried(lambda: os.listdir("/")).encode())
    os._exit(0)
os.wait()"""
    )
    assert said(code) == "PermissionError"


def test_it_keeps_from_the_network_where_the_kernel_can() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        code = (
            ALONE
            + f"""
confined(["/usr"])
print(landlock.version(), tried(lambda: socket.create_connection({address!r}, 1) and "reached"))"""
        )
        version, outcome = said(code).split()
    assert outcome == ("PermissionError" if int(version) >= 4 else "reached")


FORBIDDEN = {
    "write in /tmp": "open('/tmp/student', 'w')",
    "append to torch": "import torch; open(torch.__file__, 'a')",
    "write to a readable device": "open('/dev/urandom', 'wb')",
    "read the users": "open('/etc/passwd').read()",
    "read the environment": "open('/proc/self/environ').read()",
    "read the parent's memory": "open(f'/proc/{PARENT}/mem', 'rb').read(1)",
    "read the grader": f"open({str(ROOT / 'grader' / 'sandbox' / 'confinement' / 'layers.py')!r}).read()",
    "read these tests": f"open({__file__!r}).read()",
    "list the course": f"import os; os.listdir({str(ROOT)!r})",
    "list /": "import os; os.listdir('/')",
    "list where it is": "import os; os.listdir('.')",
}


@pytest.mark.parametrize("code", FORBIDDEN.values(), ids=FORBIDDEN)
def test_is_refused_with_an_ordinary_exception(run: Run, code: str) -> None:
    answer = run(code)
    assert (outcome(answer).split(":")[0], answer["status"]) == ("PermissionError", 0)


def test_a_missing_path_is_an_error_not_a_gap() -> None:
    code = """
from grader.sandbox.confinement import layers
try: layers.prepare(layers.ProcessLimits(1, 1), ["/none"])
except OSError as error: print(error)"""
    assert "/none" in said(code)


MISSING = {
    "switched off": (errno.EOPNOTSUPP, "6.1.0-13-amd64", "add lsm=landlock,yama,apparmor to GRUB_CMDLINE_LINUX"),
    "an old kernel": (errno.ENOSYS, "5.4.0-150-generic", "kernel 5.4.0-150-generic is too old: install 5.13 or newer"),
    "not built in": (errno.ENOSYS, "6.8.0", "built without Landlock, or the container keeps it out: use Docker 23"),
    "kept out": (errno.EPERM, "5.15.0", "or the container keeps it out"),
}


@pytest.mark.parametrize("case", MISSING)
def test_what_to_do_where_it_is_missing(case: str) -> None:
    number, kernel, said = MISSING[case]
    assert said in landlock._missing(number, kernel, "yama,apparmor")


def test_what_to_do_names_another_machine_too() -> None:
    assert "Debian 12" in landlock.remedy()
