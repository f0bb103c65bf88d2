"""The pages as people open them: they work, are accessible, and load and complain of nothing."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest
from browser import faults_of
from class_reports import (
    ADDS,
    HOSTILE,
    LONG,
    OFF,
    SMALL,
    STUB,
    TITLE,
    check,
    missing,
    report,
    right,
    submissions,
    wrong,
)
from support import ROOT, wait_until

from grader import catalogues
from grader.course import course as courses
from grader.intake import similarity
from grader.rendering.pages import class_page as class_pages
from grader.rendering.pages import pages as html
from grader.report import results as aftermath
from grader.report.report import Diagnosis, Report
from grader.report.summary import Fault, Row
from grader.texts import plain

pytestmark = pytest.mark.slow


@pytest.fixture
def student_page(tmp_path, toy):
    def write(one: Report):
        path = tmp_path / "student.html"
        path.write_text(html.student_page(one, toy, "en"), encoding="utf-8")
        return path

    return write


def rows(page) -> list[str]:
    return page.locator("#matrix tbody th").all_inner_texts()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_student_page_is_accessible(visit, student_page, dark, width):
    page = visit(student_page(SMALL[1]), dark, width)
    for summary in page.locator("summary").all():
        summary.click()
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_class_page_is_accessible(visit, results, class_page, dark, width):
    folder = results(*SMALL)
    aftermath.keep(folder, [Fault("eve", "no memory left")], {"x": Row.of(SMALL[0])})
    found = similarity.find(submissions(ann=LONG, bob=LONG), {"scale": STUB}, {})
    page = visit(class_page(folder, findings=found), dark, width)
    for summary in page.locator("summary").all():
        summary.click()
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("#matrix tbody tr:nth-child(2) a")
    assert page.locator("dialog[open]").count() == 1
    assert faults_of(page) == []


def test_many_exercises_stand_under_their_units(visit, results):
    """In the order of the path; units that nobody has begun are folded."""
    course = courses.load(ROOT)
    begun = course.path[1].exercises[0].id
    one = report("ann", *(right(e.id) if e.id == begun else missing(e.id) for e in course.exercises))
    page = visit(class_pages.write(results(one), course, "en"), dark=True, width=390)
    units = page.locator("#exercises details.unit")
    assert [text.split("\n")[0] for text in units.locator("summary").all_inner_texts()] == [
        u.title.to("en") for u in course.path
    ]
    assert units.evaluate_all("units => units.map((unit) => unit.open)") == [n == 1 for n in range(len(course.path))]
    for summary in units.locator("summary").all():
        summary.click()
    assert page.locator("#exercises li").count() == len(course.exercises)
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_language_switch(visit, student_page):
    page = visit(student_page(SMALL[1]))
    assert page.locator("h2").first.inner_text() == "Exercises"
    page.click('[data-set="lang"][value="zh"]')
    assert page.locator("h2").first.inner_text() == "练习"
    assert page.locator("html").get_attribute("lang") == "zh"
    assert page.locator(".callout p").inner_text() == plain(ADDS).to("zh")
    assert page.locator("pre").first.inner_text() == OFF.to("zh")
    for summary in page.locator("summary").all():
        summary.click()
    said = page.locator("main").inner_text()
    for text in (TITLE, "Multiply by a factor", "the result"):
        assert plain(text).to("zh") in said
        assert text not in said


def test_the_language_switch_of_a_class(visit, results, class_page):
    page = visit(class_page(results(*SMALL)))
    page.click("#matrix tbody tr:nth-child(2) a")
    assert OFF.to("en") in page.locator("dialog").inner_text()
    page.keyboard.press("Escape")
    page.click('[data-set="lang"][value="zh"]')
    page.click("#matrix tbody tr:nth-child(2) a")
    page.click("dialog summary")
    shown = page.locator("dialog").inner_text()
    for text in (OFF, plain(ADDS), plain(TITLE), plain("Multiply by a factor")):
        assert text.to("zh") in shown
        assert text.to("en") not in shown
    page.keyboard.press("Escape")
    assert "尚未" in page.locator("main").inner_text() or "缺失" in page.locator("main").inner_text()
    assert plain(ADDS).to("zh") in page.locator("#mistakes").inner_text()
    assert page.locator("#hardest tbody tr").first.locator("td").last.inner_text() == plain(TITLE).to("zh")


def test_the_language_is_remembered(visit, student_page):
    """Chromium hands what a page remembers to another process without waiting: a reload may be there first."""
    page = visit(student_page(SMALL[1]))
    page.click('[data-set="lang"][value="zh"]')

    def in_chinese() -> bool:
        page.reload()
        return page.locator("h2").first.inner_text() == "练习"

    assert wait_until(in_chinese)


def test_a_third_language(visit, results, tmp_path, toy, monkeypatch):
    """On the page of a student and on that of the class, whose table a script draws."""
    said = {
        "Exercises": "Aufgaben",
        "Find a student": "Suche",
        "The name of this language, in this language": "Deutsch",
    }
    german = catalogues.Catalogue({key: (form,) for key, form in said.items()})
    monkeypatch.setattr(catalogues, "_known", {**catalogues._known, "de": german})
    toy = dataclasses.replace(toy, settings=dataclasses.replace(toy.settings, languages=("en", "zh", "de")))
    path = tmp_path / "student.html"
    path.write_text(html.student_page(SMALL[1], toy, "zh"), encoding="utf-8")
    page = visit(path)
    assert page.locator("[data-set=lang]").all_inner_texts() == ["English", "中文", "Deutsch"]
    assert page.locator("h2").first.inner_text() == "练习"
    page.click('[data-set="lang"][value="de"]')
    assert page.locator("h2").first.inner_text() == "Aufgaben"
    assert page.locator("html").get_attribute("lang") == "de"
    page = visit(class_pages.write(results(*SMALL), toy, "en"))
    page.click('[data-set="lang"][value="de"]')
    assert "Suche" in page.locator("#filters").inner_text()
    assert "Find a student" not in page.locator("#filters").inner_text()


def test_the_colour_switch(visit, student_page):
    page = visit(student_page(SMALL[1]))
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click('[data-set="theme"][value="dark"]')
    assert page.evaluate(colour) != light
    page.click('[data-set="theme"][value="light"]')
    assert page.evaluate(colour) == light


def test_sort_filter_search(visit, results, class_page):
    page = visit(class_page(results(*SMALL)))
    assert rows(page) == ["ann", "bob", "cem", "dee"]
    page.click("#matrix thead th:first-child button")
    assert rows(page) == ["dee", "cem", "bob", "ann"]
    assert page.locator("#matrix thead th:first-child").get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="Total").press("Enter")
    assert rows(page)[0] == "ann"
    page.get_by_role("button", name="Total").press("Enter")
    assert rows(page)[-1] == "ann"
    page.select_option("#filter-state", label="missing")
    assert rows(page) == ["cem"]
    page.select_option("#filter-exercise", label="Multiply by a factor")
    assert rows(page) == []
    assert page.inner_text("#shown") == "No student matches."
    page.click("#filter-clear")
    page.fill("#filter-text", "E")
    assert set(rows(page)) == {"cem", "dee"}
    assert page.inner_text("#shown") == "2 of 4 students"
    page.click("#filter-clear")
    page.click("[data-mistake='0']")
    assert set(rows(page)) == {"bob", "cem"}
    page.click("[data-from='70']")
    assert rows(page) == ["bob"]
    page.click("[data-from='70']")
    assert len(rows(page)) == 4


def test_bars_are_as_high_as_their_counts(visit, results, class_page):
    page = visit(class_page(results(*SMALL, report("eve", right("scale")), report("fay", right("scale")))))
    heights = page.locator(".histogram i").evaluate_all("bars => bars.map((bar) => bar.getBoundingClientRect().height)")
    assert heights[2] == pytest.approx(heights[9] / 3, abs=1)  # cem alone at a quarter of the points, three at all


def test_looking_closer_at_a_student(visit, results, class_page):
    path = class_page(results(*SMALL))
    page = visit(path)
    page.click("#matrix tbody tr:nth-child(2) a")
    shown = page.locator("dialog")
    assert shown.locator("h2").inner_text() == "bob"
    assert ADDS in shown.inner_text()
    assert "off by up to 2" in shown.inner_text()
    page.keyboard.press("Escape")
    assert not shown.is_visible()
    page.wait_for_function("location.hash === ''")
    linked = visit(path, fragment="#student=cem")
    assert linked.locator("dialog h2").inner_text() == "cem"
    linked.click("dialog .callout a")
    assert not linked.locator("dialog").is_visible()
    assert linked.url.endswith("#mistake-0")


def test_what_waits_for_a_person_is_neither_passed_nor_broken(visit, results, class_page):
    waiting = msgspec.structs.replace(right("pair"), status="waiting", checks=(check("essay", "skipped"),))
    page = visit(class_page(results(report("ann", right("scale"), waiting), *SMALL[1:3])))
    assert "waits for a person" in page.locator("#matrix tbody tr:first-child").inner_text()
    page.click("#matrix tbody tr:first-child a")
    assert page.locator("dialog .pill").all_inner_texts() == ["waits for a person"]
    page.keyboard.press("Escape")
    page.select_option("#filter-state", label="waits for a person")
    assert rows(page) == ["ann"]


def test_a_large_class_comes_in_pages(visit, results, class_page):
    page = visit(class_page(results(*(report(f"s{n:04}", right("scale"), wrong("pair")) for n in range(250)))))
    assert len(rows(page)) == 100
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    assert rows(page)[-1] == "s0249"
    assert page.get_by_role("button", name="Next").is_disabled()
    page.fill("#filter-text", "s0007")
    assert rows(page) == ["s0007"]


def test_hostile_students_stay_text_in_the_browser(visit, results, class_page, student_page):
    hostile = report(HOSTILE, wrong("scale", HOSTILE, title=HOSTILE), right("pair"), reason=HOSTILE)
    mistaken = msgspec.structs.replace(
        hostile.exercises[0], diagnoses=(Diagnosis(HOSTILE, plain(HOSTILE), (HOSTILE,)),)
    )
    hostile = msgspec.structs.replace(hostile, exercises=(mistaken, hostile.exercises[1]))
    folder = results(hostile, *SMALL)
    aftermath.keep(folder, [Fault(HOSTILE, HOSTILE)], {})
    page = visit(class_page(folder))
    page.locator("#matrix tbody a").filter(has_text="alert").click()
    assert page.locator("dialog h2").inner_text() == HOSTILE.replace("\u2028", " ") or HOSTILE in page.inner_text(
        "dialog"
    )
    alone = visit(student_page(hostile))
    for one in (page, alone):
        assert one.locator("img").count() == 0
        assert one.locator("script:not([type])").count() == 1
