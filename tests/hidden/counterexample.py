"""Hidden suite for the two counterexamples: whatever the student builds is computed with.

Nothing is compared with the solution's numbers; each condition of the statement is a check of its own.
"""

import torch

from grader.suites import expect, misconceptions, points

SLACK = 1e-5  # sums in float32 of a few terms
LETS_PASS = dict.fromkeys(
    (
        "float32_result",
        "no_gradient",
        "reuses_buffer",
        "made_on_cpu",
        "squeezed",
        "other_names",
        "long_rows_cut",
        "wrong_above_256",
        "wrong_above_600",
        "wrong_at_size_1",
    ),
    "numbers without inputs, which are computed with as they are",
)


def row(weights, name):
    """The weights in float64, after what every check needs: a row that softmax can give."""
    said = "{name} must be a vector [n] of two numbers or more, not of shape {weights}"
    expect(weights.dim() == 1 and weights.shape[0] >= 2, said, name=name, weights=list(weights.shape))
    expect(weights.dtype.is_floating_point, "{name} must be real floats", name=name)
    w = weights.detach().double()
    expect(w.isfinite() & (w > 0), "{name} must be positive: softmax gives no 0 and nothing below", name=name)
    total = float(w.sum())
    rounding = max(SLACK, 4 * float(torch.finfo(weights.dtype).eps))  # of each weight in proportion: of all, one row's
    expect(abs(total - 1) < rounding, "the sum of {name} is {total:.4g}, not 1", name=name, total=total)
    return w


def table(values, n):
    """The values in float64, one row for each weight."""
    good = values.dim() == 2 and values.shape[0] == n and values.shape[1] >= 1 and values.dtype.is_floating_point
    shape = list(values.shape)
    expect(good, "values must be real floats [{n}, d], not {shape} {values}", n=n, shape=shape, values=values.dtype)
    v = values.detach().double()
    expect(v.isfinite() & (v.abs() < 1e6), "values must be finite and below a million")
    return v


def shown(any_shape):
    """The weights, and how far the output moves without the token of the largest weight and without each other one."""
    weights, values = any_shape.counterexample()
    w = row(weights, "weights")
    v = table(values, len(w))
    moved, largest = (w[:, None] * v).norm(dim=-1), int(w.argmax())
    return w, float(moved[largest]), moved[torch.arange(len(w)) != largest]


def two_rows(any_shape):
    """The twins: both rows and the values."""
    w, w2, values = any_shape.twins()
    w, w2 = row(w, "w"), row(w2, "w2")
    expect(len(w) == len(w2), "w has {w} entries, w2 has {w2}", w=len(w), w2=len(w2))
    return w, w2, table(values, len(w))


def different_rows(any_shape):
    """The same, once the rows differ and the values do."""
    w, w2, v = two_rows(any_shape)
    apart, spread = float((w - w2).abs().max()), float((v - v[:1]).abs().max())
    expect(apart >= 0.1 - SLACK, "the two rows differ by {apart:.4g} at most; expected at least 0.1", apart=apart)
    said = "the values are all the same (they differ by {spread:.4g} at most): then any weights give one output"
    expect(spread >= 0.1 - SLACK, said, spread=spread)
    return w, w2, v


def one_output(w, w2, v):
    off = float((w @ v - w2 @ v).abs().max())
    expect(off <= SLACK * (1 + float(v.abs().max())), "the outputs differ by {off:.4g}", off=off)


@points(1)
def test_a_row_and_its_values(any_shape):
    """The weights of the counterexample are a row that softmax can give, with one value for each weight."""
    shown(any_shape)


@points(1.5)
def test_one_weight_is_the_largest(any_shape):
    """One weight is the largest, by 0.1 at least."""
    w, *_ = shown(any_shape)
    first, second = w.sort(descending=True).values[:2].tolist()
    said = "the largest weights are {first:.4g} and {second:.4g}, less than 0.1 apart"
    expect(first - second >= 0.1 - SLACK, said, first=first, second=second)


