"""What the terminal shows: small matrices in colours and in plain signs, reports, progress, in both languages."""

from __future__ import annotations

import dataclasses
import io
import random
import re

import pytest
from rich.console import Console

from grader.course import course as courses
from grader.learner import views
from grader.learner.progress import Standing
from grader.rendering.terminal import pictures
from grader.rendering.terminal.pictures import side_by_side
from grader.rendering.terminal.screen import Screen
from grader.report.report import Check, Diagnosis, Environment, ExerciseReport, Picture, Report

HEADINGS = ("expected", "got")
FIRST, LAST = [1, 0, 0], [0.2, 0.3, 0.5]
WEIGHTS = Picture("result 2", [3, 3], [FIRST, [0.5, 0.5, 0], LAST], [FIRST, [0.3, 0.7, 0], LAST])
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def plain(picture: Picture, width: int = 100) -> list[str]:
    return [line.plain for line in side_by_side(picture, HEADINGS, width, coloured=False)]


def terminal(lang: str = "en", width: int = 100, **options) -> tuple[Screen, io.StringIO]:
    out = io.StringIO()
    console = Console(
        file=out, width=width, highlight=False, **{"force_terminal": True, "color_system": None, **options}
    )
    return Screen(lang, console), out


def check(verdict="failed", reason="", id="test_a[cpu]", title="A is b.", picture=None) -> Check:
    return Check(id, title, verdict, float(verdict == "passed"), 1.0, reason, 0.01, picture)


def report(*exercises: ExerciseReport) -> Report:
    environment = Environment("1", "3.11", "2.13", {"cpu": "ran"}, ())
    score, most = (sum(getattr(e, name) for e in exercises) for name in ("score", "max_score"))
    return Report("s", "graded", None, score, most, "", environment, exercises)


def test_a_plain_heat_map_shades_and_marks():
    assert plain(WEIGHTS) == [
        "expected             got",
        "█1.00 ·0.00 ·0.00    █1.00 ·0.00 ·0.00 ",
        "▒0.50 ▒0.50 ·0.00    ▒0.30*▓0.70*·0.00 ",
        "░0.20 ▒0.30 ▒0.50    ░0.20 ▒0.30 ▒0.50 ",
    ]


def test_a_narrow_terminal_has_one_below_the_other():
    lines = plain(WEIGHTS, width=30)
    assert lines[0].strip() == "expected"
    assert lines[4].strip() == "got"
    assert lines[6] == "▒0.30*▓0.70*·0.00 "


def test_a_wide_matrix_has_shades_only():
    rows = [[random.Random(i).random() for i in range(12)] for _ in range(12)]
    lines = plain(Picture("r", [12, 12], rows, rows), width=60)
    assert len(lines) == 13
    assert all(set(line) <= set(pictures.SHADES + " ") for line in lines[1:])
    assert max(map(len, lines)) <= 60


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    for rows, columns in ((1, 1), (1, 12), (12, 12), (5, 7), (12, 1)):
        matrix = [[random.Random(r * c).gauss(0, 100) for c in range(columns)] for r in range(rows)]
        other = [[-v for v in row] for row in matrix]
        for coloured in (False, True):
            lines = side_by_side(Picture("r", [rows, columns], matrix, other), HEADINGS, width, coloured)
            needed = columns * (2 + (not coloured) * 0)
            assert max(line.cell_len for line in lines) <= max(width, needed)


def test_whole_numbers_have_no_decimals():
    assert plain(Picture("r", [2, 2], [[1, 0], [1, 1]], [[1, 1], [1, 1]]))[1:] == [
        "█1 ·0      █1 █1*",
        "█1 █1      █1 █1 ",
    ]


def test_enough_digits_to_see_the_mistake():
    lines = plain(Picture("r", [2], [[0.33333, 1.0]], [[0.33346, 1.0]]))
    assert "0.3333 " in lines[1]
    assert "0.3335*" in lines[1]


def test_what_is_no_number():
    (line,) = plain(Picture("r", [3], [[1.5, -2.0, "-inf"]], [["nan", "inf", "-inf"]]))[1:]
    assert line.split() == ["▓", "1.50", "█-2.00", "█", "-inf", "?", "nan*█", "inf*█", "-inf"]


