"""A mistake that is none of the known ones is said to be so, with what can be seen of it."""

# ruff: noqa: E501 -- a table with one mistake a line

from __future__ import annotations

import functools
import math
from pathlib import Path

import pytest
import torch
from toy_suites import HEAD, course

from grader.course import course as courses
from grader.diagnosis import diagnose, unrecognised
from grader.suites.local import LocalTarget
from grader.suites.runner import Suites
from grader.texts import Text

COURSE = courses.load(Path(__file__).resolve().parents[3])


@functools.cache
def suites_of(exercise: str) -> Suites:
    """The suite of an exercise, for all tests, so that what a known mistake answers is computed once."""
    return Suites({exercise: COURSE.suite(exercise)}, {exercise: COURSE.solution(exercise)})


def seen(exercise: str, **functions: object) -> Text:
    suites = suites_of(exercise)
    suite = suites[exercise]
    target = LocalTarget({**suite.reference, **functions})
    results = list(suites.run(exercise, target, 3))
    told = {check for found in diagnose(exercise, suite, results, target.call) for check in found.checks}
    shown = min((r for r in results if r.verdict not in ("passed", "skipped")), key=lambda r: r.salience)
    assert shown.id not in told
    return unrecognised(shown.reason, [r for r in results if r.id not in told], suite, shown.last)


def attend(q, k, v, mask=None, scores=lambda s: s * 0.33, weights=lambda w: w):
    s = scores(q @ k.transpose(-2, -1))
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf)
    w = weights(s.softmax(-1))
    return w @ v, w


def chequered(q_len, kv_len=None, device=None):
    i, j = (torch.arange(n, device=device) for n in (q_len, kv_len or q_len))
    return (i[:, None] + j) % 2 == 0


