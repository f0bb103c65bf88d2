"""What tests of grading on two devices share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpu_stand_in import Card, worker_pool

from grader.course.course import Course
from grader.grading import Grader, devices, grade
from grader.report import RAN
from grader.sandbox.confinement.gpu_memory import GpuMemoryWatch, OnGpu
from grader.sandbox.processes import ForkedWorkerPool, OneWorkerPool, RunOptions

BOTH_RAN = {"cpu": RAN, "cuda": RAN}


@pytest.fixture(scope="session")
def card() -> Card:
    return Card()


@pytest.fixture(scope="session")
def gpu_pool(toy: Course, card: Card) -> Iterator[ForkedWorkerPool]:
    """A worker pool that watches the card that is none."""
    with worker_pool(toy.settings.limits) as pool:
        pool._gpu = NotingWatch(card, toy.settings.limits.gpu_memory_mb << 20)
        yield pool


class NotingWatch(GpuMemoryWatch):
    """Tells the card which workers there are."""

    def follow(self, pid: int, worker: OnGpu) -> None:
        assert isinstance(self._card, Card)
        self._card.pids.append(pid)
        super().follow(pid, worker)


@pytest.fixture(scope="module")  # the files after it see no patch
def both_devices(toy: Course, gpu_pool: ForkedWorkerPool) -> Iterator[Grader]:
    """Grades the toy course on the CPU, and then on what stands in for CUDA."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(devices, "OneWorkerPool", lambda pool, _: OneWorkerPool(pool, "cpu"))
        patch.setattr(devices, "PLACE", "cpu")
        patch.setattr(grade, "choose", lambda *_: ("cuda", BOTH_RAN))
        yield Grader(toy, RunOptions(), gpu_pool)
