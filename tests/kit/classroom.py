"""An nbgrader course made from the toy course, and submissions for it: what the tests with nbgrader share."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from commands import in_a_process
from filelock import FileLock
from support import TOY, solution

BIN = Path(sys.executable).parent
UNIT = "basics"
CANARIES = ("CANARY_IN_A_SUITE", "CANARY_IN_A_SOLUTION", "CANARY_IN_AN_EXPERIMENT", "0.4711")
QUIZ = f'''
"""{CANARIES[2]}"""
from grader.questions import Number, Written, question

@question(1, Number(4))
def share(lab):
    """Which share is it?"""
    return {CANARIES[3]}

@question(3, Written(("says why", "gives an example")))
def essay(lab):
    """Explain it."""
'''
ENTRY = """\
      - id: quiz
        title: A few questions
        points: 4
        kind: questions
"""
CHINESE = {
    "Which share is it?": "它占多大的比例？",
    "Explain it.": "请解释。",
    "says why": "说明原因",
    "gives an example": "举例",
    "A few questions": "几个问题",
}
Notebook = dict[str, Any]


def kit(folder: Path) -> Path:
    """The toy course with a canary in each hidden place, and with questions."""
    shutil.copytree(TOY, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for id in ("scale", "pair"):
        for place, canary in (("tests/hidden", CANARIES[0]), ("solutions", CANARIES[1])):
            with open(folder / place / f"{id}.py", "a", encoding="utf-8") as file:
                file.write(f"\n\n{canary} = '{canary}'  # {canary}\n")
    with open(folder / "course.yaml", "a", encoding="utf-8") as file:
        file.write(ENTRY)
    with open(folder / "languages" / "zh.po", "a", encoding="utf-8") as file:
        file.write("".join(f'\nmsgid "{key}"\nmsgstr "{said}"\n' for key, said in CHINESE.items()))
    (folder / "tests" / "hidden" / "quiz.py").write_text(QUIZ, encoding="utf-8")
    (folder / "solutions" / "answers.yaml").write_text(f"quiz:\n  share: {CANARIES[3]}\n")
    (folder / "exercises" / "answers.yaml").write_text("quiz:\n  share:\n")
    return folder


def course(factory: pytest.TempPathFactory, to: Path) -> Path:
    """The kit, and in `to` an nbgrader course with its assignment generated: made once for all tests, then copied."""
    base = factory.getbasetemp()
    root = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "classroom"
    with FileLock(f"{root}.lock"):
        if not (root / "whole").exists():
            kit(root / "toy")
            grader("release", "--format", "nbgrader", "--to", root / "course", "--lang", "en", cwd=root / "toy")
            nbgrader("generate_assignment", UNIT, cwd=root / "course")
            (root / "whole").touch()
    shutil.copytree(root / "course", to)
    return root / "toy"


def environment(home: Path) -> dict[str, str]:
    """Ours, with no Jupyter configuration but what a test writes, and with the commands that nbgrader starts."""
    return {**os.environ, **changed(home)}


def changed(home: Path) -> dict[str, str]:
    """What of it differs from ours."""
    places = {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return {**places, "HOME": str(home), "IPYTHONDIR": str(home), "PATH": path, "LC_ALL": "C.UTF-8"}


def ended(done: subprocess.CompletedProcess[str], code: int) -> subprocess.CompletedProcess[str]:
    """A command, which must have ended with `code`."""
    assert done.returncode == code, f"{done.args} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def nbgrader(*command: object, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    """A command of nbgrader's as a user runs it, in a course folder."""
    words, home = [sys.executable, "-m", "nbgrader", *map(str, command)], environment(cwd.parent / "home")
    return ended(subprocess.run(words, cwd=cwd, env=home, capture_output=True, encoding="utf-8"), code)


def grader(
    *command: object, cwd: Path, code: int = 0, how: Callable[..., subprocess.CompletedProcess[str]] = in_a_process
) -> subprocess.CompletedProcess[str]:
    """A command of the kit's."""
    return ended(how(*command, cwd=cwd, env=changed(cwd.parent / "home")), code)


def released(course: Path) -> Notebook:
    return json.loads((course / "release" / UNIT / f"{UNIT}.ipynb").read_text(encoding="utf-8"))


def mark(cell: Mapping[str, Any]) -> str:
    """What nbgrader calls a cell."""
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def filled(course: Path, **texts: str) -> Notebook:
    """The released notebook with these texts in the cells: `scale=` for the work on scale, `essay=`, `answers=`."""
    notebook = copy.deepcopy(released(course))
    for cell in notebook["cells"]:
        name = mark(cell).removesuffix("-solution").removeprefix("quiz-")
        if name in texts and not (mark(cell) == name and cell["cell_type"] == "code"):
            cell["source"] = texts[name]
    return notebook


def hand_in(course: Path, student: str, notebook: Notebook | str, when: str = "2026-03-01 12:00:00 UTC") -> None:
    folder = course / "submitted" / student / UNIT
    folder.mkdir(parents=True)
    text = notebook if isinstance(notebook, str) else json.dumps(notebook)
    (folder / f"{UNIT}.ipynb").write_text(text, encoding="utf-8")
    (folder / "timestamp.txt").write_text(when)


@contextlib.contextmanager
def gradebook(url: str) -> Iterator[Any]:
    from nbgrader.api import Gradebook

    with Gradebook(url) as book:
        yield book


def sqlite(course: Path) -> str:
    return f"sqlite:///{course / 'gradebook.db'}"


def content(url: str) -> dict[tuple[str, ...], Any]:
    """Everything that a gradebook says about submissions, by student and cell."""
    found: dict[tuple[str, ...], Any] = {}
    with gradebook(url) as book:
        for student in book.students:
            for submission in student.submissions:
                for notebook in submission.notebooks:
                    facts = (notebook.score, notebook.late_submission_penalty, str(submission.timestamp))
                    found[student.id, "total"] = facts
                    for g in notebook.grades:
                        found[student.id, g.name] = (g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade)
                    for c in notebook.comments:
                        found[student.id, c.name, "comment"] = (c.auto_comment, c.manual_comment)
    return found


WRONG = "def scale(x, factor=2.0):\n    return x + factor\n"
Edit = Callable[[Notebook], None]


def without(*ids: str) -> Edit:
    def edit(notebook: Notebook) -> None:
        notebook["cells"] = [cell for cell in notebook["cells"] if mark(cell) not in ids]

    return edit


def right() -> dict[str, str]:
    """What a perfect student writes."""
    sheet = f"%%writefile answers.yaml\nquiz:\n  share: {CANARIES[3]}"
    return {**{id: solution(id) for id in ("scale", "pair")}, "answers": sheet, "essay": "Because it is so."}
