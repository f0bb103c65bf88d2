"""Hidden suite for cross-attention.

Lengths and widths of the two sequences differ wherever nothing else is said: with equal ones most mistakes run. Some
mistakes can only be told from each other there, so equal sizes have a check of their own. Not in the bank, because
right for scores within +-5,000: filling with -1e4, which attention's suite explains.
"""

import functools
import math

import torch
from hidden.lib import heads, masking
from hidden.lib.arguments import detached, in_float32
from hidden.lib.attention import attend, causal, scores_of

from grader.suites import Text, dtypes, error_bound, expect_close, facts, laws, misconceptions, points

LEAK = 1e-6  # what a hidden key may get at most


@error_bound("cross_attention")
def cross_attention_bound(x, context, w_q, w_k, w_v, mask=None):
    # A projection is a sum of D products of numbers that may have been rounded to float32: off by (D / 2 + 3) |x||W|.
    # A score takes over these errors of q and k, times the other, and its own: Dh products, scaled, reach = |q||k|^T /
    # sqrt(Dh). Softmax multiplies them by the weight, adds their average and its own (|score| + |maximum| + T + 8).
    # The output adds T_kv products of weights and values, which are off themselves. A hidden key may keep LEAK.
    def projected(tokens, w):
        return tokens @ w, (tokens.shape[-1] / 2 + 3) * (tokens.abs() @ w.abs())

    (q, q_off), (k, k_off), (v, v_off) = projected(x, w_q), projected(context, w_k), projected(context, w_v)
    root, keys = math.sqrt(q.shape[-1]), k.shape[-2]
    scores, reach = q @ k.mT / root, q.abs() @ k.abs().mT / root
    off = (q_off @ k.abs().mT + q.abs() @ k_off.mT) / root + (q.shape[-1] / 2 + 5) * reach
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.expand(scores.shape)
    scores, reach, off = scores.masked_fill(hidden, -math.inf), reach.masked_fill(hidden, 0), off.masked_fill(hidden, 0)
    weights = scores.softmax(-1)
    off = off + reach.amax(-1, keepdim=True)
    units = weights * (off + (weights * off).sum(-1, keepdim=True) + keys + 8)
    leak = hidden * LEAK / torch.finfo(torch.float32).eps
    return (units + (keys + 4) * weights + leak) @ v.abs() + weights @ v_off


def inputs(make, b=2, t_q=3, t_kv=5, d=6, dc=4, dh=3, dv=7):
    """Random x, context and projections, so that scores are of the order of 1."""
    projections = make.normal(d, dh, scale=d**-0.5), make.normal(dc, dh, scale=dc**-0.5), make.normal(dc, dv)
    return make.normal(b, t_q, d), make.normal(b, t_kv, dc), *projections


def picking(make, t_q=4, t_kv=5):
    """The same with entries of 1 and -1, and projections that pick some of them: as exact as a dtype can have them."""

    def signs(*shape):
        return torch.where(make.mask(*shape, keep=0.5), 1.0, -1.0)

    eye = torch.eye(5)
    w_q, w_k, w_v = 2 * eye[:4, [2, 0, 3]], 2 * eye[:, [1, 3, 4]], eye[:, [4, 0, 2, 1, 3, 0]]
    return tuple(make.tensor(t) for t in (signs(2, t_q, 4), signs(2, t_kv, 5), w_q, w_k, w_v))


@points(1.65)
@dtypes("float32", "float64")
def test_definition(matches_reference, make, dtype):
    """Each token of x gets a mix of the context's values, weighted by how well its query matches the context's keys."""
    matches_reference.cross_attention(*inputs(make, b=1, t_q=2, t_kv=3, d=2, dc=3, dh=2, dv=1))
    matches_reference.cross_attention(*inputs(make, b=1, t_q=4, t_kv=2, d=3, dc=2, dh=4, dv=1))
    matches_reference.cross_attention(*inputs(make))
    matches_reference.cross_attention(*inputs(make, b=1, t_q=1, t_kv=2, d=2, dc=3, dh=1, dv=2))


@points(0.5)
@dtypes("float16", "bfloat16")
def test_half_precision(matches_reference, make, dtype):
    """Half precision gives the same outputs, up to rounding, with a mask and without."""
    for mask in (*[None] * 8, make.mask(2, 4, 5), make.mask(2, 1, 5), make.mask(4, 5)):
        matches_reference.cross_attention(*picking(make), mask=mask)


@points(1)
@dtypes("float32", "float64")
def test_mask(matches_reference, make, dtype):
    """A key of the context is seen where the mask is True and gets no weight where it is False, however it
    broadcasts.
    """
    for mask in masking.drawn(make, 2, t_q=3, t_kv=5):
        matches_reference.cross_attention(*inputs(make), mask=mask)


