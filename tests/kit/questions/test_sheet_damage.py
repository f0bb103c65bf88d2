"""A sheet with one thing wrong with it: every other answer counts, and the one at fault is told what and where."""

# ruff: noqa: E501 -- a case a line

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from quiz import SHEET_NAMES, SHEET_PROSE

from grader.questions import Choice, Number, Numbers, Table, numbers
from grader.questions.marking import Sheet
from grader.sandbox.worker import answer_sheet, wire

SHEET = """\
# The answer sheet.

variant: common

# The first questions
first:

  # (1) A number?
  # → a number
  a_number: 0.25

  # (1) Which letters?
  #   a: this
  some_letters: [a, c]

  # (1) Four numbers?
  a_vector: [0.1, 0.2, 0.3, 0.4]

  # (1) A table?
  a_table:
    top row: {left: same, right: changes}
    bottom row: {left: changes, right: changes}

  # (1) A matrix?
  a_matrix: [[1, 2], [3, 4]]

# The second questions
second:

  # (1) One letter?
  one_letter: b

  # (1) In which order?
  an_order: [c, a, b]

  # (2) Explain.
  an_essay: Because the paths are short. It costs memory.

  # (1) Shared?
  shared_name: 7

# The third questions
third:

  # (1) The last number?
  last_number: 36

  # (1) Shared?
  shared_name: 8
"""
WIDTH = len(SHEET.split("\n"))


def read(source: str) -> Sheet:
    found, parts = answer_sheet.read(source, 1 << 20, SHEET_NAMES, SHEET_PROSE)
    assert not parts
    return Sheet(wire.decode(found.answers, bytearray()), found)


LETTERS = {letter: letter for letter in "abc"}
CHANGES = {"same": "stays the same", "changes": "changes"}
FORMS: dict[str, tuple[Any, Any]] = {
    "a_number": (Number(), 0.25), "some_letters": (Choice(LETTERS, many=True), ["a", "c"]),
    "a_vector": (Numbers((4,), 1), [0.1, 0.2, 0.3, 0.4]), "a_matrix": (Numbers((2, 2), 0), [1, 2, 3, 4]),
    "a_table": (
        Table(("top row", "bottom row"), ("left", "right"), Choice(CHANGES)), [["same", "changes"], ["changes"] * 2]
    ),
    "one_letter": (Choice(LETTERS), "b"), "an_order": (Choice(LETTERS, ordered=True), ["c", "a", "b"]),
    "last_number": (Number(0), 36),
}  # fmt: skip
SHARED = {"second": 7, "third": 8}
TEXT = "Because the paths are short. It costs memory."


def right(sheet: Sheet) -> set[str]:
    """The questions that are answered right, as section/name."""
    found = set()
    for section, names in SHEET_NAMES.items():
        answers = sheet.section(section)
        for name in names:
            form, key = FORMS.get(name) or (Number(0), SHARED.get(section))
            given = answers.get(name)
            if name == "an_essay":
                found |= {f"{section}/{name}"} if " ".join(str(given).split()) == TEXT else set()
                continue
            try:
                ok = given is not None and form.right(form.read(given), key)
            except numbers.Unreadable:
                ok = False
            found |= {f"{section}/{name}"} if ok else set()
    return found


ALL = right(read(SHEET))


def test_the_sheet_is_right():
    assert len(ALL) == sum(map(len, SHEET_NAMES.values()))
    assert not read(SHEET).read.damaged
    assert not read(SHEET).read.unknown


def changed(old: str, new: str) -> str:
    assert SHEET.count(old) == 1, old
    return SHEET.replace(old, new)


