"""What lateness leaves of the points: by the platform's times, with extensions, across time zones."""

from __future__ import annotations

import datetime

import pytest

from grader.course import course as courses
from grader.course import late_penalty
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


def test_times_are_compared_across_time_zones(due, tmp_path):
    path = write(tmp_path / "times.csv", "student,time\nann,2026-10-01T16:00:00Z\nbob,2026-10-02T01:59+10:00\n")
    counted = late_penalty.penalty(due, late_penalty.times(path))
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


def test_an_extension_moves_the_due_date(due, tmp_path):
    when = datetime.datetime.fromisoformat("2026-10-03T12:00+08:00")
    path = write(
        tmp_path / "more.csv",
        "\ufeffstudent,due,unit\nann,2026-10-05T12:00+08:00,\nbob,2026-10-05T12:00+08:00,basics\n"
        "cem,2026-10-02T12:00+08:00,basics\n",
    )
    counted = late_penalty.penalty(
        due, dict.fromkeys(("ann", "bob", "cem", "dee"), when), late_penalty.extensions(path)
    )
    assert [counted(s, SCORES)[0] for s in ("ann", "bob", "cem", "dee")] == [6.0, 6.0, 5.4, 4.8]


def test_without_a_due_date_nothing_can_be_late(toy):
    assert not late_penalty.says_so(toy)
    said = "--times and --extensions: course.yaml does not say when work is due and what lateness costs; add due, late"
    with pytest.raises(CourseError, match=said):
        late_penalty.penalty(toy, {})


TIMES = {
    "no columns": ("name,when\n", "times.csv:1: needs the columns student and time"),
    "no time": (
        "student,time\nann,yesterday\n",
        "times.csv:2: 'yesterday' is not a date and time; write 2026-10-01T23:59",
    ),
    "no offset": ("student,time\nann,2026-10-01 12:00\n", "times.csv:2: '2026-10-01 12:00' has no offset from UTC"),
}


@pytest.mark.parametrize("case", TIMES)
def test_times_that_are_none_are_explained(tmp_path, case):
    text, message = TIMES[case]
    with pytest.raises(CourseError) as error:
        late_penalty.times(write(tmp_path / "times.csv", text))
    assert message in str(error.value)


def test_an_extension_without_an_offset_is_explained(tmp_path):
    path = write(tmp_path / "more.csv", "student,due\nann,2026-10-05\n")
    with pytest.raises(CourseError, match=r"more\.csv:2: '2026-10-05' has no offset from UTC"):
        late_penalty.extensions(path)


def test_a_table_of_extensions_has_one_of_each_work(tmp_path):
    table = tmp_path / "more.csv"
    line = "ann,2026-10-08T23:59+08:00"
    table.write_text(f"student,due,unit\n{line},\n{line},basics\n,,\n")
    assert [e.unit for e in late_penalty.extensions(table)] == ["", "basics"]
    table.write_text(f"student,due\n{line}\n{line}\n")
    with pytest.raises(CourseError, match=r"more.csv:3: 'ann' has two extensions of the same work; keep one"):
        late_penalty.extensions(table)
