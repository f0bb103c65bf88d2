"""Hidden suite for scaled dot-product attention.

Not in the bank, because right for the masks and scores that the course allows (every row of a mask has a True, allowed
scores lie within +-5,000): filling with -1e4, adding -1e9 (in float16 it becomes -inf), and not treating rows in which
everything is hidden. Detached weights are right too: gradients are asked of the output only.
"""

import functools
import math

import torch
from hidden.lib import heads, masking
from hidden.lib.attention import attend, integer_root, power_first, power_first_in_brackets, scores_of, span

from grader.suites import Text, error_bound, expect, expect_close, facts, laws, misconceptions, points

LEAK = 1e-6  # what a hidden key may get at most


@error_bound("scaled_dot_product_attention")
def attention_bound(q, k, v, mask=None):
    return masking.rounding(q, k, v, mask, leak=LEAK)


def inputs(make, *lead, t_q=5, t_kv=7, dh=20, dv=6):
    """Random q, k, v with these leading dimensions."""
    return make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh), make.normal(*lead, t_kv, dv)


@points(2)
def test_definition(matches_reference, make, dtype):
    """The output is softmax(q k^T / sqrt(Dh)) v, and the weights are returned beside it, for any leading dimensions."""
    matches_reference.scaled_dot_product_attention(*inputs(make, t_q=2, t_kv=3))
    matches_reference.scaled_dot_product_attention(*inputs(make, 2))
    matches_reference.scaled_dot_product_attention(*inputs(make, 2, 3))
    far = make.tensor([[8.0]]), make.tensor([[0.5], [0.0]])  # scores of 4 and 0: low precision too tells 4 from 5
    matches_reference.scaled_dot_product_attention(*far, make.normal(2, 3))


@points(1)
def test_scale(student, notes_values, make):
    """Scores are divided by the square root of Dh, the channels of one query, whatever the other sizes are."""
    for dh, t_kv, lead in ((2, 3, ()), (1, 4, ()), (9, 5, (2,)), (16, 3, (2, 3)), (64, 5, (1, 2))):
        q, k, v = inputs(make, *lead, t_kv=t_kv, dh=dh)
        _, weights = student.scaled_dot_product_attention(q, k, v)
        gaps = (q @ k.transpose(-2, -1)).double().diff(dim=-1)
        scale = float((weights.double().log().diff(dim=-1) * gaps).sum() / gaps.square().sum())
        expect(
            math.isnan(scale) or abs(scale * math.sqrt(dh) - 1) < 1e-3,
            "with Dh={dh} the weights belong to scores multiplied by {scale:.4g}; expected {dh2:.4g}",
            dh=dh,
            scale=scale,
            dh2=1 / math.sqrt(dh),
        )
        notes_values.scaled_dot_product_attention(q, k, v)


@points(1)
def test_laws(student, notes_values, make):
    """Each query's weights over the keys sum to 1, the output is their mix of the values, and the order of the keys
    does not matter.
    """
    for lead in ((), (2,), (2, 3)):
        q, k, v = inputs(make, *lead)
        output, weights = student.scaled_dot_product_attention(q, k, v)
        expect_close(weights.sum(-1), 1.0, 1e-5, "the weights of a query do not sum to 1 over the keys")
        expect_close(output, weights @ v, 1e-4, "the output is not weights @ v")
        other, _ = student.scaled_dot_product_attention(q, k.flip(-2), v.flip(-2))
        expect_close(other, output, 1e-4, "reversing the order of keys and values changes the output")
        notes_values.scaled_dot_product_attention(q, k, v)


@points(2)
def test_mask(matches_reference, make, dtype):
    """A key is seen where the mask is True and gets no weight where it is False, however the mask broadcasts."""
    for lead in ((), (2,), (2, 3)):
        for mask in masking.drawn(make, *lead, t_q=5, t_kv=7):
            _, weights = matches_reference.scaled_dot_product_attention(*inputs(make, *lead), mask)
            expect(weights[~mask.expand(weights.shape)] < LEAK, "a hidden key has a weight of 1e-6 or more")


@points(1.2)
def test_scores_far_from_zero(student, matches_reference, make, dtype):
    """Scores in the thousands work too: allowed ones, large or small, and hidden ones that dwarf the rest."""
    for q, k, v, mask, seen in masking.far_from_zero(make):
        output, weights = student.scaled_dot_product_attention(q, k, v, mask)
        one_hot = torch.nn.functional.one_hot(torch.tensor(seen), 3)
        said = "the key that outweighs all other visible ones does not get weight 1, or another gets some"
        expect_close(weights, one_hot.to(weights.device), LEAK, said)
        expect_close(output, v[seen].to(output.device), 1e-5, "the output is not that key's value")
    k, mask = make.tensor([[0.0] * 6] * 2 + [[masking.SIDE] * 6]), torch.tensor([[True, True, False]] * 2)
    matches_reference.scaled_dot_product_attention(q, k, v, mask)


