"""A GPU that is none: workers confined as on one that compute on the CPU, and a card whose memory is made up."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from support import ENVIRONMENT

from grader.course import Limits
from grader.sandbox.confinement.gpu_memory import LOST, CardFault
from grader.sandbox.processes import ForkedWorkerPool

MB = 1 << 20
ROOT = Path(__file__).resolve().parents[2]
FILES = 200  # that a worker on the GPU may open, by which a student's file can tell where it runs
THERE = f"import os, resource\nTHERE = resource.getrlimit(resource.RLIMIT_NOFILE)[0] == {FILES}\n"
POOL = f"""
import socket, sys
sys.path.insert(0, {str(ROOT)!r})
from grader.sandbox.confinement import ProcessLimits
from grader.sandbox.processes import StartGrading, pool_server
from grader.sandbox.worker.preload import preload
preload()
limits, gpu = ProcessLimits(1 << 29, 60), ProcessLimits(1 << 29, 60, {FILES}, card=0)
request = StartGrading("", "grader.sandbox.worker.worker:run", limits, True, gpu=gpu)
pool_server.serve(socket.socket(fileno=int(sys.argv[1])), request)
"""


class Card:
    """A card of 8000 MB: what each of our workers holds, and what others do."""

    def __init__(self) -> None:
        self.pids: list[int] = []
        self.each = self.others = 0
        self.lost = False

    def held(self) -> dict[int, int]:
        if self.lost:
            raise CardFault(LOST.format(error="GPU is lost"))
        return dict.fromkeys(self.pids, self.each * MB)

    def free(self) -> int:
        return (8000 - self.others - self.each) * MB


@contextlib.contextmanager
def worker_pool(limits: Limits) -> Iterator[ForkedWorkerPool]:
    """One whose workers are as a fork server's, on the CPU and on the stand-in for a GPU."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-c", POOL, str(theirs.fileno())]
    environment = {**ENVIRONMENT, "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment)
    theirs.close()
    pool = ForkedWorkerPool(ours, limits)
    try:
        yield pool
    finally:
        pool.close()
        process.wait(10)