HARMLESS = {
    "no blank after the colon": changed("a_number: 0.25", "a_number:0.25"),
    "no blank before a list": changed("an_order: [c", "an_order:[c"),
    "a full-width colon": changed("a_number: 0.25", "a_number：0.25"),
    "a full-width colon and no blank in a section": changed("third:", "third："),
    "a tab before": changed("  a_number: 0.25", "\ta_number: 0.25"),
    "a tab after the colon": changed("a_number: 0.25", "a_number:\t0.25"),
    "a tab before a row": changed("    top row:", "\ttop row:"),
    "tabs everywhere": re.sub("^  ", "\t", SHEET, flags=re.MULTILINE),
    "no-break spaces before": changed("  a_number: 0.25", "\u00a0\u00a0a_number: 0.25"),
    "a no-break space after the colon": changed("a_number: 0.25", "a_number:\u00a00.25"),
    "an ideographic space": changed("a_number: 0.25", "a_number:\u30000.25"),
    "a zero-width space": changed("  a_number", "  \u200ba_number"),
    "backticks": changed("a_number: 0.25", "a_number: `0.25`"),
    "backticks around the name": changed("a_number: 0.25", "`a_number`: 0.25"),
    "quotes around the name": changed("a_number: 0.25", '"a_number": 0.25'),
    "bold": changed("a_number: 0.25", "**a_number**: 0.25"),
    "a list of bold": changed("  a_number: 0.25", "  - a_number: 0.25"),
    "curly quotes": changed("one_letter: b", "one_letter: “b”"),
    "an open quote": changed("a_number: 0.25", 'a_number: "0.25'),
    "a text after the letter": changed("one_letter: b", "one_letter: b: the weights"),
    "a comment behind": changed("a_number: 0.25", "a_number: 0.25  # I think"),
    "capitals in the name": changed("a_number: 0.25", "A_Number: 0.25"),
    "hyphens in the name": changed("a_number: 0.25", "a-number: 0.25"),
    "capitals in the section": changed("second:", "Second:"),
    "a section misspelt": changed("second:", "secnd:"),
    "a section without its colon": changed("second:", "second"),
    "no section": changed("second:\n", "\n"),
    "indented one too far": changed("  a_number: 0.25", "   a_number: 0.25"),
    "not indented": changed("  a_number: 0.25", "a_number: 0.25"),
    "nothing indented": re.sub("^ +", "", SHEET, flags=re.MULTILINE),
    "the answer in the next line": changed("a_number: 0.25", "a_number:\n  0.25"),
    "the answer in the next line, in front": changed("a_number: 0.25", "a_number:\n0.25"),
    "the answer before its colon's line": changed("  a_number: 0.25", "  0.25\n  a_number:"),
    "the same twice": changed("a_number: 0.25", "a_number: 0.25\n  a_number: 0.25"),
    "the same twice, once in quotes": changed("a_number: 0.25", "a_number: 0.25\n  a_number: '0.25'"),
    "twice, once with nothing": changed("a_number: 0.25", "a_number:\n  a_number: 0.25"),
    "a section twice": SHEET + "\nfirst:\n  a_number: 0.25\n",
    "a row twice": changed("    bottom row", "    top row: {left: same, right: changes}\n    bottom row"),
    "a code fence": f"```yaml\n{SHEET}```\n",
    "a fence of tildes": f"~~~\n{SHEET}~~~\n",
    "a code fence in the middle": changed("# The second", "```\n# The second"),
    "document marks": f"---\n{SHEET}...\n",
    "two documents": changed("# The second", "---\n# The second"),
    "a notebook's magic": f"%%writefile answers.yaml\n{SHEET}",
    "merge markers, both sides alike": changed(
        "  a_number: 0.25", "<<<<<<< HEAD\n  a_number: 0.25\n=======\n  a_number: 0.25\n>>>>>>> branch"
    ),
    "merge markers around a section": changed("# The second", "<<<<<<< HEAD\n=======\n>>>>>>> mine\n# The second"),
    "Windows line ends": SHEET.replace("\n", "\r\n"),
    "old Macintosh line ends": SHEET.replace("\n", "\r"),
    "line ends of office programs": SHEET.replace("\n", "\v"),
    "line ends of web pages": SHEET.replace("\n", "\u2028"),
    "a byte order mark": "\ufeff" + SHEET,
    "a bracket not closed": changed("a_vector: [0.1, 0.2, 0.3, 0.4]", "a_vector: [0.1, 0.2, 0.3, 0.4"),
    "a bracket too many": changed("a_vector: [0.1, 0.2, 0.3, 0.4]", "a_vector: [0.1, 0.2, 0.3, 0.4]]"),
    "two brackets in a row": changed("[[1, 2], [3, 4]]", "[1, 2], [3, 4]"),
    "a list over several lines": changed("[0.1, 0.2, 0.3, 0.4]", "[0.1, 0.2,\n0.3, 0.4]"),
    "a list with dashes": changed("[0.1, 0.2, 0.3, 0.4]", "\n  - 0.1\n  - 0.2\n  - 0.3\n  - 0.4"),
    "a table's brace not closed": changed("{left: same, right: changes}", "{left: same, right: changes"),
    "a table's full-width colon": changed("{left: same, right: changes}", "{left：same， right：changes}"),
    "a table's row badly indented": changed("    bottom row:", "   bottom row:"),
    "a table's full-width braces": changed("{left: same, right: changes}", "｛left：same，right：changes｝"),
    "a table's rows not indented": changed(
        "    top row: {left: same, right: changes}\n    bottom", "  top row: {left: same, right: changes}\n  bottom"
    ),
    "a table without braces": changed("top row: {left: same, right: changes}", "top row: same, changes"),
    "a line of its own": changed("# The second", "I did these on Monday.\n# The second"),
    "equals signs": changed("a_number: 0.25", "a_number = 0.25"),
    "quoted in a mail": re.sub("^", "> ", SHEET, flags=re.MULTILINE),
    "names as headings in Markdown": re.sub(r"^  (\w+): (.+)$", r"### \1\n\2", SHEET, flags=re.MULTILINE),
    "quoted in a mail of a mail": re.sub("^", ">> ", SHEET, flags=re.MULTILINE),
    "exported as Markdown": re.sub(r"([_\[\]{}])", r"\\\1", SHEET),
    "a tab before names, blanks before rows": re.sub("^  (?=[a-z])", "\t", SHEET, flags=re.MULTILINE),
    "a cell of a table in Markdown": changed("  one_letter: b", "| one_letter | b |"),
    "a line of a CSV file": changed("  a_vector: [0.1, 0.2, 0.3, 0.4]", 'a_vector,"[0.1, 0.2, 0.3, 0.4]"'),
    "a line of a CSV file with semicolons": changed("  one_letter: b", "one_letter;b"),
    "unknown keys": changed("# The second", "my_notes: done on Monday\n# The second"),
    "JSON": '{"variant": "common", "first": {"a_number": "0.25", "some_letters": ["a", "c"], "a_vector": [0.1, 0.2, '
    '0.3, 0.4], "a_table": {"top row": {"left": "same", "right": "changes"}, "bottom row": {"left": "changes", '
    '"right": "changes"}}, "a_matrix": [[1, 2], [3, 4]]}, "second": {"one_letter": "b", "an_order": ["c", "a", "b"], '
    f'"an_essay": "{TEXT}", "shared_name": 7}}, "third": {{"last_number": 36, "shared_name": 8}}}}',
    "variant in capitals": changed("variant: common", "variant: Common"),
    "variant missing": changed("variant: common\n", ""),
    "an essay over lines": changed(TEXT, "Because the paths are short.\n    It costs memory."),
    "an essay over lines, not indented": changed(TEXT, "Because the paths are short.\nIt costs memory."),
    "an essay in a block": changed(TEXT, "|\n    Because the paths are short.\n    It costs memory."),
    "an essay in quotes": changed(TEXT, f'"{TEXT}"'),
}  # fmt: skip


