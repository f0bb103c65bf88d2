"""What a learner sees between two attempts: progress, the verdict on one exercise, hints, the solution."""

from __future__ import annotations

import datetime

import msgspec
import pytest
from rich.cells import cell_len
from screens import FAILED, check, not_begun, on_screen
from support import ROOT, TOY

from grader.course import course as courses
from grader.learner import views
from grader.learner.progress import Standing, Standings
from grader.report.report import ExerciseReport, Printed
from grader.texts import plain


@pytest.fixture
def scale(toy):
    return toy.exercise("scale")


def test_progress_shows_units_exercises_and_what_is_next(toy):
    screen, out = on_screen()
    views.progress(screen, toy, Standings(toy, {"scale": Standing(4.0, 4.0, passed=True)}), "exercises")
    assert out.getvalue().splitlines() == [
        "A toy course  █████████████░░░░░░░  4 of 6 points, 1 of 2 exercises",
        "",
        "Basics ████████░░░░ 4 / 6",
        "  ✔ scale     4 / 4    Multiply by a factor",
        "  · pair      0 / 2    Two results at once",
        "",
        "Next: Two results at once (exercises/pair.py)",
    ]


def test_progress_in_chinese():
    screen, out = on_screen("zh")
    toy = courses.load(TOY)
    views.progress(screen, toy, Standings(toy, {"pair": Standing(1.0, 2.0)}), "work")
    assert out.getvalue().splitlines() == [
        "玩具课程  ███░░░░░░░░░░░░░░░░░  1 / 6 分，0 / 2 题",
        "",
        "基础 ██░░░░░░░░░░ 1 / 6",
        "  · scale     0 / 4    乘以一个因子",
        "  ✘ pair      1 / 2    一次返回两个结果（先完成 scale）",
        "",
        "下一步：乘以一个因子（work/scale.py）",
    ]


def test_progress_when_all_is_done(toy):
    screen, out = on_screen()
    done = {i: Standing(9.0, 9.0, passed=True) for i in ("scale", "pair")}
    views.progress(screen, toy, Standings(toy, done), "exercises")
    assert "6 of 6 points, 2 of 2 exercises" in out.getvalue()
    assert "Everything passes. Well done!" in out.getvalue()


def verdict(report, scale):
    screen, out = on_screen()
    views.verdict(screen, report, scale, "exercises/scale.py")
    return out.getvalue()


def test_the_first_failure_is_shown_with_its_own_picture(scale):
    """And above it the mistake that was recognised behind it."""
    text = verdict(msgspec.structs.replace(FAILED, chief="test_b[cpu]"), scale)
    assert text.index("→ You add.") < text.index("B is c.  (1 of 3 checks pass)") < text.index("▒0.30*▓0.70*·0.00")
    assert "input:" not in text


def test_what_else_is_wrong_comes_after_the_first_failure_without_a_picture(scale):
    text = verdict(FAILED, scale)
    assert text.index("A is b.  (1 of 3 checks pass)") < text.index("scale(x [2]): wrong") < text.index("→ You add.")
    assert "0.30" not in text


def printed(report, room=None, width=40):
    screen, out = on_screen(width=width)
    views.printed(screen, report, room)
    return out.getvalue().splitlines()


def test_only_the_quoted_call_is_printed(scale):
    assert printed(FAILED) == ["Lines printed in other calls: 1"]
    quoted = msgspec.structs.replace(FAILED, printed=Printed("shape [2]\n", 1))
    assert printed(quoted) == ["this call of your code printed:", "  │ shape [2]"]


def test_what_hangs_shows_all_that_was_printed(scale):
    hung = msgspec.structs.replace(FAILED, checks=(check("timeout"),), chief="test_a[cpu]", stdout="n 1\nn 2\n")
    assert printed(hung) == ["your code printed:", "  │ n 1", "  │ n 2"]


def test_long_prints_are_broken_between_words_and_counted(scale):
    text = "".join(f"number {n}: the sum so far is {n * n}, it seems\n" for n in range(40))
    lines = printed(msgspec.structs.replace(FAILED, printed=Printed(text, 5000)), room=7)
    assert lines == [
        "this call of your code printed:",
        "  │ number 0: the sum so far is 0, it", "  │ seems",
        "  │ number 1: the sum so far is 1, it", "  │ seems",
        "  ... more lines: 4998",
    ]  # fmt: skip
    assert len(printed(msgspec.structs.replace(FAILED, printed=Printed(text, 40)), room=0)) == 1 + 2 + 1
    words = printed(msgspec.structs.replace(FAILED, printed=Printed("一" * 40 + "\n", 1)))
    assert [cell_len(line) for line in words[1:]] == [40, 40, 12], "what has no spaces is broken where it must be"


