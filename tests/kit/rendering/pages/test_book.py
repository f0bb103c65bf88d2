"""The book as people open it: accessible, offline, in two languages, searchable, and it knows what was read."""

from __future__ import annotations

import re
import shutil

import pytest
from browser import faults_of

pytest.importorskip("latex2mathml", reason="latex2mathml is not installed")

from grader.authoring import lessons
from grader.course import course as courses
from grader.rendering.pages import book, markdown
from grader.sandbox.processes import DescribedQuestion
from grader.texts import NOTHING, Text

SCRIPT = """
import torch
from grader.authoring.lessons import bars, matrix, numbers, table

X = torch.tensor([[1.0, 2.0], [3.0, 4.0]])

def blocks(course):
    return {
        "picture": matrix("Scaled", X),
        "heights": bars("Heights", {"a": 1.0, "b": 2.0}),
        "rows": table(["a", "b"], [[0.5, 2]]),
        "wrong": course.mistake("scale", "adds_instead", lambda f: f.scale(X, 3.0)),
    }
"""
LONG = r"$$\frac{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb}{c}$$"
ENGLISH = f"""## Scaling

It is a factor $x_i$.

{LONG}

{{{{picture}}}}

## Wrong

{{{{heights}}}}

{{{{rows}}}}

{{{{wrong}}}}
"""
CHINESE = ENGLISH.replace("Scaling", "缩放").replace("It is a factor", "因子").replace("Wrong", "错误")
SAID = {"Scaled": "缩放", "Heights": "高度", "How much?": "多少？", "one": "一", "seen": "看到"}
QUESTION = DescribedQuestion(
    name="by_hand", points=1, text=Text("How much?"), about=NOTHING, form="Number()",
    options=(("a", Text("one")),), rubric=(), key="a", shown=((Text("seen"), (("1", "2"),)),),
    wrong_answers=(), example=False, blank="",
)  # fmt: skip


@pytest.fixture
def site(toy_copy, tmp_path):
    """`site(evidence)` writes the book of the toy course and returns its folder."""
    folder = toy_copy / "lessons"
    folder.mkdir()
    for name, text in (("basics.py", SCRIPT), ("basics.en.md", ENGLISH), ("basics.zh.md", CHINESE)):
        (folder / name).write_text(text, encoding="utf-8")
    (toy_copy / "docs").mkdir()
    (toy_copy / "docs" / "coverage.md").write_text(
        "# Coverage\n\n| a | b |\n|---|---|\n| 1 | `x` |\n", encoding="utf-8"
    )
    (toy_copy / "docs" / "glossary.yaml").write_text("factor: {zh: 因子, not: []}\n", encoding="utf-8")
    with (toy_copy / "languages" / "zh.po").open("a", encoding="utf-8") as catalogue:
        catalogue.write("".join(f'\nmsgid "{key}"\nmsgstr "{said}"\n' for key, said in SAID.items()))
    course = courses.load(toy_copy)

    def write(evidence=False):
        units = course.settings.units
        texts, out = lessons.build(course, [u.id for u in units]), tmp_path / "book"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        for name, page in book.pages(course, units, texts, {"pair": [QUESTION]}, "en", evidence):
            (out / name).write_text(page, encoding="utf-8")
        return out

    return write


def test_every_link_leads_somewhere(site):
    out = site()
    pages = {path.name: path.read_text(encoding="utf-8") for path in out.iterdir()}
    assert set(pages) == {"index.html", "basics.html", "glossary.html", "coverage.html"}
    for name, text in pages.items():
        assert book.MARK in text
        for link in re.findall(r'(?:href|action)="([^"]*)"', text) + re.findall(r'"([\w-]+\.html#[\w-]+)"', text):
            file, _, anchor = link.partition("#")
            assert (file or name) in pages, link
            assert not anchor or f'id="{anchor}"' in pages[file or name], link


def test_formulas_are_mathml(site):
    page = (site() / "basics.html").read_text(encoding="utf-8")
    assert "<msub><mi>x</mi><mi>i</mi></msub>" in page
    assert "$" not in re.sub(r"<script>.*</script>", "", page, flags=re.DOTALL)


def test_markup_in_a_lesson_is_text():
    assert "<b>" not in markdown.html("a <b>b</b> <script>x</script>", book.drawn)


@pytest.mark.parametrize(
    "formula", [r"\text{<img src=x>}", r"\color{'\"><img src=x>}{x}", r"\href{javascript:x}{\text{y}}"]
)
def test_markup_in_a_formula_is_text(formula):
    shown = markdown.html(f"${formula}$ and $a < b$", book.drawn)
    assert "<img" not in shown
    assert "href" not in shown
    assert "<mo>&#x0003C;</mo>" in shown


@pytest.mark.parametrize("evidence", [False, True])
def test_answers_are_shown_where_they_are_allowed(site, evidence):
    page = (site(evidence) / "basics.html").read_text(encoding="utf-8")
    assert "How much?" in page
    assert ("seen" in page) is evidence


@pytest.mark.slow
@pytest.mark.parametrize(("dark", "width"), [(False, 1280), (True, 390)])
def test_pages_are_accessible(visit, site, dark, width):
    out = site(True)
    for name in ("index.html", "basics.html", "glossary.html", "coverage.html"):
        page = visit(out / name, dark, width)
        for summary in page.locator("summary").all():
            if summary.is_visible():
                summary.click()
        assert faults_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_language_search_and_what_was_read(visit, site):
    page = visit(site() / "index.html")
    assert page.locator("[data-unit=basics] .done").is_hidden()
    page.fill("#find", "factor")
    assert page.locator("#results a").all_inner_texts() == ["Basics: Scaling", "Basics: Multiply by a factor"]
    page.fill("#find", "nowhere")
    assert page.locator("#results ul").inner_text() == "Nothing found."
    page.click("[data-set=lang][value=zh]")
    page.fill("#find", "因子")
    page.locator("#results a").first.click()
    page.wait_for_url("**/basics.html#basics-zh-1")
    assert page.locator("#basics-zh-1").is_visible()
    assert page.locator("#en-1").is_hidden()
    page.click("[data-read=basics]")
    page.fill("#find", "因子")
    page.press("#find", "Enter")
    page.wait_for_url("**/index.html?q=*")
    assert page.locator("#results a").count() == 2
    assert page.locator("[data-unit=basics] .done").is_visible()
