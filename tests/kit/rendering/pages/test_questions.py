"""Questions as forms: every question of the course is asked, filled in, written to the sheet and found right."""

from __future__ import annotations

import re
import sys

import msgspec
import pytest
import yaml
from browser import faults_of
from support import ENVIRONMENT, OPTIONS, ROOT, questions_of

from grader.batch.grading_processes import ForkServer
from grader.course import course as courses
from grader.intake import Source, Submission
from grader.learner.sheet_writing import SheetWriting
from grader.rendering.pages import pages as html
from grader.rendering.pages import questions as forms
from grader.report import Report
from grader.report.report import Check, Diagnosis, ExerciseReport
from grader.sandbox.processes import AsWritten, DescribedQuestion, Fields
from grader.texts import NOTHING, Text, plain

LANGUAGES = ("en", "zh")
OPTIONS_ABC = (("a", Text("this one")), ("b", Text("that one")), ("c", Text("neither, and that for a long reason")))
WORDS = (("same", Text("stays the same")), ("changes", Text("changes")))


def asked(fields: Fields, options=(), name="q") -> DescribedQuestion:
    return DescribedQuestion(
        name=name, points=1, text=Text("Which?"), about=Text("one letter"), form="", options=options, rubric=(),
        blank=None, key="KEY", example=False, shown=((Text("seen"), (("PROOF", "2"),)),), wrong_answers=(),
        fields=fields,
    )  # fmt: skip


def form(question: DescribedQuestion, value=None) -> str:
    return str(forms.forms("quiz", [question], {"q": value}, LANGUAGES)["q"])


TABLE = Fields("table", rows=("W_v", "W_q"), columns=("Q", "K"), cell="choice")
GRID, ROW = Fields("numbers", (2, 2)), Fields("numbers", (3,))
ONE, SOME, ORDER = Fields("choice"), Fields("choice", many=True), Fields("choice", ordered=True)
CELLS = {("W_v", "Q"): "same", ("W_v", "K"): "", ("W_q", "Q"): "same", ("W_q", "K"): "changes"}
NUMBERED = {(0, 0): "1", (0, 1): "2", (1, 0): "3", (1, 1): "4"}


@pytest.mark.parametrize(
    ("question", "value", "wanted"),
    [
        (asked(Fields("number")), "1/3", forms.Filled("1/3")),
        (asked(Fields("number")), ["1", "3"], forms.Filled(left='["1", "3"]')),
        (asked(Fields("number")), AsWritten("[1"), forms.Filled(left="[1")),
        (asked(Fields("written")), "So.\n\nAnd so.", forms.Filled("So.\n\nAnd so.")),
        (asked(ROW), ["1", "", "3"], forms.Filled(cells={(0, 0): "1", (0, 1): "", (0, 2): "3"})),
        (asked(ROW), "1, 2 3", forms.Filled(cells={(0, 0): "1", (0, 1): "2", (0, 2): "3"})),
        (asked(ROW), ["1", "2"], forms.Filled(left='["1", "2"]')),
        (asked(GRID), [["1", "2"], ["3", "4"]], forms.Filled(cells=NUMBERED)),
        (asked(GRID), ["1", "2", "3", "4"], forms.Filled(cells=NUMBERED)),
        (asked(GRID), "[[1, 2], [3, 4]]", forms.Filled(cells=NUMBERED)),
        (asked(GRID), {"x": "1"}, forms.Filled(left='{"x": "1"}')),
        (asked(ONE, OPTIONS_ABC), "B", forms.Filled(chosen=["b"])),
        (asked(ONE, OPTIONS_ABC), "b (I think)", forms.Filled(left="b (I think)")),
        (asked(ONE, OPTIONS_ABC), "a, b", forms.Filled(left="a, b")),
        (asked(SOME, OPTIONS_ABC), ["a", "c"], forms.Filled(chosen=["a", "c"])),
        (asked(SOME, OPTIONS_ABC), "none", forms.Filled(chosen=("none",))),
        (asked(ORDER, OPTIONS_ABC), ["c", "", "b"], forms.Filled(chosen=["c", "", "b"])),
        (asked(TABLE, WORDS), {"W_v": {"Q": "same", "K": ""}, "W_q": "same, changes"}, forms.Filled(cells=CELLS)),
        (asked(TABLE, WORDS), {"W_x": {"Q": "same"}}, forms.Filled(left='{"W_x": {"Q": "same"}}')),
        (asked(TABLE, WORDS), None, forms.Filled()),
    ],
)
def test_fields_hold_what_stands_on_the_sheet(question, value, wanted):
    """What fits no field is shown as it stands."""
    assert forms.filled(question, value) == wanted