@points(0.5)
def test_special_sizes(matches_reference, make):
    """Sizes of 1, equal sizes, masks with fewer dimensions and masks that hide nothing work too."""
    for lead, t_q, t_kv, dh, dv in (
        ((), 1, 1, 1, 1), ((), 1, 5, 3, 1), ((2,), 5, 1, 3, 2), ((3,), 3, 3, 3, 3), ((2, 2), 2, 2, 2, 2),
        ((1, 1), 4, 4, 2, 2), ((2, 1, 3), 2, 4, 3, 2),
    ):  # fmt: skip
        matches_reference.scaled_dot_product_attention(*inputs(make, *lead, t_q=t_q, t_kv=t_kv, dh=dh, dv=dv))
    for mask in masking.alike(make, 3):
        matches_reference.scaled_dot_product_attention(*inputs(make, 3, 3, t_q=3, t_kv=3, dh=3, dv=3), mask)
    matches_reference.scaled_dot_product_attention(*inputs(make, 2), make.mask(5, 7) | True)
    matches_reference.scaled_dot_product_attention(*inputs(make, 2, 1, 3, t_q=2, t_kv=4), make.mask(3, 2, 4))
    for lead, t_q, t_kv in (((2,), 1, 5), ((2, 1), 5, 3), ((1,), 4, 1)):
        mask = make.mask(*lead, t_q, t_kv)
        matches_reference.scaled_dot_product_attention(*inputs(make, *lead, t_q=t_q, t_kv=t_kv, dh=3), mask)
    matches_reference.scaled_dot_product_attention(*inputs(make, 2, 2), make.mask(5, 7) | True)


def examples(ask, make):
    ask.scaled_dot_product_attention(*inputs(make, t_q=2, t_kv=3))
    ask.scaled_dot_product_attention(*inputs(make, 2, 1, 3, t_q=2, t_kv=4))
    ask.scaled_dot_product_attention(*inputs(make, 2, 3), make.mask(2, 1, 5, 7))


def of_length(ask, make, n):
    ask.scaled_dot_product_attention(*inputs(make, 1, t_q=3, t_kv=n), make.mask(3, n))
    ask.scaled_dot_product_attention(*inputs(make, 1, t_q=n, t_kv=3))


LAWS = laws.all(
    examples, of_length, gradient=(1, lambda ask, make: examples(ask.of(0), make)), memory_layout=0.3,
    inputs_unchanged=0.3, device=0.3, remembers_nothing=0.2, lengths=0.1,
)  # fmt: skip


@facts("scaled_dot_product_attention")
def seen(result, q, k, v, mask=None):
    output, weights = result
    rows, columns = weights.sum(-1), weights.sum(-2)
    if not bool(((rows - 1).abs() < 1e-3).all()):
        yield Text("the weights of a query sum to {sum}, not to 1").format(sum=span(rows))
        if bool(((columns - 1).abs() < 1e-3).all()):
            yield Text("those of a key do: the normalisation runs over the queries")
    if mask is not None and bool((weights.masked_select(~mask.expand(weights.shape)) > 1e-6).any()):
        yield Text("hidden keys have weight")
    if mask is None and bool((weights > 0).all()) and q.shape[-1] > 1 and k.shape[-2] > 1:
        scores = q @ k.transpose(-2, -1)
        gaps, logs = scores.diff(dim=-1), weights.log().diff(dim=-1)
        slope = float((gaps * logs).sum() / gaps.square().sum().clamp_min(1e-30))
        if bool(((logs - slope * gaps).abs() <= 1e-3 * (1 + logs.abs())).all()):
            due = 1 / math.sqrt(q.shape[-1])
            if abs(slope - due) > 1e-3 * due:
                yield Text("the weights are those of q k^T times {slope:.4g}; expected {due:.4g}").format(
                    slope=slope, due=due
                )
        else:
            yield Text("the weights are not those of q k^T times any number")
    if not torch.allclose(output, weights @ v, rtol=1e-3, atol=1e-3):
        yield Text("the output is not the returned weights times v")


def reweighed(q, k, v, weights):
    """Output and weights, the latter computed in another way."""
    return weights @ v, weights


