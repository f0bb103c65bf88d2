"""`grader grade` on a platform's download: what it shows first, names, times, extensions, what it refuses."""

from __future__ import annotations

import csv
import shutil
import sys

import pytest
from platforms import CLASS, DUE, PLATFORMS, RIGHT, put
from support import TOY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


@pytest.fixture
def due(toy_copy):
    """The toy course with a due date."""
    path = toy_copy / "course.yaml"
    path.write_text(DUE + path.read_text(encoding="utf-8"), encoding="utf-8")
    return toy_copy


@pytest.fixture
def few(tmp_path):
    """A Canvas download of three."""
    for number, name in ((101, "lovelaceada"), (102, "turingalan"), (103, "hoppergrace")):
        late = "LATE_" if number == 102 else ""
        put(tmp_path / "hw", {f"{name}_{late}{number}_9{number}_{file}": data for file, data in RIGHT.items()})
    text = 'Student,ID,SIS Login ID\n"Lovelace, Ada",101,ada\n"Turing, Alan",102,alan\n"Hopper, Grace",103,grace\n'
    (tmp_path / "list.csv").write_text(text, encoding="utf-8")
    return tmp_path / "hw"


def summary(out) -> dict[str, dict[str, str]]:
    with open(out / "summary.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_dry_run_shows_everybody_and_grades_nobody(grader, tmp_path, monkeypatch, platform):
    monkeypatch.setenv("COLUMNS", "240")
    roster = PLATFORMS[platform](tmp_path / "download")
    out = tmp_path / "out"
    code, said, _ = grader("grade", tmp_path / "download", "--out", out, "--roster", roster, "--dry-run")
    assert (code, out.exists()) == (0, False)
    listed = {line.split()[0] for line in said.splitlines() if line.strip()}
    assert {p.login for p, h in CLASS.items() if h.files} <= listed
    assert f"Read as {platform}: " in said
    assert "If this is wrong, name the kind of download with --from." in said
    for words in ("scale.py is ", "could both be scale.py", "BadZipFile", "none of its files"):
        assert words in said


def test_without_a_class_list_names_are_the_platforms(grader, few, tmp_path):
    code, said, _ = grader("grade", few, "--out", tmp_path / "out")
    assert code == 0
    assert set(summary(tmp_path / "out")) == {"lovelaceada_101", "turingalan_102", "hoppergrace_103"}
    assert "Read as canvas: 3 submissions." in said


def test_the_column_that_holds_what_to_call_people(grader, few, tmp_path):
    grader("grade", few, "--out", tmp_path / "out", "--roster", few.parent / "list.csv", "--key", "Student", "--quiet")
    assert set(summary(tmp_path / "out")) == {"Lovelace, Ada", "Turing, Alan", "Hopper, Grace"}


def test_who_handed_in_nothing_and_who_is_not_in_the_list_are_told(grader, few, tmp_path):
    text = "Schüler;ID;Anmeldename\nLovelace, Ada;101;ada\nTuring, Alan;102;alan\nNoether, Emmy;104;emmy\n"
    (tmp_path / "klasse.csv").write_text(text, encoding="utf-8")
    for more in ([], ["--dry-run"]):
        code, said, _ = grader("grade", few, "--out", tmp_path / "out", "--roster", tmp_path / "klasse.csv", *more)
        assert code == 0
        assert "1 of the class list handed in nothing: emmy" in said
        assert "1 not in the class list: hoppergrace_103" in said
        assert "Column “ID” of the class list holds the platform's numbers of people: 2 of 3 found by it." in said
    code, _, err = grader(
        "grade", few, "--out", tmp_path / "out", "--roster", tmp_path / "klasse.csv", "--match", "(x)"
    )
    assert (code, "--match (x): fits none of 3 submissions" in err) == (2, True)


def test_a_list_of_other_people_is_an_error(grader, few, tmp_path):
    (tmp_path / "others.csv").write_text("Name,Login\nEmmy Noether,emmy\nKurt Gödel,kurt\n", encoding="utf-8")
    code, _, err = grader("grade", few, "--out", tmp_path / "out", "--roster", tmp_path / "others.csv")
    assert code == 2
    assert "none of its lines names one of 3 submissions, called like 'hoppergrace_103'; --match says whose" in err


def test_times_tell_what_canvas_does_not_and_extensions_move_the_due_date(grader, few, tmp_path, due):
    times, more = tmp_path / "times.csv", tmp_path / "more.csv"
    day = "2026-03-03T12:00+08:00"
    times.write_text(
        f"student,time\nalan,{day}\ngrace,{day}\nada,2026-03-01T12:00+08:00\nzoe,{day}\n", encoding="utf-8"
    )
    more.write_text("student,due,unit\ngrace,2026-03-04T12:00+08:00,basics\nyan,2026-03-04T12:00+08:00,\n")
    options = ["--roster", few.parent / "list.csv", "--times", times, "--extensions", more]
    code, _, err = grader("grade", few, "--out", tmp_path / "out", *options, course=due)
    assert code == 0
    counted = {student: row["points_that_count"] for student, row in summary(tmp_path / "out").items()}
    assert counted == {"ada": "6.0", "alan": "4.8", "grace": "6.0"}
    assert "grader: --times: no submission of zoe" in err
    assert "grader: --extensions: no submission of yan" in err


def test_extensions_need_a_due_date(grader, few, tmp_path):
    more = tmp_path / "more.csv"
    more.write_text("student,due\nada,2026-03-04T12:00+08:00\n")
    code, _, err = grader("grade", few, "--out", tmp_path / "out", "--extensions", more)
    assert code == 2
    assert "course.yaml does not say when work is due" in err


@pytest.mark.parametrize(
    ("name", "message"),
    [("nowhere", "is not there; name a folder with a folder or zip for each student, or a platform's download"),
     ("notes.txt", "cannot be taken for submissions"), ("empty", "no submissions; it should hold a folder, .zip")],
)  # fmt: skip
def test_what_is_no_download_is_explained(grader, tmp_path, name, message):
    (tmp_path / "notes.txt").touch()
    (tmp_path / "empty").mkdir()
    code, _, err = grader("grade", tmp_path / name, "--out", tmp_path / "out")
    assert code == 2
    assert message in err


def test_results_among_the_submissions_are_refused(grader, few):
    code, _, err = grader("grade", few, "--out", few / "results")
    assert code == 2
    assert "lies in the submissions folder; choose a folder beside it" in err


def test_somebodys_file_that_is_not_understood_is_named_and_looked_at(grader, few, tmp_path):
    (few / "scale from ada.py").write_bytes(RIGHT["scale.py"])
    code, said, _ = grader("grade", few, "--out", tmp_path / "out")
    assert code == 1
    assert "Skipped, because no student could be found for: scale from ada.py" in said


def test_one_persons_folder_is_one_submission(grader, tmp_path):
    shutil.copytree(TOY / "solutions", tmp_path / "ada", ignore=shutil.ignore_patterns("__pycache__"))
    assert grader("grade", tmp_path / "ada", "--out", tmp_path / "out")[0] == 0
    assert {s: row["score"] for s, row in summary(tmp_path / "out").items()} == {"ada": "6.0"}
