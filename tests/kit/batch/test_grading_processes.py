"""Processes: what is started ends, what dies is a machine fault and is replaced, and nothing of it stays."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from support import ENVIRONMENT, OPTIONS, TOY, alive, descendants, solution, wait_until

from grader.batch import grading_processes
from grader.batch.grading_processes import LARGE_PAGES, ForkServer
from grader.course import course as courses
from grader.errors import CourseError, MachineError
from grader.intake import Source, Submission
from grader.report.report import RAN, Report

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

RIGHT = Submission("s1", {i: Source(solution(i)) for i in ("scale", "pair")})
SLOW = Submission("s2", {"scale": Source("def scale(x, factor=2.0):\n    while True: pass\n")})


@pytest.fixture
def own_process(fork_server, toy):
    """A grading process of this test's own, and the processes that belong to it."""
    before = descendants(os.getpid())
    process = fork_server.grading_process(toy, OPTIONS)
    yield process, descendants(os.getpid()) - before
    process.close()


def points(report: str) -> float:
    return Report.from_json(report).score


def test_a_grading_process_grades_one_after_another(own_process):
    process, _ = own_process
    assert [points(process.grade(RIGHT, "", seed)) for seed in range(5)] == [6.0] * 5


def test_a_course_in_a_folder_whose_name_is_not_utf_8(fork_server, tmp_path):
    folder = tmp_path / os.fsdecode(b"\xbf\xce\xb3\xcc")
    shutil.copytree(TOY, folder)
    with closing(fork_server.grading_process(courses.load(folder), OPTIONS)) as process:
        assert points(process.grade(RIGHT, "", 1)) == 6.0
    (folder / "solutions" / "scale.py").unlink()
    process = fork_server.grading_process(courses.load(folder), OPTIONS)
    with closing(process), pytest.raises(CourseError, match=r"\\udcbf.*scale.py: cannot be read"):
        process.grade(RIGHT, "", 1)


CLOCK = "import time\nprint(time.time_ns())\n"


@pytest.mark.parametrize(
    ("prints", "fingerprint", "again"),
    [(CLOCK, "f", False), (CLOCK, "", True), (CLOCK + "import os\nos._exit(1)\n", "f", True)],
    ids=["in a batch", "elsewhere", "not where the end is uncertain"],
)
def test_a_file_that_comes_again_in_a_batch_is_not_run_again(own_process, prints, fingerprint, again):
    process, _ = own_process
    one, other = (
        Report.from_json(process.grade(Submission(s, {"scale": Source(prints + solution("scale"))}), fingerprint, 1))
        for s in ("ann", "bob")
    )
    scale = [e for report in (one, other) for e in report.exercises if e.id == "scale"]
    assert (one.student, other.student) == ("ann", "bob")
    assert scale[0].score == scale[1].score
    assert (scale[0].stdout != scale[1].stdout) == again
    different = Report.from_json(process.grade(Submission("cem", {"scale": Source(CLOCK + prints)}), fingerprint, 1))
    assert different.score == 0


def test_a_grading_process_says_how_it_is_isolated(own_process):
    process, _ = own_process
    report = Report.from_json(process.grade(RIGHT, "", 1))
    assert report.environment.isolation == process.isolation != ()
    assert report.environment.devices == {"cpu": RAN}


@pytest.mark.slow
def test_no_worker_is_left_after_a_submission(own_process):
    process, belonging = own_process
    process.grade(RIGHT, "", 1)
    process.grade(SLOW, "", 1)
    assert wait_until(lambda: not any(map(confined, {p for b in belonging if alive(b) for p in descendants(b)})))


def confined(pid: int) -> bool:
    """Whether it is a worker; the pools that fork them live as long as the grading process."""
    try:
        return "\nSeccomp:\t2\n" in Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return False


def test_a_grading_process_that_is_killed_is_a_machine_fault(own_process):
    process, belonging = own_process
    for pid in belonging:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
    with pytest.raises(
        MachineError, match="the process that grades was ended from outside, most likely because memory"
    ):
        process.grade(RIGHT, "", 1)


def test_a_worker_pool_that_is_killed_is_a_machine_fault(own_process):
    """A fault of ours while grading is never a zero."""
    process, belonging = own_process
    guards = [pid for pid in belonging if descendants(pid)]
    if not guards:
        pytest.skip("without namespaces a worker pool cannot be told from a grading process")
    os.kill(guards[0], signal.SIGKILL)
    with pytest.raises(MachineError, match="worker pool"):
        process.grade(RIGHT, "", 1)


def test_closing_a_grading_process_leaves_no_process(own_process):
    process, belonging = own_process
    assert len(belonging) >= 2
    process.close()
    assert wait_until(lambda: not any(map(alive, belonging)))


