"""Points on their way to a gradebook: nobody lost, no formula, the columns each platform takes, what lateness costs."""

from __future__ import annotations

import csv
import json
import shutil
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest
from support import TOY

from grader.cli import main
from grader.integrations import exported, exports
from grader.report.report import RAN, Check, Diagnosis, Environment, ExerciseReport, Report
from grader.texts import plain

ENVIRONMENT = Environment("kit", "3.11", "2.13", {"cpu": RAN}, ())
DUE = "due: 2026-10-01T23:59+08:00\nlate: {grace_minutes: 10, percent_a_day: 10, at_most_percent: 50}\n"


def report(student: str, score: float = 3.0, **more) -> Report:
    checks = (
        Check("test_values[cpu]", plain("Every entry is multiplied."), "passed", 2.0, 2.0, plain(""), 0.01),
        Check(
            "test_zero[cpu]",
            plain("A factor of 0 is refused."),
            "failed",
            0.0,
            1.0,
            plain("returns a value\nwhere"),
            0.02,
        ),
        Check("test_slow[cpu]", plain("It is fast."), "timeout", 0.0, 1.0, plain("5 s \x1b"), 5.0),
        Check("test_gpu[cuda]", plain("Runs on a GPU."), "skipped", 0.0, 1.0, plain("no GPU"), 0.0),
    )
    found = (Diagnosis("scale/adds_instead", plain("The factor is added."), ("test_zero[cpu]",)),)
    scale = ExerciseReport("scale", "failed", plain("returns a value"), score - 1, 4.0, checks, found, "printed")
    pair = ExerciseReport("pair", "missing", plain("pair.py is missing"), 1.0, 2.0)
    return Report(**{"student": student, "status": "graded", "reason": None, "score": score, "max_score": 6.0,
                     "fingerprint": "f", "environment": ENVIRONMENT, "exercises": (scale, pair), **more})  # fmt: skip


@pytest.fixture
def results(tmp_path):
    """`results("ann", ...)` is a RESULTS folder with a report of each."""

    def make(*students: str | Report) -> Path:
        (tmp_path / "reports").mkdir(exist_ok=True)
        for number, one in enumerate(students):
            text = (one if isinstance(one, Report) else report(one)).to_json()
            (tmp_path / "reports" / f"r{number}.json").write_text(text, encoding="utf-8")
        return tmp_path

    return make


