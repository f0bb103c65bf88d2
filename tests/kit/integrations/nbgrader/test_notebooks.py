"""Notebooks as submissions: what is read of them, and what a student is told about one that is damaged."""

# ruff: noqa: E501 -- a table with one mistake a line

from __future__ import annotations

import json
import os
import sys
import zipfile
from pathlib import Path

import pytest
from support import TOY, exercise, solution

from grader.course import course as courses
from grader.intake import notebooks
from grader.intake.submission import Source, Submission, entries, load, load_entry
from grader.integrations.nbgrader.markdown import shown
from grader.report.report import Report
from grader.texts import Text

LIMIT = 64


def cell(source: object, id: str | None = None, kind: str = "code") -> dict:
    marks = {"nbgrader": {"grade_id": id}} if id else {}
    return {"cell_type": kind, "metadata": marks, "source": source, "outputs": []}


def notebook(*cells: object, **metadata: object) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)})


WHOLE = notebook(cell(solution("scale"), "scale-solution"), cell(solution("pair"), "pair-solution"))


def put(folder: Path, text: str | bytes, name: str = "unit.ipynb") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    return folder


def loaded(folder: Path, *wanted: str) -> Submission:
    return load(folder, wanted or ("scale", "pair"), LIMIT)


def told(submission: Submission, id: str = "scale") -> str:
    refused = submission.sources[id].refused
    assert refused is not None
    return refused.en


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
@pytest.mark.parametrize("form", ["folder", "zip", "notebook"])
def test_a_notebook_is_graded_like_the_files(process, tmp_path, form):
    whole = put(tmp_path / "ann", WHOLE)
    entry = {"folder": whole, "zip": tmp_path / "ann.zip", "notebook": tmp_path / "x" / "ann.ipynb"}[form]
    if form == "zip":
        with zipfile.ZipFile(entry, "w") as archive:
            archive.write(whole / "unit.ipynb", "work/unit.ipynb")
    elif form == "notebook":
        put(entry.parent, WHOLE, entry.name)
    submission = load_entry(entry, ("scale", "pair"), LIMIT) if form == "notebook" else loaded(entry)
    assert submission.student == "ann"
    report = Report.from_json(process.grade(submission, "", 1))
    assert (report.score, report.max_score, report.reason) == (6, 6, None)


def test_who_handed_in_in_a_folder_of_notebooks(tmp_path):
    for name in ("ann.ipynb", "bob.IPYNB"):
        put(tmp_path, WHOLE, name)
    assert [load_entry(p, ["scale"], LIMIT).student for p in entries(tmp_path, ["scale"])] == ["ann", "bob"]
    put(tmp_path / "ann", WHOLE)
    both = load_entry(tmp_path / "ann.ipynb", ["scale"], LIMIT)
    assert both.refused == Text(
        "ann and ann.ipynb are of one student; keep one of them", "ann 和 ann.ipynb 属于同一名学生；请只保留一份"
    )


def test_files_of_exercises_come_before_notebooks(tmp_path):
    put(tmp_path, WHOLE)
    (tmp_path / "scale.py").write_text("mine")
    submission = loaded(tmp_path)
    assert submission.sources == {"scale": Source("mine"), "pair": Source()}
    assert submission.ignored == ("unit.ipynb",)


def test_only_the_marked_cell_counts(tmp_path):
    other = cell("import os\nx = 1")
    put(tmp_path, notebook(other, cell(["a\n", "b"], "scale-solution"), cell("c", "scale"), other))
    assert loaded(tmp_path, "scale").sources == {"scale": Source("a\nb")}


def test_of_two_cells_the_last_counts_and_the_report_says_so(tmp_path):
    put(tmp_path, notebook(cell("one", "scale-solution"), cell("two", "scale-solution"), cell("two", "scale-solution")))
    submission = loaded(tmp_path, "scale")
    assert submission.sources == {"scale": Source("two")}
    assert submission.ignored == ("unit.ipynb[0]: scale-solution",)


