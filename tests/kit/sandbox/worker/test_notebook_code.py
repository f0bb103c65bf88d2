"""Notebooks as students write them: what of their other cells an exercise's functions get."""

from __future__ import annotations

import ast

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from support import TOY

from grader.course import course as courses
from grader.intake import submission
from grader.report.report import Report
from grader.sandbox.worker.notebook_code import gathered, statements


def work(*lines: str) -> str:
    return "\n    ".join(["def scale(x, factor=2.0):", "check(factor)", *lines]) + "\n"


WORK = work("return torch.mul(x, factor)")
CHECK = 'def check(factor):\n    if factor == 0:\n        raise ValueError("a factor is needed")\n'
RIGHT = CHECK + WORK
FROM_TENSOR = "def scale(x: Tensor, factor=2.0):\n    check(factor)\n    return x * factor\n"
ALONE = "def scale(x, factor=2.0):\n    return x * factor\n"

# Each a list of cells; the one with `def scale` holds the work.
NOTEBOOKS = {
    "imports in the first cell": ["import torch", CHECK + WORK],
    "a helper in another cell": ["import torch\n" + CHECK, WORK],
    "a helper below the work": ["import torch", WORK, CHECK],
    "a helper of a helper": ["import torch as t", "torch = t", CHECK, WORK],
    "the last of two helpers": ["import torch\ndef check(factor):\n    1 / 0", CHECK, WORK],
    "the work runs twice, an older one above": ["import torch", "def scale(x, factor=2.0):\n    return 0", CHECK, WORK],
    "matplotlib": ["import torch\nimport matplotlib.pyplot as plt\n%matplotlib inline", RIGHT, "plt.plot(scale(x))"],
    "matplotlib in the work's cell": ["import torch", "import matplotlib.pyplot as plt\n" + RIGHT + "plt.show()"],
    "plots within the function": [
        "import torch\nimport matplotlib.pyplot as plt",
        CHECK + work("fig, ax = plt.subplots()", "ax.plot(x)", "return x * factor"),
    ],
    "help marks": ["import torch\ntorch.mul?\n?torch.mul\ntorch.mul??", RIGHT + "scale?"],
    "shell lines": ["import torch\n!pip install torch\nfiles = !ls\n!ls", RIGHT],
    "a magic within an if": ["import torch\nif True:\n    %pwd", RIGHT + "if scale:\n    !ls"],
    "a timed cell": ["import torch", "%%time\n" + RIGHT],
    "a cell of another language": ["import torch", "%%bash\nls | wc", "%%html\n<b>bold</b>", RIGHT],
    "input": ["import torch\nname = input('who are you? ')\nprint(name)", RIGHT + "input()"],
    "a display of the result": ["import torch", RIGHT + "scale(torch.ones(3))\nprint(scale(undefined))"],
    "asserts below the work": ["import torch", RIGHT + "assert scale(1) == 3, 'my own test is wrong'"],
    "a cell with a syntax error": ["import torch", "def half(:", RIGHT],
    "notes": ["import torch", "this cell is a note to myself", RIGHT],
    "a star import": ["from torch import *", CHECK + work("return mul(x, factor)")],
    "a future import below": ["import torch", RIGHT, "from __future__ import annotations"],
    "a constant that changes": ["T = []\nT.append(0)\nT[0] = 1", CHECK, work("return x * factor * T[0]")],
    "a loop that fails": ["import torch", RIGHT, "for i in range(3):\n    raise RuntimeError('later')"],
    "display": ["from IPython.display import Markdown", CHECK, work("display(Markdown('x'))", "return x*factor")],
    "exported as a script": ["import torch\nget_ipython().run_line_magic('matplotlib', 'inline')", RIGHT],
    "the last try is not Python": ["import torch", RIGHT, "def scale(x, factor=2.0):\n    return (x * factor"],
    "a stub below the work": ["import torch", RIGHT, "def scale(x, factor=2.0):\n    raise NotImplementedError\n"],
    "any magic above the work": ["import torch", "%%wandb -q\n" + RIGHT],
    "await in the work's cell": ["import torch", RIGHT + "await asyncio.sleep(0)\nasync with x as y:\n    pass"],
    "a shell line that goes on": ["import torch", "!pip install \\\n  torch\n" + RIGHT],
    "prompts": ["import torch\n" + CHECK, ">>> " + WORK.replace("\n    ", "\n...     ")],
    "a future import above": ["from __future__ import annotations", CHECK + FROM_TENSOR],
    "a counter": ["calls = 0\nimport torch", CHECK + work("global calls", "calls += 1", "return x * factor")],
    "a list that grows": ["import torch\nT = [1]", "T.append(0)\n" + CHECK + work("return x * factor * T[0]")],
    "a file that it writes": [
        "import torch",
        "%%writefile my.py\n" + CHECK,
        "from my import check as ok\n" + WORK.replace("check", "ok"),
    ],
    "files that it writes": ["%%writefile scale.py\nimport torch\n" + RIGHT, "from scale import *\nscale(1)"],
    "a class beside it": ["import torch\nclass Scaler:\n    def __init__(self):\n        1 / 0\nScaler()", RIGHT],
}  # fmt: skip


