"""A worker that computes on a GPU opens its driver's devices and no others, and makes requests of these only.

The driver is a folder that stands for /dev, with links to devices that every machine has.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path

import pytest
from confined import said
from msgspec.structs import replace
from support import OPTIONS, TOY

from grader.batch.grading_processes import ForkServer, gpu_limits, worker_limits
from grader.course import course
from grader.sandbox.confinement import landlock, libc, nvidia

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux only")
OLD = libc.attempt(lambda: landlock.build([])) or landlock.version() < landlock.IOCTL_SINCE
NODES = {"nvidiactl": "ptmx", "nvidia-uvm": "zero", "nvidia0": "full", "nvidia1": "random", "nvidia-caps": "null"}


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    """Two cards; /dev/ptmx, which knows a request of its own, stands for the driver's control device."""
    for name, real in NODES.items():
        (tmp_path / name).symlink_to(f"/dev/{real}")
    return tmp_path


@pytest.fixture
def driver(dev: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(nvidia, "DEV", str(dev))
    return dev


def test_which_cards_and_devices_there_are(driver):
    assert nvidia.cards() == [0, 1]
    assert [os.path.basename(d) for d in nvidia.devices(1)] == ["nvidiactl", "nvidia-uvm", "nvidia1"]
    (driver / "nvidiactl").unlink()
    assert nvidia.cards() == []


TRIES = """
import fcntl, os, struct
from grader.sandbox.confinement import landlock, layers, libc, nvidia, seccomp
nvidia.DEV = {dev!r}
PTMX_NUMBER, ENTROPY = 0x80045430, 0x80045200
def opened(name): return os.open(os.path.join(nvidia.DEV, name), os.O_RDWR)
def asked(fd, request): return len(fcntl.ioctl(fd, request, bytes(512)))
def tried(action):
    try: return action()
    except OSError as error: return os.strerror(error.errno)
"""


def tries(dev: Path, code: str) -> list[str]:
    return said(TRIES.format(dev=str(dev)) + code).splitlines()


@pytest.mark.skipif(bool(OLD), reason=f"needs Landlock {landlock.IOCTL_SINCE} (Linux 6.10) or newer")
def test_landlock_opens_what_the_card_needs_and_lets_ioctl_work_there_only(dev):
    said = tries(
        dev,
        """
libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
landlock.restrict(landlock.build(["/dev/urandom"], ["/dev/tty"], [], nvidia.devices(0)), quiet=True)
print(tried(lambda: asked(opened("nvidiactl"), PTMX_NUMBER)))
for name in ("nvidia-uvm", "nvidia0", "nvidia1", "nvidia-caps"):
    print(name, tried(lambda: opened(name) > 0))
print(tried(lambda: asked(os.open("/dev/urandom", os.O_RDONLY), ENTROPY)))
""",
    )
    denied = "Permission denied"
    opened = ["nvidia-uvm True", "nvidia0 True", f"nvidia1 {denied}", f"nvidia-caps {denied}"]
    assert said == ["512", *opened, denied]


CONFINED = """
plan = layers.prepare(layers.ProcessLimits(1 << 30, 20, card={card}), layers.default_readable())
child = os.fork()
if child:
    os._exit(os.waitpid(child, 0)[1])
layers.confine(plan)
import mmap, socket
def listens():
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as own:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        own.bind("\\0cuda-uvmfd-test")
        own.listen()
        return "listens"
for action in (
    lambda: asked(opened("nvidia0"), 0xC020462A),  # RM_CONTROL, which this device does not know
    lambda: asked(opened("nvidia-uvm"), 0x30000001),
    lambda: asked(opened("nvidiactl"), PTMX_NUMBER),
    lambda: asked(opened("nvidiactl"), 0xC0104639),  # another of the driver's, not on the list
    lambda: asked(opened("nvidia-uvm"), 62),  # read another process's memory
    lambda: opened("nvidia1"),
    lambda: len(mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)) >> 30,
    listens,
    lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
):
    print(tried(action), flush=True)
os._exit(0)
"""
UNKNOWN, REFUSED, DENIED = "Inappropriate ioctl for device", "Operation not permitted", "Permission denied"


def test_a_confined_worker_with_a_card(dev):
    said = tries(dev, CONFINED.format(card=0))
    assert said == [UNKNOWN, UNKNOWN, *[REFUSED] * 3, DENIED, "64", "listens", *[REFUSED] * 2]


def test_a_confined_worker_without_one(dev):
    said = tries(dev, CONFINED.format(card=None))
    assert said == [*[DENIED] * 6, "Cannot allocate memory", *[REFUSED] * 3]


def test_grading_processes_share_the_cards_and_keep_off_them_where_cuda_is_not_asked_for(monkeypatch, driver):
    toy = course.load(TOY)
    asks = dataclasses.replace(toy, settings=dataclasses.replace(toy.settings, devices=("cpu", "cuda")))
    server = ForkServer({}, confined=True)
    auto, cpu = (replace(OPTIONS, device=device) for device in ("auto", "cpu"))
    given = [
        server._card_for(of, how) for of, how in ((asks, auto), (asks, auto), (asks, auto), (asks, cpu), (toy, auto))
    ]
    server.close()
    assert given == [0, 1, 0, None, None]
    assert worker_limits(toy.settings.limits).card is None
    assert gpu_limits(toy.settings.limits, 1).card == 1