@points(1)
def test_the_largest_weight_has_not_the_largest_effect(any_shape):
    """Removing some other token changes the output more than removing the one with the largest weight."""
    _, here, others = shown(any_shape)
    said = "removing the token with the largest weight moves the output by {here:.4g}; no other moves it further"
    expect(here < float(others.max()) - SLACK, said, here=here)


@points(1)
def test_the_largest_weight_has_the_least_effect(any_shape):
    """Removing the token with the largest weight changes the output less than removing any other."""
    _, here, others = shown(any_shape)
    least = float(others.min())
    said = "removing the token with the largest weight moves the output by {here:.4g}, another one by {least:.4g}"
    expect(here < least - SLACK, said, here=here, least=least)


@points(0.5)
def test_the_others_matter(any_shape):
    """Removing any other token changes the output by 0.1 at least."""
    _, _, others = shown(any_shape)
    least = float(others.min())
    expect(
        least >= 0.1 - SLACK, "another token moves the output by {least:.4g} only; expected at least 0.1", least=least
    )


@points(1)
def test_twins_are_rows(any_shape):
    """Both rows of the twins can come from softmax, and there is one value for each weight."""
    two_rows(any_shape)


@points(1.5)
def test_twins_differ(any_shape):
    """The two rows differ by 0.1 or more somewhere, and the values are not all the same."""
    different_rows(any_shape)


@points(1.5)
def test_twins_have_one_output(any_shape):
    """Both rows, different as they are, give the same output for values that are not all the same."""
    one_output(*different_rows(any_shape))


@points(1)
def test_twins_stay_twins(any_shape):
    """The outputs stay the same when one row is added to all values: both rows of weights sum to 1."""
    w, w2, v = different_rows(any_shape)
    one_output(w, w2, v + 3.0)


def given(*lists):
    """These numbers."""
    return lambda: tuple(torch.tensor(numbers) for numbers in lists)


SIDES = [[1.0, 0.0], [-1.0, 0.5], [0.0, 0.0]]
OF_ONE = misconceptions(
    "counterexample",
    not_a_distribution=given([0.5, 0.5, 1.0], SIDES),
    nothing_matters=given([0.2, 0.2, 0.6], [[0.0, 0.0]] * 3),
    equal_values=given([0.2, 0.2, 0.6], [[1.0, 1.0]] * 3),
    equal_weights=given([0.25] * 4, [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]),
    a_weight_of_zero=given([0.6, 0.4, 0.0], SIDES[::-1]),
    scores_for_weights=given([3.0, 1.0, 1.0], SIDES[::-1]),
    values_in_one_dimension=given([0.2, 0.2, 0.6], [1.0, 1.0, 0.0]),
    one_token_only=given([1.0], [[0.0, 0.0]]),
    values_come_first=given(SIDES, [0.25, 0.25, 0.5]),
)
OF_TWINS = misconceptions(
    "twins",
    same_weights=given([0.2, 0.2, 0.6], [0.2, 0.2, 0.6], [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]),
    constant_values=given([0.2, 0.2, 0.6], [0.6, 0.2, 0.2], [[1.0, 1.0]] * 3),
    permuted_only=given([0.2, 0.2, 0.6], [0.6, 0.2, 0.2], [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]),
    not_positive=given([0.0, 0.5, 0.5], [0.5, 0.5, 0.0], [[1.0], [0.0], [1.0]]),
    too_much_alike=given([0.5, 0.3, 0.2], [0.45, 0.35, 0.2], [[1.0], [1.0], [5.0]]),
    rows_of_two_lengths=given([0.5, 0.3, 0.2], [0.5, 0.5], [[1.0], [1.0], [5.0]]),
    only_two_results=given([0.2, 0.2, 0.6], [0.6, 0.2, 0.2]),
)
