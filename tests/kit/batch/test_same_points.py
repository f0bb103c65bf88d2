"""The same code gets the same points as a file, a notebook, a zip, a platform's download, and with a file beside it."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from scale_files import RIGHT

from grader.batch import GradingProcess
from grader.course import Course
from grader.intake import downloads
from grader.report import ExerciseReport, Report

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

BODY = RIGHT.partition("def scale")[2]
BELOW = {  # what students leave below a right function
    "nothing": "",
    "an assertion that fails": "assert scale(torch.ones(2), 3.0).sum() == 7\n",
    "an assertion with the wrong kind of number": "assert scale(torch.tensor(0.1), 3.0).item() == 0.3, 'off'\n",
    "tensors of their own": "x = torch.load('/home/me/x.pt')\nprint(scale(x))\n",
    "a file of data": "with open('data.csv') as f:\n    rows = f.read().split()\nprint(rows)\n",
    "a question": "n = int(input('how many? '))\nprint(scale(torch.ones(n)))\n",
    "a menu": "while True:\n    choice = input('> ')\n    if choice == 'q':\n        break\n",
    "an exit": "import sys\nsys.exit(0)\n",
    "quit()": "quit()\n",
    "a stub further down": "def later(x):\n    raise NotImplementedError\nlater(1)\n",
    "a call with wrong arguments": "scale(1, 2, 3)\n",
    "a name that is not there": "print(sclae(torch.ones(2)))\n",
    "another package": "import pandas as pd\npd.DataFrame({'a': [1]}).to_csv('a.csv')\n",
    "a plot": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('plot.png')\n",
    "Colab's drive": "from google.colab import drive\ndrive.mount('/content/drive')\n",
    "a file that is written": "torch.save(scale(torch.ones(2)), 'out.pt')\n",
    "a GPU": "x = torch.ones(2).cuda()\nprint(scale(x))\n",
    "unit tests": (
        "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(1, 2)\nunittest.main()\n"
    ),
    "a test's call": "def test_scale():\n    assert scale(torch.ones(1)).item() == 3\ntest_scale()\n",
    "a forbidden comparison": "print(torch.lerp(torch.zeros(2), torch.ones(2), 0.5))\n",
    "a folder of their own": "import os\nos.chdir('/home/me/homework')\n",
    "a process": "import subprocess\nsubprocess.run(['nvidia-smi'])\n",
    "the network": "import urllib.request\nurllib.request.urlopen('http://example.org/x.pt')\n",
    "an environment variable": "import os\nprint(os.environ['MY_TOKEN'])\n",
    "a debugger": "breakpoint()\n",
    "a division by zero": "1 / 0\n",
    "an error of their own": "raise RuntimeError('not finished')\n",
    "a big allocation": "big = torch.ones(10**12)\n",
    "a program's arguments": "from argparse import ArgumentParser as A\np = A()\np.add_argument('i')\np.parse_args()\n",
    "a random assertion": "x = torch.randn(3)\nassert torch.equal(scale(x), x), 'differs'\n",
}
ABOVE = {  # what stands above it
    "a package that it does not use": "import pandas as pd\nimport seaborn as sns, sklearn\n",
    "a compiled function": "@torch.compile\n",
    "one compiled with options": "@torch.compile(mode='max-autotune', fullgraph=True)\n",
    "a script": "@torch.jit.script\n",
}
HELPER = "import torch\ndef multiplied(x, factor):\n    return x * factor\n"
WITH_HELPER = {  # how it imports a helper file
    "from": "from helpers import multiplied\n",
    "from with a dot": "from .helpers import multiplied\n",
    "everything": "from helpers import *\n",
    "from the exercises' folder": "from exercises.helpers import multiplied\n",
    "import": "import helpers\nmultiplied = helpers.multiplied\n",
    "import as": "import helpers as h\ndef multiplied(x, factor): return h.multiplied(x, factor)\n",
    "within a function": "def multiplied(*x):\n    from helpers import multiplied as m\n    return m(*x)\n",
    "their own path": "import sys\nsys.path.append('/home/me/homework')\nfrom helpers import multiplied\n",
}
LEFT_IN_HELPER = "\nassert multiplied(1, 2) == 3\nweights = torch.load('/home/me/w.pt')\nx = input()\n"
CASES: dict[str, dict[str, str]] = {
    **{f"below: {name}": {"scale.py": RIGHT + code} for name, code in BELOW.items()},
    **{
        f"above: {name}": {"scale.py": "import torch\n" + code + "def scale" + BODY} for name, code in ABOVE.items()
    },
    **{
        f"helper: {name}": {
            "scale.py": code + RIGHT.replace("x * factor", "multiplied(x, factor)"),
            "helpers.py": HELPER + LEFT_IN_HELPER,
        }
        for name, code in WITH_HELPER.items()
    },
    "their other exercise": {
        "scale.py": RIGHT + "assert 0\n",
        "pair.py": "from scale import scale\ndef pair(x):\n    return x + 1, scale(x, 2.0)\n",
    },
}  # fmt: skip


def file(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def notebook(folder: Path, files: Mapping[str, str]) -> Path:
    work = "pair.py" if "pair.py" in files else "scale.py"
    cells = [{"cell_type": "code", "source": files[work], "metadata": {}, "outputs": []}]
    (folder / "work.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}), encoding="utf-8")
    return file(folder, {n: text for n, text in files.items() if n != work})


def packed(folder: Path, files: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(folder / "ada.zip", "w") as archive:
        for name, text in files.items():
            archive.writestr(f"homework/{name}", text)
    return folder / "ada.zip"


def download(folder: Path, files: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(folder / "submissions.zip", "w") as archive:
        for number, (name, text) in enumerate(files.items()):
            archive.writestr(f"lovelaceada_1234_{5000 + number}_{name.replace('.py', '-1.py')}", text)
    return folder / "submissions.zip"


def with_helper(folder: Path, files: Mapping[str, str]) -> Path:
    others = {name: text for name, text in files.items() if name != "scale.py"}
    return file(folder, {**others, "my_work.py": files["scale.py"], "scale.py": "from my_work import scale\n"})


SHAPES: dict[str, Callable[[Path, Mapping[str, str]], Path]] = {
    "file": file, "notebook": notebook, "zip": packed, "download": download, "helper": with_helper,
}  # fmt: skip


@pytest.fixture
def graded(toy: Course, process: GradingProcess, tmp_path: Path) -> Callable[[str, str], ExerciseReport]:
    def run(shape: str, case: str) -> ExerciseReport:
        submission = downloads.one_persons(SHAPES[shape](tmp_path, CASES[case]), toy)
        report = Report.from_json(process.grade(submission, "", 1))
        return next(e for e in report.exercises if e.id == ("pair" if "pair.py" in CASES[case] else "scale"))

    return run


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("case", CASES)
def test_the_same_code_gets_the_same_points(graded, case, shape):
    found = graded(shape, case)
    assert found.score == found.max_score, (found.reason, found.remarks)


LERP = "import torch\ndef multiplied(x, factor):\n    return torch.lerp(torch.zeros_like(x), x, factor)\n"
WAYS = {  # to have a file beside it do what the exercise forbids
    "a helper": ("from helpers import multiplied\n", {"helpers.py": LERP}),
    "a helper's helper": (
        "from first import multiplied\n", {"first.py": "from second import *\n", "second.py": LERP},
    ),
    "another name for it": (
        "from helpers import sums\ndef multiplied(x, f): return sums(torch.zeros_like(x), x, f)\n",
        {"helpers.py": "from torch import lerp as sums\n"},
    ),
    "the module": (
        "from helpers import t\ndef multiplied(x, f): return t.lerp(t.zeros_like(x), x, f)\n",
        {"helpers.py": "import torch as t\n"},
    ),
    "a name that is looked up": (
        "import helpers\ndef multiplied(x, f): return getattr(helpers, 'multi' + 'plied')(x, f)\n",
        {"helpers.py": LERP},
    ),
}  # fmt: skip
HIDDEN = {  # to reach one that the source does not show
    "a module imported by name": "import importlib\nmultiplied = importlib.import_module('helpers').multiplied\n",
    "an import in a string": "exec('from helpers import multiplied')\ndef multiplied_(x): pass\n",
    "what is left in the module": (
        "import helpers\nfrom sys import modules\n"
        "def multiplied(x, f): return vars(modules['helpers'])['multiplied'](x, f)\n"
    ),
    "the solution": "from solutions.scale import scale as other\ndef multiplied(x, f): return other(x, f)\n",
    "the suite": "from tests.hidden.scale import reference as multiplied\n",
}


def scaled(process: GradingProcess, toy: Course, folder: Path, files: Mapping[str, str]) -> ExerciseReport:
    submission = downloads.one_persons(file(folder, files), toy)
    return Report.from_json(process.grade(submission, "", 1)).exercises[0]


@pytest.mark.parametrize("way", WAYS)
def test_what_is_forbidden_is_found_in_a_file_beside_it(toy, process, tmp_path, way):
    above, others = WAYS[way]
    work = RIGHT.replace("import torch\n", "import torch\n" + above).replace("x * factor", "multiplied(x, factor)")
    found = scaled(process, toy, tmp_path, {**others, "scale.py": work})
    assert (found.status, found.score) == ("rejected", 0), found.reason
    assert "torch.lerp" in found.reason.to("en")


@pytest.mark.parametrize("way", HIDDEN)
def test_a_file_that_the_source_does_not_import_is_out_of_reach(toy, process, tmp_path, way):
    work = HIDDEN[way] + RIGHT.replace("x * factor", "multiplied(x, factor)")
    assert scaled(process, toy, tmp_path, {"scale.py": work, "helpers.py": LERP}).score <= 0.5  # for ValueError at 0


def test_a_comparison_in_a_file_beside_it_is_honest(toy, process, tmp_path):
    helpers = HELPER + "def other(x): return torch.lerp(x, x, 0.5)\nassert other(torch.ones(2)).sum() == 2\n"
    work = "from helpers import multiplied\n" + RIGHT.replace("x * factor", "multiplied(x, factor)")
    assert scaled(process, toy, tmp_path, {"scale.py": work, "helpers.py": helpers}).status == "passed"


def test_the_fingerprint_covers_the_files_beside_it(toy, tmp_path):
    work = {"scale.py": WITH_HELPER["from"] + RIGHT, "helpers.py": HELPER, "notes.py": "x = 1\n"}
    before = downloads.one_persons(file(tmp_path, work), toy)
    assert before.files == {"helpers.py": HELPER}
    after = downloads.one_persons(file(tmp_path, {**work, "helpers.py": HELPER + "#\n"}), toy)
    assert before.fingerprint({}) != after.fingerprint({})


def test_a_notebook_of_too_much_code_is_refused_for_its_size(toy, process, tmp_path):
    """Its cells travel once, however many exercises they may belong to."""
    cells = [{"cell_type": "code", "source": RIGHT + "#" * 600, "metadata": {}, "outputs": []}] * 1990
    (tmp_path / "work.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    submission = downloads.one_persons(tmp_path, toy)
    assert submission.refused is not None
    assert submission.refused.to("en") == (
        "the cells of work.ipynb hold more than 512 KB of code; hand in only those with your work"
    )
    assert submission.books == ()
    assert Report.from_json(process.grade(submission, "", 1)).status == "rejected"


def test_files_beside_the_work_have_a_bound(toy, tmp_path):
    many = {f"helper{n}.py": f"x{n} = '{'x' * 60_000}'\n" for n in range(12)}
    names = "".join(f"from helper{n} import x{n}\n" for n in range(12))
    submission = downloads.one_persons(file(tmp_path, {"scale.py": names + RIGHT, **many}), toy)
    assert len(submission.files) == 8
    assert "cannot be imported: the files that the work imports hold more than 512 KB" in submission.reason().to("en")
