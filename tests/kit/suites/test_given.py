"""What a suite hands over: how it is computed, counted, compared and refused, seen from the grader's side."""

from __future__ import annotations

import functools
import math
import signal
import sys
import time

import numpy as np
import pytest
import torch
from toy_suites import HEAD, OneByOne, course

from grader.errors import CourseError
from grader.sandbox.processes import (
    BadValue,
    DictForm,
    Evaluate,
    FunctionForm,
    GeneratorForm,
    ListForm,
    OpaqueForm,
    Returned,
)
from grader.sandbox.worker import callbacks, wire
from grader.suites.given import LARGE_SECONDS, Answering, Given, given, taken
from grader.suites.local import LocalTarget
from grader.suites.target import Call, Outcome

NOTHING = DictForm([])


def value(function, *args, **kwargs):
    """What code in a worker makes of `function`, called with these arguments."""
    return LocalTarget({"f": lambda g: g(*args, **kwargs)}).call(Call("f", (taken(function),)))


@pytest.mark.parametrize(
    ("function", "given_", "due"),
    [
        (lambda x: x**2, (3.0,), 9.0),
        (lambda x, *more, k=1: [x, more, k], (1, 2, 3), [1, (2, 3), 1]),
        (math.sqrt, (4.0,), 2.0),
        (np.sin, (0.0,), 0.0),
        (functools.partial(pow, 2.0), (3.0,), 8.0),
        (lambda x: type(x).__name__, (2**62,), "int"),
        (lambda n: sum(range(n + 1)), (100_000,), 5_000_050_000),
        (lambda x: x**3 - 5, (10**7,), 1e21),
        (lambda x: [2**x, -(2**x)], (63,), [2.0**63, -(2.0**63)]),
        (lambda x: type(x).__name__, (np.float64(1),), "float"),
        (lambda x: {"a": x, "b": None}, ("t",), {"a": "t", "b": None}),
        (lambda x: x / 0.0, (np.ones(2),), np.full(2, np.inf)),
    ],
)
def test_what_is_computed_comes_back(function, given_, due):
    outcome = value(function, *given_)
    np.testing.assert_equal(outcome.value, due)
    assert outcome.evaluations == (1,)


class Own(ValueError):
    """An exception of a suite's own."""


def fails(error):
    def f(x):
        raise error

    return f


@pytest.mark.parametrize(
    ("error", "types"),
    [
        (ValueError("no"), "ValueError"),
        (Own("no"), "ValueError"),
        (np.linalg.LinAlgError("no"), "ValueError"),
        (ZeroDivisionError("no"), "ZeroDivisionError"),
        (UnicodeDecodeError("utf-8", b"", 0, 1, "no"), "RuntimeError"),
    ],
)
def test_exceptions_cross(error, types):
    raised = value(fails(error), 1.0).raised
    assert raised.types[0] == types
    assert "no" in raised.message


def test_an_exception_that_is_caught_does_no_harm():
    def careful(g):
        try:
            return g(1.0)
        except ValueError as error:
            return str(error)

    assert LocalTarget({"f": careful}).call(Call("f", (taken(fails(ValueError("no"))),))).value == "no"


def test_it_looks_like_a_function():
    import inspect

    def look(g):
        return g.__name__, str(inspect.signature(g)), inspect.isfunction(g)

    def slope(t, y, *, k=1.0):
        return y

    assert LocalTarget({"f": look}).call(Call("f", (taken(slope),))).value == ("slope", "(t, y, *, k=Ellipsis)", True)


class Line:
    def __init__(self, slope):
        self.slope = slope

    def value(self, x):
        return self.slope * x

    def __call__(self, x):
        return -x


def test_an_object_has_the_methods_that_are_named():
    def use(line):
        return line.value(2.0), line(1.0), sorted(n for n in dir(line) if not n.startswith("_"))

    handed = given(Line(3.0), methods=("value", ""))
    outcome = LocalTarget({"f": use}).call(Call("f", (handed,)))
    assert (outcome.value, outcome.evaluations) == ((6.0, -1.0, ["value"]), (2,))
    assert (handed.value(2.0), handed(1.0)) == (6.0, -1.0)
    with pytest.raises(AttributeError):
        _ = handed.slope


def closure(k):
    return lambda x: k * x


def test_functions_are_alike_if_their_code_and_what_it_holds_are():
    assert given(closure(2)) == given(closure(2))
    assert given(closure(2)) != given(closure(3))
    assert given(closure(np.ones(2))) == given(closure(np.ones(2)))
    assert given(closure(torch.ones(2))) != given(closure(torch.zeros(2)))
    assert given(closure(closure(1))) == given(closure(closure(1)))
    assert given(Line(2).value) == given(Line(2).value) != given(Line(3).value)
    assert given(math.sin) == given(math.sin) != given(math.cos)
    assert given(functools.partial(pow, 2)) == given(functools.partial(pow, 2)) != given(functools.partial(pow, 3))
    assert given(closure(2), at_most=1) != given(closure(2))
    one, other = [], []
    one.append(one)
    other.append(other)
    assert given(closure(one)) == given(closure(one)) != given(closure(other)), "nobody follows a circle"


