"""Hidden suite for what keeps scores in bounds: QK-norm, a soft cap, a sink."""

import functools
import math

import torch
from hidden.lib import masking
from hidden.lib.attention import causal

from grader.suites import dtypes, error_bound, expect, expect_close, laws, misconceptions, points

LETS_PASS = {"input_scaled_in_bfloat16 of qk_norm_scores": "the length of q makes no difference, beside eps"}


@error_bound("qk_norm_scores")
def norm_bound(q, k, q_gain, k_gain, eps=1e-6):
    # As in rms_norm, each normalised vector is off by (Dh / 4 + 8) eps of itself; the product sums Dh terms, and the
    # result is scaled and rounded.
    dh = q.shape[-1]
    reach = (normed(q, eps) * q_gain).abs() @ (normed(k, eps) * k_gain).abs().mT / math.sqrt(dh)
    return reach * (2 * (dh / 4 + 8) + dh / 2 + 4)


@error_bound("soft_cap")
def cap_bound(scores, cap):
    # The quotient, tanh and the product round once each, and tanh never has a slope above 1. Made from exponentials,
    # tanh is off by as much near 0 as near 1.
    return 4 * scores.abs().clamp(max=cap) + 4 * cap * (scores.abs() > 0)


@error_bound("sink_softmax")
def sink_bound(scores, sink, mask=None):
    # Each exponent is a difference from the largest score of the row, or from the logarithm of the sum: it is off by
    # eps (|score| + 4 M), M the largest size of what can be seen; the average of the row's errors comes back through
    # the sum, which has T_kv terms.
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.expand(scores.shape)
    sizes = scores.abs().masked_fill(hidden, 0.0)
    exponents = sizes + 4 * torch.maximum(sizes.amax(-1, keepdim=True), sink.abs()[:, None, None])
    weights = with_sink(scores, sink, mask)
    return weights * (exponents + (weights * exponents).sum(-1, keepdim=True) + scores.shape[-1] + 12)


def pairs(make, *lead, t_q=5, t_kv=7, dh=6):
    """Queries, keys and their gains; entries beside which an eps of 1e-6 does not show."""
    q, k = make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh)
    return q + 1.5 * q.sign(), k + 1.5 * k.sign(), make.normal(dh), make.normal(dh)


def rows(make, *lead, heads=3, t_q=5, t_kv=7, scale=2.0):
    """Scores and a sink for each head."""
    return make.normal(*lead, heads, t_q, t_kv, scale=scale), make.normal(heads, scale=scale)


@points(1.4)
@dtypes("float32", "float64")
def test_qk_norm(matches_reference, make, dtype):
    """Queries and keys are brought to the root mean square 1 and multiplied by their gains, then compared and
    scaled.
    """
    matches_reference.qk_norm_scores(*pairs(make, t_q=2, t_kv=3, dh=4))
    matches_reference.qk_norm_scores(*pairs(make))
    matches_reference.qk_norm_scores(*pairs(make, 2, dh=9))
    matches_reference.qk_norm_scores(*pairs(make, 2, 3, t_q=4, t_kv=4))
    matches_reference.qk_norm_scores(*pairs(make, 2, 1, 3))


@points(0.5)
def test_lengths_do_not_count(student, matches_reference, make):
    """A query or key that is ten times as long changes nothing, and without gains no score exceeds the root of Dh."""
    for lead, dh in (((), 6), ((2, 3), 9)):
        q, k, q_gain, k_gain = pairs(make, *lead, dh=dh)
        scores = student.qk_norm_scores(q, k, q_gain, k_gain)
        said = "scores change with the lengths of queries or keys"
        expect_close(student.qk_norm_scores(10 * q, k, q_gain, k_gain), scores, 1e-3, said)
        expect_close(student.qk_norm_scores(q, 10 * k, q_gain, k_gain), scores, 1e-3, said)
        ones = torch.ones(dh, dtype=make.dtype)
        most = student.qk_norm_scores(q, k, ones, ones).abs().max()
        expect(not most.isnan(), "a score is NaN")
        expect(most <= math.sqrt(dh) * 1.001, "a score is larger than the root of Dh")
        matches_reference.qk_norm_scores(q, k, q_gain, k_gain)


