"""Shows the kit a system like Windows or macOS: what they lack, it cannot find."""

from __future__ import annotations

import builtins
import ctypes
import os
import select
import signal
import socket
import sys
import time
import types
from typing import Any

# What Python's documentation names as missing there, as far as a program like this one might think of it.
LINUX_ONLY = {
    os: "eventfd memfd_create O_PATH O_TMPFILE pidfd_open pipe2 posix_fallocate sched_getaffinity sched_setaffinity "
    "sched_setscheduler sched_param SCHED_BATCH SCHED_IDLE setns splice unshare "
    "getxattr setxattr listxattr removexattr",
    select: "epoll",
    signal: "sigtimedwait sigwaitinfo pidfd_send_signal",
    socket: "SO_PEERCRED SOCK_CLOEXEC SOCK_NONBLOCK SOCK_SEQPACKET",
    time: "CLOCK_BOOTTIME",
}
POSIX_ONLY = {
    os: "chown ctermid fchdir fchmod fchown fork forkpty get_blocking set_blocking getegid geteuid getgid getgroups "
    "getloadavg getpgid getpgrp getpriority getresuid getsid getuid initgroups killpg lchown lockf mkfifo mknod nice "
    "O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC openpty posix_spawn pread preadv pwrite readv "
    "register_at_fork sendfile setgid setpgid setpriority setsid setuid statvfs fstatvfs sync sysconf "
    "tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4 waitid WEXITSTATUS WIFEXITED WIFSIGNALED "
    "WNOHANG WTERMSIG writev",
    select: "poll",
    signal: "alarm getitimer ITIMER_REAL pause pthread_kill pthread_sigmask setitimer SIG_BLOCK SIGALRM SIGBUS SIGCHLD "
    "SIGCONT SIGHUP siginterrupt SIGKILL SIGPIPE SIGPROF SIGQUIT SIGSTOP SIGSYS SIGTSTP SIGTTIN SIGTTOU SIGUSR1 "
    "SIGUSR2 sigwait SIGWINCH SIGXCPU",
    socket: "AF_UNIX CMSG_LEN CMSG_SPACE MSG_DONTWAIT MSG_NOSIGNAL recv_fds SCM_RIGHTS send_fds",
    time: "clock_gettime CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID CLOCK_THREAD_CPUTIME_ID pthread_getcpuclockid tzset",
}
POSIX_MODULES = {"curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
AS_ON_WINDOWS = {"name": "nt", "supports_dir_fd": set(), "supports_fd": {os.stat, os.truncate}}


class Seen(types.ModuleType):
    """A module as it would be there."""

    def __init__(self, real: types.ModuleType, absent: str, **otherwise: Any) -> None:
        super().__init__(real.__name__)
        vars(self).update(_real=real, _absent=frozenset(absent.split()), **otherwise)

    def __getattr__(self, name: str) -> Any:
        if name in self._absent:
            raise AttributeError(f"module {self._real.__name__!r} has no attribute {name!r} on {seen['sys'].platform}")
        return getattr(self._real, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._real, name, value)


def _library(name: str | None, *arguments: Any, **options: Any) -> Any:
    if name is None:
        raise TypeError("on Windows the program itself is no library")
    return ctypes.CDLL(name, *arguments, **options)


def show(platform: str) -> None:
    """From now on, what the kit imports is as on this platform: `win32` or `darwin`."""
    seen["sys"] = Seen(sys, "", platform=platform)
    for module, names in LINUX_ONLY.items():
        seen[module.__name__] = Seen(module, names)
    if platform == "win32":
        for module, names in POSIX_ONLY.items():
            absent = f"{LINUX_ONLY[module]} {names}"
            seen[module.__name__] = Seen(module, absent, **(AS_ON_WINDOWS if module is os else {}))
        seen["ctypes"] = Seen(ctypes, "", CDLL=_library)
    gone = POSIX_MODULES if platform == "win32" else set()
    plain = builtins.__import__

    def imported(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level == 0 and str((globals or {}).get("__name__")).partition(".")[0] == "grader":
            if name in gone:
                raise ModuleNotFoundError(f"No module named {name!r} on {platform}", name=name)
            if name in seen:
                return seen[name]
        return plain(name, globals, locals, fromlist, level)

    builtins.__import__ = imported


seen: dict[str, types.ModuleType] = {}
