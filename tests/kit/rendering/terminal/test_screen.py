"""What the terminal shows of a report: the mistake first, each check in a line, what to do next, a picture."""

from __future__ import annotations

import dataclasses
import datetime
import re

import msgspec
import pytest
from screens import FAILED, UNTOUCHED, WEIGHTS, check, not_begun, on_screen, report

from grader.course import LatePenalty
from grader.course.deadlines import Policy
from grader.learner import views
from grader.learner.progress import Standing, Standings
from grader.rendering.terminal import class_table
from grader.report.report import Diagnosis, ExerciseReport
from grader.report.summary import Fault, Row
from grader.texts import plain

DUE = datetime.datetime(2026, 10, 1, tzinfo=datetime.timezone.utc)
LATE = {"ann": DUE + datetime.timedelta(hours=1)}
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def test_in_256_colours():
    screen, out = on_screen(color_system="256")
    screen.picture(check(picture=WEIGHTS))
    colours = re.findall(r"\x1b\[(?:1;)?(\d\d);48;5;(\d+)m([^\x1b]*)", out.getvalue())
    assert ("30", "220", "1.00 ") in colours
    assert ("97", "53", "0.00 ") in colours
    assert [text for _, _, text in colours if "*" in text] == ["0.30*", "0.70*"]
    assert ESCAPE.sub("", out.getvalue()).splitlines()[2].split() == ["expected", "got"]


def test_no_colour_where_none_is_wanted():
    for options in ({"color_system": None}, {"color_system": "256", "no_color": True}):
        screen, out = on_screen(**options)
        screen.picture(check(picture=WEIGHTS))
        assert "▓0.70*" in out.getvalue()
        assert "48;5" not in out.getvalue()


def test_a_picture_says_what_it_shows():
    screen, out = on_screen("zh")
    screen.picture(check(picture=WEIGHTS), indent=4)
    assert "    result 2，形状 [3, 3]；错误的元素带有 *" in out.getvalue()
    assert "    期望                 得到" in out.getvalue()


@pytest.mark.parametrize("behind", [True, False])
def test_the_mistake_behind_what_is_shown_comes_first(toy, behind):
    """Another one comes after it."""
    screen, out = on_screen()
    checks = (FAILED.chief,) if behind else ("test_b[cpu]",)
    found = Diagnosis("scale/adds", plain("You add."), checks)
    screen.overview(report(msgspec.structs.replace(FAILED, diagnoses=(found,))), toy)
    lines = [line.strip() for line in out.getvalue().splitlines()]
    assert lines[1].split() == ["✘", "scale", "1", "/", "3", "Multiply", "by", "a", "factor"]
    reason = ["A is b.  (1 of 3 checks pass)", "scale(x [2]): wrong"]
    assert lines[2:5] == (["→ You add.", *reason] if behind else [*reason, "→ You add."])


def test_details_name_each_check_and_show_the_picture(toy):
    screen, out = on_screen()
    screen.details(report(FAILED), toy)
    text = out.getvalue()
    assert "✔    1 / 1    A is b.  [cpu-float32]" in text
    assert "✘    0 / 1    A is b.  [cpu-float64]" in text
    assert "▒0.30*▓0.70*·0.00" in text


def test_checks_that_differ_in_dtype_only_share_a_line(toy):
    dtypes = ("float16", "float32", "float64")
    checks = tuple(check("failed", f"off in {d}", f"test_a[cpu-{d}]") for d in dtypes)
    screen, out = on_screen()
    screen.details(report(ExerciseReport("scale", "failed", checks[0].reason, 0.0, 3.0, checks)), toy)
    assert "✘    0 / 3    A is b.  [cpu-float16, cpu-float32, cpu-float64]" in out.getvalue()
    assert "off in float32" not in out.getvalue()


def test_a_long_line_goes_on_below_its_beginning():
    screen, out = on_screen(width=40)
    screen.line("one two three four five six seven eight nine ten", indent=2, hang=3)
    assert out.getvalue().splitlines() == ["  one two three four five six seven", "     eight nine ten"]


