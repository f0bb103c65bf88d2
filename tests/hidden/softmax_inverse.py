"""Hidden suite for scores from weights.

Every answer is right up to a constant, so nothing is compared with the solution's values: laws about gaps decide. Not
in the bank, because right: dividing by the largest weight first, subtracting the largest score or the score of the
largest weight, any base's logarithm that is converted back.
"""

import itertools
import math

import torch

from grader.suites import Misconception, Text, dtypes, expect, expect_close, facts, laws, misconceptions, points

ROWS = ([0.6, 0.4], [0.25, 0.15, 0.6], [0.1, 0.05, 0.8, 0.05], [0.4, 0.3, 0.05, 0.05, 0.1, 0.1])
LETS_PASS = {
    "no_gradient": "the statement asks for no gradient",
    "input_scaled_in_bfloat16": "adds a constant to all scores, which is right",
    "wrong_at_size_1": "the only score of one weight is any number",
}


def distribution(make, n, scale=1.0):
    """n positive weights that sum to 1, but for rounding to the check's dtype; the largest is at most e^2 times any."""
    return make.tensor(make.normal(n).clamp(-1, 1).mul(scale).double().softmax(-1))


def with_a_small_one(make, n):
    """n positive weights that sum to 1, one of them 1/128."""
    return torch.cat([distribution(make, n - 1) * (127 / 128), make.tensor([1 / 128])])


def belong(scores, w):
    """Expect these scores to be right for w: gaps, zeros, and the way back through softmax."""
    dtype, seen = w.dtype, w > 0
    scores, w = scores.double(), w.double()
    expect(scores[~seen] == -math.inf, "the score of a weight of 0 is not -inf")
    expect(scores[seen].isfinite(), "the score of a weight above 0 is not finite")
    # A score is a logarithm (its rounding, that of w to float32 and of one division: |log w| / 2 + 1 epsilon) plus a
    # constant of that size, rounded again (|log w|); a gap has two scores.
    logs = (w[seen] / w.max()).log()
    epsilon = max(torch.finfo(dtype).eps, torch.finfo(torch.float32).eps)
    tolerance = epsilon * (4 * float(w[seen].log().abs().max()) + 8)
    said = "the gap between a score and that of the largest weight does not fit their weights"
    expect_close(scores[seen] - scores[w.argmax()], logs, tolerance, said)
    expect_close(scores.softmax(-1), w / w.sum(), tolerance, "softmax of the scores is not w")


@points(0.6)
def test_rows_from_texts(student, make):
    """For rows of weights as articles print them, the softmax of the scores gives the row back."""
    for row in ROWS:
        w = make.tensor(row)
        belong(student.softmax_inverse(w), w)


@points(1.6)
def test_gaps(student, make, dtype):
    """The gap between two scores is the logarithm of the ratio of their weights."""
    for n in (2, 3, 5, 8, 13, 24):
        w = with_a_small_one(make, n)
        belong(student.softmax_inverse(w), w)


@points(0.8)
def test_round_trip(student, make):
    """Scores that are turned into weights and back are the same up to a constant, even if they are far apart."""
    for n, gap in ((2, 1.0), (3, 2.0), (5, 2.0), (7, 2.7)):
        start = make.distinct(n) * gap
        w = make.tensor(start.double().softmax(-1))
        scores = student.softmax_inverse(w)
        gaps = start.double() - start.double()[w.argmax()]
        said = "the result is not the scores from which the weights were made"
        expect_close(scores.double() - scores.double()[w.argmax()], gaps, 1e-4, said)
        belong(scores, w)


@points(1)
@dtypes("float16", "float32", "float64")
def test_zero_weights(student, make, dtype):
    """A weight of 0 belongs to a score of -inf wherever it stands, and the others are as if it were not there."""
    for row in ([0.0, 1.0], [0.75, 0.25, 0.0], [0.0, 0.5, 0.25, 0.25], [0.0, 0.0, 0.125, 0.0, 0.875]):
        w = make.tensor(row)
        belong(student.softmax_inverse(w), w)


@points(0.8)
@dtypes("float32", "float64")
def test_tiny_weights(student, make, dtype):
    """A weight of 1e-12 is small but not 0: its score is low by just as much as the ratio says."""
    tiny = [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12]
    for row in ([1 - sum(tiny), *tiny], [1.0, 1e-12], [3e-7, 0.25, 0.75, 1e-9], [1e-30, 1.0, 1e-20]):
        w = make.tensor(row)
        belong(student.softmax_inverse(w), w)


@points(0.4)
def test_special_rows(student, make):
    """A single weight, equal weights, many weights and a weight of 1 beside zeros work too."""
    for row in ([1.0], [0.5, 0.5], [0.25] * 4, [1.0, 0.0, 0.0]):
        w = make.tensor(row)
        belong(student.softmax_inverse(w), w)
    for n in (300, 1030):
        w = distribution(make, n, scale=3.0)
        belong(student.softmax_inverse(w), w)


@points(0.2)
def test_memory_layout(student, make):
    """The layout of the weights in memory does not matter: a column of a matrix and an expanded tensor work as well."""
    for w in (torch.stack([make.tensor(ROWS[2])] * 3, 1)[:, 1], make.tensor([0.25]).expand(4)):
        belong(student.softmax_inverse(w), w)


@points(0.15)
def test_input_unchanged(student, does_not_mutate, make):
    """The input weights are not changed."""
    rows = (*ROWS[1:3], [1.0], [0.5, 0.0, 0.5])
    for row, dtype in itertools.product(rows, ("float16", "bfloat16", "float32", "float64")):
        w = make.of(dtype).tensor(row)
        does_not_mutate.softmax_inverse(w)
        does_not_mutate.softmax_inverse(laws.sliced(w))
        belong(student.softmax_inverse(w), w)
    does_not_mutate.softmax_inverse(make.tensor([1 / 520] * 520))


