"""A decimal comma is one where the language of the course has it; elsewhere nothing is guessed."""

# ruff: noqa: E501 -- a case a line

from __future__ import annotations

from typing import Any

import pytest
from quiz import marked, paper_in

from grader import catalogues
from grader.questions import Choice, Number, Numbers, Table, numbers
from grader.questions.numbers import Unreadable

FRENCH, GERMAN = map(catalogues.signs, ("fr", "de"))


@pytest.mark.parametrize(
    ("lang", "comma"),
    [("de", True), ("fr", True), ("es", True), ("it", True), ("pt", True), ("pt-BR", True), ("nl", True), ("ru", True),
     ("pl", True), ("en", False), ("zh", False), ("ja", False), ("de-CH", False), ("es-MX", False), ("tlh", False), ("", False)],
)  # fmt: skip
def test_a_language_has_it_or_not(lang, comma):
    assert catalogues.signs(lang).comma == comma


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [("0,125", 0.125, 3), (",5", 0.5, 1), ("-0,25", -0.25, 2), ("\uff10\uff0c\uff12\uff15", 0.25, 2), ("1,234", 1.234, 3),
     ("33,3 %", 0.333, 3), ("3,33e-1", 0.333, 3), ("sqrt(0,25)", 0.5, None), ("0,5/2", 0.25, None), ("1/4 = 0,25", 0.25, None),
     ("[0,333]", 0.333, 3), ("w = 0,25", 0.25, 2), ("0,25, because", 0.25, 2), ("65.504,5", 65504.5, 1), ("1.050.624", 1050624, 0),
     ("1.050.624,0", 1050624, 1), ("1 050 624,5", 1050624.5, 1), ("1,050,624", 1050624, 0), ("1,050,624.5", 1050624.5, 1),
     ("0.125", 0.125, 3), ("1.234", 1.234, 3), ("12", 12, 0)],
)  # fmt: skip
def test_one_number(text, value, decimals):
    found = numbers.parsed(text, signs=FRENCH)
    assert (found.value, found.decimals) == (pytest.approx(value), decimals)
    assert found.unsure is None


@pytest.mark.parametrize(("exact", "read", "shown"), [(True, 1050, "1050"), (False, 1.05, "1,050")])
def test_where_both_readings_are_possible_one_is_told(exact, read, shown):
    """1.050 in a language with dots between thousands: whole where a whole number is asked for."""
    found = Number(0 if exact else 3).read("1.050", GERMAN)
    assert found.value == read
    assert found.unsure.to("en").startswith(f"1.050 was read as {shown}; write 1050 for a whole number, 1,050 for")
    assert [g.value for g in Numbers((2,), 0 if exact else 3).read("1.050; 2", GERMAN)] == [read, 2]
    for text, value in (("0.125", 0.125), ("12.5", 12.5), ("1.050,5", 1050.5), ("1.050.624", 1050624), ("1,050", 1.05)):
        known = Number(0 if exact else 3).read(text, GERMAN)
        assert (known.value, known.unsure) == (value, None)
    assert Number(3).read("1.050", FRENCH).unsure is None
    assert Number(0).read("1,050", catalogues.ENGLISH).value == 1050


@pytest.mark.parametrize("text", ["٠٫١٢٥", "०.१२५", "\uff10.\uff11\uff12\uff15"])
def test_digits_of_other_scripts_are_digits(text):
    assert numbers.parsed(text).value == 0.125


@pytest.mark.parametrize("text", ["1\u202f050\u202f624", "1\xa0050\xa0624", "1 050 624", "1'050'624", "1’050’624"])
def test_groups_of_thousands(text):
    assert numbers.parsed(text, FRENCH).value == 1_050_624


@pytest.mark.parametrize("text", ["0,12,5", "0,1 0,2", "1,2.3", "1.2,3.4", ",", "0,x", "1.05.06,7"])
def test_what_is_none_either_way(text):
    with pytest.raises(Unreadable):
        numbers.parsed(text, signs=FRENCH)


