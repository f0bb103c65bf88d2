"""`from grader.notebook import check` in a real kernel."""

from __future__ import annotations

import dataclasses
import re
import sys

import classroom
import pytest
from classroom import WRONG
from support import TOY, solution

from grader.errors import CourseError
from grader.intake import defining

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

CELLS = [
    "from grader.notebook import check\ncheck('scale')",
    solution("scale"),
    "check('scale', lang='en')",
    WRONG + "%time 1",
    "check('scale', lang='zh', seed=3)",
    "check('skale')",
    "%%writefile answers.yaml\nquiz:\n  share: 0.4711",
    "check('quiz', lang='en')",
    "check('scale', course='/')",
]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What each of CELLS shows, run one after the other in the kit's folder: HTML, text, error."""
    import nbformat
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell, new_notebook

    kit = classroom.kit(tmp_path_factory.mktemp("check") / "toy")
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in CELLS])
    NotebookClient(notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": str(kit)}}).execute()
    nbformat.validate(notebook)
    return [{k: v for output in cell.outputs for k, v in shown(output).items()} for cell in notebook.cells]


def shown(output) -> dict[str, str]:
    if output.output_type == "error":
        return {"error": f"{output.ename}: {output.evalue}", "traceback": "\n".join(output.traceback)}
    return {kind.partition("/")[2]: text for kind, text in output.get("data", {}).items()}


def test_a_cell_must_have_run(outputs):
    said = "CourseError: no cell that you ran defines scale; run the cell with your work, then check again"
    assert outputs[0]["error"] == said


def test_right_work_passes(outputs):
    assert re.match(r"✔ scale +4 / 4 +Multiply by a factor", outputs[2]["plain"])
    assert "Multiply by a factor" in outputs[2]["html"]


def test_the_last_cell_that_ran_counts_and_the_reason_is_in_the_language_asked_for(outputs):
    text = re.sub(r"<[^>]+>", "", outputs[4]["html"])
    assert "加上了因子" in text
    assert "每个元素都乘以因子" in text
    assert re.match(r"✘ scale +1.9 / 4 +乘以一个因子", outputs[4]["plain"])


def test_an_exercise_that_is_none(outputs):
    assert outputs[5]["error"] == "CourseError: there is no exercise 'skale'; did you mean 'scale'?"
    assert outputs[8]["error"].startswith("CourseError: no course.yaml in / or above it")


def test_checks_are_folded_and_the_message_is_short(outputs):
    html, text = outputs[4]["html"], outputs[4]["plain"]
    first, _, folded = html.partition("<details>")
    assert "<details open" not in html
    assert "scale(x" in first
    assert 'class="checks"' in folded
    assert 'class="checks"' not in first
    assert "scale(x" in text
    assert not re.search(r"^ +✔", text, re.MULTILINE)  # no list of checks
    assert len(text.splitlines()) < 20


def test_a_mistake_in_the_command_has_no_traceback(outputs):
    assert [outputs[n]["traceback"] for n in (0, 5, 8)] == [outputs[n]["error"] for n in (0, 5, 8)]


def test_questions_are_checked_from_the_sheet(outputs):
    assert "quiz" in outputs[7]["plain"]
    assert "1 / 1" in outputs[7]["plain"]


def test_outside_a_notebook():
    from grader.notebook import check

    with pytest.raises(CourseError, match="so it works in a notebook only; elsewhere use `grader check scale`"):
        check("scale", course=TOY)


CHOICES = {
    "the last": (["def scale(x): 1", "def scale(x): 2", "scale(3)"], 1),
    "assigned": (["def scale(x): 1", "scale = mine"], 1),
    "with a type": (["scale: Callable = mine", "x.scale = 1", "scale == 1", "def scales(): pass"], 0),
    "within something": (["scale(1)", "if True:\n  def scale(x): 1"], 1),
    "none": (["scale(1)", "# def scale(x): 1"], None),
}


@pytest.mark.parametrize("case", CHOICES)
def test_which_cell_holds_the_work(toy, case):
    cells, number = CHOICES[case]
    assert defining(toy.exercise("scale"), toy, cells) == number


def test_the_cell_with_most_of_the_functions_holds_the_work(toy):
    both = dataclasses.replace(toy.exercise("scale"), functions=("one", "two"))
    cells = ["def one(): 1\ndef two(): 2", "def one(): 3\ndef pair(): 0"]
    assert defining(both, toy, cells) == 0, "the second is the work on pair"
    assert defining(both, toy, [*cells, "def one(): 3"]) == 2, "a second try; the rest is taken from the first"
    assert defining(both, toy, [*cells, "def one():\n    raise NotImplementedError\n"]) == 0