@points(0.3)
def test_device(stays_on_device, student, make):
    """Everything is computed on the device of the input."""
    rows = ([0.25, 0.25, 0.5], [0.5, 0.0, 0.5, 0.0], [1.0])
    for row, dtype in itertools.product(rows, ("float16", "bfloat16", "float32", "float64")):
        w = make.of(dtype).tensor(row)
        stays_on_device.softmax_inverse(w)
        belong(student.softmax_inverse(w), w)
    stays_on_device.softmax_inverse(make.tensor([1 / 520] * 520))


@points(0.1)
def test_remembers_nothing(student, make):
    """No state is kept: a call gives the same result whatever was called before, and earlier results stay."""
    rows = [make.tensor(row) for row in (ROWS[1], [0.5, 0.25, 0.25], ROWS[2], ROWS[1])]
    for scores, w in zip(student.turns.softmax_inverse(*((w,) for w in rows)), rows, strict=True):
        belong(scores, w)


@points(0.05)
def test_keywords(student, make):
    """The argument can be passed by its name."""
    w = make.tensor(ROWS[1])
    belong(student.by_keyword.softmax_inverse(w), w)


@facts("softmax_inverse")
def seen(scores, w):
    due = w.log()
    uneven = w[:, None] > w
    if bool(uneven.any()) and bool((scores[:, None] < scores)[uneven].all()):
        yield Text("the larger a weight, the lower its score")
    some = w > 0
    gaps, logs = scores[some] - scores[w.argmax()], due[some] - due[w.argmax()]
    slope = float((gaps * logs).sum() / logs.square().sum().clamp_min(1e-30))
    if bool(((gaps - slope * logs).abs() <= 1e-3 * (1 + logs.abs())).all()):
        if bool(logs.any()) and abs(slope - 1) > 1e-3:
            yield Text("every gap between scores is {slope:.4g} times what it should be").format(slope=slope)
    else:
        yield Text("the gaps between scores are not the logarithms of ratios")
    if bool(scores[~some].isfinite().any()):
        yield Text("a weight of 0 has a finite score")


KNOWN = misconceptions(
    "softmax_inverse",
    weights_themselves=lambda w: w.clone(),
    ratios=lambda w: w / w.max(),
    logit=lambda w: (w / (1 - w)).log(),
    base2=lambda w: w.log2(),
    base10=lambda w: w.log10(),
    base2_from_largest=lambda w: (w / w.max()).log2(),
    base10_from_largest=lambda w: (w / w.max()).log10(),
    negated=lambda w: -w.log(),
    log1p=lambda w: w.log1p(),
    exponential=lambda w: w.exp(),
    softmax_again=lambda w: w.softmax(-1),
    log_softmax=lambda w: w.log_softmax(-1),
    reciprocal=lambda w: 1 / w,
    square_root=lambda w: w.sqrt(),
    mean_centred=lambda w: w.log() - w.log().mean(),
    sum_subtracted=lambda w: w.log() - w.log().sum(),
    relative_to_first=lambda w: w.log() - w.log()[0],
    first_score_only=lambda w: torch.cat([w[:1].log(), torch.zeros_like(w[1:])]),
    relative_to_last=lambda w: w.log() - w.log()[-1],
    relative_to_smallest=lambda w: w.log() - w.log().min(),
    logs_normalised=lambda w: w.log() / w.log().sum(),
    zeros_left_out=lambda w: w[w > 0].log(),
    zero_gets_zero=lambda w: w.log().where(w > 0, 0.0),
    finite_instead_of_inf=lambda w: w.log().nan_to_num(neginf=torch.finfo(w.dtype).min),
    minus_a_billion=lambda w: w.log().masked_fill(w == 0, -1e9),
    smallest_number=lambda w: w.clamp(min=torch.finfo(w.dtype).tiny).log(),
    logs_cut=lambda w: w.log().clamp(min=-100),
    zero_not_handled=lambda w: torch.tensor([math.log(x) for x in w.tolist()], dtype=w.dtype),
    sorted=lambda w: w.log().sort(descending=True).values,
    squeezed=lambda w: w.log().squeeze(),
    forces_float32=lambda w: w.float().log(),
    inplace_log=lambda w: w.log_(),
    divides_in_place=lambda w: w.div_(w.max()).log(),
)
ADDED = Text(
    "A small number is added before the logarithm. A weight of 0 then gets a finite score, and weights of that size "
    "get scores that are too high. log 0 = -inf is exactly what is needed here."
)
CLAMPED = Text(
    "The weights are raised to a smallest allowed one before the logarithm. A weight of 0 then gets a finite score, "
    "and all weights below that number get the same. log 0 = -inf is exactly what is needed here."
)


def guarded(name, floor):
    """The two ways to guard against log 0 with a number that depends on the dtype."""
    added = {"softmax_inverse": lambda w: (w + floor(w.dtype)).log()}
    clamped = {"softmax_inverse": lambda w: w.clamp(min=floor(w.dtype)).log()}
    return [Misconception(f"added_{name}", added, ADDED), Misconception(f"clamped_{name}", clamped, CLAMPED)]


GUARDS = [
    *guarded("eps", lambda dtype: torch.finfo(dtype).eps),
    *(m for power in (6, 7, 8, 9, 10, 12) for m in guarded(f"1e_{power}", lambda dtype, power=power: 10.0**-power)),
]
