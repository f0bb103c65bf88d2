"""`grader release --format nbgrader`: source notebooks that nbgrader takes, and that give nothing away."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

import classroom
import pytest
from classroom import CANARIES, UNIT, mark

from grader.course import course as courses
from grader.integrations.nbgrader import source_notebook
from grader.sandbox.processes import ExampleCall

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """An nbgrader course with the assignment generated."""
    folder = tmp_path_factory.mktemp("release") / "course"
    classroom.course(tmp_path_factory, folder)
    return folder


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """What it was generated from."""
    return classroom.course(tmp_path_factory, tmp_path_factory.mktemp("kit") / "course")


def cells(notebook: Path) -> list[dict]:
    return json.loads(notebook.read_text(encoding="utf-8"))["cells"]


def sources(notebook: Path) -> dict[str, str]:
    return {mark(c): "".join(c["source"]) for c in cells(notebook) if mark(c)}


def test_each_exercise_has_a_work_cell_and_a_grade_cell_worth_its_points(course):
    marks = {
        mark(c): (c["cell_type"], c["metadata"]["nbgrader"])
        for c in cells(course / "source" / UNIT / f"{UNIT}.ipynb")
        if mark(c)
    }
    facts = {id: (kind, m["grade"], m["solution"], m.get("points")) for id, (kind, m) in marks.items()}
    assert facts == {
        "scale-solution": ("code", False, True, None), "scale": ("code", True, False, 4),
        "pair-solution": ("code", False, True, None), "pair": ("code", True, False, 2),
        "quiz-essay": ("markdown", True, True, 3),
        "answers-solution": ("code", False, True, None), "quiz": ("code", True, False, 1),
    }  # fmt: skip


def test_nbgrader_keeps_task_signature_and_examples(course):
    found = sources(course / "release" / UNIT / f"{UNIT}.ipynb")
    assert found["scale-solution"].startswith("import torch\n\n\ndef scale(x: torch.Tensor, factor: float = 2.0)")
    doc = '    """Every entry of x times factor; ValueError if factor is 0."""\n'
    assert found["scale-solution"].endswith(f"{doc}    # YOUR CODE HERE\n    raise NotImplementedError")
    assert found["answers-solution"] == "%%writefile answers.yaml\n# YOUR CODE HERE\nquiz:\n  share:"
    assert found["quiz-essay"] == "YOUR ANSWER HERE"
    text = "\n".join("".join(c["source"]) for c in cells(course / "release" / UNIT / f"{UNIT}.ipynb"))
    assert "# Basics" in text
    assert "## Multiply by a factor (4 points)\n\nMultiply a tensor by a factor." in text
    assert "**share** (1) Which share is it?" in text
    assert "**essay** (3) Explain it." in text
    assert "says why" not in text, "the rubric is for whoever grades"
    rubric = sources(course / "source" / UNIT / f"{UNIT}.ipynb")["quiz-essay"]
    assert rubric == "### BEGIN SOLUTION\n- says why\n- gives an example\n### END SOLUTION"


@pytest.mark.parametrize("id", ["scale", "pair"])
def test_the_visible_examples_pass_with_the_solution_and_not_with_the_stub(course, kit, id):
    found = sources(course / "release" / UNIT / f"{UNIT}.ipynb")
    exec(found[id], work := run((kit / "solutions" / f"{id}.py").read_text(encoding="utf-8")))
    assert id in work
    with pytest.raises(NotImplementedError):
        exec(found[id], run(found[f"{id}-solution"]))


@pytest.mark.parametrize(("arrays", "array"), [("torch", "tensor"), ("numpy", "array")])
def test_examples_of_every_kind_can_be_run(kit, arrays, array):
    pair = courses.load(kit).exercise("pair")
    shown = f"{{1: ({array}([1.0, -inf, nan]), 2), 2: [None, 3.0]}}"
    text = source_notebook._tests(pair, [ExampleCall("pair(1)", shown)], "en", arrays)
    exec(text, {"pair": lambda _: run(f"from {arrays} import *\nvalue = {shown}")["value"]})
    with pytest.raises(AssertionError):
        exec(text, {"pair": lambda _: run(f"from {arrays} import *\nvalue = {shown.replace('1.0', '1.5')}")["value"]})


def run(source: str) -> dict:
    names: dict = {}
    exec(source, names)
    return names


@pytest.mark.parametrize("folder", ["source", "release"])
def test_nothing_hidden_is_released(course, folder):
    files = [p for p in (course / folder).rglob("*") if p.is_file()]
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert not [c for c in CANARIES if c in text], file
        assert "adds_instead" not in text  # a misconception
        assert "test_values" not in text  # a check


def test_the_language_is_the_one_asked_for(kit, tmp_path, grader):
    grader("release", "--format", "nbgrader", "--to", tmp_path, "--lang", "zh", cwd=kit)
    text = "\n".join("".join(c["source"]) for c in cells(tmp_path / "source" / UNIT / f"{UNIT}.ipynb"))
    assert "## 乘以一个因子（4 分）\n\n把张量乘以一个因子。" in text
    assert '"""x 的每个元素乘以 factor;factor 为 0 时抛出 ValueError。"""' in text
    assert "它占多大的比例？" in text
    for english in ("Multiply", "Every entry", "Which share", "Explain", "says why", "points"):
        assert english not in text
    config = (tmp_path / "nbgrader_config.py").read_text(encoding="utf-8")
    assert "c.BehindTheWall.lang = 'zh'" in config
    assert "c.ClearSolutions.text_stub = '在此作答'" in config


def test_again_it_changes_nothing_and_replaces_nothing(kit, course, tmp_path, grader):
    notebook, config = tmp_path / "source" / UNIT / f"{UNIT}.ipynb", tmp_path / "nbgrader_config.py"
    release = ("release", "--format", "nbgrader", "--lang", "en", "--to", tmp_path)
    grader(*release, cwd=kit)
    assert notebook.read_bytes() == (course / "source" / UNIT / f"{UNIT}.ipynb").read_bytes()
    before = config.read_text(encoding="utf-8")
    notebook.write_text("mine")
    done = grader(*release, cwd=kit, code=2)
    assert f"{notebook} is there already and differs; nothing was written" in done.stderr
    assert notebook.read_text() == "mine"
    grader(*release, "--force", "--unit", UNIT, cwd=kit)
    assert UNIT in notebook.read_text(encoding="utf-8")
    assert config.read_text(encoding="utf-8") == before, "its seed must stay"
    config.write_text("c = get_config()\n")
    done = grader(*release, cwd=kit)
    assert f"{config} is there already and stays as it is. To grade in the sandbox, add to it:" in done.stdout
    assert config.read_text() == "c = get_config()\n"


def test_what_release_refuses(kit, tmp_path, grader):
    done = grader("release", "--format", "nbgrader", "--to", tmp_path, "--unit", "basic", cwd=kit, code=2)
    assert "there is no unit 'basic'; did you mean 'basics'?" in done.stderr
    done = grader("release", "--format", "paper", "--to", tmp_path, cwd=kit, code=2)
    assert "invalid choice: 'paper'" in done.stderr
    blocked = tmp_path / "file"
    blocked.touch()
    done = grader("release", "--format", "nbgrader", "--to", blocked / "x", cwd=kit, code=3)
    assert "cannot be written: Not a directory" in done.stderr


def test_numbers_for_each_student_cannot_be_in_one_notebook_for_all(tmp_path, grader):
    own = classroom.kit(tmp_path / "toy")
    text = (own / "course.yaml").read_text(encoding="utf-8")
    (own / "course.yaml").write_text(f"variants: student\n{text}", encoding="utf-8")
    done = grader("release", "--format", "nbgrader", "--to", tmp_path / "x", cwd=own, code=2)
    assert "course.yaml: one notebook for all needs `variants: common`" in done.stderr


REPAIR = '"""Mend it."""\n\n\ndef f(x):\n    """Twice."""\n    return x\n'


def test_code_to_be_mended_stays_whole():
    task, work = source_notebook.split(REPAIR, "en")
    assert task == "Mend it."
    assert work == '### BEGIN SOLUTION\n### END SOLUTION\ndef f(x):\n    """Twice."""\n    return x'


def test_a_stub_that_cannot_be_split(toy_copy):
    (toy_copy / "exercises" / "pair.py").write_text("def (")
    course = courses.load(toy_copy)
    with pytest.raises(courses.CourseError, match=r"pair.py: cannot be made into notebook cells: invalid syntax"):
        source_notebook.notebook(course, course.settings.units[0], "en", {}, {})


@pytest.mark.parametrize("written", ["en", "zh"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_stub_in_either_language_becomes_a_notebook_in_either(toy_copy, written, lang):
    """The task and the docstrings are in the notebook's language, laid out as the catalogue has them."""
    docstrings = {"en": "One.\n\n    two\n\nExample: 3", "zh": "一。\n\n    二\n\nExample: 3\n\n三"}
    key, said = (json.dumps(docstrings[lang], ensure_ascii=False) for lang in ("en", "zh"))
    with open(toy_copy / "languages" / "zh.po", "a", encoding="utf-8") as file:
        file.write(f"\nmsgid {key}\nmsgstr {said}\n")
    courses.load(toy_copy)
    body = docstrings[written].replace("\n", "\n    ")
    stub = f'"""{docstrings[written]}"""\n\n\ndef f():\n    """{body}\n    """\n    raise NotImplementedError\n'
    task, work = source_notebook.split(stub, lang)
    assert task == docstrings[lang]
    assert inspect.cleandoc(run(work)["f"].__doc__) == docstrings[lang]


def test_docstrings_with_quotes_and_backslashes():
    stub = 'def f():\n    r"""A \\\\d "quoted" word"\n    """\n    raise NotImplementedError\n'
    _, work = source_notebook.split(stub, "en")
    names: dict = {}
    exec(work, names)
    assert names["f"].__doc__.strip() == 'A \\\\d "quoted" word"'
