"""Operators that an exercise forbids refuse every caller in a worker, and others work on."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from grader.sandbox.worker.forbidden import forbids, withheld

CALLS = ("torch.softmax", "torch.nn.functional.scaled_dot_product_attention")


@pytest.mark.parametrize(
    ("operator", "call"),
    [
        ("softmax", "torch.softmax"),
        ("_softmax", "torch.softmax"),
        ("_safe_softmax", "torch.softmax"),
        ("_scaled_dot_product_flash_attention_for_cpu", "torch.nn.functional.scaled_dot_product_attention"),
        ("SoftmaxTransform._call", "torch.softmax"),
        ("AdaptiveLogSoftmaxWithLoss.forward", "torch.softmax"),
        ("softplus", None),
        ("scaled_mm", None),
        ("exp", None),
    ],
)
def test_an_operator_is_known_by_its_words(operator: str, call: str | None) -> None:
    assert forbids(CALLS, operator) == call


def test_the_dispatcher_is_searched_for_them() -> None:
    assert {("_softmax", "CPU"), ("scaled_dot_product_attention", "CPU")} <= set(withheld(CALLS)[0])
    assert not any("backward" in operator for operator, _ in withheld(CALLS)[0])
    assert withheld(()) == ((), ())


PROGRAM = """
import threading, torch
from torch.utils._python_dispatch import _disable_current_modes
from grader.sandbox.worker.forbidden import withheld, withhold
x, called = torch.randn(3, 4), set()
withhold(withheld(("torch.softmax",)), ("torch.softmax",), called)

def in_a_thread():
    found = []
    def work():
        try:
            found.append(torch.softmax(x, 0))
        except RuntimeError as error:
            found.append(error)
    thread = threading.Thread(target=work); thread.start(); thread.join()
    if isinstance(found[0], Exception):
        raise found[0]

def without_modes():
    with _disable_current_modes(), torch._C.DisableTorchFunction():
        torch.softmax(x, 0)

def in_inference_mode():
    with torch.inference_mode():
        torch.softmax(torch.randn(3), 0)

ways = {
    "plain": lambda: torch.softmax(x, 0), "method": lambda: x.softmax(0), "thread": in_a_thread,
    "gradient": lambda: torch.softmax(x.clone().requires_grad_(), 0), "modes": without_modes,
    "operator": lambda: torch.ops.aten._softmax(x, 0, False), "module": lambda: torch.nn.Softmax(0)(x),
    "inference": in_inference_mode, "mkldnn": lambda: x.to_mkldnn().softmax(0),
}
for name, way in ways.items():
    try:
        way()
        print(name, "worked")
    except RuntimeError as error:
        assert "not allowed here" in str(error), error
