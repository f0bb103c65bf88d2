"""Suites run against functions of ours, one after another; a suite that is at fault is told from a student who is."""

from __future__ import annotations

import os

import pytest
from toy_suites import HEAD, IDS, OneByOne, course, right

from grader.errors import CourseError, MachineError
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites, load_solution
from grader.suites.target import NoAnswer
from grader.texts import Text, plain


@pytest.mark.parametrize("exercise", IDS)
@pytest.mark.parametrize("seed", range(5))
def test_the_solution_scores_full(suites, exercise, seed):
    results = list(suites.run(exercise, LocalTarget(suites[exercise].reference), seed))
    assert [r.verdict for r in results] == ["passed"] * len(results)
    assert sum(r.max_points for r in results) == {"scale": 4, "pair": 2}[exercise]


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


def test_ids_say_where_a_check_ran(suites):
    ids = {r.id for r in suites.run("scale", LocalTarget({"scale": right}), 1)}
    assert {"test_device[meta]", "test_gradient[cpu]"} <= ids


def test_titles_are_the_docstrings(suites):
    assert suites.titles("pair")["test_law[cpu]"] == Text("Twice the first result is the second one plus 2.")


def test_all_checks_can_share_one_verdict(suites):
    results = suites.all_with("scale", "crashed", load_text := suites.titles("scale")["test_zero[cpu]"])
    assert {(r.verdict, r.reason) for r in results} == {("crashed", load_text)}
    assert sum(r.max_points for r in results) == 4


def test_the_stub_is_not_started(run):
    def stub(x, factor=2.0):
        raise NotImplementedError

    assert {r.verdict for r in run("scale", stub).values()} == {"failed"}
    reason = run("scale", stub)["test_zero"].reason.to("en")
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


