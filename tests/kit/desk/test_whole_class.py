"""A class at the desk and by commands: a mistake without a name, a check that is taken out, an oral exam, a second
hand-in, and some who are graded again.
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from types import SimpleNamespace

import pytest
from browser import faults_of
from desks import ADDS, Desk, alert, command
from support import TOY, solution

from grader.report import record

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]
GUARD = "def scale(x, factor=2.0):\n    if factor == 0:\n        raise ValueError\n"
HALF_MORE = f"{GUARD}    return x * factor * 1.5\n"
ALSO = f"{GUARD}    y = 1.5 * x  # in two steps\n    return y * factor\n"
SOURCES = {
    "ann": solution("scale"),
    "bob": ADDS,
    "cem": HALF_MORE,
    "dee": HALF_MORE,
    "eve": ALSO,
    "fay": solution("scale"),
}
VALUES = {"kind": "check", "exercise": "scale", "id": "test_values", "reason": "The sheet did not ask for it."}
ALIKE = ("cem", "dee", "eve")


def hand_in(folder, sources):
    for name, source in sources.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "scale.py").write_text(source, encoding="utf-8")
        (folder / name / "pair.py").write_text(solution("pair"), encoding="utf-8")


@pytest.fixture(scope="module")
def term(tmp_path_factory):
    """Two hand-ins, graded, and the sheets of an oral exam."""
    root = tmp_path_factory.mktemp("term")
    shutil.copytree(TOY, root / "toy", ignore=shutil.ignore_patterns("__pycache__", "results"))
    hand_in(root / "week1", SOURCES)
    hand_in(root / "week2", {"bob": solution("scale")})
    for week in ("week1", "week2"):
        command("grade", root / week, "--out", root / "results", course=root / "toy")
    command("viva", root / "results", "--to", root / "sheets", "--questions", "2", course=root / "toy")
    return root


@pytest.fixture
def place(term, tmp_path):
    """Results of one's own."""
    shutil.copytree(term / "results", tmp_path / "results")
    return SimpleNamespace(course=term / "toy", results=tmp_path / "results", sheets=term / "sheets")


@pytest.fixture
def desk(place):
    running = Desk(place)
    yield running
    assert running.end() == 0


def score(desk, student):
    report = desk.report(student)
    assert report.sums_up
    return report.score, report.max_score


def group_of(text):
    return re.search(r"id=([0-9a-f]{8})\"", text)[1]


def test_a_mistake_without_a_name_gets_one_and_a_price(desk):
    listed = desk.page("/mistakes")
    assert "cem, dee, eve" in listed
    key = {"exercise": "scale", "id": group_of(listed)}
    page = desk.page("/group", **key)
    assert "3 students fail in the same way" in page
    assert page.count("return x * factor") == 0  # it is in colour
    assert page.count('class="code"') == 2  # one program of two students, another one of a third
    before, most = desk.points("cem"), desk.points("ann")
    form = {"kind": "group", **key, "name": "half_more", "reason": "You multiply by 1.5 <b>too</b>.", "points": "1"}
    assert "is no name of a mistake" in alert(desk.post("/rubric", **form | {"name": "Half more"})[1])
    assert "scale is worth 0 to" in alert(desk.post("/rubric", **form | {"points": "99"})[1])
    assert desk.post("/rubric", **form | {"id": "00000000"})[0] == 404
    assert "3 reports would change" in desk.post("/rubric", **form)[1]
    assert desk.points("cem") == before
    status, to = desk.post("/rubric", **form, apply="1")
    assert (status, to) == (303, "/mistake?exercise=scale&id=class%2Fhalf_more")
    assert [desk.points(s) for s in ALIKE] == [most - 1] * 3
    assert "multiply by 1.5 &lt;b&gt;too" in desk.page("/student", id="eve")
    assert "Without a name" not in desk.page("/mistakes")
    said = command("override", desk.results, course=desk.course)
    assert "of scale class/half_more" in said
    assert "costs 1 points; 3 made it" in said
    command("override", desk.results, "--exercise", "scale", "--mistake", "half_more", "--points", "2", "--reason", "x",
            course=desk.course)  # fmt: skip
    assert desk.points("dee") == most - 2
    for number in ("3", "2", "1"):
        desk.post("/undo", number=number, **key)
    assert desk.points("cem") == before
    assert "cem, dee, eve" in desk.page("/mistakes")


