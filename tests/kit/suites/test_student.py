"""Classes and trees of values made to hurt: each is graded in a real grading process and ends in plain verdicts.

What each deserves at most stands beside it; after each of them an honest student still gets full marks.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator

import pytest
from class_suite import SOLUTION, SUITE
from support import OPTIONS, TOY, exercise

from grader.batch.grading_processes import ForkServer, GradingProcess
from grader.course import course as courses
from grader.intake import Source, Submission
from grader.report.report import ExerciseReport, Report
from grader.suites import StudentFile
from grader.suites.student import NEEDS_COMPILER
from grader.texts import NOTHING

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

ENTRY = "      - {id: thing, title: A class, points: 8, functions: [Scaled, facts]}\n"


@pytest.fixture(scope="module")
def process(fork_server: ForkServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GradingProcess]:
    """The toy course with an exercise that is a class."""
    root = tmp_path_factory.mktemp("hostile") / "toy"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__"))
    with (root / "course.yaml").open("a", encoding="utf-8") as settings:
        settings.write(ENTRY)
    for name, text in {"solutions": SOLUTION, "tests/hidden": SUITE, "exercises": ""}.items():
        (root / name / "thing.py").write_text(text, encoding="utf-8")
    opened = fork_server.grading_process(courses.load(root), OPTIONS)
    yield opened
    opened.close()


def graded(process: GradingProcess, text: str) -> ExerciseReport:
    """What becomes of a submission of this file."""
    submission = Submission("s1", {"thing": Source(text)})
    found = exercise(Report.from_json(process.grade(submission, "fingerprint", seed=1, only=["thing"])), "thing")
    said = [*(c.reason for c in found.checks), found.reason or NOTHING, *(d.message for d in found.diagnoses)]
    reasons = [text.to(lang) for text in said for lang in ("en", "zh")]
    assert all(len(reason) < 1200 for reason in reasons), max(map(len, reasons))
    assert all(c in "\n\t" or c.isprintable() for reason in reasons for c in reason)
    return found


BASE = "class Scaled(Honest):\n"
OBJECTS = {  # the class that is handed in, and the most that it deserves of 8 points
    "weights that are not kept": ("    def load_state_dict(self, state): self.kept = state\n", 6),
    "weights under no name": ("    def named_parameters(self): return []\n", 2),
    "weights that are no tensors": ("    def named_parameters(self): return [('inner.weight', 'x')]\n", 4),
    "endless weights": (
        "    def named_parameters(self):\n        while True: yield 'inner.weight', self.inner.weight\n", 3,
    ),
    "weights for a result": ("    def forward(self, x): return self.inner.weight, x\n", 2),
    "a large state": (
        "    def load_state_dict(self, state): self.register_buffer('large', torch.zeros(1 << 40))\n", 2,
    ),
    "no object at all": ("    def __new__(cls, *args, **kwargs): return print\n", 2),
    "a class that is called otherwise": (
        "    pass\nclass Meta(type):\n    def __call__(cls, *a, **k): raise SystemExit(0)\n"
        "class Scaled(metaclass=Meta): pass\n", 2,
    ),
    "an object that ends the program": ("    def train(self, mode=True): raise KeyboardInterrupt\n", 2),
    "not a number": ("    def forward(self, x): return super().forward(x)[0] * float('nan'), 3\n", 5),
    "on no device": ("    def forward(self, x): return super().forward(x)[0].to('meta'), torch.tensor(self.rows)\n", 5),
    "whole numbers beyond 64 bits": ("    def forward(self, x): return super().forward(x)[0], 10**4000\n", 4),
    "a tree of thousands": ("    def forward(self, x): return super().forward(x)[0], [1] * 9000\n", 3),
    "a tuple of another kind": (
        "    def forward(self, x):\n        class Pair(tuple):\n            def __len__(self): return 10**9\n"
        "            def __iter__(self): return iter([x] * 99)\n        return Pair((x, 1))\n", 3,
    ),
    "the answer of an earlier check": (
        "    seen = {}\n    def forward(self, x): return self.seen.setdefault(x.shape, super().forward(x))\n", 6,
    ),
}  # fmt: skip
FACTS = {  # what `facts(n)` returns in place of a dict, and the most that it deserves of 8 points
    "keys that are not numbers": ("{float('nan'): 1, (1,): 2}", 6),
    "keys beyond 64 bits": ("{'n': n, 10**3000: 1, 'parts': 0}", 6),
    "a dict of another kind": (
        "type('D', (dict,), {'items': lambda s: [('n', n)] * 2, 'values': lambda s: 1 / 0})(n=n)", 6,
    ),
    "a tensor on no device after a number": (
        "{'n': torch.tensor(n), 1: {'half': n / 2}, 'parts': (torch.arange(n, device='meta'), ['a', None, True])}", 6,
    ),
    "a tensor on no device in another order": (
        "{'parts': (torch.arange(n, device='meta'), ['a', None, True]), 1: {'half': torch.tensor(n / 2)}, 'n': n}", 6,
    ),
    "a tensor of gigabytes": (
        "{'n': n, 1: {'half': n / 2}, 'parts': (torch.ones(1, dtype=torch.int64).expand(16), ['a', None, True])}", 7,
    ),
    "long texts": ("{'n': n, 1: {'half': n / 2}, 'parts': (torch.arange(n), ['{0}' * 90000, None, True])}", 7),
}  # fmt: skip


@pytest.mark.parametrize("name", OBJECTS)
def test_a_hostile_class(process, name):
    body, deserved = OBJECTS[name]
    text = SOLUTION.replace("class Scaled(", "class Honest(") + f"\n{BASE}{body}"
    assert graded(process, text).score <= deserved
    assert graded(process, SOLUTION).score == 8


@pytest.mark.parametrize("name", FACTS)
def test_a_hostile_tree(process, name):
    value, deserved = FACTS[name]
    assert graded(process, f"{SOLUTION}\ndef facts(n):\n    return {value}\n").score <= deserved
    assert graded(process, SOLUTION).score == 8


FORGED = {  # replies that no worker of ours writes
    "a whole number beyond 64 bits": "Returned(2**64 - 1)",
    "such a key": "Returned(DictForm([(2**64 - 1, 1)]))",
    "a key that is there twice": "Returned(DictForm([('n', 3), ('n', 4)]))",
    "a reply of another kind": "Loaded(['facts'])",
}


FORGING = """
import sys

