"""The parts of NVIDIA's driver that a worker needs to compute on one card, as data: devices, files, requests, calls.

The requests are those that gVisor's nvproxy passes on for computing (`pkg/abi/nvgpu`), without those that read or write
another process's memory; devices and files are those that the container toolkit mounts; the socket is the one that
libcuda binds at its start. Not yet compared with a trace from a card.
"""

from __future__ import annotations

import glob
import os
import re

DEV = "/dev"
CONTROL = "nvidiactl"  # there wherever the driver is
_SHARED = (CONTROL, "nvidia-uvm", "nvidia-uvm-tools")
_READ = (
    "/proc/driver/nvidia", "/proc/devices", "/proc/sys/vm/mmap_min_addr", "/sys/devices/system/memory/block_size_bytes",
    "/usr/local/nvidia", "/usr/lib/wsl", "/usr/local/cuda/compat",
)  # fmt: skip

# Of /dev/nvidiactl and /dev/nvidiaN, by number: card info, register a descriptor, events (2), version, attach, system
# parameters, wait for open; then allocate memory, free, control, allocate, duplicate, share, heap, map, unmap, remap.
_FRONTEND = (200, 201, 206, 207, 210, 212, 214, 218, 0x27, 0x29, 0x2A, 0x2B, 0x34, 0x35, 0x4A, 0x4E, 0x4F, 0x5E)
# Of /dev/nvidia-uvm, whole: ranges, address spaces, channels, peers, mappings, cards, where memory lies, semaphores.
_UVM = (
    0x30000001, 0x30000002, 23, 24, 25, 26, 27, 28, 29, 30, 31, 33, 34, 37, 38, 39, 42, 43, 45, 47, 51, 53, 65, 66, 68,
    72, 73, 75,
)  # fmt: skip
_EQUAL, _MASKED_EQUAL = 4, 7
_TYPE_AND_NUMBER, _TYPE = 0xFFFF, ord("F") << 8  # of a request; the rest is direction and size, which versions change
_UNIX, _SEQPACKET, _KIND, _SOL_SOCKET, _SO_PASSCRED = 1, 5, 0xF, 1, 16

# As `seccomp.build` takes them: a call, and what its arguments must be.
CALLS: tuple[tuple[str, tuple[tuple[int, int, int, int], ...]], ...] = (
    *((name, ()) for name in ("eventfd2", "pipe", "pipe2", "statfs", "fstatfs", "get_mempolicy")),
    *((name, ()) for name in ("sched_get_priority_min", "sched_get_priority_max", "sched_getparam")),
    # It listens on a socket of its own to hand descriptors to other processes, and fails without. Nobody comes: a
    # worker may neither connect nor accept, and no name in a folder is writable.
    ("socket", ((0, _EQUAL, _UNIX, 0), (1, _MASKED_EQUAL, _KIND, _SEQPACKET))),
    ("setsockopt", ((1, _EQUAL, _SOL_SOCKET, 0), (2, _EQUAL, _SO_PASSCRED, 0))),
    ("bind", ()),
    ("listen", ()),
    *(("ioctl", ((1, _MASKED_EQUAL, _TYPE_AND_NUMBER, _TYPE | number),)) for number in _FRONTEND),
    *(("ioctl", ((1, _EQUAL, request, 0),)) for request in _UVM),
)


def cards() -> list[int]:
    """Return the numbers of this machine's cards that have a driver."""
    if not os.path.exists(f"{DEV}/{CONTROL}"):
        return []
    found = (re.fullmatch(r"nvidia(\d+)", os.path.basename(path)) for path in glob.glob(f"{DEV}/nvidia[0-9]*"))
    return sorted(int(match[1]) for match in found if match)


def devices(card: int) -> tuple[str, ...]:
    """Return the devices that a worker on this card opens to write and to make requests of the driver."""
    return tuple(path for name in (*_SHARED, f"nvidia{card}") if os.path.exists(path := f"{DEV}/{name}"))


def readable() -> tuple[str, ...]:
    """Return the files that libcuda reads."""
    return tuple(path for path in _READ if os.path.exists(path))
