"""`grader progress`, `hint`, `reset`, and what `check` remembers: as a learner runs them."""

from __future__ import annotations

import datetime
import json
import shutil
import subprocess
import sys
import venv

import pytest
from commands import in_a_process
from support import ROOT, TOY, solution
from terminal import Terminal

pytestmark = pytest.mark.slow

HINTS = "hints: [Look at the signature., Multiply.]"
IN_CHINESE = """
msgid "Look at the signature."
msgstr "看看签名。"

msgid "Multiply."
msgstr "用乘法。"
"""


AS_GIVEN = '''

@misconception("scale", stub=True)
def as_given(x, factor=2.0):
    """This is the code as it was given."""
    raise TypeError("it is broken")
'''


@pytest.fixture
def course(toy_copy):
    text = (toy_copy / "course.yaml").read_text(encoding="utf-8")
    text = text.replace("functions: [scale]", f"functions: [scale]\n        {HINTS}")
    (toy_copy / "course.yaml").write_text(text, encoding="utf-8")
    with open(toy_copy / "languages" / "zh.po", "a", encoding="utf-8") as catalogue:
        catalogue.write(IN_CHINESE)
    return toy_copy


@pytest.fixture
def grader(course, run_here):
    def run(*arguments: str, how=run_here) -> tuple[int, str, str]:
        done = how(*arguments, cwd=course)
        return done.returncode, done.stdout, done.stderr

    return run


def test_progress_at_the_beginning(grader, course):
    code, out, err = grader("progress", how=in_a_process)
    assert (code, err) == (0, "")
    assert "A toy course  ░░░░░░░░░░░░░░░░░░░░  0 of 6 points, 0 of 2 exercises" in out
    assert "· pair      0 / 2    Two results at once  (after scale)" in out
    assert "Next: Multiply by a factor (exercises/scale.py)" in out
    assert not (course / ".grader").exists()


def test_list_and_next_are_parts_of_it(grader):
    assert grader("list", how=in_a_process) == grader("progress", "--all")
    assert grader("next", how=in_a_process) == (0, "Next: Multiply by a factor (exercises/scale.py)\n", "")


@pytest.mark.parametrize("command", ["list", "next", "progress"])
def test_a_list_on_a_terminal_ends_by_itself_and_leaves_the_terminal_as_it_was(course, command):
    terminal = Terminal(course, command, rows=5)
    terminal.wait_for("Next: Multiply by a factor")
    assert terminal.process.wait(60) == 0
    assert terminal.as_before
    terminal.end()


def test_a_page_is_left_with_q(course):
    terminal = Terminal(course, "docs", "tolerances", rows=20)
    terminal.wait_for("Tolerances")
    assert terminal.process.poll() is None
    terminal.press("q")
    assert terminal.process.wait(60) == 0
    assert terminal.as_before
    terminal.end()


def test_check_remembers_what_passed(grader, course):
    (course / "exercises" / "scale.py").write_text(solution("scale"), encoding="utf-8")
    grader("check")
    code, out, _ = grader("progress")
    assert code == 0
    assert "✔ scale     4 / 4" in out
    assert "Next: Two results at once (exercises/pair.py)" in out
    (course / "exercises" / "scale.py").unlink()
    grader("check")
    assert "✔ scale     4 / 4" in grader("progress")[1]


def test_check_of_another_folder_remembers_nothing(grader, course):
    grader("check", "--dir", "solutions")
    assert not (course / ".grader").exists()


def test_damaged_progress_stops_nobody(grader, course):
    (course / ".grader").mkdir()
    (course / ".grader" / "progress.json").write_text("{")
    code, out, err = grader("progress")
    assert (code, err) == (0, "")
    assert "progress.json is damaged (" in out
    assert "it was moved to progress.damaged-1.json" in out
    assert "damaged" not in grader("progress")[1]


def test_hints_one_after_the_other(grader):
    first, second, third = (grader("hint", "scale")[1] for _ in range(3))
    assert "Hint 1 of 2" in first
    assert "Multiply." not in first
    assert "Ask again for the next one if you need it." in first
    assert "Multiply." in second
    assert "That was the last hint." in second
    assert third == second


def test_all_hints_at_once(grader, course):
    _, out, _ = grader("hint", "--all", "--lang", "zh")  # of the exercise that is next
    assert "看看签名。" in out
    assert "用乘法。" in out
    assert not (course / ".grader").exists()


def test_no_hints(grader):
    code, out, _ = grader("hint", "pair", how=in_a_process)
    assert code == 0
    assert "There are no hints for Two results at once. `grader check pair` says what is wrong" in out