def test_what_does_not_fit_is_shown_as_text():
    assert "<pre>&lt;b&gt;[1</pre>" in form(asked(Fields("number")), AsWritten("<b>[1"))


@pytest.mark.parametrize("fields", [Fields(kind) for kind in ("number", "written", "text")] + [ROW, GRID, ONE, SOME])
def test_a_form_holds_nothing_of_the_key(fields):
    found = form(asked(fields, OPTIONS_ABC))
    assert "KEY" not in found
    assert "PROOF" not in found


@pytest.mark.parametrize(
    ("verdict", "points", "state"),
    [("passed", 1, "right"), ("failed", 0.5, "in_part"), ("failed", 0, "wrong"), ("skipped", 0, "waits")],
)
def test_evidence_is_shown_once_the_answer_is_right(verdict, points, state):
    check = Check("q", Text("Which?"), verdict, points, 1, reason=plain("WHY") if state != "right" else NOTHING)
    blank = msgspec.structs.replace(check, id="r", blank=True)
    known = (Diagnosis("slip", plain("MISTAKE"), ("q",)),)
    report = ExerciseReport("quiz", "failed", None, points, 1, (check, blank), known)
    shown = forms.verdicts(report, [asked(ONE), asked(ONE, name="r")], LANGUAGES)
    assert list(shown) == ["q"]
    assert f'class="verdict {state}"' in shown["q"]
    assert ("PROOF" in shown["q"]) == (state == "right")
    assert ("WHY" in shown["q"]) == (state in ("in_part", "wrong"))
    assert "KEY" not in shown["q"]
    inside = forms.forms("quiz", [asked(ONE)], {}, LANGUAGES, shown)["q"]
    assert shown["q"] in inside


def test_questions_that_come_again_are_empty():
    card = forms.review([("quiz", Text("Masks"), asked(ONE, OPTIONS_ABC))], LANGUAGES)
    assert 'id="again-quiz-q"' in card
    assert "checked" not in card
    assert forms.review([], LANGUAGES) == ""


@pytest.fixture(scope="module")
def course():
    return courses.load(ROOT)


@pytest.fixture(scope="module")
def questions(course):
    """All questions of the course, by exercise."""
    yield from questions_of(course)


PAGE = """<!doctype html><html lang="en" data-lang="en"><head><meta charset="utf-8"><title>Questions</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{css} :root[data-lang="en"] .ak .zh, :root[data-lang="zh"] .ak .en {{ display: none; }}</style></head>
<body class="ak page"><main><h1>Questions</h1>{body}</main><script>{script}</script></body></html>"""


@pytest.fixture
def page_of(visit, tmp_path):
    """`page_of(body)` opens a page that holds these forms."""

    def write(body, **look):
        css = "".join(map(html.asset, ("base.css", "questions.css")))
        script = "".join(map(html.asset, ("switches.js", "questions.js")))
        path = tmp_path / "questions.html"
        path.write_text(PAGE.format(css=css, script=script, body="".join(body)), encoding="utf-8")
        return visit(path, **look)

    return write


def all_forms(questions, given=None):
    for section, found in questions.items():
        there = {q.name: q.key if given else None for q in found}
        yield "<section class='card'>" + "".join(forms.forms(section, found, there, LANGUAGES).values()) + "</section>"


