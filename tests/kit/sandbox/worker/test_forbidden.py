"""Operators that an exercise forbids refuse every caller in a worker, and others work on."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from grader.sandbox.worker.forbidden import withheld
from grader.sandbox.worker.refusals import beyond, forbids

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
    assert ("_softmax_backward_data", "CPU") in withheld(CALLS)[0]
    assert ("quantized::softmax", "QuantizedCPU") in withheld(CALLS)[0]
    assert withheld(()) == ((), ())


@pytest.mark.parametrize(
    ("name", "is_beyond"),
    [
        ("torch._C._te.TensorExprKernel", True),
        ("torch.autograd.Variable._execution_engine.run_backward", True),
        ("torch.onnx.ops.attention", True),
        ("torch.jit.freeze", True),
        ("torch.jit.script", False),
        ("torch.ops.aten._softmax", True),
        ("torch.jit.is_scripting", False),
        ("torch.jit", False),
        ("torch.backends.cuda.matmul.allow_tf32", False),
        ("torch.nn.init._calculate_fan_in_and_fan_out", False),
        ("torch.__version__", False),
        ("torch.func.vmap", False),
        ("self._cache", False),
    ],
)
def test_private_names_and_front_ends_are_beyond_what_is_taught(name: str, is_beyond: bool) -> None:
    assert beyond(name) == is_beyond


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
    assert done.stdout == "called Softmax.__init__ _softmax softmax torch._C\n"
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
        "Loader.get_code = next(c.cell_contents for c in cells if 'get_code' in repr(c.cell_contents))\n"
        "import torch._inductor.decomposition as d\nprint(d._lerp_scalar(x, x, 0.5))",
    ),
    "a kernel made of a graph": (
        "torch.softmax",
        "get = type(torch).__getattribute__\nC = get(torch, '_C')\n"
        "graph = 'graph(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu)):\\n'"
        "'  %d : int = prim::Constant[value=1]()\\n  %n : NoneType = prim::Constant()\\n'"
        "'  %r : Float(3, 4, strides=[4, 1], device=cpu) = aten::softmax(%x, %d, %n)\\n  return (%r)'\n"
        "graph = get(C, 'parse_ir')(graph)\nprint(get(get(C, '_te'), 'TensorExprKernel')(graph).run((x,)))",
    ),
    "a private module": ("torch.softmax", "print(getattr(torch, '_' + 'C').parse_ir)"),
    "a private module by its name": ("torch.softmax", "import sys\nprint(sys.modules['torch._C']._te)"),
    "a private module imported": ("torch.softmax", "from torch._C import _te\nprint(_te)"),
    "a private module by the library": ("torch.softmax", "import pkgutil\nprint(pkgutil.resolve_name('torch._C:_te'))"),
    "a private module in a thread": (
        "torch.softmax",
        "import operator, threading\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "print(ThreadPoolExecutor(1).submit(operator.attrgetter('_C._te'), torch).result())",
    ),
    "an exporter": ("torch.softmax", "import importlib\nprint(importlib.import_module('torch.onnx.ops').attention)"),
    "its operators": ("torch.softmax", "import torch.onnx.ops\nprint(getattr(torch, 'ops').onnx.Attention)"),
    "a compiler": ("torch.softmax", "print(getattr(torch, 'jit').CompilationUnit)"),
    "a transformer's layer": (
        "torch.nn.functional.multi_head_attention_forward",
        "e, z, w = torch.eye(4), torch.zeros(4), torch.eye(4).repeat(3, 1)\n"
        "print(torch._transformer_encoder_layer_fwd(x[None], 4, 1, w, torch.zeros(12), e, z, False, False, 1e-5, "
        "z, z, z, z, e, z, e, z))",
    ),
    "a quantized one": (
        "torch.softmax",
        "import warnings\nwarnings.simplefilter('ignore')\n"
        "print(torch.softmax(torch.quantize_per_tensor(x, 0.1, 0, torch.quint8), 1))",
    ),
    "the engine in a thread": (
        "torch.autograd.backward",
        "import threading\nfound = []\na = x.clone().requires_grad_()\nout = (a * a).sum()\n"
        "engine = getattr(torch.autograd.Variable, '_execution_' + 'engine')\ndef work():\n    try:\n"
        "        found.append(engine.run_backward((out,), (torch.ones(()),), False, False, (a,), True, True))\n"
        "    except RuntimeError as e:\n        found.append(e)\n"
        "t = threading.Thread(target=work); t.start(); t.join()\nraise found[0]",
    ),
    "a backward kernel": (
        "torch.autograd.backward",
        "get = type(torch).__getattribute__\nprint(get(torch, '_softmax_backward_data')(x, x, -1, torch.float32))",
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
    "names its twin": "import torch.onnx",
    "looks around": "dir(torch), vars(torch)['exp'](x)",
    "asks": "assert not torch.jit.is_scripting() and not torch.backends.mps.is_available()",
    "sets": "torch.backends.cuda.matmul.allow_tf32 = False\ntorch.backends.cudnn.deterministic = True",
    "asks for a GPU": "\ntry:\n    x.to('cuda')\nexcept AssertionError as e:\n    assert 'CUDA' in e.args[0]",
    "maps": "torch.func.vmap(lambda a: a * 2)(x), torch.func.grad(lambda a: (a * a).sum())(x)",
    "counts": "from torch.utils.flop_counter import FlopCounterMode as Mode\nwith Mode(display=False):\n    x @ x.mT",
    "copies": "import copy\ncopy.deepcopy(torch.nn.Linear(4, 2))(x)",
    "checkpoints": (
        "from torch.utils.checkpoint import checkpoint\n"
        "checkpoint(lambda a: a * 2, x.clone().requires_grad_(), use_reentrant=False).sum().backward()"
    ),
}
FREE = (
    "print(torch.nn.functional.layer_norm(x, (4,)).shape, torch.nn.Linear(4, 2)(x).shape, x.logsumexp(0).shape, "
    "torch.nn.functional.relu(x).shape)"
)
NO_GRAPH = """
a, weight = x.clone().requires_grad_(), torch.nn.Parameter(x)
print((a * a).exp().grad_fn, (a @ a.mT).grad_fn, (weight * 2).grad_fn, x.requires_grad_().sum().grad_fn)
print(torch.func.vjp(lambda a: (a * a).sum(), torch.ones(2))[1](torch.ones(()))[0].tolist())
"""
ONE_BY_ONE = """
import json, os, sys, tempfile, traceback
import torch
from grader.sandbox.worker.forbidden import withheld, withhold
found = {}
for name, (call, way) in json.load(sys.stdin).items():
    withheld((call,))  # which is kept, for all ways to this call
    with tempfile.TemporaryFile("w+") as said:
        if not (child := os.fork()):
            os.dup2(said.fileno(), 1), os.dup2(said.fileno(), 2)
            try:
                x = torch.randn(3, 4)
                called = set()
                withhold(withheld((call,)), (call,), called)
                exec(compile(way, "student.py", "exec"), {"torch": torch, "x": x, "__name__": "student"})
            except BaseException:
                traceback.print_exc(file=sys.stdout)
            print("tried", *sorted(called))
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
    ways["has no graph"] = ("torch.autograd.backward", NO_GRAPH)
    ways = {name: (call, f"{FREE}\n{way}\n") for name, (call, way) in ways.items()}
    command = [sys.executable, "-c", ONE_BY_ONE]
    done = subprocess.run(command, input=json.dumps(ways), capture_output=True, text=True, timeout=300, check=True)
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_there_is_no_other_way_to_it(said: dict[str, str], name: str) -> None:
    assert "not allowed here" in said[name]
    assert said[name].count("torch.Size") == 4
    assert "tensor" not in said[name].partition("Traceback")[0]
    assert not said[name].endswith("tried\n"), "what was tried is noted"


@pytest.mark.slow
@pytest.mark.parametrize("name", HONEST)
def test_what_honest_code_imports_is_there(said: dict[str, str], name: str) -> None:
    assert said[name].endswith("worked\ntried\n"), said[name]


@pytest.mark.slow
def test_where_backward_passes_are_forbidden_no_graph_is_recorded(said: dict[str, str]) -> None:
    assert "None None None None\n" in said["has no graph"]
    assert "2.0" not in said["has no graph"]