@pytest.fixture(scope="module")
def notebook_scale(process, tmp_path_factory):
    """The report on scale in a notebook with these cells, marked as nbgrader marks them or not."""
    course = courses.load(TOY)

    def run(cells: list[str], marked: bool):
        folder = tmp_path_factory.mktemp("ann")
        made = [new_code_cell(cell) for cell in cells]
        if marked:
            work = max((c for c in made if "def scale" in c.source), key=made.index)
            work.metadata["nbgrader"] = {"grade_id": "scale-solution", "solution": True}
        nbformat.write(new_notebook(cells=made), folder / "unit.ipynb", version=4)
        found = Report.from_json(process.grade(submission.load(folder, course), "", seed=1))
        return next(e for e in found.exercises if e.id == "scale")

    return run


@pytest.mark.parametrize("marked", [True, False], ids=["marked", "unmarked"])
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_gets_what_its_work_deserves(notebook_scale, name, marked):
    report = notebook_scale(NOTEBOOKS[name], marked)
    assert (report.reason, report.score) == (None, report.max_score)
    assert report.file.startswith("unit.ipynb [")


def test_the_report_says_which_cells_were_taken(notebook_scale):
    report = notebook_scale(["import torch", "import os", CHECK, "print(1)", WORK], marked=True)
    assert report.file == "unit.ipynb [1, 3, 5]"


def test_what_the_work_lacks_is_told_as_python_does(notebook_scale):
    report = notebook_scale(["import torch", WORK], marked=True)
    assert report.score < report.max_score
    assert "raises NameError on line 2, `check(factor)`: name 'check' is not defined" in report.reason.to("en")


def test_a_mistake_in_the_works_own_cell_is_named_at_its_line(notebook_scale):
    report = notebook_scale(["import torch\n\n", "x = 1\ndef scale(x, factor=2.0)\n    return x"], marked=True)
    assert "line 2" in report.reason.to("en")
    assert "expected ':'" in report.reason.to("en")


def test_the_exercises_cell_counts_wherever_it_stands():
    other = "def scale(x):\n    return 0"
    for at in (0, 1):
        _, body, cells = gathered(ALONE, [other], at, ["scale"])
        assert [ast.unparse(node) for node in body] == [ast.unparse(ast.parse(ALONE))]
        assert cells == ()


def test_lines_that_only_ipython_knows_do_nothing_and_numbers_of_lines_stay():
    body = statements("%load_ext x\nfiles = !ls\nf?\ndef f():\n    %time g()\n    return '%d?' % 3")
    assert [ast.unparse(n) for n in body] == [
        "pass",
        "files = None",
        "pass",
        "def f():\n    pass\n    return '%d?' % 3",
    ]
    assert body[3].lineno == 4
