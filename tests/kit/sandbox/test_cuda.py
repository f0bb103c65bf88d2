"""On a real card: the same verdicts as on the CPU, the same wall, memory that is bounded. `make cuda` runs these.

Nothing here has run so far: no GPU was at hand.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from msgspec.structs import replace
from support import ENVIRONMENT, OPTIONS, TOY, check, exercise, solution
from world import ATTACKS, World, grade, hand_in, make_world

from grader.batch.grading_processes import ForkServer, GradingProcess
from grader.course import course as courses
from grader.intake import Source, Submission
from grader.report.report import Report

pytestmark = [
    pytest.mark.cuda,
    pytest.mark.skipif(sys.platform != "linux" or not torch.cuda.is_available(), reason="needs a CUDA device"),
]


def on_both(toy: Path) -> Path:
    """The toy course with CUDA, its limits wide enough for a context."""
    text = (toy / "course.yaml").read_text(encoding="utf-8")
    text = text.replace("devices: [cpu]", "devices: [cpu, cuda]").replace("exercise_seconds: 4", "exercise_seconds: 20")
    text = re.sub(r"  memory_mb: \d+", "  memory_mb: 4096\n  gpu_memory_mb: 2048", text)
    (toy / "course.yaml").write_text(text, encoding="utf-8")
    return toy


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GradingProcess]:
    place = shutil.copytree(TOY, tmp_path_factory.mktemp("cuda") / "toy")
    server = ForkServer(ENVIRONMENT, confined=True)
    opened = server.grading_process(courses.load(on_both(Path(place))), replace(OPTIONS, device="cuda"))
    yield opened
    opened.close()
    server.close()


def graded(process: GradingProcess, **sources: str) -> Report:
    submission = Submission("s", {name: Source(text) for name, text in sources.items()})
    return Report.from_json(process.grade(submission, "", 1))


def scale(process: GradingProcess, body: str):
    """A file that is right on the CPU and does `body` on CUDA."""
    source = f"import torch\n{solution('scale')}\nright = scale\n"
    source += f"def scale(x, factor=2.0):\n    if x.is_cuda:\n{body}\n    return right(x, factor)\n"
    return exercise(graded(process, scale=source), "scale")


def test_the_solutions_score_full_on_both(process):
    report = graded(process, scale=solution("scale"), pair=solution("pair"))
    assert report.environment.devices == {"cpu": "ran", "cuda": "ran"}
    assert {"landlock", "seccomp", "rlimits"} <= set(report.environment.isolation)
    assert report.score == report.max_score == 6.0
    assert {c.cuda for e in report.exercises for c in e.checks} == {"passed"}


def test_what_breaks_on_a_gpu_is_found_there(process):
    found = scale(process, "        return right(x, factor) + torch.ones(x.shape)")
    assert {c.cuda for c in found.checks if c.verdict == "failed"} == {"failed"}
    assert "on CUDA: " in found.reason.to("en")


REFUSED = {
    "a file of the machine": "open('/etc/passwd').read()",
    "the grader's own": f"open({__file__!r}).read()",
    "another device": "open('/dev/tty', 'r+b')",
    "a process": "__import__('os').fork()",
    "a connection": "__import__('socket').create_connection(('127.0.0.1', 22))",
    "another process's memory": "open('/proc/1/mem', 'rb')",
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_worker_on_the_card_is_confined_as_any_other(process, what):
    tries = f"        try: {REFUSED[what]}\n        except OSError: pass\n        else: return None"
    assert scale(process, tries).status == "passed"


def test_tf32_is_off(process):
    assert scale(process, "        assert not torch.backends.cuda.matmul.allow_tf32").status == "passed"


def test_who_holds_too_much_memory_is_ended(process):
    holds = "        global kept; kept = torch.ones(3 << 30, dtype=torch.uint8, device='cuda')\n"
    holds += "        torch.cuda.synchronize(); import time; time.sleep(1)"
    found = check(scale(process, holds), "test_values[cpu-float32]")
    assert (found.verdict, found.points) == ("crashed", 0.0)
    assert "2048 MB of the GPU's memory" in found.reason.to("en")
    assert scale(process, "        pass").status == "passed"


def test_a_hung_kernel_is_killed_and_the_next_file_has_a_clean_context(process):
    hangs = "        torch.cuda._sleep(1 << 50); torch.cuda.synchronize()"
    found = check(scale(process, hangs), "test_values[cpu-float32]")
    assert found.verdict == "timeout"
    assert scale(process, "        pass").status == "passed"


def test_an_illegal_access_costs_its_own_check_only(process):
    breaks = "        if x.dtype == torch.float64:\n"
    breaks += "            x[torch.tensor([1 << 40], device='cuda')] + 0; torch.cuda.synchronize()"
    verdicts = {c.id: c.cuda for c in scale(process, breaks).checks}
    assert verdicts["test_values[cpu-float64]"] != "passed"
    assert verdicts["test_values[cpu-float32]"] == "passed"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """All attacks, graded on the CPU and on CUDA, by two grading processes that share the card."""
    with tempfile.TemporaryDirectory(prefix="attacks-") as folder:
        world = make_world(Path(folder) / "cuda", os.geteuid())
        on_both(world.course)
        hand_in(world, ATTACKS)
        grade([world], "--device", "cuda", "--jobs", "2")
        yield world
        world.listener.close()


@pytest.mark.parametrize("path", ATTACKS, ids=[p.stem for p in ATTACKS])
def test_an_attack_earns_no_more_than_on_the_cpu(world, path):
    points = re.search(r"^# deserves (?:at most )?([\d.]+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert world.report(path.stem)["exercises"][0]["score"] <= float(points[1])


def test_nothing_was_read_written_or_reached(world):
    assert "CANARY-" not in world.texts()
    assert not list(world.marks.iterdir())
    assert world.listener.contacts == []
    assert world.left == set()
