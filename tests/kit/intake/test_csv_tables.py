"""Times as platforms write them, in the languages and forms that were met."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from grader.course import Extension
from grader.errors import CourseError
from grader.intake import csv_tables
from grader.intake.csv_tables import moodle_time, platform_time

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


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("inside", ["\v", "\f", "\x1e", "\x85", "\u2028"])
def test_only_the_end_of_a_line_ends_a_row(tmp_path, inside):
    path = write(tmp_path / "list.csv", f"id,name\nada,Ada{inside}Lovelace\nbob,Bob\n")
    assert csv_tables.rows_of(path) == (("id", "name"), [(2, ["ada", f"Ada{inside}Lovelace"]), (3, ["bob", "Bob"])])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_system(tmp_path, end):
    path = tmp_path / "list.csv"
    path.write_bytes(end.join(["id,name", 'ada,"Ada', 'Lovelace"', "bob,Bob", ""]).encode())
    assert csv_tables.rows_of(path)[1] == [(3, ["ada", f"Ada{end}Lovelace"]), (4, ["bob", "Bob"])]


SAVED = {
    "by Excel as CSV UTF-8": ("utf-8-sig", ",", "\r\n"),
    "by Excel in Germany": ("cp1252", ";", "\r\n"),
    "by Excel in China": ("gbk", ",", "\r\n"),
    "by Excel as Unicode text": ("utf-16", "\t", "\r\n"),
    "by hand": ("utf-8", ", ", "\n"),
}


@pytest.mark.parametrize("case", SAVED)
def test_tables_of_times_are_read_whatever_saved_them(tmp_path, case):
    encoding, between, end = SAVED[case]
    who = "张三" if encoding == "gbk" else "Jörg"
    path = tmp_path / "more.csv"
    lines = (["Student", "Time"], [who, "2026-10-01T16:00Z"], ["ann", "2026-10-02T01:59+10:00"], ["", ""])
    path.write_bytes("".join(between.join(line) + end for line in lines).encode(encoding))
    assert [(s, t.isoformat()) for s, t in csv_tables.handed_in(path).items()] == [
        (who, "2026-10-01T16:00:00+00:00"), ("ann", "2026-10-02T01:59:00+10:00"),
    ]  # fmt: skip
    lines = (["student", "due", "unit"], [who, "2026-10-01T16:00Z", ""], ["ann", "2026-10-02T01:59+10:00"])
    path.write_bytes("".join(between.join(line) + end for line in lines).encode(encoding))
    assert csv_tables.extensions(path) == [
        Extension(who, "2026-10-01T16:00Z"), Extension("ann", "2026-10-02T01:59+10:00"),
    ]  # fmt: skip


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
        csv_tables.handed_in(write(tmp_path / "times.csv", text))
    assert message in str(error.value)


def test_an_extension_without_an_offset_is_explained(tmp_path):
    path = write(tmp_path / "more.csv", "student,due\nann,2026-10-05\n")
    with pytest.raises(CourseError, match=r"more\.csv:2: '2026-10-05' has no offset from UTC"):
        csv_tables.extensions(path)


def test_a_table_of_extensions_has_one_of_each_work(tmp_path):
    table = tmp_path / "more.csv"
    line = "ann,2026-10-08T23:59+08:00"
    table.write_text(f"student,due,unit\n{line},\n{line},basics\n,,\n")
    assert [e.unit for e in csv_tables.extensions(table)] == ["", "basics"]
    table.write_text(f"student,due\n{line}\n{line}\n")
    with pytest.raises(CourseError, match=r"more.csv:3: 'ann' has two extensions of the same work; keep one"):
        csv_tables.extensions(table)
