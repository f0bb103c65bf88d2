"""Times as platforms write them, in the languages and forms that were met."""

from __future__ import annotations

import datetime

import pytest

from grader.intake.times import moodle_time, platform_time

EVENING = datetime.datetime(2026, 3, 1, 23, 58)
UTC, BEIJING = datetime.timezone.utc, datetime.timezone(datetime.timedelta(hours=8))


@pytest.mark.parametrize(
    "text",
    [
        "Sunday, 1 March 2026, 11:58 PM", "Sunday, 1 March 2026, 23:58", "Sunday, March 1, 2026, 11:58 PM",
        "1 March 2026, 11:58 PM", "01/03/2026, 23:58", "2026-03-01 23:58", " 2026-03-01 23:58:00 ",
        "2026年3月1日 星期日 23:58", "2026年03月1日 星期日 下午 11:58", "2026年3月1日 星期日 晚上11:58",
    ],
)  # fmt: skip
def test_moodle_writes_times_for_people(text):
    assert moodle_time(text) == EVENING


@pytest.mark.parametrize("text", ["", "-", "yesterday", "domingo, 1 de marzo de 2026, 23:58", "2026年13月1日 1:00"])
def test_what_is_no_time(text):
    assert moodle_time(text) is None


def test_noon_and_midnight():
    assert moodle_time("2026年3月1日 星期日 下午 12:30") == datetime.datetime(2026, 3, 1, 12, 30)
    assert moodle_time("Sunday, 1 March 2026, 12:30 AM") == datetime.datetime(2026, 3, 1, 0, 30)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("2026-03-01T23:58:00Z", EVENING.replace(tzinfo=UTC)),
        ("2026-03-01T23:58:00+08:00", EVENING.replace(tzinfo=BEIJING)),
        ("2026-03-01 23:58:00.000000000 +08:00", EVENING.replace(tzinfo=BEIJING)),
        (EVENING.replace(tzinfo=BEIJING), EVENING.replace(tzinfo=BEIJING)),
        (EVENING, EVENING.replace(tzinfo=UTC)),
        (datetime.date(2026, 3, 1), None), ("soon", None), (None, None), (3, None),
    ],
)  # fmt: skip
def test_gradescope_writes_times_with_a_zone(value, wanted):
    assert platform_time(value) == wanted