@pytest.mark.parametrize(
    "given",
    ["[0,1, 0,105, 0,3, 0,495]", "0,1; 0,105; 0,3; 0,495", "0,1 0,105 0,3 0,495", "0,1 | 0,105 | 0,3 | 0,495", "0.1, 0.105, 0.3, 0.495",
     "[0,1 0,105 0,3 0,495]", ["0,1", "0,105", "0,3", "0,495"], "1/10, 10,5 %, 0,3, 0,495", "0,1\n0,105\n0,3\n0,495", "w = [0,1; 0,105; 0,3; 0,495]"],
)  # fmt: skip
def test_several_numbers(given):
    found = Numbers((4,), 3).read(given, signs=FRENCH)
    assert [g.value for g in found] == pytest.approx([0.1, 0.105, 0.3, 0.495])
    assert [g.unsure for g in found] == [None] * 4


def test_rows_of_numbers():
    found = Numbers((2, 3)).read("[[1; 0,25; 0,5], [0,125; -3; 2]]", signs=FRENCH)
    assert [g.value for g in found] == [1, 0.25, 0.5, 0.125, -3, 2]


def test_commas_still_stand_between_whole_numbers():
    form = Numbers((2,), 0)
    assert [g.value for g in form.read("64,512", signs=FRENCH)] == [64, 512]
    assert [g.value for g in form.read("1.050.624, 2", signs=FRENCH)] == [1050624, 2]
    for given, shape in (("1,5", 2), ("0,1 0,105", 4)):
        assert all(g.unsure for g in Numbers((shape,)).read(given, signs=FRENCH)), "so many numbers, or half"


@pytest.mark.parametrize("given", ["0,1, 0,105, 0,3", "0,1, x, 0,3, 0,495"])
def test_another_count_is_told_and_no_point_is_asked_for(given):
    with pytest.raises(Unreadable) as told:
        Numbers((4,), 3).read(given, signs=FRENCH)
    assert "decimal" not in told.value.reason.to("en")


CELLS: list[Any] = [
    {"first": "{m: 2, l: 1,37}", "second": "{m: 4, l: 1,14}"}, {"first": "2; 1,37", "second": "4; 1,14"},
    {"first": "2 1,37", "second": "4 1,14"}, [["2", "1,37"], ["4,0", "1,14"]], {"first": "2, 1,37", "second": "4, 1,14"},
    {"first": "2,0 1,37", "second": "4,0 1,14"},
]  # fmt: skip


@pytest.mark.parametrize("given", CELLS)
def test_cells_of_a_table(given):
    found = Table(("first", "second"), ("m", "l"), Number(2)).read(given, signs=FRENCH)
    assert [[g.value for g in row] for row in found] == [[2, 1.37], [4, 1.14]]


def test_words_stay_as_they_are():
    form = Table(("first",), ("x", "y"), Choice({"same": "stays the same", "changes": "changes"}))
    for given in ({"first": "stays the same, changes"}, {"first": "same,changes"}, {"first": "stays the same,changes"}):
        assert form.read(given, signs=FRENCH) == form.read(given) == [[("same",), ("changes",)]]
    assert Choice({"a": "50,000", "b": "50,257"}).read("50,257", signs=FRENCH) == ("b",)


@pytest.mark.parametrize(
    ("lang", "verdict"), [("de", "passed"), ("fr-CA", "passed"), ("en", "failed"), ("zh", "failed")]
)
def test_the_language_of_the_course_decides(tmp_path, lang, verdict):
    paper = paper_in(tmp_path, lang)
    answers = {"a_third": "0,333", "matrix": "1 0,25 0,125 -3"}
    found = marked(paper, answers)
    assert {found[name][0] for name in answers} == {verdict}
    assert ("decimal comma" in found["a_third"][1]) == (verdict == "failed")
    same = [paper.read({"a_third": text}, "common") for text in ("0,333", "0.333")]
    assert (same[0] == same[1]) == (verdict == "passed"), "one answer, one attempt"
