"""An answer sheet is read as texts, lists and mappings; what is more than that costs the answer that holds it."""

from __future__ import annotations

import pytest

from grader.sandbox.worker import answer_sheet, wire
from grader.sandbox.worker.answer_sheet import DEEPEST, MOST_VALUES
from grader.sandbox.worker.sheet_lines import plain

CAP = 1 << 20
NAMES = {"quiz": tuple("abcdefg")}


def read(source: str) -> object:
    """The section's answers as the grader gets them."""
    reply, parts = answer_sheet.read(source, CAP, NAMES, ())
    answers = wire.decode(reply.answers, bytearray(b"".join(parts)))
    assert isinstance(answers, dict)
    return answers.get("quiz", {})


def problem(source: str) -> list[tuple[str, str, int, str]]:
    reply, _ = answer_sheet.read(source, CAP, NAMES, ())
    return [(d.question, d.kind, d.line, d.detail) for d in reply.damaged]


def test_every_scalar_is_the_text_that_was_written():
    assert read("quiz:\n a: yes\n b: 0x10\n c: 1_000\n d: 2026-01-01\n e: ~\n f: '双语'\n g: 1e400\n") == {
        "a": "yes", "b": "0x10", "c": "1_000", "d": "2026-01-01", "e": "~", "f": "双语", "g": "1e400",
    }  # fmt: skip


def test_lists_and_mappings():
    """What stands in brackets is left as it was written: the forms know what the commas in it mean."""
    assert read("quiz:\n a: [1, b]\n c:\n  - d\n  - {e: f}\n b:\n  x: 1\n  y: [2, 3]\n") == {
        "a": "[1, b]", "c": ["d", "{e: f}"], "b": {"x": "1", "y": "[2, 3]"},
    }  # fmt: skip


@pytest.mark.parametrize("source", ["", "# nothing but a comment\n", "---\n...\n", "- a\n- b\n", "just words\n"])
def test_what_names_no_question_holds_no_answer(source):
    assert read(source) == {}


PROBLEMS = {
    "a: &x 1\nb: *x\n": [("a", "alias", 1, ""), ("b", "alias", 2, "")],
    "a: 1\nb: 2\na: 3\n": [("a", "twice", 3, "1")],
    "a: 1\nb:\n  ? [c]\n  : 2\n": [("b", "unreadable", 2, "")],
    "a: [1, 2\nb: 3: 4\n": [("a", "unreadable", 1, ""), ("b", "unreadable", 2, "")],
    "a: 1\nb: \x00\n": [("b", "character", 2, "U+0000")],
    "a: 1\n\n\nb: \x1b[31m\n": [("b", "character", 4, "U+001B")],
    "a: " + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1) + "\nb: 1": [("a", "size", 1, "")],
    "a: " + "x" * 30_000 + ": y\nb: 1": [("a", "size", 1, "")],
    "a: 1\nb: @\nc: 3": [("b", "unreadable", 2, "")],
}


@pytest.mark.parametrize("source", PROBLEMS, ids=lambda s: s[:20])
def test_what_is_no_answer_is_told_with_its_line(source):
    assert problem(source) == PROBLEMS[source]


BOMBS = {
    "brackets without end": "a: " + "[" * 100_000,
    "braces without end": "a: " + "{" * 100_000,
    "indentation without end": "".join(f"{' ' * i}a:\n" for i in range(3000)),
    "an escape beyond every character": 'a: "\\UFFFFFFFF"\n',
    "code": "a: !!python/object/apply:os.system ['true']\n",
    "many documents": "a: 1\n---\nb: 2\n",
    "a merge of itself": "a: &a\n  <<: *a\n",
    "more values than a sheet may hold": "b: [" + "1, " * MOST_VALUES + "]\na: 1",
}


@pytest.mark.parametrize("case", BOMBS)
def test_a_bomb_costs_its_own_answer(case):
    reply, parts = answer_sheet.read(BOMBS[case] + "\ng: 1\n", CAP, NAMES, ())
    answers = wire.decode(reply.answers, bytearray(b"".join(parts)))
    assert answers["quiz"]["g"] == "1"
    assert all(len(d.detail) < 100 for d in reply.damaged)


def test_a_tag_runs_nothing():
    """Every scalar is a text, whatever it is tagged as."""
    assert read("a: !!python/name:os.system ''\nb: !!int '7'\n") == {"a": "", "b": "7"}


LISTS = [
    "{n}. {name}: {answer}", "{n}) {name}: {answer}", "({n}) {name}: {answer}", "Q{n}. {name}: {answer}",
    "{n}、{name}：{answer}", "- {name}: {answer}", "• {name}: {answer}", "{name} = {answer}", "{name}={answer}",
    "* {n}. {name}: {answer}", "- {name} = {answer}", "{n}. **{name}**: {answer}",
]  # fmt: skip


@pytest.mark.parametrize("line", LISTS)
def test_a_list_of_answers_however_it_is_numbered(line):
    names = {"quiz": ("first_one", "the_2nd", "x_3")}
    answers = {"first_one": "7", "the_2nd": "[a, b]", "x_3": "0.5"}
    text = "".join(line.format(n=n, name=k, answer=v) + "\n" for n, (k, v) in enumerate(answers.items(), 1))
    for sheet in (text, "quiz:\n" + "".join("  " + li for li in text.splitlines(True))):
        reply, parts = answer_sheet.read(sheet, CAP, names, ())
        assert wire.decode(reply.answers, bytearray(b"".join(parts))) == {"quiz": answers}
        assert reply.damaged == ()


def test_a_number_that_belongs_to_a_name_stays():
    assert plain("f16 max") == plain("f16_max") == "f16_max"
    assert plain("2nd-layer") == "2nd_layer"
    assert plain("3.") == "3"
    assert plain("v1.5") == "v1.5"
