"""Results in a form that a course accepts are judged as if they had the one due, and the student is told."""

from __future__ import annotations

import contextlib
import math
import sys
from collections import namedtuple

import numpy as np
import pytest
import torch
from commands import in_a_process
from support import ENVIRONMENT, OPTIONS, check
from toy_suites import course

from grader import arrays, pytree
from grader.arrays import WITHOUT_TORCH
from grader.batch.grading_processes import ForkServer
from grader.course import ACCEPTED
from grader.course import course as courses
from grader.errors import CourseError
from grader.intake import Source, Submission
from grader.report import LEVELS, redact
from grader.report.report import Report
from grader.suites import lenient
from grader.suites.local import LocalTarget
from grader.suites.reference import Reference
from grader.suites.target import Call, Made

WORDS = frozenset(ACCEPTED)
DUE = np.array([0.5, 2.0, -1.25])
Pair = namedtuple("Pair", "a b")


class Row(list):
    """A list of a class of one's own."""


def answered(returned, due=DUE, words=WORDS, call=None):
    """What comes of a value that a student returns, through the wire and what is accepted in place of `due`."""
    kind = "torch" if any(isinstance(leaf, torch.Tensor) for leaf in pytree.leaves(due)) else "numpy"
    key = Reference({"f": lambda *args: due}, {}, {}, kind=kind, accepts={"": words})
    call = call or Call("f", ())
    return lenient.as_due(call, LocalTarget({"f": lambda *args: returned}).call(call), key)