def scores_as(weights_of):
    """Attention whose weights are `weights_of(scores)`, hidden ones 0."""

    def wrong(q, k, v, mask=None):
        weights = weights_of(scores_of(q, k))
        weights = weights if mask is None else weights.masked_fill(~mask, 0)
        return weights @ v, weights

    return wrong


def added(number_of):
    """Attention with `number_of(mask)` added to the scores."""

    def wrong(q, k, v, mask=None):
        weights = (scores_of(q, k) + (0 if mask is None else number_of(mask).to(q.dtype))).softmax(-1)
        return weights @ v, weights

    return wrong


def adds_query(q, k, v, mask=None):
    output, weights = attend(q, k, v, mask)
    return (output + q if output.shape == q.shape else output + q.mean(-1, keepdim=True)), weights


def scales_in_place(q, k, v, mask=None):
    q *= 1 / math.sqrt(q.shape[-1])
    return attend(q, k, v, mask, scale=1.0)


def four_dimensions_only(q, k, v, mask=None):
    _b, _h, _t, _d = q.shape
    return attend(q, k, v, mask)


def inputs_viewed(q, k, v, mask=None):
    q, k, v = (t.view(-1, *t.shape[-2:]).view(t.shape) for t in (q, k, v))
    return attend(q, k, v, mask)


def raw_exponentials(q, k, v, mask=None):
    weights = scores_of(q, k).exp() * (True if mask is None else mask)
    weights = weights / weights.sum(-1, keepdim=True)
    return weights @ v, weights


def softmax_over_all(q, k, v, mask=None):
    scores = scores_of(q, k, mask)
    weights = scores.flatten().softmax(0).view(scores.shape)
    return weights @ v, weights


def hardmax(q, k, v, mask=None):
    scores = scores_of(q, k, mask)
    weights = torch.nn.functional.one_hot(scores.argmax(-1), scores.shape[-1]).to(q.dtype)
    return weights @ v, weights


def raw_exponentials_made_zero(q, k, v, mask=None):
    weights = raw_exponentials(q, k, v, mask)[1].nan_to_num()
    return weights @ v, weights


