"""RESULTS keeps what it was graded with: times, extensions, class list and batches, through every later command."""

from __future__ import annotations

import csv
import json
import shutil
import sys

import pytest
from quiz import HALF, PAPER
from support import solution

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]

DUE = "due: 2026-10-01T23:59+08:00\nlate: {grace_minutes: 10, percent_a_day: 10, at_most_percent: 50}\n"
ENTRY = "      - {id: quiz, title: Questions, points: 12, kind: questions}\n"
ADDS = "def scale(x, factor=2.0): return x + factor\n"
CLASS = "Student,ID,SIS User ID,SIS Login ID,Section\nZoe,9,,zoe,1\nCem,3,,cem,1\nBob,2,,bob,1\nAnn,1,,ann,1\n"
TIMES = "student,time\nann,2026-10-04T12:00+08:00\nbob,2026-10-04T12:00+08:00\ncem,2026-10-01T12:00+08:00\n"


@pytest.fixture
def course(toy_copy):
    """The toy course with a due date, and with questions, one of them answered in sentences."""
    settings = (toy_copy / "course.yaml").read_text(encoding="utf-8")
    files = {
        "course.yaml": DUE + settings + ENTRY, "solutions/half.py": HALF, "tests/hidden/quiz.py": PAPER,
        "solutions/answers.yaml": "", "exercises/answers.yaml": "",
    }  # fmt: skip
    for name, text in files.items():
        (toy_copy / name).write_text(text, encoding="utf-8")
    return toy_copy


@pytest.fixture
def desk(grader, course, tmp_path):
    """The class handed in, tables beside it; `desk("export", "--to", "csv")` runs a command on its RESULTS."""
    for student, code in (("ann", solution("scale")), ("bob", ADDS), ("cem", solution("scale"))):
        put(tmp_path / "class" / student, code)
    (tmp_path / "list.csv").write_text(CLASS)
    (tmp_path / "times.csv").write_text(TIMES)
    (tmp_path / "more.csv").write_text("student,due\nbob,2026-10-05T12:00+08:00\n")

    def run(command, *more, folder=None):
        target = ["--out", tmp_path / "out", folder or tmp_path / "class"] if command == "grade" else [tmp_path / "out"]
        return grader(command, *target, *more, "--lang", "en", course=course)

    return run


def put(folder, code):
    folder.mkdir(parents=True)
    (folder / "scale.py").write_text(code)
    (folder / "pair.py").write_text(solution("pair"))


def grade(desk, tmp_path, *more):
    ids = ("--exercise", "scale", "--exercise", "pair", *more)
    return desk("grade", *ids, "--times", tmp_path / "times.csv", "--extensions", tmp_path / "more.csv", "--roster",
                tmp_path / "list.csv")  # fmt: skip


def table(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return {row.get("student") or row.get("SIS Login ID"): row for row in csv.DictReader(file)}


def counted(path):
    return {student: (row["score"], row["points_that_count"]) for student, row in table(path).items()}


LATE = {"ann": ("6.0", "4.2"), "bob": ("3.9", "3.9"), "cem": ("6.0", "6.0")}


def test_every_export_counts_as_the_grading_did(desk, tmp_path):
    assert grade(desk, tmp_path)[0] == 0
    out = tmp_path / "out"
    assert counted(out / "summary.csv") == LATE
    assert desk("export", "--to", "csv")[0] == 0
    assert counted(out / "export" / "grades.csv") == LATE
    desk("export", "--to", "canvas", "--each")
    with open(out / "export" / "canvas.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "A toy course: scale, pair",
         "Multiply by a factor", "Two results at once"],
        ["    Points Possible", "", "", "", "", "6.0", "4.0", "2.0"],
        ["Cem", "3", "", "cem", "1", "6.0", "4.0", "2.0"],
        ["Bob", "2", "", "bob", "1", "3.9", "1.9", "2.0"],
        ["Ann", "1", "", "ann", "1", "4.2", "2.8", "1.4"],
    ]  # fmt: skip
    desk("export", "--to", "gradescope")
    assert json.loads((out / "export" / "gradescope" / "ann.json").read_text())["score"] == 4.2
    desk("export", "--to", "moodle")
    assert {s: r["A toy course: scale, pair"] for s, r in moodle(out).items()} == {
        "ann": "4.2",
        "bob": "3.9",
        "cem": "6.0",
    }


