"""The way of macOS and Windows, taken here: a process for each role, nothing forked, nothing confined."""

from __future__ import annotations

import math
import os
import sys
import threading

import pytest
import torch
from msgspec.structs import replace
from support import ENVIRONMENT, OPTIONS, alive, check, descendants, exercise, solution, wait_until

from grader.batch import grading_processes
from grader.batch.grading_processes import ForkServer
from grader.course import Limits
from grader.errors import MachineError
from grader.grading.process import WORKER
from grader.intake import Source, Submission
from grader.report.report import Report
from grader.sandbox.processes import SpawnedWorkerPool, portable
from grader.suites.student import LoadFailed, StudentCode, StudentFile, growth
from grader.suites.target import Call, NoAnswer

pytestmark = pytest.mark.slow

SOURCE = """
import os, sys
print("hello")
def double(x): return 2 * x
def die(): os._exit(3)
def hang():
    while True: pass
"""


@pytest.fixture
def target():
    made = []

    def make(source):
        pool = SpawnedWorkerPool(WORKER, ENVIRONMENT)
        made.append(StudentCode(pool, StudentFile("work", source), Limits(call_seconds=2.0), 60.0))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_calls_crashes_and_hangs(target):
    """One worker after another: each is a process of its own and takes seconds to start."""
    student = target(SOURCE)
    student.load()
    assert student.call(Call("double", (21,))).value == 42
    with pytest.raises(NoAnswer) as died:
        student.call(Call("die", ()))
    assert (died.value.verdict, died.value.reason.to("en")) == ("crashed", "the code ended its process (exit code 3)")
    with pytest.raises(NoAnswer) as hung:
        student.call(Call("hang", ()))
    assert (hung.value.verdict, hung.value.reason.to("en")) == (
        "timeout",
        "took longer than 2 s and was stopped, in the loop on line 7, `while True: pass`",
    )
    assert student.link.printed == "hello\nhello\n"


def test_where_a_brief_call_took_too_long_no_longer_one_is_made(target):
    student = target("def wait(n):\n    while n > 100: pass\n    return n\n")
    student.load()
    for n in (200, 300):
        with pytest.raises(NoAnswer) as hung:
            student.call(Call("wait", (n,), brief=True))
        assert hung.value.verdict == "timeout"
        assert not student.link.alive  # the second call started no worker
        assert hung.value.slow
    assert student.call(Call("wait", (50,), brief=True)).value == 50


def test_a_brief_call_hangs_where_smaller_ones_show_that_it_would_have_ended(target):
    student = target("def wait(n):\n    while n > 150: pass\n    return n\n")
    student.load()
    assert student.call(Call("wait", (129,))).value == 129
    for n in (300, 400):
        with pytest.raises(NoAnswer) as hung:
            student.call(Call("wait", (n,), brief=True))
        assert not hung.value.slow
        said = "took longer than 1 s and was stopped, in the loop on line 2, `while n > 150: pass`"
        assert (hung.value.verdict, hung.value.reason.to("en")) == ("timeout", said)


def test_what_a_cache_held_once_says_nothing_of_how_long_honest_code_takes(target):
    student = target(
        "import time\ndef wait(n, known):\n    time.sleep(0 if known else n**2 / 9e4 * 1.5)\n    return n\n"
    )
    student.load()
    for known in (False, True):
        student.call(Call("wait", (100, known)))
    with pytest.raises(NoAnswer) as slow:
        student.call(Call("wait", (300, False), brief=True))
    assert slow.value.slow


def test_what_is_refused_at_once_says_nothing_of_how_long_honest_code_takes(target):
    source = (
        "import time\ndef wait(n, right):\n    if not right: raise ValueError\n    time.sleep(n / 200)\n    return n\n"
    )
    student = target(source)
    student.load()
    assert student.call(Call("wait", (300, False))).raised
    with pytest.raises(NoAnswer) as slow:
        student.call(Call("wait", (300, True), brief=True))
    assert slow.value.slow