def fast(head_dim, max_len, theta=1e4, device=None):
    steps = theta ** (-3 * torch.arange(head_dim // 2, device=device) / head_dim)
    angles = torch.arange(max_len, device=device)[:, None] * torch.cat([steps, steps])
    return angles.cos(), angles.sin()


MISTAKES = {
    "a power": ("softmax", {"softmax": lambda x, dim=-1: x.softmax(dim) ** 1.3}, "the sums along dim -1 are 0.6"),
    "a sigmoid": ("softmax", {"softmax": lambda x, dim=-1: x.sigmoid() - 0.7}, ", not 1"),
    "another scale": ("attention", {"scaled_dot_product_attention": attend}, "q k^T times 0.33; expected 0.5774"),
    "another score": ("attention", {"scaled_dot_product_attention": lambda *a, **k: attend(*a, **k, scores=torch.sin)}, "not those of q k^T"),
    "lost weight": ("attention", {"scaled_dot_product_attention": lambda *a, **k: attend(*a, **k, weights=lambda w: w * 0.7)}, "sum to 0.7, not to 1"),
    "a pattern": ("causal_mask", {"causal_mask": chequered}, "the queries see [2, 1, 2] keys; expected [1, 2, 3]"),
    "a flip": ("heads", {"split_heads": lambda x, h: x.reshape(*x.shape[:2], h, -1).transpose(1, 2).flip(2)}, "entry [0, 0, 0, 0] holds x[0, 4, 0]; expected x[0, 0, 0]"),
    "a sum": ("heads", {"merge_heads": lambda x: x.transpose(1, 2).flatten(2) + 1000}, "holds nothing of x"),
    "a roll of heads": ("gqa", {"repeat_kv": lambda x, n: x.repeat_interleave(n, 1).roll(1, 1)}, "the heads of the result are h2, h0, h0, h1, h1, h2; expected h0, h0, h1, h1, h2, h2"),
    "a roll of channels": ("rope", {"rotate_half": lambda x: x.roll(1, -1)}, "the channels are"),
    "longer vectors": ("rope", {"apply_rotary_pos_emb": lambda q, k, cos, sin: ((q * cos * 1.1 + sin).to(q), k * 1)}, "a rotation keeps them"),
    "faster channels": ("rope", {"rope_cos_sin": fast}, "the channels turn by 1, 0.001, 1, 0.001; expected 1, 0.01, 1, 0.01"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_no_kind(mistake):
    exercise, functions, fact = MISTAKES[mistake]
    said = seen(exercise, **functions)
    assert "It is none of the known mistakes" in said.to("en")
    assert "这不是已知的错误之一" in said.to("zh")
    assert fact in said.to("en")


def test_facts_are_of_the_call_that_is_quoted():
    """The largest of the wrong ones here: in the first check a wide mask is quoted, and a small one is wrong too."""
    said = seen("causal_mask", causal_mask=lambda q_len, kv_len=None, device=None: chequered(q_len, kv_len).flip(0))
    assert said.to("en").startswith("causal_mask(q_len=3): the result is off")
    assert "known mistakes; what can be seen: 3 of 9 cells differ" in said.to("en")


def test_an_exception_says_enough():
    """Also where another call, of a smaller input, gives a wrong result."""

    def f(weights, values):
        return values.sum(0) if weights.dtype is torch.float16 else [][0]

    assert "known mistakes" not in seen("soft_lookup", soft_lookup=f).to("en")


def test_what_a_student_chooses_is_compared_with_no_known_mistake():
    """The reason says what is wrong with it; another choice would be right."""
    w, v = torch.tensor([0.5, 0.5, 0.25]), torch.tensor([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    said = seen("counterexample", counterexample=lambda: (w, v))
    assert said.to("en") == "the sum of weights is 1.25, not 1"


def test_facts_of_scores_hold_whatever_constant_is_added_and_for_equal_weights():
    """Right rows are in the failed check too, and none of them is said to be wrong."""

    def f(w):
        return (w.log() + 3).where(w > 0, 0.5)

    said = seen("softmax_inverse", softmax_inverse=f).to("en")
    assert said.endswith("what can be seen: a weight of 0 has a finite score.")


@pytest.mark.slow
def test_odd_values_do_no_harm():
    """What a student returns is theirs to choose; facts are told of what can be computed with only."""
    for odd in (math.nan, math.inf, 0.0, 1e300):
        assert seen("softmax", softmax=lambda x, dim=-1, odd=odd: torch.full_like(x, odd)).to("en")
        assert seen("heads", merge_heads=lambda x, odd=odd: torch.full_like(x.transpose(1, 2).flatten(2), odd)).to("en")


def test_a_function_that_only_raises_has_nothing_to_show():
    def refuse(x, dim=-1):
        raise KeyError("no")

    assert "known mistakes" not in seen("softmax", softmax=refuse).to("en")


MANY = (
    HEAD
    + """
from grader.suites import Text, facts, misconceptions

@points(1)
def test_values(matches_reference, make):
    matches_reference.f(make.normal(30))

@facts("f")
def seen(y, x):
    wrong = (y != x).nonzero().flatten().tolist()
    yield Text("{wrong} are wrong").format(wrong=wrong)
    yield Text("{first} are the first").format(first=wrong[:9])
"""
)


def test_a_long_list_of_places_is_told_by_its_ends(tmp_path):
    suites = course(tmp_path, MANY)
    (tmp_path / "hidden" / "f.yaml").write_text("", encoding="utf-8")
    results = list(suites.run("f", LocalTarget({"f": lambda x: x + 1}), 1))
    said = unrecognised(results[0].reason, results, suites["f"], results[0].last)
    assert "[0, 1, 2, 3, 4, ..., 29] are wrong; [0, 1, 2, 3, 4, 5, 6, 7, 8] are the first." in said.to("en")
    assert "可以看出：[0, 1, 2, 3, 4, ..., 29]" in said.to("zh")


PLAIN = {
    "the same everywhere": (lambda x: x * 0 + 7, "the result is 7 in every entry"),
    "a factor": (lambda x: x * 3, "the result is 3 times the right one"),
    "a shift": (lambda x: x + 4, "the result is off by the same number in every entry, 4"),
    "another order": (lambda x: x.flip(0), "the result has the right numbers, in other places"),
    "one row": (lambda x: torch.cat([x[:1], x[1:] ** 3]), "is right in 1 of 3 rows; the first wrong one is row 1"),
    "anything else": (lambda x: x**3, "the result lies between "),
}


@pytest.mark.parametrize("way", PLAIN)
def test_something_is_seen_of_any_wrong_result(tmp_path, way):
    text = "\n@points(1)\ndef test_a(matches_reference, make):\n    matches_reference.f(make.normal(3, 4))\n"
    suites = course(tmp_path, HEAD + text + "\nKNOWN = misconceptions('f', none=lambda x: x * 0)\n")
    (tmp_path / "hidden" / "f.yaml").write_text('none: "x"\n', encoding="utf-8")
    results = list(suites.run("f", LocalTarget({"f": PLAIN[way][0]}), 1))
    said = unrecognised(results[0].reason, results, suites["f"], results[0].last)
    assert "none of the known mistakes; what can be seen: " in said.to("en")
    assert PLAIN[way][1] in said.to("en")
    said = unrecognised(results[0].reason, results, suites["f"], results[0].last, others=True)
    assert "known" not in said.to("en")
    assert PLAIN[way][1] in said.to("en")
