"""Processes where nothing can be forked safely (macOS, Windows): one Python for each role, over loopback.

A learner's own work is checked this way everywhere. It is a process boundary without confinement.
"""

from __future__ import annotations

import hmac
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import grader
from grader.errors import MachineError
from grader.sandbox.processes import processor_time
from grader.sandbox.processes.channel import Channel
from grader.sandbox.processes.fork_messages import OUTSIDE, Exited, Limited, What, entry_point
from grader.sandbox.processes.output import FileOutput
from grader.sandbox.processes.processor_time import Times
from grader.sandbox.processes.worker_messages import Load, Reply
from grader.sandbox.processes.worker_pool import Worker

START_SECONDS = 60.0
STOP_SECONDS = 30.0
_BOOT = (
    "import sys; sys.path.insert(0, sys.argv[1]); from grader.sandbox.processes import portable; "
    "portable.main(sys.argv[2])"
)


def start(entry: str, output: int | None, environment: dict[str, str]) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a process that calls `entry` (`module:name`) with a socket to us; return it and our end of the socket.

    Raises:
        MachineError: it did not start.
    """
    token = secrets.token_bytes(32)
    with socket.create_server(("127.0.0.1", 0)) as server:
        root = str(Path(grader.__path__[0]).resolve().parent)
        command = [sys.executable, "-I", "-X", "utf8", "-c", _BOOT, root, entry]
        streams = subprocess.DEVNULL if output is None else output
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=streams, stderr=streams, env=environment)
        assert process.stdin is not None
        process.stdin.write(f"{token.hex()} {server.getsockname()[1]}\n".encode())
        process.stdin.flush()  # and left open: its end tells the process that nobody needs it any more
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            server.settimeout(1.0)
            try:
                sock, _ = server.accept()
            except TimeoutError:
                continue
            sock.settimeout(START_SECONDS)
            if hmac.compare_digest(sock.recv(32), token):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return process, sock
            sock.close()
    stop(process)
    raise MachineError(f"a process for {entry} did not start; try `{sys.executable} -c 'import torch'`")


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process that `start` started."""
    process.kill()
    process.wait(STOP_SECONDS)
    assert process.stdin is not None
    process.stdin.close()


def main(entry: str) -> None:
    """Run the started process: connect back, then run `entry`, at most as long as the starter lives."""
    token, port = sys.stdin.buffer.readline().split()
    threading.Thread(target=_end_with, args=(os.dup(0),), daemon=True).start()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sock = socket.create_connection(("127.0.0.1", int(port)))
    sock.sendall(bytes.fromhex(token.decode()))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    entry_point(entry)(sock)


def _end_with(starter: int) -> None:
    """Wait until the process at the other end of this pipe is gone, then exit too, whatever is running."""
    os.read(starter, 1)
    os._exit(0)


class SpawnedWorkerPool:
    """Workers as processes of their own. Each takes seconds to start, so with `ahead` the next is prepared."""

    layers: tuple[str, ...] = ()

    def __init__(self, worker: str, environment: dict[str, str], ahead: bool = False) -> None:
        self._worker = worker
        self._environment = environment
        self._starter = ThreadPoolExecutor(1) if ahead else None
        self._next: Future[Worker] | None = None

    def watch_gpu(self) -> None:
        """Do nothing: no worker is confined here, so no memory is bounded."""

    def start(
        self, imports: Sequence[str] = (), gpu: bool = False, load: Load | None = None, calls: bytes = b""
    ) -> Worker:
        if self._starter is None:
            return self._started()
        ready = self._next or self._starter.submit(self._started)
        self._next = None  # should it fail, the one after it is another
        worker = ready.result()
        self._next = self._starter.submit(self._started)
        return worker

    def _started(self) -> Worker:
        output = FileOutput()
        process, sock = start(self._worker, output.file.fileno(), self._environment)
        return Worker(Channel(sock, Reply), output, self, process)

    def tell(self, process: subprocess.Popen[bytes], what: What, limit: int | None = None) -> Exited | Times | Limited:
        """Act as `ForkedWorkerPool` does; nothing can be limited here."""
        match what:
            case "end":
                stop(process)
            case "interrupt" if hasattr(signal, "SIGUSR1"):
                process.send_signal(signal.SIGUSR1)
            case "times":
                return processor_time.of(process.pid)
            case "exit":
                try:
                    return Exited(code := process.wait(1.0), -code in OUTSIDE)
                except subprocess.TimeoutExpired:
                    return Exited(None)
                finally:
                    stop(process)
        return Limited()
