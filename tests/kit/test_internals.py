"""What the engine uses of other packages without their promise that it stays: all of it is named here, and tried.

pytest and torch have upper bounds in pyproject.toml for this. Before one is raised, this file must pass: a failure says
which name has moved, and the places that use it are the ones to mend.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from typing import Any

import pytest
import torch
from support import ROOT, pyproject

from grader.sandbox.worker import forbidden, seeding

USED = {
    "_pytest.config._prepareconfig": "suites/runner.py opens a session to collect into",
    "_pytest.config.Config._do_configure": "the same",
    "_pytest.python.PyCollector._genfunctions": "suites/several_laws.py makes the items of several checks",
    "_pytest.runner.runtestprotocol": "suites/plugin.py runs a check that needs more than our fixtures",
    "_pytest.runner.SetupState.teardown_exact": "suites/runner.py ends a suite, as `session._setupstate`",
    "_pytest.fixtures.FuncFixtureInfo": "suites/plugin.py looks which fixtures a check has, as `item._fixtureinfo`",
    "random._inst": "sandbox/worker/seeding.py looks whether Python's generator is as seeding leaves it",
    "numpy.random.mtrand._rand": "the same of numpy's",
    "numpy.random.RandomState._bit_generator": "the same",
    "torch._C.TensorBase._version": "sandbox/worker/calls.py sees whether an input was changed in place",
    "torch._C._disabled_torch_function_impl": "sandbox/worker/dispatch.py makes a tensor of the pretended device",
    "torch.Tensor._make_wrapper_subclass": "the same",
    "torch.utils._python_dispatch.TorchDispatchMode": "sandbox/worker/dispatch.py watches operators",
    "torch.utils._python_dispatch.TorchDispatchMode._should_skip_dynamo": "the same, without the compiler's import",
    "torch._C._dispatch_get_all_op_names": "sandbox/worker/forbidden.py finds what an exercise forbids",
    "torch._C._dispatch_has_kernel_for_dispatch_key": "the same",
    "torch._C._dispatch_library": "sandbox/worker/forbidden.py replaces operators",
    "torch.library._impls": "sandbox/worker/reset.py sees whether a file left operators replaced",
    "torch.overrides._get_current_function_mode_stack": "the same, whether it left a mode open",
    "torch.overrides._pop_mode": "the same",
    "torch.utils._python_dispatch._get_current_dispatch_mode_stack": "the same",
    "torch.utils._python_dispatch._pop_mode": "the same",
    "torch._C._set_deterministic_algorithms": "the same, without the compiler's import",
}
STANDARD = {"_exit", "_fields_", "_getframe", "_pack_"}  # documented names of Python's own


def found(name: str) -> Any:
    """What a dotted name stands for."""
    module, _, rest = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), rest)
    except ModuleNotFoundError:
        return getattr(found(module), rest)


@pytest.mark.parametrize("name", USED)
def test_it_is_still_there(name):
    found(name)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("_pytest.runner.runtestprotocol", ["item", "log", "nextitem"]),
        ("_pytest.config._prepareconfig", ["args", "plugins"]),
        ("_pytest.runner.SetupState.teardown_exact", ["self", "nextitem"]),
    ],
)
def test_it_takes_what_we_give_it(name, parameters):
    assert list(inspect.signature(found(name)).parameters)[: len(parameters)] == parameters


def test_items_and_sessions_have_what_we_look_at(request):
    assert request.node._fixtureinfo.argnames == ("request",)
    assert request.session._setupstate.stack


def test_a_version_counts_changes_in_place():
    version = vars(found("torch._C.TensorBase"))["_version"].__get__
    tensor = torch.zeros(2)
    before = version(tensor)
    tensor.add_(1)
    assert version(tensor) > before


def test_generators_lie_in_memory_as_we_look_at_them():
    """Else they are seeded before each call, which takes longer."""
    assert len(seeding._SEEDED) == 2


def test_the_dispatcher_knows_the_operators():
    names = torch._C._dispatch_get_all_op_names()
    assert "aten::_softmax" in names
    assert torch._C._dispatch_has_kernel_for_dispatch_key("aten::_softmax", "CPU")
    operators, functions = forbidden.withheld(("torch.nn.functional.softmax",))
    assert ("_softmax", "CPU") in operators
    assert ("torch.nn.functional", "softmax") in functions


def test_none_is_used_that_is_not_named_here():
    """A name with an underscore that the engine nowhere defines is somebody else's."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "grader").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    own = {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    own |= {n.id for n in nodes if isinstance(n, ast.Name)}
    own |= {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
    used = {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    modules = [n.module for n in nodes if isinstance(n, ast.ImportFrom) and n.module]
    used |= {part for module in modules for part in module.split(".")}
    foreign = {name for name in used - own - STANDARD if name.startswith("_") and not name.startswith("__")}
    named = {part for name in USED for part in name.split(".")} | {"_fixtureinfo", "_setupstate"}
    assert foreign - named == set()


def test_their_packages_have_upper_bounds():
    project = pyproject()["project"]
    for package in ("pytest", "torch"):
        needed = [*project["dependencies"], *project["optional-dependencies"]["torch"]]
        assert any(d.startswith(package) and "<" in d for d in needed), package
