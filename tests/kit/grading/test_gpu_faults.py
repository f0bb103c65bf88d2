"""What a GPU did wrong is the machine's fault, what a student did is theirs; nothing is a zero that should not be.

A stand-in tells what workers hold of the card; these are real, and compute on the CPU.
"""

from __future__ import annotations

import sys

import pytest
from gpu_stand_in import THERE
from support import alive, check, exercise, solution

from grader.errors import MachineError
from grader.intake import Source, Submission
from grader.sandbox.confinement.gpu_memory import CROWDED
from grader.sandbox.processes import OneWorkerPool
from grader.suites import StudentCode, StudentFile

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


@pytest.fixture(autouse=True)
def usual(card, gpu_pool):
    card.each, card.others, card.lost, gpu_pool._gpu.fault = 300, 0, False, None


def graded(both_devices, body: str):
    source = f"{THERE}import torch, time\n{solution('scale')}\nright = scale\n"
    source += f"def scale(x, factor=2.0):\n    if THERE:\n{body}\n    return right(x, factor)\n"
    return exercise(both_devices.grade(Submission("s", {"scale": Source(source)}), "", 1), "scale")


OUT_OF_MEMORY = "        raise torch.OutOfMemoryError('CUDA out of memory. Tried to allocate 20.00 GiB.')"


@pytest.mark.parametrize(("holds", "unseen"), [(300, False), (0, True)])
def test_a_worker_whose_memory_nobody_sees_is_known(card, gpu_pool, toy, holds, unseen):
    """A container counts processes otherwise than the library: then CUDA is not used."""
    card.each = holds
    there = OneWorkerPool(gpu_pool, "cpu")
    target = StudentCode(there, StudentFile("scale", solution("scale")), toy.settings.limits, 4)
    target.load()
    assert target.link.unseen_on_gpu == unseen
    target.close()
    there.close()


def test_honest_work(both_devices):
    assert graded(both_devices, "        pass").status == "passed"


def test_who_asks_for_more_than_there_is_has_failed(both_devices):
    values = check(graded(both_devices, OUT_OF_MEMORY), "test_values[cpu-float32]")
    assert (values.verdict, values.cuda) == ("failed", "failed")
    assert "OutOfMemoryError" in values.reason.to("en")


def test_who_was_left_too_little_has_not(both_devices, card):
    card.others = 7000
    with pytest.raises(MachineError) as fault:
        graded(both_devices, OUT_OF_MEMORY)
    assert str(fault.value) == CROWDED


def test_a_lost_card_is_no_zero(both_devices, card):
    card.lost = True
    with pytest.raises(MachineError, match="the GPU was lost"):
        graded(both_devices, "        raise RuntimeError('CUDA error: unspecified launch failure')")


def test_a_worker_that_dies_with_the_card_is_no_zero(both_devices, card):
    card.lost = True
    with pytest.raises(MachineError, match="the GPU was lost"):
        graded(both_devices, "        os._exit(1)")


@pytest.mark.slow
def test_a_hung_kernel_is_killed_and_the_next_check_has_a_clean_worker(both_devices, card):
    before = len(card.pids)
    found = graded(both_devices, "        while x.dtype == torch.float64: time.sleep(1)")
    assert {c.cuda for c in found.checks} == {"passed", "timeout"}
    assert len(card.pids) > before + 1
    assert not alive(card.pids[before])


def test_who_holds_too_much_is_ended_and_told_so(both_devices, card):
    card.each = 5000
    found = graded(both_devices, "        raise RuntimeError('any')")
    values = check(found, "test_values[cpu-float32]")
    assert (values.verdict, values.cuda) == ("crashed", "crashed")
    assert values.reason.to("en") == "on CUDA: held more than 4096 MB of the GPU's memory and was stopped"


def test_a_broken_context_costs_its_own_check_only(both_devices, card):
    before = len(card.pids)
    broken = "        if x.dtype == torch.float64: raise RuntimeError('CUDA error: an illegal memory access')"
    found = graded(both_devices, broken)
    assert {c.cuda for c in found.checks} >= {"passed", "failed"}
    assert len(card.pids) > before + 1
