"""Notebooks as submissions: what is read of them, and what a student is told about one that is damaged."""

# ruff: noqa: E501 -- a table with one mistake a line

from __future__ import annotations

import dataclasses
import json
import os
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest
from handed_in import COURSE, STUB
from support import exercise, solution

from grader.course import course as courses
from grader.intake import Source, Submission, load, notebook_files
from grader.intake.notebooks import defining
from grader.report.report import Report

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
    return load(folder, COURSE, wanted or None)


def texts(submission: Submission) -> dict[str, str | None]:
    """The text of each source that is there."""
    return {id: source.text for id, source in submission.sources.items()}


def told(submission: Submission, id: str = "scale") -> str:
    refused = submission.sources[id].refused
    assert refused is not None
    return refused.to("en")


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
    submission = loaded(entry)
    assert submission.student == "ann"
    report = Report.from_json(process.grade(submission, "", 1))
    assert (report.score, report.max_score, report.reason) == (6, 6, None)


def test_files_of_exercises_come_before_notebooks(tmp_path):
    put(tmp_path, WHOLE)
    (tmp_path / "scale.py").write_text("mine")
    submission = loaded(tmp_path)
    assert texts(submission) == {"scale": "mine", "pair": solution("pair")}
    assert submission.ignored == ("unit.ipynb[1]: scale",), "which is told"
    (tmp_path / "scale.py").write_text(solution("scale"))
    assert loaded(tmp_path).ignored == (), "the same in both"


def test_only_the_marked_cell_counts(tmp_path):
    other = cell("import os\nx = 1")
    put(tmp_path, notebook(other, cell(["a\n", "b"], "scale-solution"), cell("c", "scale"), other))
    whole = loaded(tmp_path, "scale")
    found = whole.sources["scale"]
    assert (found.text, found.place()) == ("a\nb", "unit.ipynb [2]")
    assert [number for number, _ in whole.cells(found)] == [1, 3, 4], "what the work may need"


def test_of_two_cells_the_last_counts_and_the_report_says_so(tmp_path):
    put(tmp_path, notebook(cell("one", "scale-solution"), cell("two", "scale-solution"), cell("two", "scale-solution")))
    submission = loaded(tmp_path, "scale")
    assert texts(submission) == {"scale": "two"}
    assert submission.ignored == ("unit.ipynb[1]: scale-solution",)


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_lines_for_ipython_hurt_nobody_and_lines_keep_their_number(process, tmp_path):
    lines = "%%time\n%matplotlib inline\n!ls\nx = (7\n% 3)\ny = '%a'\n"
    put(
        tmp_path,
        notebook(
            cell(lines + solution("scale"), "scale-solution"), cell(lines + "def pair(x):\n    1 / 0", "pair-solution")
        ),
    )
    report = Report.from_json(process.grade(loaded(tmp_path), "", 1))
    assert exercise(report, "scale").score == 4
    assert "line 8" in exercise(report, "pair").reason.to("en")


def test_exercises_may_be_in_several_notebooks(tmp_path):
    put(tmp_path, notebook(cell("a", "scale-solution")), "one.ipynb")
    put(tmp_path, notebook(cell("b", "pair-solution")), "two.ipynb")
    assert texts(loaded(tmp_path)) == {"scale": "a", "pair": "b"}


def test_the_answer_sheet_may_be_in_several_notebooks(tmp_path):
    put(tmp_path, notebook(cell("%%writefile answers.yaml\nq1:\n  a: 1", "answers-solution")), "one.ipynb")
    put(tmp_path, notebook(cell("%%writefile answers.yaml\nq2:\n  b: 2", "answers-solution")), "two.ipynb")
    text = loaded(tmp_path, "answers").sources["answers"].text
    assert text == "# writefile answers.yaml\nq1:\n  a: 1\n# writefile answers.yaml\nq2:\n  b: 2"


def test_one_exercise_in_two_notebooks(tmp_path):
    for name in ("one.ipynb", "two.ipynb"):
        put(tmp_path, notebook(cell("a", "scale-solution")), name)
    assert told(loaded(tmp_path)) == "one.ipynb and two.ipynb both hold the cell scale-solution; hand in one of them"


