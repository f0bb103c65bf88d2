"""Processes: what is started ends, what dies is a machine fault and is replaced, and nothing of it stays."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import closing

import pytest
from conftest import ENVIRONMENT, OPTIONS, alive, descendants, solution, wait_until

from grader import course as courses
from grader import lanes
from grader.batch import Lanes
from grader.errors import CourseError, MachineError
from grader.lanes import LARGE_PAGES, Warm
from grader.report import Report
from grader.submission import Source, Submission

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the warm parent is Linux only")

RIGHT = Submission("s1", {i: Source(solution(i)) for i in ("scale", "pair")})
SLOW = Submission("s2", {"scale": Source("def scale(x, factor=2.0):\n    while True: pass\n")})


@pytest.fixture
def own_lane(warm, toy):
    """A lane of this test's own, and the processes that belong to it."""
    before = descendants(os.getpid())
    lane = warm.lane(toy, OPTIONS)
    yield lane, descendants(os.getpid()) - before
    lane.close()


def points(report: str) -> float:
    return Report.from_json(report).score


def test_a_lane_grades_one_after_another(own_lane):
    lane, _ = own_lane
    assert [points(lane.grade(RIGHT, "", seed)) for seed in range(5)] == [6.0] * 5


CLOCK = "import time\nprint(time.time_ns())\n"


@pytest.mark.parametrize(
    ("prints", "fingerprint", "again"),
    [(CLOCK, "f", False), (CLOCK, "", True), (CLOCK + "import os\nos._exit(1)\n", "f", True)],
    ids=["in a batch", "elsewhere", "not where the end is uncertain"],
)
def test_a_file_that_comes_again_in_a_batch_is_not_run_again(own_lane, prints, fingerprint, again):
    lane, _ = own_lane
    one, other = (
        Report.from_json(lane.grade(Submission(s, {"scale": Source(prints + solution("scale"))}), fingerprint, 1))
        for s in ("ann", "bob")
    )
    scale = [e for report in (one, other) for e in report.exercises if e.id == "scale"]
    assert (one.student, other.student) == ("ann", "bob")
    assert scale[0].score == scale[1].score
    assert (scale[0].stdout != scale[1].stdout) == again
    different = Report.from_json(lane.grade(Submission("cem", {"scale": Source(CLOCK + prints)}), fingerprint, 1))
    assert different.score == 0


def test_a_lane_says_how_it_is_isolated(own_lane):
    lane, _ = own_lane
    report = Report.from_json(lane.grade(RIGHT, "", 1))
    assert report.environment.isolation == lane.isolation != ()
    assert report.environment.devices == {"cpu": "ran"}


def test_no_worker_is_left_after_a_submission(own_lane):
    lane, belonging = own_lane
    lane.grade(RIGHT, "", 1)
    lane.grade(SLOW, "", 1)
    assert wait_until(lambda: not {p for b in belonging if alive(b) for p in descendants(b)} - belonging)


def test_a_lane_that_is_killed_is_a_machine_fault(own_lane):
    lane, belonging = own_lane
    for pid in belonging:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
    with pytest.raises(MachineError, match=r"the grading process was lost \(PeerGone\)"):
        lane.grade(RIGHT, "", 1)


def test_a_nursery_that_is_killed_is_a_machine_fault(own_lane):
    """A fault of ours while grading is never a zero."""
    lane, belonging = own_lane
    guards = [pid for pid in belonging if descendants(pid)]
    if not guards:
        pytest.skip("without namespaces a nursery cannot be told from a lane")
    os.kill(guards[0], signal.SIGKILL)
    with pytest.raises(MachineError, match="nursery"):
        lane.grade(RIGHT, "", 1)


def test_closing_a_lane_leaves_no_process(own_lane):
    lane, belonging = own_lane
    assert len(belonging) >= 2
    lane.close()
    assert wait_until(lambda: not any(map(alive, belonging)))


def test_closing_a_lane_in_the_middle_of_a_call_leaves_no_process(own_lane):
    lane, belonging = own_lane

    def grade():
        with pytest.raises(MachineError):
            lane.grade(SLOW, "", 1)

    grading = threading.Thread(target=grade)
    grading.start()
    assert wait_until(lambda: len({p for b in belonging for p in descendants(b)} - belonging) > 0)
    everything = belonging | {p for b in belonging for p in descendants(b)}
    for pid in belonging:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
    grading.join()
    assert wait_until(lambda: not any(map(alive, everything)))


def busy_warm(toy) -> tuple[Warm, threading.Thread, set[int], int]:
    """A warm parent whose lane waits for a hanging call; all processes below, and the parent's own pid."""
    before = descendants(os.getpid())
    warm = Warm(ENVIRONMENT, confined=True)
    (parent,) = descendants(os.getpid()) - before
    lane = warm.lane(toy, OPTIONS)
    idle = descendants(parent)

    def grade():
        with pytest.raises(MachineError):
            lane.grade(SLOW, "", 1)
        lane.close()

    grading = threading.Thread(target=grade)
    grading.start()
    assert wait_until(lambda: len(descendants(parent)) > len(idle))
    return warm, grading, descendants(parent), parent