def test_how_much_larger_a_call_is():
    small = Call("f", (torch.zeros(3, 129), 4), {"dim": -1})
    assert growth(small, Call("f", (torch.zeros(3, 300), 4), {"dim": -1})) == 300 / 129
    assert growth(small, Call("f", (torch.zeros(3, 129), 12), {"dim": -1})) == 3
    assert growth(small, Call("f", (torch.zeros(1, 2), 4), {"dim": -1})) == 1
    assert growth(small, Call("f", (torch.zeros(2, 3, 129), 4), {"dim": -1})) == math.inf


def test_a_file_that_cannot_be_imported(target):
    with pytest.raises(LoadFailed) as failed:
        target("def f(:\n").load()
    assert failed.value.reason.to("en").startswith("SyntaxError in work.py, line 1, column ")


def test_grading_where_nothing_can_be_forked(toy, monkeypatch):
    before = descendants(os.getpid()) if sys.platform == "linux" else set()
    monkeypatch.setattr(grading_processes.sys, "platform", "darwin")
    fork_server = ForkServer(ENVIRONMENT, confined=True)
    monkeypatch.undo()
    process = fork_server.grading_process(toy, replace(OPTIONS, only=("pair",)))
    assert process.isolation == ()
    submission = Submission("s1", {"pair": Source("print('hi')\n" + solution("pair"))})
    found = exercise(Report.from_json(process.grade(submission, "", 1)), "pair")
    assert (found.status, found.score, found.stdout) == ("passed", 2.0, "hi\n")
    assert check(found, "test_law").verdict == "passed"
    started = descendants(os.getpid()) - before if sys.platform == "linux" else set()
    process.close()
    fork_server.close()
    assert wait_until(lambda: not any(map(alive, started)))


def test_a_process_that_does_not_start(monkeypatch):
    monkeypatch.setattr(portable, "_BOOT", "raise SystemExit(1)")
    with pytest.raises(MachineError, match=f"a process for {WORKER} did not start; try `.* -c 'import torch'`"):
        portable.start(WORKER, None, ENVIRONMENT)


STRANGER = """
import socket, sys
token, port = sys.stdin.buffer.readline().split()
sock = socket.create_connection(("127.0.0.1", int(port)))
sock.sendall(b"x" * 32)
print("answered", sock.recv(1), flush=True)
"""


def test_a_stranger_on_the_port_is_turned_away(monkeypatch, tmp_path):
    """Whoever connects without the token is not taken for the process that was started."""
    monkeypatch.setattr(portable, "_BOOT", STRANGER)
    with (
        open(tmp_path / "said", "w+") as output,
        pytest.raises(MachineError, match="did not start"),
    ):
        portable.start(WORKER, output.fileno(), ENVIRONMENT)
    assert (tmp_path / "said").read_text() == "answered b''\n"


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_nothing_outlives_a_grading_process(toy, monkeypatch):
    """A grading process that is ended while a student's code hangs takes the worker with it, and the one made ready."""
    before = descendants(os.getpid())
    monkeypatch.setattr(grading_processes.sys, "platform", "darwin")
    fork_server = ForkServer(ENVIRONMENT, confined=True)
    monkeypatch.undo()
    process = fork_server.grading_process(toy, replace(OPTIONS, only=("pair",)))
    submission = Submission("s1", {"pair": Source("def pair(x):\n    while True: pass\n")})

    def ask():
        with pytest.raises(MachineError):
            process.grade(submission, "", 1)

    grading = threading.Thread(target=ask)
    grading.start()
    grading_worker_next = 3
    assert wait_until(lambda: len(descendants(os.getpid()) - before) >= grading_worker_next)
    started = descendants(os.getpid()) - before
    process.abandon()
    grading.join()
    process.close()
    fork_server.close()
    assert wait_until(lambda: not any(map(alive, started)))


def test_the_next_worker_is_made_ready():
    worker_pool = SpawnedWorkerPool(WORKER, ENVIRONMENT, ahead=True)
    first, second = worker_pool.start(), worker_pool.start()
    third = worker_pool._next.result()
    try:
        for worker in (first, second, third):
            worker.wait_until_ready()
    finally:
        for worker in (first, second, third):
            worker.end()
