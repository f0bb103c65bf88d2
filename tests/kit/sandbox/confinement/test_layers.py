"""A confined worker can compute and nothing else; tried in forks of a fork server, as root and as an ordinary user."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux only")

ROOT = Path(__file__).resolve().parents[4]
NOBODY = 65534
PACKAGES = next((p for p in sys.path if Path(p, "torch").is_dir()), "")

WARM_PARENT = """
import json, os, sys
os.environ["OPENBLAS_NUM_THREADS"] = "1"
from grader.sandbox.confinement import confine
from grader.sandbox.worker.preload import preload
alone = sys.argv[1] == "alone"
preload()
layers = confine.enter_namespaces() if alone else ()
plans = {}
for line in sys.stdin:
    request = json.loads(line)
    key = json.dumps(request["limits"])
    if key not in plans:
        plans[key] = confine.prepare(confine.Limits(**request["limits"]), confine.default_readable())
    plan, code = plans[key], compile(request["code"], "student.py", "exec")
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        names = {"PARENT": os.getppid(), "__name__": "student"}
        try:
            for fd in (1, 2):
                os.dup2(writing, fd)
            confine.confine(plan)
            os.closerange(3, 1 << 16)
            exec(code, names)
            answer = f"ok {names.get('result')!r}"
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        sys.stdout.flush()
        os.write(1, ("\\n=> " + answer).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps({"said": said, "status": status, "layers": plan.layers + layers}), flush=True)
os._exit(0)
"""

Run = Callable[..., dict[str, Any]]


def interpreter_for_nobody() -> str:
    """A Python of this version that an ordinary user can start, "" if there is none (pyenv in /root)."""
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for program in filter(None, (sys.executable, shutil.which(name, path="/usr/local/bin:/usr/bin"))):
        try:
            command = [program, "-c", "import grader.sandbox.confinement.layers, typing_extensions"]
            subprocess.run(command, check=True, capture_output=True, **as_nobody())
            return program
        except (OSError, subprocess.CalledProcessError):
            continue
    return ""


def as_nobody() -> dict[str, Any]:
    return {"user": NOBODY, "group": NOBODY, "extra_groups": [], "env": environment(), "cwd": "/"}


def environment() -> dict[str, str]:
    return {"PYTHONPATH": f"{ROOT}:{PACKAGES}", "PYTHONDONTWRITEBYTECODE": "1"}


AS_I_AM, ORDINARY = "as I am, in namespaces", "as an ordinary user, without namespaces"


@pytest.fixture(scope="module")
def warm_parents() -> Iterator[dict[str, subprocess.Popen[str]]]:
    """Both at once: each takes two seconds to import torch."""
    programs: dict[str, tuple[str, dict[str, Any]]] = {AS_I_AM: (sys.executable, {"env": environment(), "cwd": "/"})}
    if os.geteuid() != 0:
        programs[ORDINARY] = programs[AS_I_AM]
    elif program := interpreter_for_nobody():
        programs[ORDINARY] = program, as_nobody()
    parents = {}
    for name, (program, options) in programs.items():
        command = [program, "-c", WARM_PARENT, "alone" if name == AS_I_AM else "shared"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        parents[name] = subprocess.Popen(command, **pipes, **options)
    yield parents
    for parent in parents.values():
        parent.communicate(timeout=10)
        assert parent.returncode == 0


@pytest.fixture(params=[AS_I_AM, ORDINARY])
def run(request: pytest.FixtureRequest, warm_parents: dict[str, subprocess.Popen[str]]) -> Run:
    """Run student code in a confined fork of a fork server; what it said, its exit status, the layers."""
    parent = warm_parents.get(request.param)
    if parent is None:
        pytest.skip("an ordinary user cannot start this Python")

    def run_one(code: str, **limits: int) -> dict[str, Any]:
        assert parent.stdin
        assert parent.stdout
        request = {"code": code, "limits": {"memory_bytes": 1 << 30, "cpu_seconds": 20, **limits}}
        parent.stdin.write(json.dumps(request) + "\n")
        parent.stdin.flush()
        answer: dict[str, Any] = json.loads(parent.stdout.readline())
        return answer

    return run_one


def outcome(answer: dict[str, Any]) -> str:
    return str(answer["said"].rpartition("\n=> ")[2])


SYSCALL = """
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
def syscall(number, *arguments):
    if libc.syscall(*[ctypes.c_long(a) for a in (number, *arguments)]) == -1:
        raise OSError(ctypes.get_errno(), "refused")
