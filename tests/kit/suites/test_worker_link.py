"""A worker is asked within its time; whatever it does instead of answering is one sentence, and the next may start."""

from __future__ import annotations

import secrets
import signal
import sys
import time
from collections.abc import Iterator

import pytest
from forked import pools

from grader.course import Limits
from grader.errors import MachineError
from grader.sandbox.processes import ForkedWorkerPool, Inspect, Packed, WorkerEnded
from grader.sandbox.processes.processor_time import Times
from grader.suites import worker_link
from grader.suites.exceptions import GARBLED, OUT_OF_CPU, OUT_OF_MEMORY, died
from grader.suites.target import NoAnswer
from grader.suites.worker_link import WorkerLink

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


@pytest.fixture(scope="module")
def pool() -> Iterator[ForkedWorkerPool]:
    """Workers that evaluate what they are asked."""
    with pools() as start:
        yield start(confined=False)


@pytest.fixture
def link(pool):
    """A link with a worker that is ready; a call has 1 s, all of them have 30 s."""
    made = []

    def opened(seconds: float = 30.0, **limits: float) -> WorkerLink:
        made.append(WorkerLink(pool, Limits(**{"call_seconds": 1.0, "exercise_seconds": 30.0, **limits}), seconds))
        made[-1].start()
        return made[-1]

    yield opened
    for one in made:
        one.close()


def asked(link: WorkerLink, source: str) -> str:
    return link.ask(Inspect(source, "", ())).message.defines[0]


def test_it_answers_and_time_passes(link):
    one = link()
    assert asked(one, "6 * 7") == "42"
    asked(one, "__import__('time').sleep(0.2)")
    assert 29 < one.left < 29.9


IS_SOCKET = "os.path.exists(f'/proc/self/fd/{f}') and os.readlink(f'/proc/self/fd/{f}').startswith('socket')"
SOCKETS = f"[f for f in map(int, os.listdir('/proc/self/fd')) if f > 2 and {IS_SOCKET}]"
ENDS = {
    "__import__('time').sleep(60)": ("timeout", "took longer than 1 s and was stopped"),
    "os._exit(3)": ("crashed", "the code ended its process (exit code 3)"),
    "os.abort()": ("crashed", "the process died: Aborted"),
    "os.kill(os.getpid(), 24)": ("crashed", "used more processor time than allowed"),
    f"[os.write(f, bytes([255] * 64)) for f in {SOCKETS}]": ("failed", "returns more than 32 MB"),
    f"[os.write(f, bytes([1, *[0] * 63])) for f in {SOCKETS}]": ("crashed", GARBLED.to("en")),
    "os.closerange(3, 99)": ("crashed", "the code ended its process (exit code 1)"),
}  # fmt: skip


@pytest.mark.parametrize("source", ENDS, ids=lambda s: s[:20])
def test_what_ends_instead_of_answering(link, source):
    one = link(value_mb=32)
    with pytest.raises(NoAnswer) as lost:
        asked(one, source)
    assert (lost.value.verdict, lost.value.reason.to("en")) == ENDS[source]
    assert not one.alive
    one.start()
    assert asked(one, "1 + 1") == "2"


def test_a_worker_that_somebody_kills_is_not_its_files_doing(link):
    one = link()
    with pytest.raises(WorkerEnded, match=r"ended from outside \(Killed\), not by what the file did"):
        asked(one, "os.kill(os.getpid(), 9)")
    assert not one.alive
    one.start()
    assert asked(one, "1 + 1") == "2"


def test_all_calls_together_have_a_limit_too(link):
    one = link(seconds=0.3)
    started = time.monotonic()
    with pytest.raises(NoAnswer, match="all calls together took longer than 0.3 s"):
        asked(one, "__import__('time').sleep(60)")
    assert time.monotonic() - started < 10


