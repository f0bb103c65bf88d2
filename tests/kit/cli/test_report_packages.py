"""`grader report --package`: pages as they go back to students, named as the platform wants them."""

from __future__ import annotations

import csv
import io
import sys
import zipfile

import pytest
from support import solution

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]

FOLDERS = {
    "Ada Lovelace_20001_assignsubmission_file_": solution("scale"),
    "王_伟_20002_assignsubmission_file": "x = 1\n",
}


def graded(grader, tmp_path, folders, *more):
    for name, source in folders.items():
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "scale.py").write_text(source, encoding="utf-8")
    results = tmp_path / "results"
    code, _, error = grader("grade", tmp_path / "class", "--out", results, "--exercise", "scale", *more)
    assert code in (0, 1), error
    return results


def participant(path):
    """Whom Moodle takes the file for, and what it calls the file: `fullname_number_plugintype_plugin[_]/file`."""
    folder, _, file = path.partition("/")
    _, number, kind, plugin, *rest = folder.split("_", 4)
    assert (kind, plugin, rest) in [("assignsubmission", "file", []), ("assignsubmission", "file", [""])]
    return int(number), file


def test_moodle_takes_each_page_for_its_participant(grader, tmp_path):
    results = graded(grader, tmp_path, FOLDERS)
    _, out, _ = grader("report", results, "--package", "moodle")
    assert "moodle-feedback.zip, 2 pages\n" in out
    with zipfile.ZipFile(results / "moodle-feedback.zip") as archive:
        found = {participant(name): archive.read(name).decode() for name in archive.namelist()}
    assert sorted(found) == [(20001, "feedback.html"), (20002, "feedback.html")]
    assert "<h1>Ada Lovelace</h1>" in found[20001, "feedback.html"]
    assert "4 / 4" in found[20001, "feedback.html"]


def test_without_moodles_numbers_nothing_is_written(grader, tmp_path):
    results = graded(grader, tmp_path, {"ann": solution("scale")})
    code, _, error = grader("report", results, "--package", "moodle")
    assert code == 2
    assert "known of nobody here; --package folder needs none" in error
    assert not (results / "moodle-feedback.zip").exists()
    code, _, error = grader("report", results, "--package", "moodle", "--student", "ann")
    assert code == 2
    assert "--package is for a whole class" in error


def test_a_folder_for_each_and_a_table_to_merge(grader, tmp_path):
    listed = tmp_path / "list.csv"
    listed.write_text("student,name,mail\nann,Ann A,ann@x.org\n=bob,B,\n", encoding="utf-8")
    results = graded(grader, tmp_path, {"ann": solution("scale"), "=bob": "x = 1\n"}, "--roster", listed)
    _, out, _ = grader("report", results, "--package", "folder", "--feedback", "verdict")
    assert "wrote 2 folders" in out
    table = list(csv.DictReader(io.StringIO((results / "feedback" / "people.csv").read_text(encoding="utf-8-sig"))))
    assert [(row["email"], row["points"], row["of"]) for row in table if row["student"] == "ann"] == [
        ("ann@x.org", "4.0", "4.0")
    ]
    for row in table:
        assert "</html>" in (results / "feedback" / row["file"]).read_text(encoding="utf-8")
        assert not row["student"].startswith("=")
