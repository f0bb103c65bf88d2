"""The course's own content: complete, in both languages, in the words of the glossary, its generated files fresh."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

from grader.authoring import answer_sheets
from grader.course import COMMON
from grader.course import course as courses
from grader.course.stub_languages import docstring_in
from grader.questions.answer_forms import Written
from grader.questions.questions import Paper
from grader.sandbox.worker.refusals import forbids

ROOT = Path(__file__).resolve().parents[3]
COURSE = courses.load(ROOT)
PAPERS = [e.id for e in COURSE.exercises if e.kind == "questions"]
CODE = [e.id for e in COURSE.exercises if e.kind != "questions"]
CHINESE = re.compile(r"[\u4e00-\u9fff]")
ENGLISH_TOKEN = re.compile(r"[\u4e00-\u9fff，。] ?(?<!`)\btokens?\b(?!`)|(?<!`)\btokens? ?[\u4e00-\u9fff，。]")
HALF_WIDTH = re.compile(r"[\u4e00-\u9fff]\([^()\n]*\)(?=[，。；：])")
GLOSSARY = yaml.safe_load((ROOT / "docs" / "glossary.yaml").read_text(encoding="utf-8"))
TEXTS = [
    ROOT / "course.yaml",
    *sorted((ROOT / "exercises").glob("*.*")),
    ROOT / "solutions" / "ANSWERS.md",
    *sorted((ROOT / "tests" / "hidden").glob("*.py")),
    *sorted((ROOT / "tests" / "hidden").glob("*.yaml")),
    ROOT / "languages" / "zh.po",
    ROOT / "grader" / "languages" / "zh.po",
    *sorted((ROOT / "grader").rglob("*.py")),
    *sorted((ROOT / "grader" / "rendering" / "pages" / "assets").rglob("*.*")),
]


@pytest.fixture(scope="module")
def papers() -> dict[str, Paper]:
    return {i: Paper(COURSE.suite(i), ROOT / "solutions") for i in PAPERS}


def test_the_answer_sheets_and_their_evidence_are_fresh(papers):
    questions = {i: p.described(COMMON) for i, p in papers.items()}
    for path, text in answer_sheets.generated(COURSE, questions).items():
        assert path.read_text(encoding="utf-8") == text, "run `grader answers --write`"
        assert not re.search(r"e-1[2-9]|-0\.0000", text), "how large a rounding is depends on the processor"
        assert not re.search(r"\d{16}", text), "nobody reads a number of that many digits"


@pytest.mark.parametrize("exercise", PAPERS)
def test_the_solved_sheet_is_right_and_the_blank_one_is_not(papers, exercise):
    for folder, wanted in (("solutions", {"passed", "skipped"}), ("exercises", {"failed", "skipped"})):
        sheet = yaml.load((ROOT / folder / "answers.yaml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        assert {r.verdict for r, _ in papers[exercise].mark(sheet[exercise])} <= wanted


@pytest.mark.parametrize("exercise", PAPERS)
@pytest.mark.parametrize("variant", [COMMON, "s001", "s002", "s003"])
def test_a_wrong_answer_that_is_explained_is_not_right(papers, exercise, variant):
    for question in papers[exercise].questions:
        if isinstance(question.form, Written):
            continue
        solved = papers[exercise].solved(question, variant)
        if question.accepts is None:
            assert question.form.right(question.form.read(question.form.write(solved.key)), solved.key)
        for wrong_answer in solved.wrong_answers:
            given = question.form.read(question.form.write(wrong_answer.value))
            assert not question.form.right(given, solved.key), f"{question.name}: {wrong_answer.name}"
            assert wrong_answer.message.key
            assert CHINESE.search(wrong_answer.message.to("zh"))


@pytest.mark.parametrize("exercise", PAPERS)
def test_questions_exist_in_both_languages(papers, exercise):
    for question in papers[exercise].questions:
        text = papers[exercise].solved(question).text
        assert text.to("en"), question.name
        assert CHINESE.search(text.to("zh")), question.name


@pytest.mark.parametrize("exercise", COURSE.exercises, ids=lambda e: e.id)
def test_three_hints_and_none_is_the_solution(exercise):
    assert len(exercise.hints) == 3
    assert all(CHINESE.search(h.to("zh")) and not CHINESE.search(h.key) for h in exercise.hints)
    if exercise.kind != "questions":
        lines = COURSE.solution(exercise.id).read_text(encoding="utf-8").splitlines()
        code = [line.partition("  #")[0].strip() for line in lines]
        assert not [c for c in code if len(c) > 40 and any(c in h.key for h in exercise.hints)]


@pytest.mark.parametrize("exercise", CODE)
def test_every_stub_says_what_to_do_in_both_languages(exercise):
    tree = ast.parse(COURSE.stub(exercise).read_text(encoding="utf-8"))
    told = [tree, *(n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef))]
    assert len(told) > 1
    for node in told:
        text = ast.get_docstring(node)
        assert text, ast.unparse(node)[:80]
        assert not CHINESE.search(text), ast.unparse(node)[:80]
        assert CHINESE.search(docstring_in(text, "zh")), ast.unparse(node)[:80]


@pytest.mark.parametrize("exercise", CODE)
def test_what_a_statement_rules_out_is_forbidden(exercise):
    said = COURSE.stub(exercise).read_text(encoding="utf-8")
    if re.search(r"fused attention may not|not allowed here|relatives are not allowed", said):
        assert COURSE.exercise(exercise).forbid


@pytest.mark.parametrize("exercise", CODE)
def test_where_fused_attention_is_forbidden_the_flexible_one_is_too(exercise):
    calls = COURSE.exercise(exercise).forbid
    fused, without_softmax = forbids(calls, "scaled_dot_product_attention"), forbids(calls, "safe_softmax")
    assert not fused or without_softmax or forbids(calls, "flex_attention")


def test_the_points_are_those_of_the_questions(papers):
    assert {i: sum(q.points for q in p.questions) for i, p in papers.items()} == {
        i: COURSE.exercise(i).points for i in PAPERS
    }
    assert sum(e.points for e in COURSE.settings.units[0].exercises) == 60, "the core keeps ten points an exercise"


@pytest.mark.parametrize("path", TEXTS, ids=lambda p: p.name)
def test_chinese_uses_the_terms_of_the_glossary(path):
    text = path.read_text(encoding="utf-8")
    for term, words in GLOSSARY.items():
        for other in words["not"]:
            assert other not in text, f"{term} is {words['zh']} here, not {other}"
    assert [line for line in text.splitlines() if ENGLISH_TOKEN.search(line)] == [], "write 词元"
    assert HALF_WIDTH.findall(text) == [], "Chinese has Chinese parentheses"


def test_the_coverage_page_names_what_there_is():
    page = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    items = dict(re.findall(r"^\| ([A-N]\d) \| .* \| (.*) \|$", page, re.MULTILINE))
    assert len(items) == 62
    assert {name for cell in items.values() for name in re.findall(r"`(\w+)`", cell)} == {
        e.id for e in COURSE.exercises
    }
    sections = page.partition("## Sections")[2]
    beyond = {item for item in items if item[0] in "JKLMN"}  # what the articles leave out
    assert set(re.findall(r"\b[A-J]\d\b", sections)) == set(items) - beyond


COVERED = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8").partition("## Sections")[2].splitlines()
    if line.startswith("| ") and "`" in line
]


def test_every_claim_is_asked_for(papers):
    """By a question whose experiment runs, by a check of a suite, or by a lesson where nothing can be checked."""
    checks = {
        i: set(re.findall(r"^(?:def )?(test_\w+)", COURSE.suite(i).read_text("utf-8"), re.MULTILINE)) for i in CODE
    }
    questions = {i: {q.name: q for q in p.questions} for i, p in papers.items()}
    assert len(COVERED) > 80
    for article, section, claim, items, by in COVERED:
        assert article
        assert claim
        names = re.findall("`([^`]+)`", by)
        assert names, section
        for name in names:
            exercise, _, check = name.partition("/")
            if name.startswith("lesson "):
                assert all(COURSE.lesson(name.removeprefix("lesson "), lang).is_file() for lang in ("en", "zh")), name
            elif exercise in questions:
                solved = papers[exercise].solved(questions[exercise][check])
                assert isinstance(solved.question.form, Written) or solved.shown, name
            else:
                assert check in checks[exercise], name
        assert items != "—" or all(name.startswith("lesson ") for name in names), section