@pytest.mark.parametrize("name", HARMLESS)
def test_what_costs_nothing(name):
    assert right(read(HARMLESS[name])) == ALL


ONE = {  # the sheet, the answer that is lost, what is said of it and in which line
    "a question mark": (changed("a_number: 0.25", "a_number: ?"), "first/a_number", ("unreadable", 10)),
    "a dash": (changed("a_number: 0.25", "a_number: -"), "first/a_number", ("unreadable", 10)),
    "a colon in a number": (changed("a_number: 0.25", "a_number: about: 0,25 or so"), "first/a_number", ("unreadable", 10)),
    "a percent sign in front": (changed("a_number: 0.25", "a_number: %25"), "first/a_number", ("unreadable", 10)),
    "an at sign": (changed("a_number: 0.25", "a_number: @"), "first/a_number", ("unreadable", 10)),
    "an anchor": (changed("a_number: 0.25", "a_number: &x 0.25"), "first/a_number", ("alias", 10)),
    "an alias": (changed("a_number: 0.25", "a_number: *x"), "first/a_number", ("alias", 10)),
    "a tag that is none": (changed("a_number: 0.25", "a_number: !<x y"), "first/a_number", ("unreadable", 10)),
    "a control character": (changed("a_number: 0.25", "a_number: \x1b0.25"), "first/a_number", ("character", 10)),
    "half a table": (changed("{left: same, right: changes}", "{left: same, right"), "first/a_table", ("unreadable", 21)),
    "a table's row lost": (changed("    bottom row: {left: changes, right: changes}\n", ""), "first/a_table", None),
    "two answers": (changed("a_number: 0.25", "a_number: 0.25\n  a_number: 0.5"), "first/a_number", ("twice", 11)),
    "two answers, one in another section": (
        SHEET + "\nfirst:\n  a_number: 0.5\n", "first/a_number", ("twice", WIDTH + 2)
    ),
    "two rows": (
        changed("    bottom row", "    top row: {left: changes, right: same}\n    bottom row"), "first/a_table", ("twice", 22)
    ),
    "a merge conflict": (
        changed("  a_number: 0.25", "<<<<<<< HEAD\n  a_number: 0.25\n=======\n  a_number: 0.5\n>>>>>>> branch"),
        "first/a_number", ("twice", 13),
    ),
    "brackets without end": (changed("a_number: 0.25", "a_number: " + "[" * 3000), "first/a_number", ("size", 10)),
    "far too many values": (changed("a_number: 0.25", f"a_number: [{'1, ' * 4000}]"), "first/a_number", None),
    "a far too long text": (changed("a_number: 0.25", "a_number: " + "x: y " * 9000), "first/a_number", ("size", 10)),
    "a misspelt name": (changed("a_number: 0.25", "a_nubmer: 0.25"), "first/a_number", None),
    "a name cut short": (changed("last_number: 36", "last_num: 36"), "third/last_number", None),
    "an escape beyond all characters": (
        changed("a_number: 0.25", 'a_number: "\\Uffffffff"'), "first/a_number", ("unreadable", 10)
    ),
    "the comment sign in front": (changed("  a_number: 0.25", "  # a_number: 0.25"), "first/a_number", ("comment", 10)),
    "two answers in one line": (changed("a_number: 0.25", "a_number: 0.25 a_number: 0.5"), "first/a_number", ("unreadable", 10)),
    "an emoji": (changed("a_number: 0.25", "a_number: 🙂"), "first/a_number", None),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE)
