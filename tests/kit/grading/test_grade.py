"""What a report says of a whole submission: what it lacked, what nothing read, how much students may see."""

from __future__ import annotations

import contextlib

import msgspec
import pytest
from scale_files import on_the_call, others_pass
from support import OPTIONS, check, exercise, solution

from grader.course import course as courses
from grader.intake import Source, Submission
from grader.report import Report
from grader.report.feedback import redact
from grader.texts import NOTHING, plain

WRONG = "def scale(x, factor=2.0):\n    print('seen')\n    return x + factor\n"


def graded(process, submission: Submission, seed: int = 1) -> Report:
    return Report.from_json(process.grade(submission, "", seed))


@pytest.fixture
def graded_in(fork_server, toy_copy):
    """`graded_in("title:", "feedback: verdict\\ntitle:", submission)` grades in the toy course after this change."""

    def run(old: str, new: str, submission: Submission) -> Report:
        text = (toy_copy / "course.yaml").read_text(encoding="utf-8")
        assert old in text
        (toy_copy / "course.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
        opened = fork_server.grading_process(courses.load(toy_copy), OPTIONS)
        with contextlib.closing(opened) as process:
            return graded(process, submission)

    return run


def test_a_submission_that_cannot_be_used_says_why(process):
    report = graded(process, Submission("ann", {}, plain("ann.zip is encrypted")))
    assert (report.status, report.reason, report.score) == ("rejected", plain("ann.zip is encrypted"), 0)
    assert report.max_score == 6
    assert [(e.status, e.max_score) for e in report.exercises] == [("rejected", 4), ("rejected", 2)]


def test_files_that_nothing_read_are_named(process):
    ignored = ("notes.txt", "old/scale.txt")
    report = graded(process, Submission("ann", {"scale": Source(solution("scale"))}, None, ignored))
    assert report.status == "graded"
    assert report.reason.to("en") == "ignored, since only the exercises' files are read: notes.txt, old/scale.txt"
    assert report.ignored == ignored


def test_where_the_work_was_found_is_said_unless_it_is_plain(process):
    found = {"scale": Source(solution("scale"), path="hw1/my_scale.py"), "pair": Source(solution("pair"))}
    assert [e.file for e in graded(process, Submission("ann", found)).exercises] == ["hw1/my_scale.py", ""]


def test_equal_files_are_judged_once_and_each_report_names_its_own(process):
    """A report is evidence in an appeal, and nobody may read in it what another student called a file."""
    code, cells = solution("scale"), ((1, "import torch"),)
    submissions = {
        "plain": Source(code), "named": Source(code, path="secret of ann/my_scale.py"), "plain again": Source(code),
        "book": Source(code, path="ann's notebook.ipynb", number=2),
        "other book": Source(code, path="bob.ipynb", number=2),
        "zip": Source(code, path="bob.zip/scale (1).py"),
    }  # fmt: skip
    reports = {}
    for student, source in submissions.items():
        given = process.grade(Submission(student, {"scale": source}, books=(cells,)), "a batch's", 1)
        reports[student] = Report.from_json(given).exercises[0]
    assert {student: report.file for student, report in reports.items()} == {
        "plain": "", "named": "secret of ann/my_scale.py", "plain again": "", "book": "ann's notebook.ipynb [2]",
        "other book": "bob.ipynb [2]", "zip": "bob.zip/scale (1).py",
    }  # fmt: skip
    assert {report.score for report in reports.values()} == {4.0}
    assert reports["plain"].checks == reports["named"].checks == reports["zip"].checks, "judged once"


@pytest.mark.slow
def test_a_learner_does_not_wait_for_every_check_of_a_file_that_hangs(fork_server, toy_copy):
    """The first one names the line; the others fail with few words, or pass where they do not hang."""
    settings = (toy_copy / "course.yaml").read_text(encoding="utf-8")
    (toy_copy / "course.yaml").write_text(settings.replace("call_seconds: 1", "call_seconds: 1.2"), encoding="utf-8")
    hurried = msgspec.structs.replace(OPTIONS, hurried=True)
    hangs = "def pair(x):\n    while True: pass\n"
    sources = {
        "scale": Source(on_the_call("while True: pass", "factor == -1.5 and x.dtype.itemsize == 8")),
        "pair": Source(hangs),
    }
    with contextlib.closing(fork_server.grading_process(courses.load(toy_copy), hurried)) as process:
        scale, pair = graded(process, Submission("ann", sources)).exercises
    stopped = "took longer than 1.2 s and was stopped, in the loop on line 5, `while True: pass`"
    assert [c.reason.to("en") for c in scale.checks if c.verdict == "timeout"] == [stopped]
    assert others_pass(scale)
    assert [c.reason.to("en") for c in pair.checks] == [
        stopped.replace("line 5", "line 2"),
        *["not waited for, because an earlier call took too long"] * (len(pair.checks) - 1),
    ]
    assert "took longer than 1.2 s" in pair.reason.to("en")


def test_a_refused_file_costs_its_exercise_only(process):
    sources = {"scale": Source(refused=plain("scale.py is a symbolic link")), "pair": Source(solution("pair"))}
    report = graded(process, Submission("ann", sources))
    assert [(e.status, e.reason, e.score) for e in report.exercises] == [
        ("rejected", plain("scale.py is a symbolic link"), 0.0), ("passed", None, 2.0),
    ]  # fmt: skip
    assert (report.status, report.score, report.max_score) == ("graded", 2, 6)


def test_only_what_is_asked_for_is_graded(process):
    sources = {i: Source(solution(i)) for i in ("scale", "pair")}
    report = Report.from_json(process.grade(Submission("ann", sources), "", 1, ["pair"]))
    assert [e.id for e in report.exercises] == ["pair"]
    assert (report.score, report.max_score) == (2, 2)


def test_one_grading_is_read_in_every_language(process):
    found = exercise(graded(process, Submission("ann", {"scale": Source(WRONG)})), "scale")
    message = found.diagnoses[0].message
    assert message.to("en") == "The factor is added instead of multiplied."
    assert message.to("zh").startswith("加上了因子")
    assert found.reason.to("en").startswith("scale(x [3] float32): the result is off by up to ")
    assert "最多相差" in found.reason.to("zh")


def test_an_exam_tells_points_and_no_more(process):
    report = graded(process, Submission("ann", {"scale": Source(WRONG)}))
    whole, found = (exercise(each, "scale") for each in (report, redact(report, "verdict")))
    assert 0 < found.score == whole.score < 4
    assert [c.verdict for c in found.checks].count("failed") >= 2
    assert (found.status, found.reason, found.stdout, found.diagnoses) == ("failed", None, "", ())
    assert {(c.reason, c.values, c.picture) for c in found.checks} == {(NOTHING, NOTHING, None)}
    assert whole.diagnoses, "the level is chosen where it is read"
    assert whole.stdout


def test_an_exam_still_says_why_a_file_could_not_be_checked(process):
    report = redact(graded(process, Submission("ann", {"scale": Source("def scale(:\n")})), "verdict")
    reasons = [c.reason for c in exercise(report, "scale").checks]
    assert reasons == [exercise(report, "scale").reason] * 6
    assert reasons[0].to("en").startswith("SyntaxError in scale.py, line 1, column ")
    assert exercise(report, "pair").reason.to("en") == "pair.py is missing"


def test_full_feedback_shows_values_and_hints_do_not(process):
    report = graded(process, Submission("ann", {"scale": Source(WRONG)}))
    full, hints = (
        check(exercise(each, "scale"), "test_values") for each in (redact(report, "full"), redact(report, "hints"))
    )
    assert "input" in full.values.to("en")
    assert full.picture is not None
    assert full.reason.to("en").startswith(hints.reason.to("en").removesuffix(")") + "; at [")
    assert hints.reason.to("en").endswith(" of 3 entries)")
    assert (hints.values, hints.picture) == (NOTHING, None)


@pytest.mark.parametrize("level", ["hints", "verdict"])
def test_the_level_of_a_course_leaves_its_reports_whole(graded_in, process, level):
    submission = Submission("ann", {"scale": Source(WRONG)})
    reports = graded_in("title:", f"feedback: {level}\ntitle:", submission), graded(process, submission)
    found, whole = (exercise(report, "scale") for report in reports)
    assert (found.reason, found.diagnoses, found.stdout) == (whole.reason, whole.diagnoses, whole.stdout)
    told = [[(c.reason, c.values, c.picture) for c in each.checks] for each in (found, whole)]
    assert told[0] == told[1]


@pytest.mark.parametrize(("text", "score"), [(solution("scale"), 7), (WRONG, None)])
def test_checks_share_the_points_of_the_course_whatever_they_sum_to(graded_in, process, text, score):
    submission = Submission("ann", {"scale": Source(text)})
    before = exercise(graded(process, submission), "scale")
    found = exercise(graded_in("points: 4", "points: 7", submission), "scale")
    assert (found.max_score, sum(c.max_points for c in found.checks)) == (7, pytest.approx(7, abs=1e-9))
    for new, old in zip(found.checks, before.checks, strict=True):
        assert new.max_points == pytest.approx(old.max_points * 7 / 4, abs=1e-3)
        assert (new.verdict, new.reason) == (old.verdict, old.reason)
    assert found.score == score if score else 0 < found.score == pytest.approx(before.score * 7 / 4, abs=0.02)


def test_what_is_named_does_not_follow_the_seed(process):
    """The sign of a drawn number decides which of two wrong answers comes: both fail the same checks."""
    wrong = "def scale(x, factor=2.0):\n    return x + factor if x.flatten()[0] > 0 else x - factor\n"
    reports = [graded(process, Submission("ann", {"scale": Source(wrong)}), seed).exercises[0] for seed in range(1, 9)]
    assert len({(found.score, found.diagnoses, found.checks[0].verdict) for found in reports}) == 1
    assert len({found.checks[0].reason for found in reports}) > 1, "the verdicts come from other inputs"


def test_a_mistake_is_named_beside_a_check_that_hangs(process):
    wrong = on_the_call("while True: pass", "factor == 3.0").replace("x * factor", "x + factor")
    found = graded(process, Submission("ann", {"scale": Source(wrong)}), seed=2).exercises[0]
    assert check(found, "test_gradient").verdict == "timeout"
    assert [d.misconception for d in found.diagnoses] == ["scale/adds_instead"]
