"""Hidden suite for attention in columns, and for masks that nn.MultiheadAttention understands.

Not in the bank, because the values cannot tell: computing with rows inside and transposing at the end (that is right),
and key^T query against query^T key where softmax and product follow suit.
"""

import math

import torch
from hidden.lib import masking
from hidden.lib.attention import attend, power_first_in_brackets, scores_of
from hidden.lib.attention import causal as triangle

from grader.suites import Text, error_bound, expect, expect_close, facts, laws, misconceptions, points


@error_bound("column_attention")
def column_attention_bound(x, w_q, w_k, w_v, causal=False):
    # A projection is a sum of D products of numbers that may have been rounded to float32: off by (D / 2 + 3) |W||x|.
    # A score takes over these errors of q and k, times the other, and its own: Dh products, scaled, reach = |k|^T|q| /
    # sqrt(Dh). Softmax multiplies them by the weight, adds their average and its own (|score| + |maximum| + T + 8).
    # The output adds T products of weights and values, which are off themselves.
    slack = x.shape[0] / 2 + 3
    q, k, v = (w @ x for w in (w_q, w_k, w_v))
    q_off, k_off, v_off = (slack * w.abs() @ x.abs() for w in (w_q, w_k, w_v))
    root = math.sqrt(len(q))
    scores, reach = k.T @ q / root, k.T.abs() @ q.abs() / root
    off = (k_off.T @ q.abs() + k.T.abs() @ q_off) / root + (len(q) / 2 + 5) * reach
    if causal:
        future = torch.ones_like(scores, dtype=torch.bool).tril(-1)
        scores, reach, off = scores.masked_fill(future, -math.inf), reach.masked_fill(future, 0), off.triu()
    weights = scores.softmax(0)
    off = off + reach.amax(0)
    units = weights * (off + (weights * off).sum(0) + len(scores) + 8)
    return v.abs() @ (units + (len(scores) + 4) * weights) + v_off @ weights


def inputs(make, d=6, t=7, dh=3, dv=8):
    """Tokens as columns, and three projections."""
    return (
        make.normal(d, t).clamp(-1.5, 1.5),
        make.normal(dh, d, scale=0.6),
        make.normal(dh, d, scale=0.6),
        make.normal(dv, d),
    )


def one_channel(make):
    """Four numbers as tokens, whose scores are their products once divided by 4: bfloat16 tells that from other scales.

    Nothing cancels in these scores, so that little is lost to rounding.
    """
    x, ones = make.tensor([[0.5, 2, 1, 1.5]]), make.tensor(torch.ones(16, 1))
    return x, ones / 4, ones, make.tensor([[3.0], [-2]])


@points(1.25)
def test_definition(matches_reference, make, dtype):
    """Column t of the output is the mix of values that query t asks for: V softmax(K^T Q / sqrt(Dh))."""
    matches_reference.column_attention(*inputs(make, d=2, t=2, dh=1, dv=3))
    matches_reference.column_attention(*inputs(make, d=3, t=4, dh=2, dv=5))
    matches_reference.column_attention(*one_channel(make))
    for _ in range(3):
        matches_reference.column_attention(*inputs(make))


@points(1)
def test_causal(matches_reference, make, dtype):
    """With causal=True a query attends to itself and to what comes before it; the future gets no weight."""
    matches_reference.column_attention(*inputs(make, d=2, t=2, dh=1, dv=3), causal=True)
    matches_reference.column_attention(*inputs(make, d=3, t=4, dh=2, dv=5), causal=True)
    matches_reference.column_attention(*one_channel(make), causal=True)
    for _ in range(3):
        matches_reference.column_attention(*inputs(make), causal=True)


@points(0.6)
def test_same_as_rows(student, notes_values, make):
    """The transposed result is the attention of rows, and exchanging two tokens exchanges their outputs."""
    for d, t, dh, dv in ((2, 3, 4, 1), (5, 4, 3, 2)):
        x, *weights = inputs(make, d=d, t=t, dh=dh, dv=dv)
        result = student.column_attention(x, *weights)
        due = attend(*((w @ x).T for w in weights))[0].T.to(result.device)
        expect_close(result, due, 1e-4, "it is not the transpose of the attention of rows")
        other = student.column_attention(x.flip(1), *weights)
        expect_close(other.flip(1), result, 1e-4, "reversing the tokens does not reverse the outputs")
        notes_values.column_attention(x, *weights)