def test_lines_for_ipython_become_comments_and_keep_their_number(tmp_path):
    put(tmp_path, notebook(cell("%matplotlib inline\n!ls\n%%time\nx = (7\n% 3)\ny = '%a'\n", "scale-solution")))
    source = loaded(tmp_path, "scale").sources["scale"].text
    assert source == "# %matplotlib inline\n# !ls\n# %%time\nx = (7\n% 3)\ny = '%a'\n"


def test_exercises_may_be_in_several_notebooks(tmp_path):
    put(tmp_path, notebook(cell("a", "scale-solution")), "one.ipynb")
    put(tmp_path, notebook(cell("b", "pair-solution")), "two.ipynb")
    assert loaded(tmp_path).sources == {"scale": Source("a"), "pair": Source("b")}


def test_the_answer_sheet_may_be_in_several_notebooks(tmp_path):
    put(tmp_path, notebook(cell("%%writefile answers.yaml\nq1:\n  a: 1", "answers-solution")), "one.ipynb")
    put(tmp_path, notebook(cell("%%writefile answers.yaml\nq2:\n  b: 2", "answers-solution")), "two.ipynb")
    text = loaded(tmp_path, "answers").sources["answers"].text
    assert text == "# %%writefile answers.yaml\nq1:\n  a: 1\n# %%writefile answers.yaml\nq2:\n  b: 2"


def test_one_exercise_in_two_notebooks(tmp_path):
    for name in ("one.ipynb", "two.ipynb"):
        put(tmp_path, notebook(cell("a", "scale-solution")), name)
    assert told(loaded(tmp_path)) == "one.ipynb and two.ipynb both hold the cell scale-solution; hand in one of them"


R = {"kernelspec": {"name": "ir", "language": "R", "display_name": "R"}}
JULIA = {"kernelspec": {"name": "julia"}, "language_info": {"name": "julia\x1b[31m"}}
WORK = cell("x", "scale-solution")
DAMAGED = {
    "cut off": ('{"cells": [', "unit.ipynb is no notebook: it is not JSON (1:12); open it in Jupyter and save it again"),
    "empty": ("", "unit.ipynb is no notebook: it is not JSON (1:1); open it in Jupyter and save it again"),
    "too deep": ("[" * 100_000, "unit.ipynb is no notebook: it is not JSON (RecursionError)"),
    "a number of 5000 digits": ("1" * 5000, "unit.ipynb is no notebook: it is not JSON (ValueError)"),
    "no UTF-8": (b'{"cells": "\xff"}', "unit.ipynb is no notebook: it is not valid UTF-8"),
    "a list": ("[]", "unit.ipynb is no notebook: it holds no list of cells"),
    "cells that are no list": ('{"cells": {}}', "unit.ipynb is no notebook: it holds no list of cells"),
    "format 3": ('{"worksheets": [{"cells": []}]}', "unit.ipynb is no notebook: it holds no list of cells"),
    "R": (notebook(WORK, **R), "unit.ipynb belongs to a kernel for R; it must be a Python notebook"),
    "Julia": (notebook(WORK, **JULIA), "unit.ipynb belongs to a kernel for julia[31m; it must be a Python notebook"),
    "no such cell": (notebook(cell("x")), "unit.ipynb has no cell scale-solution: it was deleted, or its mark was lost"),
    "null bytes": (notebook(cell("a\0b", "scale-solution")), "the cell scale-solution of unit.ipynb contains null bytes"),
    "surrogates": (notebook(cell("\ud800", "scale-solution")), "the cell scale-solution of unit.ipynb holds characters that"),
    "a large cell": (notebook(cell("x" * (LIMIT * 1024 + 1), "scale-solution")), "scale-solution of unit.ipynb is larger than 64 KB"),
    "a large notebook": (b" " * ((notebooks.MAX_KB << 10) + 1), "unit.ipynb is larger than 8192 KB"),
}  # fmt: skip


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_notebook(tmp_path, case):
    text, reason = DAMAGED[case]
    put(tmp_path, text)
    submission = loaded(tmp_path)
    assert reason in told(submission)
    assert submission.refused is None