def test_a_name_by_command_stays_for_who_is_graded_again(place):
    said = command("override", place.results, course=place.course)
    group = re.search(r"3 fail scale alike.*--group (\w+) \(cem, dee, eve\)", said)[1]
    named = (
        "--exercise",
        "scale",
        "--group",
        group,
        "--mistake",
        "half_more",
        "--reason",
        "Too much.",
        "--points",
        "1",
    )
    before = _files(place)
    assert "nothing was changed" in command("override", place.results, *named, "--dry-run", course=place.course)
    assert _files(place) == before
    command("override", place.results, *named, course=place.course)
    named_now = _files(place)
    week = place.sheets.parent / "week1"
    command("grade", week, "--out", place.results, "--regrade", "--student", "dee", course=place.course)
    after = _files(place)
    assert {name for name in after if after[name][1] != named_now[name][1]} == {"dee.json"}
    assert "class/half_more" in after["dee.json"][0]
    with pytest.raises(AssertionError, match="no submission of 'zed'"):
        command("grade", week, "--out", place.results, "--student", "zed", course=place.course)
    assert _files(place) == after
    command("grade", week, "--out", place.results, course=place.course)  # nobody is lost by the small batch
    assert len(_files(place)) == len(SOURCES)


def _files(place):
    paths = (place.results / "reports").glob("*.json")
    return {p.name: (p.read_text(encoding="utf-8"), p.stat().st_mtime_ns) for p in paths}


def test_a_check_is_taken_out_for_all_and_put_back(desk):
    students = [*SOURCES]
    before = {s: score(desk, s) for s in students}
    status, page = desk.post("/rubric", **VALUES)
    assert status == 200
    assert "6 reports would change" in page
    assert {s: score(desk, s) for s in students} == before
    assert desk.post("/rubric", **VALUES, apply="1")[0] == 303
    worth = before["ann"][1] - score(desk, "ann")[1]
    assert worth > 0
    assert score(desk, "ann") == (before["ann"][0] - worth, before["ann"][1] - worth)
    assert score(desk, "cem")[0] == before["cem"][0]
    assert "It is taken out" in desk.page("/check", exercise="scale", id="test_values")
    assert "does not count: The sheet did not ask" in desk.page("/student", id="ann")
    command("report", desk.results, "--student", "ann", "--feedback", "verdict", course=desk.course)
    assert "did not ask for it" in (desk.results / "pages" / "ann.html").read_text("utf-8")
    number = re.search(r'name="number" value="(\d+)"', desk.page("/check", exercise="scale", id="test_values"))[1]
    status, to = desk.post("/undo", number=number, **VALUES)
    assert to == "/check?exercise=scale&id=test_values"
    assert {s: score(desk, s) for s in students} == before


def test_a_check_that_makes_no_sense_by_command(place):
    before = _files(place)
    for more, said in (
        (("--check", "test_valuse", "--reason", "x"), "no such check in scale; its checks are"),
        (("--check", "test_values"), "missing --reason"),
        (("--check", "test_values", "--points", "1", "--reason", "x"), "gives nobody points"),
        (("--check", "test_values", "--student", "ann", "--reason", "x"), "name one of"),
        (("--group", "00000000", "--mistake", "a", "--reason", "x"), "nobody fails scale in this way"),
        (("--group", "00000000", "--reason", "x"), "missing --mistake"),
    ):
        with pytest.raises(AssertionError, match=said):
            command("override", place.results, "--exercise", "scale", *more, course=place.course)
    assert _files(place) == before
    assert record.read(place.results).lines == []


