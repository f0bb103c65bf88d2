"""A suite's tables of misconceptions: one function or several, explained by a docstring or by the catalogue."""

from __future__ import annotations

import pytest
from toy_suites import HEAD, course

from grader.suites.misconceptions import Misconception, explained, misconception, misconceptions
from grader.texts import NOTHING, Text

ADDS, NEGATES = Text("It adds."), Text("The sign is wrong.")


def double(x):
    return 2 * x


def triple(x):
    return 3 * x


def test_a_line_each():
    found = misconceptions("f", doubles=double, triples=triple)
    assert [(m.name, dict(m.functions), m.message, m.stub) for m in found] == [
        ("doubles", {"f": double}, NOTHING, False), ("triples", {"f": triple}, NOTHING, False),
    ]  # fmt: skip


def test_one_for_each_of_several_functions():
    (found,) = misconceptions("f", "g", swapped=(double, triple))
    assert found.functions == {"f": double, "g": triple}


@pytest.mark.parametrize("variants", [(double,), (double, triple, double)])
def test_a_variant_for_each_function_or_none(variants):
    with pytest.raises(ValueError, match="zip"):
        misconceptions("f", "g", swapped=variants)


def test_marked_functions():
    @misconception("f", stub=True)
    def doubles(x):
        """It doubles."""
        return 2 * x

    @misconception("f", "g")
    def swapped():
        """They are swapped."""
        return triple, double

    assert (doubles.name, doubles.stub, doubles.message) == ("doubles", True, Text("It doubles."))
    assert doubles.functions["f"](4) == 8
    assert (swapped.stub, swapped.functions) == (False, {"f": triple, "g": double})


def test_the_catalogue_explains_what_says_nothing_itself():
    own = Misconception("adds", {"f": double}, Text("own"))
    table = misconceptions("f", adds=double, negates=double, adds_and_negates=double, adds_and_strange=double)
    texts = {"adds": ADDS, "negates": NEGATES}
    said = [m.message for m in explained([own, *table], texts)]
    assert [*said[:3], said[4]] == [own.message, ADDS, NEGATES, NOTHING]
    assert said[3].to("en") == "It adds. The sign is wrong."
    assert explained(table, {**texts, "adds_and_negates": own.message})[2].message == own.message


def test_a_suite_holds_tables_and_marked_functions(tmp_path):
    suite = HEAD + (
        "@points(1)\ndef test_a(student, make): student.f(make.normal(2))\n"
        "FIRST = misconceptions('f', doubles=lambda x: 2 * x)\n"
        "SECOND = misconceptions('f', triples=lambda x: 3 * x)\n"
        "@misconception('f')\ndef negates(x):\n    '''It negates.'''\n    return -x\n"
    )
    suites = course(tmp_path, suite)
    (tmp_path / "hidden" / "f.yaml").write_text('doubles: "It doubles."\n', encoding="utf-8")
    assert {m.name: m.message for m in suites["f"].misconceptions} == {
        "negates": Text("It negates."), "doubles": Text("It doubles."), "triples": NOTHING,
    }  # fmt: skip


def test_a_mistake_without_a_text_of_its_own_takes_the_one_that_suites_share(tmp_path):
    suite = HEAD + (
        "@points(1)\ndef test_a(student, make): student.f(make.normal(2))\n"
        "KNOWN = misconceptions('f', doubles=abs, triples=abs, negates=abs, doubles_and_triples=abs)\n"
    )
    suites = course(tmp_path, suite)
    (tmp_path / "hidden" / "f.yaml").write_text('doubles: "It doubles."\n', encoding="utf-8")
    (tmp_path / "hidden" / "lib").mkdir()
    shared = 'doubles: "Shared."\ntriples: "It triples."\n'
    (tmp_path / "hidden" / "lib" / "mistakes.yaml").write_text(shared, encoding="utf-8")
    assert {m.name: m.message.to("en") for m in suites["f"].misconceptions} == {
        "doubles": "It doubles.", "triples": "It triples.", "negates": "",
        "doubles_and_triples": "It doubles. It triples.",
    }  # fmt: skip
    assert set(suites["f"].texts) == {"doubles"}
