"""A course of pandas and scipy: named in course.yaml, readable in the sandbox, values that cross, sentences."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import in_a_process
from msgspec.structs import replace
from support import ENVIRONMENT, OPTIONS, ROOT, TOY, check, course_on_the_page

from grader import packages
from grader.authoring import student_copy
from grader.batch import ForkServer, course_packages, environment, grading_processes
from grader.course import course as courses
from grader.errors import CourseError, MachineError
from grader.intake import Source, Submission
from grader.report.report import Report

PANDAS, SCIPY = (TOY.with_name(f"toy_{name}") for name in packages.KNOWN)
ABSENT = [name for name in packages.KNOWN if not packages.version(name)]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(ABSENT), reason=f"{' and '.join(ABSENT)} not installed: pip install --editable '.[test]'"),
]
linux = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


SORTED = 'return found.sort_values("total", ascending=False)'


def solution(course: Path) -> str:
    return next((course / "solutions").glob("*.py")).read_text(encoding="utf-8")


def grading(root: Path):
    """`grade(source)` is the report on the only exercise of a course."""
    course = courses.load(root)
    (exercise,) = course.exercises
    fork_server = ForkServer(environment(root), confined=True)
    process = fork_server.grading_process(course, OPTIONS)

    def grade(source: str) -> Report:
        return Report.from_json(process.grade(Submission("s1", {exercise.id: Source(source)}), "", seed=1))

    yield grade
    process.close()
    fork_server.close()


@pytest.fixture(scope="module")
def orders():
    yield from grading(PANDAS)


@pytest.fixture(scope="module")
def heat():
    yield from grading(SCIPY)


def returning(value: str) -> str:
    """The solution, but that `revenue` returns this instead of what it has found."""
    return solution(PANDAS).replace(SORTED, f"{SORTED.replace('return', 'found =')}\n    return {value}")


# --- course.yaml


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("scipy", "course.yaml:3: packages must be a list"),
        ("[]", "course.yaml:3: packages must not be empty"),
        ("[os]", "course.yaml:3: 'packages' may name pandas and scipy, without a version, as in .*; 'os' is neither"),
        ("\n  - scipy\n  - ../secret", "course.yaml:5: 'packages' may name .*; '../secret' is neither"),
        ("[scipy==1.17.1]", "'scipy==1.17.1' is neither. The version is the one installed where the course is graded"),
        ("[{pandas: 3}]", "course.yaml:3: packages must be a text"),
    ],
)  # fmt: skip
def test_what_else_is_named_is_an_error_with_its_line(tmp_path, written, why):
    shutil.copytree(SCIPY, tmp_path, dirs_exist_ok=True)
    text = (
        (SCIPY / "course.yaml")
        .read_text(encoding="utf-8")
        .replace("arrays: numpy\npackages: [scipy]", f"packages: {written}")
    )
    (tmp_path / "course.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=why):
        courses.load(tmp_path)


@pytest.mark.parametrize("written", ["[scipy, pandas]", "\n  - pandas\n  - scipy # both", "[scipy, pandas, os]"])
def test_they_are_seen_before_the_course_is_read(tmp_path, written):
    (tmp_path / "course.yaml").write_text(f"title: x\npackages: {written}\n", encoding="utf-8")
    assert course_packages(tmp_path) == ["pandas", "scipy"]
    assert environment(tmp_path)[packages.VARIABLE] == "pandas scipy"
    assert packages.VARIABLE not in environment(TOY)


def test_one_that_is_not_installed_is_named_and_costs_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(packages, "version", lambda name: "" if name == "pandas" else "1.0")
    with pytest.raises(MachineError, match="^this course uses pandas, not installed here: `pip install pandas`, "):
        environment(PANDAS)


def test_a_course_that_names_another_one_meanwhile_is_opened_anew():
    fork_server = ForkServer(environment(TOY.with_name("toy_numpy")), confined=True)
    with pytest.raises(MachineError, match="the packages of course.yaml were changed while this was running"):
        fork_server.grading_process(courses.load(SCIPY), OPTIONS)
    fork_server.close()


# --- values


def test_values_cross_and_nonsense_is_refused():
    """In a process that was started for both packages: see package_values.py."""
    started = {**ENVIRONMENT, packages.VARIABLE: " ".join(packages.KNOWN), "GRADER_WITHOUT_TORCH": "1"}
    command = [sys.executable, "-W", "error::RuntimeWarning", str(Path(__file__).with_name("package_values.py"))]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**started, "PYTHONPATH": str(ROOT)}, timeout=500, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 3


@linux
def test_the_courses_are_sound():
    for course in (PANDAS, SCIPY):
        done = in_a_process("lint", "--course", course)
        assert (done.returncode, done.stdout, done.stderr) == (0, "1 exercises, 0 problems\n", "")


@linux
def test_the_course_on_the_page_for_authors_is_sound(tmp_path):
    course_on_the_page("Courses of pandas and scipy", tmp_path)
    done = in_a_process("lint", "--course", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 exercises, 0 problems\n", "")


@linux
def test_right_files_pass_and_reports_hold_the_versions(orders, heat):
    for grade, course, name in ((orders, PANDAS, "pandas"), (heat, SCIPY, "scipy")):
        report = grade(solution(course))
        assert report.score == report.max_score > 0, report.exercises[0].checks
        assert report.environment.packages == {name: packages.version(name)}
        assert json.loads(report.to_json())["environment"]["packages"] == {name: packages.version(name)}


MISTAKES = {
    "missing_is_zero": ('.dropna(subset=["price"])', '.fillna({"price": 0.0})'),
    "by_name": ('"total", ascending=False', '"city"'),
    "days_left_out": ('.set_index("day")["count"].resample("D")', '.groupby("day")["count"]'),
}


@linux
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_in_tables_are_named(orders, mistake):
    found = orders(solution(PANDAS).replace(*MISTAKES[mistake])).exercises[0]
    assert (found.status, [d.misconception for d in found.diagnoses]) == ("failed", [f"orders/{mistake}"])


@linux
@pytest.mark.parametrize(
    ("mistake", "old", "new"),
    [
        ("not_scaled", " * (n + 1) ** 2", ""),
        ("wrong_sign", "values * (n", "-values * (n"),
        ("explicit", "spsolve((sparse.eye_array(len(u)) + dt * a).tocsc(), u)", "u - dt * (a @ u)"),
    ],
)
def test_mistakes_in_matrices_are_named(heat, mistake, old, new):
    found = heat(solution(SCIPY).replace(old, new)).exercises[0]
    assert (found.status, [d.misconception for d in found.diagnoses]) == ("failed", [f"heat/{mistake}"])


@linux
@pytest.mark.parametrize("module", ["special", "stats", "signal.windows", "io.matlab", "constants"])
def test_any_module_of_a_package_may_be_imported_inside_a_function(heat, module):
    written = solution(SCIPY).replace("    rows = ", f"    import scipy.{module}\n    rows = ")
    hidden = written.replace(f"import scipy.{module}", f"__import__('sci' 'py.{module[:2]}' '{module[2:]}')")
    for source in (written, hidden):  # the second mentions none that a worker would have before
        report = heat(source)
        assert report.score == report.max_score, report.exercises[0].checks


REVENUE = {
    "another kind": ("found.to_dict()", "returns dict, expected pandas.DataFrame"),
    "a column alone": ('found["total"]', "returns pandas.Series, expected pandas.DataFrame"),
    "other columns": ('found.rename(columns={"mean": "avg"})', "has the columns ['total', 'avg'], expected"),
    "too few rows": ("found.head(1)", "the result has 1 rows, expected 3"),
    "no index": ("found.reset_index(drop=True)", "the result.index has dtype int64, expected text"),
    "two levels": ("found.set_index('mean', append=True, drop=False)", "has an index of 2 levels, expected 1"),
    "another dtype": ('found.astype({"mean": "float32"})', "the result['mean'] has dtype float32, expected float64"),
    "texts": ('found.astype({"mean": str})', "the result['mean'] has dtype text, expected float64"),
    "an entry": ("found.assign(mean=found['mean'] + [0, 1, 0])", "['mean'] is off by up to 1 (1 of 3 entries"),
    "a missing one": ("found.assign(mean=[float('nan'), *found['mean'][1:]])", "the result['mean'].isna() is "),
    "another label": ("found.rename(index={'Lyon': 'lyon'})", "the result.index is wrong in 1 of 3 entries; at ["),
    "lists": ("found.assign(mean=[[1], [2], [3]])", "column 'mean' is of dtype object and holds list, where only"),
    "an odd label": ("found.rename(columns={'mean': open})", "a label of it is of type builtin_function"),
}  # fmt: skip


@linux
@pytest.mark.parametrize("case", REVENUE)
def test_what_is_wrong_with_a_table_is_said_in_a_line(orders, case):
    given, said = REVENUE[case]
    found = orders(returning(given))
    reason = check(found.exercises[0], "test_revenue").reason.to("en")
    assert said in reason.splitlines()[0]
    assert reason.startswith("revenue(orders [4, 4] pandas.DataFrame): ") or case in ("a missing one",)


@linux
@pytest.mark.parametrize(
    "given",
    ["found.rename_axis('town')", "found.astype({'mean': 'float64'}).copy()", "found.set_axis(list(found.index))"],
)
def test_what_an_index_is_called_is_not_looked_at(orders, given):
    assert orders(returning(given)).score == 7.0


@linux
@pytest.mark.parametrize("given", [".tocsc()", ".tocoo()", ".tolil()", ""])
def test_a_matrix_may_be_in_any_format(heat, given):
    assert heat(solution(SCIPY).replace("shape=(n, n))", f"shape=(n, n)){given}")).score == 6.0


@linux
def test_a_wrong_entry_of_a_matrix_is_named(heat):
    found = heat(solution(SCIPY).replace("(rows[1:], rows[:-1], -1.0)", "(rows[1:], rows[:-1], 1.0)"))
    said = check(found.exercises[0], "test_stiffness").reason.to("en")
    assert "stiffness(n=3): the result is off by up to 32 (2 of 9 entries; at [1, 0] it is 16, expected -16)" in said
    dense = heat(solution(SCIPY).replace("shape=(n, n))", "shape=(n, n)).toarray()"))
    assert "returns numpy.ndarray, expected scipy.sparse" in check(dense.exercises[0], "test_stiffness").reason.to("en")


@linux
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('orders["price"] = orders["price"].fillna(0.0)', "changes its input orders['price'].isna() in place"),
        ('orders.loc[0, "city"] = "Oslo"', "changes its input orders['city'] in place"),
        ('orders["total"] = 1.0', "modifies a table, list or dict that it was given"),
    ],
)
def test_a_table_that_is_changed_in_place_is_seen(orders, line, said):
    first = '    priced = orders.dropna(subset=["price"])\n'
    found = orders(solution(PANDAS).replace(first, f"{first}    {line}\n"))
    assert said in check(found.exercises[0], "test_inputs").reason.to("en")


@linux
def test_what_is_forbidden_of_scipy_is_refused(heat):
    made = "\n\ndef stiffness(n):\n    return getattr(sparse, 'di' + 'ags')([2.0], [0], (n, n))\n"
    assert "diags" in heat(solution(SCIPY) + made).exercises[0].reason.to("en")


# --- the sandbox

LOOKS = """
import os, sys
import pandas.io.formats.style
pandas.Timestamp("2026-03-29").tz_localize("Europe/Paris")
places = {os.path.dirname(os.path.dirname(pandas.__file__))}
for name in ("pytest", "rich", "scipy", "pyarrow", "markdown_it"):
    try:
        __import__(name)
        print("imported", name)
    except ImportError:
        pass
