"""A worker seen from the grader: start it, ask it within its time, find out why it fell silent, kill it."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from grader.course import Limits
from grader.errors import MachineError
from grader.report import report
from grader.sandbox.processes import (
    BrokenFrame,
    Channel,
    ChannelError,
    DeadlinePassed,
    Evaluate,
    Frame,
    Load,
    Packed,
    SharedMemory,
    Times,
    TooLarge,
    Worker,
    WorkerPool,
    own_wait,
)  # fmt: skip
from grader.suites import exceptions
from grader.suites.given import Answering
from grader.suites.target import NoAnswer
from grader.texts import NOTHING, Text

NONCE_BYTES = 8
OUT_OF_MEMORY_ERROR, BROKEN = "OutOfMemoryError", "AcceleratorError"  # torch's names for what a GPU says
WAITS = 10.0  # times its limit: how long an exercise may take by the clock, on a busy machine
UNTOLD = 0.75  # of the clock's time is taken for waiting where the system does not say how long a worker waited
LEAST = 0.01  # seconds
NO_ROOM = -1  # MB: of a worker that has more than it was to get
TOO_LITTLE = 0.05  # seconds by the clock that all count: asking what the worker did in them costs half a millisecond
BRIEF, HURRIED = 1.0, 2.0  # seconds for one call of which little is expected, and for all of one who is in a hurry

BUSY = (
    "the machine was too busy: in {clock:.0f} s by the clock an exercise got less than the {seconds:g} s of "
    "processor time that it may use; grade with fewer jobs, or when less else is running"
)


class WorkerLink:
    """One worker at a time, and the seconds that are left for what it is asked; `printed` is what it wrote so far.

    What counts is the time in which the worker computed, all threads together, or slept, as one does whose output is
    being emptied; not how long it or the grader waited for a processor, so that a busy machine takes nothing from
    anyone. The clock's time is taken off first; the system is asked how much of it counts where a limit seems to be
    passed, and at the end. `place` says where in `file` a worker hangs.
    """

    def __init__(
        self, pool: WorkerPool, limits: Limits, seconds: float, file: str = "",
        place: Callable[[Sequence[int]], Text] = lambda _: NOTHING,
    ) -> None:  # fmt: skip
        self._pool = pool
        self._file, self._place = file, place
        self.limits = limits
        self.allowed = self.left = self._left_before = min(seconds, limits.exercise_seconds)
        self._kept = 0.0  # seconds for which it was kept from computing
        self._worker: Worker | None = None
        self._since = self._unsettled = 0.0
        self._settled = (0.0, 0.0, 0.0)
        self._alone, self._threads, self._hurried = False, 1, False
        self._memory: int | None = None
        self.printed = ""

    @property
    def spent(self) -> float:
        """The seconds that counted so far."""
        return self.allowed - self.left

    @property
    def used_up(self) -> Text:
        """Return the reason for a call for which no time is left."""
        return exceptions.NOT_AWAITED if self._hurried else exceptions.BUDGET.format(seconds=self.allowed)

    @property
    def alive(self) -> bool:
        """True if there is a worker that has not been given up."""
        return self._worker is not None

    @property
    def worker(self) -> Worker | None:
        """The worker that is alive."""
        return self._worker

    @property
    def _there(self) -> Worker:
        """The worker that is alive."""
        assert self._worker is not None
        return self._worker

    @property
    def channel(self) -> Channel:
        """The way to the worker that is alive."""
        return self._there.channel

    @property
    def shared(self) -> SharedMemory | None:
        """The inputs of the worker that is alive, where the system lets us look at them."""
        return self._worker.shared if self._worker else None

    def hurry(self) -> None:
        """From now on wait BRIEF for one answer, and HURRIED for all."""
        self.allowed -= max(0.0, self.left - HURRIED)
        self.left = min(self.left, HURRIED)
        self._hurried = True

    def start(self, imports: Sequence[str] = (), load: Load | None = None, calls: bytes = b"") -> None:
        """Get a worker that is ready to `load` a file and for `calls`, see `WorkerPool.start`. Raises MachineError."""
        self._left_before = self.left
        self._worker = self._pool.start(imports, load=load, calls=calls)
        self._worker.channel.payload_cap = self.limits.value_mb << 20
        self._worker.wait_until_ready()
        begun = self._worker.begun or Times()
        self._unsettled = 0.0
        self._settled = (begun.computed or 0.0, begun.waited or 0.0, own_wait())
        self._alone, self._threads, self._memory = False, 1, None

    def ask(self, request: msgspec.Struct, parts: Sequence[bytes] = (), late: Text = exceptions.CALL_TIMEOUT) -> Frame:
        """The answer to one request. Raises NoAnswer when the worker hangs, dies or answers nonsense."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return self.receive(nonce, late, Packed(request, parts).frame(nonce))

    def receive(
        self, nonce: bytes, late: Text = exceptions.CALL_TIMEOUT, request: bytes = b"",
        answering: Answering | None = None, brief: bool = False,
    ) -> Frame:  # fmt: skip
        """The answer to `request`, or to one sent before; `answering` computes what it hands over. Raises as `ask`."""
        if self.left <= 0:
            self._settle()
        if self.left <= 0:
            raise self.lost(self.used_up, "timeout")
        allowed = min(limit := BRIEF if brief or self._hurried else self.limits.call_seconds, self.left)
        try:
            frame = self._timed(request, allowed, nonce, answering)
            if frame.nonce != nonce:
                raise BrokenFrame("an answer to another question")
        except DeadlinePassed as error:
            spent = allowed < limit or self._hurried
            where = NOTHING if spent else self._place(self._there.stack(self._file))
            reason = self.used_up if spent else late.format(seconds=allowed, where=where)
            raise self.lost(reason, "timeout") from error
        except TooLarge as error:
            raise self.lost(exceptions.LARGE_RESULT.format(limit=self.limits.value_mb), "failed") from error
        except BrokenFrame as error:
            raise self.disturbed() from error
        except ChannelError as error:
            raise self.lost(None) from error
        return frame

    def printed_since_loaded(self, most: int) -> tuple[str, int]:
        """Return the worker's output since `forget`, at most so much, and how many lines it has."""
        text = self._there.output.text(most)
        return text, max(self._there.output.lines, len(text.splitlines()))

    def forget(self) -> None:
        """Forget what the worker has written so far."""
        self._there.output.text(0)
        self._there.output.forget()

    def _timed(self, request: bytes, allowed: float, nonce: bytes, answering: Answering | None) -> Frame:
        """Send `request` and return the next frame; the time for both, functions included, comes off the time left.

        Raises MachineError where a worker was kept waiting until WAITS times its limit was over.
        """
        deadline = time.monotonic() + allowed
        with self.counted():
            self.channel.send_bytes(request, deadline + allowed)
            while True:
                try:
                    frame = self.channel.receive(deadline)
                    if not answering or not isinstance(frame.message, Evaluate) or frame.nonce != nonce:
                        return frame
                    answer = answering(frame.message, frame.payload)
                    self.channel.send_bytes(Packed(*answer).frame(nonce), deadline + allowed)
                    if time.monotonic() > deadline:  # however fast the worker asks
                        raise DeadlinePassed
                except DeadlinePassed:
                    self._take()
                    if (more := self._settle()) < LEAST:
                        raise
                    self._kept += 0.0 if self.channel.arriving else more  # sending much is nobody's waiting
                    if self._kept > WAITS * self.allowed:
                        raise MachineError(BUSY.format(clock=WAITS * self.allowed, seconds=self.allowed)) from None
                    deadline += more

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        """Take the clock's time inside off the time that is left; it is settled later how much of it counts."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._take()

    def alone(self, wanted: bool) -> bool:
        """Let no thread but the first work from now on, if that is wanted; return whether the system enforces it."""
        if wanted != self._alone:
            self._alone, self._threads = wanted, self._there.limit_threads(not wanted) or 1
        return not wanted or self._threads == 1

    def bounded(self, memory: int | None) -> bool:
        """Give the worker so many MB beside what it began with, None for all; False if it has more already to use."""
        if memory == self._memory:
            return True
        within = self._there.limit_memory(None if memory is None else memory << 20) is not False
        self._memory = memory if within else NO_ROOM
        return within

    def _take(self) -> None:
        now = time.monotonic()
        self.left -= now - self._since
        self._unsettled += now - self._since
        self._since = now

    def _settle(self) -> float:
        """Refund the time that the worker spent waiting since the last call; returns the seconds refunded."""
        times, clock, before = self._there.times(), self._unsettled, self._settled
        if times.computed is None:
            return 0.0
        waited = before[1] + UNTOLD * clock if times.waited is None else times.waited
        self._settled = (times.computed, waited, own_wait())
        computed, waited, own = (now - then for now, then in zip(self._settled, before, strict=True))
        more = clock - max(computed, clock - waited - own)
        self.left += more
        self._unsettled = 0.0
        return more

    def disturbed(self) -> NoAnswer:
        """Give the worker up, since it answered nonsense; the exception to raise."""
        return self.lost(exceptions.GARBLED)

    def lost(self, reason: Text | None, verdict: report.Verdict = "crashed") -> NoAnswer:
        """Give the worker up, for this reason or for whatever it died of; the exception to raise.

        Raises MachineError where not the student's code ended it.
        """
        worker = self._dismissed()
        assert worker is not None
        if worker.on_gpu and (fault := worker.on_gpu.fault()):
            worker.end()
            raise MachineError(fault)
        if worker.on_gpu and worker.on_gpu.ended:
            reason, verdict = exceptions.OUT_OF_GPU_MEMORY.format(limit=self.limits.gpu_memory_mb), "crashed"
        if reason:
            worker.end()
        return NoAnswer(verdict, reason or exceptions.died(worker.why_dead(self._file)))

    @property
    def unseen_on_gpu(self) -> bool:
        """True if the worker's GPU memory has to be watched and cannot be seen."""
        return bool(self._worker and self._worker.on_gpu and not self._worker.on_gpu.visible)

    def after_error(self, types: Sequence[str], message: str) -> None:
        """Handle an exception on the GPU: if it broke the context, the next call gets another worker.

        Raises MachineError where not the student's code is to blame, NoAnswer where it held more than its share.
        """
        worker = self._worker
        if worker is None or worker.on_gpu is None:
            return
        fault = worker.on_gpu.fault(OUT_OF_MEMORY_ERROR in types)
        if worker.on_gpu.ended:
            raise self.lost(None)
        if fault or BROKEN in types or message.startswith("CUDA error"):
            self._dismissed()
            worker.end()
        if fault:
            raise MachineError(fault)

    def close(self) -> None:
        """End the worker, if there is one."""
        if worker := self._dismissed():
            worker.release()

    def forget_worker(self) -> None:
        """End the worker as if there had not been any: its time does not count, and nobody sees what it printed."""
        worker, self._worker = self._worker, None
        self.left = self._left_before
        if worker:
            worker.end()

    def _dismissed(self) -> Worker | None:
        if self._worker and self._unsettled > TOO_LITTLE:
            self._settle()
        worker, self._worker = self._worker, None
        if worker:
            most = self.limits.output_kb * 1024
            self.printed = (self.printed + worker.output.text(most))[:most]
        return worker
