"""`grader desk`: what a teacher sees of a class that was graded, and what a decision does to reports and record."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import sys
from types import SimpleNamespace

import pytest
from desks import HOSTILE, Desk, alert, command

from grader.course import course as courses
from grader.desk import desk as desks
from grader.desk import writing
from grader.desk.index import ItemAnalysis
from grader.errors import CourseError, MachineError
from grader.report import Decision, Results, record
from grader.report.report import Report

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]
ADDS = {"exercise": "scale", "id": "scale/adds_instead"}
ESSAY = "quiz/essay"
SOURCES = desks.Sources(lambda *_: {}, lambda *_: {}, lambda: pytest.fail("no process"), lambda _: [])


def test_the_class(desk):
    page = desk.page("/")
    assert "<strong>12</strong>" in page
    assert "5 answers wait" in page
    assert "The factor is added instead of multiplied." in page
    listed = re.findall(r'href="/student\?id=(\w+)"', desk.page("/", show="late"))
    assert listed == ["bob"]
    assert re.findall(r'href="/student\?id=(\w+)"', desk.page("/", q="E")) == ["cem", "dee", "eve", "joe"]
    assert "No student matches." in desk.page("/", q=HOSTILE)


def test_a_student(desk):
    page = desk.page("/student", id="eve")
    line = page[page.index('class="line bad"') :]
    assert line.index("undefined") < line.index("NameError: name") < line.index("</div>", line.index("</p>"))
    assert "&lt;/script&gt;" in page
    assert "23.0 h after it was due" in desk.page("/student", id="bob")
    assert "There is nothing of this name here." in desk.page("/student", 404, id=HOSTILE)


def test_a_decision_is_in_report_page_and_history_and_can_be_taken_back(desk):
    before = desk.points("gus")
    why = "Right idea <b>"
    status, to = desk.post("/decide", student="gus", exercise="scale", points="3,5", reason=why, what="points")
    assert (status, to) == (303, "/student?id=gus#scale")
    assert desk.points("gus") == 3.5
    desk.post("/decide", student="gus", exercise="scale", points="2", reason="No.", what="points")
    desk.post("/decide", student="gus", exercise="scale", reason="See me.", what="comment")
    assert desk.points("gus") == 2.0
    page = desk.page("/student", id="gus")
    assert "no longer holds" in page
    assert "Right idea &lt;b&gt;" in page
    assert "See me." in page
    command("report", desk.results, "--student", "gus", course=desk.course)
    assert "Your teacher gave 2 points in place of" in (desk.results / "pages" / "gus.html").read_text("utf-8")
    assert "See me." in command("override", desk.results, course=desk.course)
    lines = [d for d in record.read(desk.results).holding if d.student == "gus"]
    for line in lines:
        desk.post("/undo", number=str(line.number), student="gus")
    desk.post("/undo", number="1", student="gus")
    assert desk.points("gus") == before
    assert desk.report("gus").sums_up


NONSENSE = [
    ({"points": "5", "reason": "x"}, "5 points: scale is worth 0 to 4 points"),
    ({"points": "-1", "reason": "x"}, "scale is worth 0 to 4 points"),
    ({"points": "nan", "reason": "x"}, "is no number of points"),
    ({"points": "", "reason": "x"}, "is no number of points"),
    ({"points": "1", "reason": "  "}, "a reason is missing"),
    ({"points": "1", "reason": "x", "exercise": HOSTILE}, "was not graded on"),
]


def test_what_makes_no_sense_changes_nothing(desk):
    before, lines = desk.report("joe"), record.read(desk.results).lines
    for given, said in NONSENSE:
        form = {"student": "joe", "exercise": "scale", "what": "points", **given}
        status, page = desk.post("/decide", **form)
        assert status == 422
        assert said in alert(page), given
    assert desk.post("/decide", student="nobody", exercise="scale", points="1", reason="x")[0] == 404
    assert "no such decision holds" in alert(desk.post("/undo", number="99", student="joe")[1])
    assert desk.post("/rubric", exercise="scale", id="nobody/s", points="1", reason="x")[0] == 404
    assert (desk.report("joe"), record.read(desk.results).lines) == (before, lines)


def test_only_its_own_pages_may_ask(desk):
    form = b"student=joe&exercise=scale&points=1&reason=x&what=points"
    assert desk.ask("/", Cookie=None)[0] == 403
    assert desk.ask("/", Host="evil.example")[0] == 421
    for origin in (None, "null", "http://evil.example"):
        assert desk.ask("/decide", "POST", form, Origin=origin)[0] == 403
    for body in (b"\xff", b"%ff=%ff", b"a&" * 50):
        assert desk.ask("/decide", "POST", body)[0] == 404
    assert desk.points("joe") == 4.0


def test_what_a_mistake_costs_is_shown_then_applied_to_all_who_made_it(desk):
    page = desk.page("/mistake", **ADDS)
    for who in ("bob", "cem", "dee"):
        assert f'href="/student?id={who}"' in page
    before = {who: desk.points(who) for who in ("bob", "cem", "dee", "eve")}
    form = {**ADDS, "points": "1", "reason": "a slip"}
    status, page = desk.post("/rubric", **form)
    assert status == 200
    assert "3 reports would change, by 1.8 points in all. Nothing has changed yet." in page
    assert {who: desk.points(who) for who in before} == before
    assert desk.post("/rubric", **form, apply="1")[0] == 303
    assert {who: desk.points(who) for who in before} == {"bob": 3.0, "cem": 3.0, "dee": 3.0, "eve": before["eve"]}
    assert "costs 1 points; 3 made it" in command("override", desk.results, course=desk.course)
    page = desk.page("/mistake", **ADDS)
    number = re.search(r'name="number" value="(\d+)"', page)[1]
    desk.post("/undo", number=number, **ADDS)
    assert {who: desk.points(who) for who in before} == before
    assert "worth 0 to 4 points" in alert(desk.post("/rubric", **form | {"points": "9"})[1])


def test_a_check(desk):
    page = desk.page("/check", exercise="scale", id="test_values")
    assert "4 of 11 fail" in page  # one has handed in nothing
    assert "The factor is added instead of multiplied." in page
    assert "1 student fails it without a named mistake." in page
    assert "test_values" in desk.page("/checks")


def test_answers_in_sentences(desk):
    page = desk.page("/essays", question=ESSAY)
    groups = {}
    for _ in range(4):
        id = re.search(r'name="answer" value="(\w+)"', page)[1]
        groups[re.search(r'<p class="answer">(.*?)</p>', page, re.DOTALL)[1].strip()] = id
        if after := re.search(r'rel="next" href="([^"]+)"', page):
            page = desk.page(after[1].replace("&amp;", "&").partition("?")[0], question=ESSAY, answer=_answer(after[1]))
    assert len(groups) == 4
    same = groups["Because  it is."]
    hidden = desk.page("/essays", question=ESSAY, answer=same, anonymous="1")
    assert "2 students wrote this." in hidden
    assert "/student?id=" not in hidden
    form = {"question": ESSAY, "answer": same, "comment": "<b>Why?</b>"}
    for wrong in ("4", "-1", "0.3", "abc"):
        status, page = desk.post("/mark", **form, points=wrong)
        assert status == 422
        assert "from 0 to 3" in alert(page)
    assert desk.points("ann", "quiz") == 2.0
    assert desk.post("/mark", **form, points="1.5")[0] == 303
    for who in ("ann", "bob"):
        check = next(c for e in desk.report(who).exercises for c in e.checks if c.id == "essay")
        assert (check.points, check.graded, check.reason.key) == (1.5, True, "<b>Why?</b>")
    assert "3 answers wait" in desk.page("/")
    desk.post("/mark", **form)
    assert "5 answers wait" in desk.page("/")


def _answer(address):
    return re.search(r"answer=(\w+)", address)[1]


def test_a_call_of_ones_own_in_the_sandbox(desk):
    form = {"student": "cem", "exercise": "scale"}
    status, page = desk.post("/again", **form, call="scale(tensor([1.0, 2.0]), factor=3)")
    assert status == 200
    assert "What the call returns" in page
    assert "[2] float32" in page
    assert "The call is one of this check:" in desk.post("/again", **form, call="")[1]
    for call in (
        "__import__('os').system('true')",
        "scale(open('x'))",
        "scale(",
        "scale(zeros(9999999))",
        "scale(1)(2)",
    ):
        status, page = desk.post("/again", **form, call=call)
        assert status == 200
        assert "this call cannot be made" in page, call
    assert desk.post("/again", student="nobody", exercise="scale")[0] == 404
    assert desk.post("/again", student="cem", exercise=HOSTILE)[0] == 404
    assert "has questions and no code" in desk.post("/again", student="cem", exercise="quiz")[1]


def test_a_second_desk_shows_the_first(desk):
    port = desk.port
    second = Desk(SimpleNamespace(course=desk.course, results=desk.results), "--lang", "en")
    assert (second.port, second.process.wait(60)) == (port, 0)
    second.kill()
    assert "The desk is open already" in second.said


def test_what_is_no_results_folder(graded, tmp_path):
    with pytest.raises(AssertionError, match="no folder reports in it"):
        command("desk", tmp_path, "--no-browser", course=graded / "toy")


@pytest.fixture
def here(place, monkeypatch):
    """A desk without a server, which waits for nobody."""
    monkeypatch.setattr(record, "WAIT", 0.1)
    monkeypatch.setattr(writing, "WAIT", 0.1)
    with contextlib.closing(desks.Desk(place.results, courses.load(place.course), "en", SOURCES)) as found:
        yield found


GIVEN = Decision("scale", "x", "ann", points=1.0)


def test_a_batch_that_still_runs_is_left_alone(here):
    before = here.report("ann")
    with contextlib.closing(Results(here.results)), pytest.raises(CourseError, match="is writing here"):
        here.decide(GIVEN)
    assert here.report("ann") == before
    assert record.read(here.results).lines == []
    here.decide(GIVEN)
    assert here.report("ann").exercises[0].score == 1.0


def test_a_record_that_is_locked_or_newer(here):
    here.decide(GIVEN)
    before = here.report("ann")
    path = here.results / record.FILE
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(MachineError, match="cannot be used: database is locked; nothing was changed"):
            here.decide(Decision("scale", "y", "ann", points=2.0))
        other.execute("ROLLBACK")
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(CourseError, match="a newer version of the kit wrote it"):
        here.decide(Decision("scale", "y", "ann", points=2.0))
    assert here.report("ann") == before


def test_what_another_desk_or_a_batch_wrote_meanwhile_counts(here, place):
    command("override", place.results, "--student", "bob", "--exercise", "scale", "--points", "0.5", "--reason", "x",
            course=place.course)  # fmt: skip
    here.index.refresh()
    assert here.index.students["bob"].score == here.report("bob").score == 4.5
    here.decide(Decision("pair", "y", "bob", points=1.0))
    assert [e.score for e in here.report("bob").exercises][:2] == [0.5, 1.0]
    (place.results / "reports" / "kim.json").unlink()
    (place.results / "reports" / "lou.json").write_text("{", encoding="utf-8")
    here.index.refresh()
    assert "kim" not in here.index.students
    assert "lou.json" in here.index.damaged
    runs = {key: facts.runs for key, facts in here.index.checks.items()}
    assert runs["scale", "test_values"] == 9


def test_summary_and_page_follow_also_after_a_kill(place, monkeypatch):
    course = courses.load(place.course)
    record.add(place.results, Decision("scale", "x", "bob", points=1.0))  # and no report was written any more
    first = desks.Desk(place.results, course, "en", SOURCES)
    monkeypatch.setattr(first.summing, "needed", lambda: None)  # which is how it looks to who is killed
    first.decide(GIVEN)
    assert _summed(place.results, "ann") == 8.0
    desks.Desk(place.results, course, "en", SOURCES).close()
    report = Report.from_json((place.results / "reports" / "ann.json").read_text("utf-8"))
    assert _summed(place.results, "ann") == report.score == 5.0
    assert _summed(place.results, "bob") == 5.0


def _summed(results, student):
    line = next(s for s in (results / "summary.csv").read_text("utf-8").splitlines() if s.startswith(student))
    return float(line.split(",")[2])


def facts(passing, failing):
    found = ItemAnalysis("scale", "test", None)
    for failed, rests in ((False, passing), (True, failing)):
        for rest in rests:
            found.count(failed, rest, 0.1, 1)
    return found


def test_a_check_that_good_students_fail_stands_out():
    good, weak = [8, 9, 10, 9, 8, 10], [1, 2, 3, 2, 1]
    assert facts(good, weak).discrimination == pytest.approx(0.976, abs=0.01)
    assert not facts(good, weak).backwards
    assert facts(weak, good).backwards
    assert facts(good, weak[:4]).discrimination is None
    assert facts([5] * 6, [5] * 6).discrimination is None