def test_what_costs_one_answer(name):
    source, lost, said = ONE[name]
    sheet = read(source)
    assert ALL - right(sheet) == {lost}
    found = {f"{d.section}/{d.question}": (d.kind, d.line) for d in sheet.read.damaged}
    assert found == ({lost: said} if said else {})


def test_a_line_that_is_nobodys_answer_is_told():
    sheet = read(changed("  a_number: 0.25", "  0.25"))
    assert ALL - right(sheet) == {"first/a_number"}
    assert [(d.question, d.kind, d.line) for d in sheet.read.damaged] == [("a_number", "stray", 10)]


def test_a_name_that_a_browser_translated_costs_one_answer_and_is_told():
    sheet = read(changed("  an_order: [c, a, b]", "  次序: [c, a, b]").replace("\n\n", "\n"))
    assert ALL - right(sheet) == {"second/an_order"}
    assert [(d.question, d.kind) for d in sheet.read.damaged] == [("an_order", "stray")]


def test_a_name_without_underscore_may_have_an_equals_sign():
    found, _ = answer_sheet.read(
        "claims = [a, b]\nmore_of_them = 3\n", 1 << 20, {"one": ("claims", "more_of_them")}, ()
    )
    assert wire.decode(found.answers, bytearray()) == {"one": {"claims": "[a, b]", "more_of_them": "3"}}