def caught(n):
    try:
        return sum(1 for _ in range(n))
    except Exception:
        return 0


ENDLESS = {
    "a loop": lambda n: [i for i in range(n) if i < 0],
    "a loop whose function catches exceptions": caught,
    "a list": lambda n: [0] * n,
    "an array": lambda n: np.ones(n),
    "a power": lambda n: 2**n % 7,
    "a factorial": lambda n: math.factorial(n) % 7,
}


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is bounded elsewhere")
@pytest.mark.parametrize("case", ENDLESS)
def test_large_whole_numbers_make_no_endless_work(case):
    resource = pytest.importorskip("resource")
    limits, handler = resource.getrlimit(resource.RLIMIT_AS), signal.getsignal(signal.SIGPROF)
    said = value(ENDLESS[case], 10**12).raised.message
    assert said.endswith(" is not computed for whole numbers so large: it takes over 1 s or 1 GB")
    assert (resource.getrlimit(resource.RLIMIT_AS), signal.getsignal(signal.SIGPROF)) == (limits, handler)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is bounded elsewhere")
def test_the_bound_is_for_all_evaluations_of_a_call():
    def many(f):
        said = []
        for _ in range(50):
            try:
                said.append(f(10**12))
            except RuntimeError as error:
                said.append(str(error))
        return [len(set(said)), f(3)]

    begun = time.process_time()
    assert LocalTarget({"f": many}).call(Call("f", (taken(lambda n: sum(1 for _ in range(n))),))).value == [1, 3]
    assert time.process_time() - begun < 10 * LARGE_SECONDS


