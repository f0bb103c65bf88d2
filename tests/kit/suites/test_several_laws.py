"""Several laws in one statement: the checks, their order, what they are worth, and what cannot be asked."""

from __future__ import annotations

import types

import pytest
from toy_suites import HEAD, course

from grader.errors import CourseError
from grader.pytest_plugin import CheckItem
from grader.suites import laws
from grader.suites.local import LocalTarget

FUNCTION = "def f(x, factor=2.0):\n    return x * factor\n"
EXAMPLES = """
def examples(ask, make):
    ask.f(make.normal(2, 3))

def others(ask, make):
    ask.f(make.normal(4), factor=-3.0)

def of_length(ask, make, n):
    ask.f(make.normal(n))

"""


def suite(tmp_path, statement: str, solution: str = FUNCTION):
    return course(tmp_path, f"{HEAD}{EXAMPLES}{statement}\n", solution)


def weights(suites) -> dict[str, float]:
    """What each check is worth, by its id without the device."""
    found = {}
    for item in suites["f"].items:
        name = item.name.partition("[")[0]
        found[name] = round(found.get(name, 0) + suites._plugin.points[item.nodeid], 4)
    return found


def test_they_are_the_checks_of_a_line_each(tmp_path):
    several = "LAWS = laws.all(examples, of_length, gradient=1, device=0.5, memory_layout=(0.3, others))"
    lines = (
        "test_gradient = laws.gradient(1, examples)\ntest_device = laws.device(0.5, examples)\n"
        "test_memory_layout = laws.memory_layout(0.3, others)\n"
        "test_remembers_nothing = laws.remembers_nothing(0.1, examples)\n"
        "test_keywords = laws.keywords(0.1, examples)\ntest_lengths = laws.lengths(0.05, of_length)"
    )
    found = []
    for name, statement in (("several", several), ("lines", lines)):
        (tmp_path / name).mkdir()
        suites = suite(tmp_path / name, statement)
        calls = {check: [str(known.call) for known in asked] for check, asked in suites.rehearsed("f", 1).items()}
        titles = suites.titles("f")
        found.append((weights(suites), titles, calls, [i.name for i in suites["f"].items]))
    assert found[0] == found[1]
    assert found[0][0]["test_lengths"] == 0.05


def test_they_stand_where_the_statement_does_and_come_in_the_order_of_their_names(tmp_path):
    before, after = (
        f"@points(1)\ndef test_{n}(matches_reference, make): others(matches_reference, make)\n" for n in "ab"
    )
    laws_between = (
        "LAWS = laws.all(examples, of_length, keywords=0.4, every_dtype=0.2, device=1, gradient=(1, others))\n"
    )
    suites = suite(tmp_path, before + laws_between + after)
    assert list(weights(suites)) == [
        "test_a", "test_device", "test_gradient", "test_remembers_nothing", "test_keywords", "test_every_dtype",
        "test_lengths", "test_b",
    ]  # fmt: skip
    assert weights(suites)["test_keywords"] == 0.4


def test_lengths_are_asked_where_there_are_calls_of_a_length(tmp_path):
    assert list(weights(suite(tmp_path, "LAWS = laws.all(examples)"))) == ["test_remembers_nothing", "test_keywords"]


def test_other_arguments_stand_behind_what_a_law_is_worth(tmp_path):
    suites = suite(tmp_path, "LAWS = laws.all(examples, gradient=(1, others, 'float32'), lengths=(0.5, of_length, 17))")
    ids = [item.name for item in suites["f"].items if item.name.startswith("test_gradient")]
    assert ids == ["test_gradient[cpu-float32]"]
    lengths = {answer.call.args[0].shape[0] for answer in suites.rehearsed("f", 1)["test_lengths[cpu]"]}
    assert {17, 300} <= lengths
    assert 16 not in lengths


def test_what_breaks_a_law_fails_its_check(tmp_path):
    suites = suite(tmp_path, "LAWS = laws.all(examples, inputs_unchanged=1, gradient=1)")
    changes = LocalTarget({"f": lambda x, factor=2.0: x.mul_(factor)})
    assert {r.id.partition("[")[0] for r in suites.run("f", changes, 1) if r.failed} >= {"test_inputs_unchanged"}
    right = LocalTarget(suites["f"].reference)
    assert {r.verdict for r in suites.run("f", right, 1)} == {"passed"}


def test_a_suite_that_is_collected_once_more_has_each_check_once(tmp_path):
    first = suite(tmp_path, "LAWS = laws.all(examples, device=1)\n@points(1)\ndef test_z(student): pass\n")
    ids = [item.name for item in first["f"].items]
    assert len(ids) == 4
    again = type(first)({"f": tmp_path / "hidden" / "f.py"}, {"f": tmp_path / "solutions" / "f.py"})
    assert [item.name for item in again["f"].items] == ids


def test_a_large_length_is_tried_by_laws_of_the_same_statement(tmp_path):
    suites = suite(tmp_path, "LAWS = laws.all(examples, of_length, inputs_unchanged=1)")
    calls = suites.rehearsed("f", 1)["test_inputs_unchanged[cpu]"]
    assert 520 in {answer.call.args[0].shape[-1] for answer in calls}


REFUSED = {
    "no such law": ("gradients=1", "there is no law 'gradients'; did you mean 'gradient'?"),
    "worth nothing": ("gradient=0", "gradient is worth 0; write a number above 0, such as gradient=0.5"),
    "worth less": ("keywords=-0.1", "keywords is worth -0.1; write a number above 0"),
    "no number": ("device='1'", "device is worth '1'; write a number above 0"),
    "a truth value": ("device=True", "device is worth True; write a number above 0"),
    "not finite": ("device=(float('inf'), others)", "device is worth inf; write a number above 0"),
    "examples first": ("device=(others, 1)", "device is worth <function others"),
    "lengths without calls": ("lengths=0.1", "lengths has no calls to make; pass a function of a length"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_asked_is_an_error_with_suite_and_line(tmp_path, case):
    asked, said = REFUSED[case]
    line = (HEAD + EXAMPLES).count("\n") + 1
    with pytest.raises(CourseError) as error:
        suite(tmp_path, f"LAWS = laws.all(examples, {asked})")["f"]
    assert str(error.value).startswith(
        f"tests/hidden/f.py cannot be imported: line {line}: ValueError: laws.all: {said}"
    )


@pytest.mark.parametrize(
    "other", ["test_keywords = laws.keywords(0.1, examples)", "@points(1)\ndef test_keywords(student): pass"]
)
def test_two_checks_of_one_name_are_an_error(tmp_path, other):
    with pytest.raises(CourseError, match="laws.all and another line both make the check test_keywords; take one of"):
        suite(tmp_path, f"LAWS = laws.all(examples)\n{other}")["f"]


def test_every_law_can_be_asked():
    assert {*laws.LAWS} == {*laws.LAW_TITLES} - {"cases_promised", "told_apart"}


@pytest.mark.parametrize(("check", "line"), [("test_values[cpu-float32]", 2), ("test_gradient[cpu]", 4), ("test_x", 6)])
def test_an_editor_is_led_to_the_line_that_takes_the_laws(tmp_path, check, line):
    file = tmp_path / "f.py"
    file.write_text("\n@points(1)\ndef test_values(): pass\n\nLAWS = laws.all(x)\n\ntest_x = laws.device(1, x)\n")
    item = types.SimpleNamespace(path=file, _check=check, _exercise="f", _title="So.")
    assert CheckItem.reportinfo(item)[1] == line
