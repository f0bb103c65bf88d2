"""In a course's folder pytest shows each check as an item, run behind the sandbox, with the reason as the failure.

A hidden suite is run in the same way on the course's own solution, or on the file that `--student` names.
"""

from __future__ import annotations

import importlib.metadata
import shutil
import sys

import pytest
from support import ROOT, TOY

pytest_plugins = "pytester"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]
COURSE = TOY.with_name("toy_numpy")
INSTALLED = importlib.metadata.entry_points(group="pytest11", name="grader")
PLUGIN = ("-p", "no:cacheprovider", *(() if INSTALLED else ("-p", "grader.pytest_plugin")))


@pytest.fixture
def course(pytester):
    shutil.copytree(COURSE, pytester.path, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    return pytester


def transposed() -> str:
    """A solution with a mistake that the suite knows."""
    right = (COURSE / "solutions" / "solve.py").read_text(encoding="utf-8")
    return right.replace("solve(a, b)\n", "solve(a.T, b)\n").replace("np.abs(a @ x - b).max()", "0.0")


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
    course.runpytest_subprocess(*PLUGIN, "exercises").assert_outcomes(passed=3)
    (course.path / "exercises" / "solve.py").write_text(transposed(), encoding="utf-8")
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


def test_work_is_never_imported_by_pytest_itself(course):
    stub = course.path / "exercises" / "solve.py"
    stub.write_text(f"open('left_behind', 'w').close()\n{stub.read_text(encoding='utf-8')}", encoding="utf-8")
    (stub.parent / "test_own.py").write_text("def test_it(): pass\n", encoding="utf-8")
    found = course.runpytest_subprocess(*PLUGIN, "exercises/solve.py", "exercises/test_own.py")
    found.assert_outcomes(failed=3, passed=1)
    assert not (course.path / "left_behind").exists()


def test_a_suite_is_run_on_the_solution(course):
    hidden = course.path / "tests" / "hidden"
    (hidden / "lib").mkdir()
    for helper in (hidden / "helper.py", hidden / "lib" / "__init__.py", hidden / "lib" / "shared.py"):
        helper.write_text("def test_no_check(): raise ValueError\n", encoding="utf-8")
    suite = hidden / "solve.py"
    text = suite.read_text(encoding="utf-8").replace("import sys\n", "import sys\n\nimport hidden.lib.shared\n", 1)
    suite.write_text(text, encoding="utf-8")
    found = course.runpytest_subprocess(*PLUGIN, "tests/hidden", "-v")
    found.assert_outcomes(passed=3)
    one = course.runpytest_subprocess(*PLUGIN, "tests/hidden/solve.py::test_values", "-k", "float32", "-v")
    one.stdout.fnmatch_lines(["tests/hidden/solve.py::test_values[[]cpu-float32[]] PASSED*"])
    one.assert_outcomes(passed=1, deselected=1)
    course.runpytest_subprocess(*PLUGIN, "tests/hidden/helper.py").assert_outcomes()


def test_a_suite_is_run_on_a_file_of_any_name_and_tells_its_author_all(course):
    (course.path / "作业 一").mkdir()
    (course.path / "作业 一" / "我的 solve (1).py").write_text(transposed(), encoding="utf-8")
    settings = course.path / "course.yaml"
    settings.write_text(f"feedback: verdict\n{settings.read_text(encoding='utf-8')}", encoding="utf-8")
    found = course.runpytest_subprocess(*PLUGIN, "tests/hidden", "--student", "作业 一/我的 solve (1).py")
    found.assert_outcomes(failed=2, passed=1)
    found.stdout.fnmatch_lines(["→ The transposed matrix is used. *", "solve(a [[]3, 3[]] float32, *is off by*"])


def test_a_suite_of_questions_is_run_on_the_sheet_of_the_solutions(course):
    other = ROOT / "examples" / "courses" / "numerical_methods"
    shutil.copytree(other, course.path / "other", ignore=shutil.ignore_patterns("__pycache__"))
    found = course.runpytest_subprocess(*PLUGIN, "other/tests/hidden/questions.py", "-v")
    assert found.ret == 0
    assert set(found.parseoutcomes()) == {"passed"}


@pytest.mark.parametrize(
    ("student", "named", "said"),
    [
        ("gone.py", "tests/hidden/solve.py", "*/gone.py: there is no such file; *"),
        ("exercises", "tests/hidden/solve.py", "*/exercises: is a folder; *"),
        ("exercises/solve.py", "exercises/solve.py", "*, and exercises/solve.py is none; name one, *"),
        ("exercises/solve.py", "test_own.py", "*, and test_own.py is none; name one, *"),
        ("exercises/solve.py", ".", "*, and . is none; name one, *"),
        ("exercises/solve.py", "tests/hidden/gone.py::test_it", None),
    ],
)
def test_a_student_that_cannot_be_is_one_line(course, student, named, said):
    course.makepyfile(test_own="def test_it(): pass\n")
    found = course.runpytest_subprocess(*PLUGIN, named, "--student", student)
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    assert "Traceback" not in found.stdout.str()
    assert len([line for line in found.errlines if line]) == 1
    found.stderr.fnmatch_lines([f"ERROR: --student {said}" if said else "ERROR: file or directory not found: *"])


BROKEN = {  # what is put in the place of what, and what is said; of a decorator Python 3.10 names the line below
    "syntax": ("RESIDUAL", "def (:\nRESIDUAL", "tests/hidden/solve.py cannot be imported: line 10: SyntaxError: *"),
    "import": ("import sys\n", "import sys, nowhere\n", "*hidden/solve.py cannot be imported: line 3: *'nowhere'"),
    "argument": ("test_values(", "test_values(mke, ", "tests/hidden/solve.py:1[34]: test_values* argument 'mke';*"),
    "fixture": (
        "@points(2)\n", "import pytest\n\n\n@pytest.fixture\ndef own(nowhere): pass\n\n\n"
        '@points(0)\ndef test_own(own):\n    """Own."""\n\n\n@points(2)\n', "E*fixture 'nowhere' not found",
    ),
    "call": ("    matches_ref", "    nowhere\n    matches_ref", "tests/hidden/solve.py::*: line 17: NameError: *"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_wrong_with_a_suite_is_one_error(course, kind):
    good, bad, said = BROKEN[kind]
    suite = course.path / "tests" / "hidden" / "solve.py"
    suite.write_text(suite.read_text(encoding="utf-8").replace(good, bad, 1), encoding="utf-8")
    found = course.runpytest_subprocess(*PLUGIN, "tests/hidden/solve.py")
    outcomes = found.parseoutcomes()
    assert outcomes.get("failed", 0) + outcomes.get("errors", 0) == 1
    assert "passed" not in outcomes
    found.stdout.fnmatch_lines([said])
    assert "grading_processes" not in found.stdout.str()


def test_the_tests_of_the_kit_leave_the_suites_out(course):
    shutil.copy(ROOT / "pyproject.toml", course.path)
    (course.path / "tests" / "kit").mkdir()
    (course.path / "tests" / "kit" / "test_own.py").write_text("def test_it(): pass\n", encoding="utf-8")
    for named in ([], ["tests"]):
        course.runpytest_subprocess(*PLUGIN, *named).assert_outcomes(passed=1)
