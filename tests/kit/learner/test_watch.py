"""`grader watch` on a real pseudo-terminal: saves, keys, and what editors, terminals and machines do to it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import TOY, alive, descendants, solution, wait_until

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX only", allow_module_level=True)
from terminal import Terminal

pytestmark = pytest.mark.slow

WRONG = "def scale(x, factor=2.0):\n    return x + factor\n"
WHEN = re.compile(r"(\d\d:\d\d:\d\d)\D+(\d+\.\d\d) ")
HINTS = 'msgid "Look at the signature."\nmsgstr "看看签名。"\n\nmsgid "Multiply."\nmsgstr "用乘法。"\n'


def course_copy(folder: Path) -> Path:
    course = Path(shutil.copytree(TOY, folder / "toy", ignore=shutil.ignore_patterns("__pycache__")))
    text = (course / "course.yaml").read_text(encoding="utf-8")
    hints = "hints: [Look at the signature., Multiply.]"
    (course / "course.yaml").write_text(
        text.replace("functions: [scale]", f"functions: [scale]\n        {hints}"), "utf-8"
    )
    with open(course / "languages" / "zh.po", "a", encoding="utf-8") as file:
        file.write(HINTS)
    return course


@pytest.fixture(scope="module")
def watch(tmp_path_factory):
    """A watch that goes on from test to test; each begins with the stub of `scale`, seen as not begun."""
    terminal = Terminal(course_copy(tmp_path_factory.mktemp("watch")), "watch", "--seed", "1")
    yield terminal
    terminal.press("q")
    code = terminal.end()
    assert code == 0


@pytest.fixture(autouse=True)
def _afresh(request):
    """Verdicts of the test before may still come; none of them says this test's name, and the stub's comes after."""
    if "watch" in request.fixturenames:
        terminal = request.getfixturevalue("watch")
        terminal.save(f"raise ValueError({request.node.name!r})\n")
        terminal.wait_for("✘ scale", f": {request.node.name}")
        terminal.forget()
        terminal.save((TOY / "exercises" / "scale.py").read_text(encoding="utf-8"))
        terminal.wait_for("scale", "Open exercises/scale.py, write the function, save.")
        terminal.forget()


@pytest.fixture
def start(tmp_path):
    """Starts a watch of its own."""
    started = []

    def run(*arguments: str, prepare=lambda course: None, **options) -> Terminal:
        course = course_copy(tmp_path)
        prepare(course)
        started.append(Terminal(course, "watch", *arguments, **options))
        return started[-1]

    yield run
    for terminal in started:
        terminal.kill()


def test_a_save_is_checked(watch):
    watch.save(WRONG)
    frame = watch.wait_for("✘ scale", "1.9 / 4")
    assert "→ " in frame
    assert re.search(r"scale, checked at \d\d:\d\d:\d\d in \d\.\d\d s, seed 1", frame)
    assert "h hint · n next · l list · d all checks · r reset · z Chinese · q quit" in frame
    watch.save(solution("scale"))
    frame = watch.wait_for("✔ scale", "4 / 4", "Everything passes.")
    assert "Next: Two results at once (exercises/pair.py)" in frame
    assert "s solution" in frame


def test_only_what_was_saved_is_checked(watch):
    watch.save(solution("scale"))
    watch.wait_for("✔ scale")
    assert "pair.py, checked" not in watch.all
    watch.save(solution("pair"), "pair.py")
    assert "✔ pair" in watch.wait_for("✔ pair", "2 of 2 exercises")
    watch.save((TOY / "exercises" / "pair.py").read_text(encoding="utf-8"), "pair.py")
    watch.wait_for("· pair")


def test_a_syntax_error(watch):
    watch.save("def scale(x factor):\n")
    watch.wait_for("✘ scale", "SyntaxError in scale.py, line 1, column ")
    watch.save(WRONG)
    watch.wait_for("✘ scale", "1.9 / 4", "the result is off by up to")


def test_a_file_that_is_deleted_and_comes_back(watch):
    (watch.course / "exercises" / "scale.py").unlink()
    watch.wait_for("· scale", "scale.py is missing")
    watch.save(solution("scale"))
    watch.wait_for("✔ scale")


def test_a_folder_that_is_made_anew(watch):
    folder = watch.course / "exercises"
    os.rename(folder, folder.with_name("away"))
    watch.wait_for("exercises cannot be read")
    os.rename(folder.with_name("away"), folder)
    watch.wait_for("(not started)")
    shutil.copytree(folder, folder.with_name("other"))
    shutil.rmtree(folder)
    os.rename(folder.with_name("other"), folder)
    for source, sign in ((WRONG, "✘ scale"), (solution("scale"), "✔ scale")):
        watch.save(source)
        watch.wait_for(sign, "4 / 4" if sign[0] == "✔" else "1.9 / 4")


def test_ways_in_which_editors_write(watch):
    path = watch.course / "exercises" / "scale.py"
    path.write_text("")
    time.sleep(0.02)
    path.write_text(WRONG)  # truncated, then written
    watch.wait_for("✘ scale", "the result is off")
    os.rename(path, path.with_name("scale.py~"))  # the old file becomes the backup
    path.write_text(solution("scale"))
    watch.wait_for("✔ scale")
    path.with_name("scale.py~").unlink()
    path.with_name(".scale.py.swp").write_bytes(b"\0\1")
    watch.forget()
    path.with_name(".scale.py.swp").unlink()
    with open(path, "a") as file:  # written in place, bit by bit
        for part in ("\n\ndef ", "scale(x, factor=2.0):\n", "    return x\n"):
            file.write(part)
            file.flush()
            time.sleep(0.005)
    watch.wait_for("✘ scale")


def test_saves_that_come_fast(watch):
    for n in range(20):
        watch.save(WRONG + f"# {n}\n")
        time.sleep(0.01)
    watch.save(solution("scale"))
    watch.wait_for("✔ scale", "4 / 4")


def test_hints_come_one_by_one(watch):
    watch.press("h")
    assert "Multiply." not in watch.wait_for("Hint 1 of 2", "Look at the signature.")
    watch.press("h")
    watch.wait_for("Hint 2 of 2", "Multiply.", "That was the last hint.")
    watch.press("x")
    watch.wait_for("(not started)")


def test_the_list_and_all_checks(watch):
    watch.save(WRONG)
    watch.wait_for("✘ scale")
    watch.press("l")
    watch.wait_for("Basics", "Two results at once")
    watch.press("d")
    watch.wait_for("✘  0.4 / 2 ", "[cpu-float32, cpu-float64]", "✔  0.5 / 0.5  The input is left as it was.")


def test_next_and_back(watch):
    watch.press("n")
    watch.wait_for("· pair", "exercises/pair.py")
    watch.save(WRONG)
    watch.wait_for("✘ scale")


def test_reset_keeps_the_work(watch):
    watch.save(WRONG + "# mine\n")
    watch.wait_for("✘ scale")
    watch.press("r")
    watch.wait_for("Put the untouched scale.py back?")
    watch.press("n")
    watch.wait_for("✘ scale")
    assert (watch.course / "exercises" / "scale.py").read_text() == WRONG + "# mine\n"
    watch.press("r")
    watch.wait_for("Put the untouched scale.py back?")
    watch.press("y")
    watch.wait_for("(not started)")
    stub = (TOY / "exercises" / "scale.py").read_text(encoding="utf-8")
    assert (watch.course / "exercises" / "scale.py").read_text(encoding="utf-8") == stub
    backups = [p.read_text() for p in (watch.course / ".grader" / "backups").iterdir()]
    assert WRONG + "# mine\n" in backups


def test_enter_checks_again(watch):
    watch.forget()
    watch.press("\r")
    assert wait_until(lambda: watch.all.count("checked at") == 2)  # drawn for the key, then for the result


def test_the_language_is_switched(watch):
    """The attempt that is shown is said in the other language at once; nothing is checked again for that."""
    watch.save(f"print('imported')\nimport time\ntime.sleep(1)\n{WRONG}")
    frame = watch.wait_for("✘ scale", "1.9 / 4", "→ The factor is added instead of multiplied.")
    when, picture = WHEN.search(frame), watch.raw.count("48;5")
    watch.forget()
    watch.press("z")
    frame = watch.wait_for("乘以一个因子", "→ 加上了因子", "检查，用时")
    assert "n 下一题 · l 列表" in frame
    assert "checked at" not in frame
    assert WHEN.search(frame).groups() == when.groups(), "the same attempt"
    assert watch.raw.count("48;5") == picture > 0
    watch.press("d")
    frame = watch.wait_for("每个元素都乘以因子。", "输入保持原样。")
    watch.press("ｚ")  # as a Chinese input method sends it; the view stays
    frame = watch.wait_for("Every entry is multiplied by the factor.", "The input is left as it was.", "checked at")
    assert WHEN.search(frame).groups() == when.groups()
    time.sleep(1.5)  # a check would take one second, and be seen
    assert "checking" not in watch.all
    assert "正在检查" not in watch.all


def test_the_list_goes_on_in_the_other_language(watch):
    watch.press("l")
    watch.wait_for("▾ Basics", "Two results at once")
    watch.press("z")
    watch.wait_for("▾ 基础", "一次返回两个结果")
    watch.press("z")
    watch.wait_for("▾ Basics", "Two results at once")


def test_hints_go_on_in_the_other_language(watch):
    watch.press("h")
    watch.wait_for("Hint 1 of 2", "Look at the signature.")
    watch.press("z")
    assert "Multiply." not in watch.wait_for("提示 1 / 2", "看看签名。")
    watch.press("z")
    watch.wait_for("Hint 1 of 2", "Look at the signature.")


def test_what_is_no_key_does_nothing(watch):
    watch.press("\x1b[A\x1b[1;5C\x1bOP")  # arrows and a function key; their letters are no keys
    watch.press("quit and other pasted text qqqq")
    time.sleep(0.3)
    assert watch.process.poll() is None
    watch.save(WRONG)
    watch.wait_for("✘ scale")


def test_the_terminal_is_resized(watch):
    watch.save(WRONG)
    watch.wait_for("✘ scale")
    watch.forget()
    watch.resize(30, 44)
    frame = watch.wait_for("✘ scale")
    assert max(map(len, frame.splitlines())) <= 44
    watch.resize(50, 110)
    watch.wait_for("h hint · n next · l list · d all checks · r reset")


def test_a_wrong_result_is_shown_as_a_heat_map(watch):
    watch.save(WRONG)
    watch.wait_for("expected", "got")
    assert ";48;5;" in watch.raw


def test_what_students_print_moves_no_cursor(watch):
    shout = "    print('\\x1b[2J\\x1b[31mred\\x07 [bold]x[/bold]')\n"
    watch.save(WRONG.replace("    return", shout + "    return"))
    frame = watch.wait_for("this call of your code printed:", "red [bold]x[/bold]")
    assert "✘ scale" in frame
    assert "\x07" not in watch.raw


def test_code_that_hangs_does_not_hang_the_keys(watch):
    watch.save("def scale(x, factor=2.0):\n    while True: pass\n")
    watch.wait_for("checking scale ...")
    watch.press("l")
    watch.wait_for("Basics")
    watch.save(solution("scale"))  # what hangs is ended, since its successor is there
    watch.wait_for("✔ scale")
    assert "took longer than" not in watch.all


def test_grading_processes_that_die_are_replaced(watch):
    for pid in descendants(watch.process.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    watch.save(WRONG)
    watch.wait_for("✘ scale", "checked at")


def test_a_course_that_cannot_be_used(start):
    """A fault of the course or the machine is said, and the watch goes on."""
    terminal = start()
    terminal.wait_for("(not started)")
    suite = terminal.course / "tests" / "hidden" / "pair.py"
    suite.rename(suite.with_suffix(".away"))
    terminal.save(solution("pair"), "pair.py")
    terminal.wait_for("pair could not be checked. It is not your fault; Enter tries again.", "no such hidden suite")
    suite.with_suffix(".away").rename(suite)
    terminal.save(solution("pair") + "\n", "pair.py")
    terminal.wait_for("✔ pair")
    terminal.press("q")
    assert terminal.end() == 0


QUESTION = '''
from grader.questions import Number, question


@question(1, Number(0))
def sum_of(lab):
    """What is 1 + {n}?"""
    lab.put(n=%d)
    return 1 + %d
'''
SHEET = "variant: common\nsums1:\n  sum_of: %s\nsums2:\n  sum_of: %s\n"


def with_questions(course: Path) -> None:
    """Two exercises of one question each, answered on one sheet."""
    entries = ""
    for n in (1, 2):
        (course / "tests" / "hidden" / f"sums{n}.py").write_text(QUESTION % (n, n), encoding="utf-8")
        entries += f"      - id: sums{n}\n        title: Sums {n}\n        points: 1\n        kind: questions\n"
    with open(course / "course.yaml", "a", encoding="utf-8") as file:
        file.write(entries)
    (course / "exercises" / "answers.yaml").write_text(SHEET % ("", ""))


def test_a_sheet_of_answers(start):
    """Its exercises are checked together; the first that fails is shown, and stays."""
    terminal = start(prepare=with_questions)
    terminal.wait_for("scale", "(not started)")
    terminal.save(SHEET % (2, 4), "answers.yaml")
    frame = terminal.wait_for("✘ sums2", "0 / 1", "1 of 4 exercises")
    assert "s solution" not in frame
    terminal.press("r")
    terminal.wait_for("Put the untouched answers.yaml back?", "It holds sums1 too.")
    terminal.press("n")
    terminal.save(SHEET % (2, 3), "answers.yaml")
    terminal.wait_for("✔ sums2", "2 of 4 exercises", "s solution")
    terminal.press("s")
    terminal.wait_for("`grader answers sums2` shows the answers")  # the sheet itself holds those of other questions
    terminal.press("q")
    assert terminal.end() == 0


@pytest.mark.parametrize("named", ["Pair", "exercises/pair.py"])
def test_it_begins_where_the_learner_wants(start, named):
    terminal = start(named)
    terminal.wait_for("pair", "(not started)", "Open exercises/pair.py")
    terminal.press("q")
    assert terminal.end() == 0


def test_a_misspelt_name_gets_the_nearest_one(start):
    terminal = start("scael")
    terminal.wait_for("grader: there is no exercise 'scael'; did you mean 'scale'?")
    assert terminal.end() == 2


def test_progress_goes_on_where_it_was(start):
    terminal = start()
    terminal.save(solution("scale"))
    terminal.wait_for("1 of 2 exercises")
    terminal.press("q")
    assert terminal.end() == 0
    again = Terminal(terminal.course, "watch")
    again.wait_for("1 of 2 exercises", "· pair")
    again.press("\x04")
    assert again.end() == 0
    done = subprocess.run(
        [sys.executable, "-m", "grader", "progress"], cwd=terminal.course, capture_output=True, text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert "✔ scale     4 / 4" in done.stdout


ENDS = {
    "q": (lambda t: t.press("q"), 0),
    "the end of the input": (lambda t: t.press("\x04"), 0),
    "Ctrl-C": (lambda t: t.press("\x03"), 130),
    "SIGTERM": (lambda t: t.process.send_signal(signal.SIGTERM), 143),
    "SIGHUP": (lambda t: t.process.send_signal(signal.SIGHUP), 129),
}


@pytest.mark.parametrize("way", ENDS)
def test_the_terminal_is_put_back(start, way):
    terminal = start()
    terminal.wait_for("(not started)")
    assert not terminal.as_before
    below = descendants(terminal.process.pid)
    end, code = ENDS[way]
    end(terminal)
    assert wait_until(lambda: terminal.process.poll() is not None, 60)
    assert terminal.as_before
    assert "Traceback" not in terminal.all
    assert terminal.end() == code
    assert wait_until(lambda: not any(map(alive, below)))


def test_quitting_while_code_hangs(start):
    terminal = start()
    terminal.wait_for("(not started)")
    terminal.save("def scale(x, factor=2.0):\n    while True: pass\n")
    terminal.wait_for("checking scale ...")
    below = descendants(terminal.process.pid)
    terminal.press("q")
    assert terminal.end() == 0
    assert wait_until(lambda: not any(map(alive, below)))


def test_quitting_before_torch_is_there(start):
    terminal = start()
    terminal.wait_for("q quit")
    terminal.press("q")
    assert "Traceback" not in terminal.all
    assert terminal.end() == 0


def test_ctrl_z_and_back(start):
    terminal = start()
    terminal.wait_for("(not started)")
    terminal.press("\x1a")
    stat = Path(f"/proc/{terminal.process.pid}/stat")
    if stat.exists():
        assert wait_until(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T")
        assert terminal.as_before
    terminal.forget()
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for("q quit")
    assert not terminal.as_before
    terminal.press("q")
    assert terminal.end() == 0
    assert terminal.process.returncode == 0


def test_a_dumb_terminal_gets_lines(start):
    terminal = start(TERM="dumb")
    terminal.wait_for("Watching exercises: save a file to have it checked.", "(not started)")
    terminal.save(WRONG)
    terminal.wait_for("✘ scale", "checked at")
    terminal.press("h\n")
    terminal.wait_for("Hint 1 of 2")
    assert "\x1b" not in terminal.raw
    terminal.press("q\n")
    assert terminal.end() == 0


def test_a_terminal_without_colours(start):
    terminal = start(NO_COLOR="1")
    terminal.wait_for("(not started)")
    terminal.save(WRONG)
    terminal.wait_for("expected", "got")
    assert "48;5" not in terminal.raw
    assert re.search("[░▒▓█]", terminal.frame.partition("got")[2])


def test_output_to_a_file_gets_lines(tmp_path):
    course = course_copy(tmp_path)
    with open(tmp_path / "log", "w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "grader", "watch"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=course,
            env={**os.environ, "LC_ALL": "zh_CN.UTF-8", "PYTHONUTF8": "1"},
        )  # fmt: skip
    shown = (tmp_path / "log").read_text
    assert wait_until(lambda: "尚未开始" in shown("utf-8"))
    (course / "exercises" / "scale.py").write_text(solution("scale"))
    assert wait_until(lambda: "✔ scale" in shown("utf-8"))
    process.send_signal(signal.SIGINT)
    assert process.wait(15) == 130
    assert "\x1b" not in shown("utf-8")
    assert shown("utf-8").startswith("正在监视 exercises：")


@pytest.fixture
def small(watch):
    """The watch on a small terminal."""
    watch.resize(24, 60)
    assert wait_until(lambda: watch.frame.count("\n") == 23)
    yield watch
    watch.resize(50, 110)
    assert wait_until(lambda: watch.frame.count("\n") == 49)


def fits(frame: str) -> bool:
    lines = frame.split("\n")
    return len(lines) <= 24 and max(map(len, lines)) <= 60


def test_prints_do_not_push_the_verdict_off_the_screen(small):
    loud = "    for n in range(200): print('step', n, 'of a loop that says a good deal more than anyone can read')\n"
    small.save(WRONG.replace("    return", loud + "    return"))
    frame = small.wait_for("✘ scale", "checked at", "q quit")
    assert fits(frame)
    assert frame.index("✘ scale") < frame.index("this call of your code printed:") < frame.index("the result is off")
    assert "... more lines: " in frame
    small.press("o")
    frame = small.wait_for("your code printed:", "page 1 of ", "space turns")
    assert fits(frame)
    assert "✘ scale" in frame
    small.press(" ")
    small.wait_for("✘ scale", "page 2 of ")
    small.press("\x1b[A")
    small.wait_for("page 1 of ")


def test_an_exercise_is_chosen_from_the_list(small):
    small.press("l")
    frame = small.wait_for("▾ Basics", "Enter opens", "/ finds")
    assert fits(frame)
    small.press("\x1b[B\r")  # one down
    small.wait_for("· pair", "exercises/pair.py")
    small.press("l\x1b[D")
    assert "Two results" not in small.wait_for("▸ Basics")
    small.press("\r")
    small.wait_for("▾ Basics", "Two results")
    small.press("/factor")
    assert "Two results" not in small.wait_for("find: factor", "exercises: 1", "scale")
    small.press("\r")
    small.wait_for("· scale", "exercises/scale.py")
    small.press("l")
    small.wait_for("▾ Basics")
    small.press("\x1b")
    small.wait_for("exercises/scale.py, write the function")
    small.press("l")
    small.wait_for("▾ Basics")
    small.press("q")  # of a list it leaves the list
    small.wait_for("exercises/scale.py, write the function", "q quit")


def test_a_check_that_ends_leaves_open_what_the_learner_opened_meanwhile(small):
    small.save(f"import time\ntime.sleep(1)\n{WRONG}")
    small.wait_for("✘ scale", "scale, checked at")
    small.press("\r")  # checked anew
    small.wait_for("checking scale")
    small.press("l")
    small.wait_for("▾ Basics", "checking scale")
    small.wait_for("▾ Basics", "scale, checked at")


def test_the_hint_stands_beside_the_verdict(small):
    small.save(WRONG)
    small.wait_for("✘ scale", "checked at")
    small.press("h")
    assert fits(small.wait_for("✘ scale", "Hint 1 of 2", "Look at the signature.", "the result is off"))


def test_previous_and_next(watch):
    watch.press("n")
    watch.wait_for("· pair", "p previous")
    watch.press("p")
    assert "p previous" not in watch.wait_for("· scale", "(not started)")