def test_names_that_no_question_has_are_told():
    assert read(ONE["a misspelt name"][0]).read.unknown == (("first", "a_nubmer", 10),)
    assert read(HARMLESS["unknown keys"]).read.unknown == (("first", "my_notes", 27),)
    assert "a_nubmer" in read(ONE["a misspelt name"][0]).section("first")


def test_a_sheet_cut_short_keeps_what_stands():
    """Wherever it is cut: what is whole before the cut counts; at most the answer at the cut is lost."""
    ends = {m.end(): m for m in re.finditer(r"\n", SHEET)}
    order = [f"{s}/{n}" for s, names in SHEET_NAMES.items() for n in names]
    for cut in range(0, len(SHEET), 7):
        found = right(read(SHEET[:cut]))
        whole = right(read(SHEET[: max(e for e in (0, *ends) if e <= cut)]))
        assert whole - found <= {next((n for n in order if n not in found), "")}, cut
        assert len(whole - found) <= 1


def characters() -> Iterator[tuple[int, str]]:
    places = [m.start() for m in re.finditer(r"(?m)^  \w+:.*$", SHEET)]
    found = itertools.product(places, "?-\t\"'`{}[]|>&*!%@#:,\x00\x07\u00a0\u3000\u2028\ufeff：。\\~^=<")
    return itertools.islice(found, 0, None, 5)  # 5 divides neither: each character meets some of the lines


def test_any_character_anywhere_costs_one_answer():
    """Any one of these put before, into or behind any answer's line."""
    for place, character in characters():
        line = SHEET[place:].split("\n")[0]
        for at in (0, 1, 2, line.index(":"), line.index(":") + 1, line.index(":") + 2, len(line)):
            broken = SHEET[: place + at] + character + SHEET[place + at :]
            assert len(ALL - right(read(broken))) <= 1, (line, at, character, ALL - right(read(broken)))


@pytest.mark.parametrize("source", ["", "# nothing\n", "\n\n", "\ufeff"])
def test_an_empty_sheet(source):
    assert not read(source).read.filled
    assert not read(source).answers


@pytest.mark.parametrize("source", ["- 1\n", "hello", "[1]: 2\n", "PK\x03\x04", "<html><body>", "a: b: c", "{", "]]]]"])
def test_what_is_no_sheet(source):
    found = read(source)
    assert found.read.filled
    assert not found.answers


@pytest.mark.parametrize(
    "source", ["[" * 200_000, "a_number: " + " " * 200_000, "> " * 100_000, "a_number:\n" * 20_000, "x" * 250_000,
               "a_number: [" + "1," * 100_000, "- " * 100_000, ":" * 200_000, '"' * 200_000, "# x\n" * 60_000,
               "a_number: {" + "a: {" * 50_000, "first: {" * 20_000, "a_number: |\n" + " x: y\n" * 30_000]
)  # fmt: skip
def test_hostile_sheets_take_little_time(source):
    import time

    started = time.process_time()
    read(source)
    assert time.process_time() - started < 5