(x.exp() / x.exp().sum(0)).sum(); torch.logsumexp(x, 0); x.clone().requires_grad_().exp().sum().backward()
print("called", *sorted(called))
"""


def test_they_refuse_every_caller() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "called _softmax softmax\n"
    assert done.stderr == ""


# Each runs in a process in which a call is withheld; it prints what it got, or dies of the refusal.
WAYS = {
    "the function in a thread": (
        "torch.nn.functional.multi_head_attention_forward",
        "import threading\nfrom torch.nn.functional import multi_head_attention_forward as f\nfound = []\n"
        "def work():\n    try:\n        found.append(f(*[None] * 13))\n    except RuntimeError as e:\n"
        "        found.append(e)\n"
        "t = threading.Thread(target=work); t.start(); t.join()\nraise found[0]",
    ),
    "the operator": (
        "torch.nn.functional.multi_head_attention_forward",
        "torch._native_multi_head_attention(*[x] * 3, 4, 2, *[x] * 4)",
    ),
    "the class": ("torch.nn.MultiheadAttention", "torch.nn.MultiheadAttention(4, 2)"),
    "its layer": ("torch.nn.MultiheadAttention", "torch.nn.TransformerEncoderLayer(4, 2)"),
    "without its __init__": (
        "torch.nn.MultiheadAttention",
        "m = torch.nn.MultiheadAttention.__new__(torch.nn.MultiheadAttention)\n"
        "torch.nn.MultiheadAttention.forward(m, x, x, x)",
    ),
    "what it registered is freed": (
        "torch.softmax",
        "import gc, sys\n"
        "from grader.sandbox.worker import forbidden\n"
        "for held in [*gc.get_objects(), *vars(forbidden).values()]:\n"
        "    if type(held).__name__ in ('Library', 'DispatchModule', '_DispatchModule'):\n"
        "        held._destroy() if hasattr(held, '_destroy') else held.reset()\n"
        "gc.collect()\ntorch.softmax(x, 0)",
    ),
    "a decomposition": ("torch.softmax", "import torch._decomp.decompositions as d\nprint(d._softmax(x, 0, False))"),
    "a reference": ("torch.softmax", "import torch._refs as r\nprint(r.softmax(x, 0))"),
    "a transform": ("torch.softmax", "print(torch.distributions.transforms.SoftmaxTransform()(x))"),
    "a masked one": ("torch.softmax", "print(torch.masked.softmax(x, 0))"),
    "what a decorator wraps": ("torch.softmax", "import torch._refs as r\nprint(r.softmax.__wrapped__(x, 0))"),
    "a module imported later": (
        "torch.nn.attention.bias.CausalBias",
        "from torch.nn.attention import bias\nbias.causal_lower_right(3, 3)",
    ),
    "the same without hooks": (
        "torch.nn.attention.bias.CausalBias",
        "import sys\nsys.meta_path[:] = [f for f in sys.meta_path if 'Path' in repr(f)]\n"
        "from torch.nn.attention import bias\nbias.causal_lower_right(3, 3)",
    ),
    "a twin in a module imported later": (
        "torch.lerp",
        "import torch._inductor.decomposition as d\nprint(d._lerp_scalar(x, x, 0.5))",
    ),
    "the same with its loader put back": (
        "torch.lerp",
        "from importlib.machinery import SourceFileLoader as Loader\n"
        "cells = Loader.get_code.__closure__\n"
        "Loader.get_code = next(c.cell_contents for c in cells if callable(c.cell_contents))\n"
        "import torch._inductor.decomposition as d\nprint(d._lerp_scalar(x, x, 0.5))",
    ),
    "a mask of the transformer": (
        "torch.nn.Transformer.generate_square_subsequent_mask",
        "print(torch.nn.Transformer.generate_square_subsequent_mask(3))",
    ),
}
# Honest files do these; each imports a thousand modules of torch, in some of which a softmax is defined.
HONEST = {
    "compares": "torch.testing.assert_close(x, x)",
    "asks for determinism": "torch.use_deterministic_algorithms(True)",
    "optimises": "p = torch.nn.Parameter(x)\n(p * p).sum().backward()\ntorch.optim.SGD([p]).step()",
    "traces": "torch.jit.trace(torch.nn.Linear(4, 2), x)",
    "names its twin": "import torch.onnx",
}
FREE = (
    "print(torch.nn.functional.layer_norm(x, (4,)).shape, torch.nn.Linear(4, 2)(x).shape, x.logsumexp(0).shape, "
    "torch.nn.functional.relu(x).shape)"
)
ONE_BY_ONE = """
import json, os, sys, tempfile, traceback
import torch
from grader.sandbox.worker.forbidden import withheld, withhold
found = {}
for name, (call, way) in json.load(sys.stdin).items():
    with tempfile.TemporaryFile("w+") as said:
        if not (child := os.fork()):
            os.dup2(said.fileno(), 1), os.dup2(said.fileno(), 2)
            try:
                x = torch.randn(3, 4)
                withhold(withheld((call,)), (call,), set())
                exec(way, {"torch": torch, "x": x})
            except BaseException:
                traceback.print_exc(file=sys.stdout)
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)
        said.seek(0)
        found[name] = said.read()
json.dump(found, sys.stdout)
"""


@pytest.fixture(scope="module")
def said() -> dict[str, str]:
    """What each way prints, in a process of its own that is forked once torch is there."""
    ways = {**WAYS, **{name: ("torch.softmax", f"{way}\nprint('worked')") for name, way in HONEST.items()}}
    ways = {name: (call, f"{FREE}\n{way}\n") for name, (call, way) in ways.items()}
    command = [sys.executable, "-c", ONE_BY_ONE]
    done = subprocess.run(command, input=json.dumps(ways), capture_output=True, text=True, timeout=100, check=True)
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_there_is_no_other_way_to_it(said: dict[str, str], name: str) -> None:
    assert "not allowed here" in said[name]
    assert said[name].count("torch.Size") == 4
    assert "tensor" not in said[name].partition("Traceback")[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", HONEST)
def test_what_honest_code_imports_is_there(said: dict[str, str], name: str) -> None:
    assert said[name].endswith("worked\n"), said[name]
