"""An answer sheet is read as texts, lists and mappings; what is more than that is refused with its line."""

from __future__ import annotations

import pytest

from grader.sandbox.worker import answer_sheet, wire
from grader.sandbox.worker.answer_sheet import DEEPEST, MOST_VALUES

CAP = 1 << 20


def read(source: str) -> object:
    """The tree as the grader gets it."""
    reply, parts = answer_sheet.read(source, CAP)
    assert reply.problem is None
    return wire.decode(reply.answers, bytearray(b"".join(parts)))


def problem(source: str) -> tuple[str, int | None]:
    reply, parts = answer_sheet.read(source, CAP)
    assert (reply.answers, parts) == (None, [])
    assert reply.problem
    return reply.problem, reply.line


def test_every_scalar_is_the_text_that_was_written():
    assert read("a: yes\nb: 0x10\nc: 1_000\nd: 2026-01-01\ne: ~\nf: '双语'\ng: 1e400\n") == {
        "a": "yes", "b": "0x10", "c": "1_000", "d": "2026-01-01", "e": "~", "f": "双语", "g": "1e400",
    }  # fmt: skip


def test_lists_and_mappings():
    assert read("a: [1, b]\nc:\n  - d\n  - {e: f}\n") == {"a": ["1", "b"], "c": ["d", {"e": "f"}]}


@pytest.mark.parametrize("source", ["", "# nothing but a comment\n", "---\n...\n"])
def test_an_empty_sheet_holds_no_answer(source):
    assert read(source) == {}


PROBLEMS = {
    "a: &x 1\nb: *x\n": ("anchors and aliases are not allowed", 2),
    "a: 1\nb: 2\na: 3\n": ("'a' is given twice", 3),
    "a: 1\n? [b]\n: 2\n": ("a key must be a word", 2),
    "- a\n- b\n": ("the file is no mapping", 1),
    "just words\n": ("the file is no mapping", 1),
    "a: 1\n  b: 2\n": ("mapping values are not allowed here", 2),
    "a: [1, 2\nb: 3\n": ("expected ',' or ']', but got ':'", 2),
    "a: 1\nb: \x00\n": ("a character that is not allowed, U+0000", 2),
    "a: 1\n\n\nb: \x1b[31m\n": ("a character that is not allowed, U+001B", 4),
    "a: " + "[" * DEEPEST + "]" * DEEPEST: (f"nested deeper than {DEEPEST} levels", 1),
    "\n".join(f"a{i}: 1" for i in range(MOST_VALUES)): (f"more than {MOST_VALUES} values", MOST_VALUES // 2),
}


@pytest.mark.parametrize("source", PROBLEMS, ids=lambda s: s[:20])
def test_what_is_no_sheet_is_told_with_its_line(source):
    assert problem(source) == PROBLEMS[source]


BOMBS = {
    "brackets without end": "a: " + "[" * 100_000,
    "braces without end": "a: " + "{" * 100_000,
    "indentation without end": "".join(f"{' ' * i}a:\n" for i in range(3000)),
    "an escape beyond every character": 'a: "\\UFFFFFFFF"\n',
    "code": "a: !!python/object/apply:os.system ['true']\n",
    "many documents": "a: 1\n---\nb: 2\n",
    "a merge of itself": "a: &a\n  <<: *a\n",
}


@pytest.mark.parametrize("case", BOMBS)
def test_a_bomb_is_a_problem_or_a_text(case):
    reply, _ = answer_sheet.read(BOMBS[case], CAP)
    assert reply.problem or case == "code"
    assert len(reply.problem or "") <= 300


def test_a_tag_runs_nothing():
    """Every scalar is a text, whatever it is tagged as."""
    assert read("a: !!python/name:os.system ''\nb: !!int '7'\n") == {"a": "", "b": "7"}
