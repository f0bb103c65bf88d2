"""Each law passes a right function and fails one that breaks it, with a sentence that says how."""

from __future__ import annotations

import pytest
from toy_suites import HEAD, course

from grader.course import LAW_TITLES
from grader.sandbox.worker.source import load
from grader.suites import laws
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites

FUNCTION = "def f(x, factor=2.0):\n    return x * factor\n"
CLASS = """
import torch

class F(torch.nn.Module):
    def __init__(self, size, heads=1):
        super().__init__()
        if size % heads:
            raise ValueError("size")
        self.weight = torch.nn.Parameter(torch.ones(size))
        self.drop = torch.nn.Dropout(0.0)
    def forward(self, x):
        return self.drop(x * self.weight)
"""
SUITE = """
@error_bound("f")
def bound(x, factor=2.0):
    return (x * factor).abs()

def examples(ask, make):
    ask.f(make.normal(2, 3))
    ask.f(make.normal(4), factor=-3.0)

test_device = laws.device(1, examples)
test_inputs = laws.inputs_unchanged(1, examples)
test_layout = laws.memory_layout(1, examples)
test_gradient = laws.gradient(1, examples)
test_remembers = laws.remembers_nothing(1, examples)
test_keywords = laws.keywords(1, examples)
test_lengths = laws.lengths(1, lambda ask, make, n: ask.f(make.normal(n)))
"""
CLASS_SUITE = """
@error_bound("F")
def bound(module, x, *turns):
    each = [4 * (y * module.weight).abs() for y, in (x, *turns)] if turns else None
    return each or 4 * (x * module.weight).abs()

def examples(ask, make):
    ask.made(3, state={"weight": make.normal(3)}).F(make.normal(2, 3))

test_device = laws.device(1, examples)
test_inputs = laws.inputs_unchanged(1, examples)
test_layout = laws.memory_layout(1, examples)
test_gradient = laws.gradient(1, examples)
test_remembers = laws.remembers_nothing(1, examples)
test_keywords = laws.keywords(1, examples)
test_eval = laws.train_and_eval(1, examples)
test_refuses = laws.refuses_when_made(1, lambda ask, make: ask.made(3, 2).turns.F())

@points(1)
def test_two_objects(matches_reference, make):
    '''Two objects are called by turns.'''
    two = matches_reference.made(3, state={"weight": make.normal(3)}, objects=2).turns
    two.F((make.normal(2, 3),), (make.normal(2, 3),))
"""


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    return course(tmp_path_factory.mktemp("functions"), HEAD + SUITE, FUNCTION)


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    return course(tmp_path_factory.mktemp("classes"), HEAD + CLASS_SUITE, CLASS)


def failed(suites: Suites, source: str) -> dict[str, str]:
    """The English reason of each law that what this source defines fails."""
    found = list(suites.run("f", LocalTarget(load(source, "f")), 3))
    return {r.id.partition("[")[0]: r.reason.to("en") for r in reversed(found) if r.verdict != "passed"}


def test_a_right_function_keeps_every_law(functions):
    assert failed(functions, FUNCTION) == {}
    assert failed(functions, "import numpy\ndef f(x, factor=2.0):\n    return (x.float() * factor).to(x.dtype)\n") == {}


def test_a_right_class_keeps_every_law(classes):
    assert failed(classes, CLASS) == {}


