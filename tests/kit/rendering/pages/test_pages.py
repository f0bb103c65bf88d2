"""A student's page: what to look at first, in both languages, and nothing of a stranger's becomes markup."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import msgspec
import pytest
from class_reports import (
    ADDS,
    ENVIRONMENT,
    HOSTILE,
    OFF,
    PICTURE,
    SMALL,
    TITLE,
    report,
    text_of,
    wrong,
)
from support import ROOT, TOY

from grader.course import course as courses
from grader.rendering.pages import pages as html
from grader.texts import Text


def test_a_report_says_what_to_look_at_first(toy):
    said = text_of(html.student_page(SMALL[1], toy, "en"))
    assert "bob" in said
    assert "3 of / 4 points" in said  # both languages are in the page; one shows
    assert "Look at this first: 先看这里： Multiply by a factor" in said
    assert ADDS in said
    assert "the result is off by up to 2" in said


def test_all_of_a_report_comes_in_both_languages(toy):
    """Titles, reasons, mistakes and pictures, from one report."""
    page = html.student_page(SMALL[1], toy, "zh")
    assert 'data-lang="zh"' in page
    for said in (TITLE, ADDS, "the result", "Multiply by a factor"):
        assert said in page
        assert Text(said).to("zh") != said
        assert Text(said).to("zh") in page
    reason = '<span class="en" lang="en">{}</span><span class="zh" lang="zh">{}</span>'
    assert reason.format(OFF.to("en"), OFF.to("zh")) in page


def test_what_no_catalogue_has_is_said_as_it_was_written(toy):
    """A suite's sentence that has changed since, for example."""
    old = report("s", wrong("scale", title="an older title"))
    assert "an older title" in text_of(html.student_page(old, toy, "zh"))


def test_everything_passed(toy):
    assert "Everything passes" in text_of(html.student_page(SMALL[0], toy, "en"))


def test_the_fragment_for_notebooks_has_one_language_and_no_script(toy):
    english, chinese = (html.fragment(SMALL[1], lang, toy) for lang in ("en", "zh"))
    assert english.startswith('<div class="ak" lang="en">')
    assert "<script" not in english + chinese
    assert "Look at this first" in english
    assert "先看这里" not in english
    assert "先看这里" in chinese


def test_a_picture_shows_expected_actual_and_difference(toy):
    page = html.student_page(SMALL[1], toy, "en")
    assert page.count("<svg") == 3
    assert page.count('class="framed"') == 3
    for words in ("expected", "your result", "difference", ">nan<", ">∞<", ">.50<", ">-2.50<"):
        assert words in page
    assert '<td class="wrong">nan' in page  # the numbers for who cannot see the drawing


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_texts_stay_texts_in_every_page(toy, lang):
    hostile = report(HOSTILE, wrong("scale", HOSTILE, title=HOSTILE), reason=HOSTILE)
    hostile = msgspec.structs.replace(hostile, environment=msgspec.structs.replace(ENVIRONMENT, kit=HOSTILE))
    for page in (html.student_page(hostile, toy, lang), html.fragment(hostile, lang)):
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "49" not in text_of(page)


def test_data_inside_a_script_cannot_end_it():
    written = str(html.embedded({"a": [HOSTILE]}))
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == {"a": [HOSTILE]}


def test_pages_load_nothing_and_run_only_their_own_script(toy, results, class_page):
    pages = [html.student_page(SMALL[1], toy, "en"), class_page(results(*SMALL)).read_text(encoding="utf-8")]
    for page in pages:
        assert "default-src 'none'; script-src 'sha256-" in page.replace("&#39;", "'")
        assert not re.search(r"""(?:src|href)=["'](?:https?:)?//|@import|url\(""", page)


def test_a_damaged_picture_is_an_error_that_says_so(toy):
    ragged = msgspec.structs.replace(PICTURE, actual=[[1.0]])
    with pytest.raises(ValueError, match="zip"):
        html.student_page(report("s", wrong("scale", picture=ragged)), toy, "en")


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_check_writes_a_page(tmp_path):
    page = tmp_path / "mine.html"
    check = [sys.executable, "-m", "grader", "check", "--course", str(TOY), "--lang", "en"]
    done = subprocess.run(
        [*check, "--dir", str(TOY / "solutions"), "--html", str(page)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"page: {page}" in done.stdout
    assert "Everything passes" in page.read_text(encoding="utf-8")
    swallowed = subprocess.run([*check, "--html", "scale"], capture_output=True, text=True)
    assert swallowed.returncode == 2
    assert "--html scale: a page's name ends in .html; exercises go before --html" in swallowed.stderr


def test_the_title_names_the_person(toy):
    page = html.student_page(SMALL[1], toy, "en", person="Ada <b>Lovelace</b>")
    assert "<title>Ada &lt;b&gt;Lovelace&lt;/b&gt; · " in page
    assert "<h1>Ada &lt;b&gt;Lovelace&lt;/b&gt;</h1>" in page


def test_units_group_many_exercises():
    """In the order of the path."""
    course = courses.load(ROOT)
    page = html.student_page(report("s", *(wrong(e.id) for e in course.exercises)), course, "en")
    titles = [u.title.to("en") for u in course.path]
    places = [page.index(f'<h3 class="row unit"><span class="name"><span class="en" lang="en">{t}<') for t in titles]
    assert places == sorted(places)
    assert page.index('href="#soft_lookup"') < page.index('href="#softmax"') < page.index('href="#attention"')