"""
FORBIDDEN = {
    "write in /tmp": "open('/tmp/student', 'w')",
    "append to torch": "import torch; open(torch.__file__, 'a')",
    "write to a readable device": "open('/dev/urandom', 'wb')",
    "read the users": "open('/etc/passwd').read()",
    "read the environment": "open('/proc/self/environ').read()",
    "read the parent's memory": "open(f'/proc/{PARENT}/mem', 'rb').read(1)",
    "read the grader": f"open({str(ROOT / 'grader' / 'sandbox' / 'confinement' / 'confine.py')!r}).read()",
    "read these tests": f"open({__file__!r}).read()",
    "list the course": f"import os; os.listdir({str(ROOT)!r})",
    "list /": "import os; os.listdir('/')",
    "list where it is": "import os; os.listdir('.')",
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


def test_limits_cannot_be_raised(run: Run) -> None:
    code = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))"
    assert outcome(run(code)).startswith(("ValueError", "PermissionError"))


NEEDED = {
    "autograd in every float type": """
import torch
for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
    x = torch.randn(2, 4, 16, 8, dtype=dtype, requires_grad=True)
    scores = torch.einsum("bhtd,bhsd->bhts", x, x).softmax(-1)
    (scores @ x + torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)).sum().backward()
    torch.nn.Linear(8, 8).to(dtype)(x).sum().backward()
    assert x.grad is not None
torch.nn.functional.conv2d(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 3, 3))
torch.nn.MultiheadAttention(16, 4)(*[torch.randn(5, 2, 16)] * 3)[0].sum().backward()""",
    "threads inside torch": """
import torch
torch.set_num_threads(2)
x = torch.randn(300, 300, requires_grad=True)
(x @ x).exp().sum().backward()""",
    "a dispatch mode": """
