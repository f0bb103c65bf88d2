"""What laws draw beside their examples: other dtypes and layouts, and a large length."""

from __future__ import annotations

import pytest
import torch
from toy_suites import HEAD, course

from grader.sandbox.worker.source import load
from grader.suites import domain
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites
from grader.suites.target import NoAnswer
from grader.texts import plain

FUNCTION = "def f(x, factor=2.0):\n    return x * factor\n"
SUITE = """
@error_bound("f")
def bound(x, factor=2.0):
    return (x * factor).abs()

def examples(ask, make):
    ask.f(make.normal(2, 3))
    ask.f(make.normal(4), factor=-3.0)

test_inputs = laws.inputs_unchanged(1, examples)
test_layout = laws.memory_layout(1, examples)
test_gradient = laws.gradient(1, examples)
test_lengths = laws.lengths(1, lambda ask, make, n: ask.f(make.normal(n)))
test_device = laws.device(1, examples)
test_memory = laws.remembers_nothing(1, examples)
"""
VALUES = """
@points(1)
def test_values(matches_reference, make, dtype):
    '''Values are right in every dtype.'''
    matches_reference.f(make.normal(3))
"""
CORNERS = {  # what f does in one region of its inputs, that region, and the only law that it breaks there
    "no gradient above 256": ("(x * factor).detach()", "max(x.shape) > 256", "test_gradient"),
    "no gradient above 512": ("(x * factor).detach()", "max(x.shape) > 512", "test_gradient"),
    "no gradient in float16": ("(x * factor).detach()", "x.dtype == torch.float16", "test_gradient"),
    "no gradient in bfloat16": ("(x * factor).detach()", "x.dtype == torch.bfloat16", "test_gradient"),
    "no gradient in another layout": ("(x * factor).detach()", "not x.is_contiguous()", "test_gradient"),
    "float32 above 256": ("(x * factor).float()", "max(x.shape) > 256", "test_gradient"),
    "wrong above 512": ("x * factor * 1.5", "max(x.shape) > 512", "test_lengths"),
    "changed above 512": ("(x * factor, x.data.zero_())[0]", "max(x.shape) > 512", "test_inputs"),
    "changed in bfloat16": ("(x * factor, x.data.zero_())[0]", "x.dtype == torch.bfloat16", "test_inputs"),
    "changed in another layout": ("(x * factor, x.data.zero_())[0]", "not x.is_contiguous()", "test_inputs"),
    "on the CPU in float16": (
        "x * factor + torch.zeros(x.shape, dtype=x.dtype)",
        "x.dtype == torch.float16",
        "test_device",
    ),
    "on the CPU in another layout": (
        "x * factor + torch.zeros(x.shape, dtype=x.dtype)",
        "not x.is_contiguous()",
        "test_device",
    ),
    "on the CPU above 512": ("x * factor + torch.zeros(x.shape)", "max(x.shape) > 512", "test_device"),
    "refused above 512": ("[][x.numel()]", "max(x.shape) > 512", "test_lengths"),
    "refused in another layout": ("x.view(-1).reshape(x.shape) * factor", "not x.is_contiguous()", "test_layout"),
}


@pytest.fixture(scope="module")
def in_dtypes(tmp_path_factory):
    return course(tmp_path_factory.mktemp("dtypes"), HEAD + VALUES + SUITE, FUNCTION)


def failed(suites: Suites, source: str, seed: int = 3) -> set[str]:
    """The laws that what this source defines fails."""
    found = suites.run("f", LocalTarget(load(source, "f")), seed)
    return {r.id.partition("[")[0] for r in found if r.verdict != "passed"}


@pytest.mark.parametrize("case", CORNERS)
def test_a_function_that_breaks_a_law_in_one_region_only(in_dtypes, case):
    wrong, region, law = CORNERS[case]
    source = f"import torch\ndef f(x, factor=2.0):\n    return {wrong} if {region} else x * factor\n"
    assert failed(in_dtypes, source) == {law}


def test_a_result_that_is_kept_in_one_dtype_only(in_dtypes):
    kept = "KEPT.setdefault(x.shape, x * factor) if x.dtype == torch.bfloat16 else x * factor"
    source = f"import torch\nKEPT = {{}}\ndef f(x, factor=2.0):\n    return {kept}\n"
    assert "test_memory" in failed(in_dtypes, source)


def test_inputs_too_large_to_be_watched_are_left_out(tmp_path):
    wide = "\ntest_lengths = laws.lengths(1, lambda ask, make, n: ask.f(make.normal(n, n)))\n"
    assert failed(course(tmp_path, HEAD + SUITE + wide, FUNCTION), FUNCTION) == set()


WHOLE = """
@points(1)
def test_gradient(matches_gradients):
    'Gradients are right.'
    matches_gradients.f(torch.arange(3))
"""


def test_whole_numbers_have_no_gradient_to_compare(tmp_path):
    """A suite that asks for one all the same ends no grading, whatever the code gives."""
    suites = course(tmp_path, HEAD + WHOLE, "def f(x):\n    return x + 1.0\n")
    assert failed(suites, "def f(x):\n    return x + 2.0\n") == set()


LAYOUTS = [torch.arange(6.0).reshape(2, 3), torch.arange(3.0), torch.tensor(2.0), torch.arange(24.0).reshape(2, 3, 4)]