def test_in_256_colours():
    screen, out = terminal(color_system="256")
    screen.picture(check(picture=WEIGHTS))
    colours = re.findall(r"\x1b\[(?:1;)?(\d\d);48;5;(\d+)m([^\x1b]*)", out.getvalue())
    assert ("30", "220", "1.00 ") in colours
    assert ("97", "53", "0.00 ") in colours
    assert [text for _, _, text in colours if "*" in text] == ["0.30*", "0.70*"]
    assert ESCAPE.sub("", out.getvalue()).splitlines()[2].split() == ["expected", "got"]


def test_above_and_below_zero_have_their_colours():
    lines = side_by_side(Picture("r", [2], [[-1.0, 1.0]], [[-1.0, 1.0]]), HEADINGS, 80, coloured=True)
    styles = {str(span.style) for span in lines[1].spans}
    assert styles == {f"bright_white on color({pictures.AROUND[0]})", f"bright_white on color({pictures.AROUND[-1]})"}


def test_no_colour_where_none_is_wanted():
    for options in ({"color_system": None}, {"color_system": "256", "no_color": True}):
        screen, out = terminal(**options)
        screen.picture(check(picture=WEIGHTS))
        assert "▓0.70*" in out.getvalue()
        assert "48;5" not in out.getvalue()


def test_a_picture_says_what_it_shows():
    screen, out = terminal("zh")
    screen.picture(check(picture=WEIGHTS), indent=4)
    assert "    result 2，形状 [3, 3]；错误的元素带有 *" in out.getvalue()
    assert "    期望                 得到" in out.getvalue()


def test_a_bar_is_full_only_at_the_end():
    assert pictures.bar(0, 10) == "░" * 10
    assert pictures.bar(0.001, 10) == "█" + "░" * 9
    assert pictures.bar(0.999, 10) == "█" * 9 + "░"
    assert pictures.bar(1, 10) == "█" * 10


def test_chinese_is_padded_by_its_width():
    assert pictures.padded("核心", 6) == "核心  "


@pytest.fixture
def scale(toy):
    return toy.exercise("scale")


FAILED = ExerciseReport(
    "scale", "failed", "scale(x [2]): wrong", 1.0, 3.0,
    (
        check("passed", id="test_a[cpu-float32]"),
        check("failed", "scale(x [2]): wrong\ninput:\n1", "test_a[cpu-float64]"),
        check("failed", "a law is broken", "test_b[cpu]", "B is c.", WEIGHTS),
    ),
    (Diagnosis("scale/adds", "You add.", ("test_b[cpu]",)),), "printed\x07\n",
)  # fmt: skip


def test_the_diagnosis_comes_first(toy):
    screen, out = terminal()
    screen.overview(report(FAILED), toy)
    lines = [line.strip() for line in out.getvalue().splitlines()]
    assert lines[1].split() == ["✘", "scale", "1", "/", "3", "Multiply", "by", "a", "factor"]
    assert lines[2] == "→ You add."
    assert lines[3:5] == ["A is b.  (1/3)", "scale(x [2]): wrong"]


def test_details_name_each_check_and_show_the_picture(toy):
    screen, out = terminal()
    screen.details(report(FAILED), toy)
    text = out.getvalue()
    assert "✔    1 / 1    A is b.  [cpu-float32]" in text
    assert "✘    0 / 1    A is b.  [cpu-float64]" in text
    assert "▒0.30*▓0.70*·0.00" in text


def test_checks_that_differ_in_dtype_only_share_a_line(toy):
    dtypes = ("float16", "float32", "float64")
    checks = tuple(check("failed", f"off in {d}", f"test_a[cpu-{d}]") for d in dtypes)
    screen, out = terminal()
    screen.details(report(ExerciseReport("scale", "failed", "off in float16", 0.0, 3.0, checks)), toy)
    assert "✘    0 / 3    A is b.  [cpu-float16, cpu-float32, cpu-float64]" in out.getvalue()
    assert "off in float32" not in out.getvalue()


def test_a_long_line_goes_on_below_its_beginning():
    screen, out = terminal(width=40)
    screen.line("one two three four five six seven eight nine ten", indent=2, hang=3)
    assert out.getvalue().splitlines() == ["  one two three four five six seven", "     eight nine ten"]