@pytest.mark.parametrize("command", ["hint", "reset"])
def test_an_unknown_exercise(grader, command):
    code, out, err = grader(command, "scael")
    assert (code, out) == (2, "")
    assert err == "grader: there is no exercise 'scael'; did you mean 'scale'?\n"


@pytest.mark.parametrize("command", [["watch"], ["progress"], ["hint"], ["reset", "scale"]])
def test_no_such_folder(grader, command):
    code, out, err = grader(*command, "--dir", "nowhere")
    assert (code, out) == (2, "")
    assert err == "grader: nowhere: no such folder; --dir names the folder with your exercise files\n"


def test_reset_after_a_check_of_the_stub(grader, course):
    stub = (TOY / "exercises" / "scale.py").read_text(encoding="utf-8")
    grader("check")
    (course / "exercises" / "scale.py").write_text("my work\n")
    code, out, err = grader("reset", "scale")
    assert (code, err) == (0, "")
    assert out == "scale.py is the stub again; your work is in .grader/backups/scale.1.py\n"
    assert (course / "exercises" / "scale.py").read_text(encoding="utf-8") == stub
    assert (course / ".grader" / "backups" / "scale.1.py").read_text() == "my work\n"
    assert grader("reset", "scale", "--lang", "zh", how=in_a_process)[1] == "scale.py 本来就是初始内容，没有改动\n"


def test_reset_of_code_to_repair(grader, course):
    """Its stub runs, and is known by the misconception `as_given`."""
    given = 'def scale(x, factor=2.0):\n    raise TypeError("it is broken")\n'
    with open(course / "tests" / "hidden" / "scale.py", "a", encoding="utf-8") as file:
        file.write(AS_GIVEN)
    (course / "exercises" / "scale.py").write_text(given)
    assert "· scale              0 / 4    Multiply by a factor  (not started)" in grader("check")[1]
    (course / "exercises" / "scale.py").write_text(solution("scale"), encoding="utf-8")
    assert grader("reset", "scale", how=in_a_process)[0] == 0
    assert (course / "exercises" / "scale.py").read_text() == given


def test_reset_takes_no_work_for_the_stub(grader, course):
    """What lies among the stubs is checked before it is put back."""
    (course / ".grader" / "stubs").mkdir(parents=True)
    shutil.copy(TOY / "solutions" / "scale.py", course / ".grader" / "stubs")
    (course / "exercises" / "scale.py").write_text("my work\n")
    code, out, err = grader("reset", "scale")
    assert (code, out) == (2, "")
    assert "no untouched copy of it is known" in err
    assert "Nothing was changed." in err
    assert (course / "exercises" / "scale.py").read_text() == "my work\n"


def test_the_file_of_progress_holds_no_secret(grader, course):
    """Points and passes only: nothing of the suite, the solution or the source."""
    (course / "exercises" / "scale.py").write_text(solution("scale"), encoding="utf-8")
    grader("check")
    data = json.loads((course / ".grader" / "progress.json").read_text(encoding="utf-8"))
    today = datetime.date.today().isoformat()
    entry = {"points": 4.0, "most": 4.0, "passed": True, "hints": 0, "passed_on": today}
    assert data == {"format": 1, "folders": {"exercises": {"scale": entry}}}


@pytest.mark.parametrize("command", [["check"], ["reset", "scale"], ["debug", "scale"]])
def test_where_torch_cannot_start(course, tmp_path, command):
    """One sentence, and nothing is changed."""
    environment = tmp_path / "without_torch"
    venv.create(environment, with_pip=False)
    packages = next(environment.glob("lib/python3*/site-packages"))
    (packages / "torch.py").write_text("raise ImportError('libtorch.so: no such file')\n")
    (packages / "rest.pth").write_text("\n".join(p for p in sys.path if p.endswith("site-packages")) + f"\n{ROOT}\n")
    kept = course / ".grader" / "stubs"
    kept.mkdir(parents=True)
    shutil.copy(course / "exercises" / "scale.py", kept)
    (course / "exercises" / "scale.py").write_text("my work\n")
    done = subprocess.run(
        [environment / "bin" / "python", "-m", "grader", *command], capture_output=True, cwd=course, text=True
    )
    assert done.returncode == 3
    said = "PyTorch cannot be started here (ImportError: libtorch.so: no such file); install it again: `make setup`"
    assert done.stderr.startswith(f"grader: {said}")
    assert len(done.stderr.splitlines()) == 1
    assert (course / "exercises" / "scale.py").read_text() == "my work\n"
