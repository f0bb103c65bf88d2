"""A class of eighteen, five of them with damaged notebooks: nbgrader's own commands and the fast one, one gradebook."""

from __future__ import annotations

import csv
import dataclasses
import datetime
import functools
import html
import json
import re
import shutil
import sys
from pathlib import Path

import classroom
import pytest
from classroom import CANARIES, UNIT, WRONG, content, filled, hand_in, mark, right, sqlite, without

from grader.report.report import Report

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]

MARKER = "ran_in_a_kernel"
HOSTILE = (
    'def scale(x, factor=2.0):\n    raise ValueError("<script>alert(1)</script> $$x$$ `**" + "\\x1b[31m\\u202e")\n'
)
PICTURE = {
    "a.svg": {"image/svg+xml": "PHN2Zz4="},
    "b.png": {"image/png": 'x" onerror="alert(5)'},
    "c.png": {"image/png": "iVBO"},
}
MARKUP = "<script>alert(2)</script> <img src=x onerror=alert(3)> a<b $a<b$ ![](attachment:c.png)"
DAMAGED = ("d1", "d2", "d3", "d4", "d5")


@dataclasses.dataclass(frozen=True)
class Class:
    """A course folder in which everything is graded, and what the kit reported about it."""

    course: Path
    results: Path | None = None

    def score(self, student: str, cell: str) -> float | None:
        return content(sqlite(self.course))[student, cell][0]

    def comment(self, student: str, cell: str) -> str:
        return content(sqlite(self.course))[student, cell, "comment"][0]


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """The course after collecting: eighteen submissions, nothing graded, one of them late."""
    course = tmp_path_factory.mktemp("class") / "course"
    classroom.course(tmp_path_factory, course)
    with open(course / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    with classroom.gradebook(sqlite(course)) as book:
        book.update_or_create_assignment(UNIT, duedate=datetime.datetime(2026, 3, 1, 18))
    for student, notebook in students(course).items():
        hand_in(course, student, notebook)
    hand_in(course, "late", filled(course, **right()), when="2026-03-02 12:00:00 UTC")
    return course


def students(course: Path) -> dict[str, classroom.Notebook | str]:
    """17 notebooks; those of DAMAGED are damaged, each in its own way."""
    found: dict[str, classroom.Notebook | str] = {f"right{n}": filled(course, **right()) for n in range(4)}
    found |= {f"wrong{n}": filled(course, **{**right(), "scale": WRONG}) for n in range(2)}
    found |= {f"some{n}": filled(course, pair=right()["pair"], essay=f"Essay {n}.") for n in range(3)}
    found |= {f"none{n}": filled(course) for n in range(2)}
    found["hostile"] = filled(course, **{**right(), "scale": HOSTILE})
    written = {"cell_type": "markdown", "metadata": {}, "source": MARKUP, "attachments": PICTURE}
    raw = {"cell_type": "raw", "metadata": {"raw_mimetype": "text/html"}, "source": "<script>alert(4)</script>"}
    found["hostile"]["cells"][:0] = [written, raw]
    for notebook in (n for name, n in found.items() if name.startswith("wrong")):
        runs = f"open({str(course.parent / MARKER)!r}, 'w').close()"
        notebook["cells"].insert(
            1, {"cell_type": "code", "metadata": {}, "source": runs, "outputs": [], "execution_count": None}
        )

    found["d1"] = '{"cells": ['
    found["d2"] = filled(course, **right())
    without("scale-solution", "pair", "quiz-essay")(found["d2"])
    found["d3"] = filled(course, **right())
    twin = next(c for c in found["d3"]["cells"] if mark(c) == "scale-solution")
    found["d3"]["cells"].insert(0, {**twin, "source": WRONG, "id": "another"})
    found["d4"] = filled(course, **{**right(), "scale": "scale <- function(x) x * 2", "pair": "pair <- function(x) x"})
    found["d4"]["metadata"]["kernelspec"] = {"name": "ir", "language": "R", "display_name": "R"}
    found["d5"] = filled(course, **right())
    for cell in found["d5"]["cells"]:
        if mark(cell) == "scale-solution":
            cell["metadata"]["nbgrader"]["grade_id"] = "my-scale"
        elif mark(cell) == "pair":
            cell["metadata"]["nbgrader"] = {"schema_version": 1, "grade": True, "grade_id": "pair"}
    return found


@pytest.fixture(scope="module")
def kit(collected, tmp_path_factory):
    return classroom.course(tmp_path_factory, tmp_path_factory.mktemp("kit") / "course")


@pytest.fixture(scope="module")
def slow(collected):
    """Graded by `nbgrader autograde`."""
    course = Path(shutil.copytree(collected, collected.parent / "slow"))
    classroom.nbgrader("autograde", UNIT, cwd=course)
    return Class(course)


@pytest.fixture(scope="module")
def fast(collected, kit):
    """Graded by `grader grade --nbgrader`."""
    course = Path(shutil.copytree(collected, collected.parent / "fast"))
    graded(classroom.grader, course, kit, "--add-students")
    return Class(course, course / "results")


def graded(grader, course: Path, kit: Path, *options: object, code: int = 1):
    """1: the class holds notebooks of which nothing can be used, so somebody should look."""
    where = ("--nbgrader", course, "--assignment", UNIT, "--out", course / "results", "--course", kit)
    return grader("grade", course / "submitted", *where, *options, cwd=course, code=code)


@pytest.fixture
def grade(grader):
    """`grade(course, kit, ...)` without the start of a process."""
    return functools.partial(graded, grader)


@pytest.fixture
def copy(fast, tmp_path):
    """The graded course, to be changed."""
    return Class(Path(shutil.copytree(fast.course, tmp_path / "course")), tmp_path / "course" / "results")


def test_both_lanes_give_the_same_gradebook(slow, fast):
    assert len({student for student, *_ in content(sqlite(fast.course))}) == 18
    assert content(sqlite(slow.course)) == content(sqlite(fast.course))


def test_both_lanes_leave_the_same_notebooks(slow, fast):
    for student in ("right0", "wrong0", "hostile", *DAMAGED):
        path = f"autograded/{student}/{UNIT}/{UNIT}.ipynb"
        one, other = (json.loads((c.course / path).read_text(encoding="utf-8")) for c in (slow, fast))
        assert one == other
        assert (fast.course / path).parent.joinpath("timestamp.txt").read_text() == "2026-03-01 12:00:00 UTC"


def test_the_gradebook_has_the_points_of_the_reports(fast):
    found = content(sqlite(fast.course))
    for path in (fast.results / "reports").glob("*.json"):
        report = Report.from_json(path.read_text(encoding="utf-8"))
        assert {e.id: e.score for e in report.exercises} == {
            e.id: found[report.student, e.id][0] for e in report.exercises
        }
        assert report.score == found[report.student, "total"][0]
    assert fast.score("right0", "scale") == 4
    assert fast.score("wrong0", "scale") == 1.9
    assert fast.score("none0", "pair") == 0


def test_the_comment_tells_why(fast):
    assert fast.comment("right0", "scale-solution") == "4 of 4 points. All checks passed."
    said = fast.comment("wrong0", "scale-solution")
    assert said.startswith("1.9 of 4 points. 3 of 6 checks failed.\n\n    ")
    assert "\n    → The factor is added instead of multiplied." in said
    assert fast.comment("none0", "scale-solution") == "0 of 4 points. Not started."
    assert fast.comment("none0", "answers-solution") == "quiz: 0 of 1 points. Not started."


REASONS = {
    "d1": "basics.ipynb is not a notebook: it breaks off in line 1, so it was not saved or sent completely",
    "d2": "basics.ipynb has no cell scale-solution: it was deleted, or its mark was lost; put your work",
    "d3": "All checks passed. The cell scale-solution is in the notebook 2 times; the last one was graded.",
    "d4": "basics.ipynb belongs to a kernel for R; it must be a Python notebook",
    "d5": "All checks passed.",
}


@pytest.mark.parametrize("student", DAMAGED)
def test_who_handed_in_a_damaged_notebook_reads_why(fast, student):
    assert REASONS[student] in fast.comment(student, "scale-solution")


def test_what_is_whole_in_a_damaged_notebook_counts(fast):
    scores = {s: [fast.score(s, e) for e in ("scale", "pair", "quiz", "quiz-essay")] for s in DAMAGED}
    assert scores == {
        "d1": [0, 0, 0, 0], "d2": [0, 2, 1, 0], "d3": [4, 2, 1, None], "d4": [0, 0, 0, None], "d5": [4, 2, 1, None],
    }  # fmt: skip


def test_no_kernel_runs_anything(slow, fast):
    assert not (slow.course.parent / MARKER).exists()


def test_written_answers_wait_for_a_person(fast):
    found = content(sqlite(fast.course))
    assert found["right0", "quiz-essay"] == (None, None, None, True)
    assert found["right0", "quiz-essay", "comment"] == (None, None)
    assert found["none0", "quiz-essay"] == (0, None, None, False)
    assert found["none0", "quiz-essay", "comment"] == ("No response.", None)


def test_rubrics_stay_out_of_what_students_get_back(slow, fast):
    for graded in (slow, fast):
        assert "says why" not in str(content(sqlite(graded.course)))
        assert not [p for p in (graded.course / "autograded").rglob("*.ipynb") if "says why" in p.read_text("utf-8")]


def test_late_penalties_are_nbgraders(fast):
    assert content(sqlite(fast.course))["late", "total"] == (7.0, 7.0, "2026-03-02 12:00:00")
    assert content(sqlite(fast.course))["right0", "total"][1] is None


def by_hand(course: Path, student: str, cell: str, points: float, said: str) -> None:
    """What formgrader does when a person gives points."""
    with classroom.gradebook(sqlite(course)) as book:
        grade = book.find_grade(cell, UNIT, UNIT, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        book.find_comment(
            "quiz-essay" if cell == "quiz-essay" else f"{cell}-solution", UNIT, UNIT, student
        ).manual_comment = said
        book.db.commit()


@pytest.mark.parametrize("lane", ["slow", "fast"])
def test_what_a_person_gave_stays(copy, kit, grade, lane):
    by_hand(copy.course, "right0", "quiz-essay", 2.5, "Well said.")
    by_hand(copy.course, "wrong0", "scale", 3.0, "Almost.")
    if lane == "fast":
        before = content(sqlite(copy.course))
        grade(copy.course, kit)
        assert content(sqlite(copy.course)) == before, "nothing changed, so nobody has to look again"
        grade(copy.course, kit, "--regrade", "--seed", "5")
    else:
        for student in ("right0", "wrong0"):
            classroom.nbgrader("autograde", UNIT, "--force", "--student", student, cwd=copy.course)
    found = content(sqlite(copy.course))
    assert found["right0", "quiz-essay"][:2] == (None, 2.5)
    assert found["right0", "quiz-essay", "comment"][1] == "Well said."
    assert found["wrong0", "scale"][:2] == (1.9, 3.0)
    assert found["wrong0", "scale-solution", "comment"][1] == "Almost."
    assert found["wrong0", "total"][0] == 3 + 2 + 1


def test_a_new_hand_in_is_looked_at_again(copy, kit, grade):
    by_hand(copy.course, "right0", "quiz-essay", 2.5, "Well said.")
    shutil.rmtree(copy.course / "submitted" / "right0")
    hand_in(copy.course, "right0", filled(copy.course, **{**right(), "essay": "On second thoughts."}))
    grade(copy.course, kit)
    found = content(sqlite(copy.course))
    assert found["right0", "quiz-essay"] == (None, 2.5, None, True)
    assert found["right1", "quiz-essay"] == (None, None, None, True)


def test_a_student_who_is_not_in_the_gradebook_is_refused(copy, kit, grade):
    hand_in(copy.course, "zed", filled(copy.course, **right()))
    done = grade(copy.course, kit, code=2)
    assert (
        "not in the gradebook: zed is not in the gradebook: `nbgrader db student add`, or --add-students" in done.stderr
    )
    assert ("zed", "total") not in content(sqlite(copy.course))
    assert (copy.results / "reports" / "zed.json").exists()
    grade(copy.course, kit, "--add-students")
    assert content(sqlite(copy.course))["zed", "total"][0] == 7


def test_a_date_that_is_none_concerns_one_student(copy, kit, grade):
    hand_in(copy.course, "zed", filled(copy.course, **right()), when="soon")
    done = grade(copy.course, kit, "--add-students", code=2)
    assert "zed: timestamp.txt is not a date, so nothing was stored; fix or remove it" in done.stderr


def test_a_hand_in_without_the_notebook_says_so(copy, kit, grade):
    folder = copy.course / "submitted" / "zed" / UNIT
    folder.mkdir(parents=True)
    for name in ("basics final.ipynb", "basics (1).ipynb", "basics-Copy1.ipynb"):  # two copies: nothing is guessed
        (folder / name).write_text(json.dumps(filled(copy.course, **right())))
    for name in ("work.zip", ".DS_Store", "timestamp.txt"):
        (folder / name).touch()
    grade(copy.course, kit, "--add-students")
    assert "basics.ipynb is missing" in copy.comment("zed", "scale-solution")
    report = Report.from_json((copy.results / "reports" / "zed.json").read_text(encoding="utf-8"))
    ignored = "basics (1).ipynb, basics final.ipynb, basics-Copy1.ipynb, work.zip"
    said = f"basics.ipynb is missing; ignored, since only the exercises' files are read: {ignored}"
    assert report.reason is not None
    assert (report.status, report.reason.to("en")) == ("rejected", said)
    (folder / "basics (1).ipynb").unlink()
    grade(copy.course, kit)
    assert copy.score("zed", "scale") == 4, "the one copy counts"


@pytest.fixture(scope="module")
def feedback(slow):
    """The pages that students get, and the instructor's table."""
    classroom.nbgrader("generate_feedback", UNIT, "--quiet", cwd=slow.course)
    classroom.nbgrader("export", "--to", slow.course / "grades.csv", cwd=slow.course)
    return {p.parts[-3]: p.read_text(encoding="utf-8") for p in slow.course.glob("feedback/*/*/*.html")}


def test_feedback_shows_score_and_reasons(feedback):
    assert len(feedback) == 18
    page = html.unescape(re.sub(r"<[^>]+>", "", feedback["wrong0"]))
    assert "basics (Score: 4.9 / 10.0)" in page
    assert "Comments: 1.9 of 4 points. 3 of 6 checks failed." in page
    assert "The factor is added instead of multiplied." in page
    assert "✘ 0.4 / 2  Every entry is multiplied by the factor.  [cpu-float32, cpu-float64]" in page
    assert "This submission could not be read:" in feedback["d1"]
    assert "The cell scale-solution was missing here" in re.sub(r"<[^>]+>", "", feedback["d2"])


def test_feedback_gives_nothing_away(feedback):
    for student, page in feedback.items():
        shown = (
            page if student in ("some0", "none0", *DAMAGED[:1]) else page.replace(CANARIES[3], "")
        )  # their own answer
        assert not [canary for canary in CANARIES if canary in shown], student
        assert "golden" not in page
        assert "test_values" not in page


def test_what_a_students_program_says_is_no_markup(feedback):
    assert "<script>alert" not in feedback["hostile"]
    assert not re.search(r"<[^>]*onerror", feedback["hostile"])
    assert "< img src=x onerror=alert(3)> a< b" in html.unescape(feedback["hostile"])
    assert "data:image/png;base64,iVBO" in feedback["hostile"]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in feedback["hostile"]
    assert "\x1b" not in feedback["hostile"]
    assert "\u202e" not in feedback["hostile"]


def test_the_exported_totals_are_the_reports(slow, fast, feedback):
    with open(slow.course / "grades.csv", encoding="utf-8", newline="") as file:
        exported = {row["student_id"]: float(row["raw_score"]) for row in csv.DictReader(file)}
    with open(fast.results / "summary.csv", encoding="utf-8", newline="") as file:
        assert exported == {row["student"]: float(row["score"]) for row in csv.DictReader(file)}


def test_an_assignment_of_two_notebooks(kit, grade, tmp_path_factory, tmp_path):
    """As an instructor may split it; one student hands in only the first."""
    course = tmp_path / "course"
    classroom.course(tmp_path_factory, course)
    source = course / "source" / UNIT
    whole = json.loads((source / f"{UNIT}.ipynb").read_text(encoding="utf-8"))
    (source / f"{UNIT}.ipynb").unlink()
    parts = {
        "one": ("scale-solution", "scale"),
        "two": ("pair-solution", "pair", "quiz-essay", "answers-solution", "quiz"),
    }
    for name, ids in parts.items():
        cells = [cell for cell in whole["cells"] if mark(cell) in ids]
        (source / f"{name}.ipynb").write_text(json.dumps({**whole, "cells": cells}), encoding="utf-8")
    classroom.nbgrader("generate_assignment", UNIT, "--force", cwd=course)
    for student, names in (("ann", ("one", "two")), ("bob", ("one",))):
        folder = course / "submitted" / student / UNIT
        folder.mkdir(parents=True)
        for name in names:
            text = (course / "release" / UNIT / f"{name}.ipynb").read_text(encoding="utf-8")
            done = json.loads(text)
            for cell in done["cells"]:
                if (id := mark(cell).removesuffix("-solution")) != mark(cell) or id == "quiz-essay":
                    cell["source"] = right()[id.removeprefix("quiz-")]
            (folder / f"{name}.ipynb").write_text(json.dumps(done), encoding="utf-8")
    grade(course, kit, "--add-students", code=0)
    fast = content(sqlite(course))
    assert [fast[student, id][0] for student in ("ann", "bob") for id in ("scale", "pair", "quiz", "quiz-essay")] == [
        4, 2, 1, None, 4, 0, 0, 0,
    ]  # fmt: skip
    assert "two.ipynb is missing" in fast["bob", "pair-solution", "comment"][0]
    classroom.nbgrader("autograde", UNIT, "--force", cwd=course)
    slow = content(sqlite(course))
    assert {k: v[0] for k, v in slow.items() if k[-1] != "comment"} == {
        k: v[0] for k, v in fast.items() if k[-1] != "comment"
    }


SHOWING = "def scale(x, factor=2.0):\n    print('SEEN', x)\n    return x + factor\n"
TOLD = {
    ("full", "en"): (
        ["1.9 of 4 points. 3 of 6 checks failed.", "→ The factor is added", "the result is off by"],
        ["得分"],
    ),
    ("hints", "zh"): (["6 项检查中有 3 项未通过", "→ 加上了因子"], ["SEEN", "tensor(", "The factor is added"]),
    ("verdict", "en"): (
        ["1.9 of 4 points. 3 of 6 checks failed."],
        ["SEEN", "is added", "is off by", "tensor(", "[3]"],
    ),
}


@pytest.mark.parametrize(("level", "lang"), TOLD)
def test_students_read_what_the_level_of_feedback_allows_in_the_notebooks_language(
    kit, grade, tmp_path_factory, tmp_path, level, lang
):
    own, course = Path(shutil.copytree(kit, tmp_path / "toy")), tmp_path / "course"
    classroom.course(tmp_path_factory, course)
    with open(own / "course.yaml", "a", encoding="utf-8") as file:
        file.write(f"feedback: {level}\n")
    with open(course / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write(f"c.BehindTheWall.course = {str(own)!r}\nc.BehindTheWall.lang = {lang!r}\n")
    hand_in(course, "ann", filled(course, **{**right(), "scale": SHOWING}))
    grade(course, own, "--add-students", code=0)
    path = course / "autograded" / "ann" / UNIT / f"{UNIT}.ipynb"
    lanes = [(content(sqlite(course)), json.loads(path.read_text(encoding="utf-8")))]
    classroom.nbgrader("autograde", UNIT, "--force", cwd=course)
    lanes.append((content(sqlite(course)), json.loads(path.read_text(encoding="utf-8"))))
    assert [gradebook["ann", "scale"][0] for gradebook, _ in lanes] == [1.9, 1.9]
    for gradebook, notebook in lanes:
        below = next("".join(cell["outputs"][0]["text"]) for cell in notebook["cells"] if mark(cell) == "scale")
        said = f"{gradebook['ann', 'scale-solution', 'comment'][0]}\n{below}"
        allowed, hidden = TOLD[level, lang]
        assert [part for part in allowed if part not in said] == []
        assert [part for part in hidden if part in said] == []
        assert ("SEEN" in said) == (level == "full")
