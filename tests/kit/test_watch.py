"""Workers whose address space is free, since they may use a GPU, are held to their memory from outside."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import ENVIRONMENT, OPTIONS, exercise, solution

from grader import lanes
from grader.lanes import Warm
from grader.report import Report
from grader.submission import Source, Submission

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the warm parent is Linux only")

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
    """A lane whose workers may use a GPU, as far as it can tell; and its course asks for 1 GB at most."""
    parent = Warm(ENVIRONMENT, confined=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lanes, "DRIVER", Path("/dev/null"))
        patch.setattr(lanes, "worker_limits", lambda limits, _: {**LIMITS(limits, True), "memory_bytes": 256 << 20})
        lane = parent.lane(toy, {**OPTIONS, "device": "auto"})
    yield lane
    lane.close()
    parent.close()


LIMITS = lanes.worker_limits


def graded(lane, source: str):
    report = lane.grade(Submission("s", {"scale": Source(source)}), "", 1)
    return exercise(Report.from_json(report), "scale")


def test_address_space_is_free_and_honest_work_passes(watched):
    found = graded(watched, solution("scale") + MAPS)
    assert found.status == "passed", found.reason


def test_a_worker_that_takes_too_much_is_ended_and_the_lane_goes_on(watched):
    found = graded(watched, TAKES)
    reasons = {c.reason for c in found.checks}
    assert found.score == 0
    assert any("too much memory" in reason for reason in reasons), reasons
    assert graded(watched, solution("scale")).status == "passed"


def test_without_a_gpu_address_space_is_limited(warm, toy):
    lane = warm.lane(toy, {**OPTIONS, "device": "auto"})
    found = graded(lane, solution("scale") + MAPS)
    lane.close()
    assert "memory" in str(found.reason)
