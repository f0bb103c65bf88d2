"""One worker for all files of a submission, as on CUDA: what one did to Python and torch does not reach the next."""

from __future__ import annotations

import sys

import pytest
from msgspec.structs import replace
from support import OPTIONS, exercise, solution

from grader.intake import Source, Submission
from grader.report.report import ExerciseReport, Report

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]
WHO = "import os\nprint('worker', os.getpid())\n"


@pytest.fixture(scope="module")
def process(fork_server, toy):
    opened = fork_server.grading_process(toy, replace(OPTIONS, one_worker=True))
    yield opened
    opened.close()


def graded(process, scale: str, pair: str) -> tuple[ExerciseReport, ExerciseReport]:
    sources = {"scale": Source(WHO + scale), "pair": Source(WHO + pair)}
    report = Report.from_json(process.grade(Submission("s", sources), "", 1))
    return exercise(report, "scale"), exercise(report, "pair")


def worker_of(found: ExerciseReport) -> str:
    return found.stdout.splitlines()[0]


PUT_BACK = {
    "nothing": "",
    "the default dtype": "import torch; torch.set_default_dtype(torch.float64)",
    "gradients switched off": "import torch; torch.set_grad_enabled(False)",
    "a function of torch": "import torch; torch.ones = lambda *a, **k: None",
    "a method of Tensor": "import torch; torch.Tensor.__add__ = lambda *a: None; torch.Tensor.lerp = lambda *a: None",
    "a layer's method": "import torch; torch.nn.Linear.forward = lambda *a: None",
    "a hook on all modules": "import torch; torch.nn.modules.module.register_module_forward_hook(lambda *a: 7)",
    "deterministic algorithms": "import torch; torch.use_deterministic_algorithms(True)",
    "TF32": "import torch; torch.backends.cuda.matmul.allow_tf32 = True",
    "a mode that is never left": """
from torch.overrides import TorchFunctionMode
class Odd(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        raise RuntimeError("odd")
Odd().__enter__()
""",
    "a builtin": "import builtins; builtins.float = None; builtins.added = 1",
    "a constant of math": "import math; math.pi = 3",
    "the depth of recursion": "import sys; sys.setrecursionlimit(120)",
    "how numpy takes errors": "import numpy as np; np.seterr(all='raise')",
    "a module of its own": "import sys, types; sys.modules['mine'] = types.ModuleType('mine')",
    "another module of a name": "import sys; sys.modules['math'] = sys",
    "the environment": "import os; os.environ['LEFT'] = '1'",
    "where output goes": "import sys, io; sys.stdout = io.StringIO()",
    "a generator's state": "import torch, random; torch.manual_seed(5); random.seed(5)",
}
# What a file can tell of its surroundings: the next one must find it as the first did.
LOOKS = """
import builtins, importlib.util, math, os, random, sys
import numpy as np
import torch

LINEAR = torch.nn.Linear(2, 2).forward
def found():
    assert torch.get_default_dtype() is torch.float32
    assert torch.ones(1).device.type == "cpu"
    assert torch.is_grad_enabled()
    assert torch.equal(torch.ones(2) + 1, torch.full((2,), 2.0))
    assert torch.lerp(torch.zeros(1), torch.ones(1), 0.5).item() == 0.5
    assert torch.zeros(1).lerp(torch.ones(1), 0.5).item() == 0.5
    assert torch.nn.Linear(2, 2)(torch.ones(2)).shape == (2,)
    assert not torch.are_deterministic_algorithms_enabled()
    assert not torch.backends.cuda.matmul.allow_tf32
    assert builtins.float("1") == 1.0 and not hasattr(builtins, "added")
    assert 3.14 < math.pi < 3.15 and sys.modules["math"] is math
    assert sys.getrecursionlimit() == 1000
    assert np.geterr()["divide"] == "warn"
    assert "mine" not in sys.modules and "scale" not in sys.modules
    assert "LEFT" not in os.environ

def pair(x):
    found()
    return x + 1, x * 2
"""


@pytest.mark.parametrize("done", PUT_BACK)
def test_what_a_file_did_is_put_back(process, done):
    scale, pair = graded(process, f"{solution('scale')}\n{PUT_BACK[done]}\n", LOOKS)
    assert pair.status == "passed", pair.reason
    assert worker_of(scale) == worker_of(pair)


SPOILED = {
    "a thread goes on": "import threading, time; threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
    "an operator is replaced": """
import torch
held = torch.library.Library("aten", "IMPL")
held.impl("mul.Tensor", lambda a, b: a, "CPU")
torch.kept_for_ever = held
""",
}


def test_a_worker_that_cannot_be_made_as_new_is_not_used_again(process):
    for name in ("a thread goes on", "an operator is replaced"):
        scale, pair = graded(process, f"{solution('scale')}\n{SPOILED[name]}\n", LOOKS)
        assert pair.status == "passed", (name, pair.reason)
        assert worker_of(scale) != worker_of(pair), name


def test_a_worker_that_ends_is_replaced(process):
    scale, pair = graded(process, solution("scale") + "\ndef scale(x, factor=2.0):\n    os._exit(3)\n", LOOKS)
    assert scale.score == 0
    assert pair.status == "passed", pair.reason


def test_what_is_forbidden_is_forbidden_there_too_and_only_there(process):
    uses = "import torch\ndef scale(x, factor=2.0):\n    return getattr(torch, 'le' + 'rp')(x * 0, x * 2, factor / 2)\n"
    scale, pair = graded(process, uses, LOOKS)
    assert (scale.status, pair.status) == ("rejected", "passed")
    assert "lerp" in scale.reason.to("en")


def test_no_submission_gets_anothers_worker(process):
    _, first = graded(process, solution("scale"), LOOKS)
    second, _ = graded(process, solution("scale"), LOOKS)
    assert worker_of(first) != worker_of(second)
