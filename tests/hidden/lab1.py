"""Hidden suite for Lab 1.

x x^T is symmetric, so mistakes that only exchange queries and keys do not show here and are not in the bank; they are
in the suites of the scores and of attention. Not in the bank, because right: scaling the tokens by d^-1/4 for the
weights, computing them row by row, float32 inside.
"""

import math

import torch
from hidden.lib.attention import attend, causal, power_first, power_first_in_brackets, span

from grader.suites import Text, dtypes, error_bound, expect, expect_close, facts, laws, misconceptions, points

TOKENS = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]


@error_bound("lab1")
def lab1_bound(x):
    # As docs/tolerances.md derives for attention with q = k = v = x: a score is off by (d / 2 + 4) reach, with
    # reach = sum |x||x| (over sqrt(d) where it is scaled), a weight by what softmax makes of that, and the output adds
    # T products of weights and tokens.
    reach = x.abs() @ x.abs().T
    size = reach / math.sqrt(x.shape[1])
    weights = (x @ x.T / math.sqrt(x.shape[1])).softmax(1)
    exponents = (x.shape[1] / 2 + 5) * size + size.amax(1, keepdim=True)
    total = exponents + (weights * exponents).sum(1, keepdim=True) + len(x) + 8
    return (x.shape[1] / 2 + 4) * reach, weights * total, (weights * (total + len(x) + 4)) @ x.abs()


@points(0.7)
def test_three_tokens(matches_reference, make):
    """The tokens [1, 0], [0, 1], [1, 1] give the printed scores, weights and output, also with the third changed to
    [2, 0].
    """
    matches_reference.lab1(make.tensor(TOKENS))
    matches_reference.lab1(make.tensor(TOKENS[:2]))
    matches_reference.lab1(make.tensor([*TOKENS[:2], [2.0, 0.0]]))


@points(2)
def test_definition(matches_reference, make, dtype):
    """Scores are x x^T, weights the softmax of each row of scores / sqrt(d), the output is weights times x, for any
    number of tokens of any size.
    """
    for t, d in ((2, 3), (3, 2), (4, 7), (5, 6), (7, 5), (6, 16)):
        matches_reference.lab1(make.normal(t, d))
    for far in (3.78125, 3.296875):  # one weight is 4e-5, or 5e-4
        matches_reference.lab1(make.tensor([[far, 0.0], [0.0, 1.0]]))


@points(0.5)
def test_raw_scores(student, notes_values, make):
    """The scores come back raw: the diagonal holds each token's squared length, before any scaling."""
    for t, d in ((2, 3), (4, 9), (3, 16)):
        x = make.normal(t, d)
        scores, _, _ = student.lab1(x)
        said = "the diagonal of the scores is not the squared length of each token"
        expect_close(scores.diagonal(), x.double().square().sum(1), 1e-4, said)
        notes_values.lab1(x)


@points(0.6)
def test_weights(student, notes_values, make):
    """Each row of weights sums to 1, and the scores of a row are divided by the square root of d, whatever T is."""
    for t, d in ((3, 2), (3, 9), (5, 16), (2, 64)):
        x = make.normal(t, d).abs()  # so that no score is negative: weights without exp have logarithms too
        _, weights, _ = student.lab1(x)
        expect_close(weights.sum(1), 1.0, 1e-5, "a row of weights does not sum to 1")
        gaps = (x @ x.T).double().diff(dim=1)
        scale = float((weights.double().log().diff(dim=1) * gaps).sum() / gaps.square().sum())
        expect(
            math.isnan(scale) or math.isinf(scale) or abs(scale * math.sqrt(d) - 1) < 1e-3,
            "with d={d} the weights belong to scores multiplied by {scale:.4g}; expected {d2:.4g}",
            d=d,
            scale=scale,
            d2=1 / math.sqrt(d),
        )
        notes_values.lab1(x)


@points(0.9)
def test_laws(student, notes_values, make):
    """The output is the weights times the tokens; tokens in another order give the same outputs in that order; a token
    among copies of itself comes back unchanged.
    """
    for t, d in ((3, 2), (4, 5), (5, 3)):
        x = make.normal(t, d)
        _, weights, output = student.lab1(x)
        expect_close(output, weights @ x, 1e-4, "the output is not weights @ x")
        _, _, flipped = student.lab1(x.flip(0))
        expect_close(flipped, output.flip(0), 1e-4, "with the tokens in reverse order the output is not reversed")
        _, shares, same = student.lab1(x[:1].expand(t, d))
        expect_close(shares, 1 / t, 1e-5, "equal tokens do not share the weight equally")
        expect_close(same, x[:1].expand(t, d), 1e-4, "the output for equal tokens is not these tokens")
        notes_values.lab1(x)


