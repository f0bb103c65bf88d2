"""What lateness leaves of the points: by the platform's times, with extensions, across time zones."""

from __future__ import annotations

import datetime

import pytest

from grader.course import Extension, late_penalty
from grader.course import course as courses
from grader.errors import CourseError

DUE = "due: 2026-10-01T23:59+08:00\nlate: {grace_minutes: 10, percent_a_day: 10, at_most_percent: 50}\n"
SCORES = {"scale": 4.0, "pair": 2.0}


def write(path, text: str):
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def due(toy_copy):
    """The toy course, due on 1 October 2026 at 23:59 in Beijing."""
    path = toy_copy / "course.yaml"
    write(path, DUE + path.read_text(encoding="utf-8"))
    return courses.load(toy_copy)


def test_times_are_compared_across_time_zones(due):
    times = {"ann": "2026-10-01T16:00:00+00:00", "bob": "2026-10-02T01:59+10:00"}
    counted = late_penalty.penalty(due, {s: datetime.datetime.fromisoformat(t) for s, t in times.items()})
    assert counted("ann", SCORES) == (6.0, 60.0)
    assert counted("bob", SCORES) == (6.0, 0.0)


def test_each_day_begun_costs(due):
    when = datetime.datetime.fromisoformat("2026-10-03T12:00+08:00")
    counted = late_penalty.penalty(due, {"ann": when})
    assert counted("ann", SCORES) == (4.8, 36 * 3600 + 60.0)
    assert counted("bob", SCORES) == (6.0, None)


def test_a_time_without_a_zone_is_in_that_of_the_due_date(due):
    """Moodle writes local times."""
    counted = late_penalty.penalty(due, {"ann": datetime.datetime(2026, 10, 2, 0, 0)})
    assert counted("ann", SCORES) == (6.0, 60.0)


def test_an_extension_moves_the_due_date(due):
    when = datetime.datetime.fromisoformat("2026-10-03T12:00+08:00")
    more = (
        Extension("ann", "2026-10-05T12:00+08:00"), Extension("bob", "2026-10-05T12:00+08:00", "basics"),
        Extension("cem", "2026-10-02T12:00+08:00", "basics"),
    )  # fmt: skip
    counted = late_penalty.penalty(due, dict.fromkeys(("ann", "bob", "cem", "dee"), when), more)
    assert [counted(s, SCORES)[0] for s in ("ann", "bob", "cem", "dee")] == [6.0, 6.0, 5.4, 4.8]


def test_without_a_due_date_nothing_can_be_late(toy):
    assert not late_penalty.says_so(toy)
    said = "--times and --extensions: course.yaml does not say when work is due and what lateness costs; add due, late"
    with pytest.raises(CourseError, match=said):
        late_penalty.penalty(toy, {})
