"""Answer sheets, objects of classes and notebooks made to hurt: graded in a real lane, each ends in a plain verdict.

What each deserves stands beside it; among all of them the grading process still gives an honest student full marks.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator

import pytest
from support import OPTIONS, TOY, exercise
from test_objects import SOLUTION as CLASS
from test_objects import SUITE as CLASS_SUITE
from test_questions import PAPER
from test_questions import SOLUTION as HALF

from grader.batch.grading_processes import ForkServer, GradingProcess
from grader.course import course as courses
from grader.intake import notebooks
from grader.intake.submission import Source, Submission, load
from grader.questions import answer_forms, questions
from grader.questions.numbers import Unreadable
from grader.report.report import ExerciseReport, Report

ENTRIES = """\
      - {id: quiz, title: {en: Questions, zh: 问题}, points: 12, kind: questions}
      - {id: thing, title: {en: A class, zh: 一个类}, points: 8, functions: [Scaled, facts]}
"""
KB_64, KB_256 = 64 << 10, 256 << 10


@pytest.fixture(scope="module")
def process(fork_server: ForkServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GradingProcess]:
    """The toy course with concept questions and with an exercise that is a class."""
    root = tmp_path_factory.mktemp("hostile") / "toy"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__"))
    settings = (root / "course.yaml").read_text(encoding="utf-8").replace("source_kb: 64", "source_kb: 300")
    (root / "course.yaml").write_text(settings + ENTRIES, encoding="utf-8")
    for name, text in {
        "solutions/half.py": HALF, "tests/hidden/quiz.py": PAPER, "solutions/answers.yaml": "",
        "exercises/answers.yaml": "",
        "solutions/thing.py": CLASS, "tests/hidden/thing.py": CLASS_SUITE, "exercises/thing.py": "",
    }.items():  # fmt: skip
        (root / name).write_text(text, encoding="utf-8")
    opened = fork_server.grading_process(courses.load(root), OPTIONS)
    yield opened
    opened.close()


def graded(process: GradingProcess, source: str, text: str) -> ExerciseReport:
    """What becomes of a submission of one file."""
    id = "quiz" if source == "answers" else source
    submission = Submission("s1", {source: Source(text)})
    found = exercise(Report.from_json(process.grade(submission, "fingerprint", seed=1, only=[id])), id)
    reasons = [c.reason for c in found.checks] + [found.reason or ""] + [d.message for d in found.diagnoses]
    assert all(len(reason) < 1200 for reason in reasons), max(map(len, reasons))
    assert all(c in "\n\t" or c.isprintable() for reason in reasons for c in reason)
    return found


RIGHT_SHEET = """
quiz:
  a_third: 1/3
  one: b
  some: a, c
  order: [c, a, b]
  matrix: [[1, 0.25], [0.125, -3]]
  table: {first: same changes, second: changes changes}
  construct: 1 1 -2
