"""In a course's folder pytest shows each check as an item, run behind the sandbox, with the reason as the failure."""

from __future__ import annotations

import importlib.metadata
import shutil
import sys

import pytest
from support import TOY

pytest_plugins = "pytester"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]
COURSE = TOY.with_name("toy_numpy")
INSTALLED = importlib.metadata.entry_points(group="pytest11", name="grader")
PLUGIN = ("-p", "no:cacheprovider", *(() if INSTALLED else ("-p", "grader.pytest_plugin")))


@pytest.fixture
def course(pytester):
    shutil.copytree(COURSE, pytester.path, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    return pytester


def test_checks_are_items(course):
    found = course.runpytest_subprocess(*PLUGIN, "--collect-only", "-q")
    found.stdout.fnmatch_lines(
        [
            "exercises/solve.py::test_values[[]cpu-float32[]]",
            "exercises/solve.py::test_values[[]cpu-float64[]]",
            "exercises/solve.py::test_inputs[[]cpu[]]",
        ]
    )
    assert found.ret == 0


def test_a_right_solution_passes_and_a_reason_is_the_failure(course):
    shutil.copy(COURSE / "solutions" / "solve.py", course.path / "exercises")
    course.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=3)
    right = (COURSE / "solutions" / "solve.py").read_text(encoding="utf-8")
    wrong = right.replace("solve(a, b)\n", "solve(a.T, b)\n").replace("np.abs(a @ x - b).max()", "0.0")
    (course.path / "exercises" / "solve.py").write_text(wrong, encoding="utf-8")
    found = course.runpytest_subprocess(*PLUGIN, "exercises/solve.py::test_values[cpu-float64]")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(
        ["→ The transposed matrix is used. It is charged once: *", "solve(a [[]3, 3[]] float64, *result 1 is off by*"]
    )
    assert "Traceback" not in found.stdout.str()


def test_a_fault_of_the_course_is_one_line(course):
    (course.path / "course.yaml").write_text("titel: x\n", encoding="utf-8")
    found = course.runpytest_subprocess(*PLUGIN)
    found.stdout.fnmatch_lines(["course.yaml:1: unknown key 'titel' in the course; did you mean 'title'?"])
    found.assert_outcomes(errors=1)


def test_elsewhere_it_does_nothing(pytester):
    pytester.makepyfile(test_own="import sys\ndef test_it(): assert 'grader.batch' not in sys.modules\n")
    (pytester.path / "exercises").mkdir()
    (pytester.path / "exercises" / "other.py").touch()
    pytester.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=1)


def test_what_is_known_of_the_last_run_opens_no_suite(course):
    def collected():
        return course.runpytest_subprocess(*(() if INSTALLED else PLUGIN[2:]), "--collect-only", "-q")

    first = collected().outlines
    refusing = "import grader.batch\ndef refuse(*_, **__): raise RuntimeError('a process is started')\n"
    course.makeconftest(f"{refusing}grader.batch.ForkServer = refuse\n")
    again = collected()
    assert again.outlines[:3] == first[:3]
    assert again.ret == 0
    suite = course.path / "tests" / "hidden" / "solve.py"
    suite.write_text(f"{suite.read_text(encoding='utf-8')}\n# changed\n", encoding="utf-8")
    collected().stdout.fnmatch_lines(["*a process is started*"])