@points(0.5)
@dtypes("float16", "float32")
def test_long_tokens(student, matches_reference, make, dtype):
    """Tokens with scores in the thousands work too: one that matches itself far better than the rest gets weight 1."""
    for d in (2, 5):
        x = make.tensor([[60.0 * (i == j) for j in range(d)] for i in range(d)])  # scores 3,600 and 0
        _, weights, output = student.lab1(x)
        said = "tokens of length 60 at right angles do not give all weight to themselves"
        expect_close(weights, torch.eye(d), 1e-6, said)
        expect_close(output, x, 1e-5, "the output is not these tokens")
        matches_reference.lab1(x / 64)


@points(0.3)
def test_special_sizes(matches_reference, make):
    """One token, tokens of one number, and as many tokens as numbers work too."""
    for t, d in ((2, 2), (3, 3), (4, 4), (5, 1), (1, 4), (1, 1)):
        matches_reference.lab1(make.normal(t, d))


def examples(ask, make):
    for t, d in ((2, 3), (3, 2), (5, 6), (1, 2)):
        ask.lab1(make.normal(t, d))


def of_length(ask, make, n):
    ask.lab1(make.normal(n, 2))
    ask.lab1(make.normal(2, n))


test_gradient = laws.gradient(0.6, examples)
test_memory_layout = laws.memory_layout(0.2, lambda ask, make: (examples(ask, make), ask.lab1(make.normal(4, 4))))
test_input_unchanged = laws.inputs_unchanged(0.2, examples)
LAWS = laws.all(examples, of_length, device=0.25)


@facts("lab1")
def seen(results, x):
    scores, weights, output = results
    due = x @ x.T
    factor = float((scores * due).sum() / due.square().sum().clamp_min(1e-30))
    if alike(scores, due):
        yield Text("the scores are right")
    elif alike(scores, factor * due):
        yield Text("the scores are x x^T times {factor:.4g}").format(factor=factor)
    rows = weights.sum(1)
    if not alike(rows, torch.ones_like(rows)):
        yield Text("the rows of the weights sum to {sum}, not to 1").format(sum=span(rows))
    elif alike(weights, steps(x)[1]):
        yield Text("the weights are right")
    if not alike(output, weights @ x):
        yield Text("the output is not the returned weights times x")


def alike(one, other):
    return torch.allclose(one, other, rtol=1e-3, atol=1e-3)


def steps(x, **places):
    """The three steps, with the places to go wrong of `attend`."""
    output, weights = attend(x, x, x, **places)
    return x @ x.T, weights, output


def weighed(weights_of):
    """The three steps with `weights_of(scores / sqrt(d))`."""

    def wrong(x):
        weights = weights_of(x @ x.T / math.sqrt(x.shape[1]))
        return x @ x.T, weights, weights @ x

    return wrong


def compared(scores_of):
    """The three steps with `scores_of(x)`."""

    def wrong(x):
        scores = scores_of(x)
        weights = (scores / math.sqrt(x.shape[1])).softmax(1)
        return scores, weights, weights @ x

    return wrong


def mixed(mix):
    """The right scores and weights with the output `mix(scores, weights, x)`."""

    def wrong(x):
        scores, weights, _ = steps(x)
        return scores, weights, mix(scores, weights, x)

    return wrong


def later_hidden(scores):
    return scores.masked_fill(~causal(*scores.shape).to(scores.device), -math.inf)


def itself_hidden(scores):
    itself = torch.eye(len(scores), dtype=torch.bool, device=scores.device)
    return scores if len(scores) == 1 else scores.masked_fill(itself, -math.inf)


def shared_by_the_best(scaled):
    best = (scaled == scaled.amax(1, keepdim=True)).to(scaled.dtype)
    return best / best.sum(1, keepdim=True) + 0 * scaled


def exponentials_over(total):
    return weighed(lambda scaled: scaled.exp() / total(scaled.exp()))


def channels_compared(x):
    scores, weights, output = steps(x.T, scale=1 / math.sqrt(x.shape[1]))
    return scores, weights, output.T


def unit(x):
    return x / x.norm(dim=1, keepdim=True)


def rounded(t, steps_in_1):
    return (t * steps_in_1).round() / steps_in_1


def channels_mixed(x):
    scores = x.T @ x
    weights = (scores / math.sqrt(x.shape[1])).softmax(1)
    return scores, weights, x @ weights


def changed_in_place(x):
    scores, weights, output = steps(x)
    x.copy_(output)
    return scores, weights, x


def only_weights_wide(x):
    scores, weights, output = steps(x)
    return scores, weights.float(), output