@pytest.fixture
def grader(capsys):
    def run(*arguments, course=TOY):
        code = main([*map(str, arguments), "--lang", "en", "--course", str(course)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def table(path: Path) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_plain_csv_holds_everything(grader, results):
    folder = results(
        "ann", report("bob", status="rejected", reason=plain("bob.zip is not a zip"), score=0.0, exercises=())
    )
    code, out, _ = grader("export", folder, "--to", "csv")
    assert (code, out) == (
        1,
        f"exported 2 of 2 students: {folder / 'export' / 'grades.csv'}\n"
        "1 with a submission that could not be used, so blank; --unfinished zero counts it as 0: bob\n",
    )
    ann, bob = table(folder / "export" / "grades.csv")
    assert ann == {"student": "ann", "status": "graded", "score": "3.0", "max_score": "6.0", "scale": "2.0",
                   "pair": "1.0", "reason": ""}  # fmt: skip
    assert (bob["status"], bob["scale"], bob["reason"]) == ("rejected", "", "bob.zip is not a zip")


@pytest.mark.parametrize("change", ['"score": 3.0', '"score": 2.0'], ids=["the total", "an exercise"])
def test_a_report_that_was_changed_by_hand_is_named(grader, results, change):
    folder = results("ann", "bob")
    path = folder / "reports" / "r1.json"
    path.write_text(path.read_text(encoding="utf-8").replace(change, '"score": 2.5'), encoding="utf-8")
    assert "1 changed by hand; the changed points count: bob\n" in grader("export", folder, "--to", "csv")[1]


def test_canvas_gets_its_own_export_back_with_points(grader, results, tmp_path):
    """The class list is what Canvas exported: its columns come back, its line of points possible does not."""
    lines = (
        "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section", "    Points Possible,,,,",
        '"Ant, Ann",101,S1,ann,"Mon, 9"', '"Bee, Bob",102,S2,BOB@uni.edu,Tue', "Gone,103,S3,gone,Tue",
    )  # fmt: skip
    canvas = write(tmp_path / "canvas.csv", "\n".join(lines))
    folder = results("ann", "bob", "zoe")
    code, out, _ = grader("export", folder, "--to", "canvas", "--roster", canvas, "--column", "HW 3 (77)", "--each")
    assert code == 0
    with open(folder / "export" / "canvas.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows == [
        [*exports.CANVAS, "HW 3 (77)", "Multiply by a factor", "Two results at once"],
        ["    Points Possible", "", "", "", "", "6.0", "4.0", "2.0"],
        ["Ant, Ann", "101", "S1", "ann", "Mon, 9", "3.0", "2.0", "1.0"],
        ["Bee, Bob", "102", "S2", "BOB@uni.edu", "Tue", "3.0", "2.0", "1.0"],
    ]
    assert "exported 2 of 3 students" in out
    assert "1 not in the roster, so in unmatched.csv: zoe" in out
    assert "1 in the roster, but without a report: gone" in out
    assert [row["student"] for row in table(folder / "export" / "unmatched.csv")] == ["zoe"]


OWN = {
    "canvas": (["学生", "ID", "SIS 用户 ID", "SIS 登录 ID", "班级", "作业 1 (77)"], ["    满分", "", "", "", "", "6,0"],
               ["Ant, Ann", "101", "S1", "ann", "A", ""], ["学生", "ID", "SIS 用户 ID", "SIS 登录 ID", "班级", "HW"],
               ["    满分", "", "", "", "", "6.0"], ["Ant, Ann", "101", "S1", "ann", "A", "3.0"]),
    "moodle": (["ID", "Vollständiger Name", "E-Mail-Adresse", "Status", "Bewertung", "Bestwertung", "Änderbar"], [],
               ["Teilnehmer/in7", "Ann Ant", "ann@uni.edu", "x", "-", "6,00", "Ja"],
               ["ID", "Vollständiger Name", "E-Mail-Adresse", "Status", "Bewertung", "Bestwertung", "Änderbar"],
               ["Teilnehmer/in7", "Ann Ant", "ann@uni.edu", "x", "3.0", "6,00", "Ja"]),
}  # fmt: skip


@pytest.mark.parametrize("to", OWN)
def test_a_list_in_the_instructors_language_is_written_back_with_its_own_headings(grader, results, tmp_path, to):
    first, second, ann, *wanted = OWN[to]
    listed = tmp_path / "own.csv"
    with open(listed, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";").writerows([first, *([second] if second else []), ann])
    code, out, _ = grader("export", results("ann"), "--to", to, "--roster", listed, "--column", "HW")
    assert (code, "exported 1 of 1" in out) == (0, True)
    with open(tmp_path / "export" / f"{to}.csv", newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == wanted


def test_without_a_roster_a_student_is_a_login(grader, results):
    folder = results("ann")
    grader("export", folder, "--to", "canvas")
    grader("export", folder, "--to", "moodle")
    assert table(folder / "export" / "canvas.csv")[1]["SIS Login ID"] == "ann"
    assert table(folder / "export" / "moodle.csv") == [{"Username": "ann", "A toy course": "3.0"}]


def test_moodle_gets_what_identifies_a_user(grader, results, tmp_path):
    listed = write(tmp_path / "moodle.csv", "First name,Surname,ID number,Email address\nAnn,Ant,17,ann@uni.edu\n")
    folder = results("17")
    code, out, _ = grader("export", folder, "--to", "moodle", "--roster", listed)
    assert (code, "exported 1 of 1" in out) == (0, True)
    assert table(folder / "export" / "moodle.csv") == [
        {"ID number": "17", "Email address": "ann@uni.edu", "A toy course": "3.0"}
    ]


def test_moodle_gets_its_worksheet_back_filled_in(grader, results, tmp_path):
    """What was downloaded is what is uploaded again; of those without a report nothing is changed."""
    heading = "Identifier,Full name,Email address,Status,Grade,Maximum grade,Last modified (grade),Feedback comments"
    rows = "Participant 7,Ann Ant,ann@uni.edu,Submitted,,6.00,-,\nParticipant 8,Bob,b@uni.edu,None,,6.00,-,\n"
    listed = write(tmp_path / "moodle.csv", f"\ufeff{heading}\n{rows}")
    folder = results("ann@uni.edu")
    code, out, _ = grader("export", folder, "--to", "moodle", "--roster", listed)
    assert (code, "exported 1 of 1" in out) == (0, True)
    written = (folder / "export" / "moodle.csv").read_text(encoding="utf-8")
    assert written == f"{heading}\nParticipant 7,Ann Ant,ann@uni.edu,Submitted,3.0,6.00,-,\n"


def test_a_worksheet_with_another_maximum_is_told(grader, results, tmp_path):
    heading = "Identifier,Full name,Email address,Status,Grade,Maximum grade,Last modified (grade),Feedback comments"
    listed = write(tmp_path / "moodle.csv", f'{heading}\nParticipant 7,Ann,ann@uni.edu,Submitted,,"100,00",-,\n')
    folder = results("ann@uni.edu")
    said = "1 whose maximum grade in the worksheet is not what the points are of, and points are not scaled; set it in"
    assert said in grader("export", folder, "--to", "moodle", "--roster", listed)[1]
    assert said not in grader("export", folder, "--to", "csv", "--roster", listed)[1]
    listed.write_text(listed.read_text(encoding="utf-8").replace('"100,00"', "6.00"), encoding="utf-8")
    assert said not in grader("export", folder, "--to", "moodle", "--roster", listed)[1]


def test_gradescope_gets_a_results_file_for_each(grader, results):
    folder = results("ann", "../../bob")
    grader("export", folder, "--to", "gradescope")
    files = sorted((folder / "export" / "gradescope").iterdir())
    assert [f.name for f in files] == ["r0.json", "r1.json"]
    written = json.loads(files[0].read_text(encoding="utf-8"))
    assert written["score"] == 3.0
    assert [(t["name"], t["status"], t["score"], t["max_score"]) for t in written["tests"]] == [
        ("scale", "failed", 2.0, 4.0), ("pair", "failed", 1.0, 2.0),
    ]  # fmt: skip
    assert "The factor is added." in written["tests"][0]["output"]


def test_junit_counts_failures_errors_and_skips(grader, results):
    folder = results("ann")
    grader("export", folder, "--to", "junit")
    scale, pair = xml.parse(folder / "export" / "junit" / "r0.xml").getroot()
    assert {k: scale.get(k) for k in ("name", "tests", "failures", "errors", "skipped")} == {
        "name": "ann: scale", "tests": "4", "failures": "1", "errors": "1", "skipped": "1",
    }  # fmt: skip
    assert [[child.tag for child in case] for case in scale.findall("testcase")] == [
        [],
        ["failure"],
        ["error"],
        ["skipped"],
    ]
    assert scale.find("testcase/failure").get("message") == "returns a value"
    assert scale.find("testcase/error").text == "5 s ?"
    assert pair.get("failures") == "1"


def test_junit_counts_a_submission_that_could_not_be_used_as_an_error(grader, results):
    missing = ExerciseReport("pair", "missing", plain("ann.zip is not a zip"), 0.0, 2.0)
    folder = results(
        report("ann", status="rejected", reason=plain("ann.zip is not a zip"), score=0.0, exercises=(missing,))
    )
    grader("export", folder, "--to", "junit")
    (pair,) = xml.parse(folder / "export" / "junit" / "r0.xml").getroot()
    assert (pair.get("failures"), pair.get("errors")) == ("0", "1")
    assert pair.find("testcase/error").text == "ann.zip is not a zip"


@pytest.mark.parametrize("to", ["csv", "canvas", "moodle"])
def test_no_spreadsheet_runs_a_name(grader, results, tmp_path, to):
    evil = "=HYPERLINK(1)"
    listed = write(tmp_path / "list.csv", f"student,Student,Username\n{evil},@evil,-1+1\n")
    folder = results(evil)
    _, out, _ = grader("export", folder, "--to", to, "--roster", listed)
    (name,) = (n for n in ("grades.csv", "canvas.csv", "moodle.csv") if (folder / "export" / n).exists())
    cells = [c for row in table(folder / "export" / name) for c in row.values()]
    assert not [c for c in cells if c.startswith(("=", "@", "+", "-"))]
    assert "names changed, since spreadsheets would run them" in out


def test_reports_that_cannot_be_read_are_named(grader, results):
    folder = results("ann")
    write(folder / "reports" / "bad.json", "{")
    write(folder / "faults.json", '[{"student": "eve", "reason": "no memory"}]')
    _, out, _ = grader("export", folder, "--to", "csv")
    assert "1 no report, so left out: bad.json: not a report: " in out
    assert "1 not graded, see `grader report`: eve" in out


def test_late_points_are_exported_beside_the_raw_ones(grader, results, toy_copy, tmp_path):
    write(toy_copy / "course.yaml", DUE + (TOY / "course.yaml").read_text(encoding="utf-8"))
    times = write(tmp_path / "times.csv", "student,time\nann,2026-10-03T12:00+08:00\nbob,2026-10-01T12:00+08:00\n")
    folder = results("ann", "bob", "cem")
    _, out, _ = grader("export", folder, "--to", "csv", "--times", times, course=toy_copy)
    ann, bob, cem = table(folder / "export" / "grades.csv")
    assert (ann["score"], ann["points_that_count"], ann["hours_late"]) == ("3.0", "2.4", "36.02")
    assert (bob["score"], bob["points_that_count"], bob["hours_late"]) == ("3.0", "3.0", "0.0")
    assert (cem["points_that_count"], cem["hours_late"]) == ("3.0", "")
    assert "1 without a time, so taken to be in time: cem" in out
    grader("export", folder, "--to", "canvas", "--each", "--times", times, course=toy_copy)
    row = table(folder / "export" / "canvas.csv")[1]
    assert (row["A toy course"], row["Multiply by a factor"]) == ("2.4", "1.6")


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_late_points_stand_in_the_summary_beside_the_raw_ones(grader, toy_copy, tmp_path):
    write(toy_copy / "course.yaml", DUE + (TOY / "course.yaml").read_text(encoding="utf-8"))
    for student in ("ann", "bob"):
        shutil.copytree(TOY / "solutions", tmp_path / "handed-in" / student)
    times = write(tmp_path / "times.csv", "student,time\nann,2026-10-03T12:00+08:00\n")
    out = tmp_path / "results"
    grader("grade", tmp_path / "handed-in", "--out", out, "--quiet", "--times", times, course=toy_copy)
    ann, bob = table(out / "summary.csv")
    assert ann["score"] == bob["score"] == bob["points_that_count"]
    assert float(ann["points_that_count"]) == pytest.approx(0.8 * float(ann["score"])) != 0
    assert (ann["hours_late"], bob["hours_late"]) == ("36.02", "")


def test_times_need_a_due_date(grader, results, tmp_path):
    times = write(tmp_path / "times.csv", "student,time\n")
    code, out, err = grader("export", results("ann"), "--to", "csv", "--times", times)
    assert (code, out) == (2, "")
    assert (
        "--times and --extensions: course.yaml does not say when work is due and what lateness costs; add due, late"
        in err
    )


def test_no_results(grader, tmp_path):
    code, _, err = grader("export", tmp_path, "--to", "csv")
    assert code == 2
    assert "no folder reports in it; name the --out folder of `grader grade`" in err


def test_points_without_checks_are_all_that_a_table_needs():
    assert exported.without_checks(report("ann")).exercises[0].checks == ()
    assert exported.without_checks(report("ann")).exercises[0].score == 2.0