def moodle(out):
    with open(out / "export" / "moodle.csv", newline="") as file:
        return {row["SIS Login ID"]: row for row in csv.DictReader(file)}


def test_tables_may_call_people_by_whatever_else_the_class_list_says(desk, tmp_path):
    (tmp_path / "times.csv").write_text(TIMES.replace("ann", "Ann").replace("cem", "3"))
    (tmp_path / "more.csv").write_text("student,due\n2,2026-10-05T12:00+08:00\n")
    code, _, err = grade(desk, tmp_path)
    assert (code, "no submission of" in err) == (0, False)
    assert counted(tmp_path / "out" / "summary.csv") == LATE


def test_a_dry_run_reads_the_tables_too(desk, tmp_path):
    (tmp_path / "times.csv").write_text(TIMES + "zoe,2026-10-01T12:00+08:00\n")
    code, _, err = grade(desk, tmp_path, "--dry-run")
    assert (code, err) == (0, "grader: --times: no submission of zoe\n")
    (tmp_path / "times.csv").write_text("student,time\nann,yesterday\n")
    assert grade(desk, tmp_path, "--dry-run")[0] == 2
    assert not (tmp_path / "out").exists()


def test_an_extension_holds_where_only_the_times_are_given_anew(desk, tmp_path):
    grade(desk, tmp_path)
    (tmp_path / "times.csv").write_text(TIMES.replace("ann,2026-10-04", "ann,2026-10-02"))
    code, _, err = desk("export", "--to", "csv", "--times", tmp_path / "times.csv")
    assert code == 0
    assert "times.csv: replaces what this was graded with before" in err
    new = LATE | {"ann": ("6.0", "5.4")}
    assert counted(tmp_path / "out" / "export" / "grades.csv") == counted(tmp_path / "out" / "summary.csv") == new
    assert "takes the place" not in desk("export", "--to", "csv")[2]
    assert counted(tmp_path / "out" / "export" / "grades.csv") == new


def test_points_by_hand_keep_the_lateness(desk, tmp_path):
    grade(desk, tmp_path)
    out = tmp_path / "out"
    (tmp_path / "viva.csv").write_text("student,question,points,most\nann,1,2,3\n", encoding="utf-8")
    assert desk("viva", "--take", tmp_path / "viva.csv")[0] == 0
    viva = LATE | {"ann": ("8.0", "6.2")}  # an oral exam is never late
    assert counted(out / "summary.csv") == viva
    desk("export", "--to", "csv")
    assert counted(out / "export" / "grades.csv") == viva


def test_the_pages_show_what_lateness_leaves_and_why(desk, tmp_path):
    grade(desk, tmp_path)
    out = tmp_path / "out"
    why = "handed in 2026-10-04 12:00+08:00, 60.02 h after it was due (2026-10-01 23:59+08:00), which costs 30 %"
    why += " of the points"
    data = json.loads((out / "index.html").read_text().partition('id="data">')[2].partition("</script>")[0])
    late = {row[0]: row[-1] for row in data["students"]}
    assert late["ann"][0] == 4.2
    assert late["ann"][1][0][data["languages"].index("en")] == why
    assert (late["bob"], late["cem"]) == (None, None)
    desk("report", "--pages")
    ann, bob = ((out / "pages" / f"{s}.html").read_text() for s in ("ann", "bob"))
    assert "<strong>4.2</strong>" in ann
    assert why in ann
    assert "which costs" not in bob


def test_latecomers_leave_the_others_where_they_are(desk, tmp_path):
    grade(desk, tmp_path)
    out = tmp_path / "out"
    put(tmp_path / "late" / "zoe", solution("scale"))
    (tmp_path / "late.csv").write_text("student,time\nzoe,2026-10-02T12:00+08:00\n")
    ids = ("--exercise", "scale", "--exercise", "pair")
    code, said, err = desk("grade", *ids, "--times", tmp_path / "late.csv", folder=tmp_path / "late")
    assert (code, "takes the place" in err) == (0, False), "nothing of the others is replaced"
    assert "3 graded before and not in this batch: left as they are" in said
    assert not (out / "earlier").exists()
    assert counted(out / "summary.csv") == LATE | {"zoe": ("6.0", "5.4")}
    desk("export", "--to", "canvas")
    total = {s: row["A toy course: scale, pair"] for s, row in table(out / "export" / "canvas.csv").items()}
    assert list(total.items())[1:] == [("zoe", "5.4"), ("cem", "6.0"), ("bob", "3.9"), ("ann", "4.2")]
    shutil.rmtree(tmp_path / "class" / "cem")  # took the course back: said, and set apart
    code, said, _ = desk("grade", *ids)
    assert "no longer among the submissions, so moved to" in said
    assert counted(out / "summary.csv").keys() == {"ann", "bob", "zoe"}
    assert (out / "earlier" / "cem.json").exists()