AGAIN = "when called repeatedly: the function keeps state between calls"
BREAKS = {  # the body of f, the law, how it says so
    "a constant on the CPU": (
        "return x * torch.full(x.shape, factor)", "test_device",
        "f(x [2, 3] float32): raises WrongDevice: mul: one tensor is on the device of the inputs, another on the CPU",
    ),
    "an input changed": (
        "x *= factor\n    return x", "test_inputs", "f(x [2, 3] float32): changes its input x in place"),
    "another layout": (
        "return x.view(-1).mul(factor).view(x.shape)", "test_layout",
        ".view needs a tensor that is contiguous in memory",
    ),
    "a gradient cut": (
        "return (x * factor).detach()", "test_gradient", "f(x [2, 3] float32): no gradient reaches x"),
    "a gradient halved": (
        "return x * factor / 2 + (x * factor / 2).detach()", "test_gradient", "the gradient of x is off by "),
    "a result kept": (
        "return KEPT.setdefault((x.shape, x.device), x * factor)", "test_remembers", AGAIN),
    "a result that changes later": (
        "return torch.mul(x, factor, out=KEPT.setdefault((x.shape, x.device), torch.zeros_like(x)))",
        "test_remembers", AGAIN,
    ),
    "another shape kept": (
        "return KEPT.setdefault(x.device, x * factor)", "test_remembers",
        "f called with (x [2, 3] float32, factor=2.0), (x [4] float32, factor=-3.0), (x [2, 3] float32, factor=2.0)"
        " ... (12 calls): result 2 has shape [2, 3], expected [4] " + AGAIN),
    "a special length": (
        "return x * factor if x.numel() != 33 else x", "test_lengths", "f(x [33] float32): the result is off by up to ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BREAKS)
def test_a_function_that_breaks_a_law(functions, case):
    body, law, said = BREAKS[case]
    found = failed(functions, f"import torch\nKEPT = {{}}\ndef f(x, factor=2.0):\n    {body}\n")
    assert said in found[law]


def test_parameters_of_other_names(functions):
    found = failed(functions, "def f(y, factor=2.0):\n    return y * factor\n")
    assert set(found) == {"test_keywords"}
    said = "callers pass x= by its name: the parameters keep the names that the stub gives them"
    assert found["test_keywords"].endswith(f"got an unexpected keyword argument 'x' [{said}]")


CLASS_BREAKS = {  # what is changed in the class, the law, how it says so
    "a constant on the CPU": (
        "x * self.weight", "x * self.weight * torch.ones(3)", "test_device", "raises WrongDevice"),
    "a weight changed": (
        "return self.drop(", "self.weight.data.add_(0); self.weight.data.mul_(2)\n        return 0.5 * self.drop(",
        "test_inputs", "changes its input weight in place"),
    "a gradient cut": ("x * self.weight", "x * self.weight.detach()", "test_gradient", "no gradient reaches weight"),
    "something remembered in the class": (
        "return self.drop(x * self.weight)",
        "F.seen = getattr(F, 'seen', 0) + 1\n        return self.drop(x * self.weight) + (F.seen > 8)",
        "test_remembers", "when called repeatedly"),
    "another name": ("forward(self, x):\n        return self.drop(x ", "forward(self, y):\n        return self.drop(y ",
        "test_keywords", "callers pass x= by its name"),
    "noise in training": ("Dropout(0.0)", "Dropout(0.5)", "test_eval", "the result is off by up to "),
    "no refusal": (
        "if size % heads:", "if False:", "test_refuses",
        "F(size=3, heads=2): returns a value, expected a ValueError",
    ),
    "one object at a time": (
        "self.drop = torch.nn.Dropout(0.0)", "self.drop = lambda y: y * (F.last is self)\n        F.last = self",
        "test_two_objects",
        "2 objects F(size=3) called by turns with (x [2, 3] float32), (x [2, 3] float32): result 1 is off by up to ",
    ),
    "another refusal": (
        "ValueError(", "KeyError(", "test_refuses",
        "F(size=3, heads=2): raises KeyError: 'size', expected a ValueError",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CLASS_BREAKS)
def test_a_class_that_breaks_a_law(classes, case):
    old, new, law, said = CLASS_BREAKS[case]
    assert old in CLASS
    found = failed(classes, CLASS.replace(old, new))
    assert said in found[law], found


OF_NO_USE = {  # the body of f, and which laws find that nobody could use it
    "right": ("return x * factor", set()),
    "never a gradient": ("return (x * factor).detach()", {"test_gradient"}),
    "through numpy": ("return torch.from_numpy(x.numpy() * factor).to(x.dtype)", {"test_gradient"}),
    "a value overwritten": ("y = (0 * x).exp(); z = x * factor * y; y += 1; return z", {"test_gradient"}),
    "a gradient for most": ("return x * factor if x.dim() > 1 else (x * factor).detach()", set()),
    "a gradient in float64 only": ("return x * factor if x.dtype != torch.float32 else (x * factor).detach()", set()),
    "a wrong gradient": ("return x * factor / 2 + (x * factor / 2).detach()", set()),
    "ends at 64": ("return x * factor if x.numel() <= 64 else x", {"test_lengths"}),
    "refuses above 128": ("return x * factor if x.numel() <= 128 else x[:, :, 0]", {"test_lengths"}),
    "ends at 8": ("return x * factor if x.numel() <= 8 else x", {"test_lengths"}),
    "odd lengths wrong": ("return x * factor if x.numel() <= 8 or not x.numel() % 2 else x", {"test_lengths"}),
    "ends at 512": ("return x * factor if x.numel() <= 512 else x", set()),
    "ends at 256": ("return x * factor if x.numel() <= 256 else x", set()),
    "one length wrong": ("return x * factor if x.numel() != 65 else x", set()),
}


@pytest.mark.parametrize("case", OF_NO_USE)
def test_a_slip_in_a_corner_is_told_from_what_nobody_could_use(functions, case):
    body, laws_broken = OF_NO_USE[case]
    source = f"import torch\ndef f(x, factor=2.0):\n    {body}\n"
    found = [
        r for r in functions.run("f", LocalTarget(load(source, "f")), 3) if r.id.partition("[")[0] != "test_device"
    ]
    every = {r.id.partition("[")[0] for r in found}
    useless = {law for law in every if all(r.useless for r in found if r.id.partition("[")[0] == law)}
    assert useless == laws_broken


def test_values_that_are_wrong_at_any_length_are_no_table_that_ends(tmp_path):
    values = "\n@points(1)\ndef test_values(matches_reference, make):\n    matches_reference.f(make.normal(3))\n"
    suites = course(tmp_path, HEAD + values + SUITE, FUNCTION)
    source = "def f(x, factor=2.0):\n    return x + factor\n"
    assert not any(r.useless for r in suites.run("f", LocalTarget(load(source, "f")), 3))


def test_only_the_first_failure_of_a_check_is_noted(functions):
    source = "import torch\ndef f(x, factor=2.0):\n    return (x * factor).detach() if x.numel() < 60 else x\n"
    found = {r.id.partition("[")[0]: r for r in functions.run("f", LocalTarget(load(source, "f")), 3)}
    assert len(found["test_gradient"].calls) == 1
    assert len(found["test_lengths"].calls) == laws.LENGTHS.index(63) + 1


WEIGHTS = {  # how the module keeps its weight, and whether it is trained
    "a parameter": ("torch.nn.Parameter(torch.ones(size))", False),
    "frozen": ("torch.nn.Parameter(torch.ones(size), requires_grad=False)", True),
    "a buffer": ("torch.nn.Buffer(torch.ones(size))", True),
}


@pytest.mark.parametrize("case", WEIGHTS)
def test_weights_are_trained_that_are_parameters(classes, case):
    kept, useless = WEIGHTS[case]
    source = CLASS.replace("torch.nn.Parameter(torch.ones(size))", kept)
    found = [r for r in classes.run("f", LocalTarget(load(source, "f")), 3) if r.id.startswith("test_gradient")]
    assert {r.useless for r in found} == {useless}


def test_another_result_in_training_mode_is_of_no_use(classes):
    source = CLASS.replace("Dropout(0.0)", "Dropout(0.5)")
    assert [r.id for r in classes.run("f", LocalTarget(load(source, "f")), 3) if r.useless] == ["test_eval[cpu]"]


def test_titles_are_the_laws_own(functions):
    assert functions.titles("f")["test_keywords[cpu]"] == LAW_TITLES["keywords"]
    assert functions.titles("f")["test_device[meta]"] == LAW_TITLES["device"]


def test_a_gradient_is_taken_in_two_dtypes_unless_told_otherwise(functions):
    assert {id for id in functions.titles("f") if "gradient" in id} == {
        "test_gradient[cpu-float32]", "test_gradient[cpu-float64]",
    }  # fmt: skip
