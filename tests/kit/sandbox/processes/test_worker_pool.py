"""Workers as a grading process sees them: started and confined, asked, ended, and why they died."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from forked import pools, told
from support import alive, wait_until

from grader.errors import MachineError
from grader.sandbox.processes import ChannelError, ForkedWorkerPool, Inspect, Load, Worker, WorkerEnded
from grader.sandbox.processes.worker_pool import PREPARED

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

Pool = Callable[..., ForkedWorkerPool]


@pytest.fixture
def pool() -> Iterator[Pool]:
    """Start a worker pool as a program of its own, with this worker."""
    with pools() as start:
        yield start


def ready(pool: ForkedWorkerPool) -> Worker:
    worker = pool.start()
    try:
        worker.wait_until_ready()
    except MachineError:
        worker.end()
        raise
    return worker


def test_a_worker_is_confined_and_answers(pool: Pool) -> None:
    workers = pool()
    assert set(workers.layers) >= {"landlock", "seccomp", "rlimits"}
    worker = ready(workers)
    assert told(worker, "6 * 7") == "42"
    assert told(worker, "open('/etc/passwd')") == told(worker, "os.fork()") == "PermissionError"
    assert told(worker, "os.getcwd()") == "'/'"
    worker.end()


def test_without_confinement_no_layer_is_claimed(pool: Pool) -> None:
    workers = pool(confined=False)
    assert workers.layers == ()
    worker = ready(workers)
    assert told(worker, "os.path.exists('/etc/passwd')") == "True"
    worker.end()


def test_what_a_worker_prints_is_kept(pool: Pool) -> None:
    worker = ready(pool())
    told(worker, "print('to standard output')")
    told(worker, "os.write(2, b'to standard error \\xff')")
    assert worker.output.text(100) == "to standard output\nto standard error \ufffd"
    told(worker, "print('x' * 5000)")
    assert len(worker.output.text(1 << 20)) == 1024
    worker.end()


def withholding(workers: ForkedWorkerPool, *calls: str) -> Worker:
    worker = workers.start(load=Load(0, calls, (tuple((call, "CPU") for call in calls), ())))
    worker.wait_until_ready()
    return worker


def test_what_is_forbidden_is_withheld_before_the_fork_and_from_no_others_worker(pool: Pool) -> None:
    workers = pool()
    for calls in (("softmax",), (), ("softmax",), ("sort", "topk")):
        worker = withholding(workers, *calls)
        assert told(worker, "WITHHELD") == repr(list(calls))
        assert told(worker, "open('/etc/passwd')") == told(worker, "os.fork()") == "PermissionError"
        plain = ready(workers)
        assert told(worker, "len(descriptors())") == told(plain, "len(descriptors())")
        for one in (worker, plain):
            one.end()


def test_only_so_many_pools_are_kept_and_none_is_left_behind(pool: Pool) -> None:
    workers = pool(confined=False)
    pids = []
    for number in range(PREPARED + 3):
        worker = withholding(workers, f"call{number}")
        pids.append(int(told(worker, "os.getppid()")))
        worker.end()
    assert wait_until(lambda: [alive(pid) for pid in pids] == [False] * 3 + [True] * PREPARED)


def test_of_many_exercises_the_first_get_workers_with_their_calls(pool: Pool) -> None:
    """The others get workers without; a pool for each would be ended before its exercise comes again."""
    workers, load = pool(confined=False), Load(0, ("softmax",), ((("softmax", "CPU"),), ()))
    for turn in range(2):
        for number in range(PREPARED + 3):
            worker = workers.start(load=load, calls=b"%d" % number)
            worker.wait_until_ready()
            assert (turn, number, worker.prepared) == (turn, number, number < PREPARED)
            assert told(worker, "WITHHELD") == "['softmax']"
            worker.end()


def test_what_is_too_long_to_prepare_is_left_to_the_worker(pool: Pool) -> None:
    worker = withholding(pool(), *(f"call_number_{number:020}" for number in range(5000)))
    assert told(worker, "WITHHELD") == "[]"
    worker.end()


def test_a_pool_that_withholds_and_was_ended_is_made_again(pool: Pool) -> None:
    workers = pool(confined=False)
    worker = withholding(workers, "softmax")
    pid, forked_by = (int(told(worker, f"os.{call}()")) for call in ("getpid", "getppid"))
    os.kill(forked_by, signal.SIGKILL)
    assert wait_until(lambda: not alive(pid))
    with pytest.raises(WorkerEnded, match="the worker pool"):
        worker.why_dead()
    again = withholding(workers, "softmax")
    assert told(again, "WITHHELD") == "['softmax']"
    again.end()


def test_pools_that_withhold_end_with_the_pool_that_made_them(pool: Pool) -> None:
    workers = pool(confined=False)
    worker = withholding(workers, "softmax")
    made, maker = (int(told(worker, pid)) for pid in ("os.getppid()", "PARENTS[0]"))
    os.kill(maker, signal.SIGKILL)
    assert wait_until(lambda: not alive(made))
    worker.end()


def test_a_worker_with_little_memory(pool: Pool) -> None:
    """It cannot take it back; the pool can."""
    worker = ready(pool())
    assert told(worker, "len(bytearray(40 << 20)) >> 20") == "40"
    assert worker.limit_memory(8 << 20)
    assert told(worker, "len(bytearray(40 << 20)) >> 20") == "MemoryError"
    lifted = "[r.setrlimit(r.RLIMIT_AS, (r.getrlimit(r.RLIMIT_AS)[1],) * 2) for r in [__import__('resource')]]"
    assert told(worker, lifted) == "ValueError"  # Python's word for EPERM
    assert told(worker, "len(bytearray(40 << 20)) >> 20") == "MemoryError"
    assert worker.limit_memory(None)
    assert told(worker, "len(bytearray(40 << 20)) >> 20") == "40"
    worker.end()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("os._exit(3)", 3),
        ("os.abort()", -6),
        ("sum(0 for _ in iter(int, 1))", -24),  # SIGXCPU
    ],
)
def test_why_a_worker_died(pool: Pool, source: str, code: int) -> None:
    worker = ready(pool())
    with pytest.raises(ChannelError):
        told(worker, source)
    assert worker.why_dead() == code


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_somebody_ended_is_nobodys_fault_but_the_machines(pool: Pool, number: int) -> None:
    workers = pool(confined=False)
    worker = ready(workers)
    os.kill(int(told(worker, "os.getpid()")), number)
    with pytest.raises(ChannelError):
        worker.channel.receive()
    ready(workers).end()  # another one, before anybody asks how the first one died
    with pytest.raises(WorkerEnded, match=r"softmax\.py was ended from outside \(\w+\), not by .* held \d+ MB"):
        worker.why_dead("softmax.py")


def test_a_worker_that_is_ended_before_it_is_ready(pool: Pool) -> None:
    with pytest.raises(WorkerEnded, match=r"was ended from outside \(Killed\)"):
        ready(pool("killed", confined=False))


def test_a_worker_that_lives_is_killed_when_it_is_asked_why_it_is_silent(pool: Pool) -> None:
    workers = pool(confined=False)
    worker = ready(workers)
    pid = int(told(worker, "os.getpid()"))
    assert worker.why_dead() is None
    assert not alive(pid)


def test_an_ended_worker_is_gone_and_the_next_is_another(pool: Pool) -> None:
    workers = pool(confined=False)
    first, second = ready(workers), ready(workers)
    pids = [int(told(worker, "os.getpid()")) for worker in (first, second)]
    first.end()
    assert wait_until(lambda: not alive(pids[0]))
    assert alive(pids[1])
    assert told(second, "1 + 1") == "2"
    second.end()
    assert wait_until(lambda: not alive(pids[1]))


def test_modules_are_there_before_the_worker_is_confined(pool: Pool) -> None:
    workers = pool()
    worker = workers.start(["colorsys"])
    worker.wait_until_ready()
    assert told(worker, "'colorsys' in sys.modules") == "True"
    worker.end()


def test_what_a_worker_did_with_its_time(pool: Pool) -> None:
    worker = ready(pool())
    first = worker.times()
    assert (first.computed < 60, 0 <= first.waited < 60) == (True, True)
    told(worker, "sum(range(10**7))")
    assert worker.times().computed > first.computed + 0.02
    worker.end()


def test_asking_for_its_times_leaves_how_a_worker_died_to_be_told(pool: Pool) -> None:
    worker = ready(pool())
    worker.channel.send(Inspect("os._exit(7)", "", ()))
    with pytest.raises(ChannelError):
        worker.channel.receive()
    time.sleep(0.1)
    worker.times()
    assert worker.why_dead() == 7


def test_a_worker_that_cannot_begin_is_the_machines_fault(pool: Pool) -> None:
    with pytest.raises(MachineError, match=r"a worker could not be confined \(PeerGone\): no room in here"):
        ready(pool("silent"))


def test_a_worker_that_does_not_say_it_is_ready_is_the_machines_fault(pool: Pool) -> None:
    with pytest.raises(MachineError, match="a worker began with Inspected instead of Ready"):
        ready(pool("hasty"))


def test_a_pool_that_is_gone_is_the_machines_fault(pool: Pool) -> None:
    workers = pool()
    workers._control.shutdown(socket.SHUT_RDWR)
    with pytest.raises(MachineError, match="the worker pool"):
        workers.start()


def test_descriptors_are_not_kept(pool: Pool) -> None:
    workers = pool()
    ready(workers).end()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        ready(workers).end()
    assert len(os.listdir("/proc/self/fd")) == before


SLOW_STACK = """
import os, signal, time

def write(*_):
    for line in ("Stack (most recent call first):", '  File "scale.py", line 7 in f', '  File "x", line 1 in <module>'):
        os.write(2, f"{line}\\n".encode())
        time.sleep(0.1)

signal.signal(signal.SIGUSR1, write)
"""


def test_a_stack_is_waited_for_until_it_is_whole(pool: Pool) -> None:
    """On a busy machine its lines come one after another."""
    worker = ready(pool(confined=False))
    told(worker, f"exec({SLOW_STACK!r})")
    assert worker.stack("scale.py") == [7]
    worker.end()