BROKEN = {  # of a decorator Python 3.10 names the line below
    "a name that is not there": ("no_such_name\n", "cannot be imported.*no_such_name"),
    "a syntax error": ("def test(:\n", r"^tests/hidden/f.py cannot be imported: line \d+: SyntaxError: [^\n]*$"),
    "an argument that nobody gives": (
        "@points(1)\ndef test_a(matches_ref, make): pass\n",
        "test_a.* asks for an argument 'matches_ref'; did you mean 'matches_reference'\\?$",
    ),
    "no points": ("def test_a(matches_reference): pass\n", "test_a.* has no @points; write"),
    "no such dtype": ("@points(1)\n@dtypes('float12')\ndef test_a(matches_reference, dtype): pass\n", "float12"),
    "dtypes for a check that takes none": (
        "@points(1)\n@dtypes('float16')\ndef test_a(matches_reference): pass\n",
        r"test_a\[cpu\] has @dtypes but no argument `dtype`, so that it would run in float32 alone; add `dtype`",
    ),
    "dtypes twice": (
        "test_a = dtypes('float16')(laws.gradient(1, lambda ask, make: ask.f(make.normal(2))))\n", "has @dtypes twice",
    ),
    "dtypes without their names": (
        "@points(1)\n@dtypes\ndef test_a(matches_reference, dtype): pass\n", "line [45]: ValueError: @dtypes takes",
    ),
    "dtypes that are no names": (
        "@points(1)\n@dtypes(torch.float16)\ndef test_a(matches_reference, dtype): pass\n", "@dtypes takes the names",
    ),
    "points without a number": ("@points\ndef test_a(matches_reference): pass\n", "line [34]: .*@points takes"),
    "points below zero": ("@points(-1)\ndef test_a(matches_reference): pass\n", "@points takes what the check is"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_suite_that_cannot_be_used(tmp_path, case):
    code, message = BROKEN[case]
    with pytest.raises(CourseError, match=f"(?s){message}"):
        course(tmp_path, HEAD + code)["f"]


def test_what_a_person_asks_of_pytest_is_not_asked_of_suites(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-n2 -k nothing --no-such-option")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    suite = course(tmp_path, HEAD + "@points(1)\ndef test_a(matches_reference): pass\n")["f"]
    assert [item.name for item in suite.items] == ["test_a[cpu]"]
    assert os.environ["PYTEST_ADDOPTS"].startswith("-n2")


def test_a_suite_that_is_missing(tmp_path):
    (tmp_path / "f.py").write_text("def f(x): return x\n")
    with pytest.raises(CourseError, match="nowhere.py"):
        Suites({"f": tmp_path / "nowhere.py"}, {"f": tmp_path / "f.py"})["f"]


FAULTY = {
    "an exception of its own": (
        "def test_a(student, make):\n    1 / 0\n",
        r"line \d+: ZeroDivisionError: division by zero$",
    ),
    "an assertion": ("def test_a(student, make):\n    assert False\n", "AssertionError"),
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
    with pytest.raises(CourseError, match=r"f.py: cannot be read: No such file"):
        load_solution(tmp_path / "f.py")


def test_a_solutions_imports_are_no_functions_of_it(tmp_path):
    path = tmp_path / "f.py"
    path.write_text("from math import sqrt\nfrom torch import relu\nX = 3\ndef f(x): return x\n")
    assert set(load_solution(path)) == {"f"}


def test_a_fault_in_the_midst_of_a_suite_spoils_no_other(suites):
    """The machine may fail at any call; the next submission is graded all the same."""

    class Failing(OneByOne):
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


def test_two_courses_in_one_process_keep_their_own_suites(tmp_path):
    """Their folders have the same name, and so have their suites."""
    made = []
    for points in (1, 2):
        (folder := tmp_path / str(points)).mkdir()
        made.append(course(folder, f"{HEAD}@points({points})\ndef test_a(student, make): student.f(make.normal(2))\n"))
    for suites, points in (*zip(made, (1, 2), strict=True), *zip(reversed(made), (2, 1), strict=True)):
        assert [r.max_points for r in suites.run("f", LocalTarget(suites["f"].reference), 1)] == [points]


class Slow(OneByOne):
    """The solution, of whose calls the first `late` take too long."""

    def __init__(self, functions, late: int) -> None:
        super().__init__(functions)
        self.late, self.calls = late, 0

    def call(self, call):
        self.calls += 1
        if self.calls <= self.late:
            raise NoAnswer("timeout", plain("too slow"))
        return super().call(call)


@pytest.mark.parametrize(("late", "timeouts"), [(1, 0), (2, 1), (3, 2)])
def test_a_check_that_ends_by_time_is_tried_once_more(suites, late, timeouts):
    """The machine may have been busy. Once in a suite is enough: code that hangs must not cost twice the time."""
    target = Slow(suites["scale"].reference, late)
    results = list(suites.run("scale", target, 1))
    assert [r.verdict for r in results].count("timeout") == timeouts
    assert [r.verdict for r in results].count("passed") == len(results) - timeouts
    assert [r.id for r in results] == [item.name for item in suites["scale"].items]
    assert [r.reason.to("en") for r in results if r.verdict == "timeout"] == ["too slow"] * timeouts


@pytest.mark.parametrize("verdict", ["crashed", "failed", "blocked"])
def test_a_check_that_ends_otherwise_is_not(suites, verdict):
    class Ends(Slow):
        def call(self, call):
            self.calls += 1
            raise NoAnswer(verdict, plain("over"))

    target = Ends(suites["pair"].reference, 0)
    assert [r.verdict for r in suites.run("pair", target, 1)] == [verdict] * 2
    assert target.calls == 2


def test_failures_from_the_most_telling_down(suites):
    """Values before gradients before refusals, float32 before other dtypes; a call that came to nothing says least."""

    class Lost(OneByOne):
        def call(self, call):
            if call.contract:
                raise NoAnswer("crashed", plain("lost"))
            return super().call(call)

    def wrong(x, factor=2.0):
        return (x * 3).detach()

    failed = [r for r in suites.run("scale", Lost({"scale": wrong}), 1) if r.verdict != "passed"]
    assert [r.id for r in sorted(failed, key=lambda r: r.salience)] == [
        "test_values[cpu-float32]", "test_values[cpu-float64]", "test_gradient[cpu]",
        "test_zero[cpu]", "test_device[meta]",
    ]  # fmt: skip


def test_a_file_that_nobody_began_is_judged_as_ever_without_rehearsal(suites):
    def unwritten(x, factor=2.0):
        raise NotImplementedError

    target, seed = LocalTarget({"scale": unwritten}), 33  # under which nothing was rehearsed yet
    before = list(suites.run("scale", target, seed, attempted=False))
    rehearsed = len(suites._scripts.get(seed, ()))
    list(suites.run("scale", LocalTarget({"scale": right}), seed))
    assert rehearsed < len(suites._scripts[seed])
    after = list(suites.run("scale", target, seed, attempted=False))
    seen = [[(r.id, r.verdict, r.reason, r.attempted, r.max_points) for r in results] for results in (before, after)]
    assert seen[0] == seen[1]
    assert not any(r.attempted for r in before if r.verdict == "failed")
