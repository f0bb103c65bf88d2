"""seccomp: the system calls that a worker may make. All others return EPERM.

The list was found by running torch, numpy and the standard library under it, see `test_layers.py`. The system's
libseccomp compiles it for the machine's architecture.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import struct
from collections.abc import Sequence
from types import TracebackType

from grader.sandbox.confinement import libc

# Names that an architecture does not have are left out there (arm64 has no `open`, `stat`, `poll`).
ALLOWED = (
    # memory; PROT_EXEC stays allowed: dlopen of a module imported late needs it
    "brk", "munmap", "mprotect", "mremap", "madvise",
    # descriptors that are open already, and the channel; the other side must not take descriptors
    "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "lseek", "close", "close_range",
    "dup", "dup2", "dup3", "poll", "ppoll", "select", "pselect6",
    "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
    "shutdown", "getsockname", "getsockopt",
    # files, for import; which ones is Landlock's part
    "open", "openat", "access", "faccessat", "faccessat2", "stat", "lstat", "fstat", "newfstatat", "statx",
    "readlink", "readlinkat", "getdents64", "getcwd",
    # threads and signals, its own
    "futex", "set_robust_list", "get_robust_list", "rseq", "sched_yield", "sched_getaffinity",
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall", "exit", "exit_group",
    # clocks, chance, who am I
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times",
    "getrandom", "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getrusage",
    "getrlimit", "getcpu", "uname", "sysinfo",
)  # fmt: skip

_MODE_FILTER = 2
_PTHREAD_CREATE = 0x3D0F00  # the flags glibc passes to clone: a thread, and no new namespace
_MAP_HUGETLB = 0x40000  # a pool that belongs to the whole machine
_OWN_PID = 0x7A5C0FEE  # stands in the program for the worker's pid, which is known after the fork
# SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2. Not those by which others end a process: a worker
# that dies of SIGKILL or SIGTERM was killed from outside, see `Exited`.
OWN_SIGNALS = (4, 5, 6, 7, 8, 10, 11, 12)

# (call, ((argument, value), ...)): allowed if all arguments have these values.
ALLOWED_IF: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = (
    *(("tgkill", ((0, _OWN_PID), (2, number))) for number in OWN_SIGNALS),  # raise, abort
    ("prlimit64", ((0, 0), (2, 0))),  # own limits, reading
    ("sendto", ((3, 0), (4, 0))),  # no flags, no address: the channel only
    ("recvfrom", ((3, 0),)),
    *(("prctl", ((0, option),)) for option in (15, 16)),  # PR_SET_NAME, PR_GET_NAME
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: not F_SETOWN, which sends signals
    *(("fcntl", ((1, command),)) for command in (0, 1, 2, 3, 4, 1030)),
    # TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: not TIOCSTI, which types into the terminal
    *(("ioctl", ((1, request),)) for request in (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)),
    # ARCH_GET_XCOMP_SUPP, ARCH_GET_XCOMP_PERM, ARCH_REQ_XCOMP_PERM: oneDNN asks for AMX
    *(("arch_prctl", ((0, code),)) for code in (0x1021, 0x1022, 0x1023)),
)

ALLOW, KILL_PROCESS = 0x7FFF0000, 0x80000000
_EQUAL, _MASKED_EQUAL = 4, 7  # how an argument is compared
_WRONG_ARCHITECTURE = 2  # the attribute that says what to do about one


def refuse(error: int) -> int:
    """Return the action that answers with this error number and runs nothing."""
    return 0x00050000 | error


class _Comparison(ctypes.Structure):
    _fields_ = (("argument", ctypes.c_uint), ("how", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


@functools.cache
def _library() -> ctypes.CDLL:
    """Load libseccomp and declare the functions that are called. Raises OSError if it is not installed."""
    library = ctypes.CDLL("libseccomp.so.2")
    context, number, result = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int
    for name, returns, *takes in (
        ("init", context, number),
        ("release", None, context),
        ("attr_set", result, context, ctypes.c_int, number),
        ("syscall_resolve_name", result, ctypes.c_char_p),
        ("rule_add_array", result, context, number, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(_Comparison)),
        ("export_bpf", result, context, ctypes.c_int),
    ):
        function = getattr(library, f"seccomp_{name}")
        function.restype, function.argtypes = returns, takes
    return library


class Filter:
    """A list of rules that libseccomp compiles; `default` is the action for calls without one. Raises OSError."""

    def __init__(self, default: int) -> None:
        self._library = _library()
        self._context = self._library.seccomp_init(default)
        if not self._context:
            raise OSError(errno.EINVAL, "libseccomp cannot make a filter")

    def __enter__(self) -> Filter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._library.seccomp_release(self._context)

    def on_wrong_architecture(self, action: int) -> None:
        """Set the action for a call through another architecture's table (32-bit, x32), whose numbers differ."""
        self._checked("attr_set", _WRONG_ARCHITECTURE, action)

    def add(self, action: int, name: str, conditions: Sequence[tuple[int, int, int, int]] = ()) -> None:
        """Add an action for this call if its arguments fit: (which, how, a, b). An unknown call gets no rule."""
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            compared = (_Comparison * len(conditions))(*(_Comparison(*c) for c in conditions))
            self._checked("rule_add_array", action, number, len(conditions), compared)

    def compiled(self) -> bytes:
        """Return the BPF instructions for `install`."""
        with os.fdopen(os.memfd_create("seccomp"), "w+b") as file:
            self._checked("export_bpf", file.fileno())
            file.seek(0)
            return file.read()

    def _checked(self, function: str, *arguments: object) -> None:
        status = getattr(self._library, f"seccomp_{function}")(self._context, *arguments)
        if status < 0:
            raise OSError(-status, f"seccomp_{function}: {os.strerror(-status)}")


def build(*, threads: bool = True, more: Sequence[tuple[str, Sequence[tuple[int, int, int, int]]]] = ()) -> bytes:
    """Compile the list.

    threads: True if the worker may start any; without, Python says "can't start new thread".
    more: calls that are allowed beside the list, each with conditions as `Filter.add` takes them.
    Returns: BPF instructions for `install`.
    Raises: OSError without libseccomp, or if it refuses; RuntimeError if its result is not as expected.
    """
    with Filter(refuse(errno.EPERM)) as rules:
        rules.on_wrong_architecture(KILL_PROCESS)  # whoever calls through one means harm
        for name in ALLOWED:
            rules.add(ALLOW, name)
        for name, values in ALLOWED_IF:
            rules.add(ALLOW, name, [(place, _EQUAL, value, 0) for place, value in values])
        for name, conditions in more:
            rules.add(ALLOW, name, conditions)
        if threads:
            rules.add(ALLOW, "clone", [(0, _EQUAL, _PTHREAD_CREATE, 0)])
        rules.add(ALLOW, "mmap", [(3, _MASKED_EQUAL, _MAP_HUGETLB, 0)])
        # Its flags lie in memory, where a filter cannot look; on ENOSYS glibc turns to clone.
        rules.add(refuse(errno.ENOSYS), "clone3")
        compiled = rules.compiled()
    if compiled.count(struct.pack("=I", _OWN_PID)) != 1:
        raise RuntimeError("the compiled seccomp filter has no place for the worker's pid")
    return compiled


def install(compiled: bytes) -> None:
    """Put this thread, and all that it starts, under the filter, for good. Needs no_new_privs.

    Raises: OSError if the kernel has no seccomp filters.
    """
    own = compiled.replace(struct.pack("=I", _OWN_PID), struct.pack("=I", os.getpid()))
    program = _Program(len(own) // 8, own)
    libc.prctl(libc.PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(program))