def find(name):
    return next(vars(m)[name] for m in list(sys.modules.values()) if m and name in vars(m))

Returned, DictForm, Loaded = map(find, ("Returned", "DictForm", "Loaded"))
frame = sys._getframe()
while "serve" not in frame.f_globals or "call" not in frame.f_globals:
    frame = frame.f_back
frame.f_globals["call"] = lambda *_: ({reply}, [])
"""


def test_a_right_reply_can_be_forged(process):
    """Else the forgeries below would show nothing."""
    found = graded(process, SOLUTION + FORGING.format(reply="Returned(0)"))
    assert {c.verdict for c in found.checks} == {"failed"}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_tree(process, name):
    found = graded(process, SOLUTION + FORGING.format(reply=FORGED[name]))
    assert found.score == 0
    assert {c.verdict for c in found.checks} == {"crashed"}


@pytest.mark.parametrize(
    ("source", "needed"),
    [
        ("import torch\ngrad = torch.func.grad\n", True),
        ("from torch.nn.attention.flex_attention import flex_attention\n", True),
        ("from torch.nn.attention.bias import causal_lower_right\n", True),
        ("import torch\n\n@torch.compiler.disable\ndef f(x): ...\n", True),
        ("import torch\ntorch.testing.assert_close(torch.ones(1), torch.ones(1))\n", True),
        ("import torch\ntorch.use_deterministic_algorithms(True)\n", True),
        ('"""Not allowed: torch.func."""\nimport torch  # nor torch.compile\n', False),
    ],
)
def test_the_compiler_is_loaded_for_code_that_uses_it_and_not_for_a_word_in_prose(source, needed):
    assert StudentFile("x", source).mentions(NEEDS_COMPILER) == needed


@pytest.mark.parametrize(
    ("cell", "needed"),
    [
        (
            "from torch.testing import assert_close\n\nassert_close(\n    f(tensor([1.0])),\n    tensor([2.0]),\n)\n",
            False,
        ),
        ("from torch.testing import assert_close\n\ndef checked(x):\n    assert_close(x, x)\n    return x\n", True),
        ("assert_close(f(x), x)\ngrad = torch.func.grad(f)\n", True),
    ],
)
def test_what_a_notebook_checks_for_itself_needs_no_compiler(cell, needed):
    """It is not run, and each notebook that is given out has such checks."""
    file = StudentFile("f", "def f(x):\n    return x\n", cells=((2, cell),))
    assert file.mentions(NEEDS_COMPILER) == needed