@points(1)
def test_laws(student, notes_values, make):
    """Each token of x gets an output that depends on no other token of x; the order of the context does not matter."""
    for t_q, t_kv in ((2, 3), (5, 4)):
        x, context, *weights = inputs(make, t_q=t_q, t_kv=t_kv)
        output = student.cross_attention(x, context, *weights)
        reordered = student.cross_attention(x, context.flip(1), *weights)
        expect_close(reordered, output, 1e-4, "reversing the context changes the output")
        last = student.cross_attention(x[:, -1:], context, *weights)
        expect_close(last, output[:, -1:], 1e-4, "a token of x gets another output without the other tokens")
        notes_values.cross_attention(x, context, *weights)


@points(0.5)
def test_one_token_of_context(matches_gradients, matches_reference, make):
    """With a context of one token, every query gets that token's value."""
    matches_reference.cross_attention(*inputs(make, b=1, t_q=2, t_kv=1))
    own = matches_gradients.wrt("context", "w_v")  # the others' are 0, but for rounding
    own.cross_attention(*inputs(make, t_kv=1))
    matches_reference.cross_attention(*inputs(make, t_kv=1), mask=torch.ones(1, 1, dtype=torch.bool))


@points(0.5)
def test_context_is_x(matches_reference, make):
    """If the context is x itself, this is self-attention."""
    for t, d in ((1, 2), (3, 4)):
        x, _, *weights = inputs(make, t_q=t, t_kv=t, d=d, dc=d)
        matches_reference.cross_attention(x, x, *weights)
        matches_reference.cross_attention(x, x, *weights, mask=torch.ones(t, t, dtype=torch.bool).tril())


@points(0.75)
def test_padding_is_never_felt(student, notes_values, make):
    """The content of the context's padding makes no difference."""
    for lengths in ((2, 5), (4, 1)):
        x, context, *weights = inputs(make)
        mask = torch.arange(5) < torch.tensor(lengths)[:, None, None]  # [B, 1, T_kv]
        output = student.cross_attention(x, context, *weights, mask=mask)
        other = student.cross_attention(x, torch.where(mask.mT, context, 3.0), *weights, mask=mask)
        expect_close(other, output, 1e-4, "the output depends on the content of the padding")
        for b, length in enumerate(lengths):
            alone = student.cross_attention(x[b : b + 1], context[b : b + 1, :length], *weights)
            expect_close(output[b], alone[0], 1e-4, "the output with padding is not the output without it")
        notes_values.cross_attention(x, context, *weights, mask=mask)


@points(0.5)
def test_sizes_that_coincide(matches_reference, make):
    """Sequences of the same length and width work too: queries still come from x, keys and values from the context."""
    matches_reference.cross_attention(*inputs(make, t_q=3, t_kv=3, d=4, dc=4, dh=4, dv=4))
    matches_reference.cross_attention(*inputs(make, b=4, t_q=6, t_kv=6, d=6, dc=6, dh=6, dv=6))
    matches_reference.cross_attention(*inputs(make, b=4, t_q=6, t_kv=6, d=6, dc=6, dh=6, dv=6), mask=make.mask(6, 6))
    matches_reference.cross_attention(*inputs(make, b=3, t_q=3, t_kv=3, d=3, dc=3, dh=3, dv=3), mask=make.mask(3, 3))
    for sizes in ({"d": 1, "dv": 1}, {"dc": 1, "dh": 1}, {"t_q": 1, "t_kv": 1, "d": 1, "dc": 1, "dh": 1, "dv": 1}):
        matches_reference.cross_attention(*inputs(make, b=1, **sizes))


@points(0.5)
@dtypes("float16", "float32")
def test_hidden_score_dwarfs_the_rest(student, matches_reference, make, dtype):
    """Scores in the thousands work too: a hidden key gets no weight even if its score is far above all visible ones."""
    eye = torch.eye(10)
    w_q, w_k, w_v = (make.tensor(w) for w in (torch.eye(6), eye[:, :6], eye[:, 6:]))
    for q, k, v, mask, seen in masking.far_from_zero(make):
        context = torch.cat([k, v], -1)[None]
        output = student.cross_attention(q[None], context, w_q, w_k, w_v, mask=mask)
        said = "the output is not the value of the visible key with by far the highest score"
        expect_close(output[0].cpu(), v[seen], 1e-3, said)
        matches_reference.cross_attention(q[None], context, w_q, w_k, w_v, mask=mask)


def examples(ask, make):
    ask.cross_attention(*inputs(make, b=1, t_q=3, t_kv=4))
    ask.cross_attention(*inputs(make))
    ask.cross_attention(*inputs(make), mask=make.mask(2, 1, 5))
    ask.cross_attention(*inputs(make), mask=make.mask(3, 5))
    ask.cross_attention(*inputs(make))


