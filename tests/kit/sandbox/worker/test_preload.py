"""What is done once before the fork: after it, a worker's first call needs no file and little time."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch
from support import ENVIRONMENT, ROOT

from grader.sandbox.processes import Returned
from grader.sandbox.worker import preload, worker

PROGRAM = f"""
import sys; sys.path.insert(0, {str(ROOT)!r})
import gc, os, torch
from grader.sandbox.worker.preload import preload
preload()
print(len(os.listdir("/proc/self/task")), "torch._dynamo" in sys.modules, "sympy" in sys.modules)
print(gc.get_freeze_count() > 100_000, torch.get_num_threads(), os.environ["TORCHINDUCTOR_CACHE_DIR"])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
@pytest.mark.skipif(any(map(os.path.exists, preload.DRIVERS)), reason="a GPU's driver starts threads")
def test_it_leaves_one_thread_and_no_compiler_behind() -> None:
    environment = {**ENVIRONMENT, "OPENBLAS_NUM_THREADS": "1"}  # as the fork server sets it
    command = [sys.executable, "-I", "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd="/", check=True)
    assert done.stdout.splitlines() == ["1 False False", "True 1 /"]  # the one folder that each worker has


@pytest.mark.parametrize("way", ["", "watch", "contract", "gradients"])
def test_the_rehearsal_is_a_call_that_works(way: str) -> None:
    """A rehearsal that only raised would warm nothing."""
    session = worker.Session({"usual": preload.usual, "short": preload.short})
    for function in ("usual", "short"):
        reply, _ = session.answer(*preload.request(function, torch.ones(2, 3, 4), way))
        assert isinstance(reply, Returned), reply
