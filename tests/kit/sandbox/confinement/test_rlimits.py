"""How much a worker may use, and that it cannot raise it."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from confined import Run, outcome, said

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux only")


def test_each_limit_is_set_and_never_above_the_one_in_force() -> None:
    """rlimits alone, without the other layers."""
    code = """
import resource
from grader.sandbox.confinement import rlimits
resource.setrlimit(resource.RLIMIT_NOFILE, (20, 32))
now = rlimits.address_space()
rlimits.apply(rlimits.ProcessLimits(memory_bytes=1 << 28, cpu_seconds=7, open_files=64, stack_bytes=1 << 20), tasks=5)
for name in ("CPU", "NOFILE", "NPROC", "STACK", "FSIZE", "CORE"):
    print(name, *resource.getrlimit(getattr(resource, f"RLIMIT_{name}")))
print("AS", 0 <= resource.getrlimit(resource.RLIMIT_AS)[0] - now - (1 << 28) < 1 << 24)
"""
    assert said(code).splitlines() == [
        "CPU 7 8", "NOFILE 32 32", "NPROC 5 5", f"STACK {1 << 20} {1 << 20}", "FSIZE 0 0", "CORE 0 0", "AS True",
    ]  # fmt: skip


def test_a_worker_on_a_gpu_has_its_address_space_free() -> None:
    code = """
import resource
from grader.sandbox.confinement import rlimits
before = resource.getrlimit(resource.RLIMIT_AS)
rlimits.apply(rlimits.ProcessLimits(memory_bytes=1 << 20, cpu_seconds=7, card=0), tasks=500)
print(resource.getrlimit(resource.RLIMIT_AS) == before)
"""
    assert said(code) == "True\n"


def test_limits_cannot_be_raised(run: Run) -> None:
    code = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))"
    assert outcome(run(code)).startswith(("ValueError", "PermissionError"))


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("import torch; torch.empty(2 << 30, dtype=torch.uint8)", "RuntimeError"),
        ("bytearray(2 << 30)", "MemoryError"),
        ("kept = []\nwhile True: kept.append(bytearray(20 << 20))", "MemoryError"),
    ],
)
def test_memory_is_bounded(run: Run, code: str, error: str) -> None:
    assert outcome(run(code, memory_bytes=1 << 26)).startswith(error)


def test_processor_time_is_bounded(run: Run) -> None:
    assert run("while True: pass", cpu_seconds=1)["status"] in (-signal.SIGXCPU, -signal.SIGKILL)


def test_open_files_are_bounded(run: Run) -> None:
    code = "import os\nkept = []\ntry:\n  while True: kept.append(os.dup(1))\nexcept OSError: result = len(kept)"
    assert outcome(run(code)) == "ok 61"


def test_a_thread_bomb_ends_at_the_limit(run: Run) -> None:
    code = """
import _thread, threading
threading.stack_size(32768)
lock = _thread.allocate_lock(); lock.acquire(); result = 0
try:
    while result < 20000:
        _thread.start_new_thread(lock.acquire, ()); result += 1
except RuntimeError:
    pass"""
    answer = run(code)
    threads = int(outcome(answer).removeprefix("ok "))
    counted_alone = os.geteuid() == 0 and "namespaces" in answer["layers"]
    assert threads == 64 if counted_alone else 64 <= threads < 20000


def test_root_whose_threads_nothing_counts_gets_none() -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root")
    code = """
import _thread, os, struct
from grader.sandbox.confinement import layers, libc
libc.call("capset", struct.pack("=II", 0x20080522, 0), bytes(24))
plan = layers.prepare(layers.ProcessLimits(1 << 28, 5), layers.default_readable())
if not os.fork():
    layers.confine(plan)
    try: _thread.start_new_thread(int, ())
    except RuntimeError as error: os.write(1, str(error).encode())
    os._exit(0)
os.wait()
"""
    assert said(code) == "can't start new thread"