for place in places:
    for name in ("rich/__init__.py", "yaml/__init__.py", "pytest/__init__.py"):
        try:
            open(os.path.join(place, name))
            print("read", name)
        except OSError:
            pass
print("pandas.core.frame" in sys.modules, "scipy" in sys.modules)
"""


@linux
def test_nothing_else_that_is_installed_can_be_read(orders):
    report = orders(LOOKS + solution(PANDAS))
    assert (report.exercises[0].stdout, report.score) == ("True False\n", 7.0)


@linux
def test_what_takes_long_to_import_is_there_before_a_worker_is_forked(heat):
    """The modules that every course uses from the start, those of a file that names one from then on."""
    looked = "import sys\nprint(*(f'scipy.{n}' in sys.modules for n in ('optimize', 'sparse.linalg', 'cluster')))\n"
    assert (
        heat(looked.replace("'cluster'", "'clu' + 'ster'") + solution(SCIPY)).exercises[0].stdout == "True True False\n"
    )
    assert heat(f"{looked}from scipy import cluster\n{solution(SCIPY)}").exercises[0].stdout == "True True True\n"


def test_they_cross_where_nothing_can_be_forked(monkeypatch):
    monkeypatch.setattr(grading_processes.sys, "platform", "darwin")
    fork_server = ForkServer(environment(PANDAS), confined=True)
    monkeypatch.undo()
    process = fork_server.grading_process(courses.load(PANDAS), replace(OPTIONS, only=("orders",)))
    report = Report.from_json(process.grade(Submission("s1", {"orders": Source(solution(PANDAS))}), "", 1))
    process.close()
    fork_server.close()
    assert (report.score, report.environment.isolation) == (7.0, ())


# --- commands


def test_doctor_names_them(monkeypatch, capsys):
    done = in_a_process("doctor", "--course", PANDAS)
    assert re.search(
        rf"^✔ pandas +{re.escape(packages.version('pandas'))}, which this course uses$", done.stdout, re.MULTILINE
    )


def test_a_students_copy_asks_for_the_versions_of_the_course(tmp_path):
    files = dict(student_copy._engine(courses.load(SCIPY), set()))
    assert f"'scipy=={packages.version('scipy')}'" in files["pyproject.toml"].decode()


@linux
def test_a_students_copy_checks_with_small_tables(tmp_path):
    done = in_a_process("release", "--format", "kit", "--course", PANDAS, "--to", tmp_path, "--lang", "en")
    assert done.returncode == 0, done.stderr
    (tmp_path / "exercises" / "orders.py").write_text(solution(PANDAS), encoding="utf-8")
    report = json.loads(in_a_process("check", "--course", tmp_path, "--json").stdout)
    assert (report["score"], len(report["exercises"][0]["checks"])) == (7.0, 2)
    assert "DataFrame({'city': ['Bergen'" in (tmp_path / "tests" / "visible" / "orders.py").read_text(encoding="utf-8")


@linux
def test_a_call_with_a_table_can_be_debugged(tmp_path):
    shutil.copytree(PANDAS, tmp_path, dirs_exist_ok=True)
    (tmp_path / "exercises" / "orders.py").write_text(solution(PANDAS).replace(*MISTAKES["by_name"]), encoding="utf-8")
    done = in_a_process("debug", "orders", "--course", tmp_path, "--lang", "en")
    shown = re.findall(r"^(Bergen|Lyon|Xi'an) +\d", done.stdout, re.MULTILINE)
    assert shown == ["Bergen", "Lyon", "Xi'an"], done.stderr


@linux
def test_reports_of_another_version_are_named(tmp_path):
    (tmp_path / "class" / "ann").mkdir(parents=True)
    (tmp_path / "class" / "ann" / "heat.py").write_text(solution(SCIPY), encoding="utf-8")
    ask = ("grade", tmp_path / "class", "--out", tmp_path / "results", "--course", SCIPY, "--jobs", 1)
    assert in_a_process(*ask).returncode == 0
    report = tmp_path / "results" / "reports" / "ann.json"
    version = packages.version("scipy")
    report.write_text(report.read_text(encoding="utf-8").replace(f'"{version}"', '"1.0"'), encoding="utf-8")
    done = in_a_process(*ask)
    assert f"holds reports of scipy 1.0, and {version} is installed here: who is in this batch is graded" in done.stderr