FITTING = {
    "a list": ([0.5, 2.0, -1.25], DUE, "list for array"),
    "a list of whole numbers": ([1, 2, 3], np.array([1.0, 2.0, 3.0]), "list for array"),
    "a list of numbers without a fraction": ([1.0, 2, 3.0], np.array([1, 2, 3]), "list for array"),
    "a list of truth values": ([True, False], np.array([True, False]), "list for array"),
    "a list of texts": (["a", "long"], np.array(["a", "long"]), "list for array"),
    "a list of complex numbers": ([1j, 2.0], np.array([1j, 2.0]), "list for array"),
    "a list of numpy's numbers": ([np.float64(0.5), np.float32(2.0), np.array(-1.25)], DUE, "list for array"),
    "a tuple": ((0.5, 2.0, -1.25), DUE, "list for array"),
    "a list of a class of one's own": (Row([0.5, 2.0, -1.25]), DUE, "list for array"),
    "a namedtuple": (Pair(1.0, 2.0), np.array([1.0, 2.0]), "list for array"),
    "a list of NaN": ([math.nan, math.inf], np.array([math.nan, math.inf]), "list for array"),
    "lists in a list": ([[1.0, 2.0], (3.0, 4.0)], np.array([[1.0, 2.0], [3.0, 4.0]]), "list for array"),
    "a list of arrays": ([DUE, DUE], np.array([DUE, DUE]), "list for array"),
    "an empty list": ([], np.zeros(0), "list for array"),
    "a list of tensors": ([torch.tensor(1.0), torch.tensor(2.0)], torch.tensor([1.0, 2.0]), "list for array"),
    "a list for a tensor of half precision": ([0.5, 2.0], torch.tensor([0.5, 2.0]).bfloat16(), "list for array"),
    "a number": (2.5, np.array([2.5]), "number for array of one"),
    "a number for a tensor without axes": (2.5, torch.tensor(2.5), "number for array of one"),
    "a whole number": (2, np.array([[2.0]]), "number for array of one"),
    "float32": (DUE.astype(np.float32), DUE, "float32 for float64"),
    "complex64": (np.array([1j], np.complex64), np.array([1j]), "float32 for float64"),
    "float64": (torch.tensor([0.5]).double(), torch.tensor([0.5]), "float64 for float32"),
    "whole numbers": (np.array([1, 2]), np.array([1.0, 2.0]), "integers for floats"),
    "bytes": (np.array([1, 2], np.uint8), np.array([1.0, 2.0]), "integers for floats"),
    "an axis more": (DUE[:, None], DUE, "extra axis of length 1"),
    "two axes more": (torch.ones(1, 1, 3), torch.ones(3), "extra axis of length 1"),
    "an axis for a number": (np.array([2.5]), 2.5, "extra axis of length 1"),
    "an axis less": (DUE, DUE[:, None], "missing axis of length 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", FITTING)
def test_a_form_that_is_accepted_becomes_the_one_due(name):
    returned, due, word = FITTING[name]
    found = answered(returned, due, frozenset([word]))
    assert found.accepted == (word,)
    assert pytree.mapped(form, found.value) == pytree.mapped(form, due)
    np.testing.assert_array_equal(*map(arrays.shown, (found.value, due)))
    others = answered(returned, due, WORDS - {word})
    assert word not in others.accepted


def form(leaf):
    return getattr(leaf, "dtype", type(leaf)), tuple(getattr(leaf, "shape", ()))


LEFT = {
    "rows of different lengths": [[1.0, 2.0], [3.0]],
    "a list of other things": [1.0, 2.0, None],
    "truth values among numbers": [1.0, True, 2.0],
    "texts among numbers": ["a", 1.0, 2.0],
    "an array in a tuple": (DUE,),
    "arrays of different shapes": [np.zeros(2), np.zeros(3)],
    "arrays of different dtypes": [np.zeros(2), np.zeros(2, int)],
    "arrays among numbers": [np.zeros(2), 1.0],
    "a column for a row": DUE[:, None][:, [0, 0]],
    "half precision": DUE.astype(np.float16),
    "an object": object(),
    "None": None,
    "a text": "0.5",
    "a dict": {0: 0.5},
    "tensors": [torch.tensor(0.5)] * 3,
    "an array of one": np.array([[0.5, 2.0]]),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_accepted_stays_as_it_came(name):
    found = answered(LEFT[name])
    plain = LocalTarget({"f": lambda: LEFT[name]}).call(Call("f", ()))
    assert found.accepted == ()
    assert pytree.equal(found.value, plain.value) or found.value == plain.value


def test_a_list_of_another_length_or_kind_is_told_by_shape_and_dtype():
    assert answered([0.5, 2.0]).value.shape == (2,)
    assert answered([0.5, 1.5], np.array([1, 2])).value.dtype == np.float64
    assert answered([1, 0], np.array([True, False])).value.dtype == np.int64
    assert answered([1j, 2.0], np.array([1.0, 2.0])).value.dtype == np.complex128
    assert answered([300.0], np.array([1], np.uint8)).value.dtype == np.float64


def test_a_long_list_of_expanded_arrays_is_not_made():
    rows = [np.broadcast_to(np.zeros(1), (16,))] * 9_000
    assert isinstance(answered(rows).value, list)


def test_several_forms_at_once_and_in_parts_of_a_result():
    due = (DUE, {"n": 3.0, "m": np.array([[1.0]])})
    found = answered([[[0.5], [2], [-1.25]], {"m": 1, "n": np.array([3.0])}], due)
    assert found.accepted == (
        "list for array", "extra axis of length 1", "number for array of one",
    )  # fmt: skip
    assert found.value[0].shape == (3,)
    assert found.value[1] == {"n": 3.0, "m": np.array([[1.0]])}


def test_each_of_several_calls_is_looked_at():
    call = Call("f", ((1.0,), (2.0,)), turns=True)
    found = answered([0.5, 2.0, -1.25], call=call)
    assert [value.shape for value in found.value] == [(3,), (3,)]
    assert found.accepted == ("list for array",)


def test_objects_and_arguments_that_are_changed_in_place():
    class Means:
        def __call__(self, x):
            return list(x)

        def left(self, x):
            x.shape = (1, 3)

    key = Reference({"Means": lambda: lambda x: x}, {}, {}, kind="numpy", accepts={"": WORDS})
    call = Call("Means", (DUE,), made=Made((), {}))
    found = lenient.as_due(call, LocalTarget({"Means": Means}).call(call), key)
    assert (found.value.shape, found.accepted) == ((3,), ("list for array",))
    key = Reference({"f": lambda x: None}, {}, {}, kind="numpy", accepts={"": WORDS})
    call = Call("f", (DUE,), left=(("x", 0),))
    found = lenient.as_due(call, LocalTarget({"f": Means().left}).call(call), key)
    assert ([value.shape for value in found.value.values()], found.accepted) == ([(3,)], ("extra axis of length 1",))


def test_float32_is_compared_as_float32():
    third = np.array([1 / 3, 2 / 3])
    single, wrong = third.astype(np.float32), third.astype(np.float32) * np.float32(1.0001)
    assert (answered(single, third).value == third).all()
    assert (answered(list(single), third).value == third).all()
    assert answered(single[0], 1 / 3).value == 1 / 3
    assert (answered(wrong, third).value == wrong).all()
    double = third * (1 + 1e-9)  # which no float32 is
    assert answered(double, third).accepted == ()
    assert (answered(list(double), third).value == double).all()


def test_what_is_the_students_choice_is_not_put_right():
    key = Reference({"f": lambda: DUE}, {}, {"f": lambda: [None]}, kind="numpy", accepts={"": WORDS})
    near = DUE.astype(np.float32) * np.float32(1 + 2**-22)
    call = Call("f", ())
    assert (lenient.as_due(call, LocalTarget({"f": lambda: near}).call(call), key).value == near).all()


SUITE = """import numpy as np
from grader.suites import accepts, points
{said}
@points(1)
def test_values(matches_reference, make):
    '''It is right.'''
    matches_reference.f(make.array([1.0, 2.0]))
"""


@pytest.mark.parametrize(
    ("said", "accepted"),
    [
        ("", {"list for array"}),
        ("A = accepts('extra axis of length 1')", {"extra axis of length 1"}),
        ("A = accepts()", set()),
        ("A = accepts('float32 for float64', of='f')\nB = accepts()", {"float32 for float64"}),
        ("A = accepts('float32 for float64', of='f')\nB = accepts('list for array', of=('f', 'g'))",
         {"float32 for float64", "list for array"}),
        ("A = accepts('float32 for float64', of='g')", {"list for array"}),
    ],
)  # fmt: skip
def test_the_nearest_line_counts(tmp_path, said, accepted):
    suites = course(tmp_path, SUITE.format(said=said), accepts=["list for array"])
    assert suites["f"].key.accepted("f") == accepted


def test_a_suite_that_accepts_what_nobody_knows(tmp_path):
    with pytest.raises(CourseError) as error:
        course(tmp_path, SUITE.format(said="A = accepts('lists for arrays')"))["f"]
    start, _, listed = str(error.value).partition(" A course can accept: ")
    place = "tests/hidden/f.py cannot be imported: line 3: ValueError: accepts: "
    assert start == f"{place}'lists for arrays' cannot be accepted; did you mean 'list for array'?"
    assert listed == ", ".join(map(repr, ACCEPTED))


YAML = """title: A course
languages: [en]
arrays: {kind}
accepts: [list for array, {word}]
units:
  - id: first
    title: First
    exercises:
      - {{id: f, title: F, points: 4, functions: [f], hints: [a, b, c]}}
"""
CHECKS = """import numpy as np
from grader.suites import expect_close, laws, points


@points(2)
def test_values(matches_reference, make):
    '''It is right.'''
    for shape in ((2, 3), (4, 5), (3, 1), (20, 2)):
        matches_reference.f(make.normal(*shape))


def examples(ask, make):
    ask.f(make.normal(2, 3))
    ask.f(make.normal(20, 3))


test_inputs = laws.inputs_unchanged(0.5, examples)
test_memory = laws.remembers_nothing(0.5, examples)
{more}
"""
NUMPY_LAW = """

@points(1)
def test_sum(student, make):
    '''Opposite rows cancel.'''
    x = make.normal(3, 4)
    expect_close(student.f(np.concatenate([x, -x])).sum(), 0.0, 1e-12, "they do not")
"""
TORCH_LAWS = """
test_device = laws.device(0.5, examples)
test_gradient = laws.gradient(0.5, examples)
"""


def written(folder, kind, word="extra axis of length 1", more=NUMPY_LAW, suite=CHECKS):
    """A course on means of rows."""
    files = {
        "course.yaml": YAML.format(kind=kind, word=word),
        "exercises/f.py": '"""Means."""\n\n\ndef f(x):\n    """Means of rows."""\n    raise NotImplementedError\n',
        "solutions/f.py": '"""Means."""\n\n\ndef f(x):\n    """Means of rows."""\n    return x.mean(1)\n',
        "tests/hidden/f.py": suite.format(more=more),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_course_that_accepts_what_nobody_knows(tmp_path):
    with pytest.raises(CourseError) as error:
        courses.load(written(tmp_path, "numpy", "extra axes"))
    assert str(error.value).startswith(
        "course.yaml:4: accepts: 'extra axes' cannot be accepted; did you mean 'extra axis of length 1'? A course can"
    )


def graded_in(environment, folder):
    """`grade(source)` is the whole report on f.py."""

    @contextlib.contextmanager
    def opened():
        with (
            contextlib.closing(ForkServer(environment, confined=True)) as server,
            contextlib.closing(server.grading_process(courses.load(folder), OPTIONS)) as process,
        ):
            yield lambda source: Report.from_json(process.grade(Submission("s", {"f": Source(source)}), "", seed=1))

    return opened()


linux = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


@pytest.fixture(scope="module")
def of_numpy(tmp_path_factory):
    folder = written(tmp_path_factory.mktemp("numpy"), "numpy", "extra axis of length 1, float32 for float64")
    with graded_in({**ENVIRONMENT, WITHOUT_TORCH: "1"}, folder) as grade:
        yield grade


@pytest.fixture(scope="module")
def of_torch(tmp_path_factory):
    folder = written(tmp_path_factory.mktemp("torch"), "torch", more=TORCH_LAWS)
    with graded_in(ENVIRONMENT, folder) as grade:
        yield grade


def said(report):
    return [text.to("en") for text in report.exercises[0].remarks]


LISTED = "f returned a list; an array was asked for. This course accepts it."


@linux
@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return x.mean(1)", []),
        ("return [sum(map(float, row)) / len(row) for row in x]", [LISTED]),
        (
            "import numpy as np\n    return x.astype(np.float32).mean(1, keepdims=True)",
            [
                "f returned an axis of length 1 that was not asked for. This course accepts it.",
                "f returned float32; float64 was asked for. This course accepts it.",
            ],
        ),
    ],
)
def test_it_is_told_once_and_costs_nothing(of_numpy, body, told):
    report = of_numpy(f"def f(x):\n    {body}\n")
    assert (report.score, said(report)) == (4, told)
    for level in LEVELS:
        assert said(redact(report, level)) == told


@linux
@pytest.mark.slow
def test_it_is_told_as_data_in_every_language(of_numpy):
    (remark,) = of_numpy("def f(x):\n    return list(x.mean(1))\n").exercises[0].remarks
    assert (remark.key, remark.values) == (ACCEPTED["list for array"].key, {"function": "f"})
    assert remark.to("zh") == "f 返回的是列表，而题目要求数组。本课程接受这种形式。"


@linux
@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return [[1.0], [2.0, 3.0]]", "f(x [2, 3] float64): returns list, expected numpy.ndarray"),
        ("return [0.0, *x.mean(1)]", "f(x [2, 3] float64): the result has shape [3], expected [2]"),
        ("return x.mean(1).astype('float16')", "f(x [2, 3] float64): the result has dtype float16, expected float64"),
        ("return (x.mean(1),)", "f(x [2, 3] float64): returns tuple, expected numpy.ndarray; a tuple of one value"),
        ("return [*x.mean(1) + 1e-4]", "the result is off by up to 0.0001 (4 of 4 entries"),
        ("return (x.mean(1) * 1.0001).astype('float32')", "the result is off by up to"),
    ],
)
def test_what_is_wrong_stays_wrong(of_numpy, body, reason):
    found = of_numpy(f"def f(x):\n    {body}\n").exercises[0]
    assert check(found, "test_values").verdict == "failed"
    assert reason in check(found, "test_values").reason.to("en")