@points(0.5)
def test_eps(matches_reference, make):
    """eps stands under the root, beside the mean of the squares; vectors of zeros give scores of 0."""
    for eps in (0.5, 3.0, 1e-2, 0.0):
        matches_reference.qk_norm_scores(*pairs(make, 2, t_q=3, t_kv=4), eps)
        matches_reference.qk_norm_scores(*pairs(make, t_q=1, t_kv=3), eps=eps)
    q, k, q_gain, k_gain = pairs(make)
    q[1] = 0
    matches_reference.qk_norm_scores(q, k, q_gain, k_gain)
    matches_reference.qk_norm_scores(1e-3 * q, k, q_gain, k_gain)


@points(0.5)
@dtypes("float16", "bfloat16")
def test_large_entries(matches_reference, make, dtype):
    """Entries whose squares do not fit into float16 work too."""
    for size, t_kv in ((1.0, 4), (300.0, 4), (8000.0, 4), (300.0, 300)):
        q, k, q_gain, k_gain = pairs(make, 2, t_q=3, t_kv=t_kv, dh=4)
        matches_reference.qk_norm_scores(size * q, size * k, q_gain, k_gain)


@points(1.4)
@dtypes("float32", "float64")
def test_soft_cap(matches_reference, make, dtype):
    """The result is cap * tanh(scores / cap), for any shape and any cap above 0."""
    for shape in ((4,), (5, 5), (2, 1, 4), (1, 3, 1), (2, 3, 1, 2, 4)):
        for cap in (2.0, 0.5, 50.0, 3):
            matches_reference.soft_cap(make.normal(*shape, scale=2 * cap), cap)
    matches_reference.soft_cap(make.tensor(-1.5), 2.0)


@points(0.5)
def test_cap_laws(student, notes_values, make):
    """Whatever the scores, also in the thousands, the results stay within the cap and keep their order."""
    for cap in (1.5, 20.0):
        scores = make.tensor([-5000.0, -3 * cap, -cap, -0.1 * cap, 0.0, 0.2 * cap, cap, 2 * cap, 4000.0])
        found = student.soft_cap(scores, cap)
        expect(not found.isnan().any(), "a score becomes NaN")
        expect((found.abs() <= cap * 1.0001).all(), "a score exceeds the cap")
        expect((found.diff() > 0).all(), "a larger score does not give a larger result")
        notes_values.soft_cap(scores, cap)


@points(0.2)
def test_cap_refused(raises_value_error, notes_values, make):
    """A cap of 0 or below is refused with ValueError."""
    for cap in (-1.0, -30.0, 0.0):
        raises_value_error.soft_cap(make.normal(3), cap)
    notes_values.soft_cap(make.tensor([-1.0, 0.02, 2.0]), 0.1)


@points(1.5)
@dtypes("float32", "float64")
def test_sink(matches_reference, make, dtype):
    """Each row has one more score, that of its head's sink; only the weights of the keys are returned."""
    matches_reference.sink_softmax(*rows(make, heads=2, t_q=1, t_kv=3))
    matches_reference.sink_softmax(*rows(make))
    matches_reference.sink_softmax(*rows(make, 2))
    matches_reference.sink_softmax(*rows(make, 2, 2, heads=4, t_q=3))


@points(0.9)
def test_sink_mask(student, matches_reference, make):
    """Hidden keys have no weight, however the mask broadcasts; where nothing can be seen all weights are 0."""
    matches_reference.sink_softmax(*rows(make, t_q=4, t_kv=4), causal(4, 4))
    for mask in masking.drawn(make, 2, 3, t_q=5, t_kv=7):
        matches_reference.sink_softmax(*rows(make, 2), mask)
    dead = masking.with_dead_rows(make.mask(5, 7), 0, 3)
    weights = student.sink_softmax(*rows(make, 2), dead)
    expect_close(weights[..., [0, 3], :], 0.0, 1e-12, "a row that sees nothing has weights")
    matches_reference.sink_softmax(*rows(make), dead)