@points(0.75)
def test_blind_to_the_future(student, notes_values, make):
    """With causal=True a change of later tokens changes no earlier output, and the first token gets its own value."""
    for t in (2, 5):
        x, w_q, w_k, w_v = inputs(make, t=t)
        before = student.column_attention(x, w_q, w_k, w_v, causal=True)
        first = (w_v @ x)[:, 0].to(before.device)
        expect_close(before[:, 0], first, 1e-4, "the first token does not get its own value")
        for seen in range(1, t):
            changed = torch.cat([x[:, :seen], make.normal(len(x), t - seen)], 1)
            after = student.column_attention(changed, w_q, w_k, w_v, causal=True)
            said = Text("the outputs of the first {seen} tokens change with later ones").format(seen=seen)
            expect_close(after[:, :seen], before[:, :seen], 1e-4, said)
        notes_values.column_attention(x, w_q, w_k, w_v, causal=True)


@points(0.5)
def test_special_sizes(matches_reference, make):
    """One token, sizes of 1 and equal sizes work too."""
    for d, t, dh, dv in (
        (4, 4, 4, 4),
        (2, 3, 3, 3),
        (3, 3, 2, 3),
        (5, 2, 5, 5),
        (3, 1, 2, 4),
        (4, 3, 1, 2),
        (1, 1, 1, 1),
    ):
        matches_reference.column_attention(*inputs(make, d=d, t=t, dh=dh, dv=dv))
        matches_reference.column_attention(*inputs(make, d=d, t=t, dh=dh, dv=dv), causal=True)


@points(0.5)
def test_scores_far_from_zero(student, make, dtype):
    """Scores in the thousands work too: visible ones, large or small, and hidden ones larger than all others."""
    w_v, queries = make.normal(4, 3), make.tensor([[40.0] * 3] * 6)
    for keys, seen in (((-1, 0, 1), [0, 1, 2]), ((1, -1, 0), [0, 0, 0]), ((0, 1, -1), [0, 1, 1])):
        w_k = make.tensor([[masking.SIDE * sign for sign in keys]] * 6)
        for causal, chosen in ((False, [keys.index(1)] * 3), (True, seen)):
            found = student.column_attention(make.tensor(torch.eye(3)), queries, w_k, w_v, causal)
            said = "causal={causal}: the tokens do not get the values of the tokens {chosen}, which outweigh all others"
            expect_close(found, w_v[:, chosen].to(found.device), 1e-5, said, causal=causal, chosen=chosen)


@points(1)
def test_mha_mask(matches_reference, make):
    """For nn.MultiheadAttention True means "may not attend": what may be seen becomes False."""
    for shape in ((2, 3), (3, 3), (5, 7), (1, 2)):
        matches_reference.to_mha_mask(make.mask(*shape))


@points(0.75)
def test_mha_mask_of_heads(matches_reference, make):
    """A mask for each head of each example gets one axis for both: all heads of example 0 first."""
    for shape in ((2, 3, 4, 5), (2, 2, 3, 3), (1, 2, 2, 3), (3, 1, 2, 4), (2, 3, 4, 4)):
        matches_reference.to_mha_mask(make.mask(*shape))


@points(0.75)
def test_mha_obeys(student, notes_values, make):
    """nn.MultiheadAttention, given the translated mask, gives weight to exactly the keys that may be attended to."""
    for b, h, t in ((1, 1, 2), (2, 3, 4)):
        with torch.random.fork_rng(devices=[]):
            attention = torch.nn.MultiheadAttention(2 * h, h, batch_first=True)
        x, mask = make.normal(b, t, 2 * h), make.mask(b, h, t, t)
        for given in (mask[0, 0], mask):
            translated = student.to_mha_mask(given).cpu()
            _, weights = attention(x, x, x, attn_mask=translated, average_attn_weights=False)
            seen = given.expand(weights.shape)
            expect(~weights.isnan() & ((weights == 0) | seen), "it gives weight to a key that may not be attended to")
            expect((weights > 0) | ~seen, "a key that may be attended to gets no weight")
        notes_values.to_mha_mask(mask)