def test_a_stub_says_what_to_do(scale):
    stub = not_begun("scale", "NotImplementedError")
    screen, out = on_screen()
    views.verdict(screen, stub, scale, "exercises/scale.py")
    assert out.getvalue().splitlines() == ["    Open exercises/scale.py, write the function, save."]


def test_what_was_not_even_run_does_not_pass(scale):
    screen, out = on_screen()
    views.verdict(
        screen, ExerciseReport("scale", "rejected", plain("line 5 uses torch.lerp"), 0.0, 4.0), scale, "scale.py"
    )
    assert "line 5 uses torch.lerp" in out.getvalue()
    assert "passes" not in out.getvalue()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hints_in_steps(toy, toy_copy, lang):
    text = (toy_copy / "course.yaml").read_text(encoding="utf-8")
    steps = "[Look closely., Count them.]"
    text = text.replace("functions: [scale]", f"functions: [scale]\n        hints: {steps}")
    (toy_copy / "course.yaml").write_text(text, encoding="utf-8")
    with open(toy_copy / "languages" / "zh.po", "a", encoding="utf-8") as file:
        file.write('msgid "Look closely."\nmsgstr "仔细看。"\n\nmsgid "Count them."\nmsgstr "数一数。"\n')
    exercise = courses.load(toy_copy).exercise("scale")
    screen, out = on_screen(lang)
    views.hints(screen, exercise, 1)
    words = {
        "en": ("Hint 1 of 2", "Look closely.", "Count them.", "Ask again for the next one"),
        "zh": ("提示 1 / 2", "仔细看。", "数一数。", "后面还有提示"),
    }
    step, first, second, more = words[lang]
    assert step in out.getvalue()
    assert first in out.getvalue()
    assert second not in out.getvalue()
    assert more in out.getvalue()
    views.hints(screen, exercise, 2)
    assert second in out.getvalue()


def test_no_hints(scale):
    screen, out = on_screen()
    views.hints(screen, scale, 0)
    assert out.getvalue().startswith(
        "There are no hints for Multiply by a factor. `grader check scale` says what is wrong"
    )


def test_the_solution(toy, scale):
    screen, out = on_screen()
    views.solution(screen, toy, scale)
    assert "return x * factor" in out.getvalue()


def test_no_solution_here(toy_copy, scale):
    (toy_copy / "solutions" / "scale.py").unlink()
    screen, out = on_screen()
    views.solution(screen, courses.load(toy_copy), scale)
    assert out.getvalue() == "This copy holds no solution of scale.\n"


def test_what_passed_today_is_said(toy):
    screen, out = on_screen()
    today = datetime.date.today().isoformat()
    views.progress(
        screen, toy, Standings(toy, {"scale": Standing(4.0, 4.0, passed=True, passed_on=today)}), "exercises"
    )
    assert "  ✔ scale     4 / 4    Multiply by a factor  (new today)" in out.getvalue()
    assert "New today: Multiply by a factor" in out.getvalue()


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_path_unfolds_the_unit_that_is_next(lang, width):
    """Every unit with its time and what it builds on; nothing wraps."""
    course = courses.load(ROOT)
    done = {e.id: Standing(6.0, 6.0, passed=True) for e in course.path[0].exercises}
    screen, out = on_screen(lang, width)
    views.progress(screen, course, Standings(course, done), "exercises")
    lines = out.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= width
    units = [str(n) for n in range(1, len(course.path) + 1)]
    assert [line.split()[0] for line in lines[1:] if line[:1].isdigit()] == units
    assert [line.split()[1] for line in lines if line.startswith("  ·")] == [
        "attention_scores", "score_stats", "qkv_projection",
    ]  # fmt: skip
    if (lang, width) == ("en", 80):
        most = sum(e.points for e in course.path[5].exercises)
        assert f"6  RoPE and GQA            ░░░░░░░░░░░░ 0 / {most:<6g}  120 min  after 3, 5" in "\n".join(lines)
