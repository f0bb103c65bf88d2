"""When work is due, and what a day begun costs."""

from __future__ import annotations

import datetime

import pytest

from grader.course import course as courses
from grader.course.deadlines import Policy, moment
from grader.errors import CourseError

DUE = "due: 2026-10-01T23:59+08:00\nlate: {grace_minutes: 10, percent_a_day: 10, at_most_percent: 50}\n"


def due_course(folder, text: str):
    """The toy course in this folder, with `text` before what its file says."""
    path = folder / "course.yaml"
    path.write_text(text + path.read_text(encoding="utf-8"), encoding="utf-8")
    return courses.load(folder)


@pytest.mark.parametrize(
    ("minutes", "factor"),
    [(0, 1.0), (10, 1.0), (11, 0.9), (24 * 60 + 10, 0.9), (24 * 60 + 11, 0.8), (100 * 24 * 60, 0.5)],
)
def test_each_day_begun_costs_up_to_a_limit(minutes, factor):
    assert Policy(10, grace_minutes=10, at_most_percent=50).factor(60 * minutes) == factor


def test_no_policy_costs_nothing():
    assert Policy().factor(1e9) == 1.0


def test_a_course_with_due_dates(toy_copy):
    settings = due_course(toy_copy, DUE).settings
    assert moment(settings.due, "").utcoffset() == datetime.timedelta(hours=8)
    assert settings.late == Policy(10, 10, 50)


def test_a_due_date_that_is_none(toy_copy):
    with pytest.raises(CourseError, match=r"^course\.yaml:1: due: 'soon' is not a date and time"):
        due_course(toy_copy, "due: soon\n")


MORE = "  - {student: ann, due: 2026-10-08T23:59+08:00, unit: %s}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("late: {percent_a_day: 10}\n", "1: 'late' has no effect, since nothing is due; add due: 2026-10-01T23:59"),
        ("extensions:\n" + MORE % "basics", "1: 'extensions' has no effect, since nothing is due"),
        (f"{DUE}extensions:\n{MORE % 'basic'}", "4: the extension of 'ann' is of no unit: 'basic'; did you mean"),
        (f"{DUE}extensions:\n{2 * (MORE % 'basics')}", "5: 'ann' has two extensions of the same work; keep one"),
        (f"{DUE}extensions:\n{MORE.replace('ann', '23') % ''}", "4: student must be a text, not '23'; write \"23\""),
        (DUE.replace("percent: 50", "percent: 500"), "2: at_most_percent is a part of the points, 100 at most"),
        (DUE.replace("day: 10", "day: 110"), "2: percent_a_day is a part of the points, 100 at most, not 110"),
    ],
)
def test_what_would_have_no_effect_is_refused(toy_copy, text, said):
    with pytest.raises(CourseError) as error:
        due_course(toy_copy, text)
    assert str(error.value).startswith(f"course.yaml:{said}")


def test_extensions_of_a_unit_and_of_all(toy_copy):
    text = DUE + "extensions:\n" + MORE % "basics" + "  - {student: ann, due: 2026-10-09T23:59+08:00}\n"
    assert [e.unit for e in due_course(toy_copy, text).settings.extensions] == ["basics", ""]
