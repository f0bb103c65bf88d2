"""Landlock: a process gives up its own right to open files, to use TCP, to signal others."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

from grader.sandbox.confinement import libc

# The numbers are the same on every architecture that PyTorch is built for.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1

_WRITE_FILE, _READ_FILE, _READ_DIR, _IOCTL_DEV = 1 << 1, 1 << 2, 1 << 3, 1 << 15
# All file rights that a version knows: what is not named here stays allowed.
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_TCP_BIND_AND_CONNECT = 0b11  # version 4
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11  # version 6
_DO_NOT_LOG = 1  # a loop of refused opens must not fill the machine's audit log
NEWEST = 7
QUIET_SINCE = 7
IOCTL_SINCE = 5  # the version from which on a request of a device is a right of its own


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("path", ctypes.c_int32))


def version() -> int:
    """Return the kernel's Landlock version (ABI), at least 1.

    Raises: OSError: ENOSYS (not built in, or kept out by a container), EOPNOTSUPP (off at boot).
    """
    return libc.call("syscall", _CREATE_RULESET, None, 0, _ASK_VERSION)


OLDEST_KERNEL = (5, 13)
ANOTHER_MACHINE = "or grade on a machine that has it: Debian 12, Ubuntu 22.04, Fedora 35 and newer do, virtual ones too"


def remedy() -> str:
    """Return what exactly to do on this machine to get Landlock."""
    try:
        version()
    except OSError as error:
        return f"{_missing(error.errno, os.uname().release, _modules())}; {ANOTHER_MACHINE}"
    return ANOTHER_MACHINE.removeprefix("or ")


def _missing(error: int | None, kernel: str, modules: str) -> str:
    numbers = [int(n) for n in re.findall(r"\d+", kernel)[:2]]
    if error == errno.EOPNOTSUPP:
        return (
            f"this kernel has Landlock, switched off: add lsm=landlock,{modules} to GRUB_CMDLINE_LINUX in "
            "/etc/default/grub, run update-grub (on Fedora: grub2-mkconfig -o /boot/grub2/grub.cfg), restart"
        )
    if tuple(numbers) < OLDEST_KERNEL:
        return f"kernel {kernel} is too old: install 5.13 or newer (apt-get install linux-image-generic) and restart"
    return (
        "this kernel was built without Landlock, or the container keeps it out: use Docker 23, Podman 4 or newer on a "
        "kernel that has it; gVisor has none"
    )


def _modules() -> str:
    """Return the active security modules, as the boot option names them."""
    try:
        found = Path("/sys/kernel/security/lsm").read_text(encoding="ascii").strip()
    except OSError:
        found = ""
    return found or "lockdown,yama,integrity,apparmor,bpf"


def build(
    readable: Iterable[str], writable: Iterable[str] = (), listable: Iterable[str] = (), devices: Iterable[str] = ()
) -> int:
    """Build a ruleset that denies everything that this kernel can deny, except reading `readable`.

    readable: files, or folders with all beneath them; listing included.
    listable: folders in which names may be looked up.
    writable: files that may be read and written; nothing can be made, cut or removed.
    devices: the same, and `ioctl` works on them; on no other device from version 5 on.
    Returns: the ruleset's file descriptor, close-on-exec.
    Raises: OSError if Landlock or a path is missing.
    """
    abi = min(version(), NEWEST)
    attributes = _Ruleset(
        files=max(rights for since, rights in _FILE_RIGHTS.items() if since <= abi),
        network=_TCP_BIND_AND_CONNECT if abi >= 4 else 0,
        scoped=_ABSTRACT_SOCKETS_AND_SIGNALS if abi >= 6 else 0,
    )
    # An older kernel refuses a longer structure unless what it does not know is zero: it is.
    size = ctypes.sizeof(attributes)
    ruleset = libc.call("syscall", _CREATE_RULESET, ctypes.byref(attributes), size, 0)
    try:
        for path in readable:
            _allow(ruleset, path, _READ_FILE | _READ_DIR)
        for path in writable:
            _allow(ruleset, path, _READ_FILE | _WRITE_FILE)
        for path in listable:
            _allow(ruleset, path, _READ_DIR)
        for path in devices:
            _allow(ruleset, path, (_READ_FILE | _WRITE_FILE | _IOCTL_DEV) & attributes.files)
    except OSError:
        os.close(ruleset)
        raise
    return ruleset


def _allow(ruleset: int, path: str, rights: int) -> None:
    anchor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(anchor).st_mode):
            rights &= ~_READ_DIR
        rule = _PathBeneath(allowed=rights, path=anchor)
        libc.call("syscall", _ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(anchor)


def restrict(ruleset: int, quiet: bool) -> None:
    """Put this thread, and all that it starts, under the ruleset, for good. Needs no_new_privs.

    quiet: keep refusals out of the audit log; from version 7 on.
    Raises: OSError.
    """
    libc.call("syscall", _RESTRICT_SELF, ruleset, _DO_NOT_LOG if quiet else 0)
