"""Lessons are built from texts and a script: what is computed is shown, and nothing else can be."""

from __future__ import annotations

import pytest

from grader.authoring import lessons
from grader.course import course as courses
from grader.errors import CourseError
from grader.rendering.lesson_text import Bars, Control, Explorable, Matrix, Mistake, parts, sections

SCRIPT = """
import torch
from grader.authoring.lessons import bars, count, holds, matrix, numbers, table

X = torch.tensor([[1.0, 2.0], [3.0, 4.0]])

def blocks(course):
    scale = course.solution("scale").scale
    return {
        "scaled": numbers(scale(X[0], 0.25), 2),
        "picture": matrix("Scaled", scale(X)),
        "heights": bars("Heights", {"a": 1.0, "b": 2.0}),
        "rows": table(["a", "b"], [[0.5, count(1234)]]),
        "wrong": course.mistake("scale", "adds_instead", lambda f: f.scale(X, 3.0)),
    }
"""
ENGLISH = "## Scaling\n\nIt is {{scaled}}.\n\n{{picture}}\n\n{{heights}}\n\n{{rows}}\n\n## Wrong\n\n{{wrong}}\n"
CHINESE = ENGLISH.replace("Scaling", "缩放").replace("It is", "结果是").replace("Wrong", "错误")


@pytest.fixture
def lesson(toy_copy):
    """`lesson(script, en, zh)` builds the toy course's lesson; a text that is None is not there."""

    def build(script=SCRIPT, en=ENGLISH, zh=CHINESE):
        folder = toy_copy / "lessons"
        folder.mkdir(exist_ok=True)
        for name, text in (("basics.py", script), ("basics.en.md", en), ("basics.zh.md", zh)):
            if text is not None:
                (folder / name).write_text(text, encoding="utf-8")
        return lessons.build(courses.load(toy_copy), ["basics"])["basics"]

    return build


def test_what_is_computed_is_shown(lesson):
    built = lesson()
    prose, *rest = parts(built["en"])
    assert prose == "## Scaling\n\nIt is [0.25, 0.50]."
    matrix, heights, rows, wrong = (part for part in rest)
    assert matrix == Matrix("Scaled", [[2.0, 4.0], [6.0, 8.0]])
    assert heights == Bars("Heights", [("a", 1.0), ("b", 2.0)])
    assert rows == "| a | b |\n| --- | --- |\n| 0.5000 | 1,234 |\n\n## Wrong"
    assert isinstance(wrong, Mistake)
    assert (wrong.name, wrong.picture.expected) == ("scale/adds_instead", [[3.0, 6.0], [9.0, 12.0]])
    assert wrong.picture.actual == [[4.0, 5.0], [6.0, 7.0]]
    assert wrong.caption == "The factor is added instead of multiplied."
    assert [heading for heading, _ in sections(built["zh"])] == ["缩放", "错误"]
    *_, wrong = parts(built["zh"])
    assert wrong.caption == "加上了因子,而不是乘以因子。"


MOVES = """
from grader.authoring.lessons import control, explore, matrix
import torch

def blocks(course):
    turns = [control("turns", "turns", 1.0, [0.0, 1.0, 2.0])]
    still = matrix("Scaled", torch.ones(1, 1))
    return {"wheel": explore("wheel", "Wheel", "Turn it.", turns, {"says": "{x} turns."}, still, spokes=[3])}
"""


def test_a_drawing_to_move(lesson, toy_copy):
    with (toy_copy / "languages" / "zh.po").open("a", encoding="utf-8") as catalogue:
        for key, said in {"Wheel": "轮", "turns": "圈", "{x} turns.": "{x} 圈。", "Scaled": "缩放"}.items():
            catalogue.write(f'\nmsgid "{key}"\nmsgstr "{said}"\n')
    built = lesson(MOVES, "{{wheel}}", "{{wheel}}")
    (english,), (chinese,) = (parts(built[lang]) for lang in ("en", "zh"))
    turns = Control("turns", "turns", 1.0, [0.0, 1.0, 2.0])
    still = Matrix("Scaled", [[1.0]])
    assert english == Explorable(
        "wheel", "Wheel", "Turn it.", [turns], {"says": "{x} turns."}, {"spokes": [3.0]}, still
    )
    assert (chinese.caption, chinese.controls[0].label, chinese.words) == ("轮", "圈", {"says": "{x} 圈。"})
    assert (chinese.still.caption, chinese.look_for) == ("缩放", "Turn it.")
    with pytest.raises(CourseError, match="control 'turns' starts at 3"):
        lesson(MOVES.replace('"turns", 1.0', '"turns", 3'), "{{wheel}}", "{{wheel}}")


def test_a_course_without_lessons(toy):
    assert lessons.build(toy, ["basics"]) == {"basics": {}}


def test_a_lesson_that_is_built_stays_as_it_is(lesson):
    assert lesson(script=None, en="About 0.38.", zh="约为 0.38。") == {"en": "About 0.38.", "zh": "约为 0.38。"}


SMALL = "f.scale(torch.full((1, 2), 2.0), 2.0)"
FALSE = 'holds(1 > 2, "so")\n    return {'
WRONG = {
    "a number by hand": (
        {"en": ENGLISH + "\nAbout 0.38 of it."},
        "basics.en.md:15: the number at '0.3' is written by hand",
    ),
    "a large number by hand": (
        {"zh": CHINESE + "\n共 12,288 个。"},
        "basics.zh.md:15: the number at '2,288' is written",
    ),
    "an unknown name": ({"en": ENGLISH + "{{other}}"}, "lessons/basics.en.md: nothing is computed for {{other}}"),
    "a name that is not used": ({"zh": "## 缩放\n"}, "lessons/basics.zh.md: {{heights}} is computed and never shown"),
    "a missing language": ({"zh": None}, "basics.zh.md: missing; the lesson is there in another language"),
    "an unknown mistake": (
        {"script": SCRIPT.replace("adds_instead", "adds")},
        "the mistake scale/adds, which the suite does not know",
    ),
    "a mistake that does not show": (
        {"script": SCRIPT.replace("f.scale(X, 3.0)", SMALL)},
        "shows the mistake scale/adds_instead where it does not show",
    ),
    "no exercise": (
        {"script": SCRIPT.replace('mistake("scale"', 'mistake("skale"')},
        "of 'skale', which is not an exercise",
    ),
    "a false claim": ({"script": SCRIPT.replace("return {", FALSE)}, "claims what is not so: so"),
    "a large tensor": ({"script": SCRIPT.replace("scale(X))", "torch.ones(2, 13))")}, "a tensor of shape (2, 13)"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_lesson_is_said(lesson, case):
    given, message = WRONG[case]
    with pytest.raises(CourseError) as raised:
        lesson(**given)
    assert message in str(raised.value)
