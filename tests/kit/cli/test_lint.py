"""`grader lint` finds what makes a course unsound."""

# ruff: noqa: E501 -- a table with one mistake a line

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

CHINESE = re.compile("[\u4e00-\u9fff]")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only"),
]


def test_lint_of_a_sound_course(grader):
    assert grader("lint") == (0, "2 exercises, 0 problems\n", "")


def test_the_figures_of_one_exercise(grader, toy_copy):
    code, out, err = grader("lint", "--evidence", "scale", "--seeds", "1", course=toy_copy)
    assert (code, err) == (1, ""), out
    assert "exercises measured: scale\n| misconception | caught by (of " in out
    page = (toy_copy / "docs" / "judgement.md").read_text(encoding="utf-8")
    assert "| scale | " in page
    assert "| pair | " not in page


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


SWAPPED = '''def swapped(x):
    """The two results are in the wrong order."""
    return x * 2, x + 1
'''
BROKEN = {
    "a stub with another signature": (
        "exercises/scale.py", "factor: float = 2.0", "factor: float = 3.0",
        "exercises/scale.py:6: scale(x, factor=3.0) has another signature than the solution's scale(x, factor=2.0)",
    ),
    "a stub that says nothing": (
        "exercises/scale.py", "Multiply a tensor by a factor.", "",
        "exercises/scale.py:1: the file needs a docstring that says what is to be done",
    ),
    "a function that says nothing": (
        "exercises/scale.py", "Every entry of x times factor; ValueError if factor is 0.", "",
        "exercises/scale.py:6: scale needs a docstring",
    ),
    "a stub that is not in the catalogue": (
        "exercises/scale.py", "Multiply a tensor by a factor.", "Multiply a tensor.",
        "sentences of the course are not translated, such as 'Multiply a tensor.'; `grader lint --catalogue zh` prints them",
    ),
    "a stub that is not Python": ("exercises/pair.py", "import torch", "import", "exercises/pair.py: "),
    "a stub without the function": (
        "exercises/pair.py", "def pair", "def other", "exercises/pair.py: does not define pair, which course.yaml lists",
    ),
    "a solution without the function": (
        "solutions/pair.py", "def pair", "def other", "solutions/pair.py: does not define pair, which course.yaml lists",
    ),
    "a solution that is wrong": ("solutions/scale.py", "x * factor", "x * factor.real()", "hidden/scale.py::test_values"),
    "a solution that borrows": (
        "solutions/scale.py", "return x * factor", "return torch.lerp(x * 0, x, factor)",
        "solutions/scale.py: 0 of 4 at seed ",
    ),
    "a stub that scores": ("exercises/pair.py", "raise NotImplementedError", "return x + 1, x * 2", "exercises/pair.py: the stub scores 2"),
    "a forbidden function that is misspelt": (
        "course.yaml", "functions: [pair]", "functions: [pair]\n        forbid: [torch.lerpp]",
        "course.yaml: pair: forbid: there is no torch.lerpp; did you mean torch.lerp?",
    ),
    "a forbidden function by its short name": (
        "course.yaml", "functions: [pair]", "functions: [pair]\n        forbid: [F.softmax]",
        "course.yaml: pair: forbid: F.softmax is not found by its short name; write torch.nn.functional.softmax",
    ),
    "a check without a title": (
        "tests/hidden/pair.py", "The results are x + 1 and x * 2.", "", "tests/hidden/pair.py: test_values[cpu] needs a text, in its docstring",
    ),
    "a misconception without a text": (
        "tests/hidden/pair.py", "The two results are in the wrong order.", "", "tests/hidden/pair.py: swapped needs a text, in pair.yaml or its docstring",
    ),
    "a misconception with parameters of other names": (
        "tests/hidden/pair.py", SWAPPED, SWAPPED.replace("(x)", "(y)").replace("x * 2, x + 1", "y * 2, y + 1"),
        "tests/hidden/pair.py: swapped: its pair has no parameter x",
    ),
    "facts that cannot be told of a vector": (
        "tests/hidden/scale.py", "@points(2)\n",
        "from grader.suites import Text, facts\n\n\n@facts('scale')\ndef seen(result, x, factor=2.0):\n"
        "    yield Text(f'rows of {len(result[0])}')\n\n\n@points(2)\n",
        "test_values[cpu-float32]: the facts of scale(x [3] float32) cannot be told: TypeError: len() of a 0-d tensor",
    ),
    "a check in dtypes that it does not take": (
        "tests/hidden/pair.py", "@points(1)", "import pytest\n\n\n@points(1)\n@pytest.mark.dtypes('float16')",
        ": test_values[cpu] has @dtypes but no argument `dtype`, so that it would run in float32 alone",
    ),
    "a check whose name is used again": (
        "tests/hidden/pair.py", "def test_law", "def test_values", "tests/hidden/pair.py:18: test_values takes the place of that of line 12; rename one of them",
    ),
    "a check that is never run": (
        "tests/hidden/pair.py", "@misconception", "@points(1)\ndef check_more(student):\n    pass\n\n\n@misconception",
        "tests/hidden/pair.py: check_more has points and is never run; a check's name begins with test_",
    ),
    "a law without a name": (
        "tests/hidden/scale.py", "@points(2)\n", "from grader.suites import laws\n\nlaws.keywords(1, lambda ask, make: ask.scale(make.normal(3)))\n\n\n@points(2)\n",
        ": what this line makes is thrown away; give it a name, LAWS for laws.all, that of a check with test_",
    ),
    "laws that others replace": (
        "tests/hidden/scale.py", "@points(2)\n", "from grader.suites import laws\n\nLAWS = laws.all(print)\nLAWS = laws.all(print)\n\n\n@points(2)\n",
        ": LAWS takes the place of that of line 13; rename one of them",
    ),
    "a bound of no function": (
        "tests/hidden/pair.py", '@error_bound("pair")', '@error_bound("pear")',
        "tests/hidden/pair.py: @error_bound is of 'pear', which the solution does not define; did you mean 'pair'?",
    ),
    "a bound that accepts what is plainly wrong": (
        "tests/hidden/pair.py", "return x.abs() + 1,", "return 1e6 * (x.abs() + 1),",
        "test_values[cpu]: pair may be off by ",
    ),
    "a mistake of no function": (
        "tests/hidden/pair.py", '@misconception("pair")', '@misconception("pear")',
        "tests/hidden/pair.py: the mistake swapped is of 'pear', which the solution does not define; did you mean 'pair'?",
    ),
    "a suite that cannot be imported": ("tests/hidden/pair.py", "from grader", "from graader", "tests/hidden/pair.py cannot be imported: line "),
}  # fmt: skip