ODD = [
    None, 1, [], "cell", {}, {"cell_type": [], "source": {}, "metadata": []}, {"metadata": {"nbgrader": "x"}},
    {"metadata": {"nbgrader": {"grade_id": ["scale-solution"]}}, "source": [1, None, "a"]},
    {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": "scale-solution"}}, "source": [1, None, "kept"], "attachments": 3},
]  # fmt: skip


def test_odd_cells_are_passed_over(tmp_path):
    put(tmp_path, notebook(*ODD, kernelspec=[], language_info={"name": 3}))
    assert loaded(tmp_path, "scale").sources == {"scale": Source("kept")}


def test_a_cell_that_became_text_still_counts(tmp_path):
    put(tmp_path, notebook(cell("x", "scale-solution", kind="markdown")))
    assert loaded(tmp_path, "scale").sources == {"scale": Source("x")}


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_link_is_not_followed(tmp_path):
    put(tmp_path / "other", WHOLE)
    folder = tmp_path / "ann"
    folder.mkdir()
    (folder / "unit.ipynb").symlink_to(tmp_path / "other" / "unit.ipynb")
    assert told(loaded(folder)) == "unit.ipynb is a symbolic link; hand in the file itself"
    os.link(tmp_path / "other" / "unit.ipynb", tmp_path / "hard.ipynb")
    assert (
        told(load(tmp_path / "hard.ipynb", ["scale"], LIMIT))
        == "hard.ipynb is a hard link to another file; hand in a copy"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_a_damaged_notebook_costs_the_points_and_tells_why_in_chinese(fork_server, tmp_path):
    put(tmp_path, '{"cells": [')
    process = fork_server.grading_process(courses.load(TOY), {"lang": "zh", "device": "cpu", "only": [], "kit": "test"})
    report = Report.from_json(process.grade(loaded(tmp_path), "", 1))
    process.close()
    found = exercise(report, "scale")
    assert (found.status, found.score) == ("rejected", 0)
    assert found.reason == "unit.ipynb 不是笔记本：它不是 JSON(1:12)；请在 Jupyter 中打开并重新保存"


SHOWN = {
    "an honest answer": ("a < b, **bold** $x_1<y$ [see](https://a.org)", "a < b, **bold** $x_1< y$ [see](https://a.org)"),
    "a tag": ("<script>x</script>", "< script>x< /script>"),
    "a link that runs": ("[x](javascript:alert(1))", "    [x](javascript:alert(1))"),
    "in disguise": ("[x](JaVa&#115;cript:alert(1))", "    [x](JaVa&#115;cript:alert(1))"),
    "by reference": ("[x]\n\n[x]: vbscript:y", "    [x]\n    \n    [x]: vbscript:y"),
    "a picture that is not there": ("![](attachment:b.png)", "    ![](attachment:b.png)"),
}  # fmt: skip


@pytest.mark.parametrize("case", SHOWN)
def test_what_nbgraders_pages_show_of_a_students_text(case):
    text, expected = SHOWN[case]
    assert shown(notebooks.Cell("markdown", text, None)) == (expected, {})


def test_pictures_are_kept_if_they_are_pictures():
    kinds = {"image/png": "iVBO", "text/html": "PHA+"}
    cell_ = notebooks.Cell("markdown", "![](attachment:a)", None, {"a": kinds, "b": {"image/png": '"onerror="x'}})
    assert shown(cell_) == ("![](attachment:a)", {"a": {"image/png": "iVBO"}})
    assert shown(notebooks.Cell("raw", "<b>", None)) == ("    <b>", {})
