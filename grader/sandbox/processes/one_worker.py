"""One worker for all files of a submission, where starting one costs too much: on a GPU, whose driver takes seconds.

Between two files the worker puts back what the first did to Python and torch, see `reset`. A worker that cannot, that
is slow, or that was given up is ended, and the next file gets another.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Literal

from grader.errors import MachineError
from grader.sandbox.processes.channel import NO_NONCE, ChannelError
from grader.sandbox.processes.worker_messages import Load, Raised, Renew, Renewed
from grader.sandbox.processes.worker_pool import Worker, WorkerPool

PUT_BACK_SECONDS = 10.0
WARM_SECONDS = 60.0  # the first time: the driver is loaded, a context is made


class OneWorkerPool:
    """Hands out the same worker again and again, as long as it can be reset.

    device: the device that the worker is prepared for before the first file. It is confined as one that may use a GPU,
        if there is any, on the CPU too.
    """

    def __init__(self, pool: WorkerPool, device: Literal["cpu", "cuda"]) -> None:
        self._pool, self._device = pool, device
        self.layers, self.watch_gpu = pool.layers, pool.watch_gpu
        self._idle: Worker | None = None

    def start(
        self, imports: Sequence[str] = (), gpu: bool = True, load: Load | None = None, calls: bytes = b""
    ) -> Worker:
        worker, self._idle = self._idle, None
        if worker:
            if not self._not_renewed(worker, PUT_BACK_SECONDS):
                worker.begun = worker.times()
                worker.limit_threads(True)
                worker.output.forget()
                return worker
            worker.end()
        return self._first(imports)

    def _first(self, imports: Sequence[str]) -> Worker:
        worker = self._pool.start(imports, gpu=True)
        worker.wait_until_ready()
        if why := self._not_renewed(worker, WARM_SECONDS):
            worker.end()
            raise MachineError(f"a worker could not be made ready for {self._device}: {why}")
        worker.begun = worker.times()
        worker.keep = self._keep
        return worker

    def _not_renewed(self, worker: Worker, seconds: float) -> str:
        """Return why the worker was not reset in time, "" if it was; late answers to earlier requests are skipped."""
        nonce, deadline = secrets.token_bytes(len(NO_NONCE)), time.monotonic() + seconds
        try:
            worker.channel.send(Renew(self._device), nonce=nonce, deadline=deadline)
            while (frame := worker.channel.receive(deadline)).nonce != nonce:
                pass
        except ChannelError as error:
            return f"{type(error).__name__} {worker.output.text(2000)}".strip()
        if isinstance(frame.message, Raised):
            return f"{' '.join(frame.message.types[:1])}: {frame.message.message[:200]}"
        return "" if frame.message == Renewed(True) else "the file before left something in it"

    def _keep(self, worker: Worker) -> None:
        """Take back a worker whose file is finished; of two, the older one is ended."""
        self.close()
        self._idle = worker

    def close(self) -> None:
        """End the worker: the next submission gets another."""
        if self._idle:
            self._idle.end()
        self._idle = None