@points(0.5)
def test_sink_laws(student, notes_values, make):
    """Adding one number to scores and sink changes nothing; the sink takes the rest of a row, and nothing if it is far
    below.
    """
    for lead in ((), (2,)):
        scores, sink = rows(make, *lead)
        weights = student.sink_softmax(scores, sink)
        said = "adding 3 to all scores and sinks changes the weights"
        expect_close(student.sink_softmax(scores + 3, sink + 3), weights, 1e-4, said)
        rest = 1 / (1 + (scores.double() - sink.double()[:, None, None]).exp().sum(-1))
        expect_close(1 - weights.sum(-1), rest, 1e-4, "1 minus the sum of a row is not the sink's share")
        said = "with a sink of -1000 it is not plain softmax"
        expect_close(student.sink_softmax(scores, sink * 0 - 1000), scores.softmax(-1), 1e-5, said)
        notes_values.sink_softmax(scores, sink)


@points(0.5)
def test_sink_far_from_zero(matches_reference, make):
    """Scores and sinks in the thousands work too, whichever are larger."""
    scores, sink = rows(make, 2)
    for high, low in ((3000.0, 3000.0), (-4000.0, -4000.0), (2000.0, -2000.0), (-1000.0, 1500.0)):
        matches_reference.sink_softmax((scores + high).round(), (sink + low).round())
    mask = make.mask(5, 7)
    matches_reference.sink_softmax(scores + 3000 * ~mask, sink, mask)
    matches_reference.sink_softmax((scores - 4000).round(), (sink - 4000).round(), mask)
    matches_reference.sink_softmax((scores - 9990).round(), (sink - 9990).round(), mask)
    matches_reference.sink_softmax(scores - 2000, sink - 3000, mask)


