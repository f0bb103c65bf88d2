"""What a worker may do: compute. No file but Python's and torch's own, no process, no network, bounded memory.

The warm parent calls `enter_namespaces`, imports torch, calls `prepare` once, and forks; each child calls
`confine` before it sees student code. Where a kernel lacks a layer, the layer is left out and `survey` says
what to do about it; where `prepare` promised a layer, `confine` applies it or raises.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader import landlock, linux, namespaces, seccomp
from grader.namespaces import enter_namespaces

if sys.platform == "linux":
    import resource

    _NONE_OF = (
        resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK,
        resource.RLIMIT_MSGQUEUE, resource.RLIMIT_NICE, resource.RLIMIT_RTPRIO,
    )  # fmt: skip

__all__ = ["Layer", "Limits", "Plan", "confine", "default_readable", "enter_namespaces", "prepare", "survey"]

_DEVICES = ("/dev/null",)  # writing there is honest (`redirect_stdout(open(os.devnull, "w"))`) and leads nowhere


@dataclass(frozen=True)
class Limits:
    """What one worker may use.

    memory_bytes: address space above what the warm parent takes; an allocation beyond it fails in the worker.
    cpu_seconds: whole seconds of processor time of all its threads; then SIGXCPU, and one second later SIGKILL.
    open_files: the highest descriptor number plus one.
    threads: how many at a time, besides the first.
    stack_bytes: stack of the first thread.
    """

    memory_bytes: int
    cpu_seconds: int
    open_files: int = 64
    threads: int = 64
    stack_bytes: int = 8 << 20


@dataclass(frozen=True)
class Layer:
    """One part of the wall on this machine: whether it holds, what it is or why not, and what to do then."""

    name: str
    active: bool
    detail: str
    remedy: str


@dataclass(frozen=True)
class Plan:
    """What `confine` applies, compiled once and good for any number of forks.

    layers: those that will be active: the claim a report makes.
    ruleset: descriptor of the Landlock ruleset. It must be open when `confine` is called, which closes it.
    owner: pid of the process that prepared, and that forks.
    """

    limits: Limits
    layers: tuple[str, ...]
    ruleset: int | None
    quiet: bool
    program: bytes | None
    spare_ids: tuple[int, int] | None
    processes: int
    owner: int


def default_readable() -> list[str]:
    """The files and folders that Python, torch and numpy need, and nothing of the course. Imports neither.

    Returns: paths that exist: the standard library and its shared libraries, the folders that torch and numpy
        were installed into (a virtual environment's site-packages, never the folder around it), the system's
        shared libraries, the processors' topology, time zones, two devices.
    """
    specs = (importlib.util.find_spec(name) for name in ("torch", "numpy"))
    packages = [os.path.dirname(place) for spec in specs if spec for place in spec.submodule_search_locations or ()]
    standard = [
        sysconfig.get_path("stdlib"),
        sysconfig.get_config_var("DESTSHARED"),
        sysconfig.get_config_var("LIBDIR"),
    ]
    system = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"]
    data = ["/usr/share/zoneinfo", "/sys/devices/system/cpu", "/dev/urandom", "/dev/null"]
    real = (os.path.realpath(path) for path in (*packages, *standard, *system, *data) if path)
    return [path for path in dict.fromkeys(real) if os.path.exists(path)]


def prepare(limits: Limits, readable: Sequence[str], entered: Sequence[str] = ()) -> Plan:
    """Compile all layers that this machine has.

    Call it in the process that will fork, after its imports, while it has one thread.
    readable: files, or folders with all beneath them, see `default_readable`.
    entered: what `enter_namespaces` returned; the layer counts if processes and network are among it.
    Raises: OSError if a path of `readable` is missing.
    """
    layers: list[str] = []
    ruleset, program, quiet = None, None, False
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            quiet = landlock.version() >= 7
            layers.append("landlock")
        if layers:
            ruleset = landlock.build(readable, _DEVICES)
        with contextlib.suppress(ImportError, RuntimeError, OSError):
            program = seccomp.build()
            layers.append("seccomp")
        layers.append("rlimits")
        if {"pid", "net"} <= set(entered):
            layers.append("namespaces")
    spare = _spare_ids()
    processes = limits.threads + (1 if spare else _own_tasks() + 1)
    return Plan(limits, tuple(layers), ruleset, quiet, program, spare, processes, os.getpid())


def confine(plan: Plan) -> None:
    """Give up, for good, everything that a worker does not need. Takes less than a millisecond.

    Call it in a child of the process that prepared, before student code. Close other descriptors after it, or
    leave `plan.ruleset` open.
    Raises: OSError or RuntimeError if a layer of `plan.layers` cannot be applied. The process is then confined
        in part, and must not run student code.
    """
    if not plan.layers:
        return
    if os.stat("/proc/self/task").st_nlink != 3:
        raise RuntimeError("confine() needs a process of one thread: the others would stay free")
    os.umask(0o077)
    os.chdir("/")
    if plan.spare_ids:
        _take_spare_id(*plan.spare_ids)
    _limit(plan.limits, plan.processes)
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != plan.owner:
        raise RuntimeError("the warm parent has died, or confine() was not called in its child")
    if plan.ruleset is not None:
        landlock.restrict(plan.ruleset, plan.quiet)
        os.close(plan.ruleset)
    if plan.program is not None:
        seccomp.install(plan.program)


def _limit(limits: Limits, processes: int) -> None:
    """Set the limits, hard, each no higher than the one in force."""
    cpu = limits.cpu_seconds
    for which, soft, hard in (
        (resource.RLIMIT_AS, _address_space() + limits.memory_bytes, None),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_NOFILE, limits.open_files, None),
        (resource.RLIMIT_NPROC, processes, None),
        (resource.RLIMIT_STACK, limits.stack_bytes, None),
        *((which, 0, None) for which in _NONE_OF),
    ):
        ceiling = resource.getrlimit(which)[1]
        highest = soft if hard is None else hard
        if ceiling != resource.RLIM_INFINITY:
            highest = min(highest, ceiling)
        resource.setrlimit(which, (min(soft, highest), highest))


def _address_space() -> int:
    """Bytes that this process has mapped."""
    status = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return int(os.read(status, 100).split()[0]) * resource.getpagesize()
    finally:
        os.close(status)


def _spare_ids() -> tuple[int, int] | None:
    """A range of user ids that nobody has: (first, how many); None if this process may not take one.

    RLIMIT_NPROC counts the tasks of a *real* user id, and never binds id 0. Under an id of its own a worker is
    bound, and the count is its alone. The effective id stays: it decides which files can be read.
    """
    if sys.platform != "linux" or os.geteuid() != 0:
        return None
    first, count = max(linux.id_map("uid"), key=lambda row: row[1])
    if count < 1 << 10:
        return None
    spare = (first + count // 2, count // 4)
    return None if _attempt(lambda: _take_spare_id(*spare)) else spare


def _take_spare_id(first: int, count: int) -> None:
    os.setresuid(first + int.from_bytes(os.urandom(4), "little") % count, -1, -1)


def _own_tasks() -> int:
    """Threads that run under this process's real user id now, as far as /proc shows them."""
    tasks = 0
    for entry in os.listdir("/proc") if sys.platform == "linux" else ():
        with contextlib.suppress(OSError):
            if entry.isdigit() and os.stat(f"/proc/{entry}").st_uid == os.getuid():
                tasks += os.stat(f"/proc/{entry}/task").st_nlink - 2
    return tasks


def survey() -> tuple[Layer, ...]:
    """Try each layer in a child that is thrown away, and say what holds on this machine.

    Call it in a process of one thread.
    Returns: landlock, seccomp, rlimits, namespaces, in this order.
    """
    return tuple(
        Layer(name, not problem, problem or detail, remedy if problem else "")
        for name, detail, remedy, attempt in _PROBES
        for problem in [_attempt(attempt)]
    )


def _attempt(action: Callable[[], None]) -> str:
    """Run `action` in a forked child. Returns: what it raised, "" if nothing."""
    if sys.platform != "linux":
        return f"there is none on {sys.platform}"
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        message = "the attempt was cut short"
        try:
            action()
            message = ""
        except BaseException as error:  # noqa: BLE001 -- whatever went wrong, the layer does not hold
            message = str(error) or type(error).__name__
        finally:
            os.write(writing, message.encode(errors="replace")[:4000])
            os._exit(0 if not message else 1)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        message = file.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    return message or ("" if status == 0 else f"the attempt ended with status {status}")


def _refused(action: Callable[[], object], what: str) -> None:
    try:
        action()
    except OSError:
        return
    raise RuntimeError(f"{what} was still possible")


def _probe_landlock() -> None:
    ruleset = landlock.build(["/dev/null"])
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(ruleset, quiet=landlock.version() >= 7)
    _refused(lambda: os.listdir("/"), "listing /")


def _probe_seccomp() -> None:
    program = seccomp.build()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(program)
    _refused(os.fork, "fork")


def _probe_rlimits() -> None:
    _limit(Limits(memory_bytes=1 << 26, cpu_seconds=1), 1)
    import mmap

    _refused(lambda: mmap.mmap(-1, 1 << 27), "taking memory over the limit")


def _probe_namespaces() -> None:
    missing = {"pid", "net"} - set(namespaces.unshare())
    if missing:
        raise RuntimeError(f"this machine grants no namespace of its own for: {', '.join(sorted(missing))}")


_ELSEWHERE = "grade on Linux, or in a Linux container or WSL 2"
_PROBES: tuple[tuple[str, str, str, Callable[[], None]], ...] = (
    (
        "landlock",
        "no file but those of Python and torch can be opened",
        "needs Linux 5.13 or newer with Landlock in CONFIG_LSM or the boot option lsm=landlock,..., and a container runtime "
        f"that lets its calls through (Docker 20.10.8 or newer); or {_ELSEWHERE}",
        _probe_landlock,
    ),
    (
        "seccomp",
        "no program, process, socket or signal can be started or sent",
        f"pip install pyseccomp, and the system library libseccomp (apt-get install libseccomp2); or {_ELSEWHERE}",
        _probe_seccomp,
    ),
    (
        "rlimits",
        "memory, processor time, threads and open files are bounded",
        f"mount /proc; or {_ELSEWHERE}",
        _probe_rlimits,
    ),
    (
        "namespaces",
        "processes and network of the machine are out of sight",
        "allow them to ordinary users (sysctl user.max_user_namespaces=10000, kernel.unprivileged_userns_clone=1, "
        "kernel.apparmor_restrict_unprivileged_userns=0) or to the container (a seccomp profile that allows unshare); "
        f"the other layers hold without them; or {_ELSEWHERE}",
        _probe_namespaces,
    ),
)
