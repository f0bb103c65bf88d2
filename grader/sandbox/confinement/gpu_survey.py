"""Surveys which layers hold on this machine's GPU; each is tried in a child that is thrown away."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from typing import BinaryIO

from grader.sandbox.confinement import gpu_memory, landlock, libc, nvidia, seccomp
from grader.sandbox.confinement.layers import Layer, refused, tried

_ENTROPY = 0x80045200  # RNDGETENTCNT, a request of /dev/urandom


def survey() -> tuple[Layer, ...]:
    """Return the layers that hold, or do not, on the NVIDIA cards; one line for an AMD card; nothing without a GPU."""
    found = [*itertools.starmap(tried, _PROBES if nvidia.cards() else ())]
    if os.path.exists(f"{nvidia.DEV}/kfd"):
        found.append(Layer("gpu", False, "AMD GPUs are not supported: checks run on the CPU", ""))
    return tuple(found)


def _confined_to_the_card() -> str:
    """Confine this process to what the card needs; return the path of the card's device."""
    card = nvidia.cards()[0]
    ruleset = landlock.build(["/dev/urandom"], devices=nvidia.devices(card))
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(ruleset, quiet=landlock.version() >= landlock.QUIET_SINCE)
    return f"{nvidia.DEV}/nvidia{card}"


def _probe_open() -> None:
    card = _confined_to_the_card()
    for path in (f"{nvidia.DEV}/{nvidia.CONTROL}", card):
        os.close(os.open(path, os.O_RDWR | os.O_CLOEXEC))
    refused(lambda: os.open("/dev/null", os.O_RDONLY), "opening another device")


def _probe_ioctl() -> None:
    if landlock.version() < landlock.IOCTL_SINCE:
        raise RuntimeError(f"Landlock {landlock.version()} does not rule requests of devices")
    _confined_to_the_card()
    with open("/dev/urandom", "rb") as other:
        refused(lambda: _request(other), "a request of another device")


def _probe_calls() -> None:
    program = seccomp.build(more=nvidia.CALLS)
    with open(f"{nvidia.DEV}/{nvidia.CONTROL}", "rb") as control:
        libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
        seccomp.install(program)
        refused(lambda: _request(control), "a request that is none of the driver's")


def _request(device: BinaryIO) -> None:
    import fcntl  # here: absent on Windows

    fcntl.ioctl(device, _ENTROPY, bytes(4))


def _probe_memory() -> None:
    gpu_memory.NvidiaCard(nvidia.cards()[0]).held()


_PROBES: tuple[tuple[str, str, str, Callable[[], None]], ...] = (
    (
        "gpu devices",
        "a worker opens the driver's devices and its own card's, no others",
        "let this user open /dev/nvidia* (in a container: --gpus all)",
        _probe_open,
    ),
    (
        "gpu ioctl",
        "requests of devices reach those of the driver only",
        "use Linux 6.10 or newer; until then the devices that can be opened and the list of requests hold without it",
        _probe_ioctl,
    ),
    ("gpu calls", "no requests and system calls but those that the driver needs", "see seccomp above", _probe_calls),
    (
        "gpu memory",
        "what each worker holds of the card's memory is watched",
        "pip install nvidia-ml-py, in containers run with --pid=host; until then strangers' code runs on the CPU",
        _probe_memory,
    ),
)