FILL = """([id, key]) => {
  const form = document.getElementById(id), kind = form.dataset.kind;
  const fields = [...form.querySelectorAll("[data-field]")];
  const at = (row, column) => fields.find((f) => f.dataset.row === String(row) && f.dataset.column === String(column));
  const put = (field, value) => {
    field.value = value;
    if (field.value !== value) throw new Error(id + " cannot hold " + value);
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  if (kind === "choice" && "ordered" in form.dataset) key.forEach((letter, n) => put(fields[n], letter));
  else if (kind === "choice") for (const letter of [key].flat()) fields.find((f) => f.value === letter).click();
  else if (kind === "table") for (const [row, cells] of Object.entries(key))
    for (const [column, value] of Object.entries(cells)) put(at(row, column), value);
  else if (kind === "numbers") [key].flat(key[0] instanceof Array ? 1 : 0).forEach((row, r) =>
    row.forEach((value, c) => put(at(r, c), value)));
  else put(fields[0], key);
  return window.questionValue(form);
}"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_every_key_filled_in_is_right(page_of, questions, course):
    """Through the page, onto the blank sheet, and through the engine; the sheet is the solved one but for its prose."""
    page = page_of(all_forms(questions))
    blank = (ROOT / "exercises" / "answers.yaml").read_text(encoding="utf-8")
    head, *parts = re.split(r"^(?=# .*\n\w+:$)", blank, flags=re.MULTILINE)  # one by one, which is quicker
    parts, writing = dict(zip(questions, parts, strict=True)), SheetWriting.of(questions)
    for section, found in questions.items():
        for q in found:
            before = page.evaluate("(id) => window.questionValue(document.getElementById(id))", f"{section}-{q.name}")
            assert before is None
            key = q.key if isinstance(q.key, str | dict | list) else str(q.key)
            value = page.evaluate(FILL, [f"{section}-{q.name}", key])
            assert value == key, f"{section}/{q.name}"
            parts[section] = writing.answered(parts[section], section, q.name, value)
            assert writing.given(parts[section], section, q.name) == value
    sheet = head + "".join(parts.values())
    solved = (ROOT / "solutions" / "answers.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(sheet) == yaml.safe_load(solved)
    assert [line for line in solved.splitlines() if line not in sheet.splitlines()] == [
        line for line in solved.splitlines() if line.startswith("  ") and len(line) > 130 and not line.startswith("  #")
    ]
    server = ForkServer(ENVIRONMENT, confined=True)
    process = server.grading_process(course, OPTIONS)
    ids = list(questions)
    report = Report.from_json(process.grade(Submission("s1", {"answers": Source(sheet)}), "", seed=1, only=ids))
    process.close()
    server.close()
    for found in report.exercises:
        wrong = [c.id for c in found.checks if c.verdict != "passed" and c.answer is None]
        assert (found.id, wrong, len(found.checks)) == (found.id, [], len(questions[found.id]))


@pytest.mark.slow
def test_a_form_opens_with_the_answer_that_stands_there(page_of, questions):
    page = page_of(all_forms(questions, given=True))
    for section, found in questions.items():
        for q in found:
            value = page.evaluate("(id) => window.questionValue(document.getElementById(id))", f"{section}-{q.name}")
            assert value == (q.key if isinstance(q.key, str | dict | list) else str(q.key)), f"{section}/{q.name}"
    assert page.locator("form.question pre").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_all_forms_are_accessible(page_of, questions, width, dark):
    page = page_of(all_forms(questions), dark=dark, width=width)
    assert page.locator("form.question").count() == sum(map(len, questions.values()))
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate("document.documentElement.dataset.lang = 'zh'; document.dispatchEvent(new Event('set-lang'))")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert "哪" in page.locator("form.question legend").all_inner_texts()[1]


def test_a_form_in_the_browser(page_of):
    """Nothing is chosen besides `none`; fields can be emptied; words of a list are those of the page's language."""
    some, order = asked(SOME, OPTIONS_ABC), asked(ORDER, OPTIONS_ABC, name="order")
    words = asked(TABLE, (("same", Text("stays the same")), ("yes", Text("yes"))), name="table")
    check = Check("q", Text("Which?"), "passed", 1, 1)
    right = forms.verdicts(ExerciseReport("quiz", "passed", None, 1, 1, (check,)), [some], LANGUAGES)
    page = page_of(forms.forms("quiz", [some, order, words], {"order": ["c", "a", "b"]}, LANGUAGES, right).values())
    value = "(id) => window.questionValue(document.getElementById(id))"
    page.get_by_label("this one").check()
    page.get_by_label("that one").check()
    assert page.evaluate(value, "quiz-q") == ["a", "b"]
    page.locator("#quiz-q [data-none]").check()
    assert page.evaluate(value, "quiz-q") == "none"
    page.get_by_label("that one").check()
    assert page.evaluate(value, "quiz-q") == ["b"]
    assert page.evaluate(value, "quiz-order") == ["c", "a", "b"]
    page.locator("#quiz-order [data-clear]").click()
    assert page.evaluate(value, "quiz-order") is None
    page.get_by_label("W_v, K").select_option("same")
    assert page.evaluate(value, "quiz-table") == {"W_v": {"Q": None, "K": "same"}, "W_q": {"Q": None, "K": None}}
    assert page.locator("#quiz-table option[value=same]").first.inner_text() == "stays the same"
    page.locator("#quiz-q summary").click()
    assert faults_of(page) == []
