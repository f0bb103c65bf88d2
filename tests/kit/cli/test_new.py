"""`grader new` writes a course that is sound as it stands, and destroys nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from commands import in_a_process
from support import TOY

from grader.authoring import new_course
from grader.cli import main

pytestmark = pytest.mark.slow


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_a_new_course_is_sound(tmp_path, run_here):
    done = in_a_process("new", "linear_algebra", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line[:2] for line in done.stdout.splitlines()[1:]] == ["1.", "2.", "3."]
    done = run_here("lint", cwd=tmp_path / "linear_algebra")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2 exercises, 0 problems\n", "")
    done = run_here("check", "--dir", "solutions", cwd=tmp_path / "linear_algebra" / "exercises" / "..")
    assert "5 of 5 points." in done.stdout


def test_its_title_is_the_name_of_the_folder(tmp_path):
    folder = tmp_path / 'signals: "one"'
    new_course.write(folder, new_course.files(new_course.title_of(folder)))
    assert (tmp_path / 'signals: "one"' / "course.yaml").read_text().startswith('title: "Signals: \\"one\\""\n')
    assert (tmp_path / 'signals: "one"' / "README.md").read_text().startswith('# Signals: "one"\n')


def test_what_is_not_installed_is_named_in_a_line(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["check", "--course", str(TOY)]) == 3
    said = capsys.readouterr().err
    asked = "pip install torch, or install the kit with its extra, [torch]"
    assert said == f"grader: this needs torch, which is not installed: {asked}\n"


def test_what_is_there_is_left_alone(tmp_path, run_here):
    (tmp_path / "notes.txt").touch()
    for folder in (tmp_path, tmp_path / "notes.txt"):
        done = run_here("new", folder)
        said = f"grader: {folder}: is there already; name a folder that is empty or not there yet\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


SOLUTION = """\
import numpy as np


def norm(x, p=2):
    \'\'\'The p-norm of x.\'\'\'
    if p < 1:
        raise ValueError("p is below 1")
    return float((np.abs(x) ** p).sum() ** (1 / p))


def orthonormal(a):
    return np.linalg.qr(a)[0]
"""
TESTS = """\
import sys

sys.path.insert(0, ".")
import numpy as np
import pytest
from vectors import norm, orthonormal

CASES = [([3, 4], 2, 5.0), ([1, -1], 1, 2.0)]


@pytest.fixture
def sample():
    return np.ones(3)


@pytest.mark.parametrize("x, p, expected", CASES)
def test_norm(x, p, expected):
    result = norm(np.array(x), p)
    assert result == pytest.approx(expected)


def test_refusal():
    with pytest.raises(ValueError):
        norm(np.ones(2), p=0)


class TestOrthonormal:
    def setup_method(self):
        self.a = np.arange(6.0).reshape(3, 2)

    def test_columns(self):
        q = orthonormal(self.a)
        np.testing.assert_allclose(q.T @ q, np.eye(2), atol=1e-12)


def test_sample(sample):
    assert norm(sample, 1) == 3


def test_written(tmp_path):
    (tmp_path / "numbers.txt").write_text("3 4")
    assert norm(np.loadtxt(tmp_path / "numbers.txt")) == 5


def test_patched(monkeypatch):
    monkeypatch.setattr(np, "abs", lambda x: 0 * x)
    assert norm(np.ones(1)) == 0
"""


def with_tests(folder: Path, solution: str) -> Path:
    """The folder, with a solution and its tests in it."""
    for name, text in (("src/vectors.py", solution), ("tests/test_vectors.py", TESTS)):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


FROM_TESTS = ("new", "course", "--from-tests", "tests", "--solutions", "src")


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_a_course_of_pytest_tests_is_sound(tmp_path, run_here):
    done = in_a_process(*FROM_TESTS, cwd=with_tests(tmp_path, SOLUTION))
    assert (done.returncode, done.stderr) == (0, "")
    none, patched, doubts, columns, wrote, first, *_ = done.stdout.splitlines()
    assert none == "1 of 6 tests are not checks:"
    assert patched.startswith("  tests/test_vectors.py:45: test_patched: norm gives something else when it is called")
    assert doubts == "1 tests accept results that their checks refuse; where those are right, see docs/authors.md:"
    assert columns == "  tests/test_vectors.py:31: test_columns: also with results with the other sign"
    assert wrote == "wrote a course into course; exercises: 1, checks: 5"
    assert first == "1. say in exercises/ what each function does: students read it"
    done = run_here("lint", cwd=tmp_path / "course")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 exercises, 0 problems\n", "")
    done = run_here("check", "--dir", "solutions", cwd=tmp_path / "course")
    assert "5 of 5 points." in done.stdout
    wrong = SOLUTION.replace("linalg.qr(a)[0]", "asarray(a)").replace("np.abs(x)", "np.array(x)")
    (tmp_path / "course" / "exercises" / "vectors.py").write_text(wrong, encoding="utf-8")
    said = run_here("check", "vectors", cwd=tmp_path / "course").stdout
    assert "3 of 5 points." in said
    assert "the result is off by 2: it is" in said


def test_a_solution_that_its_own_tests_refuse_is_found(tmp_path, run_here):
    done = run_here(*FROM_TESTS, cwd=with_tests(tmp_path, SOLUTION.replace("np.abs(x)", "np.array(x)")))
    assert done.returncode == 0
    assert "test_norm: fails on the solution: AssertionError: assert 0.0 == 2.0" in done.stdout
    assert "checks: 4" in done.stdout


def test_without_solutions_nothing_is_written(tmp_path, run_here):
    with_tests(tmp_path, SOLUTION)
    (tmp_path / "src" / "vectors.py").rename(tmp_path / "vectors.txt")
    done = run_here("new", "other", "--from-tests", "tests", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[1:] == [
        "tests: the tests import no module of this folder, which holds no module",
        "tests: no test became a check; nothing was written",
    ]
    assert not (tmp_path / "other").exists()