@linux
@pytest.mark.slow
def test_a_list_of_tensors_keeps_every_promise(of_torch):
    report = of_torch("def f(x):\n    return [row.mean() for row in x]\n")
    assert (report.score, said(report)) == (4, [LISTED])


@linux
@pytest.mark.slow
def test_a_list_of_numbers_has_no_gradient(of_torch):
    found = of_torch("def f(x):\n    return x.mean(1).tolist()\n").exercises[0]
    assert [c.id.split("[")[0] for c in found.failed] == ["test_gradient", "test_gradient"]
    reason = "f(x [2, 3] float32): no gradient reaches x: plain numbers, also in a list, carry none; return a tensor"
    assert check(found, "test_gradient").reason.to("en").startswith(reason)


@linux
@pytest.mark.slow
def test_a_list_of_what_is_made_elsewhere_is_on_another_device(of_torch):
    source = "import torch\n\n\ndef f(x):\n    return [row.mean() + 0 for row in torch.zeros(x.shape)]\n"
    found = check(of_torch(source).exercises[0], "test_device")
    assert found.reason.to("en").startswith("f(x [2, 3] float32): the result is on the device cpu, expected on meta")


@linux
@pytest.mark.slow
def test_a_students_copy_accepts_what_the_suite_does(tmp_path):
    said = 'SAID = accepts("list for array", of="f")'
    suite = CHECKS.replace("import expect_close", "import accepts, expect_close").replace(
        "\n\n\n@points(2)", f"\n{said}\n\n\n@points(2)"
    )
    written(tmp_path / "course", "numpy", suite=suite)
    text = (tmp_path / "course" / "course.yaml").read_text()
    (tmp_path / "course" / "course.yaml").write_text(text.replace(text.splitlines(keepends=True)[3], ""))
    made = in_a_process("release", "--format", "kit", "--to", tmp_path / "copy", cwd=tmp_path / "course")
    assert made.returncode == 0, made.stderr
    (tmp_path / "copy" / "exercises" / "f.py").write_text("def f(x):\n    return x.mean(1).tolist()\n")
    checked = in_a_process("check", "f", cwd=tmp_path / "copy")
    assert (checked.returncode, LISTED in checked.stdout) == (0, True), checked.stdout + checked.stderr