def test_what_is_no_terminal_gets_whole_lines():
    screen, out = terminal(width=40, force_terminal=False)
    screen.line("one two three four five six seven eight nine ten", indent=2)
    assert out.getvalue() == "  one two three four five six seven eight nine ten\n"


def test_half_an_exercise_is_begun(toy):
    """Where one of two functions is written, the other's NotImplementedError does not make it `not started`."""
    checks = (check("passed"), check("failed", "pair(x): not started: ... NotImplementedError", "test_b[cpu]"))
    screen, out = terminal()
    screen.overview(report(ExerciseReport("scale", "failed", checks[1].reason, 1.0, 2.0, checks)), toy)
    assert out.getvalue().splitlines()[1].startswith("✘ scale")


def not_begun(id: str, reason: str, *diagnoses: Diagnosis) -> ExerciseReport:
    return ExerciseReport(id, "failed", reason, 0.0, 1.0, (check(reason=reason),), diagnoses)


AS_GIVEN = Diagnosis("scale/as_given", "This is the code as it was given.", ("test_a[cpu]",))
UNTOUCHED = {
    "a stub": not_begun("scale", "scale(x): not started: the function still raises NotImplementedError"),
    "questions without answers": not_begun("scale", "not answered yet"),
    "the same in Chinese": not_begun("scale", "尚未作答"),
    "code to repair": not_begun("scale", "scale(x): the result is off", AS_GIVEN),
}


@pytest.mark.parametrize("case", UNTOUCHED)
def test_what_nobody_has_begun_takes_one_line(toy, case):
    screen, out = terminal()
    screen.overview(report(UNTOUCHED[case]), toy)
    lines = out.getvalue().splitlines()
    assert lines[1] == "· scale              0 / 1    Multiply by a factor  (not started)"
    assert lines[2:5] == ["", "0 of 1 points.", "Next: open exercises/scale.py and start with Multiply by a factor."]


def test_code_to_repair_is_shown_in_detail_before_it_is_touched(toy):
    screen, out = terminal()
    screen.details(report(UNTOUCHED["code to repair"]), toy)
    assert "→ This is the code as it was given." in out.getvalue()
    assert "scale(x): the result is off" in out.getvalue()


def test_what_a_person_grades_is_neither_passed_nor_open(toy):
    by_hand = ExerciseReport("pair", "passed", None, 0.0, 0.0, (check("skipped", "a person grades this"),))
    screen, out = terminal()
    screen.overview(report(UNTOUCHED["a stub"], by_hand), toy)
    assert "- pair               0 / 0    Two results at once  (a person grades this)" in out.getvalue()
    views.progress(screen, toy, {"pair": Standing(0.0, 0.0, passed=True)}, "exercises")
    assert "0 of 4 points, 0 of 1 exercises" in out.getvalue()
    assert "- pair      0 / 2    Two results at once  (a person grades this)" in out.getvalue()


def test_next_is_what_can_be_done_now(toy):
    """Not what comes after something that has not passed, unless it was begun."""
    pair, scale = not_begun("pair", "NotImplementedError"), not_begun("scale", "NotImplementedError")
    screen, out = terminal()
    screen.overview(report(pair, scale), toy)
    assert "Next: open exercises/scale.py" in out.getvalue()
    screen.overview(report(dataclasses.replace(pair, reason="wrong", checks=(check(reason="wrong"),)), scale), toy)
    assert "Next: `grader check pair` shows every check" in out.getvalue()


def test_long_names_keep_the_columns(toy):
    long = dataclasses.replace(toy.exercises[0], id="a_name_of_twenty_two_x")
    units = (dataclasses.replace(toy.settings.units[0], exercises=(long, toy.exercises[1])),)
    course = dataclasses.replace(toy, settings=dataclasses.replace(toy.settings, units=units))
    screen, out = terminal()
    screen.overview(report(not_begun(long.id, "NotImplementedError"), not_begun("pair", "NotImplementedError")), course)
    lines = out.getvalue().splitlines()
    assert lines[1].index("/") == lines[2].index("/")


