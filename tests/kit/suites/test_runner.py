"""Suites run against functions of ours: right ones pass, each way of being wrong is found and named."""

from __future__ import annotations

import math
import sys
from collections import namedtuple
from pathlib import Path

import pytest
import torch
from support import TOY

from grader.errors import CourseError, MachineError
from grader.suites.api import Make
from grader.suites.runner import Suites, load_solution
from grader.suites.target import LocalTarget

IDS = ("scale", "pair")


@pytest.fixture(scope="module")
def suites() -> Suites:
    return Suites(
        {i: TOY / "tests" / "hidden" / f"{i}.py" for i in IDS}, {i: TOY / "solutions" / f"{i}.py" for i in IDS}
    )


@pytest.fixture
def run(suites):
    """`run("scale", function)` gives each check's first result by the check's name without parameters."""

    def results(exercise: str, function, seed: int = 1):
        found = suites.run(exercise, LocalTarget({exercise: function}), seed)
        return {r.id.partition("[")[0]: r for r in reversed(list(found))}

    return results


def right(x, factor=2.0):
    if factor == 0:
        raise ValueError("0")
    return x * factor


@pytest.fixture
def problem(run):
    """The English reason of one check of `scale`, which must fail."""

    def reason(function, check="test_values"):
        result = run("scale", function)[check]
        assert result.verdict == "failed"
        return result.reason.en

    return reason


@pytest.mark.parametrize("exercise", IDS)
@pytest.mark.parametrize("seed", range(5))
def test_the_solution_scores_full(suites, exercise, seed):
    results = list(suites.run(exercise, LocalTarget(suites[exercise].reference), seed))
    assert [r.verdict for r in results] == ["passed"] * len(results)
    assert sum(r.max_points for r in results) == suites.points(exercise) == {"scale": 4, "pair": 2}[exercise]


def test_every_misconception_is_caught(suites):
    found = {}
    for exercise in IDS:
        for wrong in suites[exercise].misconceptions:
            results = suites.run(exercise, LocalTarget({**suites[exercise].reference, **wrong.functions}), 1)
            found[wrong.name] = {r.id.partition("[")[0] for r in results if r.verdict == "failed"}
    assert set(found) == {"adds_instead", "in_place", "swapped"}
    assert all(found.values())
    assert "test_input_unchanged" in found["in_place"]
    assert found["swapped"] == {"test_values", "test_law"}


def test_points_are_shared_among_dtypes(suites):
    results = list(suites.run("scale", LocalTarget({"scale": right}), 1))
    assert {r.id: r.max_points for r in results if "values" in r.id} == {
        "test_values[cpu-float32]": 1.0,
        "test_values[cpu-float64]": 1.0,
    }


def test_ids_say_where_a_check_ran(suites):
    ids = {r.id for r in suites.run("scale", LocalTarget({"scale": right}), 1)}
    assert {"test_device[meta]", "test_gradient[cpu]"} <= ids


def test_titles_have_both_languages(suites):
    assert suites.titles("pair")["test_law[cpu]"] == (
        "Twice the first result is the second one plus 2.",
        "第一个结果的两倍等于第二个结果加 2。",
    )


def test_all_checks_can_share_one_verdict(suites):
    results = suites.all_with("scale", "crashed", load_text := suites.titles("scale")["test_zero[cpu]"])
    assert {(r.verdict, r.reason) for r in results} == {("crashed", load_text)}
    assert sum(r.max_points for r in results) == 4


def test_a_wrong_value(problem):
    reason = problem(lambda x, factor=2.0: x * factor + (torch.arange(x.numel()).reshape(x.shape) == 1) * 0.5)
    assert reason == (
        "scale(x [3] float32): the result is off by up to 0.5 (1 of 3 entries; at [1] it is "
        f"{reason.split(' it is ')[1]}"
    )
    assert ", expected " in reason


def test_a_wrong_value_one_percent_off(problem):
    assert "off by up to" in problem(lambda x, factor=2.0: x * factor * 1.01)


def test_optional_arguments_are_shown(problem):
    reason = problem(lambda x, factor=2.0: x * 2)
    assert reason.startswith("scale(x [2, 3] float32, factor=-1.5): the result is off by up to")


def test_values_are_shown_to_learners(run):
    detail = run("scale", lambda x, factor=2.0: x)["test_values"].detail
    assert detail is not None
    assert detail.values.en.startswith("input:\n[")
    assert detail.values.zh.startswith("输入：\n[")
    assert detail.excerpt.expected != detail.excerpt.actual