def test_two_solutions_that_fail_alike_are_both_named_once(grader, toy_copy):
    edit(toy_copy / "course.yaml", "functions: [pair]", "functions: [pair]\n        forbid: [torch.lerp]")
    edit(toy_copy / "solutions" / "scale.py", "return x * factor", "return torch.lerp(x * 0, x, factor)")
    edit(toy_copy / "solutions" / "pair.py", "return x + 1", "\n\n    return torch.lerp(x, x + 1, 1.0)")
    _, out, _ = grader("lint", course=toy_copy)
    listed = [line.partition(":")[0] for line in out.splitlines() if ": line 9 uses torch.lerp" in line]
    assert sorted(listed) == ["solutions/pair.py", "solutions/scale.py"]


@pytest.mark.parametrize("case", BROKEN)
def test_lint_finds(grader, toy_copy, case):
    file, old, new, message = BROKEN[case]
    edit(toy_copy / file, old, new)
    code, out, err = grader("lint", course=toy_copy)
    assert (code, err) == (1, "")
    assert [line for line in out.splitlines() if message in line], out
    assert "2 exercises, 0 problems" not in out
    assert len(out.splitlines()) == len(set(out.splitlines()))


@pytest.mark.parametrize("folder", ["exercises", "solutions", "tests"])
def test_lint_of_a_course_that_is_half_there(grader, toy_copy, folder):
    shutil.rmtree(toy_copy / folder)
    code, out, err = grader("lint", course=toy_copy)
    assert (code, err) == (1, "")
    named = {"tests": "tests/hidden"}.get(folder, folder)
    assert out.splitlines()[:2] == [
        f"{named}/{id}.py: missing; course.yaml has an exercise {id!r}" for id in ("pair", "scale")
    ]
    assert "Traceback" not in out


@pytest.mark.parametrize("folder", ["exercises", "solutions", "tests/hidden"])
def test_lint_finds_a_missing_file(grader, toy_copy, folder):
    (toy_copy / folder / "pair.py").unlink()
    code, out, _ = grader("lint", course=toy_copy)
    assert code == 1
    assert out == f"{folder}/pair.py: missing; course.yaml has an exercise 'pair'\n2 exercises, 1 problems\n", "once"


@pytest.mark.parametrize("folder", ["exercises", "solutions", "tests/hidden"])
def test_lint_finds_a_stray_file(grader, toy_copy, folder):
    (toy_copy / folder / "pear.py").touch()
    code, out, _ = grader("lint", course=toy_copy)
    assert code == 1
    assert f"{folder}/pear.py: belongs to no exercise of course.yaml" in out


