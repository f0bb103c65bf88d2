"""Sources of workers: forked and confined by the fork server, or started as processes of their own."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from grader.course import Limits
from grader.errors import MachineError
from grader.sandbox.confinement.gpu_memory import GpuMemoryWatch, NvidiaCard, OnGpu
from grader.sandbox.processes.channel import Channel, ChannelError
from grader.sandbox.processes.fork_messages import (
    Exited,
    Fork,
    Forked,
    ForkFailed,
    Limited,
    OfWorker,
    PoolReady,
    Prepare,
    What,
    fits,
    receive,
    send,
)  # fmt: skip
from grader.sandbox.processes.output import STACK, FileOutput, PipeOutput
from grader.sandbox.processes.processor_time import Times
from grader.sandbox.processes.shared_memory import SharedMemory
from grader.sandbox.processes.values import Message
from grader.sandbox.processes.worker_messages import Load, Ready, Reply

ANSWER_SECONDS = 30.0
PREPARED = 16  # pools of each kind, each of 15 MB: that withhold something, and that have calls; see `_prepared_for`
UNUSED = 1_000  # workers later a pool that was not used since may be ended for another
STACK_SECONDS = 1.0  # for what takes milliseconds where the machine is not busy
FRAME = re.compile(r'  File "([^"\n]*)", line (\d+) in')
WHOLE = re.compile(r"in <module>\n\Z|^  \.\.\.\n\Z", re.MULTILINE)  # a stack's end, or so many frames are left out
READY_SECONDS = 60.0
ENDED = (
    "the process that ran {file} was ended from outside ({signal}), not by what the file did, most likely because "
    "memory ran out{held}; close other programs or use fewer jobs, and try again"
)
M = TypeVar("M", bound=Message)
ANSWERS: dict[What, type[Exited | Times | Limited]] = {
    "exit": Exited, "times": Times, "threads": Limited, "memory": Limited,
}  # fmt: skip


class WorkerEnded(MachineError):
    """A worker was ended from outside, as the kernel does when memory runs out; another one may be luckier."""


class WorkerPool(Protocol):
    """Starts and ends worker processes."""

    layers: tuple[str, ...]

    def start(
        self, imports: Sequence[str] = (), gpu: bool = False, load: Load | None = None, calls: bytes = b""
    ) -> Worker:
        """Return a worker that has imported these modules already, if that can be prepared. Raises MachineError.

        gpu: True if it may use the GPU, if there is one. load: the `Load` request to expect, which is prepared too.
        calls: those to come, a list of `PreparedCall` as MessagePack.
        """

    def watch_gpu(self) -> None:
        """Bound workers' memory on the GPU from now on. Raises CardFault if that is not possible."""


class Worker:
    """One worker process: its channel and its output."""

    def __init__(self, channel: Channel, output: PipeOutput | FileOutput, pool: Any, handle: Any) -> None:
        self.channel = channel
        self.output = output
        self._pool = pool
        self._handle = handle
        self.begun: Times | None = None
        """For one that has served before and is ready at once: what it had done when it was handed out again."""
        self.keep: Callable[[Worker], None] | None = None
        """Who takes it back once its file is done with, see `OneWorkerPool`."""
        self.shared: SharedMemory | None = None  # where the system lets us look at them
        self.on_gpu: OnGpu | None = None  # where what it holds of a GPU's memory is watched
        self.prepared = False  # whether it was forked with the calls to come

    def wait_until_ready(self) -> None:
        """Wait until the worker is confined and serves, before any student code. Raises MachineError."""
        if self.begun:
            return
        try:
            ready = self.channel.receive(time.monotonic() + READY_SECONDS).message
        except ChannelError as error:
            printed = self.output.text(2000)
            self._ended_itself("a file")
            raise MachineError(f"a worker could not be confined ({type(error).__name__}): {printed}") from error
        if not isinstance(ready, Ready):
            raise MachineError(f"a worker began with {type(ready).__name__} instead of Ready")

    def end(self) -> None:
        """Kill it, whatever it is doing."""
        self._pool.tell(self._handle, "end")
        self._close()

    def release(self) -> None:
        """Give it back: its file is finished; it may run another, or is killed."""
        if self.keep:
            self.keep(self)
        else:
            self.end()

    def why_dead(self, file: str = "") -> int | None:
        """Return the exit code of a silent worker, negative for a signal; None if it lived and was killed.

        Raises WorkerEnded if another process ended it, and not its own code, in `file` or before.
        """
        try:
            return self._ended_itself(file or "a file")
        finally:
            self._close()

    def _ended_itself(self, file: str) -> int | None:
        ended: Exited = self._pool.tell(self._handle, "exit")
        if ended.outside and ended.code is not None:
            name = signal.strsignal(-ended.code) or f"signal {-ended.code}"
            held = f" while it held {ended.held >> 20} MB" if ended.held else ""
            raise WorkerEnded(ENDED.format(file=file, signal=name, held=held))
        return ended.code

    def limit_threads(self, allowed: bool) -> int | None:
        """Let it start threads, or none from now on; return how many it has, None if the system does not say."""
        threads: int | None = self._pool.tell(self._handle, "threads", None if allowed else 0).found
        return threads

    def limit_memory(self, most: int | None) -> bool | None:
        """Let it take so many bytes beside what it began with, None for all; True if it has taken no more already.

        None if the system does not enforce it.
        """
        within: bool | None = self._pool.tell(self._handle, "memory", most).found
        return within

    def times(self) -> Times:
        """Return how it spent its time."""
        told: Times = self._pool.tell(self._handle, "times")
        return told

    def stack(self, file: str) -> list[int]:
        """Return the lines of this file in which a hanging worker is, innermost first, as it wrote them when asked."""
        self._pool.tell(self._handle, "interrupt")
        end = time.monotonic() + STACK_SECONDS
        found = ""
        while time.monotonic() < end and not WHOLE.search(found):  # it is written line by line
            time.sleep(0.01)
            found = "".join(STACK.findall(self.output.end())[-1:]) or found  # a loop that prints drives it out
        return [int(line) for name, line in FRAME.findall(found) if name == file]

    def _close(self) -> None:
        if self.on_gpu:
            self.on_gpu.forget()
        if self.shared:
            self.shared.close()
        self.channel.close()
        self.output.close()