def test_nan(problem):
    assert "the result holds NaN (3 of 3 entries are wrong" in problem(lambda x, factor=2.0: x * math.nan)


def test_infinity(problem):
    assert "off by up to inf" in problem(lambda x, factor=2.0: x * math.inf)


def test_rounding_is_no_mistake(run):
    def through_float64(x, factor=2.0):
        return right((x.double() / 3 * 3), factor).to(x.dtype)

    assert run("scale", through_float64)["test_values"].verdict == "passed"


FORMS = {
    "shape": (lambda x, factor=2.0: (x * factor)[:1], "the result has shape [1], expected [3]"),
    "extra dimension": (lambda x, factor=2.0: (x * factor)[None], "the result has shape [1, 3], expected [3]"),
    "dtype": (lambda x, factor=2.0: (x * factor).half(), "the result has dtype float16, expected float32"),
    "device": (lambda x, factor=2.0: x.to("meta"), "the result is on meta, expected cpu"),
    "list": (lambda x, factor=2.0: (x * factor).tolist(), "returns list, expected torch.Tensor"),
    "number": (lambda x, factor=2.0: 1.0, "returns float, expected torch.Tensor"),
    "array": (lambda x, factor=2.0: (x * factor).numpy(), "returns numpy.ndarray, expected torch.Tensor"),
    "None": (lambda x, factor=2.0: None, "returns None; is a return missing?"),
    "exception": (lambda x, factor=2.0: x.no_such, "raises AttributeError: 'Tensor' object has no attribute 'no_such'"),
    "exception without a text": (lambda x, factor=2.0: next(iter(())), "raises StopIteration"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_wrong_form(problem, form):
    function, message = FORMS[form]
    assert problem(function) == f"scale(x [3] float32): {message}"


def test_a_missing_parameter(problem):
    reason = problem(lambda x: x * 2)
    assert reason.startswith("scale(x [2, 3] float32, factor=-1.5): raises TypeError: ")
    assert "unexpected keyword argument 'factor'" in reason


PAIRS = {
    "tensor": (lambda x: x, "returns torch.Tensor, expected a tuple of 2 tensors"),
    "None": (lambda x: None, "returns None; is a return missing?"),
    "one": (lambda x: (x + 1,), "returns 1 values, expected 2"),
    "three": (lambda x: (x + 1, x * 2, x), "returns 3 values, expected 2"),
    "number inside": (lambda x: (x + 1, 2.0), "returns float as result 2, expected torch.Tensor"),
    "shape": (lambda x: (x + 1, x[:1]), "result 2 has shape [1, 3], expected [2, 3]"),
    "dtype": (lambda x: ((x + 1).double(), x), "result 1 has dtype float64, expected float32"),
    "value": (lambda x: (x + 1, x * 2 + 1), "result 2 is off by up to 1 (6 of 6 entries"),
}


@pytest.mark.parametrize("form", PAIRS)
def test_a_wrong_pair(run, form):
    function, message = PAIRS[form]
    result = run("pair", function)["test_values"]
    assert result.verdict == "failed"
    assert result.reason.en.startswith(f"pair(x [2, 3] float32): {message}")


Both = namedtuple("Both", "first second")


@pytest.mark.parametrize("kind", [tuple, list, lambda v: Both(*v)])
def test_other_sequences_will_do(run, kind):
    results = run("pair", lambda x: kind([x + 1, x * 2]))
    assert {r.verdict for r in results.values()} == {"passed"}


def test_a_law_has_its_own_sentence(run):
    result = run("pair", lambda x: (x + 1, x * 2 + 0.25))["test_law"]
    assert result.reason.en == "the two results do not fit together (off by 0.25, allowed 1e-05)"
    assert result.reason.zh.startswith("两个结果对不上（相差 0.25")


def test_the_reason_exists_in_both_languages(run):
    reason = run("scale", lambda x, factor=2.0: x)["test_values"].reason
    assert reason.zh.startswith("scale(x [3] float32)")
    assert "最多相差" in reason.zh


@pytest.mark.parametrize("lost", [lambda x, f: (x * f).detach(), lambda x, f: torch.tensor((x * f).tolist())])
def test_a_gradient_that_does_not_flow(problem, lost):
    reason = problem(lambda x, factor=2.0: lost(x, factor), "test_gradient")
    assert reason == "scale(x [3] float32, factor=3.0): no gradient reaches x"


def test_a_wrong_gradient(problem):
    def half(x, factor=2.0):
        return x * factor / 2 + (x * factor / 2).detach()

    assert problem(half, "test_gradient").startswith("scale(x [3] float32, factor=3.0): the gradient of x is off by ")


def test_changing_the_input(problem):
    def inplace(x, factor=2.0):
        x *= factor
        return x

    assert problem(inplace, "test_input_unchanged") == "scale(x [3] float32): changes its input x in place"


def test_changing_the_input_and_back_is_seen(problem):
    def there_and_back(x, factor=2.0):
        result = x.mul_(factor).clone()
        x.div_(factor)
        return result

    assert "changes its input x in place" in problem(there_and_back, "test_input_unchanged")


@pytest.mark.parametrize(
    "constant",
    [
        lambda x, factor=2.0: x * torch.full(x.shape, factor),
        lambda x, factor=2.0: x * torch.tensor([factor]),
        lambda x, factor=2.0: x * torch.tensor([x[0] * 0 + factor]),
        lambda x, factor=2.0: x * torch.ones(3, device="cpu") * factor,
    ],
)
def test_a_constant_made_on_the_cpu(problem, constant):
    reason = problem(constant, "test_device")
    assert "one tensor is on the device of the inputs, another on the CPU" in reason


def test_numpy_on_a_gpu(problem):
    def through_numpy(x, factor=2.0):
        return torch.from_numpy(x.numpy() * factor)

    assert ".numpy()" in problem(through_numpy, "test_device")


def test_a_result_left_on_the_cpu(problem):
    assert problem(lambda x, factor=2.0: x.cpu() * factor, "test_device").endswith(
        "the result is on cpu, expected meta"
    )


GPU_HONEST = {
    "item": lambda x, factor=2.0: x * torch.tensor(factor, device=x.device).item(),
    "made from values on the device": lambda x, factor=2.0: x * torch.tensor([factor], device=x.device),
    "made from entries on the device": lambda x, factor=2.0: x * torch.as_tensor([x[0] * 0 + factor], device=x.device),
    "data by name": lambda x, factor=2.0: x * torch.tensor(data=[factor], device=x.device),
    "new_tensor": lambda x, factor=2.0: x * x.new_tensor([factor]),
    "a branch on values": lambda x, factor=2.0: x * factor if x.sum() > 0 else factor * x,
    "a constant on the device": lambda x, factor=2.0: x * torch.full(x.shape, factor, device=x.device),
    "like the input": lambda x, factor=2.0: x * torch.full_like(x, factor),
    "a CPU scalar": lambda x, factor=2.0: x * torch.tensor(factor),
    "item assignment": lambda x, factor=2.0: torch.zeros_like(x).copy_(x * factor),
    "there and back": lambda x, factor=2.0: (x.cpu() * factor).to(x.device),
}


@pytest.mark.parametrize("way", GPU_HONEST)
def test_what_works_on_a_gpu_passes(run, way):
    assert run("scale", GPU_HONEST[way])["test_device"].verdict == "passed"


def test_what_cannot_be_followed_is_skipped(run):
    def resizes(x, factor=2.0):
        y = x.clone()
        y.unsqueeze_(0)
        return (y * factor)[0]

    result = run("scale", resizes)["test_device"]
    assert result.verdict == "skipped"
    assert result.reason.en.startswith("not checked without a GPU")


def test_a_value_where_an_error_is_due(problem):
    reason = problem(lambda x, factor=2.0: x, "test_zero")
    assert reason == "scale(x [3] float32, factor=0.0): returns a value where ValueError is due"


def test_another_error_than_the_one_due(problem):
    def divides(x, factor=2.0):
        return x / (1 / factor)

    reason = problem(divides, "test_zero")
    assert (
        reason
        == "scale(x [3] float32, factor=0.0): raises ZeroDivisionError: float division by zero, where ValueError is due"
    )


def test_a_derived_error_will_do(run):
    class Special(ValueError):
        pass

    def special(x, factor=2.0):
        raise Special

    assert run("scale", special)["test_zero"].verdict == "passed"


def test_the_stub_is_not_started(run):
    def stub(x, factor=2.0):
        raise NotImplementedError

    assert {r.verdict for r in run("scale", stub).values()} == {"failed"}
    reason = run("scale", stub)["test_zero"].reason.en
    assert reason.endswith(": not started: the function still raises NotImplementedError")


def test_inputs_follow_the_seed(suites):
    def inputs(seed):
        seen = []

        def note(x, factor=2.0):
            seen.append(x.clone())
            return right(x, factor)

        list(suites.run("scale", LocalTarget({"scale": note}), seed))
        return [x.tolist() for x in seen if x.dtype.is_floating_point and x.device.type == "cpu"]

    assert inputs(1) == inputs(1)
    assert inputs(1) != inputs(2)


def test_make_draws_from_seed_check_and_nothing_else():
    def draw(seed, check):
        make = Make(seed, check, torch.float32)
        return [make.normal(3).tolist(), make.distinct(2, 3).tolist(), make.mask(2, 4).tolist(), make.integer(0, 999)]

    torch.manual_seed(0)
    first = draw(1, "a")
    torch.manual_seed(5)
    assert draw(1, "a") == first
    assert all(a != b for a, b in zip(draw(2, "a"), first, strict=True))
    assert draw(1, "b") != first


@pytest.mark.parametrize("dtype", [torch.float16, torch.float64])
def test_what_make_promises(dtype):
    make = Make(3, "check", dtype)
    assert make.tensor([[1.5, 2]]).equal(torch.tensor([[1.5, 2]], dtype=dtype))
    assert make.distinct(3, 4).flatten().sort().values.tolist() == list(range(12))
    assert {make.integer(2, 4) for _ in range(50)} == {2, 3, 4}
    assert 4 < float(make.normal(1000, scale=5.0).double().std()) < 6
    for _ in range(20):
        mask = make.mask(3, 4, keep=0.9)
        assert mask.dtype is torch.bool
        assert mask.any(-1).all()
        assert not mask.all(-1).any()
        assert make.mask(3, 1).all()
    x = make.normal(2, 3, 4)
    assert make.strided(x).equal(x)
    assert not make.strided(x).is_contiguous()


def course(tmp_path: Path, suite: str, solution: str = "def f(x):\n    return x\n") -> Suites:
    """Suites of one exercise `f`; pytest would hand out the module of the last such course."""
    sys.modules.pop("hidden.f", None)
    hidden, solved = tmp_path / "hidden", tmp_path / "solutions"
    for folder, text in ((hidden, suite), (solved, solution)):
        folder.mkdir()
        (folder / "f.py").write_text(text, encoding="utf-8")
    return Suites({"f": hidden / "f.py"}, {"f": solved / "f.py"})


HEAD = "import torch\nfrom grader.suites import dtypes, error_bound, oracle, points\n"

BROKEN = {
    "a name that is not there": ("no_such_name\n", "cannot be imported.*no_such_name"),
    "a syntax error": ("def test(:\n", "cannot be imported.*SyntaxError"),
    "no points": ("def test_a(matches_reference): pass\n", "test_a.* has no @points"),
    "no such dtype": ("@points(1)\n@dtypes('float12')\ndef test_a(matches_reference, dtype): pass\n", "float12"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_suite_that_cannot_be_used(tmp_path, case):
    code, message = BROKEN[case]
    with pytest.raises(CourseError, match=f"(?s){message}"):
        course(tmp_path, HEAD + code)["f"]


def test_a_suite_that_is_missing(tmp_path):
    (tmp_path / "f.py").write_text("def f(x): return x\n")
    with pytest.raises(CourseError, match="nowhere.py"):
        Suites({"f": tmp_path / "nowhere.py"}, {"f": tmp_path / "f.py"})["f"]


FAULTY = {
    "an exception of its own": ("def test_a(student, make):\n    1 / 0\n", "ZeroDivisionError: division by zero"),
    "an assertion": ("def test_a(student, make):\n    assert False\n", "AssertionError"),
    "an unknown fixture": ("def test_a(nonsense):\n    pass\n", "fixture 'nonsense' not found"),
    "an unknown function": (
        "def test_a(student, make):\n    student.g(1)\n",
        "the suite calls 'g', which the solution does not define",
    ),
    "wrong arguments": (
        "def test_a(student, make):\n    student.f(make.normal(2), 1, 2)\n",
        "the solution raises TypeError|wrong arguments",
    ),
    "an error that is not due": (
        "def test_a(raises_value_error, make):\n    raises_value_error.f(make.normal(2))\n",
        r"the solution does not raise ValueError for f\(x \[2\] float32\)",
    ),
}


@pytest.mark.parametrize("case", FAULTY)
def test_a_suite_that_is_wrong_is_the_authors_fault(tmp_path, case):
    code, message = FAULTY[case]
    suites = course(tmp_path, f"{HEAD}@points(1)\n{code}")
    with pytest.raises(CourseError, match=f"(?s)test_a.*(?:{message})"):
        list(suites.run("f", LocalTarget({"f": lambda x, *_: x}), 1))


def test_a_solution_that_raises_is_the_authors_fault(tmp_path):
    suites = course(
        tmp_path,
        f"{HEAD}@points(1)\ndef test_a(matches_reference, make):\n    matches_reference.f(make.normal(2))\n",
        "def f(x):\n    1 / 0\n",
    )
    with pytest.raises(CourseError, match=r"the solution raises ZeroDivisionError for f\(x \[2\] float32\)"):
        list(suites.run("f", LocalTarget({"f": lambda x: x}), 1))


@pytest.mark.parametrize("code", ["def f(:\n", "1 / 0\n", "import no_such_module\n"])
def test_a_solution_that_cannot_be_run(tmp_path, code):
    path = tmp_path / "f.py"
    path.write_text(code)
    with pytest.raises(CourseError, match=r"f.py: (SyntaxError|ZeroDivisionError|ModuleNotFoundError)"):
        load_solution(path)


def test_a_solution_that_is_missing(tmp_path):
    with pytest.raises(CourseError, match=r"f.py: FileNotFoundError"):
        load_solution(tmp_path / "f.py")


def test_a_solutions_imports_are_no_functions_of_it(tmp_path):
    path = tmp_path / "f.py"
    path.write_text("from math import sqrt\nfrom torch import relu\nX = 3\ndef f(x): return x\n")
    assert set(load_solution(path)) == {"f"}


def test_an_oracle_replaces_the_solution_in_float64(tmp_path):
    """The solution computes in float32 whatever comes; its float64 version is written in the suite."""
    suite = HEAD + (
        "@oracle('f')\ndef exact(x): return x / 3\n"
        "@error_bound('f')\ndef bound(x): return (x / 3).abs()\n"
        "@points(1)\n@dtypes('float64')\ndef test_a(matches_reference, make, dtype): matches_reference.f(make.normal(100))\n"
    )
    suites = course(tmp_path, suite, "def f(x):\n    return (x.float() / 3).to(x.dtype)\n")
    assert [r.verdict for r in suites.run("f", LocalTarget({"f": lambda x: x / 3}), 1)] == ["passed"]
    assert [r.verdict for r in suites.run("f", LocalTarget({"f": lambda x: x / 3.001}), 1)] == ["failed"]


def test_without_a_bound_nothing_may_be_rounded(tmp_path):
    suites = course(tmp_path, f"{HEAD}@points(1)\ndef test_a(matches_reference, make):\n    matches_reference.f(make.normal(9))\n")
    assert [r.verdict for r in suites.run("f", LocalTarget({"f": lambda x: x * (1 + 2e-7)}), 1)] == ["failed"]
    assert [r.verdict for r in suites.run("f", LocalTarget({"f": lambda x: x.clone()}), 1)] == ["passed"]


def test_points_without_dtypes_are_shared_among_all_floats(tmp_path):
    suites = course(tmp_path, f"{HEAD}@points(1)\ndef test_a(matches_reference, make, dtype):\n    matches_reference.f(make.normal(9))\n")
    results = list(suites.run("f", LocalTarget({"f": lambda x: x}), 1))
    assert [r.id for r in results] == [f"test_a[cpu-{d}]" for d in ("float16", "bfloat16", "float32", "float64")]
    assert [r.max_points for r in results] == [0.25] * 4


def test_a_fault_in_the_midst_of_a_suite_spoils_no_other(suites):
    """The machine may fail at any call; the next submission is graded all the same."""

    class Failing(LocalTarget):
        def call(self, call):
            raise MachineError("no more processes")

    with pytest.raises(MachineError):
        list(suites.run("scale", Failing({}), 1))
    stopped = suites.run("scale", LocalTarget(suites["scale"].reference), 1)
    next(stopped)
    stopped.close()
    assert [r.verdict for r in suites.run("pair", LocalTarget(suites["pair"].reference), 1)].count("passed") > 1


def test_a_suite_may_use_what_pytest_offers(tmp_path):
    """Fixtures and parameters of its own: such checks are run by pytest, all others are called without it."""
    suite = HEAD + (
        "import pytest\n"
        "@pytest.fixture\ndef length(tmp_path):\n    assert tmp_path.is_dir()\n    return 3\n"
        "@points(1)\n@pytest.mark.parametrize('more', [0, 1])\n"
        "def test_a(matches_reference, make, length, more): matches_reference.f(make.normal(length + more))\n"
        "@points(1)\ndef test_b(matches_reference, make): matches_reference.f(make.normal(2))\n"
    )
    suites = course(tmp_path, suite)
    results = list(suites.run("f", LocalTarget({"f": lambda x: x * (1 + (len(x) > 3))}), 1))
    assert sorted(r.verdict for r in results) == ["failed", "passed", "passed"]
    assert [r.verdict for r in suites.run("f", LocalTarget({"f": lambda x: x.clone()}), 1)] == ["passed"] * 3