def test_an_oral_exam_question_by_question(desk, place):
    assert "6 students wait for the exam." in desk.page("/oral")
    page = desk.page("/oral", student="ann")
    assert "Question 1 of 2" in page
    assert 'class="right"' in page
    before = score(desk, "ann")
    assert desk.post("/oral", student="ann", question="1", points="0.5", comment="<b>Slowly.")[1].endswith("question=2")
    assert score(desk, "ann") == (before[0] + 0.5, before[1] + 1)
    for wrong, said in (
        ({"points": "0.3"}, "whole or half points"),
        ({"points": "2"}, "from 0 to 1"),
        ({"given": "zz"}, "letters"),
    ):
        status, page = desk.post("/oral", student="ann", question="2", **wrong)
        assert status == 422
        assert said in alert(page)
    assert desk.post("/oral", student="nobody", question="1", points="1")[0] == 404
    assert desk.post("/oral", student="ann", question="9", points="1")[0] == 404
    right = re.search(r'class="right"><span>☑ (\w)\)', desk.page("/oral", student="ann", question="2"))[1]
    assert "student=bob" in desk.post("/oral", student="ann", question="2", given=right)[1]
    assert "5 students wait for the exam." in desk.page("/")
    checks = {c.id: c for e in desk.report("ann").exercises if e.id == "viva" for c in e.checks}
    assert (checks["1"].points, checks["1"].reason.key, checks["2"].points) in (
        (0.5, "<b>Slowly.", 1.0),
        (0.5, "<b>Slowly.", 0.0),
    )
    table = desk.results / "viva.csv"
    text = (place.sheets / "viva.csv").read_text("utf-8-sig")
    table.write_text(
        "\n".join(line.replace(",,,", ",,1,", 1) for line in text.splitlines() if not line.startswith("ann,")), "utf-8"
    )
    command("viva", desk.results, "--take", table, course=desk.course)
    assert "Everybody who has a sheet was examined." in desk.page("/oral")
    for student in ("ann", "cem"):
        assert "of an earlier sheet" not in desk.page("/oral", student=student, question="1")
    desk.post("/oral", student="ann", question="1", given="")
    assert "1 student waits for the exam." in desk.page("/oral")


def test_versions_side_by_side(desk):
    page = desk.page("/student", id="bob")
    assert "2 versions were handed in" in page
    page = desk.page("/version", id="bob", number=1)
    assert "Version 1 beside the one that counts" in page
    assert page.count('class="line changed"') >= 2
    assert "versions were handed in" not in desk.page("/student", id="ann")
    assert "There is nothing of this name here." in desk.page("/version", 404, id="bob", number=2)
    assert "There is nothing of this name here." in desk.page("/version", 404, id="nobody", number=1)


def test_some_are_graded_again_while_decisions_hold(desk):
    desk.post("/decide", student="cem", exercise="scale", points="1.5", reason="See me.", what="points")
    before = _files(desk)
    assert desk.post("/regrade", student="nobody")[0] == 404
    status, to = desk.post("/regrade", kind="group", exercise="scale", id=group_of(desk.page("/mistakes")))
    assert (status, to.partition("?")[0]) == (303, "/group")
    assert "already" in alert(desk.post("/regrade", student="ann")[1])
    for _ in range(600):
        if "were graded again" in (page := desk.page("/")):
            break
        time.sleep(0.5)
    assert "3 students were graded again" in page
    after = _files(desk)
    assert {name for name in after if after[name][1] != before[name][1]} == {f"{s}.json" for s in ALIKE}
    assert desk.points("cem") == 1.5


@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_can_be_read_by_everybody(desk, visit, width):
    page = visit(desk, width=width, dark=width < 1000)
    group = group_of(desk.page("/mistakes"))
    for path in (
        "/mistakes",
        f"/group?exercise=scale&id={group}",
        "/oral",
        "/oral?student=ann",
        "/version?id=bob&number=1",
    ):
        page.goto(desk.origin + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert faults_of(page) == [], path


def test_an_oral_exam_by_keyboard(desk, visit):
    page = visit(desk, "/oral")
    page.keyboard.press("n")
    page.wait_for_url("**/oral?student=ann")
    with page.expect_navigation():
        page.keyboard.press("1")
    page.keyboard.press(".")
    with page.expect_navigation():
        page.keyboard.press("0")
    page.wait_for_url("**/oral?student=bob*")
    checks = {c.id: c.points for e in desk.report("ann").exercises if e.id == "viva" for c in e.checks}
    assert checks == {"1": 1.0, "2": 0.5}
