"""A report survives JSON unchanged, and nothing else passes for one."""

from __future__ import annotations

import json
import subprocess
import sys

import msgspec
import pytest
from support import ROOT

from grader.report import Check, Diagnosis, Environment, ExerciseReport, Picture, Report, total
from grader.texts import Text, plain

WHY = Text("{part} is off by {error:.3g}", hint="a result is off").format(part=plain("the result"), error=0.5)
REPORT = Report(
    "学生 1", "graded", None, 1.5, 4.0, "abc",
    Environment("0.1", "3.11", "2.5", {"cpu": plain("ran"), "cuda": plain("no CUDA device")}, ("landlock", "seccomp")),
    (
        ExerciseReport(
            "scale", "failed", WHY, 1.5, 4.0,
            (Check("test_a[cpu]", plain("title"), "failed", 0.0, 2.5, WHY, 0.01),),
            (Diagnosis("scale/adds", plain("message"), ("test_a[cpu]",)),), "printed\n",
        ),
        ExerciseReport("pair", "missing", plain("pair.py is missing"), 0.0, 2.0),
    ),
)  # fmt: skip


def test_json_and_back():
    assert Report.from_json(REPORT.to_json()) == REPORT


def test_the_report_on_the_page_about_reports_can_be_read():
    page = (ROOT / "docs" / "report-format.md").read_text(encoding="utf-8")
    assert Report.from_json(page.partition("```json\n")[2].partition("```")[0]).sums_up


FIRST_AT_ONCE = """
import sys, threading
from grader.report import Report
from grader.sandbox.processes import Request
import msgspec
sys.setswitchinterval(1e-6)
at_once = threading.Barrier(8)
def read():
    at_once.wait()
    try:
        Report.from_json(sys.argv[1])
        msgspec.msgpack.decode(b"", type=Request)
    except msgspec.DecodeError:
        pass
threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def test_threads_that_read_their_first_report_at_once_do_not_crash():
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", FIRST_AT_ONCE, REPORT.to_json()], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_what_most_reports_leave_out_comes_back_too():
    picture = Picture(plain("result"), [1, 1], [[1.0]], [["nan"]])
    check = msgspec.structs.replace(
        REPORT.exercises[0].checks[0], values=WHY, picture=picture, of_file=True, answer="because",
        blank=True, graded=True, cuda="failed",
    )  # fmt: skip
    work = msgspec.structs.replace(
        REPORT.exercises[0], checks=(check,), started=False, stub=True, chief="test_a[cpu]", file="a/s.py"
    )
    report = msgspec.structs.replace(REPORT, exercises=(work,), ignored=("notes.txt",))
    assert Report.from_json(report.to_json()) == report


def test_a_check_has_a_line_of_its_own():
    """So that the difference between two reports can be read."""
    check = Check("test_b[cpu]", plain("title"), "passed", 1.0, 1.0, seconds=0.01)
    work = msgspec.structs.replace(REPORT.exercises[0], checks=(*REPORT.exercises[0].checks, check))
    lines = msgspec.structs.replace(REPORT, exercises=(work,)).to_json().splitlines()
    begun = [line.strip()[:20] for line in lines if '"title"' in line]
    assert begun == ['{"id": "test_a[cpu]"', '{"id": "test_b[cpu]"']


def test_the_format_is_the_documented_one():
    data = json.loads(REPORT.to_json())
    assert data["format"] == 2
    assert set(data) == {
        "format", "student", "status", "reason", "score", "max_score", "fingerprint", "environment", "exercises",
    }  # fmt: skip
    assert set(data["environment"]) == {"kit", "python", "torch", "devices", "isolation"}
    assert set(data["exercises"][0]) == {
        "id", "status", "reason", "score", "max_score", "checks", "diagnoses", "stdout",
    }  # fmt: skip
    assert set(data["exercises"][0]["checks"][0]) == {
        "id", "title", "verdict", "points", "max_points", "reason", "seconds",
    }  # fmt: skip
    assert data["exercises"][0]["checks"][0]["reason"] == {
        "key": "{part} is off by {error:.3g}", "values": {"part": {"key": "the result"}, "error": 0.5},
        "hint": "a result is off",
    }  # fmt: skip
    assert set(data["exercises"][0]["diagnoses"][0]) == {"misconception", "message", "checks"}


def test_a_newer_format_is_refused():
    data = {**json.loads(REPORT.to_json()), "format": 3}
    with pytest.raises(ValueError, match=r"^a report of format 3, which a newer version of the kit wrote; update this"):
        Report.from_json(json.dumps(data))


def without(*path):
    data = json.loads(REPORT.to_json())
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return json.dumps(data)


@pytest.mark.parametrize(
    "text",
    [
        "", "no JSON", "[]", "null", "{}", '"text"', '{"format": 0}', '{"format": "2"}', '{"format": 1}',
        '{"format": 2}', '{"format": 1, "exercises": 3}',
        without("student"), without("environment", "kit"), without("exercises", 0, "score"),
        without("exercises", 0, "checks", 0, "verdict"), REPORT.to_json().replace('"student"', '"pupil"'),
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused(text):
    with pytest.raises(ValueError, match="^not a report: "):
        Report.from_json(text)


def test_what_is_said_where_a_key_or_a_text_is_of_another_kind():
    for old, new, where in (
        ('"key": "title"', '"name": "title"', r"unknown field `name` - at `\$\.exercises\[0\]\.checks\[0\]\.title`"),
        ('{"key": "title"}', '"title"', r"Expected `object`, got `str` - at `\$\.exercises\[0\]\.checks\[0\]\.title`"),
    ):
        with pytest.raises(ValueError, match=where) as found:
            Report.from_json(REPORT.to_json().replace(old, new))
        assert "\n" not in str(found.value)


def test_points_add_up_without_dust():
    assert total([0.1] * 3) == 0.3
    assert total([2 / 3] * 3) == 2.0
    assert total([]) == 0
