"""`grader essays`: written answers go out as a page and a table and come back as points, whatever is graded again."""

# ruff: noqa: E501 -- a case a line
from __future__ import annotations

import csv
import io
import json
import shutil
import sys

import pytest
from quiz import HALF, PAPER
from support import TOY, solution

from grader.report.report import Report
from grader.texts import plain

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]

ENTRY = "      - {id: quiz, title: Questions, points: 12, kind: questions}\n"
SHEETS = {
    "ann": 'quiz:\n  a_third: 1/3\n  one: b\n  essay: "Because <b>it</b> is. & so on"\n',
    "bob": "quiz:\n  a_third: 0.5\n  essay: |\n    =HYPERLINK(1)\n\n    In two paragraphs: 一二三。\n",
    "cem": "quiz:\n  one: b\n",
    "dee": None,
}


@pytest.fixture
def course(tmp_path):
    """The toy course with concept questions, one of them answered in sentences."""
    root = tmp_path / "toy"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__", "results"))
    settings = (root / "course.yaml").read_text(encoding="utf-8")
    (root / "course.yaml").write_text(settings + ENTRY, encoding="utf-8")
    for name, text in {
        "solutions/half.py": HALF, "tests/hidden/quiz.py": PAPER, "solutions/answers.yaml": "", "exercises/answers.yaml": "",
    }.items():  # fmt: skip
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def graded(grader, course, tmp_path, begun):
    """A class, graded: the folder of results, and how to grade it again."""
    folder, results = tmp_path / "class", tmp_path / "results"

    def make():
        for name, sheet in SHEETS.items():
            (folder / name).mkdir(parents=True)
            (folder / name / "scale.py").write_text(solution("scale"))
            if sheet is not None:
                (folder / name / "answers.yaml").write_text(sheet, encoding="utf-8")
        grade()

    def grade(*more):
        return grader(
            "grade", folder, "--out", results, "--exercise", "scale", "--exercise", "quiz", *more, course=course
        )

    begun(tmp_path, make)
    return results, grade, folder


def table(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))


def report(results, student):
    return Report.from_json((results / "reports" / f"{student}.json").read_text(encoding="utf-8"))


def quiz(results, student):
    found = next(e for e in report(results, student).exercises if e.id == "quiz")
    return found.status, found.score, found.max_score


def filled(results, path, points, comment="fine", **options):
    rows = table(results / "essays.csv")
    for row in rows:
        row["points"], row["comment"] = points.get(row["student"], ""), comment
    with path.open("w", encoding=options.pop("encoding", "utf-8"), newline="") as out:
        writer = csv.DictWriter(out, rows[0], **options)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_until_somebody_reads_them_they_wait(graded):
    results, *_ = graded
    essay = {
        s: next(c for e in report(results, s).exercises for c in e.checks if c.id == "essay")
        for s in ("ann", "bob", "cem")
    }
    assert essay["ann"].answer == "Because <b>it</b> is. & so on"
    assert essay["bob"].answer == "=HYPERLINK(1)\n\nIn two paragraphs: 一二三。\n"
    assert [essay[s].verdict for s in essay] == ["skipped"] * 3
    assert (essay["cem"].answer, essay["cem"].blank) == (None, True)
    assert quiz(results, "ann") == ("failed", 3, 9)


def test_the_table_and_the_page(grader, course, graded):
    results, *_ = graded
    code, out, _ = grader("essays", results, course=course)
    assert (code, out.startswith("2 answers, 2 without points: read ")) == (0, True)
    rows = {row["student"]: row for row in table(results / "essays.csv")}
    assert list(next(iter(rows.values()))) == ["student", "question", "text", "rubric", "points", "comment", "most"]
    assert set(rows) == {"ann", "bob"}
    assert rows["bob"]["text"] == "'=HYPERLINK(1)\n\nIn two paragraphs: 一二三。\n"
    assert (rows["ann"]["question"], rows["ann"]["rubric"]) == ("quiz/essay", "says why\ngives an example")
    assert (rows["ann"]["points"], rows["ann"]["most"]) == ("", "3")
    page = (results / "essays.html").read_text(encoding="utf-8")
    assert "Because &lt;b&gt;it&lt;/b&gt; is. &amp; so on" in page
    assert "<b>it</b>" not in page


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"delimiter": ";"},
        {"delimiter": "\t", "encoding": "utf-16"},
        {"encoding": "gb18030"},
        {"encoding": "utf-8-sig"},
    ],
)
def test_points_come_back(grader, course, graded, tmp_path, options):
    results, _grade, _folder = graded
    grader("essays", results, course=course)
    done = filled(results, tmp_path / "done.csv", {"ann": "2.5", "bob": "3"}, "gut, 好", **options)
    code, out, _ = grader("essays", results, "--take", done, course=course)
    assert code == 0
    assert "2 answers of 2 students have points now, 0 wait" in out
    assert [quiz(results, s) for s in ("ann", "bob")] == [("failed", 5.5, 12), ("failed", 3, 12)]
    assert [quiz(results, s)[1:] for s in ("cem", "dee")] == [(1, 12), (0, 12)]
    essay = next(c for e in report(results, "ann").exercises for c in e.checks if c.id == "essay")
    assert (essay.points, essay.reason, essay.graded, essay.verdict) == (2.5, plain("gut, 好"), True, "failed")
    lines = (results / "summary.csv").read_text(encoding="utf-8").splitlines()
    assert "ann,graded,9.5,16.0,4.0,5.5," in lines
    assert "5.5" in (results / "index.html").read_text(encoding="utf-8")
    grader("export", results, "--to", "canvas", "--each", course=course)
    canvas = (results / "export" / "canvas.csv").read_text(encoding="utf-8")
    assert ",16.0,4.0,12.0\n" in canvas
    assert "ann,,,ann,,9.5,4.0,5.5" in canvas