KNOWN = misconceptions(
    "lab1",
    scaled_scores_returned=lambda x: (x @ x.T / math.sqrt(x.shape[1]), *steps(x)[1:]),
    no_scale=lambda x: steps(x, scale=1.0),
    scale_d=lambda x: steps(x, scale=1 / x.shape[1]),
    scale_mul_sqrt=lambda x: steps(x, scale=math.sqrt(x.shape[1])),
    scale_sqrt_tokens=lambda x: steps(x, scale=1 / math.sqrt(len(x))),
    scale_sqrt_2=lambda x: steps(x, scale=1 / math.sqrt(2)),
    scale_integer_root=lambda x: steps(x, scale=1 / math.isqrt(x.shape[1])),
    scale_power_first=lambda x: steps(x, scale=power_first),
    scale_power_first_in_brackets=lambda x: steps(x, scale=power_first_in_brackets),
    softmax_down_the_columns=lambda x: steps(x, dim=0),
    softmax_over_all=weighed(lambda scaled: scaled.flatten().softmax(0).view_as(scaled)),
    no_softmax=weighed(lambda scaled: scaled),
    raw_exponentials=exponentials_over(lambda e: e.sum(1, keepdim=True)),
    raw_exponentials_over_all=exponentials_over(lambda e: e.sum()),
    keepdim_forgotten=exponentials_over(lambda e: e.sum(1)),
    divided_by_row_sum=weighed(lambda scaled: scaled / scaled.sum(1, keepdim=True)),
    logarithms=weighed(lambda scaled: scaled.log_softmax(1)),
    hardmax=weighed(shared_by_the_best),
    rounded=lambda x: tuple(rounded(t, 1000) for t in steps(x)),
    rounded_weights_and_output=lambda x: (x @ x.T, *(rounded(t, 10000) for t in steps(x)[1:])),
    output_of_scores=mixed(lambda scores, weights, x: scores @ x),
    output_of_scaled_scores=mixed(lambda scores, weights, x: scores / math.sqrt(x.shape[1]) @ x),
    weights_times_scores=mixed(lambda scores, weights, x: weights @ scores),
    output_by_columns=mixed(lambda scores, weights, x: weights.T @ x),
    tokens_returned=mixed(lambda scores, weights, x: x.clone()),
    residual_added=mixed(lambda scores, weights, x: weights @ x + x),
    softmax_again=mixed(lambda scores, weights, x: weights.softmax(1) @ x),
    scaled_scores_as_weights=lambda x: (x @ x.T, x @ x.T / math.sqrt(x.shape[1]), steps(x)[2]),
    not_to_itself=weighed(lambda scaled: itself_hidden(scaled).softmax(1)),
    own_scores_hidden=compared(lambda x: (x @ x.T).masked_fill(torch.eye(len(x)).to(x).bool(), -math.inf)),
    later_tokens_hidden=weighed(lambda scaled: later_hidden(scaled).softmax(1)),
    later_scores_hidden=compared(lambda x: later_hidden(x @ x.T)),
    cosine=compared(lambda x: unit(x) @ unit(x).T),
    squared_scores=compared(lambda x: (x @ x.T).square()),
    channels_compared=channels_compared,
    channels_mixed=channels_mixed,
    weights_output_only=lambda x: steps(x)[1:],
    output_weights_only=lambda x: steps(x)[:0:-1],
    output_only=lambda x: steps(x)[2],
    weights_last=lambda x: tuple(steps(x)[i] for i in (0, 2, 1)),
    output_first=lambda x: steps(x)[::-1],
    output_before_the_rest=lambda x: (steps(x)[2], *steps(x)[:2]),
    weights_first=lambda x: tuple(steps(x)[i] for i in (1, 0, 2)),
    scores_last=lambda x: (*steps(x)[1:], steps(x)[0]),
    squeezed=lambda x: tuple(t.squeeze() for t in steps(x)),
    forces_float32=lambda x: steps(x.float()),
    only_weights_wide=only_weights_wide,
    changed_in_place=changed_in_place,
    three_tokens_only=lambda x: (x @ x.T, steps(x)[1][[0, 1, 2]], steps(x)[2][[0, 1, 2]]),
    no_gradient=lambda x: steps(x.detach()),
    scores_detached=compared(lambda x: (x @ x.T).detach()),
    second_result_detached=lambda x: (steps(x)[0], steps(x)[1].detach(), steps(x)[2]),
    first_result_detached=lambda x: (steps(x)[0].detach(), *steps(x)[1:]),
    keys_and_values_detached=lambda x: (x @ x.detach().T, *attend(x, x.detach(), x.detach())[::-1]),
    weights_detached=weighed(lambda scaled: scaled.softmax(1).detach()),
)