def test_closing_a_grading_process_in_the_middle_of_a_call_leaves_no_process(own_process):
    process, belonging = own_process

    def grade():
        with pytest.raises(MachineError):
            process.grade(SLOW, "", 1)

    grading = threading.Thread(target=grade)
    grading.start()
    assert wait_until(lambda: len({p for b in belonging for p in descendants(b)} - belonging) > 0)
    everything = belonging | {p for b in belonging for p in descendants(b)}
    for pid in belonging:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
    grading.join()
    assert wait_until(lambda: not any(map(alive, everything)))


def busy_fork_server(toy) -> tuple[ForkServer, threading.Thread, set[int], int]:
    """A fork server whose grading process waits for a hanging call; all processes below it, and its own pid."""
    before = descendants(os.getpid())
    fork_server = ForkServer(ENVIRONMENT, confined=True)
    (parent,) = descendants(os.getpid()) - before
    process = fork_server.grading_process(toy, OPTIONS)
    idle = descendants(parent)

    def grade():
        with pytest.raises(MachineError):
            process.grade(SLOW, "", 1)
        process.close()

    grading = threading.Thread(target=grade)
    grading.start()
    assert wait_until(lambda: len(descendants(parent)) > len(idle))
    return fork_server, grading, descendants(parent), parent


def test_killing_the_fork_server_leaves_no_process(toy):
    fork_server, grading, below, parent = busy_fork_server(toy)
    os.kill(parent, signal.SIGKILL)
    grading.join(20)
    fork_server.close()
    assert wait_until(lambda: not any(map(alive, below)))


def test_closing_the_fork_server_leaves_no_process(toy):
    fork_server, grading, below, parent = busy_fork_server(toy)
    fork_server.close()
    grading.join(20)
    assert wait_until(lambda: not any(map(alive, {*below, parent})))


def test_closing_at_once_does_not_wait_for_torch():
    """So that a wrong argument is answered at once."""
    started = time.monotonic()
    ForkServer(ENVIRONMENT, confined=True).close()
    assert time.monotonic() - started < 1


def test_a_fork_server_that_cannot_start_says_why(toy, monkeypatch):
    monkeypatch.setattr(grading_processes, "_BOOT", "raise SystemExit('torch is broken here')")
    fork_server = ForkServer(ENVIRONMENT, confined=True)
    with pytest.raises(
        MachineError, match=r"the process that imports torch ended by itself \(torch is broken here\); try"
    ):
        fork_server.grading_process(toy, OPTIONS)
    fork_server.close()


def test_a_suite_that_cannot_be_imported_shows_when_it_is_needed(fork_server, toy_copy):
    (toy_copy / "tests" / "hidden" / "pair.py").write_text("nonsense(\n")
    process = closing(fork_server.grading_process(courses.load(toy_copy), OPTIONS))
    with process as opened, pytest.raises(CourseError, match=r"tests/hidden/pair.py cannot be imported: line"):
        opened.grade(RIGHT, "", 1)


def test_cuda_where_there_is_none(fork_server, toy):
    with pytest.raises(CourseError, match="--device cuda: no CUDA device here"):
        fork_server.grading_process(toy, msgspec.structs.replace(OPTIONS, device="cuda"))


def test_a_broken_suite_is_no_zero(fork_server, toy_copy):
    suite = toy_copy / "tests" / "hidden" / "pair.py"
    suite.write_text(
        suite.read_text(encoding="utf-8").replace("matches_reference.pair(", "1 / 0, matches_reference.pair("),
        encoding="utf-8",
    )
    process = closing(fork_server.grading_process(courses.load(toy_copy), OPTIONS))
    with (
        process as opened,
        pytest.raises(CourseError, match=r"test_values\[cpu\]: line \d+: ZeroDivisionError: division by zero"),
    ):
        opened.grade(RIGHT, "", 1)


def test_a_submission_has_a_limit_over_all_its_exercises(fork_server, toy_copy):
    """Else twelve exercises of half a minute each would hold a grading process for six minutes."""
    text = (toy_copy / "course.yaml").read_text(encoding="utf-8")
    (toy_copy / "course.yaml").write_text(
        text.replace("limits:", "limits:\n  submission_seconds: 0.5"), encoding="utf-8"
    )
    process = fork_server.grading_process(courses.load(toy_copy), OPTIONS)
    report = Report.from_json(process.grade(Submission("s1", {**RIGHT.sources, **SLOW.sources}), "", 1))
    process.close()
    said = report.exercises[1].reason.to("en")
    assert said == "not run: the exercises before it took the 0.5 s that a submission may take"
    assert {c.verdict for c in report.exercises[1].checks} == {"timeout"}


def test_the_grading_processes_see_no_environment_but_what_is_passed(own_process, monkeypatch):
    """The fork server was started with ENVIRONMENT alone, whatever this process has."""
    _, belonging = own_process
    for pid in filter(alive, belonging):
        with open(f"/proc/{pid}/environ", "rb") as file:
            names = {entry.split(b"=")[0].decode() for entry in file.read().split(b"\0") if entry}
        assert names <= {*ENVIRONMENT, *LARGE_PAGES}