def tokens(ask, make):
    ask.column_attention(*inputs(make, d=4, t=5, dh=2, dv=3))
    ask.column_attention(*inputs(make), causal=True)
    ask.column_attention(*inputs(make, t=3), causal=True)
    ask.column_attention(*inputs(make, d=1, t=1, dh=1, dv=1))


def examples(ask, make):
    tokens(ask, make)
    ask.to_mha_mask(make.mask(3, 5))
    ask.to_mha_mask(make.mask(2, 3, 4, 5))
    ask.to_mha_mask(make.mask(1, 3))


def of_length(ask, make, n):
    ask.column_attention(*inputs(make, d=3, t=n), causal=True)
    ask.to_mha_mask(make.mask(2, 2, 3, n))


LAWS = laws.all(
    examples, of_length, gradient=(0.6, tokens), memory_layout=0.3, inputs_unchanged=0.3, device=0.4,
    remembers_nothing=0.15,
)  # fmt: skip


@facts("column_attention")
def seen(output, x, w_q, w_k, w_v, causal=False):
    due = columns()(x, w_q, w_k, w_v, causal)
    wrong = ((output - due).abs() > 1e-3 * (1 + due.abs())).any(0)
    if bool(wrong.any()) and not bool(wrong.all()):
        places = wrong.nonzero().flatten().tolist()
        yield Text("only the outputs of the tokens {places} are wrong").format(places=places)
    if x.shape[1] > 1 and bool(due.diff(dim=1).abs().amax() > 1e-2) and bool((output.diff(dim=1).abs() < 1e-4).all()):
        yield Text("all tokens get the same output")
    if causal and not torch.allclose(output[:, 0], (w_v @ x)[:, 0], atol=1e-3):
        yield Text("the first token does not get its own value")


@facts("to_mha_mask")
def seen_in_mask(translated, mask):
    wrong = (translated == mask.reshape(translated.shape)).flatten(0, -3).any((-2, -1)) if mask.dim() > 2 else []
    places = [i for i, is_wrong in enumerate(wrong) if is_wrong]
    if places and len(places) < len(wrong):
        yield Text("only the masks at {places} of the first axis are wrong").format(places=places)


def columns(seen=lambda t: triangle(t, t), change=lambda q, k, v: (q, k, v), result=lambda y: y.T, **places):
    """Attention of columns, computed in rows; `places` are those of `attend`.

    seen: which keys the queries see where causal, [queries, keys]. change: what becomes of queries, keys and values.
    """

    def attention(x, w_q, w_k, w_v, causal=False):
        mask = seen(x.shape[1]).to(x.device) if causal else None
        return result(attend(*change(*((w @ x).T for w in (w_q, w_k, w_v))), mask, **places)[0])

    return attention


def given(change):
    """The right attention of changed inputs, `change(x, w_q, w_k, w_v)`."""
    return lambda x, w_q, w_k, w_v, causal=False: columns()(*change(x, w_q, w_k, w_v), causal)


def weighed(weights_of):
    """Attention whose weights, [queries, keys], are `weights_of(scores, seen)`."""

    def attention(x, w_q, w_k, w_v, causal=False):
        scores = scores_of((w_q @ x).T, (w_k @ x).T)
        seen = triangle(*scores.shape) if causal else torch.ones(scores.shape, dtype=torch.bool)
        return w_v @ x @ weights_of(scores, seen.to(x.device)).T

    return attention


def raw_exponentials(scores, seen):
    return scores.exp() * seen / (scores.exp() * seen).sum(-1, keepdim=True)


def scaled_in_place(x, w_q, w_k, w_v, causal=False):
    w_q /= math.sqrt(len(w_q))
    return columns(scale=1.0)(x, w_q, w_k, w_v, causal)


def always_causal(x, w_q, w_k, w_v, causal=False):
    return columns()(x, w_q, w_k, w_v, True)


