"""Other people's files, written from the statements alone: no wrong one gets full marks, every right one does.

Most wrong ones are told what is wrong. The date draws a few; `--whole` grades all, and the figures of the wrong ones
must be those of the page of judgement.
"""

from __future__ import annotations

import datetime
import random
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from grader.batch.grading_processes import GradingProcess
from grader.course import course as courses
from grader.intake import Source, Submission
from grader.report import ExerciseReport, Report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only"),
]

COURSE = courses.load(Path(__file__).resolve().parents[3])
FOLDER = COURSE.root / "tests" / "kit" / "wrong"
SECTION = re.compile(r"^# --- (\w+)\n", re.MULTILINE)
RIGHT = COURSE.root / "tests" / "kit" / "alternatives"
WALKS_OVER_ALL_PAIRS = ("packed_mask/products", "value_update/token_by_token")  # takes long where an input is long
FORBIDDEN = ("mha_module/torch_s_own",)
DRAWN_EXERCISES, DRAWN_FILES, DRAWN_RIGHT = 3, 8, 10
PAGE = re.compile(
    r"Of (?P<all>[\d,]+) wrong files.*?: (?P<passes>[\d,]+) get full marks, (?P<named>[\d,]+) are told\s+"
    r"the name of a mistake, (?P<located>[\d,]+) only the line where it goes wrong,\s+and (?P<neither>[\d,]+) neither",
    re.DOTALL,
)

OF_TWO = re.compile(r"Of (\d+) files with two slips, (\d+) are told\s+both by name and (\d+) at least one")


def wrong_files() -> dict[str, list[tuple[str, str]]]:
    """By exercise, the name and the text of each file."""
    files = {}
    for path in sorted(FOLDER.glob("*.py")):
        _, *parts = SECTION.split(path.read_text(encoding="utf-8"))
        files[path.stem] = list(zip(parts[::2], parts[1::2], strict=True))
    return files


def today() -> datetime.date:
    return datetime.datetime.now(datetime.timezone.utc).date()


def drawn() -> dict[str, list[tuple[str, str]]]:
    draw, files = random.Random(today().isoformat()), wrong_files()
    return {id: draw.sample(files[id], DRAWN_FILES) for id in draw.sample(sorted(files), DRAWN_EXERCISES)}


def graded(process: GradingProcess, exercise: str, name: str, text: str) -> ExerciseReport:
    submission = Submission(name, {COURSE.exercise(exercise).source: Source(text)})
    report = Report.from_json(process.grade(submission, "fingerprint", seed=1, only=[exercise]))
    (found,) = [e for e in report.exercises if e.id == exercise]
    return found


def told(found: ExerciseReport) -> str:
    if found.done or found.score == found.max_score:
        return "passes"
    if found.diagnoses:
        return "named"
    said = found.reason.to("en") if found.reason else ""
    return "located" if any(where in said for where in ("It goes wrong on line", "a step is missing")) else "neither"


def test_no_wrong_file_gets_full_marks(course_process, pytestconfig):
    files = wrong_files() if pytestconfig.getoption("whole") else drawn()
    each = [(id, name, text) for id, texts in files.items() for name, text in texts]
    reports = {(id, name): graded(course_process, id, name, text) for id, name, text in each}
    became = {which: (told(found), len(found.diagnoses)) for which, found in reports.items()}
    assert [which for which, (kind, _) in became.items() if kind == "passes"] == []
    if pytestconfig.getoption("whole"):
        page = PAGE.search((COURSE.root / "docs" / "judgement.md").read_text(encoding="utf-8"))
        assert page
        published = {what: int(number.replace(",", "")) for what, number in page.groupdict().items()}
        assert {"all": len(became), "passes": 0, **Counter(kind for kind, _ in became.values())} == published
        two = [names for (_, name), (_, names) in became.items() if name.startswith("two_slips")]
        counts = len(two), sum(names > 1 for names in two), sum(names > 0 for names in two)
        assert list(map(int, OF_TWO.search(page.string).groups())) == list(counts)


def test_every_right_file_gets_full_marks(course_process, pytestconfig):
    files = {f"{path.parent.name}/{path.stem}": path for path in sorted(RIGHT.glob("*/*.py"))}
    names = sorted({*files} - {*FORBIDDEN})
    if not pytestconfig.getoption("whole"):
        names = [*random.Random(today().isoformat()).sample(names, DRAWN_RIGHT), *WALKS_OVER_ALL_PAIRS]
    texts = {name: files[name].read_text(encoding="utf-8") for name in names}
    found = {name: graded(course_process, name.partition("/")[0], name, text) for name, text in texts.items()}
    assert {name: f.score for name, f in found.items() if f.score != f.max_score} == {}


@pytest.mark.parametrize(
    ("exercise", "name", "slips"),
    [
        ("attention", "two_slips_1", {"no_scale", "mask_inverted"}),
        ("attention", "two_slips_2", {"scale_d", "softmax_over_queries"}),
        ("attention", "two_slips_4", {"scale_mul_sqrt", "weights_detached"}),
        ("softmax", "two_slips_2", {"no_max_subtraction", "ignores_dim"}),
        ("kv_decode", "two_slips_6", {"no_causal_mask", "rope_reset"}),
        ("qkv_projection", "two_slips_4", {"keys_from_w_q", "forces_float32"}),
        ("attention_scores", "two_slips_2", {"mean_of_products", "softmax_applied"}),
        ("attention", "two_slips_3", {"scale_sqrt_kv_len", "mask_after_softmax"}),
        ("cross_attention", "two_slips_5", {"adds_causal_always", "scale_d"}),
        ("cross_attention", "two_slips_3", {"scale_d", "mask_multiplied"}),
        ("gqa", "two_slips_1", {"tile_repeat", "no_scale"}),
        ("multi_head_attention", "two_slips_1", {"scale_sqrt_dmodel", "merge_without_transpose"}),
        ("multi_head_attention", "two_slips_2", {"no_output_bias", "values_from_w_k"}),
        ("prenorm_attention_block", "two_slips_3", {"no_residual", "layer_norm"}),
        ("qkv_projection", "two_slips_1", {"transposed_weights", "order_q_v_k"}),
        ("qkv_projection", "two_slips_2", {"values_from_w_k", "queries_scaled"}),
        ("soft_lookup", "two_slips_1", {"mean_instead_of_sum", "normalised_again"}),
        ("rms_norm", "two_slips_1", {"eps_left_out", "sum_instead_of_mean"}),
    ],
)
def test_two_slips_that_meet_in_most_calls_are_both_named(exercise, name, slips, course_process):
    found = graded(course_process, exercise, name, dict(wrong_files()[exercise])[name])
    assert {d.misconception.partition("/")[2] for d in found.diagnoses} == slips
    assert found.score >= 0.1 * found.max_score


def test_a_mistake_that_changes_nothing_beside_another_is_not_named(course_process):
    """Outputs that are divided by the sum of their scores are the same whatever the scores are divided by."""
    found = graded(
        course_process,
        "linear_attention",
        "with_normaliser",
        dict(wrong_files()["linear_attention"])["with_normaliser"],
    )
    assert [d.misconception for d in found.diagnoses] == ["linear_attention/weights_normalised"]