def test_a_third_exercise_needs_no_change_of_the_engine(grader, toy_copy):
    """Three files of one name and one entry in course.yaml."""
    with open(toy_copy / "course.yaml", "a", encoding="utf-8") as file:
        file.write(
            "      - id: negate\n        title: Negate\n        points: 1\n"
            "        functions: [negate]\n        after: [pair]\n"
        )
    stub = '"""Negate."""\n\n\ndef negate(x):\n    """-x."""\n    raise NotImplementedError\n'
    (toy_copy / "exercises" / "negate.py").write_text(stub, encoding="utf-8")
    (toy_copy / "solutions" / "negate.py").write_text("def negate(x):\n    return -x\n")
    (toy_copy / "tests" / "hidden" / "negate.py").write_text(
        "from grader.suites import misconception, points\n\n\n@points(1)\ndef test_sign(matches_reference, make):\n"
        '    """Signs change."""\n    matches_reference.negate(make.normal(3))\n\n\n'
        '@misconception("negate")\ndef does_nothing(x):\n    """The sign stays."""\n    return x\n',
        encoding="utf-8",
    )
    with open(toy_copy / "languages" / "zh.po", "a", encoding="utf-8") as catalogue:
        for said in ("Negate", "Negate.", "Signs change.", "The sign stays."):
            catalogue.write(f'\nmsgid "{said}"\nmsgstr "取负"\n')
    assert grader("lint", course=toy_copy) == (0, "3 exercises, 0 problems\n", "")
    (toy_copy / "exercises" / "negate.py").write_text("def negate(x):\n    return x\n")
    code, out, _ = grader("check", "negate", course=toy_copy)
    assert code == 1
    assert "Signs change." in out
    code, out, _ = grader("check", "--dir", toy_copy / "solutions", course=toy_copy)
    assert code == 0
    assert "7 of 7 points." in out


@pytest.fixture
def english_copy(toy_copy) -> Path:
    """The toy course without a word of Chinese."""
    edit(toy_copy / "course.yaml", "devices:", "languages: [en]\ndevices:")
    shutil.rmtree(toy_copy / "languages")
    assert not any(CHINESE.search(p.read_text(encoding="utf-8")) for p in toy_copy.rglob("*.*"))
    return toy_copy


def test_a_course_in_one_language_needs_no_other(grader, english_copy):
    assert grader("lint", course=english_copy) == (0, "2 exercises, 0 problems\n", "")
    code, out, _ = grader("check", "--lang", "zh", course=english_copy)
    assert code == 1
    assert "Multiply by a factor" in out  # where the course has no Chinese, its English stands in


def test_its_own_language_is_asked_for(grader, english_copy):
    edit(english_copy / "exercises" / "scale.py", "Multiply a tensor by a factor.", "")
    edit(english_copy / "tests" / "hidden" / "pair.py", "The two results are in the wrong order.", "")
    code, out, _ = grader("lint", course=english_copy)
    assert code == 1
    assert "exercises/scale.py:1: the file needs a docstring that says what is to be done\n" in out
    assert "tests/hidden/pair.py: swapped needs a text, in pair.yaml or its docstring\n" in out


def test_its_students_get_a_readme_in_it(grader, english_copy, tmp_path):
    code, _, err = grader("release", "--format", "kit", "--to", tmp_path / "kit", course=english_copy)
    assert (code, err) == (0, "")
    assert not CHINESE.search((tmp_path / "kit" / "README.md").read_text(encoding="utf-8"))


def test_bounds_are_suggested(grader):
    code, out, err = grader("lint", "--suggest-bounds")
    assert (code, err) == (0, "")
    line = (
        r'tests/hidden/{0}\.py: {0} is off by up to .*e-08 in float32, .*: TOLERANCE = tolerance\("{0}", rtol=1e-06\)'
    )
    for written, name in zip(out.splitlines(), ("scale", "pair"), strict=True):
        assert re.fullmatch(line.format(name), written)


def test_a_solution_that_fails_for_rounding_names_the_remedy(grader, toy_copy):
    edit(
        toy_copy / "tests" / "hidden" / "pair.py",
        '@error_bound("pair")',
        'EXACT = exact("pair")\n\n\n@error_bound("_")',
    )
    edit(toy_copy / "tests" / "hidden" / "pair.py", "import error_bound,", "import error_bound, exact,")
    edit(toy_copy / "solutions" / "pair.py", "x + 1", "(x / 3 + 1 / 3) * 3")
    code, out, _ = grader("lint", course=toy_copy)
    assert code == 1
    assert 'the suite says how much is right: TOLERANCE = tolerance("f", rtol=...)' in out
