"""A RESULTS folder: nothing half written, no file name of a student's choosing, one batch at a time."""

from __future__ import annotations

import os

import msgspec
import pytest
from reports import report_of

from grader.errors import CourseError, MachineError
from grader.report import Fault, Report, Results, Row
from grader.report.results import changes, faults, keep, regrade, unasked
from grader.texts import plain


@pytest.fixture
def results(tmp_path):
    made = Results(tmp_path / "out")
    yield made
    made.close()


def test_a_write_that_fails_keeps_the_old_report(results, monkeypatch):
    results.write("ann", report_of("ann").to_json())

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(MachineError, match=r"ann.json: cannot be written: No space left on device"):
        results.write("ann", "half a rep")
    assert Report.from_json(results.path("ann").read_text()) == report_of("ann")
    assert [p.name for p in (results.folder / "reports").iterdir()] == ["ann.json"]


def test_files_of_a_killed_run_are_swept_away(results):
    (results.folder / "reports" / ".ann.json.123.tmp").write_text("half")
    results.close()
    Results(results.folder).close()
    assert list((results.folder / "reports").iterdir()) == []


UNSAFE = [
    "../../etc/passwd",
    "a/b",
    "",
    ".",
    "..",
    ".hidden",
    "-rf",
    "a\nb",
    "a" * 200,
    "名字",
    "con:",
    "x.",
    "NUL",
    "com1.txt",
    "id-1",
    "a b",
    "\udcff",
]


@pytest.mark.parametrize("student", UNSAFE)
def test_unsafe_ids_become_hashes(results, student):
    student = student.encode("utf-8", "replace").decode()
    path = results.path(student)
    assert path.parent == results.folder / "reports"
    assert path.name.startswith("id-")
    assert len(path.name) == len("id-.json") + 24


@pytest.mark.parametrize("student", ["s001", "Ann.Lee", "a-b_c", "9"])
def test_safe_ids_stay(results, student):
    assert results.path(student).name == f"{student}.json"


def test_unsafe_ids_do_not_meet(results):
    assert len({results.path(s) for s in ("a b", "a/b", "a\nb", "名", "字")}) == 5


def test_a_report_of_another_student_is_not_taken(results):
    results.write("ann", report_of("bob").to_json())
    assert results.stored("ann", "f") is None


def test_a_lone_surrogate_does_not_stop_the_summary(results):
    results.write_summary([Row.of(report_of("ann", reason=plain("odd \ud800")))], ["scale"], "en")
    assert "odd ?" in (results.folder / "summary.csv").read_text(encoding="utf-8")


def test_a_second_batch_into_the_same_folder_is_refused(results):
    with pytest.raises(CourseError, match=r"another batch is writing here; wait for it or choose another --out"):
        Results(results.folder)


def test_a_resumed_batch_keeps_its_seed(results):
    first = results.seed(None)
    assert results.seed(None) == first
    assert results.seed(5) == 5
    assert results.seed(None) == 5


def test_a_seed_that_cannot_be_read_is_not_replaced(results):
    (results.folder / "seed.txt").write_bytes(b"\xff\xfe7\x00")
    with pytest.raises(CourseError, match=r"seed\.txt: cannot be read, and the reports here .* put it back, name one"):
        results.seed(None)
    assert (results.folder / "seed.txt").read_bytes() == b"\xff\xfe7\x00"
    assert results.seed(5) == 5


def test_a_seed_that_is_gone_under_reports_is_not_made_up(results):
    results.write("ann", report_of("ann").to_json())
    with pytest.raises(CourseError, match=r"seed\.txt: cannot be read"):
        results.seed(None)


def test_a_report_that_was_changed_by_hand_counts_and_is_named(results):
    results.write("ann", report_of("ann").to_json())
    results.write("bob", report_of("bob").to_json())
    changed = msgspec.structs.replace(report_of("ann"), score=report_of("ann").score + 1)
    results.path("ann").write_text(changed.to_json(), encoding="utf-8")
    assert results.stored("bob", "f") == report_of("bob")
    assert results.stored("ann", "f") == changed
    assert (results.edited, results.replaced) == (["ann"], [])


