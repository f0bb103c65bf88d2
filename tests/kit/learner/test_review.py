"""Questions that come again: which, when, and what becomes of the file that keeps it."""

from __future__ import annotations

import dataclasses
import datetime
import json

import pytest
from support import ROOT

from grader.course import course as courses

Review = pytest.importorskip("grader.learner.review", exc_type=ImportError).Review

NOON = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.timezone.utc)
DAY = datetime.timedelta(days=1)
KNOWN = {"questions_a": ("one", "two", "three", "four"), "questions_b": ("one",), "questions_c": ("one", "two")}


@pytest.fixture
def review(tmp_path):
    """`review()` is the review of a course folder that holds nothing else; the path is that of the real course."""
    moved = dataclasses.replace(courses.load(ROOT), root=tmp_path)
    (tmp_path / "exercises").mkdir()
    return lambda work="exercises": Review(moved, tmp_path / work)


def days_until(review, name, *, section="questions_a", start=NOON):
    """Days until the question comes again."""
    return next(n for n in range(500) if (section, name) in review.due({section: (name,)}, "path9", start + n * DAY))


def test_a_wrong_answer_comes_sooner(review):
    found = review()
    for name, share in (("one", 0.0), ("two", 0.4), ("three", 1.0)):
        found.noted("questions_a", name, share, NOON)
    waits = [days_until(found, name) for name in ("one", "two", "three")]
    assert waits == [1, 1, 2]
    assert found.due(KNOWN, "path9", NOON) == []


def test_what_is_known_comes_ever_later(review):
    found, moment, waits = review(), NOON, []
    for share in (1.0, 1.0, 1.0, 0.0, 1.0):
        found.noted("questions_a", "one", share, moment)
        waits.append(days_until(found, "one", start=moment))
        moment += waits[-1] * DAY
    assert waits[0] < waits[1] < waits[2] > waits[3] < waits[4]


def test_only_what_was_answered_comes_again_and_earlier_units_first(review):
    """At most three; none of today's unit, and none that the course no longer has."""
    found = review()
    for section, name in (
        ("questions_c", "one"),
        ("questions_a", "two"),
        ("questions_a", "gone"),
        ("questions_b", "one"),
    ):
        found.noted(section, name, 0.0, NOON)
    found.noted("questions_a", "one", 0.0, NOON + DAY)
    later = NOON + 3 * DAY
    assert found.due(KNOWN, "path9", later) == [("questions_a", "two"), ("questions_b", "one"), ("questions_a", "one")]
    assert found.due(KNOWN, "questions_c", later) == found.due(KNOWN, "path9", later)
    assert found.due(KNOWN, "path3", later) == [("questions_c", "one")] == found.due(KNOWN, "attention", later)


def test_the_same_result_on_the_same_day_counts_once(review):
    found = review()
    found.noted("questions_a", "one", 1.0, NOON)
    for hours in range(3):
        found.noted("questions_a", "one", 1.0, NOON + datetime.timedelta(hours=hours))
    assert days_until(found, "one") == 2
    found.noted("questions_a", "one", 0.0, NOON + datetime.timedelta(hours=4))
    assert days_until(found, "one") == 2  # a day after that answer, and so the second noon


def test_the_file_is_the_same_for_the_same_answers_and_in_utc(review, tmp_path):
    kept = tmp_path / ".grader" / "review.json"
    texts = []
    for zone in (0, 8):
        moment = NOON.astimezone(datetime.timezone(datetime.timedelta(hours=zone)))
        review().noted("questions_a", "one", 0.5, moment)
        texts.append(kept.read_text(encoding="utf-8"))
        kept.unlink()
    assert texts[0] == texts[1]
    assert json.loads(texts[0])["folders"]["exercises"]["questions_a"]["one"]["last_review"] == "2026-03-02T12:00:00Z"
    assert (tmp_path / ".grader" / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_each_folder_has_its_own(review):
    review().noted("questions_a", "one", 0.0, NOON)
    assert review("other").due(KNOWN, "path9", NOON + 9 * DAY) == []
    review("other").noted("questions_b", "one", 0.0, NOON)
    assert review().due(KNOWN, "path9", NOON + 9 * DAY) == [("questions_a", "one")]


@pytest.mark.parametrize("change", [
    lambda text: text[:-9], lambda text: "[]", lambda text: "", lambda text: text.replace('"format": 1', '"format": 0'),
    lambda text: text.replace('"stability": ', '"stability": -'), lambda text: text.replace('Z"', '"'),
    lambda text: text.replace('"due": "2', '"due": "x'), lambda text: "[" * 9000,
])  # fmt: skip
def test_a_damaged_file_is_moved_aside(review, tmp_path, change):
    review().noted("questions_a", "one", 0.0, NOON)
    kept = tmp_path / ".grader" / "review.json"
    broken = change(kept.read_text(encoding="utf-8"))
    kept.write_text(broken, encoding="utf-8")
    found = review()
    assert found.due(KNOWN, "path9", NOON + 9 * DAY) == []
    assert len(found.troubles) == 1
    assert "review.damaged-1.json" in found.troubles[0].to("en")
    assert (tmp_path / ".grader" / "review.damaged-1.json").read_text(encoding="utf-8") == broken
    found.noted("questions_a", "two", 0.0, NOON)
    assert review().due(KNOWN, "path9", NOON + 9 * DAY) == [("questions_a", "two")]


def test_what_a_newer_version_wrote_is_left_alone(review, tmp_path):
    (tmp_path / ".grader").mkdir()
    kept = tmp_path / ".grader" / "review.json"
    kept.write_text('{"format": 2, "cards": []}', encoding="utf-8")
    found = review()
    found.noted("questions_a", "one", 0.0, NOON)
    assert found.due(KNOWN, "path9", NOON + 9 * DAY) == []
    assert kept.read_text(encoding="utf-8") == '{"format": 2, "cards": []}'
    assert [text.key.partition(";")[0] for text in found.troubles] == [
        "{file} was written by a newer version of this kit"
    ]


def test_a_folder_that_cannot_be_written(review, tmp_path):
    (tmp_path / ".grader").write_text("not a folder", encoding="utf-8")
    found = review()
    found.noted("questions_a", "one", 0.0, NOON)
    assert found.due(KNOWN, "path9", NOON + 9 * DAY) == []
    assert len(found.troubles) == 1