COLUMNS = misconceptions(
    "column_attention",
    softmax_over_queries=columns(dim=-2),
    row_weights_not_transposed=weighed(lambda scores, seen: scores.masked_fill(~seen, -math.inf).softmax(-1).T),
    row_weights_and_other_triangle=weighed(lambda scores, seen: scores.masked_fill(~seen.T, -math.inf).softmax(-1).T),
    scores_and_triangle_of_rows=weighed(lambda scores, seen: scores.masked_fill(~seen, -math.inf).softmax(0).T),
    scores_transposed=columns(change=lambda q, k, v: (k, q, v)),
    other_triangle=columns(lambda t: triangle(t, t).T),
    hides_itself=columns(lambda t: triangle(t, t, -1)),
    sees_one_future=columns(lambda t: triangle(t, t, 1)),
    causal_ignored=columns(lambda t: triangle(t, t, t)),
    always_causal=always_causal,
    causal_unless_told=lambda x, w_q, w_k, w_v, causal=True: columns()(x, w_q, w_k, w_v, causal),
    hidden_after_softmax=weighed(lambda scores, seen: scores.softmax(-1) * seen),
    hidden_scores_zero=columns(fill=0.0),
    triangle_times_infinity=weighed(
        lambda scores, seen: (scores if bool(seen.all()) else scores + (~seen).float() * -math.inf).softmax(-1)
    ),
    fill_too_high=columns(fill=-100.0),
    fill_1e9=columns(fill=-1e9),
    raw_exponentials=weighed(raw_exponentials),
    no_scale=columns(scale=1.0),
    scale_dh=columns(scale=lambda q, k, v: 1 / q.shape[-1]),
    scale_d=lambda x, w_q, w_k, w_v, causal=False: columns(scale=len(x) ** -0.5)(x, w_q, w_k, w_v, causal),
    scale_t=columns(scale=lambda q, k, v: len(q) ** -0.5),
    scale_dv=columns(scale=lambda q, k, v: v.shape[-1] ** -0.5),
    scale_integer_root=columns(scale=lambda q, k, v: 1 / math.isqrt(q.shape[-1])),
    scale_power_first_in_brackets=columns(scale=power_first_in_brackets),
    result_in_rows=columns(result=lambda y: y),
    squeezed=columns(result=lambda y: y.T.squeeze()),
    projections_transposed=given(lambda x, w_q, w_k, w_v: (x, w_q.T, w_k.T, w_v.T)),
    values_not_projected=lambda x, w_q, w_k, w_v, causal=False: columns(change=lambda q, k, v: (q, k, x.T))(
        x, w_q, w_k, w_v, causal
    ),
    keys_from_w_q=given(lambda x, w_q, w_k, w_v: (x, w_q, w_q, w_v)),
    keys_serve_as_values=given(lambda x, w_q, w_k, w_v: (x, w_q, w_k, w_k)),
    scaled_in_place=scaled_in_place,
    weights_detached=weighed(lambda scores, seen: scores.masked_fill(~seen, -math.inf).softmax(-1).detach()),
    no_gradient=given(lambda *tensors: [t.detach() for t in tensors]),
    forces_float32=given(lambda *tensors: [t.float() for t in tensors]),
)


def merged(mask):
    """[T_q, T_kv] as it is, [B, H, T_q, T_kv] as [B * H, T_q, T_kv]."""
    return mask if mask.dim() == 2 else mask.flatten(0, 1)


MASKS = misconceptions(
    "to_mha_mask",
    mask_unchanged=lambda mask: merged(mask).clone(),
    mask_as_bias=lambda mask: torch.zeros(merged(mask).shape, device=mask.device).masked_fill(~merged(mask), -math.inf),
    mask_as_numbers=lambda mask: 1 - merged(mask).int(),
    mask_transposed=lambda mask: ~merged(mask).mT,
    heads_not_merged=lambda mask: ~mask,
    heads_before_examples=lambda mask: ~merged(mask if mask.dim() == 2 else mask.transpose(0, 1)),
    one_head_only=lambda mask: ~(mask if mask.dim() == 2 else mask[:, 0]),
    first_example_only=lambda mask: ~(mask if mask.dim() == 2 else mask[0]),
    mask_viewed=lambda mask: ~(mask if mask.dim() == 2 else mask.view(-1, *mask.shape[2:])),
    mask_changed_in_place=lambda mask: merged(mask.logical_not_()),
)
