"""What a RESULTS folder was graded with: kept in one file, batch after batch, and read from what older kits left."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from grader.course import Extension
from grader.errors import MachineError
from grader.report import Batch, ClassList, GradedWith, Handed, graded_with

WHEN = datetime.datetime(2026, 10, 1, 23, 59, tzinfo=datetime.timezone.utc)
LOCAL = datetime.datetime(2026, 10, 1, 23, 59)


def batch(folder: str, *students: str) -> Batch:
    return Batch(folder, handed=tuple(map(Handed, students)))


def test_all_of_it_is_read_again(tmp_path):
    listed = ClassList("/list.csv", ("Student", "ID"), "ID", ({"Student": "安", "ID": "7"},))
    handed = (Handed("ann", WHEN, {"ID": "7", "name": "安"}), Handed("bob", LOCAL), Handed("cem"))
    kept = GradedWith(
        ("scale",), (Batch("/class", "canvas", handed=handed),), {"ann": WHEN},
        (Extension("bob", "2026-10-08T23:59+08:00", "basics"),), listed,
    )  # fmt: skip
    graded_with.write(tmp_path, kept)
    assert graded_with.read(tmp_path) == kept
    assert kept.people["ann"]["name"] == "安"
    assert kept.told(Path("/class")).format == "canvas"


def test_nothing_was_kept(tmp_path):
    assert graded_with.read(tmp_path) == GradedWith()


def test_what_an_older_kit_left_is_read(tmp_path):
    (tmp_path / "submissions.json").write_text('[{"student": "ann", "when": "2026-10-01T23:59:00Z"}]')
    (tmp_path / "folder.txt").write_text("/class\n")
    kept = graded_with.read(tmp_path)
    assert kept == GradedWith(batches=(Batch("/class", handed=(Handed("ann", WHEN),)),))
    graded_with.write(tmp_path, kept)
    assert [p.name for p in tmp_path.iterdir()] == ["record.sqlite"]
    assert graded_with.read(tmp_path) == kept


def test_a_damaged_file_is_named(tmp_path):
    (tmp_path / "graded_with.json").write_text('{"batches": 3}')
    with pytest.raises(MachineError, match=r"graded_with.json: cannot be read: .*; delete it, or grade again"):
        graded_with.read(tmp_path)


def test_each_student_is_of_the_batch_that_was_graded_last():
    kept = GradedWith().with_batch(batch("/first", "ann", "bob")).with_batch(batch("/late", "bob", "cem"))
    assert [(b.folder, b.students) for b in kept.batches] == [("/first", {"ann"}), ("/late", {"bob", "cem"})]
    assert [(b.folder, b.students) for b in kept.with_batch(batch("/first", "ann", "bob")).batches] == [
        ("/late", {"cem"}), ("/first", {"ann", "bob"}),
    ]  # fmt: skip
    assert kept.without(["ann"]).handed.keys() == {"bob", "cem"}


@pytest.mark.parametrize(
    ("folder", "there", "gone"),
    [
        ("/class", {"ann", "bob", "cem", "dee"}, set()),
        ("/class", {"ann", "bob", "cem", "new"}, {"dee"}),  # somebody left, or a folder was renamed
        ("/class", {"late"}, set()),  # another batch lies there now
        ("/class", {"ann", "late"}, set()),
        ("/late", {"late"}, set()),
        ("/late", {"ann"}, set()),
    ],
)
def test_latecomers_move_nobody(folder, there, gone):
    assert GradedWith().with_batch(batch("/class", "ann", "bob", "cem", "dee")).gone(batch(folder, *there)) == gone
