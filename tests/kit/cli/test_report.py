"""`grader report`: pages of a class and of its students, and what a wrong command is told."""

from __future__ import annotations

import json

import pytest
from class_reports import LONG, SMALL, results_folder

WRONG = {
    "no results": (["report", "NOWHERE"], "no folder reports in it; name the --out folder of `grader grade`"),
    "nobody": (
        ["report", "RESULTS", "--student", "zoe"],
        "no report of 'zoe'; --student names one whose report is there",
    ),
    "mistyped": (["report", "RESULTS", "--student", "bobb"], "no report of 'bobb'; did you mean 'bob'?"),
    "no report": (["report", "JUNK"], "junk.json: cannot be shown: "),
    "out for a class": (["report", "RESULTS", "--out", "x.html"], "--out names the page of one student"),
}


@pytest.fixture
def results(tmp_path):
    return lambda *reports: results_folder(tmp_path, *reports)


def test_report_writes_a_class_and_its_students(grader, results):
    folder = results(*SMALL)
    code, out, _ = grader("report", folder, "--pages")
    assert code == 0
    assert out == f"wrote 4 pages in {folder / 'pages'}\nwrote {folder / 'index.html'}\n"
    assert "bob" in (folder / "pages" / "r0001.html").read_text(encoding="utf-8")


def test_report_of_one_student(grader, results, tmp_path):
    folder = results(*SMALL)
    page = folder / "pages" / "r0001.html"
    assert grader("report", folder, "--student", "bob")[:2] == (0, f"wrote {page}\n")
    page.unlink()
    assert grader("report", folder / "reports" / "r0001.json")[:2] == (0, f"wrote {page}\n")
    out = tmp_path / "elsewhere" / "bob.html"
    assert grader("report", folder, "--student", "bob", "--out", out)[1] == f"wrote {out}\n"
    assert out.read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


def test_a_report_that_a_newer_version_wrote_is_named_and_the_others_are_shown(grader, results, tmp_path):
    folder = results(*SMALL)
    path = folder / "reports" / "r0001.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"format": 2', '"format": 9'), encoding="utf-8")
    path.rename(path.with_name("bob.json"))  # as `grader grade` names it
    said = "bob.json: left out, since it cannot be read: a report of format 9, which a newer version of the kit wrote"
    code, out, err = grader("report", folder, "--pages")
    assert (code, out) == (1, f"wrote 3 pages in {folder / 'pages'}\nwrote {folder / 'index.html'}\n")
    assert said in err
    code, out, err = grader("report", folder, "--json", tmp_path / "words")
    assert (code, len(list((tmp_path / "words").iterdir()))) == (1, 3)
    assert said in err
    code, _, err = grader("report", folder, "--student", "bob")
    assert code == 2
    assert "bob.json: cannot be shown: a report of format 9" in err


def test_a_student_is_named_as_the_platform_or_the_class_list_does(grader, results):
    folder = results(*SMALL)
    people = {"ann": {"name": "Lovelace, Ada", "sid": "7"}, "bob": {"name": "Ada Byron", "email": "bob@uni.edu"}}
    people["cem"] = {"name": "Ada  Byron"}
    handed = [{"student": student, "person": person} for student, person in people.items()]
    (folder / "submissions.json").write_text(json.dumps(handed))
    page = folder / "pages" / "r0000.html"
    for named in ("ann", "ada lovelace", "lovelaceada", "7", "Ada_Lovelace"):
        assert grader("report", folder, "--student", named)[:2] == (0, f"wrote {page}\n")
    assert "r0001.html" in grader("report", folder, "--student", "Bob@uni.edu")[1]
    assert (
        "several reports of 'Ada Byron'; did you mean 'bob' or 'cem'?"
        in grader("report", folder, "--student", "Ada Byron")[2]
    )


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_command_is_explained(grader, results, tmp_path, case):
    (tmp_path / "junk.json").write_text('{"format": 1}')
    places = {"NOWHERE": tmp_path / "nowhere", "RESULTS": results(*SMALL), "JUNK": tmp_path / "junk.json"}
    arguments, message = WRONG[case]
    code, out, err = grader(*(places.get(a, a) for a in arguments))
    assert (code, out) == (2, "")
    assert message in err


def test_report_compares_hand_ins(grader, results, tmp_path):
    for name in ("ann", "bob"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "scale.py").write_text(LONG)
    folder = results(*SMALL)
    assert grader("report", folder, "--submissions", tmp_path / "class")[0] == 0
    assert "the whole submission" in (folder / "index.html").read_text(encoding="utf-8")


def test_report_compares_with_an_earlier_term(grader, results, tmp_path):
    for place in ("class/ann", "2025/dora"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "scale.py").write_text(LONG)
    folder = results(*SMALL)
    compared = ("--submissions", tmp_path / "class", "--against", tmp_path / "2025")
    assert grader("report", folder, *compared)[0] == 0
    assert "2025/dora" in (folder / "index.html").read_text(encoding="utf-8")
    code, _, error = grader("report", folder, "--against", tmp_path / "2025")
    assert (code, "name this term's in --submissions" in error) == (2, True)
    code, _, error = grader("report", folder, *compared[:-1], tmp_path / "2024")
    assert (code, "2024" in error) == (2, True)