class ForkedWorkerPool:
    """Workers that a process of the fork server's forks and confines."""

    def __init__(self, control: socket.socket, limits: Limits) -> None:
        self._control = control
        self._limits = limits
        control.settimeout(ANSWER_SECONDS)
        ready = self._reply(PoolReady)
        self.layers, self._card = ready.layers, ready.card
        self._gpu: GpuMemoryWatch | None = None
        self._prepared: dict[tuple[tuple[str, ...], tuple[str, ...], bytes], ForkedWorkerPool] = {}
        self._started, self._last_used = 0, 0

    def watch_gpu(self) -> None:
        if self._card is not None and self._gpu is None and "landlock" in self.layers:
            self._gpu = GpuMemoryWatch(NvidiaCard(self._card), self._limits.gpu_memory_mb << 20)
            self._gpu.start()

    def start(
        self, imports: Sequence[str] = (), gpu: bool = False, load: Load | None = None, calls: bytes = b""
    ) -> Worker:
        self._started += 1
        if load and not gpu and (prepared := self._prepared_for(tuple(imports), load, calls)):
            pool, has_calls = prepared
            worker = pool.start()
            worker.prepared, pool._last_used = has_calls, self._started
            return worker
        ours, theirs = socket.socketpair()
        read, write = os.pipe()
        inputs = SharedMemory()
        try:
            send(self._control, Fork(tuple(imports), gpu), [theirs.fileno(), write, inputs.descriptor])
            forked = self._reply(Forked)
        except OSError as error:
            ours.close()
            os.close(read)
            inputs.close()
            raise MachineError(f"the worker pool cannot fork a worker: {error}") from error
        finally:
            theirs.close()
            os.close(write)
            inputs.detach()
        channel = Channel(ours, Reply, payload_cap=self._limits.value_mb << 20)
        output = PipeOutput(read, self._limits.output_kb << 10)
        channel.watch(output)
        worker = Worker(channel, output, self, forked.pid)
        worker.shared = inputs
        if gpu and self._gpu and forked.number is not None:
            worker.on_gpu = OnGpu(self._gpu, forked.number)
        return worker

    def _prepared_for(self, imports: tuple[str, ...], load: Load, calls: bytes) -> tuple[ForkedWorkerPool, bool] | None:
        """Return the pool whose workers lack what an exercise forbids: taking it out costs as much as a hundred calls.

        They have the inputs of `calls` if True comes with it: of a course with more exercises than PREPARED only the
        first get a pool of that kind, since each would be ended before its turn comes again. None if nothing is to be
        prepared, or the request is too long to send.
        """
        key = imports, load.forbid, calls
        alike = [kept for kept in self._prepared if bool(kept[2]) == bool(calls)]
        full = len(alike) >= PREPARED and key not in self._prepared
        if calls and full and self._prepared[alike[0]]._last_used > self._started - UNUSED:
            return self._prepared_for(imports, load, b"")
        if not calls and not any(load.withheld):
            return None
        pool = self._prepared.pop(key, None)
        if pool and pool.gone:  # somebody ended it
            pool.close()
            pool = None
        if pool is None:
            if not fits(what := Prepare(imports, load.forbid, load.withheld)):
                return None
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs, open(os.memfd_create("calls"), "w+b") as content:
                content.write(calls)
                content.seek(0)
                self._send(what, [theirs.fileno(), content.fileno()])
            pool = ForkedWorkerPool(ours, self._limits)
        self._prepared[key] = pool
        if full:
            self._prepared.pop(alike[0]).close()
        return pool, bool(calls)

    @property
    def gone(self) -> bool:
        """True if the process that forks has ended."""
        poller = select.poll()
        poller.register(self._control, 0)
        return bool(poller.poll(0))

    def close(self) -> None:
        """Let the pool end, and all workers with it."""
        for pool in self._prepared.values():
            pool.close()
        self._control.close()

    def tell(self, pid: int, what: What, limit: int | None = None) -> Exited | Times | Limited:
        """Do this with a worker, or ask about it, see `OfWorker`. Raises MachineError."""
        if what == "end":
            with contextlib.suppress(OSError):  # a pool that is gone took its workers along
                send(self._control, OfWorker(pid, what))
            return Limited()
        fault = WorkerEnded if what == "exit" else MachineError
        self._send(OfWorker(pid, what, limit), fault=fault)
        return self._reply(ANSWERS[what], fault) if what in ANSWERS else Limited()

    def _send(self, message: Message, fds: Sequence[int] = (), fault: type[MachineError] = MachineError) -> None:
        try:
            send(self._control, message, fds)
        except OSError as error:
            raise fault(f"the worker pool is gone: {error}") from error

    def _reply(self, expects: type[M], fault: type[MachineError] = MachineError) -> M:
        reply, _ = receive(self._control, PoolReady | Forked | ForkFailed | Exited | Limited | Times)  # type: ignore[arg-type] # a union is a type too
        if isinstance(reply, expects):
            return reply
        said = reply.reason if isinstance(reply, ForkFailed) else "it is gone"
        raise fault(f"the worker pool failed: {said}")
