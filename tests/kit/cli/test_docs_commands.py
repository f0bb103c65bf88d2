"""The command blocks of the pages run, in their order, on a class of two; what they name stands for what is there."""

from __future__ import annotations

import re
import shlex
import shutil
import sys

import pytest
from quiz import HALF, PAPER
from support import ROOT, TOY, solution

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]

BLOCK = re.compile(r"^```\n((?:grader .*\n)+)```$", re.MULTILINE)
MEANT = {"RESULTS": "results", "SHEETS": "sheets", "CLASS": "class", "softmax": "scale", "attention": "pair"}
AT_A_TERMINAL = "grader viva scale"  # asks, and waits for answers
ENTRY = "      - {id: quiz, title: {en: Questions, zh: 问题}, points: 12, kind: questions}\n"


def commands(page: str) -> list[str]:
    """The lines of a page's blocks, without comments; one for each of the formats that a line lists."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    lines = [line.partition("  #")[0].strip() for block in BLOCK.findall(text) for line in block.splitlines()]
    lines = [re.sub(r" \[[^]]*\]", "", line) for line in lines]
    meant = [re.sub(r"\b[A-Za-z]+\b", lambda word: MEANT.get(word[0], word[0]), line) for line in lines]
    return [" ".join([*line.split()[:-1], last]) for line in meant for last in line.split()[-1].split("|")]


@pytest.fixture
def a_class(tmp_path, monkeypatch):
    """A course with concept questions, and two students' work."""
    root = tmp_path / "toy"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__", "results"))
    with (root / "course.yaml").open("a", encoding="utf-8") as settings:
        settings.write(ENTRY)
    for name, text in {"solutions/half.py": HALF, "tests/hidden/quiz.py": PAPER}.items():
        (root / name).write_text(text, encoding="utf-8")
    for folder in ("solutions", "exercises"):
        (root / folder / "answers.yaml").touch()
    for student in ("s04_dina", "s05_emil"):
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "scale.py").write_text(solution("scale"), encoding="utf-8")
        (tmp_path / "class" / student / "pair.py").write_text(solution("pair"), encoding="utf-8")
        (tmp_path / "class" / student / "answers.yaml").write_text("quiz:\n  essay: Because.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return root


@pytest.mark.parametrize(("page", "count"), [("assessment.md", 4), ("reports.md", 11), ("viva.md", 4)])
def test_the_blocks_run(grader, a_class, page, count):
    found = commands(page)
    assert len(found) == count
    if page != "assessment.md":
        found = ["grader grade class --out results", *found]
    for line in found:
        if line != AT_A_TERMINAL:
            code, out, err = grader(*shlex.split(line)[1:], course=a_class)
            assert code in (0, 1), f"{line}\n{out}{err}"
            assert "grader: " not in err, line
