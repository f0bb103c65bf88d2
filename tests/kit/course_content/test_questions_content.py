"""The concept questions: written for an exam, in good Chinese, with each student's own numbers and likely slips."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader import catalogues
from grader.course import COMMON
from grader.course import course as courses
from grader.questions import Choice, Number, Numbers, Paper, Table, Written
from grader.questions.questions import Solved
from grader.texts import Text

ROOT = Path(__file__).resolve().parents[3]
COURSE = courses.load(ROOT)
PAPERS = {
    e.id: Paper(COURSE.suite(e.id), ROOT / "solutions") for e in COURSE.exercises if e.kind == "questions"
}  # fmt: skip
QUESTIONS = {f"{id}/{q.name}": (paper, q) for id, paper in PAPERS.items() for q in paper.questions}
HAN = "\u4e00-\u9fff"
TIGHT = re.compile(rf"[{HAN}][A-Za-z0-9]|[A-Za-z0-9%][{HAN}]")  # a blank belongs between Chinese and other words
HALF = re.compile(rf"[{HAN}][,;:?!]|[,;:?!][{HAN}]")
WIDE = re.compile("[，。；：？！（）“”]")
FIXED = {  # numbers of a real model, of a printed page or of a dtype
    "questions_a/overflow_in_float16", "questions_e/printed_wrongly", "questions_g/families_of_gpt3",
    "questions_g/share_of_attention",
}  # fmt: skip
SEVERAL = [n for n, (_, q) in QUESTIONS.items() if isinstance(q.form, Choice) and q.form.many]
UNLIKELY = {
    "questions_i/silent_layout": "bd",
    "questions_i/fill_that_raises": "a",
}  # letters that nobody mistakes alone
ODD = ("has nn.", "How many parameters have", "token by token", "may a query see", "made anew", "has no say")


def solved(name: str, variant: str = COMMON) -> Solved:
    paper, question = QUESTIONS[name]
    return paper.solved(question, variant)


def texts(found: Solved) -> list[Text]:
    form = found.question.form
    written = [*form.lines, form.example] if isinstance(form, Written) else []
    slips = [w.message for w in found.wrong_answers]
    return [found.text, *form.choices().values(), *slips, *(s.caption for s in found.shown), *written]


@pytest.mark.parametrize("name", QUESTIONS)
def test_punctuation_and_blanks(name):
    for text in texts(solved(name)):
        english, chinese = text.to("en"), text.to("zh")
        assert not TIGHT.search(chinese), chinese
        assert not HALF.search(chinese), chinese
        assert not WIDE.search(english), english


@pytest.mark.parametrize("name", QUESTIONS)
def test_english_as_in_an_exam(name):
    english = solved(name).text.to("en")
    assert not any(odd in english for odd in ODD)
    assert english[-1] in "?.)", english


@pytest.mark.parametrize("name", QUESTIONS)
def test_likely_slips_are_expected(name):
    found = solved(name)
    if not isinstance(found.question.form, Written) and not found.question.accepts:
        assert found.wrong_answers


@pytest.mark.parametrize("name", SEVERAL)
def test_each_letter_too_many_or_left_out_is_explained(name):
    found = solved(name)
    slips = [{*w.value} ^ {*found.key} for w in found.wrong_answers]
    explained = {letter for letters in slips if len(letters) == 1 for letter in letters}
    assert explained == {*found.question.form.choices()} - {*UNLIKELY.get(name, "")}


@pytest.mark.parametrize("name", QUESTIONS)
def test_numbers_are_each_student_s_own(name):
    form = QUESTIONS[name][1].form
    cell = form.cell if isinstance(form, Table) else form
    if not isinstance(cell, Number | Numbers) or QUESTIONS[name][1].accepts or name in FIXED:
        return
    asked = {solved(name, f"student {i}").text.to("en") for i in range(12)}
    assert len(asked) > 2
    assert len({str(solved(name, f"student {i}").key) for i in range(12)}) > 1 or name.endswith("path_in_attention")


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_slip_is_never_right_whatever_the_numbers(name):
    form = QUESTIONS[name][1].form
    for i in range(12):
        found = solved(name, f"student {i}")
        for slip in found.wrong_answers:
            assert not form.right(form.read(form.write(slip.value)), found.key), slip.name
        if not found.varies:
            break


def test_the_engine_s_chinese():
    sentences = [form for forms in catalogues.read(catalogues.KIT / "zh.po").sentences.values() for form in forms]
    assert [s for s in sentences if TIGHT.search(s)] == []
    assert [s for s in sentences if HALF.search(s) and "“行,列”" not in s] == []


@pytest.mark.parametrize("path", sorted((ROOT / "exercises").glob("*.py")), ids=lambda p: p.stem)
def test_stubs_have_english_punctuation(path):
    assert WIDE.findall(path.read_text(encoding="utf-8")) == []
