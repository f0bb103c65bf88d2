"""One answer put into a sheet: it is read back as it was given, and every other byte stays."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from quiz import SHEET_NAMES, SHEET_PROSE

from grader.learner.sheet_writing import NoPlace, SheetWriting
from grader.sandbox.processes import AsWritten
from grader.sandbox.worker import answer_sheet, wire

SHEET = """\
# The answer sheet.

variant: common

# The first questions
first:

  # (1) A number?
  # → a number
  a_number: 0.25   # my guess

  # (1) Which letters?
  #   a: this
  some_letters:

  # (1) Four numbers?
  a_vector: [ 0.1,0.2,
     0.3, 0.4 ]  # by hand

  # (1) A table?
  a_table:
    top row: {left: same, right: }   # sure
    # the other one
    bottom row: {left: changes, right: changes}

  # (1) A matrix?
  a_matrix: [[1, 2], [3, 4]]

# The second questions
second:
  one_letter: b

  # (1) In which order?
  an_order: [c, a, b]
  typo_in_name: 3

  # (2) Explain.
  an_essay: |
    Because the paths are short.

    # It costs memory.

  # (1) Shared?
  shared_name: 7

# The third questions
third:

  last_number: 36
  shared_name: '8'   # the end
"""
BROKEN = SHEET.replace("[[1, 2], [3, 4]]", "[[1, 2], [3, 4]")
HARD = [
    "yes", "null", "~", "- a", "-", "--", "%", "#", "a # b", "a: b", "'", '"', "{", "[", "[a, b]", "{a: b}", "&a", "*a",
    "!x", "| x", ">", "?", "? a", "@", "`", "\\", "a\\_b", "one_letter: x", "second:", "1,000.5", "½", "是", " a ",
    "\u00a0", "\u200b", "\t", "x" * 3000, "0x10", "1e5", "<<", "=", "---", "...", "```", "√2", "\x85", "\u2028", "\x00",
    "😀",
]  # fmt: skip
words = st.one_of(st.sampled_from(HARD), st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
lines = st.sampled_from(["It is so.", "# 1", "", "a: b", "  in", "x " * 80, "one_letter: c", "tail "])
prose = st.lists(st.one_of(lines, words), min_size=1, max_size=4).map("\n".join)
tables = st.dictionaries(
    st.sampled_from(["top row", "bottom row", "Q K^T", "fill -1e9 (float32)"]),
    st.dictionaries(st.sampled_from(["left", "right", "max > 0.9"]), st.one_of(st.none(), words), min_size=1),
    min_size=1,
)  # fmt: skip
several = st.lists(words, min_size=1, max_size=5)
values = st.one_of(prose, words, several, st.lists(several, min_size=1, max_size=3), tables)
places = st.sampled_from([(section, name) for section, names in SHEET_NAMES.items() for name in names])
writing = SheetWriting(SHEET_NAMES, SHEET_PROSE)


def read(source):
    """The answers as whoever marks them reads them, and what is damaged."""
    found, _ = answer_sheet.read(source, 1 << 24, SHEET_NAMES, SHEET_PROSE)
    return wire.decode(found.answers, bytearray()), {(d.section, d.question) for d in found.damaged}


def plain(value):
    """A value with empty texts for nothing."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return list(map(plain, value)) if isinstance(value, list) else value or ""


def as_marked(there, value):
    """What was read, with what stands in brackets as data where no text was given."""
    if isinstance(there, str) and there and not isinstance(value, str):
        return plain(yaml.load(there, Loader=yaml.BaseLoader))
    if isinstance(there, dict):
        return {key: as_marked(item, value[key]) for key, item in there.items()}
    if isinstance(there, list):
        return [as_marked(*pair) for pair in zip(there, value, strict=True)]
    return plain(there)


def filled(value):
    """Whether there is anything in a value."""
    if isinstance(value, dict | list):
        return any(map(filled, value.values() if isinstance(value, dict) else value))
    return bool(value)


@settings(max_examples=300)
@given(place=places, value=values, sheet=st.sampled_from([SHEET, SHEET.replace("\n", "\r\n"), BROKEN, ""]))
@example(("first", "a_number"), "one_letter: x", BROKEN)
@example(("second", "an_essay"), "attn\\_mask (1)\nis a mask", BROKEN)
def test_an_answer_is_read_back_as_it_was_given(place, value, sheet):
    """Texts of every kind, lists and tables; in sheets that are sound, damaged and empty."""
    assume(place[1] != "an_essay" or isinstance(value, str))
    (before, damaged_before), new = read(sheet), writing.answered(sheet, *place, value)
    after, damaged = read(new)
    there = after.get(place[0], {}).pop(place[1], "")
    assert as_marked(there, value) == plain(value) or not filled(value)
    before.get(place[0], {}).pop(place[1], None)
    if place not in damaged_before:  # else the whole sheet may be YAML now
        assert {k: v for k, v in before.items() if v} == {k: v for k, v in after.items() if v}
    assert damaged <= damaged_before - {place}
    assert writing.answered(new, *place, value) == new
    if isinstance(value, str) and not value.lstrip().startswith(("[", "{")):
        assert writing.given(new, *place) == (value or None)