@points(0.3)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and equal sizes work too."""
    for heads, t_q, t_kv in ((1, 1, 1), (3, 3, 3), (1, 4, 2), (4, 1, 4), (2, 2, 1)):
        matches_reference.sink_softmax(*rows(make, heads=heads, t_q=t_q, t_kv=t_kv))
        matches_reference.sink_softmax(*rows(make, heads, heads=heads, t_q=t_q, t_kv=t_kv), make.mask(t_q, t_kv))
    for mask in masking.alike(make, 3):
        matches_reference.sink_softmax(*rows(make, 3, heads=3, t_q=3, t_kv=3), mask)
    for t_q, t_kv, dh in ((1, 1, 1), (3, 3, 3), (1, 4, 2), (2, 1, 5)):
        matches_reference.qk_norm_scores(*pairs(make, t_q=t_q, t_kv=t_kv, dh=dh))


def examples(ask, make):
    ask.qk_norm_scores(*pairs(make, 2, t_q=3, t_kv=4))
    ask.soft_cap(make.normal(2, 5, scale=3.0), 2.0)
    ask.soft_cap(make.normal(4, scale=3.0), 2.0)
    ask.sink_softmax(*rows(make, t_q=2, t_kv=4))
    ask.sink_softmax(*rows(make, 2), make.mask(5, 7))
    ask.qk_norm_scores(*pairs(make, 2, 1, 3, t_q=1), eps=0.01)
    ask.soft_cap(make.normal(2, 3, 1, 2, 4, scale=3.0), 2.0)
    ask.sink_softmax(*rows(make, 1, t_q=1))


def of_length(ask, make, n):
    ask.qk_norm_scores(*pairs(make, 1, t_q=2, t_kv=n))
    ask.soft_cap(make.normal(1, n, scale=3.0), 2.0)
    ask.sink_softmax(*rows(make, heads=2, t_q=2, t_kv=n))


def examples_and_far_sinks(ask, make):
    examples(ask, make)
    scores, sink = rows(make, t_q=2, t_kv=4)
    ask.sink_softmax(scores, sink + 1000)
    ask.sink_softmax(scores, sink - 1000)


LAWS = laws.all(
    examples, of_length, gradient=(0.6, examples_and_far_sinks), device=0.2, memory_layout=0.1, inputs_unchanged=0.1,
    keywords=0.05, every_dtype=(0.1, examples, laws.quiet),
)  # fmt: skip


def normed(x, eps):
    """The root mean square of each vector is 1."""
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)


def product(
    q, k, q_gain, k_gain, eps=1e-6, *, of_q=normed, of_k=normed, power=-0.5, wide=True,
    gains=lambda q_gain, k_gain: (q_gain, k_gain), done=lambda scores: scores,
):  # fmt: skip
    """Scores with QK-norm, right unless a place to go wrong is used."""
    dtype = torch.promote_types(q.dtype, torch.float32) if wide else q.dtype
    by_q, by_k = gains(q_gain, k_gain)
    scores = (of_q(q.to(dtype), eps) * by_q) @ (of_k(k.to(dtype), eps) * by_k).mT
    return done(scores * q.shape[-1] ** power).to(q.dtype)


def eps_outside(x, eps):
    return x / (x.square().mean(-1, keepdim=True).sqrt() + eps)


def products(**wrong):
    return functools.partial(product, **wrong)


def norms(rule):
    """The same wrong rule for queries and keys."""
    return products(of_q=rule, of_k=rule)


def capped(bend, refused=lambda cap: cap <= 0):
    """The cap by this function of scores and cap."""

    def cap_scores(scores, cap):
        if refused(cap):
            raise ValueError("cap")
        return bend(scores, cap)

    return cap_scores


def bent(scores, cap):
    return cap * torch.tanh(scores / cap)


def with_sink(
    scores, sink, mask=None, *, beside=lambda sink: sink[:, None, None], fill=-math.inf, dim=-1, kept=slice(-1),
    visible=lambda mask: mask, finished=lambda weights: weights,
):  # fmt: skip
    """Softmax with a sink, right unless a place to go wrong is used."""
    if mask is not None:
        scores = scores.masked_fill(~visible(mask), fill)
    extra = beside(sink).expand(*scores.shape[:-1], 1)
    return finished(torch.cat([scores, extra], -1).softmax(dim)[..., kept])


def sinks(**wrong):
    return functools.partial(with_sink, **wrong)


def denominator(added, largest=lambda scores, sink: torch.maximum(scores.amax(-1, keepdim=True), sink)):
    """exp(score) over their sum and what is `added` for the sink."""

    def weights(scores, sink, mask=None):
        sink = sink[:, None, None]
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        top = largest(scores, sink)
        e = (scores - top).exp()
        return e / (e.sum(-1, keepdim=True) + added(sink, top))

    return weights


def sink_hidden(scores, sink, mask=None):
    """With a mask the sink is hidden as well."""
    return with_sink(scores, sink if mask is None else sink * 0 - math.inf, mask)


def masked_afterwards(scores, sink, mask=None):
    weights = with_sink(scores, sink)
    return weights if mask is None else weights * mask


def no_top(scores, sink):
    return torch.zeros_like(sink)


KNOWN = [
    *misconceptions(
        "qk_norm_scores",
        unit_length=norms(lambda x, eps: x / (x.norm(dim=-1, keepdim=True) + eps)),
        unit_length_without_eps=norms(lambda x, eps: x / x.norm(dim=-1, keepdim=True)),
        sum_for_mean=norms(lambda x, eps: x * torch.rsqrt(x.square().sum(-1, keepdim=True) + eps)),
        mean_subtracted=norms(lambda x, eps: normed(x - x.mean(-1, keepdim=True), eps)),
        over_tokens=norms(lambda x, eps: x * torch.rsqrt(x.square().mean(-2, keepdim=True) + eps)),
        root_missing=norms(lambda x, eps: x / (x.square().mean(-1, keepdim=True) + eps)),
        eps_outside=norms(eps_outside),
        eps_outside_in_half=products(of_q=eps_outside, of_k=eps_outside, wide=False),
        eps_ignored=norms(lambda x, eps: normed(x, 1e-6)),
        queries_only=products(of_k=lambda x, eps: x),
        keys_only=products(of_q=lambda x, eps: x),
        not_normalised=norms(lambda x, eps: x),
        gains_left_out=products(gains=lambda q_gain, k_gain: (1.0, 1.0)),
        gain_of_keys_left_out=products(gains=lambda q_gain, k_gain: (q_gain, 1.0)),
        gain_of_queries_for_both=products(gains=lambda q_gain, k_gain: (q_gain, q_gain)),
        gain_of_keys_for_both=products(gains=lambda q_gain, k_gain: (k_gain, k_gain)),
        gain_plus_one=products(gains=lambda q_gain, k_gain: (1 + q_gain, 1 + k_gain)),
        gain_before_the_norm=lambda q, k, q_gain, k_gain, eps=1e-6: product(
            q * q_gain, k * k_gain, torch.ones_like(q_gain), torch.ones_like(k_gain), eps
        ),
        no_scale=products(power=0.0),
        scale_d=products(power=-1.0),
        scale_integer_root=lambda q, k, q_gain, k_gain, eps=1e-6: product(
            q, k, q_gain * math.sqrt(q.shape[-1]) / math.isqrt(q.shape[-1]), k_gain, eps
        ),
        weights_already=products(done=lambda scores: scores.softmax(-1)),
        computed_in_half=products(wide=False),
    ),
    *misconceptions(
        "soft_cap",
        clamped=capped(lambda scores, cap: scores.clamp(-cap, cap)),
        not_multiplied_back=capped(lambda scores, cap: torch.tanh(scores / cap)),
        not_divided=capped(lambda scores, cap: cap * torch.tanh(scores)),
        multiplied_by_the_cap=capped(lambda scores, cap: cap * torch.tanh(scores * cap)),
        by_exponentials=capped(lambda s, cap: cap * ((2 * s / cap).exp() - 1) / ((2 * s / cap).exp() + 1)),
        divided_only=capped(lambda scores, cap: scores / cap),
        sigmoid=capped(lambda scores, cap: cap * torch.sigmoid(scores / cap)),
        sigmoid_on_both_sides=capped(lambda scores, cap: cap * torch.tanh(scores / cap / 2)),
        softsign=capped(lambda scores, cap: scores / (1 + scores.abs() / cap)),
        above_only=capped(lambda scores, cap: torch.where(scores > 0, bent(scores, cap), scores)),
        cap_not_checked=capped(bent, lambda cap: False),
        cap_of_0_accepted=capped(bent, lambda cap: cap < 0),
    ),
    *misconceptions(
        "sink_softmax",
        sink_ignored=lambda scores, sink, mask=None: with_sink(scores, sink * 0 - math.inf, mask),
        sink_of_0=sinks(beside=lambda sink: 0 * sink[:, None, None]),
        sink_not_exponentiated=denominator(lambda sink, top: sink * (-top).exp()),
        sink_unshifted=denominator(lambda sink, top: sink.exp()),
        sink_unshifted_by_the_scores=denominator(
            lambda sink, top: sink.exp(), lambda scores, sink: scores.amax(-1, keepdim=True)
        ),
        sink_hidden=sink_hidden,
        sink_kept=sinks(kept=slice(None)),
        sink_in_front=sinks(kept=slice(1, None)),
        sink_in_front_and_last_key_lost=sinks(kept=slice(None), finished=lambda weights: weights.roll(1, -1)[..., :-1]),
        sink_added_as_it_is=denominator(
            lambda sink, top: sink, lambda scores, sink: scores.amax(-1, keepdim=True).clamp(min=-1e30)
        ),
        sink_of_head_0=sinks(beside=lambda sink: sink[:1, None, None]),
        sinks_added_up=sinks(beside=lambda sink: sink.logsumexp(0)[None, None, None]),
        mask_ignored=lambda scores, sink, mask=None: with_sink(scores, sink),
        mask_inverted=sinks(visible=lambda mask: ~mask),
        mask_after_softmax=masked_afterwards,
        hidden_at_0=sinks(fill=0.0),
        hidden_not_low_enough=sinks(fill=-1e3),
        hidden_at_minus_10000=sinks(fill=-1e4),
        softmax_over_queries=sinks(dim=-2),
        exponentials_overflow=denominator(lambda sink, top: sink.exp(), no_top),
        largest_without_the_sink=denominator(
            lambda sink, top: (sink - top).exp(), lambda scores, sink: scores.amax(-1, keepdim=True)
        ),
        sink_detached=lambda scores, sink, mask=None: with_sink(scores, sink.detach(), mask),
    ),
]
