"""Solutions of the course with one slip in them: what is said of each is true of it."""

# ruff: noqa: E501 -- a table with one slip a line

from __future__ import annotations

import functools
import sys
from pathlib import Path

import pytest

from grader.course import course as courses
from grader.intake.submission import Source, Submission
from grader.report.report import ExerciseReport, Report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only"),
]
COURSE = courses.load(Path(__file__).resolve().parents[3])
HIDDEN = "scores.masked_fill(~mask, -math.inf)"
TUPLE = "from torch import Tensor\n"
CLASS = "import dataclasses\nfrom typing import NamedTuple\nfrom torch import Tensor\n\n{head}\n    output: Tensor\n    weights: Tensor\n\n"

NAMED = {  # the exercise, what is replaced in its solution by what, and what is named
    "a mask times infinity": ("attention", HIDDEN, 'scores + (~mask) * float("-inf")', {"attention/additive_inf_times_zero_in_float32"}),
    "a mask times infinity beside a cache": ("kv_decode", "scores.masked_fill(~visible, -math.inf)", '(scores + (~visible) * float("-inf"))', {"kv_decode/additive_inf_times_zero"}),
    "RoPE that stays in float32": ("kv_decode", "dim=-1).to(x.dtype)", "dim=-1)", set()),
    "a fill that is nearly low enough": ("masked_softmax", "-math.inf", "-4900.0", {"masked_softmax/fill_above_the_lowest_zeroed"}),
    "float32 whatever comes": ("heads", "return x.transpose(1, 2)", "return x.transpose(1, 2).float()", {"heads/forces_float32"}),
    "cuda": ("attention", "    scores = q @", '    q = q.to("cuda")\n    scores = q @', {"general/needs_cuda"}),
    "cuda in the middle": ("kv_decode", "device=x.device) / Dh", 'device="cuda") / Dh', {"general/needs_cuda"}),
    "a cache along the heads": ("kv_decode", "torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)", "torch.cat([cache[0], k], dim=1), torch.cat([cache[1], v], dim=1)", {"kv_decode/joined_along_heads"}),
    "a past that is changed": ("chunked_prefill", "    if past is not None:\n", "    if past is not None:\n        past[0].mul_(1.0001)\n", {"general/changes_input"}),
    "too many names": ("heads", "B, T, D = x.shape", "B, H, T, D = x.shape", set()),
    "a dataclass": ("attention", "return output, weights", "return Both(output, weights)", None),
    "a named tuple": ("attention", "return output, weights", "return Pair(output, weights)", None),
    "an object": ("attention", "return output, weights", "return type('Both', (), {'output': output})()", set()),
    "tied layers": ("mha_module", "self.w_k = nn.Linear(d_model, d_model, bias=bias)", "self.w_k = self.w_q", set()),
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(course_process):
    @functools.cache
    def graded(exercise: str, source: str) -> ExerciseReport:
        report = Report.from_json(course_process.grade(Submission("s", {exercise: Source(source)}), "", 1, [exercise]))
        return report.exercises[0]

    return graded


def with_slip(exercise: str, old: str, new: str) -> str:
    source = (COURSE.root / "solutions" / f"{exercise}.py").read_text(encoding="utf-8")
    assert old in source
    classes = CLASS.format(head="@dataclasses.dataclass\nclass Both:") + CLASS.format(head="class Pair(NamedTuple):")
    return (
        source.replace(TUPLE, classes, 1).replace(old, new)
        if "Both(" in new or "Pair(" in new
        else source.replace(old, new)
    )


@pytest.mark.parametrize("slip", NAMED)
def test_what_is_named_is_what_was_done(graded, slip):
    exercise, old, new, named = NAMED[slip]
    report = graded(exercise, with_slip(exercise, old, new))
    if named is None:
        assert (report.status, report.diagnoses) == ("passed", ())
        return
    assert {d.misconception for d in report.diagnoses} == named
    assert report.status == "failed"
    assert report.reason
    assert not report.reason.to("en").endswith("none of the known mistakes.")


def test_values_that_do_not_fit_are_no_refusal(graded):
    report = graded("heads", with_slip("heads", "B, T, D = x.shape", "B, H, T, D = x.shape"))
    refusals = [c for c in report.checks if c.id.startswith("test_refuses")]
    assert refusals
    assert {c.verdict for c in refusals} == {"failed"}
    assert all("this ValueError is Python's own" in c.reason.to("en") for c in refusals)


def test_layers_that_share_a_weight_are_moved_with_it(graded):
    report = graded("mha_module", with_slip("mha_module", *NAMED["tied layers"][1:3]))
    (device,) = [c for c in report.checks if c.id.startswith("test_device")]
    assert "functional_call" not in device.reason.to("en")


def test_forward_mode_is_ordinary_torch(graded):
    """Torch compiles functions of its own when it is first used."""
    path = COURSE.root / "tests" / "kit" / "alternatives" / "first_token_gradient" / "forward_mode.py"
    report = graded("first_token_gradient", path.read_text(encoding="utf-8"))
    assert (report.status, report.reason) == ("passed", None)
