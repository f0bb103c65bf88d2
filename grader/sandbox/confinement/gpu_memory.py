"""Watches memory on a GPU, which no limit of the system bounds, from outside, by process id, through NVML.

Between two looks a worker can take more than its share; it is then ended. The driver counts its own part, some hundred
megabytes a process.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import threading
from collections.abc import Mapping
from typing import Any, Protocol

LOOK_EVERY = 0.05  # seconds
MISSING = "nvidia-ml-py is not installed, without which nobody bounds a worker's GPU memory: pip install nvidia-ml-py"
LOST = "the GPU was lost ({error}); check the machine, then grade again"
CROWDED = (
    "the GPU's memory was full before a worker had its share of it (gpu_memory_mb in course.yaml); grade with fewer "
    "jobs, or when nobody else uses the card"
)
UNSEEN = (
    "NVIDIA's management library does not see the worker's process, so nobody would bound its GPU memory; run a "
    "container with --pid=host"
)
_LOST = ("GpuIsLost", "ResetRequired")


class CardFault(Exception):
    """A card cannot be read: it is unknown, has fallen off the bus, or was given up by the driver."""


class Card(Protocol):
    """The state of one card's memory. Each method raises CardFault."""

    def held(self) -> Mapping[int, int]:
        """Return the bytes that each process holds, by process id."""

    def free(self) -> int:
        """Return the number of free bytes."""


class NvidiaCard:
    """The card behind /dev/nvidia<number>. Raises CardFault if the library does not know it."""

    def __init__(self, number: int) -> None:
        try:
            self._library: Any = importlib.import_module("pynvml")
        except ImportError:
            raise CardFault(MISSING) from None
        try:
            self._library.nvmlInit()
            handles = map(self._library.nvmlDeviceGetHandleByIndex, range(self._library.nvmlDeviceGetCount()))
            self._handle = next(h for h in handles if self._library.nvmlDeviceGetMinorNumber(h) == number)
        except (self._library.NVMLError, StopIteration) as error:
            said = f"{type(error).__name__} {error}".strip()
            raise CardFault(f"NVIDIA's management library does not know card {number}: {said}") from error

    def held(self) -> Mapping[int, int]:
        with self._asking():
            running = self._library.nvmlDeviceGetComputeRunningProcesses(self._handle)
            return {process.pid: process.usedGpuMemory or 0 for process in running}

    def free(self) -> int:
        with self._asking():
            return int(self._library.nvmlDeviceGetMemoryInfo(self._handle).free)

    @contextlib.contextmanager
    def _asking(self) -> Any:
        try:
            yield
        except self._library.NVMLError as error:
            if type(error).__name__.removeprefix("NVMLError_") in _LOST:
                raise CardFault(LOST.format(error=error)) from error
            raise CardFault(f"NVIDIA's management library: {error}") from error


class GpuMemoryWatch:
    """Looks at a card, and ends each worker that holds more than its share of `most` bytes."""

    def __init__(self, card: Card, most: int) -> None:
        self._card, self.most = card, most
        self._followed: dict[int, OnGpu] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self.fault: str | None = None
        """Why the card cannot be used any more; for good."""

    def start(self) -> None:
        """Look repeatedly, in a thread, until `close`."""

        def go_on_looking() -> None:
            while not self._closed.wait(LOOK_EVERY) and not self.fault:
                self.look()

        threading.Thread(target=go_on_looking, daemon=True).start()

    def close(self) -> None:
        self._closed.set()

    def follow(self, pid: int, worker: OnGpu) -> None:
        """Watch this process from now on."""
        with self._lock:
            self._followed[pid] = worker

    def forget(self, pid: int) -> None:
        """Stop watching a process that has ended or is about to: another may get its number."""
        with self._lock:
            self._followed.pop(pid, None)

    def look(self) -> None:
        """Look once."""
        with self._lock:
            try:
                held, free = self._card.held(), self._card.free()
            except CardFault as error:
                self.fault = str(error)
                return
            for pid, worker in self._followed.items():
                worker.most = max(worker.most, held.get(pid, 0))
                worker.least_free = free if worker.least_free is None else min(worker.least_free, free)
                if held.get(pid, 0) > self.most:
                    worker.ended = True
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)


class OnGpu:
    """One worker on a watched card: the most bytes that it held, and the fewest that were free meanwhile.

    ended: True if it was ended because it held more than its share.
    """

    def __init__(self, watch: GpuMemoryWatch, pid: int) -> None:
        self._watch, self._pid = watch, pid
        self.most, self.ended = 0, False
        self.least_free: int | None = None
        watch.follow(pid, self)

    @property
    def visible(self) -> bool:
        """True if it was ever seen to hold memory, as each process with a context does."""
        self._watch.look()
        return self.most > 0

    def forget(self) -> None:
        self._watch.forget(self._pid)

    def fault(self, out_of_memory: bool = False) -> str | None:
        """Return why the machine is to blame for the worker's last failure, if it is.

        out_of_memory: True if the worker says so itself. It is its own doing unless others held what its share lacks.
        """
        self._watch.look()
        crowded = self.least_free is not None and self.most + self.least_free < self._watch.most
        return self._watch.fault or (CROWDED if out_of_memory and crowded and not self.ended else None)
