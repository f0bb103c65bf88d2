"""All layers together: what honest code needs works, what a machine lacks is said, no gap is left."""

from __future__ import annotations

import os
import sys

import pytest
from confined import PACKAGES, ROOT, Run, outcome, said

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux only")


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


def test_a_report_can_name_the_layers(run: Run) -> None:
    layers = run("pass")["layers"]
    assert layers[:3] == ["landlock", "seccomp", "rlimits"]


SURVEY = """
from grader.sandbox.confinement import layers
for layer in layers.survey(): print(layer.name, layer.active, layer.remedy, sep="|")
"""


def test_survey_tries_each_layer_and_tells_what_to_do() -> None:
    rows = [line.split("|") for line in said(SURVEY).splitlines()]
    assert [row[0] for row in rows] == ["landlock", "seccomp", "rlimits", "namespaces", "root"]
    assert all((active == "True") == (remedy == "") for _, active, remedy in rows)


def test_survey_leaves_the_caller_free() -> None:
    assert said(SURVEY + "import os; os.fork() or os._exit(0); print(os.listdir('/') != [])").endswith("True\n")


POOR_MACHINE = """
import errno
from grader.sandbox.confinement import libc, seccomp
with seccomp.Filter(seccomp.ALLOW) as rules:
    for name in ("unshare", "mount"):
        rules.add(seccomp.refuse(errno.EPERM), name)
    rules.add(seccomp.refuse(errno.ENOSYS), "landlock_create_ruleset")
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(rules.compiled())
"""


def test_a_machine_without_landlock_and_namespaces_keeps_the_rest() -> None:
    assert [line.split("|")[1] for line in said(POOR_MACHINE + SURVEY).splitlines()] == [
        "False", "True", "True", "False", "False",
    ]  # fmt: skip
    code = """
import os
from grader.sandbox.confinement import layers
print(layers.enter_namespaces())
plan = layers.prepare(layers.ProcessLimits(1 << 28, 5), layers.default_readable())
print(plan.layers)
if not os.fork():
    layers.confine(plan)
    try: os.fork()
    except PermissionError: os.write(1, b"refused")
    os._exit(0)
os.wait()
"""
    lines = said(POOR_MACHINE + code).splitlines()
    assert sorted(lines) == sorted(["()", "('seccomp', 'rlimits')", "refused"])


WITHOUT_LIBSECCOMP = """
import ctypes
load = ctypes.CDLL
def found(name, *args, **kwargs):
    if name and "seccomp" in name:
        raise OSError(f"{name}: cannot open shared object file: No such file or directory")
    return load(name, *args, **kwargs)
ctypes.CDLL = found
"""


def test_a_machine_without_libseccomp_says_what_to_install() -> None:
    rows = said(WITHOUT_LIBSECCOMP + SURVEY).splitlines()
    assert rows[1].startswith("seccomp|False|install the system library libseccomp")


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_have_no_layer_and_no_error(platform: str) -> None:
    code = (
        f"import sys, ctypes, importlib.metadata, os; sys.platform = {platform!r}; del os.fork\n"
        + SURVEY
        + """
plan = layers.prepare(layers.ProcessLimits(1, 1), [])
print(plan.layers, layers.enter_namespaces(), layers.confine(plan))"""
    )
    lines = said(code).splitlines()
    assert [line.split("|")[1] for line in lines[:5]] == ["False"] * 5
    assert lines[5] == "() () None"


def test_what_python_needs_is_readable_and_the_course_is_not() -> None:
    readable = said(
        "from grader.sandbox.confinement import layers; print(*layers.default_readable(), sep='\\n')"
    ).splitlines()
    assert os.path.realpath(f"{PACKAGES}/torch") in readable
    assert os.path.realpath(PACKAGES) not in readable
    assert not any(ROOT.is_relative_to(path) for path in readable)


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
from grader.sandbox.confinement import layers
plan = layers.prepare(layers.ProcessLimits(1 << 30, 5), layers.default_readable())
if os.fork(): os._exit(os.wait() and 0)
"""
    attempt = "try: layers.confine(plan)\nexcept (OSError, RuntimeError) as error: os.write(1, str(error).encode())"
    assert message in said(setup + code + attempt)
