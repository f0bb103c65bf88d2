"""Hidden suite for the repaired mask fill. The broken code fails each check: each has a row that sees nothing."""

import math

import torch
from hidden.lib import heads, masking
from hidden.lib.attention import attend

from grader.suites import (
    Text,
    dtypes,
    error_bound,
    expect,
    expect_close,
    facts,
    laws,
    misconception,
    misconceptions,
    points,
)


@error_bound("attention_with_mask")
def bound(q, k, v, mask):
    return masking.rounding(q, k, v, mask)


def inputs(make, *lead, t_q=5, t_kv=7, dh=6, dv=4):
    """Random q, k, v."""
    return make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh), make.normal(*lead, t_kv, dv)


def with_blind_rows(make, *shape, blind=(1,)):
    """A random mask whose rows `blind` see nothing."""
    return masking.with_dead_rows(make.mask(*shape), *blind)


@points(0.8)
def test_every_dtype(matches_reference, make, dtype):
    """The mask works in every float dtype, half precision too; a row that sees nothing is zero."""
    matches_reference.attention_with_mask(*inputs(make, t_q=2, t_kv=3), with_blind_rows(make, 2, 3))
    matches_reference.attention_with_mask(*inputs(make, 2, 3), with_blind_rows(make, 2, 1, 5, 7))
    matches_reference.attention_with_mask(*inputs(make, 2, 3), with_blind_rows(make, 5, 7))
    matches_reference.attention_with_mask(*inputs(make, 2, 1, 3), with_blind_rows(make, 3, 5, 7))
    matches_reference.attention_with_mask(*inputs(make), make.mask(7))
    for mask in masking.alike(make, 3, 1, 2, 3, 4):
        matches_reference.attention_with_mask(*inputs(make, 3, 3, t_q=3, t_kv=3), mask)
    for mask in (make.mask(2, 5, 1), make.mask(5, 7) | True):
        matches_reference.attention_with_mask(*inputs(make, 2), mask)
    matches_reference.attention_with_mask(*inputs(make, 3, t_q=4, t_kv=4, dh=4, dv=4), with_blind_rows(make, 4, 4))


@points(0.6)
def test_rows_that_see_nothing(student, notes_values, make):
    """Weights and output of a row that sees nothing are exactly zero; other rows are not affected."""
    for blind in ((0, 1, 2, 3, 4), (0,), (0, 4)):
        q, k, v = inputs(make, 2)
        mask = with_blind_rows(make, 2, 5, 7, blind=blind)
        output, weights = student.attention_with_mask(q, k, v, mask)
        rows = list(blind)
        expect(weights[:, rows] == 0, "a row that sees nothing has weight")
        expect(output[:, rows] == 0, "a row that sees nothing has output")
        notes_values.attention_with_mask(q, k, v, mask)
    apart = torch.cat([with_blind_rows(make, 1, 5, 7, blind=(0,)), with_blind_rows(make, 1, 5, 7, blind=(2, 3))])
    notes_values.attention_with_mask(*inputs(make, 2), apart)
    notes_values.attention_with_mask(*inputs(make, 2, 3), apart[:, None])
    notes_values.attention_with_mask(*inputs(make, 3, 3, t_q=3, t_kv=3), with_blind_rows(make, 3, 1, 3, 3))
    notes_values.attention_with_mask(*inputs(make, 2), make.mask(1, 7))
    notes_values.attention_with_mask(*inputs(make, 1, t_q=1, t_kv=1), torch.tensor([[False]]))


@points(0.5)
def test_large_scores(student, make, dtype):
    """A hidden score far above all visible ones gets no weight, in half precision too, also if the visible ones are far
    below zero.
    """
    for q, k, v, mask, seen in masking.far_from_zero(make):
        q, mask = q[:1].expand(3, -1), torch.ones(2, 3).bool() if mask is None else mask
        output, weights = student.attention_with_mask(q, k, v, torch.cat([mask, mask[:1] & False]))
        due = torch.cat([torch.nn.functional.one_hot(torch.tensor(seen), 3), torch.zeros(1, 3)])
        said = "the key that outweighs all other visible ones does not get weight 1, or another gets some"
        expect_close(weights, due.to(weights.device), 1e-6, said)
        said = "the output is not that key's value, or not 0 without a key"
        expect_close(output, (due.to(v.dtype) @ v).to(output.device), 1e-5, said)
    q, k, v = make.tensor([[300.0]]), make.tensor([[-150.0], [0.0]]), make.normal(2, 3)  # scores of -45,000 and 0
    _, weights = student.attention_with_mask(q, k, v, torch.tensor([[True, False]]))
    expect(weights == torch.tensor([[1.0, 0.0]]), "a hidden key has weight where the visible score is -45,000")


