"""The page of a class answers an instructor's first questions first."""

from __future__ import annotations

import sys

import msgspec
import pytest
from class_reports import (
    ADDS,
    LONG,
    SMALL,
    STUB,
    submissions,
    text_of,
)

from grader.intake import similarity
from grader.rendering.pages import pages as html
from grader.report import results as aftermath
from grader.report.summary import Fault, Row
from grader.texts import plain


def test_the_page_of_a_class_answers_the_first_questions_first(results, class_page):
    said = text_of(class_page(results(*SMALL)).read_text(encoding="utf-8"))
    order = [
        "3 graded", "1 rejected", "median", "Most often misunderstood:", ADDS, "dee.zip is no readable zip file",
        "What the class misunderstood", "For the next lecture", "Scores", "Everyone", "Checks that most fail",
        "Slowest checks",
    ]  # fmt: skip
    places = [said.find(words) for words in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)


def test_the_lecture_gets_an_example_without_a_name(results, class_page):
    page = class_page(results(*SMALL)).read_text(encoding="utf-8")
    lecture = page[page.index("For the next lecture") : page.index('id="scores"')]
    assert "<svg" in lecture
    assert "the result is off by up to 2" in lecture
    assert "bob" not in lecture


def test_faults_damaged_reports_and_what_a_regrade_changed(results, class_page):
    folder = results(*SMALL)
    (folder / "reports" / "zed.json").write_text("{")
    old, new = (
        Row.of(r) for r in (SMALL[2], msgspec.structs.replace(SMALL[2], score=0.5, fingerprint="source=1 suites=3"))
    )
    aftermath.keep(folder, [Fault("eve", "no memory left"), new], {"cem": old})
    said = text_of(class_page(folder).read_text(encoding="utf-8"))
    assert "1 not graded" in said
    assert "eve no memory left" in said
    assert "zed.json" in said
    assert "1 of / 1 scores changed" in said
    assert "1 / 4 0.5 / 4" in said
    assert "suites" in said


def test_no_report_yet(results, class_page):
    assert "There is no report here yet." in text_of(class_page(results()).read_text(encoding="utf-8"))


def test_the_page_calls_it_a_hint(results, class_page):
    found = similarity.find(submissions(ann=LONG, bob=LONG), {"scale": STUB}, {})
    said = text_of(class_page(results(*SMALL), findings=found).read_text(encoding="utf-8"))
    assert "A hint where to look, not a verdict" in said
    assert "the whole submission" in said
    nobody = text_of(class_page(results(*SMALL)).read_text(encoding="utf-8"))
    assert "grader report RESULTS --submissions DIR" in nobody


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_real_reports_become_pages(grade, toy, results, class_page):
    """What the grader writes, not what this file makes up."""
    bad = grade(scale="def scale(x, factor=2.0): return x + factor\n", pair="def pair(x): raise NotImplementedError\n")
    page = html.student_page(bad, toy, "zh")
    assert plain(ADDS).to("zh") in page
    assert "尚未开始" in page
    assert "2 rarer" not in text_of(class_page(results(bad)).read_text(encoding="utf-8"))
