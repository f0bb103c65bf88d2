"""An answer sheet is read as texts, lists and mappings, within bounds; what is more damages one answer only."""

from __future__ import annotations

import time

import pytest

from grader.sandbox.processes import SheetRead
from grader.sandbox.worker import answer_sheet, wire
from grader.sandbox.worker.answer_sheet import DEEPEST, MOST_VALUES

CAP = 1 << 20
NAMES = {"unit": ("a", "b", "c")}


def read(answers: str) -> tuple[SheetRead, object]:
    """The reply to a sheet with these answers in its one section, and what the grader gets of it."""
    source = "unit:\n" + "".join(f"  {line}\n" for line in answers.splitlines())
    reply, parts = answer_sheet.read(source, CAP, NAMES, ())
    return reply, wire.decode(reply.answers, bytearray(b"".join(parts)))["unit"]


def test_every_scalar_is_the_text_that_was_written():
    for text in ("yes", "0x10", "1_000", "2026-01-01", "1e400", "双语", "0o17", "1:30"):
        assert read(f"a: {text}")[1] == {"a": text}


def test_lists_and_mappings_keep_their_texts():
    assert read("a:\n  - 1\n  - yes\nb:\n  x: 1\n  y: 2")[1] == {"a": ["1", "yes"], "b": {"x": "1", "y": "2"}}


def test_a_tag_runs_nothing():
    assert read("a: !!python/name:os.system ''\nb: !!int '7'")[1] == {"a": "", "b": "7"}


DAMAGED = {
    "an anchor": ("&x 1", "alias"),
    "an alias": ("*x", "alias"),
    "many values": ("\n" + "".join(f"    - {i}\n" for i in range(MOST_VALUES)), "size"),
    "deep": ("\n" + "".join(f"{' ' * (i + 4)}- {'' if i < DEEPEST else 'x'}\n" for i in range(DEEPEST + 1)), "size"),
    "brackets without end": ("[" * 10_000, "size"),
    "a quote without end": ('"x', "unreadable"),
    "an escape beyond every character": ('"\\UFFFFFFFF"', "unreadable"),
    "a character that nobody types": ("x\x1b[31m", "character"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_what_is_wrong_with_one_answer_leaves_the_others(case):
    text, kind = DAMAGED[case]
    reply, answers = read(f"b: 1\nc: 2\na: {text}")
    assert [(d.question, d.kind) for d in reply.damaged] == [("a", kind)]
    assert (answers["b"], answers["c"]) == ("1", "2")


BOMBS = {
    "brackets": "a: " + "[" * 200_000,
    "braces": "a: " + "{" * 200_000,
    "indentation": "".join(f"{' ' * i}a:\n" for i in range(500)),
    "laughs": "a: &a [x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(50)),
    "colons": "a: " + ": " * 50_000,
    "spaces": "a: " + " " * 200_000 + "x",
    "hashes": "a: " + "#" * 200_000,
    "quotes": "a: " + "'" * 100_001,
    "many names": "".join(f"n{i}: 1\n" for i in range(10_000)),
    "nothing but commas": "a: " + "{}," * 60_000,
}


@pytest.mark.parametrize("case", BOMBS)
def test_a_bomb_takes_no_time_and_little_room(case):
    started = time.process_time()
    reply, parts = answer_sheet.read(BOMBS[case], CAP, NAMES, ("unit/a",))
    assert time.process_time() - started < 5
    assert sum(map(len, parts)) == 0
    assert len(repr(reply)) < 500_000
