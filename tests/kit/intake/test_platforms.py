"""A class of thirty from each platform, graded as an instructor does it: every right solution gets full marks, every
entry is accounted for, and what nobody could use is said first."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import shutil
import sys
from pathlib import Path

import pytest
from commands import Borrowed
from platforms import CLASS, DUE, PEOPLE, PLATFORMS, HandIn, Person
from support import TOY

from grader.cli import common, main
from grader.intake import submission
from grader.report import Report

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


@dataclasses.dataclass(frozen=True)
class Graded:
    """What one run left."""

    platform: str
    code: int
    said: str
    reports: dict[str, Report]
    rows: dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def due(tmp_path_factory) -> Path:
    """The toy course with a due date."""
    course = tmp_path_factory.mktemp("due") / "toy"
    shutil.copytree(TOY, course, ignore=shutil.ignore_patterns("__pycache__"))
    text = (course / "course.yaml").read_text(encoding="utf-8")
    (course / "course.yaml").write_text(DUE + text, encoding="utf-8")
    return course


@pytest.fixture(scope="module")
def grade(fork_server, due):
    """`grade(...)` runs the command: its exit code and all that it printed."""

    def run(*arguments) -> tuple[int, str]:
        out = io.StringIO()
        with pytest.MonkeyPatch.context() as patched, contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            patched.setattr(common, "start_fork_server", lambda course=None, confined=True: Borrowed(fork_server))
            patched.setenv("COLUMNS", "200")
            code = main([*map(str, ("grade", *arguments, "--course", due, "--lang", "en"))])
        return code, out.getvalue()

    return run


@pytest.fixture(scope="module", params=[(p, form) for p in PLATFORMS for form in ("folder", "zip")], ids="-".join)
def graded(request, tmp_path_factory, grade) -> Graded:
    """The class from one platform, unpacked or in the zip that the platform gave."""
    platform, form = request.param
    base = tmp_path_factory.mktemp(platform)
    download = base / {"gradescope": "assignment_7_export", "github": "week-1-submissions"}.get(platform, "submissions")
    roster = PLATFORMS[platform](download)
    if form == "zip":
        download = Path(shutil.make_archive(str(download), "zip", base, download.name))
    hidden = ["--from", "github"] if (platform, form) == ("github", "zip") else []  # no .git in it to know it by
    out = base / "results"
    code, said = grade(download, "--out", out, "--roster", roster, "--seed", 1, *hidden)
    found = [Report.from_json(p.read_text(encoding="utf-8")) for p in (out / "reports").glob("*.json")]
    with open(out / "summary.csv", newline="", encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    return Graded(platform, code, said, {r.student: r for r in found}, rows)


def here(graded: Graded) -> dict[Person, HandIn]:
    """Who is in the download at all: Canvas leaves out who handed in nothing."""
    return {p: h for p, h in CLASS.items() if h.files or graded.platform != "canvas"}


def test_everybody_is_accounted_for_under_the_name_of_the_class_list(graded):
    assert set(graded.reports) == set(graded.rows) == {person.login for person in here(graded)}


@pytest.mark.parametrize("person", PEOPLE, ids=lambda p: p.login)
def test_everybody_gets_what_is_due(graded, person):
    if person not in here(graded):
        pytest.skip("not in the download")
    report, hand_in = graded.reports[person.login], CLASS[person]
    reasons = [reason.to("en") if reason else "" for reason in (report.reason, *(e.reason for e in report.exercises))]
    if hand_in.score is None:
        assert (report.status, report.score) == ("rejected", 0.0)
    else:
        assert (report.status, report.score) == ("graded", hand_in.score), reasons
    empty = hand_in.reason in ("nothing was handed in", submission.EMPTY.to("en")) and graded.platform == "github"
    wanted = "none of its files is one of the course's: README.md" if empty else hand_in.reason
    assert any(wanted in reason for reason in reasons), reasons


def test_what_could_not_be_used_comes_first_and_somebody_has_to_look(graded):
    rejected = sorted(p.login for p, h in here(graded).items() if h.score is None)
    assert graded.code == 1
    assert list(graded.rows)[: len(rejected)] == rejected
    assert all(graded.rows[student]["reason"] for student in rejected)
    assert f"{len(graded.rows) - len(rejected)} graded, 0 not graded, {len(rejected)} rejected" in graded.said


def test_the_platform_is_recognised(graded):
    assert f"Read as {graded.platform}: {len(graded.rows)} submissions." in graded.said


def test_what_is_nobodys_is_named(graded):
    if graded.platform == "canvas":
        assert "Skipped, because no student could be found for: rubric.pdf" in graded.said
    else:
        assert "Skipped, because" not in graded.said


def test_who_was_late_pays_where_the_platform_says_when(graded):
    late = next(p.login for p, h in CLASS.items() if h.late)
    if graded.platform in ("moodle", "gradescope"):
        assert float(graded.rows[late]["hours_late"]) == pytest.approx(36.02, abs=0.01)
        assert graded.rows[late]["points_that_count"] == "4.8"
        others = [row for student, row in graded.rows.items() if student != late]
        assert all(float(row["hours_late"] or 0) == 0 for row in others)
        assert all(row["points_that_count"] == row["score"] for row in others)
    else:
        assert "hours_late" not in graded.rows[late]
    if graded.platform == "canvas":
        assert "Canvas marks it late without saying by how much; give the time with --times" in graded.said
