"""Workers whose address space is free, since they may use a GPU, are held to their memory from outside."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace as replaced

import pytest
from msgspec.structs import replace
from support import ENVIRONMENT, OPTIONS, exercise, solution

from grader.batch import grading_processes
from grader.batch.grading_processes import ForkServer
from grader.intake import Source, Submission
from grader.report.report import Report
from grader.sandbox.confinement import memory_watch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

FAT = "held = b'x' * (96 << 20); print('fat', flush=True); import time; time.sleep(60)"
THIN = "print('thin', flush=True); import time; time.sleep(60)"


@pytest.fixture
def both() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Two children, one of which holds 96 MB."""
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for code in (FAT, THIN)]
    assert [child.stdout.readline() for child in started] == [b"fat\n", b"thin\n"]
    yield started
    for child in started:
        child.kill()
        child.wait()
        child.stdout.close()


def test_children_are_seen_with_their_memory(both):
    held = dict(memory_watch.children())
    fat, thin = (held[child.pid] for child in both)
    assert fat > 96 << 20 > thin > 1 << 20
    assert memory_watch.resident() > 1 << 20


def test_threads_may_end_meanwhile():
    looked = threading.Event()

    def come_and_go():
        while not looked.is_set():
            others = [threading.Thread(target=int) for _ in range(20)]
            for other in others:
                other.start()
            for other in others:
                other.join()

    busy = threading.Thread(target=come_and_go)
    busy.start()
    try:
        for _ in range(2000):
            list(memory_watch.children())
    finally:
        looked.set()
        busy.join()


def test_what_takes_too_much_is_ended_until_someone_asks(both, monkeypatch):
    mine = {child.pid for child in both}
    seen = memory_watch.children
    monkeypatch.setattr(memory_watch, "children", lambda: ((pid, held) for pid, held in seen() if pid in mine))
    ours, theirs = socket.socketpair()
    threading.Timer(0.5, ours.send, [b"?"]).start()
    memory_watch.until_asked(theirs, 96 << 20)
    assert theirs.recv(9) == b"?"
    assert both[0].wait(5) == -signal.SIGKILL
    assert both[1].poll() is None
    for end in (ours, theirs):
        end.close()


# With a limit on address space this is a MemoryError; without one, mapping is free and only what is touched counts.
MAPS = """
import mmap
held = mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
"""
TAKES = """
import time
held = []

def scale(x, factor=2.0):
    while True:
        held.append(b"x" * (64 << 20))
        time.sleep(0.02)
"""


@pytest.fixture(scope="module")
def watched(toy):
    """A grading process whose workers may use a GPU, as far as it can tell; and its course asks for 1 GB at most."""
    parent = ForkServer(ENVIRONMENT, confined=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ForkServer, "_card_for", lambda *_: 0)
        small = {"memory_bytes": 256 << 20}
        patch.setattr(grading_processes, "gpu_limits", lambda limits, card: replaced(LIMITS(limits, card), **small))
        process = parent.grading_process(toy, replace(OPTIONS, device="auto", one_worker=True))
    yield process
    process.close()
    parent.close()


LIMITS = grading_processes.gpu_limits


def graded(process, source: str):
    report = process.grade(Submission("s", {"scale": Source(source)}), "", 1)
    return exercise(Report.from_json(report), "scale")


def test_address_space_is_free_and_honest_work_passes(watched):
    found = graded(watched, solution("scale") + MAPS)
    assert found.status == "passed", found.reason


@pytest.mark.slow
def test_a_worker_that_takes_too_much_is_ended_and_the_lane_goes_on(watched):
    found = graded(watched, TAKES)
    reasons = {c.reason.to("en") for c in found.checks}
    assert found.score == 0
    assert any("too much memory" in reason for reason in reasons), reasons
    assert graded(watched, solution("scale")).status == "passed"


def test_without_a_gpu_address_space_is_limited(fork_server, toy):
    process = fork_server.grading_process(toy, replace(OPTIONS, device="auto"))
    found = graded(process, solution("scale") + MAPS)
    process.close()
    assert "memory" in str(found.remarks), found