KNOWN = misconceptions(
    "scaled_dot_product_attention",
    no_scale=heads.scaled(1.0),
    scale_d=heads.scaled(lambda q, k, v: 1 / q.shape[-1]),
    scale_mul_sqrt=heads.scaled(lambda q, k, v: math.sqrt(q.shape[-1])),
    scale_sqrt_kv_len=heads.scaled(lambda q, k, v: 1 / math.sqrt(k.shape[-2])),
    scale_sqrt_q_len=heads.scaled(lambda q, k, v: 1 / math.sqrt(q.shape[-2])),
    scale_sqrt_dv=heads.scaled(lambda q, k, v: 1 / math.sqrt(v.shape[-1])),
    scale_sqrt_dmodel=heads.scaled(lambda q, k, v: 1 / math.sqrt(q.shape[-1] * (q.shape[-3] if q.dim() > 2 else 1))),
    scale_integer_root=heads.scaled(integer_root),
    scale_power_first=heads.scaled(power_first),
    scale_power_first_in_brackets=heads.scaled(power_first_in_brackets),
    scale_of_axis_1=heads.scaled(lambda q, k, v: 1 / math.sqrt(k.shape[1])),
    scale_64=heads.scaled(1 / 8),
    scale_after_softmax=lambda q, k, v, mask=None: reweighed(
        q, k, v, attend(q, k, v, mask, scale=1.0)[1] / math.sqrt(q.shape[-1])
    ),
    softmax_over_queries=functools.partial(attend, dim=-2),
    softmax_dim1=functools.partial(attend, dim=1),
    softmax_dim0=functools.partial(attend, dim=0),
    softmax_over_all=softmax_over_all,
    hardmax=hardmax,
    no_softmax=scores_as(lambda scores: scores),
    sigmoid_weights=scores_as(torch.sigmoid),
    scores_transposed=lambda q, k, v, mask=None: attend(k, q, v, mask),
    k_reshaped_not_transposed=lambda q, k, v, mask=None: attend(
        q, k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]).transpose(-2, -1), v, mask
    ),
    k_dot_t=lambda q, k, v, mask=None: attend(q, k.permute(*range(k.dim() - 1, -1, -1)).transpose(-2, -1), v, mask),
    k_transposed_1_2=lambda q, k, v, mask=None: attend(q, k.transpose(1, 2).transpose(-2, -1), v, mask),
    matrices_only=lambda q, k, v, mask=None: attend(q, k, v, mask) if q.dim() == 2 else torch.mm(q, k.mT),
    matrices_only_t=lambda q, k, v, mask=None: attend(q, k.t().mT, v, mask),
    four_dimensions_only=four_dimensions_only,
    inputs_viewed=inputs_viewed,
    keys_and_values_exchanged=lambda q, k, v, mask=None: attend(q, v, k, mask),
    out_uses_k=lambda q, k, v, mask=None: attend(q, k, k, mask),
    out_weights_transposed=lambda q, k, v, mask=None: (
        attend(q, k, v, mask)[1].transpose(-2, -1) @ v,
        attend(q, k, v, mask)[1],
    ),
    normalises_q_k=lambda q, k, v, mask=None: attend(
        q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True), v, mask
    ),
    cosines=lambda q, k, v, mask=None: attend(
        torch.nn.functional.normalize(q, dim=-1), torch.nn.functional.normalize(k, dim=-1), v, mask, scale=1.0
    ),
    adds_causal_always=heads.causal_too,
    causal_whatever_the_mask=heads.causal_only,
    residual_added=adds_query,
    swap_return=lambda q, k, v, mask=None: attend(q, k, v, mask)[::-1],
    only_output=lambda q, k, v, mask=None: attend(q, k, v, mask)[0],
    returns_scores=lambda q, k, v, mask=None: (attend(q, k, v, mask)[0], scores_of(q, k, mask)),
    squeezed=lambda q, k, v, mask=None: tuple(t.squeeze() for t in attend(q, k, v, mask)),
    inplace_q=scales_in_place,
    no_gradient=lambda q, k, v, mask=None: attend(q.detach(), k.detach(), v.detach(), mask),
    weights_detached=lambda q, k, v, mask=None: (attend(q, k, v, mask)[1].detach() @ v, attend(q, k, v, mask)[1]),
    mask_ignored=lambda q, k, v, mask=None: attend(q, k, v),
    mask_inverted=heads.masked(lambda mask: ~mask),
    mask_after_softmax=heads.weighed(lambda weights, mask: weights * mask),
    mask_after_softmax_renorm=heads.weighed(heads.renormalised),
    mask_after_softmax_epsilon=heads.weighed(
        lambda weights, mask: weights * mask / ((weights * mask).sum(-1, keepdim=True) + 1e-9)
    ),
    raw_exponentials=raw_exponentials,
    raw_exponentials_made_zero=raw_exponentials_made_zero,
    global_maximum=heads.global_maximum,
    masked_weights_not_returned=lambda q, k, v, mask=None: (
        attend(q, k, v)[1] * (True if mask is None else mask) @ v,
        attend(q, k, v)[1],
    ),
    weights_before_mask=lambda q, k, v, mask=None: (attend(q, k, v, mask)[0], attend(q, k, v)[1]),
    mask_inverted_1e9=heads.masked(lambda mask: ~mask, fill=-1e9),
    mask_added_inverted_1e9=heads.added_to_scores(lambda mask: mask * -1e9),
    mask_as_of_examples=heads.masked(lambda mask: mask.unsqueeze(1)),
    mask_of_matrices_only=heads.masked(lambda mask: mask if mask.dim() == 2 else mask | True),
    mask_required=lambda q, k, v, mask=None: attend(q, k, v, ~~mask),
    mask_as_a_truth=lambda q, k, v, mask=None: attend(q, k, v, mask if mask else None),
    mask_as_an_index=heads.mask_as_an_index,
    mask_with_another_axis=heads.masked(lambda mask: mask.unsqueeze(1) if mask.dim() == 3 else mask),
    causal_without_mask=heads.ATTENTIONS["causal_without_a_mask"],
    added_too_little=added(lambda mask: (~mask).float() * -1000),
    mask_multiplied=functools.partial(attend, fill=0.0),
    mask_added_as_number=added(lambda mask: mask),
    mask_added_inverted=added(lambda mask: ~mask),
    fill_1=functools.partial(attend, fill=-1.0),
    fill_too_high=functools.partial(attend, fill=-100.0),
    fill_1e9=functools.partial(attend, fill=-1e9),
    additive_inf_times_zero=added(lambda mask: (~mask).float() * -math.inf),
    additive_inf_times_zero_in_float32=heads.added_to_scores(lambda mask: ~mask * -math.inf),
    mask_transposed=heads.masked(lambda mask: mask.transpose(-2, -1)),
    mask_of_first_example=heads.masked(lambda mask: mask if mask.dim() < 3 else mask[:1]),
    mask_of_first_head=heads.masked(lambda mask: mask if mask.dim() < 4 else mask[:, :1]),
    forces_float32=lambda q, k, v, mask=None: attend(q.float(), k.float(), v.float(), mask),
)