def test_killing_the_warm_parent_leaves_no_process(toy):
    warm, grading, below, parent = busy_warm(toy)
    os.kill(parent, signal.SIGKILL)
    grading.join(20)
    warm.close()
    assert wait_until(lambda: not any(map(alive, below)))


def test_closing_the_warm_parent_leaves_no_process(toy):
    warm, grading, below, parent = busy_warm(toy)
    warm.close()
    grading.join(20)
    assert wait_until(lambda: not any(map(alive, {*below, parent})))


def test_closing_at_once_does_not_wait_for_torch():
    """So that a wrong argument is answered at once."""
    started = time.monotonic()
    Warm(ENVIRONMENT, confined=True).close()
    assert time.monotonic() - started < 1


def test_a_parent_that_cannot_start_says_why(toy, monkeypatch):
    monkeypatch.setattr(lanes, "_BOOT", "raise SystemExit('torch is broken here')")
    warm = Warm(ENVIRONMENT, confined=True)
    with pytest.raises(MachineError, match="the process that imports torch did not start: torch is broken here"):
        warm.lane(toy, OPTIONS)
    warm.close()


def test_a_suite_that_cannot_be_imported_shows_when_it_is_needed(warm, toy_copy):
    (toy_copy / "tests" / "hidden" / "pair.py").write_text("nonsense(\n")
    lane = closing(warm.lane(courses.load(toy_copy), OPTIONS))
    with lane as opened, pytest.raises(CourseError, match=r"(?s)a hidden suite cannot be imported.*pair.py"):
        opened.grade(RIGHT, "", 1)


def test_cuda_where_there_is_none(warm, toy):
    with pytest.raises(CourseError, match="--device cuda: no CUDA device here"):
        warm.lane(toy, {**OPTIONS, "device": "cuda"})


def test_a_broken_suite_is_no_zero(warm, toy_copy):
    suite = toy_copy / "tests" / "hidden" / "pair.py"
    suite.write_text(suite.read_text(encoding="utf-8").replace("golden.pair(", "1 / 0, golden.pair("), encoding="utf-8")
    lane = closing(warm.lane(courses.load(toy_copy), OPTIONS))
    with lane as opened, pytest.raises(CourseError, match=r"test_values\[cpu\]: ZeroDivisionError: division by zero"):
        opened.grade(RIGHT, "", 1)


def test_a_submission_has_a_limit_over_all_its_exercises(warm, toy_copy):
    """Else twelve exercises of half a minute each would hold a lane for six minutes."""
    text = (toy_copy / "course.yaml").read_text(encoding="utf-8")
    (toy_copy / "course.yaml").write_text(
        text.replace("limits:", "limits:\n  submission_seconds: 0.5"), encoding="utf-8"
    )
    lane = warm.lane(courses.load(toy_copy), OPTIONS)
    report = Report.from_json(lane.grade(Submission("s1", {**RIGHT.sources, **SLOW.sources}), "", 1))
    lane.close()
    assert report.exercises[1].reason == ("not run: the exercises before it took the 0.5 s that a submission may take")
    assert {c.verdict for c in report.exercises[1].checks} == {"timeout"}


def test_a_failing_lane_is_replaced_once(warm, toy):
    """The submission in hand is graded all the same, on a fresh lane."""
    pool = Lanes(warm, toy, OPTIONS, 1)
    before = descendants(os.getpid())
    pool.open_one()
    for pid in descendants(os.getpid()) - before:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
    assert points(pool.grade(RIGHT, "", 1)) == 6.0
    assert points(pool.grade(RIGHT, "", 1)) == 6.0
    pool.close()


def test_lanes_started_together(warm, toy):
    """Four threads ask one parent for a lane at the same moment."""
    pool = Lanes(warm, toy, OPTIONS, 4)
    scores = []
    threads = [threading.Thread(target=lambda: scores.append(points(pool.grade(RIGHT, "", 1)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pool.close()
    assert scores == [6.0] * 8


def test_as_many_lanes_as_cores_keep_to_one_each(warm, toy):
    before = descendants(os.getpid())
    available = os.sched_getaffinity(0)
    for count in (len(available), len(available) + 1):
        pool = Lanes(warm, toy, OPTIONS, count)
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


def test_the_grading_processes_see_no_environment_but_what_is_passed(own_lane, monkeypatch):
    """The warm parent was started with ENVIRONMENT alone, whatever this process has."""
    _, belonging = own_lane
    for pid in filter(alive, belonging):
        with open(f"/proc/{pid}/environ", "rb") as file:
            names = {entry.split(b"=")[0].decode() for entry in file.read().split(b"\0") if entry}
        assert names <= {*ENVIRONMENT, *LARGE_PAGES}
