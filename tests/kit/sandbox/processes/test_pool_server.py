"""The pool's own tools: how a child ended, and that nothing of the kit is left to import."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from support import ROOT, alive

from grader.sandbox.processes.fork_messages import Exited
from grader.sandbox.processes.pool_server import exited, run_and_exit

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


@pytest.mark.parametrize(
    ("code", "status"), [("raise SystemExit(3)", 3), ("pass", 0), ("import os; os.kill(os.getpid(), 11)", -11)]
)
def test_how_a_child_ended(code: str, status: int) -> None:
    child = subprocess.Popen([sys.executable, "-S", "-c", code])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    ended = exited(child.pid)
    assert (ended.code, ended.outside, ended.held > 1 << 20) == (status, False, True)
    child.returncode = status  # reaped behind its back


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_child_that_somebody_ended(number: int) -> None:
    child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    child.send_signal(number)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    ended = exited(child.pid, 1.0)
    assert (ended.code, ended.outside) == (-number, True)
    child.returncode = -number


def test_a_child_that_was_killed_for_what_it_held_is_not_ended_from_outside() -> None:
    child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not exited(child.pid, over_memory=True).outside
    child.returncode = -signal.SIGKILL


def test_who_ignores_that_the_processor_time_is_over_is_killed_for_that() -> None:
    """The kernel sends SIGXCPU, which can be ignored, and a second later SIGKILL."""
    code = (
        "import resource, signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (1, 2))\nwhile True: pass"
    )
    child = subprocess.Popen([sys.executable, "-S", "-c", code])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert exited(child.pid, 1.0) == Exited(-signal.SIGXCPU)
    child.returncode = -signal.SIGKILL


def test_a_child_that_goes_on_is_killed_soon() -> None:
    child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    started = time.monotonic()
    assert exited(child.pid) == Exited(None)
    assert time.monotonic() - started < 5
    assert not alive(child.pid)
    child.returncode = -signal.SIGKILL


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [("print", 0, ""), ("lambda: 1 / 0", 1, "ZeroDivisionError"), ("lambda: sys.exit(7)", 1, "SystemExit")],
)
def test_a_forked_child_never_returns(body: str, status: int, said: str) -> None:
    code = f"import sys; from {run_and_exit.__module__} import run_and_exit\nrun_and_exit({body}); print('came back')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == status
    assert said in done.stderr
    assert "came back" not in done.stdout


def test_the_kit_is_taken_off_the_path() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom grader.sandbox.processes.pool_server import hide_kit\n"
        "hide_kit()\n"
        f"print({str(ROOT)!r} in sys.path)"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, cwd="/")
    assert done.stdout == "False\n", done.stderr