@pytest.mark.parametrize("change", ["{", "score"])
def test_a_report_that_was_changed_by_hand_is_not_replaced_in_silence(results, change):
    text = msgspec.structs.replace(report_of("ann"), score=report_of("ann").score + 1).to_json()
    text = text if change == "score" else text[:-20]
    results.path("ann").write_text(text, encoding="utf-8")
    results.keep("ann", report_of("ann").to_json())
    kept = results.folder / "earlier" / "ann.edited.json"
    assert results.replaced == [str(kept)]
    assert kept.read_text(encoding="utf-8") == text
    assert results.stored("ann", "f") == report_of("ann")
    results.keep("ann", report_of("ann").to_json())
    assert results.replaced == [str(kept)]


def test_room_for_the_lists_is_kept_and_freed(results):
    results.keep_room(100)
    room = [p for p in results.folder.iterdir() if p.stat().st_size >= 60_000]
    assert len(room) == 1
    results.free_room()
    assert not room[0].exists()
    results.free_room()


def test_an_output_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CourseError, match=r"file: cannot be written: .*; choose another --out"):
        Results(tmp_path / "file")


def test_a_regrade_lists_losses_first_and_where_points_moved():
    before = {s: Row(s, "graded", None, 2.0, 4.0, {"scale": 1.0, "pair": 1.0}, (), "suites=1") for s in "abcd"}
    after = [
        Row("a", "graded", None, 3.0, 4.0, {"scale": 2.0, "pair": 1.0}, (), "suites=2"),
        Row("b", "graded", None, 1.0, 4.0, {"scale": 1.0, "pair": 0.0}, (plain("pair: late"),), "suites=2"),
        before["c"], Fault("d", "x"),
    ]  # fmt: skip
    found = changes(before, after)
    assert found.compared == 3
    assert [(c.student, c.exercises, c.why) for c in found.changes] == [
        ("b", (("pair", 1.0, 0.0),), ("suites",)),
        ("a", (("scale", 1.0, 2.0),), ("suites",)),
    ]


def test_who_has_other_points_without_handing_in_anew():
    def row(student, score, fingerprint, **more):
        return Row(student, "graded", None, score, 4.0, {"scale": score, **more}, (), fingerprint)

    before = {s: row(s, 1.0, "source=1 suites=1") for s in ("changed", "resubmitted", "same", "gone", "more")}
    after = [
        row("changed", 2.0, "source=1 suites=2"), row("resubmitted", 2.0, "source=2 suites=2"),
        row("same", 1.0, "source=1 suites=2"), row("new", 1.0, ""),
        row("more", 1.0, "source=1 suites=1 options=2", pair=1.0),
    ]  # fmt: skip
    assert list(unasked(before, after)) == ["changed"]


def test_what_a_batch_left_is_read_again(tmp_path):
    assert faults(tmp_path) == []
    assert regrade(tmp_path) is None
    old, new = (Row("s", "graded", None, n, 4.0, {"scale": n}, (), f"suites={n}") for n in (1.0, 2.0))
    keep(tmp_path, [new, Fault("t", "x")], {"s": old})
    assert faults(tmp_path) == [Fault("t", "x")]
    kept = regrade(tmp_path)
    assert (kept.compared, kept.changes) == (1, changes({"s": old}, [new]).changes)
    keep(tmp_path, [new], {})
    assert faults(tmp_path) == []
    assert regrade(tmp_path) is None, "it would tell of an older one"
    (tmp_path / "faults.json").write_text("[")
    with pytest.raises(MachineError, match=r"faults\.json: cannot be read: .*delete it, or grade again"):
        faults(tmp_path)


def test_reports_of_those_who_are_no_longer_there_are_set_apart(results):
    """Else they would count in the class's page and in exports."""
    for student in ("ann", "bob", "a b"):
        results.write(student, report_of(student).to_json())
    assert results.set_apart(["bob", "a b", "never graded"]) == ["a b", "bob"]
    assert [p.name for p in (results.folder / "reports").iterdir()] == ["ann.json"]
    kept = results.folder / "earlier" / "bob.json"
    assert Report.from_json(kept.read_text(encoding="utf-8")) == report_of("bob")
    assert results.set_apart(["bob"]) == []
