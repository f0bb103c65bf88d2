"""Where workers come from: forked and confined by the warm parent, or started as processes of their own."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from grader import portable, warm
from grader.channel import Channel, ChannelError, Drain
from grader.course import Limits
from grader.errors import MachineError

NURSERY_SECONDS = 30.0
READY_SECONDS = 60.0


class Nursery(Protocol):
    """Starts and ends worker processes."""

    layers: tuple[str, ...]

    def start(self) -> Worker:
        """Raises MachineError."""


class Worker:
    """One worker process: its channel and what it prints."""

    def __init__(self, channel: Channel, output: Output, nursery: Any, handle: Any) -> None:
        self.channel = channel
        self.output = output
        self._nursery = nursery
        self._handle = handle

    def wait_until_ready(self) -> None:
        """Before any student code: the worker is confined and serves. Raises MachineError."""
        try:
            ready, _ = self.channel.receive(time.monotonic() + READY_SECONDS)
        except ChannelError as error:
            printed = self.output.text(2000)
            raise MachineError(f"a worker could not be confined ({type(error).__name__}): {printed}") from error
        if ready != {"ready": True}:
            raise MachineError("a worker started with a wrong word")

    def end(self) -> None:
        """Kill it, whatever it is doing."""
        self._nursery.end(self._handle)
        self._close()

    def why_dead(self) -> int | None:
        """The exit code of a worker that has gone silent, negative for a signal; None if it lived and was killed."""
        code: int | None = self._nursery.why_dead(self._handle)
        self._close()
        return code

    def _close(self) -> None:
        self.channel.close()
        self.output.close()


class Output(Protocol):
    """Where a worker's prints go."""

    def text(self, limit: int) -> str: ...
    def close(self) -> None: ...


class PipeOutput(Drain):
    """A private pipe, emptied while the grader waits."""

    def text(self, limit: int) -> str:
        with contextlib.suppress(OSError):
            self.pump()
        return self.kept[:limit].decode("utf-8", "replace")


class ForkNursery:
    """Workers forked and confined by the warm parent's nursery process."""

    def __init__(self, control: socket.socket, limits: Limits) -> None:
        self._control = control
        self._limits = limits
        control.settimeout(NURSERY_SECONDS)
        self.layers = tuple(self._reply()["layers"])

    def start(self) -> Worker:
        ours, theirs = socket.socketpair()
        read, write = os.pipe()
        try:
            warm.send(self._control, {"op": "fork"}, [theirs.fileno(), write])
            pid = self._reply()["pid"]
        except OSError as error:
            ours.close()
            os.close(read)
            raise MachineError(f"the nursery cannot fork a worker: {error}") from error
        finally:
            theirs.close()
            os.close(write)
        channel = Channel(ours, payload_cap=self._limits.value_mb << 20)
        output = PipeOutput(read, self._limits.output_kb << 10)
        channel.watch(output)
        return Worker(channel, output, self, pid)

    def end(self, pid: int) -> None:
        self._send({"op": "end", "pid": pid})

    def why_dead(self, pid: int) -> int | None:
        self._send({"op": "why", "pid": pid})
        code: int | None = self._reply()["code"]
        return code

    def _send(self, message: dict[str, Any]) -> None:
        try:
            warm.send(self._control, message)
        except OSError as error:
            raise MachineError(f"the nursery is gone: {error}") from error

    def _reply(self) -> dict[str, Any]:
        reply, _ = warm.receive(self._control, 0)
        if reply is None or "failed" in reply:
            raise MachineError(f"the nursery failed: {reply['failed'] if reply else 'it is gone'}")
        return reply


class FileOutput:
    """A temporary file, for processes that share nothing else."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 -- closed in close()

    def text(self, limit: int) -> str:
        self.file.seek(0)
        return self.file.read(limit).decode("utf-8", "replace")

    def close(self) -> None:
        self.file.close()


class SpawnNursery:
    """Workers as processes of their own. Each takes seconds to start, so that with `ahead` the next is made ready."""

    layers: tuple[str, ...] = ()

    def __init__(self, environment: dict[str, str], ahead: bool = False) -> None:
        self._environment = environment
        self._starter = ThreadPoolExecutor(1) if ahead else None
        self._next: Future[Worker] | None = None

    def start(self) -> Worker:
        if self._starter is None:
            return self._started()
        ready = self._next or self._starter.submit(self._started)
        self._next = None  # should it fail, the one after it is another
        worker = ready.result()
        self._next = self._starter.submit(self._started)
        return worker

    def _started(self) -> Worker:
        output = FileOutput()
        process, sock = portable.start("worker", output.file.fileno(), self._environment)
        return Worker(Channel(sock), output, self, process)

    def end(self, process: subprocess.Popen[bytes]) -> None:
        portable.stop(process)

    def why_dead(self, process: subprocess.Popen[bytes]) -> int | None:
        try:
            return process.wait(1.0)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.end(process)