@points(0.5)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype, domain):
    """The gradients of a row that sees nothing are finite, and zero; those of other rows are not affected."""
    laws.differentiable(matches_gradients.of(0), make, beside_blind_rows, domain)


def beside_blind_rows(ask, make):
    ask.attention_with_mask(*inputs(make, t_q=3), with_blind_rows(make, 3, 7))
    ask.attention_with_mask(*inputs(make, 2), with_blind_rows(make, 2, 5, 7))
    ask.attention_with_mask(*inputs(make, 1), with_blind_rows(make, 1, 5, 7))
    ask.attention_with_mask(*inputs(make, t_q=4, t_kv=4, dv=6), with_blind_rows(make, 4, 4))


def examples(ask, make):
    ask.attention_with_mask(*inputs(make, t_q=3, t_kv=5), with_blind_rows(make, 3, 5, blind=(0,)))
    ask.attention_with_mask(*inputs(make, 2), with_blind_rows(make, 2, 5, 7))
    ask.attention_with_mask(*inputs(make, 2, 1, 3, t_q=3, t_kv=5), with_blind_rows(make, 3, 5, blind=(0,)))


def of_length(ask, make, n):
    ask.attention_with_mask(*inputs(make, 1, t_q=3, t_kv=n), with_blind_rows(make, 3, n))
    ask.attention_with_mask(*inputs(make, 1, t_q=n, t_kv=3), with_blind_rows(make, n, 3))


LAWS = laws.all(examples, of_length, device=0.15, inputs_unchanged=0.1, memory_layout=0.15, keywords=0.05)


@facts("attention_with_mask")
def seen(result, q, k, v, mask):
    output, weights = result
    mask = mask.expand(weights.shape)
    alive = mask.any(-1)
    if bool(weights[~alive].any()):
        yield Text("rows that see nothing have weight")
    if bool(output[~alive].any()):
        yield Text("rows that see nothing have output")
    if bool(weights[~mask & alive[..., None]].any()):
        yield Text("hidden keys of the other rows have weight")
    if not torch.allclose(output, weights @ v, rtol=1e-3, atol=1e-3):
        yield Text("the output is not the returned weights times v")


def filled(fill=None, zeroed=True):
    """The repaired code with another number in place of hidden scores; `zeroed`: hidden weights become 0."""

    def wrong(q, k, v, mask):
        weights = attend(q, k, v, mask, fill=torch.finfo(q.dtype).min if fill is None else fill)[1]
        weights = weights.masked_fill(~mask, 0.0) if zeroed else weights
        return weights @ v, weights

    return wrong


def weighed(change):
    """The results of `change(weights, mask)`, from weights that are NaN where a row sees nothing."""

    def wrong(q, k, v, mask):
        weights = change(attend(q, k, v, mask)[1], mask)
        return weights @ v, weights

    return wrong


def added_infinity(q, k, v, mask):
    bias = torch.zeros(mask.shape, dtype=q.dtype, device=q.device).masked_fill(~mask, -math.inf)
    weights = (q @ k.mT / math.sqrt(q.shape[-1]) + bias).softmax(-1).masked_fill(~mask, 0.0)
    return weights @ v, weights


def nan_to_zero(q, k, v, mask):
    return tuple(t.nan_to_num(0.0) for t in attend(q, k, v, mask))


def output_forgotten(q, k, v, mask):
    output, weights = filled(zeroed=False)(q, k, v, mask)
    return output, weights.masked_fill(~mask, 0.0)


def weights_forgotten(q, k, v, mask):
    return right(q, k, v, mask)[0], filled(zeroed=False)(q, k, v, mask)[1]