"""
KEYS = "\n".join(f"  a_thir{i}: 1" for i in range(2400))
SHEETS = {  # what it says, what it deserves of 9 points, a word of the reason
    "empty": ("", 0, "not answered yet"),
    "one long word": (f"quiz:\n  a_third: {'9' * KB_256}", 0, "is no number"),
    "one long list": (f"quiz:\n  matrix: '{'1 ' * (KB_256 // 2)}'", 0, "expected 4 numbers"),
    "brackets only": (f"quiz:\n  matrix: '{'[' * KB_256}'", 0, "expected 4 numbers, got 0"),
    "spaces in a number": (f"quiz:\n  a_third: '1{' ' * KB_256}/3'", 0, "is no number"),
    "commas": (f"quiz:\n  one: '{',' * KB_256}'", 0, "choose exactly one"),
    "all letters at once": ("quiz:\n  one: a b c\n  some: a b c\n  order: a b c a b c", 0, "exactly one"),
    "the same letter for ever": (f"quiz:\n  one: '{'b ' * (KB_256 // 2)}'", 0, "exactly one"),
    "keys that are nearly right": (f"quiz:\n{KEYS}", 0, "is that meant?"),
    "too many keys": ("\n".join(f"k{i}: 1" for i in range(9000)), 0, "more than 5000 values"),
    "a sheet for each question": ("quiz:\n  quiz:\n    one: b\none: b", 0, "not answered"),
    "deep": (f"quiz: {'[' * 5000}", 0, "nested deeper"),
    "deep mappings": ("".join(f"{' ' * i}quiz:\n" for i in range(200)), 0, "nested deeper"),
    "aliases": ("a: &a [1, 1]\nb: &b [*a, *a]\nquiz: *b", 0, "aliases"),
    "tags": ("quiz: !!python/object/apply:os.system ['touch /tmp/marker']", 0, "not answered"),
    "merge keys": ("quiz:\n  <<: {one: b}", 0, "not answered"),
    "binary": ("quiz:\n  one: !!binary Yg==", 0, "none of the choices"),
    "twice": ("quiz:\n  one: a\n  one: b", 0, "given twice"),
    "in two sections": ("quiz:\n  one: a\nquiz:\n  one: b", 0, "given twice"),
    "two documents": ("quiz:\n  one: a\n---\nquiz:\n  one: b", 0, "another document"),
    "an escape beyond all characters": ('quiz:\n  one: "\\Uffffffff"', 0, "OverflowError"),
    "half a character": ('quiz:\n  one: "\\ud800"', 0, "none of the choices"),
    "control characters": ('quiz:\n  one: "\\e[31m\\u202eb"', 0, "none of the choices"),
    "raw control characters": ("quiz:\n  one: \x1b[31mb", 0, "U+001B"),
    "braces": ("quiz:\n  one: '{known.__class__}'\n  a_third: '{0}{got}'", 0, "{0}{got} is no number"),
    "markup": ("quiz:\n  one: '[red]<b>=1+1|'", 0, "is none of the choices"),
    "infinities": ("quiz:\n  construct: [inf, -inf, 0]\n  matrix: inf inf inf inf", 0, "every number must be finite"),
    "large numbers": ("quiz:\n  construct: [1e308, 1e308, 1e308]\n  a_third: 1e999", 0, "they do not sum to 0"),
    "a fraction of nothing": ("quiz:\n  a_third: 0/0\n  construct: 1/0 0 0", 0, "0/0 is no number"),
    "digits of other scripts": ("quiz:\n  a_third: ²/٣\n  construct: ① 0 0", 0, "is no number"),
    "mappings for numbers": ("quiz:\n  a_third: {0.333: 1}\n  matrix: {1: 2}\n  one: {b: b}", 0, "is no number"),
    "lists for cells": ("quiz:\n  table: [[[same], {changes: 1}], changes changes]", 0, "none of the choices"),
    "another's numbers": (f"variant: s2\n{RIGHT_SHEET}", 0, "'s2'"),
    "a variant that is none": (f"variant: [{'x, ' * 2000}]\n{RIGHT_SHEET}", 0, "this sheet has the questions of"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHEETS)
def test_a_hostile_sheet(process, name):
    text, deserved, word = SHEETS[name]
    found = graded(process, "answers", text)
    assert found.score == deserved
    assert any(word in c.reason for c in found.checks), [c.reason for c in found.checks]
    assert graded(process, "answers", RIGHT_SHEET).score == 8  # all but the number drawn


BASE = "class Scaled(Honest):\n"
OBJECTS = {  # the class that is handed in, and the most that it deserves of 8 points
    "weights that are not kept": ("    def load_state_dict(self, state): self.kept = state\n", 5),
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
        "    seen = {}\n    def forward(self, x): return self.seen.setdefault(x.shape, super().forward(x))\n", 5,
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
    text = CLASS.replace("class Scaled(", "class Honest(") + f"\n{BASE}{body}"
    assert graded(process, "thing", text).score <= deserved
    assert graded(process, "thing", CLASS).score == 8


@pytest.mark.parametrize("name", FACTS)
def test_a_hostile_tree(process, name):
    value, deserved = FACTS[name]
    assert graded(process, "thing", f"{CLASS}\ndef facts(n):\n    return {value}\n").score <= deserved
    assert graded(process, "thing", CLASS).score == 8


FORGED = {  # replies that no worker of ours writes
    "a whole number of thousands of digits": '{"ok": int("9" * 4000)}',
    "such a key": '{"ok": {"!": "dict", "items": [[int("9" * 4000), 1]]}}',
    "a key that is there twice": '{"ok": {"!": "dict", "items": [["n", 3], ["n", 4]]}}',
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_tree(process, name):
    forged = f"import sys\nsys._getframe(1).f_globals['call'] = lambda *_: ({FORGED[name]}, [])\n"
    found = graded(process, "thing", CLASS + forged)
    assert found.score == 0
    assert {c.verdict for c in found.checks} == {"crashed"}


FORMS = (
    answer_forms.Number(4), answer_forms.Numbers((3,)), answer_forms.Choice({"a": ("x", "y"), "b": ("x", "y")}, many=True),
    answer_forms.Table(("r", "s"), ("x", "y"), answer_forms.Choice({"a": ("x", "y")})),
)  # fmt: skip
PIECES = (
    "1",
    "1,",
    "1,111",
    "1 ",
    "[",
    ";",
    "a,",
    "ab",
    ".",
    "(",
    "9/",
    "٣",
    "²",
    "1e",
    "\t",
    "，",
    "|",
    "\n",
    "inf ",
    "_",
    "-",
)


@pytest.mark.parametrize("piece", PIECES)
def test_no_answer_is_too_long_to_read(piece):
    """An expression that goes back and forth over its input would take hours for these."""
    text = piece * (KB_64 // len(piece))
    for form in FORMS:
        for given in (text, [text], {"r": text, "s": text}, text + "x", "1" + text + "1"):
            said = ""
            try:
                form.read(given)
            except Unreadable as error:
                said = error.reason.en
            assert len(said) < 400


def test_of_many_misspelt_keys_few_are_looked_at(tmp_path, monkeypatch):
    (tmp_path / "q.py").write_text(PAPER, encoding="utf-8")
    (tmp_path / "half.py").write_text(HALF, encoding="utf-8")
    compared: list[str] = []
    closest = questions.difflib.get_close_matches

    def counted(word, possibilities, n):
        compared.extend(found := list(possibilities))
        return closest(word, found, n=n)

    monkeypatch.setattr(questions.difflib, "get_close_matches", counted)
    paper = questions.Paper(tmp_path / "q.py", tmp_path)
    paper.mark({f"one{i}" * 500: "b" for i in range(9000)} | {f"a_thir{i}": "1" for i in range(9000)})
    assert 0 < len(compared) <= questions.MOST_UNKNOWN * len(paper.questions)


def notebook(*cells: object, **others: object) -> bytes:
    return json.dumps({"cells": list(cells), "metadata": {}, **others}).encode()


def cell(source: object, id: object = "scale-solution", **others: object) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "metadata": {"nbgrader": {"grade_id": id}}, **others}


NOTEBOOKS = {  # the file, and what is said about it or read from it
    "deep": (b"[" * (8 << 20), "it is not JSON (RecursionError)"),
    "deep in a cell": (b'{"cells": [' + b'{"a": ' * 100_000, "it is not JSON (RecursionError)"),
    "a number of millions of digits": (b"1" * (8 << 20), "it is not JSON (ValueError)"),
    "millions of cells": (b'{"cells": [' + b"{}," * (2 << 20) + b"{}]}", "has more than 2000 cells"),
    "too large": (b" " * (9 << 20), "larger than 8192 KB"),
    "large outputs": (notebook(cell("x = 1", outputs=[{"text": "y" * (5 << 20)}])), "x = 1"),
    "a cell that is too large": (notebook(cell("x" * (300 << 10))), "larger than 256 KB"),
    "a source in a million lines": (notebook(cell(["x\n"] * 1_000_000)), "larger than 256 KB"),
    "half a character": (notebook(cell("x = '\ud800'")), "characters that are no text"),
    "a null byte": (notebook(cell("x = 1\0")), "null bytes"),
    "cells twice": (b'{"cells": [], ' + notebook(cell("x = 2"))[1:], "x = 2"),
    "sources twice": (notebook(cell("x = 1")).replace(b'"source"', b'"source": "y", "source"'), "x = 1"),
    "odd cells": (notebook(None, 1, "x", [], [[]], {}, cell("x = 3")), "x = 3"),
    "odd sources": (notebook(cell(["x ", 1, None, ["y"], {"z": 1}, "= 4"])), "x = 4"),
    "a source that is none": (notebook(cell({"x": 1})), ""),
    "odd ids": (notebook(cell("y", []), cell("y", {"a": 1}), cell("y", None), cell("y", 7), cell("x = 5")), "x = 5"),
    "odd metadata": (notebook({"metadata": [1]}, {"metadata": {"nbgrader": "x"}}, cell("x = 6")), "x = 6"),
    "odd kinds": (notebook(cell("x = 7", cell_type=["code"], attachments=[1])), "x = 7"),
    "an odd language": (notebook(cell("x"), metadata={"kernelspec": {"language": "\x1b[31m{0}"}}), "[31m{0}"),
    "no cells": (b'{"cells": {"0": {}}}', "no list of cells"),
    "not text": (b"\xff\xfe{}", "not valid UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_hostile_notebook(tmp_path, name):
    data, due = NOTEBOOKS[name]
    (tmp_path / "unit.ipynb").write_bytes(data)
    source = load(tmp_path, ["scale"], 256).sources["scale"]
    said = source.refused.en if source.refused else source.text
    assert due in said if source.refused else due == said
    assert len(said) < 300


def test_of_many_cells_that_do_not_count_few_are_named(tmp_path):
    """Each is another version of one cell, under a name made to look like something else."""
    many = [cell(f"x = {i}") for i in range(notebooks.MAX_CELLS)]
    (tmp_path / "unit\x1b[31m.ipynb").write_bytes(notebook(*many))
    found = load(tmp_path, ["scale"], 256)
    assert found.sources["scale"].text == f"x = {notebooks.MAX_CELLS - 1}"
    assert len(found.ignored) == 9
    assert found.ignored[-1] == f"+{notebooks.MAX_CELLS - 1 - 8}"
    assert all(name.isprintable() for name in found.ignored)


def test_a_zip_whose_names_are_long(tmp_path):
    """Megabytes of names, each looked at once for all exercises."""
    path = tmp_path / "s1.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for i in range(60):
            archive.writestr(f"{i:05}{'a' * 60_000}", "")
        archive.writestr("work/scale.py", "x = 1")
    exercises = [f"exercise_{i}" for i in range(200)]
    assert load(path, [*exercises, "scale"], 256).sources["scale"].text == "x = 1"


PLACES = {
    "scale.py": True, "work/scale.py": True, "a/b/scale.py": False, "/scale.py": False, "__MACOSX/scale.py": False,
    "a\\scale.py": False, "xscale.py": False, "work/scale.py/": False, "./scale.py": True, "../scale.py": True,
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_where_a_zip_may_hold_a_file(tmp_path, name):
    with zipfile.ZipFile(tmp_path / "s1.zip", "w") as archive:
        archive.writestr(name, "x = 1")
    assert bool(load(tmp_path / "s1.zip", ["scale"], 256).sources["scale"].text) == PLACES[name]
