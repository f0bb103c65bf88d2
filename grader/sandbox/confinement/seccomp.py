"""seccomp: the system calls that a worker may make. All others answer EPERM.

The list was found by running torch, numpy and the standard library under it; see `tests/kit/test_confine.py`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from grader.sandbox.confinement import libc

# Names that an architecture does not have are left out there (arm64 has no `open`, `stat`, `poll`).
ALLOWED = (
    # memory; PROT_EXEC stays allowed: dlopen of a module imported late needs it
    "brk", "munmap", "mprotect", "mremap", "madvise",
    # descriptors that are open already, and the channel; the other side must not take descriptors
    "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "lseek", "close", "close_range",
    "dup", "dup2", "dup3", "poll", "ppoll", "select", "pselect6",
    "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
    "recvfrom", "recvmsg", "sendmsg", "shutdown", "getsockname", "getsockopt",
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

# (call, ((argument, value), ...)): allowed if all arguments have these values.
ALLOWED_IF: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = (
    ("tgkill", ((0, _OWN_PID),)),  # raise, abort
    ("prlimit64", ((0, 0), (2, 0))),  # own limits, reading
    ("sendto", ((4, 0),)),  # no address: the channel only
    *(("prctl", ((0, option),)) for option in (15, 16)),  # PR_SET_NAME, PR_GET_NAME
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: not F_SETOWN, which sends signals
    *(("fcntl", ((1, command),)) for command in (0, 1, 2, 3, 4, 1030)),
    # TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: not TIOCSTI, which types into the terminal
    *(("ioctl", ((1, request),)) for request in (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)),
    # ARCH_GET_XCOMP_SUPP, ARCH_GET_XCOMP_PERM, ARCH_REQ_XCOMP_PERM: oneDNN asks for AMX
    *(("arch_prctl", ((0, code),)) for code in (0x1021, 0x1022, 0x1023)),
)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def build(*, threads: bool = True) -> bytes:
    """Compile the list.

    threads: whether the worker may start any; without, "can't start new thread" is what Python says.
    Returns: BPF instructions for `install`.
    Raises: ImportError without pyseccomp, RuntimeError without libseccomp, OSError if it refuses.
    """
    import pyseccomp as sc  # here: absent outside Linux

    # A foreign architecture (32-bit, x32) has other numbers: whoever calls through one means harm.
    program = sc.SyscallFilter(sc.ERRNO(errno.EPERM))
    program.set_attr(sc.Attr.ACT_BADARCH, sc.KILL_PROCESS)

    def add(action: int, name: str, *conditions: object) -> None:
        number = sc.resolve_syscall(sc.Arch.NATIVE, name)
        if number >= 0:
            program.add_rule(action, number, *conditions)

    for name in ALLOWED:
        add(sc.ALLOW, name)
    for name, values in ALLOWED_IF:
        add(sc.ALLOW, name, *(sc.Arg(place, sc.EQ, value) for place, value in values))
    if threads:
        add(sc.ALLOW, "clone", sc.Arg(0, sc.EQ, _PTHREAD_CREATE))
    add(sc.ALLOW, "mmap", sc.Arg(3, sc.MASKED_EQ, _MAP_HUGETLB, 0))
    # Its flags lie in memory, where a filter cannot look; on ENOSYS glibc turns to clone.
    add(sc.ERRNO(errno.ENOSYS), "clone3")

    with os.fdopen(os.memfd_create("seccomp"), "w+b") as file:
        program.export_bpf(file)
        file.seek(0)
        compiled = file.read()
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