def test_a_file_that_is_called_otherwise_is_named(toy):
    screen, out = on_screen()
    screen.headline(msgspec.structs.replace(FAILED, file="scale_old.py"), toy.exercise("scale"))
    assert out.getvalue().rstrip().endswith("Multiply by a factor  (scale_old.py)")


def test_what_is_no_terminal_gets_whole_lines():
    screen, out = on_screen(width=40, force_terminal=False)
    screen.line("one two three four five six seven eight nine ten", indent=2)
    assert out.getvalue() == "  one two three four five six seven eight nine ten\n"


def test_half_an_exercise_is_begun(toy):
    """Where one of two functions is written, the other's NotImplementedError does not make it `not started`."""
    checks = (check("passed"), check("failed", "pair(x): not started: ... NotImplementedError", "test_b[cpu]"))
    screen, out = on_screen()
    screen.overview(report(ExerciseReport("scale", "failed", checks[1].reason, 1.0, 2.0, checks)), toy)
    assert out.getvalue().splitlines()[1].startswith("✘ scale")


@pytest.mark.parametrize("case", UNTOUCHED)
def test_what_nobody_has_begun_takes_one_line(toy, case):
    screen, out = on_screen()
    screen.overview(report(UNTOUCHED[case]), toy)
    lines = out.getvalue().splitlines()
    assert lines[1] == "· scale              0 / 1    Multiply by a factor  (not started)"
    assert lines[2:5] == ["", "0 of 1 points.", "Next: open exercises/scale.py and start with Multiply by a factor."]


def test_code_to_repair_is_shown_in_detail_before_it_is_touched(toy):
    screen, out = on_screen()
    screen.details(report(UNTOUCHED["code to repair"]), toy)
    assert "→ This is the code as it was given." in out.getvalue()
    assert "scale(x): the result is off" in out.getvalue()


def test_what_a_person_grades_is_neither_passed_nor_open(toy):
    essay = msgspec.structs.replace(check("skipped", "a person grades this"), answer="Because.")
    by_hand = ExerciseReport("pair", "waiting", None, 0.0, 0.0, (essay,))
    screen, out = on_screen()
    screen.overview(report(UNTOUCHED["a stub"], by_hand), toy)
    assert "- pair               0 / 0    Two results at once  (waits for a person)" in out.getvalue()
    views.progress(screen, toy, Standings(toy, {"pair": Standing(0.0, 0.0, passed=True)}), "exercises")
    assert "0 of 4 points, 0 of 1 exercises" in out.getvalue()
    assert "- pair      0 / 2    Two results at once  (waits for a person)" in out.getvalue()


def test_next_is_what_can_be_done_now(toy):
    """Not what comes after something that has not passed, unless it was begun."""
    pair, scale = not_begun("pair", "NotImplementedError"), not_begun("scale", "NotImplementedError")
    begun = msgspec.structs.replace(
        pair, reason=plain("wrong"), checks=(check(reason="wrong"),), started=True, stub=False
    )
    screen, out = on_screen()
    screen.overview(report(pair, scale), toy)
    assert "Next: open exercises/scale.py" in out.getvalue()
    screen.overview(report(begun, scale), toy)
    assert "Next: `grader check pair` shows every check" in out.getvalue()


def test_long_names_keep_the_columns(toy):
    long = dataclasses.replace(toy.exercises[0], id="a_name_of_twenty_two_x")
    units = (dataclasses.replace(toy.settings.units[0], exercises=(long, toy.exercises[1])),)
    course = dataclasses.replace(toy, settings=dataclasses.replace(toy.settings, units=units))
    screen, out = on_screen()
    screen.overview(report(not_begun(long.id, "NotImplementedError"), not_begun("pair", "NotImplementedError")), course)
    lines = out.getvalue().splitlines()
    assert lines[1].index("/") == lines[2].index("/")


def row(student: str, status: str = "graded", **more) -> Row:
    remarks = (plain(more.pop("notable", "pair: missing")),)
    found = {"reason": None, "score": 3.0, "max_score": 6.0, "scores": {"scale": 3.0}, "remarks": remarks}
    return Row(student, status, **{**found, "fingerprint": "", **more})