R = {"kernelspec": {"name": "ir", "language": "R", "display_name": "R"}}
JULIA = {"kernelspec": {"name": "julia"}, "language_info": {"name": "julia\x1b[31m"}}
WORK = cell("x", "scale-solution")
DAMAGED = {
    "cut off": ('{"cells": [', "unit.ipynb is not a notebook: it breaks off in line 1, so it was not saved or sent completely; hand in a complete copy"),
    "empty": ("", "unit.ipynb is empty; save the notebook in Jupyter and hand it in again"),
    "too deep": ("[" * 100_000, "unit.ipynb is not a notebook: it is not JSON (RecursionError)"),
    "a number of 5000 digits": ("1" * 5000, "unit.ipynb is not a notebook: it is not JSON (ValueError)"),
    "only zeros": (b"\0" * 4096, "unit.ipynb is empty"),
    "a pointer": ("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "unit.ipynb is only a pointer of Git LFS"),
    "a web page": ("\n<!DOCTYPE html>\n<html></html>", "unit.ipynb is a web page and not the notebook itself; download the file"),
    "a merge": ('{"cells": [\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> b\n]}', "left its marks in it (line 2); keep one side of each"),
    "a comma too many": ('{"cells": [],}\n', "unit.ipynb is not a notebook: it is not JSON (1:1"),
    "a list": ("[]", "unit.ipynb is not a notebook: it holds no list of cells"),
    "cells that are not a list": ('{"cells": {}}', "unit.ipynb is not a notebook: it holds no list of cells"),
    "R": (notebook(WORK, **R), "unit.ipynb belongs to a kernel for R; it must be a Python notebook"),
    "Julia": (notebook(WORK, **JULIA), "unit.ipynb belongs to a kernel for julia[31m; it must be a Python notebook"),
    "no marks at all": (notebook(cell("x")), "no cell of unit.ipynb holds what belongs in scale.py; use the names that the exercise gives"),
    "no such cell": (notebook(cell("x", "pair-solution")), "unit.ipynb has no cell scale-solution: it was deleted, or its mark was lost"),
    "null bytes": (notebook(cell("a\0b", "scale-solution")), "the cell scale-solution of unit.ipynb contains null bytes"),
    "surrogates": (notebook(cell("\ud800", "scale-solution")), "the cell scale-solution of unit.ipynb holds characters that"),
    "a large cell": (notebook(cell("x" * (LIMIT * 1024 + 1), "scale-solution")), "scale-solution of unit.ipynb is larger than 64 KB"),
    "a large notebook": (b" " * ((notebook_files.MAX_KB << 10) + 1), "unit.ipynb is larger than 8192 KB"),
}  # fmt: skip


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_notebook(tmp_path, case):
    text, reason = DAMAGED[case]
    put(tmp_path, text)
    submission = loaded(tmp_path)
    assert reason in told(submission)
    somebody_should_look = submission.refused
    assert somebody_should_look is None or reason in somebody_should_look.to("en")
    assert (somebody_should_look is None) == (case == "no such cell"), "the other exercise counts"


ODD = [
    None, 1, [], "cell", {}, {"cell_type": [], "source": {}, "metadata": []}, {"metadata": {"nbgrader": "x"}},
    {"metadata": {"nbgrader": {"grade_id": ["scale-solution"]}}, "source": [1, None, "a"]},
    {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": "scale-solution"}}, "source": [1, None, "kept"], "attachments": 3},
]  # fmt: skip


def test_odd_cells_are_passed_over(tmp_path):
    put(tmp_path, notebook(*ODD, kernelspec=[], language_info={"name": 3}))
    assert texts(loaded(tmp_path, "scale")) == {"scale": "kept"}


def test_a_cell_that_became_text_still_counts(tmp_path):
    put(tmp_path, notebook(cell("x", "scale-solution", kind="markdown")))
    assert texts(loaded(tmp_path, "scale")) == {"scale": "x"}


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_link_is_not_followed(tmp_path):
    put(tmp_path / "other", WHOLE)
    folder = tmp_path / "ann"
    folder.mkdir()
    (folder / "unit.ipynb").symlink_to(tmp_path / "other" / "unit.ipynb")
    assert told(loaded(folder)) == "unit.ipynb is a symbolic link; hand in the file itself"
    os.link(tmp_path / "other" / "unit.ipynb", tmp_path / "hard.ipynb")
    assert told(loaded(tmp_path / "hard.ipynb")) == "hard.ipynb is a hard link to another file; hand in a copy"


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_a_damaged_notebook_costs_the_points_and_tells_why_in_chinese(process, tmp_path):
    put(tmp_path, '{"cells": [')
    report = Report.from_json(process.grade(loaded(tmp_path), "", 1))
    found = exercise(report, "scale")
    assert (found.status, found.score) == ("rejected", 0)
    assert (
        found.reason.to("zh")
        == "unit.ipynb 不是笔记本：它在第 1 行中断，像是没有保存完或没有传完；请提交 Jupyter 能打开的完整副本"
    )


# without anybody's marks ----------------------------------------------------------------------------------------------

UNMARKED = notebook(cell(solution("scale")), cell(solution("pair")))
NAIVE = notebook(cell("def scale(x):\n    return x\n"))


@pytest.mark.parametrize("stub", [STUB, b"", None])
def test_a_notebook_counts_where_a_stub_lies_beside_it(tmp_path, stub):
    """The whole of the course's folder is handed in, with the work in a notebook of one's own."""
    put(tmp_path, UNMARKED, "homework.ipynb")
    if stub is not None:
        (tmp_path / "scale.py").write_bytes(stub)
    assert texts(loaded(tmp_path)) == {"scale": solution("scale"), "pair": solution("pair")}
    assert loaded(tmp_path).ignored == ()


def test_a_notebook_that_does_not_hold_it_leaves_the_stub(tmp_path):
    put(tmp_path, notebook(cell(solution("pair"))), "homework.ipynb")
    (tmp_path / "scale.py").write_bytes(STUB)
    assert texts(loaded(tmp_path)) == {"scale": STUB.decode(), "pair": solution("pair")}


@pytest.mark.parametrize("beside", [{}, {"pair.py": "p = 1\n"}])
def test_of_two_notebooks_none_is_taken_by_chance(tmp_path, beside):
    for name in ("final.ipynb", "draft.ipynb"):
        put(tmp_path, UNMARKED if name == "final.ipynb" else NAIVE, name)
    for name, text in beside.items():
        (tmp_path / name).write_text(text)
    assert told(loaded(tmp_path)) == "draft.ipynb and final.ipynb could both be scale.py; hand in one file of that name"


@pytest.mark.parametrize("other", ["scale_old.ipynb", "homework.ipynb", "pair.ipynb", "Untitled.ipynb"])
def test_a_notebook_of_the_exercises_name_comes_before_others(tmp_path, other):
    put(tmp_path, UNMARKED, "Scale (1).ipynb")
    put(tmp_path, NAIVE, other)
    submission = loaded(tmp_path)
    assert texts(submission)["scale"] == solution("scale")
    assert submission.ignored == (other,)


def test_copies_of_a_notebook_do_not_compete(tmp_path):
    for name in ("Untitled.ipynb", "Untitled-Copy1.ipynb"):
        put(tmp_path, UNMARKED, name)
    assert texts(loaded(tmp_path)) == {"scale": solution("scale"), "pair": solution("pair")}


@pytest.mark.parametrize("name", ["hw.ipynb.txt", "hw.ipynb.json", "hw.IPYNB", "Course work.ipynb"])
def test_a_notebook_is_one_whatever_a_browser_calls_it(tmp_path, name):
    put(tmp_path, UNMARKED, name)
    assert texts(loaded(tmp_path))["scale"] == solution("scale")
    assert texts(load(tmp_path / name, COURSE))["scale"] == solution("scale")
    assert load(tmp_path / name, COURSE).student == name.split(".")[0]


MAGICS = ["%%writefile", "%%file", "%%writefile -a", "%%writefile exercises/", '%%file "', "%%writefile ./"]


@pytest.mark.parametrize("magic", MAGICS)
def test_a_cell_that_writes_a_file(tmp_path, magic):
    space, quote = "" if magic.endswith(("/", '"')) else " ", '"' if magic.endswith('"') else ""
    writes = f"{magic}{space}{{}}{quote}\n"
    put(tmp_path, notebook(cell(writes.format("scale.py") + solution("scale"))))
    found = loaded(tmp_path, "scale").sources["scale"].text
    assert found is not None
    first, rest = found.split("\n", 1)
    assert (first[:2], rest) == ("# ", solution("scale"))
    sheet = dataclasses.replace(COURSE.exercises[0], kind="questions", functions=())
    assert defining(sheet, COURSE, ["x = 1", writes.format("answers.yaml") + "unit:\n"]) == 1
    assert defining(sheet, COURSE, ["# %%writefile answers.yaml", writes.format("notes.yaml")]) is None


V3 = [{"cell_type": "code", "input": [text], "language": "python"} for text in (solution("scale"), solution("pair"))]
SAVED = {
    "format 3": json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": V3[:1]}, {"cells": V3[1:]}]}),
    "UTF-16": UNMARKED.encode("utf-16"),
    "a Chinese system": json.dumps(json.loads(notebook(cell("# 作业"), *json.loads(UNMARKED)["cells"])), ensure_ascii=False).encode("gb18030"),
    "a mark of UTF-8, Windows' lines": b"\xef\xbb\xbf" + json.dumps(json.loads(UNMARKED), indent=1).replace("\n", "\r\n").encode(),
    "lines without their ends": notebook(*(cell(solution(id).splitlines()) for id in ("scale", "pair"))),
    "no kernel was chosen": notebook(*json.loads(UNMARKED)["cells"], language_info={"name": "plaintext"}),
    "a kernel for R, by mistake": notebook(*json.loads(UNMARKED)["cells"], **R),
    "indented cells": notebook(*(cell("\n" + textwrap.indent(solution(id), "    ")) for id in ("scale", "pair"))),
    "20 MB of outputs": notebook({**cell("1"), "outputs": [{"text": ['\\"]}' * 1000] * 5000}]}, *json.loads(UNMARKED)["cells"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SAVED)
def test_a_notebook_is_read_however_it_was_saved(tmp_path, case):
    put(tmp_path, SAVED[case])
    found = {id: (text or "").strip() for id, text in texts(loaded(tmp_path)).items()}
    assert found == {id: solution(id).strip() for id in ("scale", "pair")}


@pytest.mark.parametrize(
    "name", ["scale.py", "hw.py", "hw.txt", "hw.json", "hw", "hw.md", "hw.zip", "hw.ipynb (1)", "hw.ipynb.bak"]
)
def test_a_notebook_is_known_by_its_content(tmp_path, name):
    put(tmp_path, UNMARKED, name)
    submission = loaded(tmp_path)
    assert texts(submission) == {"scale": solution("scale"), "pair": solution("pair")}
    assert submission.sources["scale"].place() == f"{name} [1]"


def test_code_and_archives_under_the_name_of_a_notebook(tmp_path):
    put(tmp_path, solution("scale"), "Scale (1).ipynb")
    with zipfile.ZipFile(tmp_path / "rest.ipynb", "w") as archive:
        archive.writestr("rest.ipynb", notebook(cell(solution("pair"))))
    assert texts(loaded(tmp_path)) == {"scale": solution("scale"), "pair": solution("pair")}


def test_what_jupyter_saves_by_itself_is_no_rival(tmp_path):
    put(tmp_path, UNMARKED, "hw.ipynb")
    put(tmp_path, NAIVE, "hw-checkpoint.ipynb")
    assert texts(loaded(tmp_path))["scale"] == solution("scale")


OPEN = 'def scale(x, factor=2.0):\n    """Scale it."""\n    # YOUR CODE\n    raise NotImplementedError()\n'
CHOSEN = {
    "a stub below the work": [solution("scale"), OPEN],
    "`pass` below the work": [solution("scale"), "def scale(x, factor=2.0): pass"],
    "its result under its own name": [solution("scale"), "scale = scale(torch.ones(3))"],
    "torch's, to compare with": [solution("scale"), "from torch import mul as scale"],
    "code in a cell of text, to explain it": [cell("```python\n" + OPEN + "```", kind="markdown"), solution("scale")],
}


@pytest.mark.parametrize("case", CHOSEN)
def test_which_cell_is_the_work(tmp_path, case):
    cells = [cell(c) if isinstance(c, str) else c for c in CHOSEN[case]]
    put(tmp_path, notebook(*cells))
    assert texts(loaded(tmp_path, "scale")) == {"scale": solution("scale")}
    assert loaded(tmp_path).sources["pair"] == Source()


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_the_work_in_a_cell_of_text_counts_where_no_code_is(tmp_path, kind):
    put(tmp_path, notebook(cell("# Homework", kind="markdown"), cell(solution("scale"), kind=kind)))
    assert texts(loaded(tmp_path, "scale")) == {"scale": solution("scale")}


def test_of_two_notebooks_the_one_with_the_work_counts(tmp_path):
    put(tmp_path, notebook(cell(OPEN), cell(solution("pair"))), "a.ipynb")
    put(tmp_path, notebook(cell(solution("scale"))), "b.ipynb")
    assert texts(loaded(tmp_path)) == {"scale": solution("scale"), "pair": solution("pair")}


def test_a_cell_with_another_mark_may_hold_the_work(tmp_path):
    put(tmp_path, notebook(cell("x = 1", "scale"), cell(solution("scale"), "my-cell")))
    assert texts(loaded(tmp_path, "scale")) == {"scale": solution("scale")}


ANSWERS = [
    "variant: common\nquestions_a:\n  softmax_by_hand: [1, 2]\n  softmax_unchanged: [a]\n",
    "  overflow_in_float16: 11\n",
]


@pytest.mark.parametrize("kind", ["code", "markdown", "raw"])
def test_answers_in_cells_are_the_answer_sheet(tmp_path, kind):
    put(tmp_path, notebook(cell("x = 1"), *(cell(text, kind=kind) for text in ANSWERS)))
    found = load(tmp_path, courses.load(Path(__file__).parents[3])).sources["answers"]
    assert (found.text, found.number) == ("\n".join(ANSWERS), 2)


@pytest.mark.parametrize("kind", ["code", "markdown"])
def test_answers_beside_the_blank_sheet_count(tmp_path, kind):
    blank = "%%writefile answers.yaml\nquestions_a:\n  softmax_by_hand:\n  what_each_role_changes:\n    query: {weights: , output: }\n"
    put(tmp_path, notebook(cell(blank, "answers-solution"), *(cell(text, kind=kind) for text in ANSWERS)))
    course = courses.load(Path(__file__).parents[3])
    assert load(tmp_path, course).sources["answers"].number == 2
    put(tmp_path, notebook(cell(blank.replace("hand:", "hand: [1]"), "answers-solution"), cell(ANSWERS[0])))
    assert load(tmp_path, course).sources["answers"].number == 1


def test_names_of_variables_are_no_answers(tmp_path):
    """The rows of a table on the sheet are called query, key and value."""
    put(tmp_path, notebook(cell("query = key = value = output = attention = 1"), cell("def softmax(x, dim): return x")))
    assert load(tmp_path, courses.load(Path(__file__).parents[3])).sources["answers"] == Source()


def test_a_cell_is_lost_only_where_the_unit_has_others(tmp_path, toy_copy):
    """A notebook for one unit does not lack the cells of another."""
    text = (toy_copy / "course.yaml").read_text()
    more = "  - id: more\n    title: More\n    exercises:\n      - id: pair"
    (toy_copy / "course.yaml").write_text(
        text.replace("      - id: pair", more).replace("        after: [scale]\n", "")
    )
    put(tmp_path / "ann", notebook(cell("a", "scale-solution")))
    found = load(tmp_path / "ann", courses.load(toy_copy)).sources
    assert (found["scale"].text, found["pair"]) == ("a", Source())
    put(tmp_path / "bob", notebook(cell("a", "scale-solution")))
    assert "its mark was lost" in told(loaded(tmp_path / "bob"), "pair")