@settings(max_examples=150)
@given(
    place=places,
    at=st.integers(0, len(SHEET)),
    sign=st.sampled_from("?-\t\"'`{}[]|>&*!%@#:,\x00\x07\u2028\ufeff：\\~^=<"),
)
def test_a_sheet_with_any_sign_anywhere_takes_an_answer(place, at, sign):
    """Whatever is damaged elsewhere stays as it is, unless the damage is in this answer's own lines."""
    broken = SHEET[:at] + sign + SHEET[at:]
    before, new = read(broken), writing.answered(broken, *place, "So it is.")
    after = read(new)
    assert after[0][place[0]][place[1]] == "So it is."
    assert after[1] <= before[1]
    for section, answers in before[0].items():
        for name, value in answers.items():
            assert (section, name) == place or not value or after[0][section][name]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("place", "value", "old", "new"),
    [
        (("first", "a_number"), "0.5", "a_number: 0.25   # my guess", "a_number: 0.5   # my guess"),
        (("first", "a_number"), None, "a_number: 0.25   # my guess", "a_number:   # my guess"),
        (("first", "a_number"), "x\ny", "a_number: 0.25   # my guess", "a_number: |-   # my guess\n    x\n    y"),
        (("first", "some_letters"), ["a", "c"], "some_letters:", "some_letters: [a, c]"),
        (("first", "some_letters"), "yes: no", "some_letters:", 'some_letters: "yes: no"'),
        (("first", "a_vector"), ["1", "2/3"], "[ 0.1,0.2,\n     0.3, 0.4 ]", "[1, 2/3]"),
        (("first", "a_vector"), ["1,5"], "[ 0.1,0.2,\n     0.3, 0.4 ]  # by hand", '  # by hand\n    - "1,5"'),
        (("first", "a_matrix"), [["1", "0"], ["", "2"]], "[[1, 2], [3, 4]]", '[[1, 0], ["", 2]]'),
        (("second", "an_essay"), "Short!", "|\n    Because the paths are short.\n\n    # It costs memory.", '"Short!"'),
        (("second", "one_letter"), "c", "one_letter: b", "one_letter: c"),
        (("third", "shared_name"), "9", "'8'   # the end", "9   # the end"),
    ],
)  # fmt: skip
def test_all_else_stays(place, value, old, new, ending):
    """Comments, blanks, other formats, names that nobody knows, ends of lines."""
    sheet, wanted = SHEET.replace("\n", ending), SHEET.replace(old, new, 1).replace("\n", ending)
    assert writing.answered(sheet, *place, value) == wanted.replace(":   # by", ":  # by")


def test_a_table_is_written_as_a_solved_sheet_has_it():
    """What was remarked between its rows stands above it."""
    table = {"top row": {"left": "same", "right": None}, "bottom row": {"left": None, "right": "changes"}}
    new = writing.answered(SHEET, "first", "a_table", table)
    assert new.splitlines()[19:26] == [
        "  # (1) A table?", "  # sure", "  # the other one", "  a_table:", "    top row: {left: same, right: }",
        "    bottom row: {left: , right: changes}", "",
    ]  # fmt: skip
    assert writing.given(new, "first", "a_table") == plain(table)


def test_what_is_missing_is_added_in_its_place():
    """A question after the one before it, a section after the section before it."""
    without = re.sub(r"(?m)^  an_order:.*\n", "", SHEET)
    assert writing.answered(without, "second", "an_order", ["a", "c"]) == without.replace(
        "  one_letter: b\n", "  one_letter: b\n\n  an_order: [a, c]\n"
    )
    headless = re.sub(r"(?s)# The second questions.*?(?=# The third)", "", SHEET)
    assert writing.answered(headless, "second", "one_letter", "a") == headless.replace(
        "[3, 4]]\n", "[3, 4]]\n\nsecond:\n\n  one_letter: a\n"
    )
    assert writing.answered("", "third", "last_number", "1") == "\nthird:\n\n  last_number: 1\n"
    empty = "variant: common\nfirst:\nsecond: # later\n"
    assert writing.answered(empty, "second", "an_essay", "So!") == empty + '\n  an_essay: "So!"\n'


@pytest.mark.parametrize(
    ("sheet", "new"),
    [
        ("first:\n  a_number = 0.2\n  some_letters a\n", "first:\n  a_number = 0.5\n  some_letters a\n"),
        ("> first:\n>   a_number: 0.2\n", "> first:\n>   a_number: 0.5\n"),
        ("first:\n\ta_number: [0.2 # hm\n\ta_vector: 1", "first:\n\ta_number: 0.5 # hm\n\ta_vector: 1"),
        ('{"first": {"a_number": 0.2, "a_vector": [1]}}', '{"first": {"a_number": "0.5", "a_vector": [1]}}'),
        ("first: {a_number: 0.2, a_vector: 1}\n", 'first: {a_number: "0.5", a_vector: 1}\n'),
        ("first:\n  a_number: 0.2\n  a_number: 0.3\n", "first:\n  a_number: 0.5\n  a_number:\n"),
        ("\ufefffirst:\n  A-Number: 0.2\n", "\ufefffirst:\n  A-Number: 0.5\n"),
    ],
)  # fmt: skip
def test_other_sheets(sheet, new):
    """Those that are no YAML, or YAML of another kind."""
    assert writing.answered(sheet, "first", "a_number", "0.5") == new
    assert writing.given(new, "first", "a_number") == "0.5"


def test_where_there_is_no_place_nothing_is_written():
    with pytest.raises(NoPlace, match="write `a_number:` and the answer on a line of its own, under `first:`"):
        writing.answered("## a_number\n\n0.2\n", "first", "a_number", "0.5")


def test_what_stands_there():
    assert writing.given(SHEET, "first", "a_vector") == ["0.1", "0.2", "0.3", "0.4"]
    assert writing.given(SHEET, "first", "some_letters") is None
    assert writing.given(SHEET, "second", "an_essay") == "Because the paths are short.\n\n# It costs memory.\n"
    assert writing.given(BROKEN, "first", "a_matrix") == AsWritten("[[1, 2], [3, 4]")
    assert writing.given(BROKEN, "first", "a_number") == "0.25"
    assert writing.given("first:\n  a_number: 1\n  a_number: 2\n", "first", "a_number") == AsWritten("1\n2")
