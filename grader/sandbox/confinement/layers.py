"""Confines a worker to computing: no file but Python's and torch's own, no process, no network, bounded memory.

A process that holds no secret calls `enter_namespaces`, has torch imported, calls `prepare` once, and forks; each
child calls `confine` before it sees student code. If a kernel lacks a layer, the layer is left out and `survey` says
what to do about it; if `prepare` promised a layer, `confine` applies it or raises.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.sandbox.confinement import empty_root, landlock, libc, namespaces, nvidia, rlimits, seccomp
from grader.sandbox.confinement.namespaces import enter_namespaces
from grader.sandbox.confinement.readable import default_readable, listable
from grader.sandbox.confinement.rlimits import ProcessLimits

__all__ = ["Layer", "Plan", "ProcessLimits", "confine", "default_readable", "enter_namespaces", "prepare", "survey"]

REQUIRED = frozenset({"landlock", "seccomp"})  # layers without which no stranger's code is run
_DEVICES = ("/dev/null",)  # writing there is honest (`redirect_stdout(open(os.devnull, "w"))`) and leads nowhere


@dataclass(frozen=True)
class Layer:
    """One layer of the sandbox on this machine: whether it holds, a detail or the reason, and the remedy."""

    name: str
    active: bool
    detail: str
    remedy: str


@dataclass(frozen=True)
class Plan:
    """The layers that `confine` applies, compiled once and good for any number of forks.

    layers: those that will be active; a report adds what `enter_namespaces` returned.
    ruleset: descriptor of the Landlock ruleset. It must be open when `confine` is called, which closes it.
    owner: pid of the process that prepared, and that forks.
    root: the folder that becomes `/`, see `own_root`.
    """

    limits: ProcessLimits
    layers: tuple[str, ...]
    ruleset: int | None
    quiet: bool
    program: bytes | None
    spare_ids: tuple[int, int] | None
    processes: int
    owner: int
    root: str | None = None


def own_root() -> str | None:
    """Make a root that shows workers only what they may read; None if the machine does not allow it.

    Call it once, in a mount namespace of one's own, see `enter_namespaces`.
    """
    return empty_root.build([*default_readable(), *_DEVICES])


def prepare(limits: ProcessLimits, readable: Sequence[str], root: str | None = None) -> Plan:
    """Compile all layers that this machine has.

    Call it in the process that will fork, after its imports, while it has one thread.
    readable: files, or folders with all beneath them, see `default_readable`. If `limits` names a GPU, its devices and
        what its driver reads come on top, see `nvidia`.
    root: the result of `own_root`.
    Raises: OSError if a path of `readable` is missing.
    """
    if sys.platform != "linux":
        return Plan(limits, (), None, False, None, None, 0, os.getpid())
    layers: list[str] = []
    ruleset, program, quiet = None, None, False
    devices, calls = ((), ()) if limits.card is None else (nvidia.devices(limits.card), nvidia.CALLS)
    driver = () if limits.card is None else nvidia.readable()
    spare = rlimits.spare_ids()
    processes = rlimits.tasks_allowed(limits, counted_alone=spare is not None)
    with contextlib.suppress(OSError):
        quiet = landlock.version() >= landlock.QUIET_SINCE
        layers.append("landlock")
    if layers:
        looked = [f"{root or ''}{folder}" for folder in listable(readable)]
        ruleset = landlock.build((*readable, *driver), _DEVICES, looked, devices)
    with contextlib.suppress(RuntimeError, OSError):
        # Root without the right to take another id: nothing would count its threads, so it gets none.
        program = seccomp.build(threads=spare is not None or os.geteuid() != 0, more=calls)
        layers.append("seccomp")
    return Plan(limits, (*layers, "rlimits"), ruleset, quiet, program, spare, processes, os.getpid(), root)


def confine(plan: Plan) -> None:
    """Give up, for good, everything that a worker does not need. Takes about a millisecond.

    Call it in a child of the process that prepared, before student code. Close other descriptors after it, or
    leave `plan.ruleset` open.
    Raises: OSError or RuntimeError if a layer of `plan.layers` cannot be applied. The process is then confined
        in part, and must not run student code.
    """
    if not plan.layers:
        return
    if len(os.listdir("/proc/self/task")) != 1:
        raise RuntimeError("confine() needs a process of one thread: the others would stay free")
    os.umask(0o077)
    os.chdir("/")
    if plan.spare_ids:
        rlimits.take_spare_id(*plan.spare_ids)
    rlimits.apply(plan.limits, plan.processes)
    if plan.root is not None:
        empty_root.enter(plan.root)
    libc.drop_capabilities()
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    libc.die_with_parent()
    if os.getppid() != plan.owner:
        raise RuntimeError("the fork server has died, or confine() was not called in its child")
    if plan.ruleset is not None:
        landlock.restrict(plan.ruleset, plan.quiet)
        os.close(plan.ruleset)
    if plan.program is not None:
        seccomp.install(plan.program)


def survey() -> tuple[Layer, ...]:
    """Try each layer in a child that is thrown away, and say what holds on this machine.

    Call it in a process of one thread.
    Returns: landlock, seccomp, rlimits, namespaces, root, in this order.
    """
    return tuple(itertools.starmap(tried, _PROBES))


def tried(name: str, detail: str, remedy: str | Callable[[], str], attempt: Callable[[], None]) -> Layer:
    """Return the layer as an attempt finds it in a child that is thrown away."""
    if not (problem := libc.attempt(attempt)):
        return Layer(name, True, detail, "")
    if sys.platform != "linux":
        remedy = "grade on Linux, or in a Linux container or WSL 2"
    return Layer(name, False, problem, remedy if isinstance(remedy, str) else remedy())


def refused(action: Callable[[], object], what: str) -> None:
    """Raise RuntimeError if the system allows this action."""
    try:
        action()
    except OSError:
        return
    raise RuntimeError(f"{what} was still possible")


def _probe_landlock() -> None:
    ruleset = landlock.build(["/dev/null"])
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(ruleset, quiet=landlock.version() >= landlock.QUIET_SINCE)
    refused(lambda: os.listdir("/"), "listing /")


def _probe_seccomp() -> None:
    program = seccomp.build()
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(program)
    refused(os.fork, "fork")


def _probe_rlimits() -> None:
    rlimits.apply(ProcessLimits(memory_bytes=1 << 26, cpu_seconds=1), 1)
    import mmap

    refused(lambda: mmap.mmap(-1, 1 << 27), "taking memory over the limit")


def _probe_namespaces() -> None:
    missing = namespaces.ESSENTIAL - set(namespaces.unshare())
    if missing:
        raise RuntimeError(f"this machine grants no namespace of its own for: {', '.join(sorted(missing))}")


def _probe_root() -> None:
    if "mount" not in namespaces.unshare():
        raise RuntimeError("this machine grants no mount namespace of its own")
    place = own_root()
    if place is None:
        raise RuntimeError("this machine does not let a process mount, so workers can ask whether a path exists")
    empty_root.enter(place)
    refused(lambda: os.stat("/proc/self"), "seeing a process")


_PROBES: tuple[tuple[str, str, str | Callable[[], str], Callable[[], None]], ...] = (
    (
        "landlock",
        "no file but those of Python and torch can be opened",
        landlock.remedy,
        _probe_landlock,
    ),
    (
        "seccomp",
        "no program, process, socket or signal can be started or sent",
        "install the system library libseccomp (on Debian and Ubuntu: apt-get install libseccomp2; on Fedora: dnf "
        "install libseccomp; on Alpine: apk add libseccomp)",
        _probe_seccomp,
    ),
    (
        "rlimits",
        "memory, processor time, threads and open files are bounded",
        "mount /proc, and lift the limits this shell was given (ulimit -a)",
        _probe_rlimits,
    ),
    (
        "namespaces",
        "processes and network of the machine are out of reach",
        "allow them to ordinary users (sysctl user.max_user_namespaces=10000, kernel.unprivileged_userns_clone=1, "
        "kernel.apparmor_restrict_unprivileged_userns=0) or to the container (a seccomp profile that allows unshare); "
        "the other layers hold without them",
        _probe_namespaces,
    ),
    (
        "root",
        "no other file, process or link of the machine has a name",
        "needs namespaces, and a container or AppArmor profile that allows mount; the other layers hold without it",
        _probe_root,
    ),
)
