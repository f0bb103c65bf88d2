"""A pool of grading processes: one that fails is replaced, several start together, each keeps to its core."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest
from support import OPTIONS, alive, descendants, solution, wait_until

from grader.batch import GradingPool
from grader.errors import MachineError
from grader.intake import Source, Submission
from grader.report import Report

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

RIGHT = Submission("s1", {i: Source(solution(i)) for i in ("scale", "pair")})


def points(report: str) -> float:
    return Report.from_json(report).score


def test_a_failing_grading_process_is_replaced_once(fork_server, toy):
    """The submission in hand is graded all the same, on a fresh grading process."""
    pool = GradingPool(fork_server, toy, OPTIONS, 1)
    before = descendants(os.getpid())
    pool.open_one()
    for pid in descendants(os.getpid()) - before:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
    assert points(pool.grade(RIGHT, "", 1)) == 6.0
    assert points(pool.grade(RIGHT, "", 1)) == 6.0
    pool.close()


def test_an_abandoned_pool_ends_what_it_grades(fork_server, toy):
    pool = GradingPool(fork_server, toy, OPTIONS, 1)
    pool.open_one()
    ended = threading.Timer(0.5, pool.abandon)
    ended.start()
    with pytest.raises(MachineError, match="stopped before it was graded"):
        pool.grade(Submission("s2", {"scale": Source("def scale(x, factor=2.0):\n    while True: pass\n")}), "", 1)
    with pytest.raises(MachineError, match="stopped before it was graded"):
        pool.grade(RIGHT, "", 1)
    pool.close()


def test_grading_processes_started_together(fork_server, toy):
    """Four threads ask one fork server for a grading process at the same moment."""
    pool = GradingPool(fork_server, toy, OPTIONS, 4)
    scores = []
    threads = [threading.Thread(target=lambda: scores.append(points(pool.grade(RIGHT, "", 1)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pool.close()
    assert scores == [6.0] * 8


def test_as_many_grading_processes_as_cores_keep_to_one_each(fork_server, toy):
    before = descendants(os.getpid())
    available = os.sched_getaffinity(0)
    for count in (len(available), len(available) + 1):
        pool = GradingPool(fork_server, toy, OPTIONS, count)
        threads = [threading.Thread(target=pool.grade, args=(RIGHT, "", 1)) for _ in range(2 * count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kept = {frozenset(os.sched_getaffinity(pid)) for pid in descendants(os.getpid()) - before if alive(pid)}
        pool.close()
        assert kept == (
            {frozenset({core}) for core in available} if count == len(available) else {frozenset(available)}
        )
        assert wait_until(lambda: descendants(os.getpid()) <= before)