def rows_of_the_first_example(q, k, v, mask):
    weights = filled(zeroed=False)(q, k, v, mask)[1]
    blind = ~mask.expand(weights.shape).flatten(0, -3)[0] if weights.dim() > 2 else ~mask
    weights = weights.masked_fill(blind.all(-1, keepdim=True), 0.0)
    return weights @ v, weights


def times_mask(number):
    """`number`, times the mask as float32, added to the scores."""

    def wrong(q, k, v, mask):
        scores = q @ k.mT / math.sqrt(q.shape[-1]) + (~mask).float() * number
        weights = scores.softmax(-1).masked_fill(~mask, 0.0)
        return weights @ v, weights

    return wrong


def times(factor):
    """Scores times `factor` of Dh."""
    return lambda q, k, v, mask: right(q * factor(q.shape[-1]), k, v, mask)


def in_place(weights, mask):
    weights[weights.isnan()] = 0.0
    return weights


def exponentials(q, k, v, mask):
    factors = (q @ k.mT / math.sqrt(q.shape[-1])).exp() * mask
    weights = factors / (factors.sum(-1, keepdim=True) + 1e-9)
    return weights @ v, weights


def indexed(q, k, v, mask):
    weights = attend(q, k, v, mask)[1].clone()
    weights[~mask] = 0.0
    return weights @ v, weights


right = filled()


@misconception("attention_with_mask", stub=True)
def as_given(q, k, v, mask):
    """This is the code as it was given: -1e9 does not fit into half precision, and a row that sees nothing spreads its
    weight evenly.
    """
    return filled(-1e9, zeroed=False)(q, k, v, mask)


KNOWN = misconceptions(
    "attention_with_mask",
    infinity_only=filled(-math.inf, zeroed=False),
    lowest_only=filled(zeroed=False),
    fill_1e9_zeroed=filled(-1e9),
    fill_float32_lowest=filled(torch.finfo(torch.float32).min),
    fill_too_high=filled(-100.0),
    scores_times_mask=filled(0.0, zeroed=False),
    scores_times_mask_then_zeroed=filled(0.0),
    exponentials=exponentials,
    nan_to_zero=nan_to_zero,
    added_infinity=added_infinity,
    only_all_hidden=weighed(lambda weights, mask: weights if mask.any() else torch.zeros_like(weights)),
    all_zero_if_a_row_is=weighed(lambda weights, mask: weights if mask.any(-1).all() else torch.zeros_like(weights)),
    full_rows_only=weighed(lambda weights, mask: weights.masked_fill(~mask.all(-1, keepdim=True), 0.0)),
    overwritten_in_place=weighed(in_place),
    index_of_full_shape=indexed,
    mask_after_softmax=heads.weighed(lambda weights, mask: weights * mask),
    renormalised_epsilon=heads.weighed(
        lambda weights, mask: weights * mask / ((weights * mask).sum(-1, keepdim=True) + 1e-9)
    ),
    mask_inverted=lambda q, k, v, mask: right(q, k, v, ~mask),
    mask_inverted_and_infinity_only=lambda q, k, v, mask: attend(q, k, v, ~mask),
    output_forgotten=output_forgotten,
    weights_forgotten=weights_forgotten,
    rows_of_the_first_example=rows_of_the_first_example,
    added_in_float32=times_mask(-1e9),
    infinity_times_mask=times_mask(-math.inf),
    no_scale=times(math.sqrt),
    scale_integer_root=times(lambda d: math.sqrt(d) / math.isqrt(d)),
    swap_return=lambda q, k, v, mask: right(q, k, v, mask)[::-1],
    only_output=lambda q, k, v, mask: right(q, k, v, mask)[0],
    forces_float32=lambda q, k, v, mask: right(q.float(), k.float(), v.float(), mask),
    zeros_on_cpu=weighed(
        lambda weights, mask: torch.where(mask, weights, torch.zeros(weights.shape, dtype=weights.dtype))
    ),
    weights_detached=lambda q, k, v, mask: (right(q, k, v, mask)[1].detach() @ v, right(q, k, v, mask)[1]),
    no_gradient=lambda q, k, v, mask: right(q.detach(), k.detach(), v.detach(), mask),
)
