"""`grader viva`: sheets of a class with answers and without, a table that comes back as points, and a learner's own."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sys

import pytest
from spread import ENTRY, RIGHT, SPREAD
from support import TOY, solution

from grader.report.report import Report
from grader.texts import plain

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]

FILES = {
    "ann": {"spread.py": RIGHT, "scale.py": solution("scale")},
    "bob": {"scale.py": "def scale(x, factor=2.0):\n    y = x + factor  # <b>mine</b>\n    return y\n"},
    "cem": {"scale.py": "def scale(:\n"},
    "=1+1": {"spread.py": RIGHT},
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("course") / "toy"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__", "results"))
    settings = (root / "course.yaml").read_text(encoding="utf-8")
    (root / "course.yaml").write_text(settings + ENTRY, encoding="utf-8")
    for name, text in {"solutions": RIGHT, "tests/hidden": SPREAD, "exercises": RIGHT}.items():
        (root / name / "spread.py").write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def graded(grader, course, tmp_path, begun):
    """A class, graded: the folder of results, and how to ask."""
    folder, results = tmp_path / "class", tmp_path / "results"

    def make():
        for name, files in FILES.items():
            (folder / name).mkdir(parents=True)
            for file, text in files.items():
                (folder / name / file).write_text(text, encoding="utf-8")
        grader("grade", folder, "--out", results, "--quiet", course=course)

    begun(tmp_path, make)

    def viva(*more):
        return grader("viva", results, *more, course=course)

    return results, viva


def rows(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))


def filled(path, change):
    """The table with each line as `change` leaves it."""
    lines = [change(dict(row)) for row in rows(path)]
    out = io.StringIO()
    writer = csv.DictWriter(out, lines[0])
    writer.writeheader()
    writer.writerows(lines)
    path.write_text(out.getvalue(), encoding="utf-8")


def test_a_class_from_sheets_to_points(graded, tmp_path, grader, course):
    results, viva = graded
    code, out, err = viva("--to", tmp_path / "sheets", "--questions", "3", "--jobs", "1")
    assert code == 1  # nothing can be asked of cem
    assert "cem: 0 of 3 questions: scale: SyntaxError" in out
    assert err == ""
    table = rows(tmp_path / "sheets" / "viva.csv")
    assert {row["student"] for row in table} == {"ann", "bob", "'=1+1"}
    assert all(row["answer"] and not row["points"] for row in table)

    examiner, students = (
        (tmp_path / "sheets" / f).read_text(encoding="utf-8") for f in ("examiner.html", "students.html")
    )
    for page in (examiner, students):
        assert "<b>mine</b>" not in page
        assert "&lt;b&gt;mine&lt;/b&gt;" in page
        assert 'id="cem"' in page
    assert examiner.count('class="right"') >= len(table)
    for told in ('class="right"', "proof", "☑", "after the change:"):
        assert told not in students.partition("<body")[2], told
    assert (results / "seed.txt").read_text().strip() not in examiner

    def answered(row):
        given = {"1": {"given": row["answer"].upper()}, "2": {"points": "0,5", "comment": "nearly"}}
        return row | given.get(row["question"], {})

    filled(tmp_path / "sheets" / "viva.csv", answered)
    code, out, err = viva("--take", tmp_path / "sheets" / "viva.csv")
    assert (code, err) == (0, "")
    assert "the oral exam of 3 students" in out
    report = Report.from_json((results / "reports" / "ann.json").read_text(encoding="utf-8"))
    assert report.exercises[-1].id == "viva"
    given = [(c.points, c.max_points, c.reason) for c in report.exercises[-1].checks]
    assert given == [(1, 1, plain("")), (0.5, 1, plain("nearly"))]
    assert report.score == sum(e.score for e in report.exercises)
    assert "viva" in (results / "summary.csv").read_text(encoding="utf-8").splitlines()[0]
    assert grader("export", results, "--to", "csv", course=course)[0] == 0
    exported = {row["student"]: row["viva"] for row in rows(results / "export" / "grades.csv")}
    assert exported == {"ann": "1.5", "bob": "1.5", "cem": "", "'=1+1": "1.5"}


def test_points_outlive_another_grading(graded, tmp_path, grader, course):
    results, viva = graded
    table = tmp_path / "viva.csv"
    table.write_text("student,question,points,most\nann,1,2,3\n", encoding="utf-8")
    assert viva("--take", table)[0] == 0
    grader("grade", tmp_path / "class", "--out", results, "--quiet", "--regrade", course=course)
    report = json.loads((results / "reports" / "ann.json").read_text(encoding="utf-8"))
    assert [(e["score"], e["max_score"]) for e in report["exercises"] if e["id"] == "viva"] == [(2.0, 3.0)]
    header, *_ = (results / "summary.csv").read_text(encoding="utf-8").splitlines()
    assert header.endswith("viva,reason")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("student,points\nann,1\n", "viva.csv:1: no column question"),
        ("student,question,points\nnobody,1,1\n", "viva.csv:2: nobody here is called 'nobody'"),
        ("student,question,points\nann,one,1\n", "question 'one': write its number"),
        ("student,question,points\nann,1,2\n", "points '2': from 0 to 1"),
        ("student,question,points\nann,1,0.3\n", "points '0.3': from 0 to 1, whole or half points"),
        ("student,question,points\nann,1,1\nann,1,0\n", "question 1 of ann is there twice"),
        (
            "student,question,given,points\nann,1,I think b,\n",
            "given 'I think b': write the letters that were chosen",
        ),
    ],
)
def test_a_table_that_makes_no_sense(graded, tmp_path, text, said):
    results, viva = graded
    (tmp_path / "viva.csv").write_text(text, encoding="utf-8")
    before = (results / "record.sqlite").read_bytes()
    code, _, err = viva("--take", tmp_path / "viva.csv")
    assert code == 2
    assert said in err
    assert (results / "record.sqlite").read_bytes() == before


def test_what_is_typed_wrong(grader, course, graded, tmp_path):
    results, viva = graded
    assert "--to names the folder" in viva()[2]
    assert "a sheet has 1 to 20" in viva("--to", tmp_path / "s", "--questions", "0")[2]
    assert "write a whole number" in viva("--to", tmp_path / "s", "--seed", "-1")[2]
    assert "no folder reports in it" in grader("viva", tmp_path, "--to", tmp_path / "s", course=course)[2]
    assert "there is no exercise 'scalle'" in grader("viva", "scalle", course=course)[2]
    grader("grade", tmp_path / "class", "--out", results, "--quiet", course=course)  # of this folder, not of its copy
    shutil.move(tmp_path / "class", tmp_path / "moved")
    code, _, err = viva("--to", tmp_path / "s")
    assert code == 2
    assert "is not there any more; --submissions names the folder that was graded" in err
    (results / "record.sqlite").unlink()
    assert "nothing says where the submissions are" in viva("--to", tmp_path / "s")[2]
    code, out, _ = viva(
        "--to", tmp_path / "s", "--submissions", tmp_path / "moved", "--exercise", "spread", "--jobs", "1"
    )
    assert code == 1
    assert {row["exercise"] for row in rows(tmp_path / "s" / "viva.csv")} == {"spread"}
    assert "bob: 0 of 5 questions: the submission: not handed in" in out


def test_a_learner_is_told_at_once(grader, course, tmp_path, monkeypatch):
    (tmp_path / "spread.py").write_text(RIGHT, encoding="utf-8")
    options = ("viva", "spread", "--dir", tmp_path, "--seed", "3", "--questions", "3")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    code, out, _ = grader(*options, course=course)
    assert code == 1
    answers = re.findall(r"Not quite: (.*)\.", out)
    assert len(answers) == 3
    assert "0 of 3 right" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(answers) + "\n"))
    code, out, _ = grader(*options, course=course)
    assert code == 0
    assert out.count("Right.") == 3
    assert "3 of 3 right; guessing gives" in out


def test_what_is_no_letter_is_asked_again(grader, course, tmp_path, monkeypatch):
    typed = ["idk", "idk", "?", "", "dunno", "不知道", "b or c", "I think b", "bb", "x", "a b z"]
    (tmp_path / "spread.py").write_text(RIGHT, encoding="utf-8")
    options = ("viva", "spread", "--dir", tmp_path, "--seed", "3", "--questions", "1")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    answer = re.search(r"Not quite: (.*)\.", grader(*options, course=course)[1])[1]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join([*typed, f"({answer.upper()}).\n"])))
    code, out, _ = grader(*options, course=course)
    assert code == 0
    assert len(re.findall("not one of the letters|not letters of options", out)) == len(typed)
    assert "1 of 1 right" in out


def test_a_learner_about_whose_file_nothing_can_be_asked(grader, course, tmp_path):
    (tmp_path / "scale.py").write_text("while True: pass\n", encoding="utf-8")
    code, out, _ = grader("viva", "scale", "--dir", tmp_path, "--lang", "zh", course=course)
    assert code == 1
    assert "scale：无法提问：" in out


def test_a_course_without_torch(grader, toy_copy):
    settings = toy_copy / "course.yaml"
    settings.write_text(settings.read_text(encoding="utf-8") + "arrays: numpy\n", encoding="utf-8")
    code, _, err = grader("viva", "scale", course=toy_copy)
    assert code == 2
    assert "questions are about torch's tensors, and this course has `arrays: numpy`" in err
