"""Each sentence about a mistake stands once, and belongs to a mistake."""

from __future__ import annotations

import pytest

from grader.authoring import mistake_texts
from grader.course import course as courses

MISTAKES = {"scale": ["adds", "halves", "in_place"], "pair": ["adds", "swapped_and_late"]}
CASES = {
    "nothing wrong": (
        {"scale": 'adds: "It adds."\nhalves, in_place: "So."\n', "lib/mistakes": 'late: "Late."\n'},
        None,
    ),
    "a text twice in a file": (
        {"scale": 'adds: "It adds."\nhalves: "It adds."\n'},
        'tests/hidden/scale.yaml: halves has the text of adds; write it once, `adds, halves: "..."`',
    ),
    "a text twice among those that are shared": (
        {"lib/mistakes": 'adds: "It adds."\nin_place: "It adds."\n'},
        'tests/hidden/lib/mistakes.yaml: in_place has the text of adds; write it once, `adds, in_place: "..."`',
    ),
    "a text that is shared already": (
        {"pair": 'adds: "It adds."\n', "lib/mistakes": 'adds: "It adds."\n'},
        "tests/hidden/pair.yaml: adds has this text in tests/hidden/lib/mistakes.yaml already; take it away here",
    ),
    "a text that two suites could share": (
        {"scale": 'adds: "It adds."\n', "pair": 'adds: "It adds."\n'},
        "tests/hidden: adds has the same text in scale.yaml and pair.yaml; write it once, in tests/hidden/lib/mist",
    ),
    "a shared text that no suite takes": (
        {"lib/mistakes": 'swaped: "Swapped."\n'},
        "tests/hidden/lib/mistakes.yaml: no suite takes the text 'swaped'; did you mean 'swapped'?",
    ),
    "a shared text where all have their own": (
        {"scale": 'halves: "Half."\n', "lib/mistakes": 'halves: "Halved."\n'},
        "tests/hidden/lib/mistakes.yaml: no suite takes the text 'halves'",
    ),
}


def found(root, files) -> list[str]:
    for name, text in files.items():
        path = root / "tests" / "hidden" / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(mistake_texts.problems(courses.load(root), MISTAKES))


@pytest.mark.parametrize("case", CASES)
def test_each_sentence_stands_once(toy_copy, case):
    files, said = CASES[case]
    problems = found(toy_copy, files)
    assert len(problems) == bool(said), problems
    assert said is None or problems[0].startswith(said)


def test_a_unit_that_is_not_in_use_may_need_a_text(toy_copy):
    rules = toy_copy / "course.yaml"
    text = rules.read_text(encoding="utf-8").replace("units:", "units: [basics]\nsyllabus:")
    more = "  - id: more\n    title: More\n    exercises:\n      - id: pair"
    rules.write_text(text.replace("      - id: pair", more).replace("        after: [scale]\n", ""), encoding="utf-8")
    assert found(toy_copy, {"lib/mistakes": 'of_more: "So."\n'}) == []
