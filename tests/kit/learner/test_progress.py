"""A learner's progress in its file: nothing is lost, whatever happens to the file."""

from __future__ import annotations

import dataclasses
import datetime
import json
import os

import pytest

from grader.course import course as courses
from grader.learner import progress as learning
from grader.learner.progress import Progress, Standing
from grader.report.report import Check, ExerciseReport
from grader.texts import Text

NO_ROOT = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")


@pytest.fixture
def course(toy_copy):
    return courses.load(toy_copy)


@pytest.fixture
def progress(course):
    return Progress(course, course.root / "exercises")


def report(id="scale", score=4.0, most=4.0):
    return ExerciseReport(id, "passed" if score == most else "failed", None, score, most)


NOT_BEGUN = ExerciseReport(
    "scale", "failed", "...", 0.0, 4.0, (Check("test_a", "A", "failed", 0.0, 4.0, "raises NotImplementedError", 0.0),),
    started=False, stub=True,
)  # fmt: skip


def again(progress: Progress, course) -> Progress:
    """What the next run of the program sees."""
    return Progress(course, course.root / "exercises")


def test_nothing_is_known_at_first(progress, course):
    assert progress.standings() == {}
    assert not (course.root / ".grader").exists()


def test_the_best_result_is_kept(progress, course):
    for score in (1.0, 3.0, 2.0):
        progress.note([report(score=score)], {})
    assert again(progress, course).standings() == {"scale": Standing(3.0, 4.0)}


def test_what_passed_once_has_passed(progress, course):
    progress.note([report(), report("pair", 1.0, 2.0)], {})
    progress.note([report(score=0.0)], {})
    found = again(progress, course).standings()
    assert found == {"scale": Standing(4.0, 4.0, passed=True), "pair": Standing(1.0, 2.0)}


def test_a_broken_sheet_turns_nothing_into_points(progress):
    """Written answers wait for a person; between two such reports the sheet was broken, then blank."""
    waiting = ExerciseReport("scale", "waiting", None, 0.0, 0.0)
    broken = ExerciseReport("scale", "failed", "cannot be read", 0.0, 4.0)
    for found in (waiting, broken, waiting, broken, NOT_BEGUN, waiting):
        progress.note([found], {})
        standing = progress.standings()["scale"]
        assert standing.points == 0
        assert not (standing.passed and standing.most), "passed with points"


def test_zero_points_are_no_progress(progress, course):
    progress.note([report(score=0.0)], {})
    assert not (course.root / ".grader").exists()


def test_results_are_compared_by_their_share(progress):
    """After an upgrade an exercise may be worth more."""
    progress.note([report(score=3.0, most=4.0)], {})
    progress.note([report(score=4.0, most=8.0)], {})
    assert progress.standings()["scale"] == Standing(3.0, 4.0)
    progress.note([report(score=7.0, most=8.0)], {})
    assert progress.standings()["scale"] == Standing(7.0, 8.0)


def test_each_folder_has_its_own_progress(progress, course, tmp_path):
    progress.note([report()], {})
    other = Progress(course, tmp_path / "elsewhere")
    assert other.standings() == {}
    other.note([report("pair", 2.0, 2.0)], {})
    assert set(progress.standings()) == {"scale"}
    assert set(Progress(course, tmp_path / "elsewhere").standings()) == {"pair"}


def test_hints_come_one_at_a_time(progress, course):
    exercise = dataclasses.replace(course.exercise("scale"), hints=(Text("one", "一"), Text("two", "二")))
    assert [progress.hint(exercise) for _ in range(4)] == [1, 2, 2, 2]
    assert again(progress, course).standings()["scale"] == Standing(hints=2)
    assert progress.hint(course.exercise("pair")) == 0


def test_git_leaves_the_folder_alone(progress, course):
    progress.note([report()], {})
    assert (course.root / ".grader" / ".gitignore").read_text() == "*\n"