@pytest.mark.parametrize("x", LAYOUTS, ids=lambda x: str(list(x.shape)))
def test_layouts_of_the_same_values(x):
    for laid_out in (domain.transposed, domain.sliced):
        y = laid_out(x)
        assert torch.equal(y, x)
        assert y.untyped_storage().data_ptr() != x.untyped_storage().data_ptr()
    assert domain.sliced(x).storage_offset() == 1
    assert not domain.sliced(x).is_contiguous() or x.dim() == 0
    if x.dim():
        assert domain.expanded(x).stride(0) == 0
        assert torch.equal(domain.expanded(x)[-1], x[0])


CREATOR = "import torch\ndef f(n, device=None):\n    return torch.ones(n, device=device)\n"
CREATED = """
@error_bound("f")
def bound(n, device=None):
    return 4 * torch.ones(n)

test_device = laws.device(1, lambda ask, make: ask.f(3, device=torch.device("cpu")))
test_lengths = laws.lengths(1, lambda ask, make, n: ask.f(n))
"""


def test_a_function_that_makes_tensors_is_asked_for_a_long_one_on_the_device(tmp_path):
    suites = course(tmp_path, HEAD + CREATED, CREATOR)
    ends = CREATOR.replace("device=device", "device=None if n > 512 else device")
    assert [failed(suites, source) for source in (CREATOR, ends)] == [set(), {"test_device"}]


class Slow(LocalTarget):
    """A student whose code takes too long where an input is long; or hangs there."""

    slow = True

    def expect(self, calls):
        return (), 0.0

    def call(self, call):
        if any(max(t.shape, default=0) > 256 for t in call.arrays):
            raise NoAnswer("timeout", plain("took too long"), self.slow)
        return super().call(call)


def test_honest_code_that_is_slow_for_long_inputs_passes(in_dtypes):
    found = [*in_dtypes.run("f", Slow(load(FUNCTION, "f")), 3)]
    assert {r.verdict for r in found} == {"passed"}


def test_code_that_hangs_for_long_inputs_fails_where_lengths_are_tried_and_nowhere_else(in_dtypes):
    hanging = Slow(load(FUNCTION, "f"))
    hanging.slow = False
    stopped = {r.id.partition("[")[0] for r in in_dtypes.run("f", hanging, 3) if r.verdict == "timeout"}
    assert stopped == {"test_lengths"}


OF_TWO = """
@error_bound("f")
def bound(x, y, shift=None):
    return x.abs() + y.abs() + 4

@points(1)
def test_values(matches_reference, notes_values, make):
    'Values are right.'
    matches_reference.f(make.normal(3, 2), make.normal(3, 2))
    matches_reference.f(make.normal(1, 3), make.normal(4, 3))
    matches_reference.f(make.normal(1, 1), make.normal(1, 1))
    matches_reference.f(make.normal(1, 3), make.normal(1, 3))
    notes_values.f(make.normal(2, 3), make.normal(1, 3), shift=1)

def examples(ask, make):
    ask.f(make.normal(2, 5), make.normal(1, 5))

test_inputs = laws.inputs_unchanged(1, examples)
test_gradient = laws.gradient(1, examples)
"""
ADDED = "def f(x, y, shift=None):\n    return x + y if shift is None else x + y + shift\n"
ELSEWHERE = (
    "x.shape == y.shape",
    "x.shape == y.shape and len(x) == 1",
    "len(x) == 1 and len(y) > 1",
    "shift is not None",
)


@pytest.fixture(scope="module")
def of_two(tmp_path_factory):
    return course(tmp_path_factory.mktemp("two"), HEAD + OF_TWO, ADDED)


@pytest.mark.parametrize("region", ELSEWHERE)
def test_laws_go_where_checks_of_values_go(of_two, region):
    """No example of the laws lies in any of these regions."""
    for wrong, law in (("x + y.detach()", "test_gradient"), ("(x + y, y.data.add_(1))[0]", "test_inputs")):
        body = f"if {region}:\n        return {wrong} + (shift or 0)\n    return x + y + (shift or 0)"
        assert failed(of_two, f"def f(x, y, shift=None):\n    {body}\n") == {law}
    assert failed(of_two, ADDED) == set()


def test_where_laws_go_does_not_follow_the_seed(tmp_path):
    """By chance one of these entries is too large for the law of gradients, or none is."""
    suites = course(tmp_path, HEAD + OF_TWO.replace("make.normal(3, 2)", "make.normal(3, 2, scale=8)"), ADDED)
    wrong = ADDED.replace("return", "x = x.detach() if x.shape == y.shape else x\n    return")
    assert len({frozenset(failed(suites, wrong, seed)) for seed in range(8)}) == 1


SIZED = """
@points(1)
def test_refuses(raises_value_error, make):
    'A size below 1 is refused.'
    raises_value_error.f(make.normal(2), size=0)
    raises_value_error.f(make.normal(2), -1)

test_lengths = laws.lengths(1, lambda ask, make, n: (ask.f(make.normal(2), n), ask.f(make.normal(n, n), 2)))
"""
SIZED_RIGHT = "def f(x, size=1):\n    if size < 1:\n        raise ValueError('size')\n    return x[..., :1] * size\n"


@pytest.mark.parametrize(
    ("wrong", "check"),
    [
        ("size == 0", "test_refuses"), ("size in (0, -1)", "test_refuses"),
        ("size < 1 or len(x) > 600", "test_lengths"), ("size < 1 or size > 1000", "test_lengths"),
    ],
)  # fmt: skip
def test_far_below_one_and_long(tmp_path, wrong, check):
    """A number farther below 1 has to be refused too, and each call of a law of lengths is made at a large one."""
    suites = course(tmp_path, HEAD + SIZED, SIZED_RIGHT)
    assert failed(suites, SIZED_RIGHT.replace("size < 1", wrong)) == {check}
    assert failed(suites, SIZED_RIGHT) == set()
