"""A course of numpy: its arrays cross as torch's tensors do, and torch is never imported."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from commands import in_a_process
from support import TOY

from grader.batch import environment
from grader.grading import failing_call

COURSE = TOY.with_name("toy_numpy")
RIGHT = (COURSE / "solutions" / "solve.py").read_text(encoding="utf-8")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]


def checked(folder: Path, source: str) -> dict:
    """The report on solve.py with this source."""
    (folder / "solve.py").write_text(source, encoding="utf-8")
    done = in_a_process("check", "--course", COURSE, "--dir", folder, "--json", "--seed", 1)
    assert not done.stderr, done.stderr
    return json.loads(done.stdout)


def test_it_is_sound():
    done = in_a_process("lint", "--course", COURSE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 exercises, 0 problems\n", "")


def test_torch_is_imported_nowhere(tmp_path):
    """Neither in the worker, which says so here, nor in the grading process: the suite asserts it."""
    report = checked(tmp_path, f"import sys\nassert 'torch' not in sys.modules\n{RIGHT}")
    assert (report["score"], report["environment"]["torch"]) == (3.0, "not used")
    assert report["environment"]["devices"] == {"cpu": "ran"}


WRONG = {
    "objects": ("np.array([1, None]), 0.0", "returns numpy.ndarray of dtype object as result 1"),
    "lists": ("[1.0, 2.0, 3.0], 0.0", "returns list as result 1, expected numpy.ndarray"),
    "another dtype": ("np.zeros(3, 'float16'), 0.0", "result 1 has dtype float16, expected float64"),
    "another shape": ("np.zeros((3, 1)), 0.0", "result 1 has shape [3, 1], expected [3]"),
    "complex numbers": ("np.zeros(3) * 1j, 0.0", "result 1 has dtype complex128, expected float64"),
    "not a number": ("np.full_like(b, np.nan), 0.0", "result 1 holds NaN (3 of 3 entries are wrong"),
    "an array for a number": ("np.linalg.solve(a, b), b", "returns numpy.ndarray as result 2, expected float"),
    "a forbidden function": ("np.linalg.inv(a) @ b, 0.0", "line 5 uses numpy.linalg.inv"),
    "a forbidden function by another way": (
        "getattr(np.linalg, 'in' + 'v')(a) @ b, 0.0", "the code runs numpy's inv",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_in_a_line(tmp_path, case):
    result, said = WRONG[case]
    report = checked(tmp_path, f"import numpy as np\n\n\ndef solve(a, b):\n    return {result}\n")
    assert said in report["exercises"][0]["reason"].splitlines()[0]
    assert report["score"] == 0


def test_a_misconception_is_named(tmp_path):
    report = checked(
        tmp_path, RIGHT.replace("solve(a, b)\n", "solve(a.T, b)\n").replace("np.abs(a @ x - b).max()", "0.0")
    )
    assert [d["message"] for d in report["exercises"][0]["diagnoses"]] == ["The transposed matrix is used."]


@pytest.mark.parametrize("number", ["np.array(0.0)", "np.float32(0.0)", "0.0", "0"])
def test_what_has_no_dimension_is_as_good_as_a_number(tmp_path, number):
    assert checked(tmp_path, RIGHT.replace("np.abs(a @ x - b).max()", number))["score"] == 3.0


@pytest.mark.parametrize(
    ("line", "without"),
    [("arrays: numpy", True), ("arrays:  numpy # fast", True), ("arrays: torch", False), ("# arrays: numpy", False)],
)
def test_the_line_that_says_so_is_found_from_below(tmp_path, line, without):
    (tmp_path / "course.yaml").write_text(f"title: A course\n{line}\n")
    below = tmp_path / "exercises"
    below.mkdir()
    assert ("GRADER_WITHOUT_TORCH" in environment(below)) == without


def test_debug_makes_the_call_that_failed_with_the_very_inputs(tmp_path):
    course = tmp_path / "course"
    shutil.copytree(COURSE, course)
    wrong = "import numpy as np\n\n\ndef solve(a, b):\n    print('b', b.dtype, b.tolist())\n    return b, 0.0\n"
    (course / "exercises" / "solve.py").write_text(wrong, encoding="utf-8")
    done = in_a_process("debug", "solve", "--course", course, "--lang", "en", "--seed", 5)
    assert (done.returncode, done.stderr) == (0, "")
    assert "solve, called as in the check that failed" in done.stdout
    printed = next(line for line in done.stdout.splitlines() if line.startswith("b float"))
    checked = json.loads(in_a_process("check", "--course", course, "--json", "--seed", 5).stdout)
    assert printed in checked["exercises"][0]["stdout"]


def test_arrays_are_written_down_as_they_are():
    arrays = [np.array([0.1 + 0.2, np.nan, -np.inf]), np.zeros((2, 0, 3)), np.float32(0.1), np.array(True), [1j]]
    again = eval(repr([failing_call._written(a) for a in arrays]), vars(np))
    for array, other in zip(arrays, again, strict=True):
        assert np.array_equal(array, other, equal_nan=True)
        assert np.shape(array) == np.shape(other)