DAMAGED = {
    "cut short": '{"format": 1, "folders": {"exer',
    "no JSON": "\x00\x01",
    "a list": "[]",
    "no format": "{}",
    "a negative format": '{"format": 0}',
    "points that are text": '{"format": 1, "folders": {"exercises": {"scale": {"points": "4"}}}}',
    "points that are infinite": '{"format": 1, "folders": {"exercises": {"scale": {"points": Infinity}}}}',
    "an entry that is a number": '{"format": 1, "folders": {"exercises": {"scale": 4}}}',
    "a folder that is a list": '{"format": 1, "folders": {"exercises": []}}',
    "deep": "[" * 100_000,
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_file_is_kept_and_said(progress, course, case):
    folder = course.root / ".grader"
    folder.mkdir()
    (folder / "progress.json").write_text(DAMAGED[case])
    assert progress.standings() == {}
    progress.note([report()], {})
    assert (folder / "progress.damaged-1.json").read_text() == DAMAGED[case]
    (trouble,) = progress.troubles
    assert "is damaged" in trouble.to("en")
    assert "it was moved to progress.damaged-1.json" in trouble.to("en")
    assert "`grader check` finds again what passes" in trouble.to("en")
    assert "progress.damaged-1.json" in trouble.to("zh")
    assert again(progress, course).standings() == {"scale": Standing(4.0, 4.0, passed=True)}


def test_two_damaged_files_are_both_kept(course):
    folder = course.root / ".grader"
    folder.mkdir()
    for text in ("first", "second"):
        (folder / "progress.json").write_text(text)
        Progress(course, course.root).standings()
    assert [(folder / f"progress.damaged-{n}.json").read_text() for n in (1, 2)] == ["first", "second"]


def test_bytes_that_are_no_text(progress, course):
    (course.root / ".grader").mkdir()
    (course.root / ".grader" / "progress.json").write_bytes(b"\xff\xfe\x80")
    assert progress.standings() == {}
    assert "is damaged" in progress.troubles[0].to("en")


def test_a_newer_file_is_left_alone(progress, course):
    folder = course.root / ".grader"
    folder.mkdir()
    newer = '{"format": 2, "what": "we do not know"}'
    (folder / "progress.json").write_text(newer)
    progress.note([report()], {})
    assert progress.standings() == {}
    assert (folder / "progress.json").read_text() == newer
    (trouble,) = progress.troubles
    assert "was written by a newer version of this kit; your progress is not recorded. Update the kit." in trouble.to(
        "en"
    )


def test_what_a_newer_version_added_is_kept(progress, course):
    folder = course.root / ".grader"
    folder.mkdir()
    entry = {"points": 1.0, "most": 4.0, "passed": False, "hints": 1, "stars": 3}
    data = {"format": 1, "folders": {"exercises": {"scale": entry, "gone": {"points": 2}}}, "streak": 9}
    (folder / "progress.json").write_text(json.dumps(data))
    assert progress.standings()["scale"] == Standing(1.0, 4.0, hints=1)
    progress.note([report()], {})
    found = json.loads((folder / "progress.json").read_text())
    assert found["streak"] == 9
    assert found["folders"]["exercises"]["gone"] == {"points": 2}
    today = datetime.date.today().isoformat()
    assert found["folders"]["exercises"]["scale"] == {**entry, "points": 4.0, "passed": True, "passed_on": today}


def test_a_folder_that_cannot_be_made(progress, course):
    (course.root / ".grader").write_text("a file in the way")
    progress.note([report()], {})
    assert progress.standings() == {}
    assert progress.troubles
    assert all("your progress is not recorded: " in t.to("en") for t in progress.troubles)


@NO_ROOT
def test_a_folder_that_cannot_be_written(progress, course):
    (course.root / ".grader").mkdir(mode=0o500)
    progress.note([report()], {})
    assert "Permission denied" in progress.troubles[0].to("en")


def test_a_write_that_fails_leaves_the_old_file(progress, course, monkeypatch):
    progress.note([report(score=1.0)], {})
    before = (course.root / ".grader" / "progress.json").read_text()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    progress.note([report()], {})
    assert (course.root / ".grader" / "progress.json").read_text() == before
    assert sorted(p.name for p in (course.root / ".grader").iterdir()) == [".gitignore", "progress.json"]
    assert "No space left on device" in progress.troubles[0].to("en")


def test_what_can_be_done_next(course):
    def ready(**standings):
        return [e.id for e in learning.Standings(course, standings).open_now()]

    done = Standing(4.0, 4.0, passed=True)
    assert ready() == ["scale"]
    assert ready(scale=Standing(3.0, 4.0)) == ["scale"]
    assert ready(scale=done) == ["pair"]
    assert ready(scale=done, pair=done) == []
    assert ready(pair=done) == ["scale"]


def test_no_stub_is_kept_where_nothing_can_be_written(progress, course):
    (course.root / ".grader").write_text("a file in the way")
    progress.note([NOT_BEGUN], {"scale": "the stub"})
    assert (course.root / ".grader").read_text() == "a file in the way"


def test_only_what_is_not_begun_is_kept_as_a_stub(progress, course, tmp_path):
    progress.note([report(score=1.0)], {"scale": "begun"})
    Progress(course, tmp_path).note([NOT_BEGUN], {"scale": "in some other folder"})
    assert not (course.root / ".grader" / "stubs").exists()
