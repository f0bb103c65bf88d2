"""What a process did with its time, as the kernel tells it."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from grader.sandbox.processes import processor_time
from grader.sandbox.processes.processor_time import Times

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not say")


def test_computing_waiting_and_sleeping_are_told_apart() -> None:
    """Two that share one core compute half of the time and wait for the other half; one that sleeps does neither."""
    busy = f"import os; os.sched_setaffinity(0, {{{min(os.sched_getaffinity(0))}}})\nwhile True: pass"
    children = [
        subprocess.Popen([sys.executable, "-S", "-c", code]) for code in (busy, busy, "import time; time.sleep(60)")
    ]
    time.sleep(1.5)
    *both, asleep = [processor_time.of(child.pid) for child in children]
    for child in children:
        child.kill()
        child.wait()
    assert sum(t.waited for t in both) > 0.5
    assert 0.1 < sum(t.computed for t in both) < 3
    assert (asleep.waited < 0.5, asleep.computed < 0.5) == (True, True)
    assert processor_time.of(children[0].pid) == Times()


def test_all_threads_count_and_the_dead_until_somebody_asked_how_they_died() -> None:
    code = (
        "import threading, time, hashlib\ndef work():\n    end = time.thread_time() + 0.2\n"
        "    while time.thread_time() < end: pass\n"
        "threads = [threading.Thread(target=work) for _ in range(2)]\n[t.start() for t in threads]"
    )
    child = subprocess.Popen([sys.executable, "-S", "-c", code])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert processor_time.of(child.pid).computed >= 0.4
    child.wait()


def test_what_this_thread_waited_itself() -> None:
    first = processor_time.own_wait()
    assert first >= 0
    assert processor_time.own_wait() >= first