import torch
from torch.utils._python_dispatch import TorchDispatchMode
class Watch(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        global result
        result = str(func)
        return func(*args, **(kwargs or {}))
with Watch():
    torch.ones(3).softmax(0)
assert "softmax" in result""",
    "what imports torch._dynamo late": """
import torch, torch.utils.checkpoint, torch.nn.attention
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn.attention.flex_attention import flex_attention
with FakeTensorMode() as mode:
    x = mode.from_tensor(torch.empty(2, 3, 4, device="meta"))
    assert torch.nn.Linear(4, 4, device="meta")(x @ x.mT @ x).device.type == "meta"
torch.func.vmap(torch.func.grad(lambda x: (x ** 2).sum()))(torch.ones(3, 3))
x = torch.ones(3, requires_grad=True)
torch.utils.checkpoint.checkpoint(torch.exp, x, use_reentrant=False).sum().backward()
flex_attention(*[torch.randn(1, 1, 16, 16)] * 3)""",
    "numpy": """
import numpy as np, numpy.fft, torch
a = np.random.default_rng().normal(size=(100, 100))
np.linalg.svd(a), np.linalg.inv(a), np.fft.fft(a), np.random.rand(3)
torch.from_numpy(a).numpy()""",
    "threads in Python": """
import concurrent.futures, threading, torch
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    result = sum(pool.map(lambda i: i, range(30)))
thread = threading.Thread(target=int); thread.start(); thread.join()
assert result == 435""",
    "the standard library": """
import importlib, sys
absent = {"_dbm", "_gdbm", "_tkinter", "tkinter", "turtle", "nis", "dbm", "lzma", "_lzma", "bz2", "_bz2"}
for name in sys.stdlib_module_names - absent:
    if not name.startswith(("_", "idle", "turtle", "anti", "this")) and importlib.util.find_spec(name):
        importlib.import_module(name)""",
    "chance, clocks, files in memory": """
import datetime, io, os, random, secrets, signal, sqlite3, time, traceback, uuid, warnings, zoneinfo
time.sleep(0.001), random.random(), secrets.token_hex(), uuid.uuid4(), datetime.datetime.now(), os.cpu_count()
sqlite3.connect(":memory:").execute("select 1")
open(os.devnull, "w").write("x")
import torch
buffer = io.BytesIO(); torch.save(torch.ones(3), buffer); buffer.seek(0); torch.load(buffer)
warnings.warn("seen")""",
    "a signal to itself": """
import signal
got = []
signal.signal(signal.SIGUSR1, lambda *a: got.append(1))
signal.raise_signal(signal.SIGUSR1)
assert got""",
}


@pytest.mark.parametrize("code", NEEDED.values(), ids=NEEDED)
def test_honest_code_works(run: Run, code: str) -> None:
    answer = run(code)
    assert outcome(answer).startswith("ok"), answer["said"]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("import torch; torch.empty(2 << 30, dtype=torch.uint8)", "RuntimeError"),
        ("bytearray(2 << 30)", "MemoryError"),
        ("kept = []\nwhile True: kept.append(bytearray(20 << 20))", "MemoryError"),
    ],
)
def test_memory_is_bounded(run: Run, code: str, error: str) -> None:
    assert outcome(run(code, memory_bytes=1 << 26)).startswith(error)


def test_processor_time_is_bounded(run: Run) -> None:
    started = time.monotonic()
    assert run("while True: pass", cpu_seconds=1)["status"] in (-signal.SIGXCPU, -signal.SIGKILL)
    assert time.monotonic() - started < 5


def test_open_files_are_bounded(run: Run) -> None:
    code = "import os\nkept = []\ntry:\n  while True: kept.append(os.dup(1))\nexcept OSError: result = len(kept)"
    assert outcome(run(code)) == "ok 61"


def test_a_thread_bomb_ends_at_the_limit(run: Run) -> None:
    code = """
import _thread, threading
threading.stack_size(32768)
lock = _thread.allocate_lock(); lock.acquire(); result = 0
try:
    while result < 20000:
        _thread.start_new_thread(lock.acquire, ()); result += 1
except RuntimeError:
    pass"""
    answer = run(code)
    threads = int(outcome(answer).removeprefix("ok "))
    counted_alone = os.geteuid() == 0 and "namespaces" in answer["layers"]
    assert threads == 64 if counted_alone else 64 <= threads < 20000


def test_capabilities_cannot_be_had_back(run: Run) -> None:
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
if libc.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(1, 1, 1)) == -1:
    raise OSError(ctypes.get_errno(), "refused")"""
    assert outcome(run(code)).startswith("PermissionError")


def test_a_report_can_name_the_layers(run: Run) -> None:
    layers = run("pass")["layers"]
    assert layers[:3] == ["landlock", "seccomp", "rlimits"]


# Without torch: programs of their own, which print and are looked at from outside.


def start(code: str, **options: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-u", "-c", code]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/", env=environment(), **options)


def finish(program: subprocess.Popen[str]) -> str:
    """What it printed from here on; the pipe ends when its last holder has died."""
    return program.communicate(timeout=10)[0]


def said(code: str) -> str:
    return finish(start(code))


SURVEY = """
from grader.sandbox.confinement import confine
for layer in confine.survey(): print(layer.name, layer.active, layer.remedy, sep="|")
"""


def test_survey_tries_each_layer_and_tells_what_to_do() -> None:
    rows = [line.split("|") for line in said(SURVEY).splitlines()]
    assert [row[0] for row in rows] == ["landlock", "seccomp", "rlimits", "namespaces"]
    assert all((active == "True") == (remedy == "") for _, active, remedy in rows)


def test_survey_leaves_the_caller_free() -> None:
    assert said(SURVEY + "import os; os.fork() or os._exit(0); print(os.listdir('/') != [])").endswith("True\n")


POOR_MACHINE = """
import errno, pyseccomp as sc
refuse = sc.SyscallFilter(sc.ALLOW)
refuse.add_rule(sc.ERRNO(errno.ENOSYS), 444)
for name in ("unshare", "mount"):
    refuse.add_rule(sc.ERRNO(errno.EPERM), name)
refuse.load()
"""


def test_a_machine_without_landlock_and_namespaces_keeps_the_rest() -> None:
    assert [line.split("|")[1] for line in said(POOR_MACHINE + SURVEY).splitlines()] == [
        "False", "True", "True", "False",
    ]  # fmt: skip
    code = """
import os
from grader.sandbox.confinement import confine
print(confine.enter_namespaces())
plan = confine.prepare(confine.Limits(1 << 28, 5), confine.default_readable())
print(plan.layers)
if not os.fork():
    confine.confine(plan)
    try: os.fork()
    except PermissionError: os.write(1, b"refused")
    os._exit(0)
os.wait()
"""
    lines = said(POOR_MACHINE + code).splitlines()
    assert sorted(lines) == sorted(["()", "('seccomp', 'rlimits')", "refused"])


def test_a_machine_without_pyseccomp_says_what_to_install() -> None:
    rows = said("import sys; sys.modules['pyseccomp'] = None\n" + SURVEY).splitlines()
    assert rows[1].startswith("seccomp|False|pip install pyseccomp")


def test_root_whose_threads_nothing_counts_gets_none() -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root")
    code = """
import _thread, os, struct
from grader.sandbox.confinement import confine, linux
linux.call("capset", struct.pack("=II", 0x20080522, 0), bytes(24))
plan = confine.prepare(confine.Limits(1 << 28, 5), confine.default_readable())
if not os.fork():
    confine.confine(plan)
    try: _thread.start_new_thread(int, ())
    except RuntimeError as error: os.write(1, str(error).encode())
    os._exit(0)
os.wait()
"""
    assert said(code) == "can't start new thread"


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_have_no_layer_and_no_error(platform: str) -> None:
    code = (
        f"import sys, ctypes, os; sys.platform = {platform!r}; del os.fork\n"
        + SURVEY
        + """
plan = confine.prepare(confine.Limits(1, 1), [])
print(plan.layers, confine.enter_namespaces(), confine.confine(plan))"""
    )
    lines = said(code).splitlines()
    assert [line.split("|")[1] for line in lines[:4]] == ["False"] * 4
    assert lines[4] == "() () None"


def test_what_python_needs_is_readable_and_the_course_is_not() -> None:
    readable = said(
        "from grader.sandbox.confinement import confine; print(*confine.default_readable(), sep='\\n')"
    ).splitlines()
    assert os.path.realpath(PACKAGES) in readable
    assert not any(ROOT.is_relative_to(path) for path in readable)


ENTER = (
    "import os, signal, sys, time\nfrom grader.sandbox.confinement import confine, namespaces\n"
    "layers = confine.enter_namespaces()\n"
)


def test_the_child_is_process_one_and_keeps_its_descriptors() -> None:
    reading, writing = os.pipe()
    code = ENTER + f"os.write({writing}, repr((layers, os.getpid())).encode())"
    finish(start(code, pass_fds=[writing]))
    os.close(writing)
    with os.fdopen(reading) as pipe:
        layers, pid = eval(pipe.read())  # our own text
    assert pid == 1 if layers else pid > 1


@pytest.mark.parametrize(
    ("end", "status"),
    [("sys.exit(7)", 7), ("pass", 0), ("namespaces._die_of(signal.SIGSEGV)", None)],
)
def test_the_guard_ends_as_the_child_did(end: str, status: int | None) -> None:
    program = start(ENTER + end)
    finish(program)
    assert program.returncode != 0 if status is None else program.returncode == status


STAY = (
    ENTER
    + """
plan = confine.prepare(confine.Limits(1 << 28, 60), confine.default_readable())
if not os.fork():
    confine.confine(plan)
    os.write(1, b"worker\\n")
time.sleep(60)"""
)


def test_all_die_with_the_guard() -> None:
    guard = start(STAY)
    assert guard.stdout
    assert guard.stdout.readline() == "worker\n"
    guard.kill()
    assert finish(guard) == ""


def test_all_die_with_the_grader() -> None:
    grader = start(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {STAY!r}])")
    assert grader.stdout
    assert grader.stdout.readline() == "worker\n"
    grader.kill()
    assert finish(grader) == ""


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import threading, time; threading.Thread(target=time.sleep, args=(0.2,)).start()\n", "one thread"),
        ("os.close(plan.ruleset)\n", "Bad file descriptor"),
        ("os.fork() and os._exit(os.wait() and 0)\n", "fork server"),
    ],
)
def test_confine_raises_rather_than_leave_a_gap(code: str, message: str) -> None:
    setup = """
import os
from grader.sandbox.confinement import confine
plan = confine.prepare(confine.Limits(1 << 30, 5), confine.default_readable())
if os.fork(): os._exit(os.wait() and 0)
"""
    attempt = "try: confine.confine(plan)\nexcept (OSError, RuntimeError) as error: os.write(1, str(error).encode())"
    assert message in said(setup + code + attempt)


def test_a_missing_path_is_an_error_not_a_gap() -> None:
    code = """
from grader.sandbox.confinement import confine
try: confine.prepare(confine.Limits(1, 1), ["/none"])
except OSError as error: print(error)"""
    assert "/none" in said(code)


def test_it_is_fast_enough() -> None:
    """The median of 20, so that a busy machine does not fail it; the target is 1 ms."""
    code = """
import os, statistics, time
from grader.sandbox.confinement import confine
confine.enter_namespaces()
plan = confine.prepare(confine.Limits(1 << 30, 5), confine.default_readable())
for _ in range(20):
    if not os.fork():
        started = time.perf_counter()
        confine.confine(plan)
        os.write(1, f"{time.perf_counter() - started}\\n".encode())
        os._exit(0)
    os.wait()
"""
    times = sorted(map(float, said(code).split()))
    assert len(times) == 20
    assert times[10] < 0.01