def of_length(ask, make, n):
    ask.cross_attention(*inputs(make, 1, 2, n, 2, 3, 2, 2), mask=make.mask(1, n))
    ask.cross_attention(*inputs(make, 1, n, 2, 2, 3, 2, 2))


LAWS = laws.all(
    examples, gradient=1, memory_layout=0.5, inputs_unchanged=0.4, device=0.6, remembers_nothing=0.2,
    every_dtype=(0.1, examples, laws.quiet), lengths=(0.2, of_length, 17, 65, 129),
)  # fmt: skip


@facts("cross_attention")
def seen(y, x, context, w_q, w_k, w_v, mask=None):
    due = crossed()(x, context, w_q, w_k, w_v, mask)
    yield from heads.where_wrong(y, due)
    factor = float((y * due).sum() / due.square().sum())
    if torch.allclose(y, factor * due, atol=1e-3):
        yield Text("the output is {factor:.4g} times the right one").format(factor=factor)
    if mask is not None and torch.allclose(y, crossed()(x, context, w_q, w_k, w_v), atol=1e-3):
        yield Text("the output is the one without a mask")
    values = context @ w_v
    low, high = (bound(values, 1, keepdim=True) for bound in (torch.amin, torch.amax))
    if bool(((y < low - 1e-3) | (y > high + 1e-3)).any()):
        yield Text("some outputs lie outside the values of the context, so they are no mix of them")


def crossed(attention=attend, sources=lambda x, context: (x, context, context), matrices=lambda *w: w, out=None):
    """Cross-attention, with places to go wrong."""

    def cross_attention(x, context, w_q, w_k, w_v, mask=None):
        found = [t @ w for t, w in zip(sources(x, context), matrices(w_q, w_k, w_v), strict=True)]
        output, weights = attention(*found, mask)
        return out(output, weights) if out else output

    return cross_attention


def scaled_by(size):
    """Scores divided by the root of a size of x or of the context."""

    def cross_attention(x, context, w_q, w_k, w_v, mask=None):
        return crossed(heads.scaled(size(x, context) ** -0.5))(x, context, w_q, w_k, w_v, mask)

    return cross_attention


def joined(x, context, w_q, w_k, w_v, mask=None):
    """x among the keys."""
    both = torch.cat([x, context], 1)
    if mask is not None:
        own = torch.ones(len(x), x.shape[1], x.shape[1], dtype=torch.bool, device=x.device)
        mask = mask.expand(len(x), x.shape[1], context.shape[1])
        mask = torch.cat([own, mask], -1)
    return crossed()(x, both, w_q, w_k, w_v, mask)


def joined_unmasked(x, context, w_q, w_k, w_v, mask=None):
    """x among the keys, while the mask is that of the context."""
    return crossed()(x, torch.cat([context, x], 1), w_q, w_k, w_v, mask)


def not_projected(place):
    def cross_attention(x, context, w_q, w_k, w_v, mask=None):
        parts = [x @ w_q, context @ w_k, context @ w_v]
        parts[place] = (x, context, context)[place]
        return attend(*parts, mask)[0]

    return cross_attention


def raw_exponentials(q, k, v, mask=None):
    weights = scores_of(q, k, mask).exp()
    return weights / weights.sum(-1, keepdim=True) @ v, weights


def added_in_float32(q, k, v, mask=None):
    scores = scores_of(q, k) + (0 if mask is None else (~mask) * -1000.0)
    return scores.softmax(-1) @ v, scores


def cross_attention(x, context, w_q, w_k, w_v, mask):
    """Without a default for the mask; the error says its name."""
    return crossed(lambda q, k, v, mask: attend(q, k, v, ~~mask))(x, context, w_q, w_k, w_v, mask)


def only_causal_without(q, k, v, mask=None):
    return attend(q, k, v, causal(q.shape[-2], k.shape[-2], 0).to(q.device) if mask is None else mask)