def test_progress_shows_units_exercises_and_what_is_next(toy):
    screen, out = terminal()
    views.progress(screen, toy, {"scale": Standing(4.0, 4.0, passed=True)}, "exercises")
    assert out.getvalue().splitlines() == [
        "A toy course  █████████████░░░░░░░  4 of 6 points, 1 of 2 exercises",
        "",
        "Basics                  █████████████░░░░░░░  4 / 6",
        "  ✔ scale     4 / 4    Multiply by a factor",
        "  · pair      0 / 2    Two results at once",
        "",
        "Next: Two results at once (exercises/pair.py)",
    ]


def test_progress_in_chinese(toy):
    screen, out = terminal("zh")
    views.progress(screen, toy, {"pair": Standing(1.0, 2.0)}, "work")
    assert out.getvalue().splitlines() == [
        "玩具课程  ███░░░░░░░░░░░░░░░░░  1 / 6 分，0 / 2 题",
        "",
        "基础                    ███░░░░░░░░░░░░░░░░░  1 / 6",
        "  · scale     0 / 4    乘以一个因子",
        "  ✘ pair      1 / 2    一次返回两个结果（先完成 scale）",
        "",
        "下一步：乘以一个因子（work/scale.py）",
    ]


def test_progress_when_all_is_done(toy):
    screen, out = terminal()
    done = {i: Standing(9.0, 9.0, passed=True) for i in ("scale", "pair")}
    views.progress(screen, toy, done, "exercises")
    assert "6 of 6 points, 2 of 2 exercises" in out.getvalue()
    assert "Everything passes. Well done!" in out.getvalue()


def test_the_first_failure_is_shown_with_a_picture(scale):
    screen, out = terminal()
    views.verdict(screen, FAILED, scale, "exercises/scale.py")
    text = out.getvalue()
    assert text.index("→ You add.") < text.index("scale(x [2]): wrong") < text.index("a law is broken")
    assert "input:" not in text
    assert "1 of 3 checks pass." in text
    assert "▒0.30*▓0.70*·0.00" in text
    assert "printed" in text


def test_a_stub_says_what_to_do(scale):
    stub = ExerciseReport("scale", "failed", "NotImplementedError", 0.0, 1.0, (check(reason="NotImplementedError"),))
    screen, out = terminal()
    views.verdict(screen, stub, scale, "exercises/scale.py")
    assert out.getvalue().splitlines()[1] == "    Open exercises/scale.py, write the function, save."


def test_what_was_not_even_run_does_not_pass(scale):
    screen, out = terminal()
    views.verdict(screen, ExerciseReport("scale", "rejected", "line 5 uses torch.lerp", 0.0, 4.0), scale, "scale.py")
    assert "line 5 uses torch.lerp" in out.getvalue()
    assert "passes" not in out.getvalue()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hints_in_steps(toy, toy_copy, lang):
    text = (toy_copy / "course.yaml").read_text(encoding="utf-8")
    steps = "[{en: Look., zh: 看。}, {en: Count., zh: 数。}]"
    text = text.replace("functions: [scale]", f"functions: [scale]\n        hints: {steps}")
    (toy_copy / "course.yaml").write_text(text, encoding="utf-8")
    exercise = courses.load(toy_copy).exercise("scale")
    screen, out = terminal(lang)
    views.hints(screen, exercise, 1)
    words = {
        "en": ("Hint 1 of 2", "Look.", "Count.", "There is one more"),
        "zh": ("提示 1 / 2", "看。", "数。", "后面还有提示"),
    }
    step, first, second, more = words[lang]
    assert step in out.getvalue()
    assert first in out.getvalue()
    assert second not in out.getvalue()
    assert more in out.getvalue()
    views.hints(screen, exercise, 2)
    assert second in out.getvalue()


def test_no_hints(scale):
    screen, out = terminal()
    views.hints(screen, scale, 0)
    assert out.getvalue().startswith(
        "There are no hints for Multiply by a factor. `grader check scale` says what is wrong"
    )


def test_the_solution(toy, scale):
    screen, out = terminal()
    views.solution(screen, toy, scale)
    assert "return x * factor" in out.getvalue()


def test_no_solution_here(toy_copy, scale):
    (toy_copy / "solutions" / "scale.py").unlink()
    screen, out = terminal()
    views.solution(screen, courses.load(toy_copy), scale)
    assert out.getvalue() == "There is no solution of scale here.\n"