def test_the_class_begins_with_what_could_not_be_used(toy):
    screen, out = on_screen()
    rows = [row("bob"), row("ann"), row("zoe", "rejected", notable="zoe.zip is encrypted"), Fault("eve", "no memory")]
    class_table.class_table(screen, rows, toy.columns(["scale"]))
    said = out.getvalue()
    assert said.index("zoe.zip is encrypted") < said.index("ann") < said.index("bob") < said.index("eve: not graded")


@pytest.mark.parametrize(("times", "counts"), [({}, ""), (LATE, "1.5 ")])
def test_the_class_shows_what_lateness_leaves(toy, times, counts):
    screen, out = on_screen()
    penalty = LatePenalty(Policy(percent_a_day=50), times, {"basics": DUE}, {}, {"scale": "basics"})
    class_table.class_table(screen, [row("ann")], toy.columns(["scale"]), penalty)
    assert f"ann 3 3 / 6 {counts}pair: missing" in [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert ("counts" in out.getvalue()) is bool(times)


def test_a_long_name_leaves_room_for_the_rest(toy):
    screen, out = on_screen()
    class_table.class_table(screen, [row("a" * 240), row("bob")], toy.columns(["scale"]))
    (line,) = (line for line in out.getvalue().splitlines() if "bob" in line)
    assert line.split() == ["bob", "3", "3", "/", "6", "pair:", "missing"]
    assert "a" * 39 + "…" in out.getvalue()


def test_a_narrow_terminal_keeps_who_it_was(toy):
    screen, out = on_screen(width=40)
    class_table.class_table(screen, [row("20260001"), row("20260002")], toy.columns(["scale"]))
    assert "20260001" in out.getvalue()
    assert max(map(len, out.getvalue().splitlines())) <= 40


def test_a_control_character_in_a_name_is_not_printed(toy):
    screen, out = on_screen()
    class_table.class_table(screen, [row("a\x1b[31m\nb")], toy.columns(["scale"]))
    assert "a?[31m?b" in out.getvalue()


def test_a_reason_is_told_once(toy):
    """A loop that hangs does so in every check."""
    late = "took longer than 1 s and was stopped, in the loop on line 3, `while True:`"
    checks = tuple(check("timeout", late, f"test_{n}[cpu]", f"Check {n}.") for n in "abc")
    hung = ExerciseReport("scale", "failed", plain(late), 0.0, 3.0, checks, chief="test_a[cpu]")
    screen, out = on_screen()
    screen.checks(hung)
    assert out.getvalue().count("while True:") == 1
    assert out.getvalue().count("the same as above") == 2


def test_what_is_said_above_is_what_stands_there(toy):
    """Between two unanswered questions stands an answer that is wrong."""
    reasons = ("not answered yet", "divide by the sum", "not answered yet", "not answered yet")
    checks = tuple(check("failed", reason, f"question_{n}", f"Question {n}?") for n, reason in enumerate(reasons))
    screen, out = on_screen()
    screen.checks(ExerciseReport("scale", "failed", plain(""), 0.0, 4.0, checks, chief="question_0"))
    said = [line.strip() for line in out.getvalue().splitlines() if "Question" not in line]
    assert said == ["not answered yet", "divide by the sum", "not answered yet", "the same as above"]


def test_chinese_fills_the_line_and_no_line_begins_with_its_punctuation():
    screen, out = on_screen("zh", width=24)
    screen.line("→ 三角形对齐到了左上角，仿佛查询在前。第 0 个键（见 `kv_len`）。", indent=2, hang=2)
    assert out.getvalue().splitlines() == [
        "  → 三角形对齐到了左上",
        "    角，仿佛查询在前。第",
        "    0 个键（见",
        "    `kv_len`）。",
    ]


def test_a_line_that_is_too_long_ends_with_a_whole_word_and_keeps_its_note(toy):
    screen, out = on_screen(width=42)
    screen.headline(not_begun("scale", "not started"), toy.exercise("scale"))
    screen.row("✘ scale    0 / 3    Multiply by a factor today")
    assert out.getvalue().splitlines() == [
        "· scale 0 / 1  Multiply …  (not started)",
        "✘ scale    0 / 3    Multiply by a factor …",
    ]