HOSTILE = {
    "another number": Evaluate(1, "", ListForm([1.0]), NOTHING),
    "less than none": Evaluate(-1, "", ListForm([1.0]), NOTHING),
    "another method": Evaluate(0, "__globals__", ListForm([1.0]), NOTHING),
    "no list": Evaluate(0, "", 1.0, NOTHING),
    "no dict": Evaluate(0, "", ListForm([1.0]), ListForm([])),
    "a function": Evaluate(0, "", ListForm([FunctionForm(0, "g", (("", None),))]), NOTHING),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_no_worker_of_ours_sends_is_refused(case):
    with pytest.raises(BadValue):
        Answering([given(lambda x: x)])(HOSTILE[case], bytearray())


@pytest.mark.parametrize("form", [OpaqueForm("thing"), GeneratorForm("numpy", "PCG64", "{}")])
def test_what_stands_for_objects_reaches_no_more_than_the_function(form):
    answer, _ = Answering([given(lambda x: x)])(Evaluate(0, "", ListForm([form]), NOTHING), bytearray())
    assert answer.error == "TypeError"


def test_a_claimed_function_is_no_value():
    with pytest.raises(BadValue):
        Outcome.decode(Returned(FunctionForm(0, "g", (("", None),))), bytearray())


def test_too_many_numbers_are_refused_before_they_are_made():
    handed = given(lambda x: 1.0, entries=10)
    assert value(handed, np.zeros(10)).value == 1.0
    for large in (np.zeros(11), [0.0] * 11, "x" * 12, dict.fromkeys(range(12), 0), [[0.0] * 6] * 2):
        assert value(handed, large).raised.message == "f takes at most 10 numbers"


def test_a_function_that_gives_no_data_says_so():
    assert "gives builtins.object, which does not cross" in value(lambda x: object(), 1.0).raised.message


def test_gradients_do_not_flow():
    assert "no gradient flows through f" in value(lambda x: x, torch.ones(1, requires_grad=True)).raised.message


BITS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")


@pytest.mark.parametrize("name", BITS)
def test_a_generator_crosses_in_its_state(name):
    drawn, kept = (np.random.Generator(getattr(np.random, name)(7)) for _ in range(2))
    assert [g.normal() for g in (drawn, kept)]
    call = Call("f", (taken(drawn),), left=(("rng", 0), ("", -1)))
    assert isinstance(call.args[0], GeneratorForm)
    outcome = LocalTarget({"f": lambda rng: rng.integers(0, 9, 4, dtype=np.int32)}).call(call)
    assert (outcome.value[">"] == kept.integers(0, 9, 4, dtype=np.int32)).all()
    assert outcome.value[">rng"] == callbacks.form_of(kept)
    assert repr(call.args[0]) == f"Generator({name})"


def test_a_generator_of_torch_crosses_too():
    rng = torch.Generator().manual_seed(3)
    outcome = LocalTarget({"f": lambda g: torch.rand(2, generator=g)}).call(Call("f", (taken(rng),)))
    assert torch.equal(outcome.value, torch.rand(2, generator=rng))


def checked(folder, suite, solution, **functions):
    """The reasons of a suite of one exercise, whose solution is `solution`, asked of these functions."""
    suites = course(folder, HEAD + suite, solution)
    return [r.reason.to("en") for r in suites.run("f", OneByOne(functions), 0)]


def test_what_a_function_returns_is_called(tmp_path):
    """A closure, and a method of an object."""
    suite = """
@points(1)
def test_closure(matches_reference):
    matches_reference.made(2.0).f(3.0)
    matches_reference.made(2.0).turns.f((3.0,), (4.0,))

@points(1)
def test_method(matches_reference):
    matches_reference.made(2.0).by_method("push").Stack(1.0)
"""
    solution = (
        "def f(k):\n    return lambda x: k * x\n\nclass Stack:\n    def __init__(self, k):\n        self.k = k\n"
        "    def push(self, x):\n        return self.k + x\n"
    )
    names: dict = {}
    exec(solution, names)
    assert checked(tmp_path, suite, solution, f=names["f"], Stack=names["Stack"]) == ["", ""]
    (tmp_path / "wrong").mkdir()
    wrong = checked(tmp_path / "wrong", suite, solution, f=lambda k: lambda x: x, Stack=names["Stack"])
    assert "is off by" in wrong[0]
    assert wrong[1] == ""


def test_items_are_taken_as_far_as_the_suite_asks(tmp_path):
    suite = """
@points(1)
def test_items(matches_reference):
    matches_reference.taking(3).f(1)

@points(1)
def test_turns(matches_reference):
    matches_reference.taking(2).turns.f((1,), (2,))
"""
    solution = "import itertools\ndef f(k):\n    yield from itertools.count(k)\n"
    for function, said in (
        (lambda k: iter(range(k, k + 9)), ""),
        (lambda k: [k, k + 1, k + 2], ""),
        (lambda k: iter([k]), "returns 1 values, expected 3"),
        (lambda k: 5, "raises TypeError"),
    ):
        folder = tmp_path / str(len([*tmp_path.iterdir()]))
        folder.mkdir()
        assert said in checked(folder, suite, solution, f=function)[0]


NAN = """
@points(1)
def test_nan(matches_reference):
    matches_reference.with_nan.f(torch.tensor([1.0, -1.0, 4.0]))
"""


def test_nan_is_right_where_the_suite_says_so(tmp_path):
    solution = "import torch\ndef f(x):\n    return x.sqrt()\n"
    for name, function, said in (
        ("right", torch.sqrt, ""),
        ("zero", lambda x: x.sqrt().nan_to_num(0.0), "at [1] it is 0, expected nan"),
        ("everywhere", lambda x: x * float("nan"), "holds NaN (2 of 3 entries are wrong"),
    ):
        (tmp_path / name).mkdir()
        assert said in checked(tmp_path / name, NAN, solution, f=function)[0]
    (tmp_path / "plain").mkdir()
    with pytest.raises(CourseError, match="the solution gives NaN"):
        checked(tmp_path / "plain", NAN.replace(".with_nan", ""), solution, f=torch.sqrt)


def test_what_is_done_in_place_is_compared_by_name(tmp_path):
    suite = """
@points(1)
def test_filled(matches_reference):
    left = matches_reference.in_place("out").f(torch.ones(2), torch.zeros(2))
    assert list(left) == ["out"]

test_names = laws.keywords(1, lambda ask, make: ask.in_place("out", "").f(make.normal(2), make.normal(2)))
"""
    solution = "def f(x, out):\n    out.copy_(2 * x)\n    return 3\n"
    names: dict = {}
    exec(solution, names)
    (tmp_path / "right").mkdir()
    assert checked(tmp_path / "right", suite, solution, f=names["f"]) == ["", ""]
    said = checked(tmp_path, suite, solution, f=lambda x, out: 2 * x)
    assert "out after the call is off by up to 2" in said[0]


@pytest.mark.parametrize("value_", [object(), int, {1.5: 2}])
def test_what_is_neither_data_nor_a_function_is_the_authors_fault(value_):
    with pytest.raises(CourseError, match="only data crosses"):
        _ = Call("f", (taken(value_),)).encoded


@pytest.mark.parametrize("value_", [torch.device("cpu"), torch.float32, 3, "x", np.ones(2), None])
def test_data_is_no_function(value_):
    assert taken(value_) is value_
    assert not isinstance(taken(value_), Given)
    wire.Encoder().encode(taken(value_))
