"""Memory on a GPU is bounded from outside; who is to blame when it runs out. With a stand-in for NVML."""

from __future__ import annotations

import signal
import subprocess
import sys
import types
from collections.abc import Iterator

import pytest

from grader.sandbox.confinement import gpu_memory
from grader.sandbox.confinement.gpu_memory import LOST, CardFault, GpuMemoryWatch, NvidiaCard, OnGpu

MB = 1 << 20


class StandIn:
    """A card of 1000 MB."""

    def __init__(self) -> None:
        self.processes: dict[int, int] = {}
        self.lost = False

    def held(self) -> dict[int, int]:
        if self.lost:
            raise CardFault(LOST.format(error="GPU is lost"))
        return self.processes

    def free(self) -> int:
        return 1000 * MB - sum(self.processes.values())


@pytest.fixture
def card() -> StandIn:
    return StandIn()


@pytest.fixture
def watch(card: StandIn) -> GpuMemoryWatch:
    return GpuMemoryWatch(card, 400 * MB)


@pytest.fixture
def workers() -> Iterator[list[subprocess.Popen[bytes]]]:
    started = [subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) for _ in range(2)]
    yield started
    for worker in started:
        worker.kill()
        worker.wait()


def test_a_worker_over_its_share_is_ended_and_no_other(card, watch, workers):
    over, under = workers
    seen = {worker: OnGpu(watch, worker.pid) for worker in workers}
    card.processes = {over.pid: 401 * MB, under.pid: 399 * MB}
    watch.look()
    assert over.wait(5) == -signal.SIGKILL
    assert under.poll() is None
    assert (seen[over].ended, seen[under].ended) == (True, False)
    assert seen[over].fault(out_of_memory=True) is None


def test_a_process_that_is_none_of_ours_is_left_alone(card, watch, workers):
    card.processes = {workers[0].pid: 900 * MB}
    OnGpu(watch, workers[1].pid)
    watch.look()
    assert [worker.poll() for worker in workers] == [None, None]


def test_it_looks_again_and_again_until_it_is_closed(card, watch, workers):
    OnGpu(watch, workers[0].pid)
    watch.start()
    card.processes = {workers[0].pid: 500 * MB}
    assert workers[0].wait(5) == -signal.SIGKILL
    watch.close()


BLAME = {
    "it asked for more than its share at once": (10, 0, None),
    "it asked for more than its share with others there": (10, 600, None),
    "others held its share": (10, 700, gpu_memory.CROWDED),
    "it held its share, others the rest": (400, 600, None),
}


@pytest.mark.parametrize("case", BLAME)
def test_who_is_to_blame_when_memory_runs_out(card, watch, case):
    own, others, blamed = BLAME[case]
    worker = OnGpu(watch, 1 << 30)
    card.processes = {1 << 30: own * MB, 7: others * MB}
    assert worker.fault(out_of_memory=True) == blamed
    assert worker.fault() is None


def test_what_was_full_meanwhile_counts(card, watch):
    worker = OnGpu(watch, 1 << 30)
    card.processes = {7: 900 * MB}
    watch.look()
    card.processes = {}
    assert worker.fault(out_of_memory=True) == gpu_memory.CROWDED


def test_a_lost_card_is_the_machines_fault_for_good(card, watch):
    worker = OnGpu(watch, 1 << 30)
    card.lost = True
    assert worker.fault() == "the GPU was lost (GPU is lost); check the machine, then grade again"
    card.lost = False
    assert worker.fault() is not None


class Nvml(types.ModuleType):
    """The library itself, with one card whose device is /dev/nvidia3."""

    class NVMLError(Exception):
        pass

    class NVMLError_GpuIsLost(NVMLError):
        pass

    class NVMLError_NotSupported(NVMLError):
        pass

    raises: Exception | None = None

    def nvmlInit(self) -> None:
        pass

    def nvmlDeviceGetCount(self) -> int:
        return 1

    def nvmlDeviceGetHandleByIndex(self, index: int) -> str:
        return f"card {index}"

    def nvmlDeviceGetMinorNumber(self, handle: str) -> int:
        return 3

    def nvmlDeviceGetMemoryInfo(self, handle: str) -> types.SimpleNamespace:
        return types.SimpleNamespace(free=5)

    def nvmlDeviceGetComputeRunningProcesses(self, handle: str) -> list[types.SimpleNamespace]:
        if self.raises:
            raise self.raises
        return [types.SimpleNamespace(pid=7, usedGpuMemory=9), types.SimpleNamespace(pid=8, usedGpuMemory=None)]


@pytest.fixture
def nvml(monkeypatch: pytest.MonkeyPatch) -> Nvml:
    library = Nvml("pynvml")
    monkeypatch.setitem(sys.modules, "pynvml", library)
    return library


def test_the_library_is_asked_for_the_card_behind_the_device(nvml):
    card = NvidiaCard(3)
    assert (card.held(), card.free()) == ({7: 9, 8: 0}, 5)
    with pytest.raises(CardFault, match="does not know card 0"):
        NvidiaCard(0)


def test_a_lost_card_is_told_from_another_error(nvml):
    nvml.raises = Nvml.NVMLError_GpuIsLost("lost")
    with pytest.raises(CardFault, match="the GPU was lost"):
        NvidiaCard(3).held()
    nvml.raises = Nvml.NVMLError_NotSupported("no")
    with pytest.raises(CardFault, match="management library: no"):
        NvidiaCard(3).held()


def test_without_the_library_the_reason_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynvml", None)
    with pytest.raises(CardFault, match="pip install nvidia-ml-py"):
        NvidiaCard(0)