ATTENTIONS = heads.ATTENTIONS
SHARED = (
    "no_scale", "scale_integer_root", "scale_power_first", "scale_power_first_in_brackets", "softmax_over_queries",
    "mask_ignored", "mask_inverted", "mask_inverted_1e9", "mask_added_inverted_1e9", "mask_transposed",
    "mask_multiplied", "mask_added_as_number", "fill_too_high", "fill_1e9", "mask_after_softmax", "adds_causal_always",
)  # fmt: skip
KNOWN = misconceptions(
    "cross_attention",
    queries_from_context=crossed(sources=lambda x, context: (context, context, context)),
    keys_from_x=crossed(sources=lambda x, context: (x, x, context)),
    values_from_x=crossed(sources=lambda x, context: (x, context, x)),
    self_attention=crossed(sources=lambda x, context: (x, x, x)),
    roles_swapped=crossed(sources=lambda x, context: (context, x, x)),
    x_among_the_keys=joined,
    x_among_the_keys_unmasked=joined_unmasked,
    keys_and_values_swapped=crossed(matrices=lambda w_q, w_k, w_v: (w_q, w_v, w_k)),
    queries_and_keys_swapped=crossed(matrices=lambda w_q, w_k, w_v: (w_k, w_q, w_v)),
    values_serve_as_keys=crossed(matrices=lambda w_q, w_k, w_v: (w_q, w_v, w_v)),
    values_not_projected=not_projected(2),
    keys_not_projected=not_projected(1),
    queries_not_projected=not_projected(0),
    projections_transposed=crossed(matrices=lambda *w: [t.mT for t in w]),
    keys_and_values_transposed=crossed(matrices=lambda w_q, w_k, w_v: (w_q, w_k.mT, w_v.mT)),
    keys_mixed=crossed(lambda q, k, v, mask=None: attend(q, k, k, mask)),
    residual_added=lambda x, context, w_q, w_k, w_v, mask=None: x + crossed()(x, context, w_q, w_k, w_v, mask),
    mask_of_the_first_query=crossed(heads.masked(lambda mask: mask[..., :1, :])),
    **{name: crossed(ATTENTIONS[name]) for name in SHARED},
    scale_dh=crossed(ATTENTIONS["scale_d_head"]),
    scale_d=scaled_by(lambda x, context: x.shape[-1]),
    scale_context=scaled_by(lambda x, context: context.shape[-1]),
    scale_values=crossed(heads.scaled(lambda q, k, v: v.shape[-1] ** -0.5)),
    scale_tokens=scaled_by(lambda x, context: x.shape[1]),
    scale_context_tokens=scaled_by(lambda x, context: context.shape[1]),
    softmax_over_examples=crossed(functools.partial(attend, dim=0)),
    no_softmax=crossed(lambda q, k, v, mask=None: (scores_of(q, k, mask, 0.0) @ v, None)),
    weights_transposed=crossed(lambda q, k, v, mask=None: (attend(q, k, v, mask)[1].mT @ v, None)),
    scores_transposed=crossed(lambda q, k, v, mask=None: attend(k, q, v, mask)),
    matrices_only=crossed(lambda q, k, v, mask=None: torch.mm(q, k)),
    keys_reshaped=crossed(lambda q, k, v, mask=None: attend(q, k.reshape(len(k), k.shape[2], -1).mT, v, mask)),
    all_axes_turned=crossed(lambda q, k, v, mask=None: attend(q, k.permute(2, 1, 0).mT, v, mask)),
    mask_after_softmax_renormalised=crossed(heads.weighed(heads.renormalised)),
    added_too_little=crossed(heads.added_to_scores(lambda mask: (~mask).float() * -1000)),
    mask_times_infinity=crossed(heads.added_to_scores(lambda mask: (~mask).float() * -math.inf)),
    mask_of_first_example=crossed(heads.masked(lambda mask: mask if mask.dim() < 3 else mask[:1])),
    mask_with_another_axis=crossed(heads.masked(lambda mask: mask.unsqueeze(1))),
    two_dimensions_for_padding=crossed(heads.masked(lambda mask: mask.unsqueeze(1) if mask.dim() == 2 else mask)),
    mask_required=crossed(lambda q, k, v, mask=None: attend(q, k, v, ~~mask)),
    mask_as_a_truth=crossed(lambda q, k, v, mask=None: attend(q, k, v, mask if mask else None)),
    mask_as_an_index=crossed(heads.mask_as_an_index),
    causal_without_a_mask=crossed(only_causal_without),
    mask_without_default=cross_attention,
    mask_inverted_low=crossed(lambda q, k, v, mask=None: attend(q, k, v, None if mask is None else ~mask, fill=-1e4)),
    first_of_the_mask=crossed(heads.masked(lambda mask: mask[0])),
    added_too_little_in_float32=crossed(added_in_float32),
    matrices_only_t=crossed(lambda q, k, v, mask=None: torch.mm(q, k.t())),
    global_maximum=crossed(heads.global_maximum),
    raw_exponentials=crossed(raw_exponentials),
    weights_returned_too=crossed(out=lambda output, weights: (output, weights)),
    squeezed=crossed(out=lambda output, weights: output.squeeze()),
    values_detached=crossed(lambda q, k, v, mask=None: attend(q, k, v.detach(), mask)),
    weights_detached=crossed(lambda q, k, v, mask=None: (attend(q, k, v, mask)[1].detach() @ v, None)),
    forces_float32=in_float32(crossed()),
    no_gradient=detached(crossed()),
)