def test_where_a_learner_waits_what_follows_a_hang_gets_little_time(link):
    one = link(call_seconds=5.0)
    one.hurry()
    assert asked(one, "1 + 1") == "2"
    started = time.monotonic()
    with pytest.raises(NoAnswer, match="not waited for, because an earlier call took too long"):
        asked(one, "__import__('time').sleep(60)")
    assert time.monotonic() - started < 4
    assert 0.9 < one.spent < 2.0


def test_an_answer_to_another_question_ends_it(link):
    one = link()
    one.channel.send(Inspect("1", "", ()), nonce=secrets.token_bytes(8))
    with pytest.raises(NoAnswer) as lost:
        one.receive(secrets.token_bytes(8))
    assert lost.value.reason == GARBLED
    assert not one.alive


def test_what_was_printed_is_kept_of_all_workers_within_the_limit(link):
    one = link(output_kb=1)
    asked(one, "print('first')")
    one.close()
    one.start()
    asked(one, "print('x' * 2000)")
    one.close()
    assert one.printed.startswith("first\nxxx")
    assert len(one.printed) == 1024


def test_why_a_process_is_silent():
    assert died(None) == GARBLED
    assert died(0).to("en") == "the code ended its process (exit code 0)"
    assert died(-signal.SIGXCPU) == OUT_OF_CPU
    assert died(-signal.SIGKILL) == OUT_OF_MEMORY
    assert died(-signal.SIGSEGV).to("en") == "the process died: Segmentation fault"
    assert died(-63).to("en").startswith("the process died: ")


def starve(link: WorkerLink, told: bool = True) -> None:
    """The system says of its worker that it never had a processor; or, not `told`, that it computed nothing."""
    setattr(link._worker, "times", lambda: Times(0.0, time.monotonic() if told else None))  # noqa: B010 -- a stand-in


@pytest.mark.slow
def test_a_worker_that_only_waits_for_a_processor_is_nobodys_fault_but_the_machines(link, monkeypatch):
    monkeypatch.setattr(worker_link, "WAITS", 3.0)
    one = link(call_seconds=0.3, exercise_seconds=0.6)
    starve(one)
    started = time.monotonic()
    with pytest.raises(MachineError, match=r"the machine was too busy: in 2 s by the clock .* the 0.6 s of processor"):
        asked(one, "__import__('time').sleep(60)")
    assert 1.7 < time.monotonic() - started < 10


@pytest.mark.slow
def test_where_the_system_does_not_tell_waiting_a_quarter_of_the_clock_counts(link):
    one = link(call_seconds=0.3)
    starve(one, told=False)
    assert asked(one, "__import__('time').sleep(0.6) or 5") == "5"
    started = time.monotonic()
    with pytest.raises(NoAnswer, match="took longer than 0.3 s"):
        asked(one, "__import__('time').sleep(60)")
    assert 1.1 < time.monotonic() - started < 10


def test_the_processor_time_of_all_threads_counts(link):
    """Threads that leave the first one no processor are not waiting: they compute."""
    one = link(call_seconds=0.5)
    work = (
        "[t.start() or t for t in [__import__('threading').Thread(target=eval, args=("
        "'[hash(bytes(10**6)) for _ in range(10**9)]',), daemon=True) for _ in range(6)]] and [] or "
        "[0 for _ in iter(int, 1)]"
    )
    started = time.monotonic()
    with pytest.raises(NoAnswer, match="took longer than 0.5 s"):
        asked(one, work)
    assert time.monotonic() - started < 15
    assert one.spent >= 0.4


def test_an_answer_that_is_there_counts_though_the_grader_looks_late(link):
    """A grader that had no processor itself finds the answer after the deadline."""
    one = link(call_seconds=0.3)
    nonce = secrets.token_bytes(8)
    request = Packed(Inspect("6 * 7", "", ()), ()).frame(nonce)
    one.channel.send_bytes(request)
    time.sleep(0.5)
    assert one.channel.receive(time.monotonic() - 0.2).message.defines == ["42"]