def test_another_run_keeps_the_points_and_another_answer_waits_again(grader, course, graded, tmp_path):
    results, grade, folder = graded
    grader("essays", results, course=course)
    grader(
        "essays", results, "--take", filled(results, tmp_path / "done.csv", {"ann": "3", "bob": "1,5"}), course=course
    )
    assert grade("--regrade")[0] == 0
    assert [quiz(results, s)[1:] for s in ("ann", "bob")] == [(6, 12), (1.5, 12)]
    sheet = folder / "bob" / "answers.yaml"
    sheet.write_text("quiz:\n  a_third: 0.333\n  essay: something else\n", encoding="utf-8")
    grade()
    assert quiz(results, "bob") == ("failed", 2, 9)
    _code, out, _ = grader("essays", results, course=course)
    assert "2 answers, 1 without points" in out
    assert {row["student"]: row["points"] for row in table(results / "essays.csv")} == {"ann": "3", "bob": ""}


def test_without_names(grader, course, graded, tmp_path):
    results, *_ = graded
    grader("essays", results, "--anonymous", course=course)
    rows = table(results / "essays.csv")
    text = (results / "essays.csv").read_text(encoding="utf-8") + (results / "essays.html").read_text(encoding="utf-8")
    assert not any(name in text for name in ("ann", "bob"))
    names = [row["student"] for row in rows]
    done = filled(results, tmp_path / "done.csv", dict.fromkeys(names, "2"))
    grader("essays", results, "--anonymous", course=course)
    assert [row["student"] for row in table(results / "essays.csv")] == names
    assert grader("essays", results, "--take", done, course=course)[0] == 0
    assert [quiz(results, s)[1] for s in ("ann", "bob")] == [5, 2]


def test_points_can_be_taken_away_again(grader, course, graded, tmp_path):
    results, *_ = graded
    grader("essays", results, course=course)
    grader("essays", results, "--take", filled(results, tmp_path / "a.csv", {"ann": "3", "bob": "3"}), course=course)
    grader("essays", results, "--take", filled(results, tmp_path / "b.csv", {"ann": "1"}), course=course)
    assert [quiz(results, s)[1:] for s in ("ann", "bob")] == [(4, 12), (0, 9)]


WRONG = {
    "too many points": ("student,question,points\nann,quiz/essay,3.5\n", ":2: points '3.5': from 0 to 3, whole or half points"),
    "a third of a point": ("student,question,points\nann,quiz/essay,1.3\n", ":2: points '1.3': from 0 to 3"),
    "negative": ("student,question,points\nann,quiz/essay,-1\n", ":2: points '-1': write a number from 0 to 3"),
    "words": ("student,question,points\nann,quiz/essay,good\n", ":2: points 'good': write a number from 0 to 3"),
    "nobody": ("student,question,points\nzoe,quiz/essay,1\n", ":2: nobody here is called 'zoe'"),
    "no question": ("student,question,points\nann,quiz/one,1\n", ":2: there is no question 'quiz/one'; the questions are quiz/essay"),
    "nothing written": ("student,question,points\ncem,quiz/essay,1\n", ":2: cem has written nothing for quiz/essay"),
    "twice": ("student,question,points\nann,quiz/essay,1\nann,quiz/essay,2\n", ":3: quiz/essay of ann is there twice"),
    "no column": ("name,question,points\nann,quiz/essay,1\n", ":1: no column student"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_table_changes_nothing(grader, course, graded, tmp_path, case):
    results, *_ = graded
    text, said = WRONG[case]
    (tmp_path / "wrong.csv").write_text(text, encoding="utf-8")
    before = {p: p.read_bytes() for p in (*results.glob("reports/*.json"), results / "record.sqlite")}
    code, _, err = grader("essays", results, "--take", tmp_path / "wrong.csv", course=course)
    assert (code, said in err) == (2, True), err
    assert {p: p.read_bytes() for p in (*results.glob("reports/*.json"), results / "record.sqlite")} == before


def test_a_course_without_such_questions(grader, graded):
    results, *_ = graded
    assert "no question that is answered in sentences" in grader("essays", results)[2]


def test_old_reports_are_read(graded):
    """Format 1 without the fields that came later."""
    results, *_ = graded
    data = json.loads((results / "reports" / "ann.json").read_text(encoding="utf-8"))
    for exercise in data["exercises"]:
        for check in exercise["checks"]:
            for later in ("answer", "blank", "graded"):
                check.pop(later, None)
    assert Report.from_json(json.dumps(data)).student == "ann"
