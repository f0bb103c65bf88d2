"""The second course: of numpy, in English alone. What it needs of the engine is what any course may need."""

from __future__ import annotations

import json
import re
import shutil
import sys

import pytest
from commands import in_a_process
from support import ROOT

COURSE = ROOT / "examples" / "courses" / "numerical_methods"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]


def test_it_is_sound():
    done = in_a_process("lint", "--course", COURSE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "9 exercises, 0 problems\n", "")


MISTAKES = {
    "lu": ("factors[[k, row], :k] = factors[[row, k], :k]", "pass", ["lu/factors_left_behind"]),
    "fourier": ("even - turned", "even + turned", ["fourier/second_half_repeated"]),
    "runge_kutta": ("h / 2 * k2", "h / 2 * k1", ["runge_kutta/third_from_the_first"]),
    "qr": ("return q[:, :n] * signs,", "return q[:, :n],", ["qr/signs_of_r_only"]),
    "summation": ("return total + lost", "return total", ["summation/from_left_to_right"]),
}


def test_mistakes_are_named(tmp_path):
    for exercise, (right, wrong, _) in MISTAKES.items():
        text = (COURSE / "solutions" / f"{exercise}.py").read_text(encoding="utf-8")
        assert right in text
        (tmp_path / f"{exercise}.py").write_text(text.replace(right, wrong), encoding="utf-8")
    report = json.loads(in_a_process("check", "--json", "--seed", 1, "--dir", tmp_path, "--course", COURSE).stdout)
    named = {e["id"]: [d["misconception"] for d in e["diagnoses"]] for e in report["exercises"] if e["id"] in MISTAKES}
    assert named == {exercise: due for exercise, (_, _, due) in MISTAKES.items()}


def test_its_copy_for_students_checks_the_solutions(tmp_path):
    kit = tmp_path / "kit"
    done = in_a_process("release", "--format", "classroom50", "--to", tmp_path, "--course", COURSE)
    assert (done.returncode, done.stderr) == (0, "")
    for path in (COURSE / "solutions").glob("*.py"):
        shutil.copy(path, kit / "exercises")
    report = json.loads(in_a_process("check", "--json", "--course", kit).stdout)
    code = [e for e in report["exercises"] if e["id"] != "questions"]
    assert {e["id"]: e["status"] for e in code} == {e["id"]: "passed" for e in code}
    assert 'ARRAYS = "numpy"' in (tmp_path / "autograder.py").read_text(encoding="utf-8")
    examples = [path.read_text(encoding="utf-8") for path in (kit / "tests" / "visible").glob("*.py")]
    assert not [text for text in examples if re.search("[\u4e00-\u9fff]", text)]
    assert "torch" not in (kit / "pyproject.toml").read_text(encoding="utf-8")


def test_it_is_in_english_alone():
    texts = [p.read_text(encoding="utf-8") for p in COURSE.rglob("*.*") if "__pycache__" not in p.parts]
    assert len(texts) > 30
    assert not [text for text in texts if re.search("[\u4e00-\u9fff]", text)]
