"""seccomp: the calls that a worker may make, and that all others are refused."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from confined import Run, outcome, said

from grader.sandbox.confinement import seccomp

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux only")


SYSCALL = """
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
def syscall(number, *arguments):
    if libc.syscall(*[ctypes.c_long(a) for a in (number, *arguments)]) == -1:
        raise OSError(ctypes.get_errno(), "refused")
"""


ALONE = """
import _thread, os, signal, socket
from grader.sandbox.confinement import libc, seccomp
def tried(action):
    try: return action()
    except (OSError, RuntimeError) as error: return type(error).__name__
def confined(program):
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(program)
"""


def test_it_refuses_what_is_not_listed() -> None:
    """seccomp alone, without the other layers: files stay open to whoever may open them."""
    code = (
        ALONE
        + """
confined(seccomp.build())
print(os.listdir("/") != [], len(os.urandom(3)), os.getpid() > 0)
for action in (os.fork, socket.socket, os.pipe, lambda: os.kill(os.getppid(), 0), lambda: os.mkdir("/tmp/student")):
    print(tried(action))
"""
    )
    assert said(code).splitlines() == ["True 3 True", *["PermissionError"] * 5]


def test_a_program_compiled_before_the_fork_lets_a_worker_signal_itself_only() -> None:
    code = (
        ALONE
        + """
program = seccomp.build()
if not os.fork():
    confined(program)
    signal.signal(signal.SIGUSR1, lambda *_: os.write(1, b"own "))
    signal.raise_signal(signal.SIGUSR1)
    tgkill = 234 if os.uname().machine == "x86_64" else 131
    os.write(1, tried(lambda: libc.call("syscall", tgkill, os.getppid(), os.getppid(), 0)).encode())
    os._exit(0)
os.wait()
"""
    )
    assert said(code) == "own PermissionError"


def test_a_worker_cannot_end_itself_as_others_end_it() -> None:
    """So that one which dies of these was killed from outside."""
    code = (
        ALONE
        + """
confined(seccomp.build())
for number in (1, 3, 9, 15, 19):
    print(tried(lambda: signal.raise_signal(number)), tried(lambda: os.kill(os.getpid(), number)))
"""
    )
    assert said(code).split() == ["PermissionError"] * 10


@pytest.mark.parametrize(("threads", "outcome"), [(True, "started"), (False, "RuntimeError")])
def test_threads_can_be_left_out(threads: bool, outcome: str) -> None:
    code = f"""
confined(seccomp.build(threads={threads}))
print(tried(lambda: _thread.start_new_thread(int, ()) and "started"))"""
    assert said(ALONE + code) == f"{outcome}\n"


def test_a_rule_holds_for_the_arguments_that_it_names() -> None:
    code = (
        ALONE
        + """
import errno
with seccomp.Filter(seccomp.ALLOW) as rules:
    rules.add(seccomp.refuse(errno.ENOTTY), "dup2", [(1, 4, 40, 0)])  # dup2(any, 40)
    rules.add(seccomp.refuse(errno.EDOM), "lseek", [(2, 7, 1, 1)])  # lseek(any, any, odd)
    rules.add(seccomp.refuse(errno.EPERM), "a call that no kernel has")
    confined(rules.compiled())
print(os.dup2(1, 41), tried(lambda: os.dup2(1, 40)))
zero = os.open("/dev/zero", os.O_RDONLY)
for whence in (0, 1, 2): print(tried(lambda: os.lseek(zero, 0, whence)))
"""
    )
    assert said(code).split() == ["41", "OSError", "0", "OSError", "0"]


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="other architectures lack some of these calls")
def test_the_whole_list_is_compiled() -> None:
    """A name that the library does not know would be left out in silence."""
    known = seccomp._library().seccomp_syscall_resolve_name
    names = {*seccomp.ALLOWED, *(name for name, _ in seccomp.ALLOWED_IF), "clone", "clone3", "mmap"}
    assert {name for name in names if known(name.encode()) < 0} == set()


def test_what_the_library_refuses_is_an_error() -> None:
    refused = pytest.raises(OSError, match="seccomp_rule_add_array: Permission denied")
    with seccomp.Filter(seccomp.ALLOW) as rules, refused:
        rules.add(seccomp.ALLOW, "read")  # what is allowed anyway


FORBIDDEN = {
    "make a folder": "import os; os.mkdir('/tmp/student')",
    "delete": f"import os; os.unlink({__file__!r})",
    "rename": f"import os; os.rename({__file__!r}, '/tmp/student')",
    "link": f"import os; os.symlink({__file__!r}, '/tmp/student')",
    "change a mode": "import os; os.chmod('/tmp', 0o777)",
    "change a time": "import os; os.utime('/tmp')",
    "truncate": f"import os; os.truncate({__file__!r}, 0)",
    "run a program": "import os; os.execv('/bin/true', ['true'])",
    "start a program": "import subprocess; subprocess.run(['/bin/true'])",
    "fork": "import os; os.fork()",
    "signal the parent": "import os; os.kill(PARENT, 9)",
    "signal everybody": "import os; os.kill(-1, 9)",
    "signal the parent's thread": SYSCALL
    + "syscall(234 if platform.machine() == 'x86_64' else 131, PARENT, PARENT, 0)  # tgkill",
    "hold the parent": "import os; os.pidfd_open(PARENT)",
    "TCP": "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
    "a unix socket": "import socket; socket.socket(socket.AF_UNIX)",
    "a socket pair": "import socket; socket.socketpair()",
    "a pipe": "import os; os.pipe()",
    "ptrace": SYSCALL + "r = libc.ptrace(16, PARENT, 0, 0)\nif r == -1: raise OSError(ctypes.get_errno(), 'refused')",
    "a memory file": "import os; os.memfd_create('x')",
    "shared memory": "import ctypes; libc = ctypes.CDLL(None, use_errno=True)\n"
    "if libc.shmget(0, 4096, 0o666) == -1: raise OSError(ctypes.get_errno(), 'refused')",
    "io_uring": SYSCALL + "syscall(425, 1, 0)",
    "a user namespace": "import ctypes; libc = ctypes.CDLL(None, use_errno=True)\n"
    "if libc.unshare(0x10000000) == -1: raise OSError(ctypes.get_errno(), 'refused')",
    "another user": "import os; os.setresuid(0, 0, 0)",
    "another processor": "import os; os.sched_setaffinity(0, {0})",
    "another priority": "import os; os.nice(1)",
    "the parent's limits": "import resource; resource.prlimit(PARENT, resource.RLIMIT_AS)",
    "type into the terminal": "import fcntl; fcntl.ioctl(0, 0x5412, b'x')",
    "signals by descriptor": "import fcntl; fcntl.fcntl(1, 8, PARENT)",
    "be dumped": SYSCALL + "if libc.prctl(4, 1, 0, 0, 0) == -1: raise OSError(ctypes.get_errno(), 'refused')",
}


@pytest.mark.parametrize("code", FORBIDDEN.values(), ids=FORBIDDEN)
def test_is_refused_with_an_ordinary_exception(run: Run, code: str) -> None:
    answer = run(code)
    assert (outcome(answer).split(":")[0], answer["status"]) == ("PermissionError", 0)


def test_a_foreign_system_call_table_kills(run: Run) -> None:
    if os.uname().machine != "x86_64":
        pytest.skip("x32 calls exist on x86_64 only")
    assert run(SYSCALL + "syscall(0x40000000 | 39)")["status"] == -signal.SIGSYS