def test_what_is_unfinished_is_blank_and_listed(desk, tmp_path):
    (tmp_path / "class" / "ann" / "answers.yaml").write_text("quiz:\n  a_third: 1/3\n  essay: Because.\n")
    (tmp_path / "class" / "cem" / "answers.yaml").write_text("quiz:\n  a_third: 1/3\n")
    shutil.rmtree(tmp_path / "class" / "bob")
    (tmp_path / "class" / "bob.zip").write_bytes(b"no zip")
    desk("grade", "--roster", tmp_path / "list.csv")
    out = tmp_path / "out"
    code, said, _ = desk("export", "--to", "canvas", "--each")
    assert code == 1
    assert "1 with a submission that could not be used, so blank; --unfinished zero counts it as 0: bob" in said
    assert "1 with answers that wait for a person, so blank; --unfinished zero counts it as 0: ann" in said
    with open(out / "export" / "canvas.csv", newline="") as file:
        rows = [row[5:] for row in csv.reader(file)]
    assert rows[0] == ["A toy course", "Multiply by a factor", "Two results at once", "Questions"]
    assert rows[1] == ["18.0", "4.0", "2.0", "12.0"], "the course's maximum"
    assert rows[2:] == [["8.0", "4.0", "2.0", "2.0"], ["", "", "", ""], ["", "4.0", "2.0", ""]]
    code, said, _ = desk("export", "--to", "canvas", "--unfinished", "zero")
    assert code == 0
    assert "so without points, as --unfinished zero says: bob" in said
    assert {s: r["A toy course"] for s, r in table(out / "export" / "canvas.csv").items() if s} == {
        "cem": "8.0", "bob": "0.0", "ann": "8.0",
    }  # fmt: skip
    assert desk("export", "--to", "gradescope")[0] == 1
    assert [p.name for p in (out / "export" / "gradescope").iterdir()] == ["cem.json"]
    desk("export", "--to", "csv")
    status = {s: (r["status"], r["score"]) for s, r in table(out / "export" / "grades.csv").items()}
    assert status == {"cem": ("graded", "8.0"), "bob": ("rejected", ""), "ann": ("waiting", "")}


def test_sheets_are_made_of_all_batches_under_the_names_of_the_class_list(desk, tmp_path):
    shutil.rmtree(tmp_path / "class")
    put(tmp_path / "class" / "ANN", solution("scale"))
    put(tmp_path / "late" / "zoe", solution("scale"))
    (tmp_path / "list.csv").write_text("SIS Login ID,Email\nann,ann@uni.edu\nzoe,zoe@uni.edu\n")
    ids = ("--exercise", "scale", "--exercise", "pair")
    desk("grade", *ids, "--roster", tmp_path / "list.csv")
    desk("grade", *ids, folder=tmp_path / "late")
    assert table(tmp_path / "out" / "summary.csv").keys() == {"ann", "zoe"}
    _, _, err = desk("viva", "--to", tmp_path / "sheets", "--questions", "1", "--jobs", "1")
    assert "no submission" not in err
    assert table(tmp_path / "sheets" / "viva.csv").keys() == {"ann", "zoe"}


def test_the_key_that_was_chosen_is_what_students_are_called(desk, tmp_path):
    (tmp_path / "list.csv").write_text("login,sid\nann,1001\nbob,1002\ncem,1003\n")
    ids = ("--exercise", "scale", "--exercise", "pair")
    desk("grade", *ids, "--roster", tmp_path / "list.csv", "--key", "sid")
    assert table(tmp_path / "out" / "summary.csv").keys() == {"1001", "1002", "1003"}
    desk("grade", *ids)
    assert table(tmp_path / "out" / "summary.csv").keys() == {"1001", "1002", "1003"}
