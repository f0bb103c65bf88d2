"""`grader generate`: a script of the course behind a student's code, in the sandbox."""

from __future__ import annotations

import pytest

SCRIPT = """
def begin(text, lang, steps, seed):
    global parts
    parts = iter([f"{lang} {steps} {seed} {text.split()[-1]}\\n", *(f"{scale(n)} " for n in range(3)), "\\x1b[2J", ""])

def go_on():
    return next(parts)
"""
RIGHT = "def scale(x, factor=2.0):\n    return x * factor\n"


@pytest.fixture
def course(toy_copy):
    """The toy course with something to generate."""
    path = toy_copy / "course.yaml"
    path.write_text(f"generate: scale\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    (toy_copy / "lessons").mkdir(exist_ok=True)
    (toy_copy / "lessons" / "basics.en.md").write_text("## Words\n\nto learn from", encoding="utf-8")
    (toy_copy / "lessons" / "generate.py").write_text(SCRIPT, encoding="utf-8")
    (toy_copy / "exercises" / "scale.py").write_text(RIGHT, encoding="utf-8")
    return toy_copy


def test_a_students_code_is_shown_at_work(grader, course):
    code, out, err = grader("generate", "--steps", "7", "--seed", "3", "--lang", "en", course=course)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == (
        "scale has not passed all its checks yet, so what follows may go wrong: `grader check scale`"
    )
    assert out.endswith("en 7 3 from\n0.0 2.0 4.0 [2J")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def scale(x, factor=2.0):\n    raise NotImplementedError\n", "not written yet"),
        ("def scale(x, factor=2.0):\n    return 1 / x\n", "ZeroDivisionError"),
        ("def scale(x, factor=2.0):\n    return open('/etc/passwd').read()\n", "scale cannot go on: "),
        ("def scale(x, factor=2.0):\n    return nothing_like_this(x)\n", "nothing_like_this"),
        ("def scale(x:\n", "scale cannot go on: "),
    ],
)
def test_what_keeps_it_from_going_on_is_one_sentence(grader, course, source, said):
    (course / "exercises" / "scale.py").write_text(source, encoding="utf-8")
    code, out, err = grader("generate", "--lang", "en", course=course)
    assert (code, err) == (1, "")
    assert said in out.splitlines()[-1]
    assert "Traceback" not in out


def test_a_missing_file_and_a_course_without_a_script(grader, course):
    (course / "exercises" / "scale.py").unlink()
    code, out, _ = grader("generate", "--lang", "en", course=course)
    assert code == 1
    assert "scale.py is missing" in out
    (course / "lessons" / "generate.py").unlink()
    code, _, err = grader("generate", course=course)
    assert (code, err.count("\n")) == (2, 1)
    assert "nothing to generate" in err


def test_numbers_out_of_range_are_refused(grader, course):
    for wrong in (("--steps", "0"), ("--seed", "-1"), ("--seed", str(1 << 40))):
        code, _, err = grader("generate", *wrong, course=course)
        assert (code, err.count("\n")) == (2, 1)


def test_a_script_that_gives_no_text_is_the_courses_fault(grader, course):
    (course / "lessons" / "generate.py").write_text(
        "def begin(*given): pass\ndef go_on(): return 3\n", encoding="utf-8"
    )
    code, _, err = grader("generate", "--lang", "en", course=course)
    assert code == 2
    assert "something else than text" in err
