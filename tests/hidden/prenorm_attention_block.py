"""Hidden suite for the pre-norm attention block.

Not in the bank, because right: W_V W_O or W_Q W_K^T multiplied beforehand, RMSNorm borrowed from PyTorch with the eps
asked for. What can go wrong inside the normalisation or inside attention is in their own suites; a few of those
mistakes are repeated here.
"""

import functools
import math

import torch
from hidden.lib import heads, masking
from hidden.lib.attention import attend, causal
from hidden.lib.precision import steady

from grader.suites import Text, dtypes, error_bound, expect_close, facts, laws, misconceptions, points

LEAK = 1e-6  # what a hidden key may get at most


@error_bound("prenorm_attention_block")
def block_bound(x, W, mask=None):
    # h is off by (D / 4 + 8) |h| (see rms_norm). A projection takes that over, times |W|, and adds its own D / 2 + 3.
    # A score takes over the errors of q and k, times the other, and its own: Dh products, scaled, reach = |q||k|^T /
    # sqrt(Dh). Softmax multiplies them by the weight, adds their average and its own (|score| + |maximum| + T + 8).
    # Mixing adds T products of weights and values, which are off themselves, W_O adds Dv; the sum is rounded once.
    # A hidden key may keep LEAK.
    w_q, w_k, w_v, w_o = W
    h = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6)

    def projected(w):
        return h @ w, (x.shape[-1] * 3 / 4 + 11) * (h.abs() @ w.abs())

    (q, q_off), (k, k_off), (v, v_off) = projected(w_q), projected(w_k), projected(w_v)
    root, keys = math.sqrt(q.shape[-1]), k.shape[-2]
    scores, reach = q @ k.mT / root, q.abs() @ k.abs().mT / root
    off = (q_off @ k.abs().mT + q.abs() @ k_off.mT) / root + (q.shape[-1] / 2 + 5) * reach
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.expand(scores.shape)
    scores, reach, off = scores.masked_fill(hidden, -math.inf), reach.masked_fill(hidden, 0), off.masked_fill(hidden, 0)
    weights = scores.softmax(-1)
    off = off + reach.amax(-1, keepdim=True)
    units = weights * (off + (weights * off).sum(-1, keepdim=True) + keys + 8)
    leak = hidden * LEAK / torch.finfo(torch.float32).eps
    mixed, mixed_off = weights @ v, (units + (keys + 4) * weights + leak) @ v.abs() + weights @ v_off
    update_off = (mixed_off + (v.shape[-1] / 2 + 4) * (weights @ v.abs())) @ w_o.abs()
    return update_off + x.abs() + (x + mixed @ w_o).abs()


def inputs(make, *lead, t=5, d=6, dh=3, dv=4):
    """Random tokens, no entry so near 0 that eps counts, and matrices, so that scores are of the order of 1."""
    W = [make.normal(d, n, scale=d**-0.5) for n in (dh, dh, dv)]
    x = make.normal(*lead, t, d, scale=2.0)
    return x + 3 * x.sign(), [*W, make.normal(dv, d)]


def large(make, *lead, **sizes):
    """The same with entries around +-300, and updates as large."""
    x, (*W, w_o) = inputs(make, *lead, **sizes)
    return x + 300 * x.sign(), [*W, w_o * 200]


@points(1.9)
def test_definition(matches_reference, make, dtype):
    """The output is x plus attention over the normalised tokens, brought back to D channels by W_O."""
    make = steady(make)
    for lead, sizes in (((), (3, 4, 2, 5)), ((2,), (3, 6, 3, 6)), ((2,), (5, 6, 3, 4)), ((), (2, 2, 1, 3))):
        matches_reference.prenorm_attention_block(
            *inputs(make, *lead, **dict(zip(("t", "d", "dh", "dv"), sizes, strict=True)))
        )


@points(0.75)
@dtypes("float16", "float32")
def test_mask(matches_reference, make, dtype):
    """A key is seen where the mask is True and gets no weight where it is False."""
    make = steady(make)
    for lead, mask in (
        ((), causal(5, 5)),
        ((2,), make.mask(2, 5, 5)),
        ((2,), make.mask(2, 1, 5)),
        ((2, 3), make.mask(2, 1, 5, 5)),
    ):
        matches_reference.prenorm_attention_block(*inputs(make, *lead), mask=mask)


@points(0.25)
def test_scores_far_from_zero(matches_reference, make):
    """Scores in the thousands work too: visible ones far below zero, and hidden ones far above the rest."""
    x, W = inputs(make, d=4, dh=4)
    x, (_, _, w_v, w_o) = x.double(), [w.double() for w in W]
    x[:, 0] = torch.tensor([1.0, 2, 3, 4, 5])
    x[:, 1] = torch.tensor([0.0, 8, 30, 2, 60])  # once normalised, channel 0 goes the other way
    first = torch.diag(torch.tensor([200.0, 0, 0, 0])).double()
    for sign in (1, -1):
        for mask in (causal(5, 5), ~causal(5, 5, offset=-1), make.mask(5, 5)):
            matches_reference.prenorm_attention_block(x, [sign * first, first, w_v, w_o], mask=mask)


@points(0.75)
def test_nothing_to_add(student, notes_values, make):
    """If W_O is 0, the tokens come out as they went in, also tokens of zeros or of tiny numbers."""
    for lead in ((), (2,)):
        x, W = inputs(make, *lead)
        same = student.prenorm_attention_block(x, [*W[:3], torch.zeros_like(W[3])])
        expect_close(same, x.to(same.device), 1e-6, "with W_O = 0 the output is not x")
        notes_values.prenorm_attention_block(x * torch.tensor([[1.0], [0], [1e-3], [1], [0]]), W)


@points(1)
def test_update_has_its_own_size(student, notes_values, make):
    """What is added to a token does not depend on how long the tokens are: only their directions count."""
    for lead in ((), (2,)):
        x, W = inputs(make, *lead)
        update = student.prenorm_attention_block(x, W) - x
        factors = torch.tensor([[2.0], [8.0], [1.0], [16.0], [4.0]])
        other = student.prenorm_attention_block(x * factors, W) - x * factors
        expect_close(other, update, 1e-3, "longer tokens get another update")
        notes_values.prenorm_attention_block(x, W)


@points(0.5)
def test_order_and_company(student, notes_values, make):
    """Without a mask the order of the tokens does not matter, and examples of a batch do not affect each other."""
    for b, t in ((2, 3), (3, 4)):
        x, W = inputs(make, b, t=t)
        output = student.prenorm_attention_block(x, W)
        reversed_ = student.prenorm_attention_block(x.flip(1), W).flip(1)
        expect_close(reversed_, output, 1e-4, "reversing the tokens does not just reverse the outputs")
        alone = student.prenorm_attention_block(x[:1], W)
        expect_close(alone, output[:1], 1e-4, "an example gets another output when it is alone")
        notes_values.prenorm_attention_block(x, W)


@points(0.75)
@dtypes("float16", "float32")
def test_one_token(matches_reference, make, dtype):
    """A single token attends only to itself: it gets its own normalised value through W_V and W_O."""
    make = steady(make)
    x, W = inputs(make, t=1)
    matches_reference.prenorm_attention_block(x, W)
    matches_reference.prenorm_attention_block(x * 0, W)
    matches_reference.prenorm_attention_block(*large(make, 3, t=1, d=4), mask=torch.ones(1, 1, dtype=torch.bool))


@points(1)
def test_leading_dimensions(matches_reference, make):
    """Only the last two dimensions are tokens and channels; in front there may be none, one or more."""
    for lead in ((), (3,), (2, 3), (2, 1, 3), (1,)):
        matches_reference.prenorm_attention_block(*inputs(make, *lead))


@points(0.5)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and equal sizes work too."""
    matches_reference.prenorm_attention_block(*inputs(make, 4, t=4, d=4, dh=4, dv=4))
    matches_reference.prenorm_attention_block(*inputs(make, 3, t=3, d=3, dh=3, dv=3), mask=make.mask(3, 3))
    for mask in masking.alike(make, 3):
        matches_reference.prenorm_attention_block(*inputs(make, 3, 3, t=3, d=3, dh=3, dv=3), mask=mask)
    for t, d, dh, dv in ((1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 2, 2), (3, 4, 1, 1)):
        matches_reference.prenorm_attention_block(*inputs(make, t=t, d=d, dh=dh, dv=dv))


@points(0.75)
@dtypes("float16", "float32")
def test_large_entries(matches_reference, make, dtype):
    """Tokens with entries of several hundred are normalised without overflow, also in float16."""
    make = steady(make)
    matches_reference.prenorm_attention_block(*large(make, t=2))
    matches_reference.prenorm_attention_block(*large(make, 2), mask=make.mask(5, 5))


def examples(ask, make):
    ask.prenorm_attention_block(*inputs(make, t=3, d=4))
    ask.prenorm_attention_block(*inputs(make, 2))
    ask.prenorm_attention_block(*inputs(make, 2), mask=make.mask(2, 5, 5))
    ask.prenorm_attention_block(*inputs(make, 2, 3), mask=make.mask(5, 5))
    ask.prenorm_attention_block(*inputs(make, 1, t=1, d=4))


def of_length(ask, make, n):
    ask.prenorm_attention_block(*inputs(make, t=n), mask=make.mask(n, n))


def tiny(ask, make):
    examples(ask, make)
    ask.prenorm_attention_block(*inputs(make, t=2, d=1, dh=1, dv=1))


LAWS = laws.all(
    examples, of_length, gradient=1.25, memory_layout=0.4, inputs_unchanged=0.4, device=0.4, remembers_nothing=0.15,
    every_dtype=(0.1, tiny, laws.quiet),
)  # fmt: skip


@facts("prenorm_attention_block")
def seen(y, x, W, mask=None):
    due, added = block(x, W, mask), y - x
    if torch.allclose(y, x, atol=1e-3):
        yield Text("the output is x, nothing was added")
    elif torch.allclose(y, due - x, atol=1e-3):
        yield Text("the output is what is to be added to x")
    else:
        factor = float((added * (due - x)).sum() / (due - x).square().sum().clamp_min(1e-30))
        if abs(factor - 1) > 1e-2 and torch.allclose(added, factor * (due - x), atol=1e-3):
            yield Text("what is added to x is {factor:.4g} times what is expected").format(factor=factor)
    rest = rms(x)
    if torch.allclose(y - rest, due - x, atol=1e-3):
        yield Text("the sum was taken with the normalised tokens")
    size = y.square().mean(-1).sqrt()
    if y.shape[-1] > 1 and bool(((size - 1).abs() < 1e-3).all()):
        yield Text("every output has the root mean square 1")
    yield from heads.where_wrong(y, due)


def rms(x, eps=1e-6, of=lambda x: x, mean=lambda squares: squares.mean(-1, keepdim=True)):
    """RMSNorm."""
    wide = of(x.to(torch.promote_types(x.dtype, torch.float32)))
    return (wide * torch.rsqrt(mean(wide.square()) + eps)).to(x.dtype)


def block(
    x, W, mask=None, *, norm=rms, attention=attend, sources="hhh", residual=lambda x, h: x, update=lambda u: u,
    after=lambda y: y,
):  # fmt: skip
    """The right block, with places to go wrong; sources: whether queries, keys and values come from h or from x."""
    found = {"h": norm(x), "x": x}
    q, k, v = (found[source] @ w for source, w in zip(sources, W, strict=False))
    mixed = attention(q, k, v, mask)[0]
    return after(residual(x, found["h"]) + update(mixed @ W[3] if len(W) == 4 else mixed))


def way(**changes):
    return functools.partial(block, **changes)


def normed(**changes):
    return block_with_norm(functools.partial(rms, **changes))


def block_with_norm(norm):
    return functools.partial(block, norm=norm)


def attended(name):
    return functools.partial(block, attention=heads.ATTENTIONS[name])


def matrices(change):
    return lambda x, W, mask=None: block(x, change(W), mask)


def std_instead(x):
    return x / (x.float().std(-1, keepdim=True) + 1e-6).to(x.dtype)


def eps_outside(x):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return (wide / (wide.square().mean(-1, keepdim=True).sqrt() + 1e-6)).to(x.dtype)


def squares_in_own_dtype(x):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6)


def raw_exponentials(q, k, v, mask=None):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).exp() * (True if mask is None else mask)
    return weights / weights.sum(-1, keepdim=True) @ v, weights


def causal_if_none(q, k, v, mask=None):
    return attend(q, k, v, causal(q.shape[-2], k.shape[-2]).to(q.device) if mask is None else mask)


def axes_reversed(q, k, v, mask=None):
    return attend(q, k.permute(*range(k.dim() - 1, -1, -1)).mT, v, mask)


def matrices_only(q, k, v, mask=None):
    return attend(q, k, v, mask) if q.dim() == 2 else torch.mm(q, k.t())


def batches_only(q, k, v, mask=None):
    return attend(q, k, v, mask) if q.dim() == 3 else torch.bmm(q, k.transpose(1, 2))


def added_in_place(x, W, mask=None):
    x += block(x, W, mask) - x
    return x


def normalised_in_place(x, W, mask=None):
    return block(x.copy_(rms(x)), W, mask, norm=lambda h: h)


def matrices_taken_away(x, W, mask=None):
    w_o = W.pop()
    return block(x, [*W, w_o], mask)


def forces_float32(x, W, mask=None):
    return x.float() + block(x, W, mask, residual=lambda x, h: 0).float()


KNOWN = misconceptions(
    "prenorm_attention_block",
    no_residual=way(residual=lambda x, h: 0),
    normalised_residual=way(residual=lambda x, h: h),
    residual_twice=way(residual=lambda x, h: 2 * x),
    residual_before_w_o=lambda x, W, mask=None: (x + block(x, W[:3], mask, residual=lambda x, h: 0)) @ W[3],
    post_norm=way(norm=lambda x: x, after=rms),
    normed_twice=way(after=rms),
    no_norm=way(norm=lambda x: x),
    update_normalised_too=way(update=rms),
    update_normalised=way(norm=lambda x: x, update=rms),
    values_from_raw_x=way(sources="hhx"),
    keys_from_raw_x=way(sources="hxh"),
    keys_and_values_from_raw_x=way(sources="hxx"),
    no_w_o=matrices(lambda W: W[:3]),
    no_scale_no_w_o=lambda x, W, mask=None: block(x, W[:3], mask, attention=heads.scaled(1.0)),
    matrices_transposed=matrices(lambda W: [w.T for w in W]),
    keys_and_values_swapped=matrices(lambda W: [W[0], W[2], W[1], W[3]]),
    queries_and_keys_swapped=matrices(lambda W: [W[1], W[0], W[2], W[3]]),
    keys_from_w_q=matrices(lambda W: [W[0], W[0], *W[2:]]),
    keys_serve_as_values=matrices(lambda W: [W[0], W[1], W[1], W[3]]),
    layer_norm_of_torch=block_with_norm(lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:])),
    layer_norm=normed(of=lambda x: x - x.mean(-1, keepdim=True)),
    softmax_as_norm=block_with_norm(lambda x: x.softmax(-1)),
    unit_length=normed(mean=lambda squares: squares.sum(-1, keepdim=True)),
    norm_over_tokens=normed(mean=lambda squares: squares.mean(-2, keepdim=True)),
    norm_over_everything=normed(mean=lambda squares: squares.mean()),
    norm_without_root=block_with_norm(lambda x: x / (x.square().mean(-1, keepdim=True) + 1e-6)),
    standard_deviation=block_with_norm(std_instead),
    squares_in_float16=block_with_norm(squares_in_own_dtype),
    eps_left_out=normed(eps=0.0),
    eps_too_large=normed(eps=1e-5),
    eps_outside_the_root=block_with_norm(eps_outside),
    **{name: attended(name) for name in (
        "no_scale", "scale_d_head", "scale_integer_root", "softmax_over_queries", "mask_inverted", "mask_multiplied",
        "fill_too_high", "fill_1e9", "mask_after_softmax", "mask_transposed", "mask_added_as_number",
    )},
    scale_d=lambda x, W, mask=None: block(x, W, mask, attention=heads.scaled(x.shape[-1] ** -0.5)),
    scale_dv=way(attention=heads.scaled(lambda q, k, v: v.shape[-1] ** -0.5)),
    softmax_dim_1=way(attention=functools.partial(attend, dim=1)),
    all_axes_reversed=way(attention=axes_reversed),
    keys_transposed_1_2=way(attention=heads.keys_turned(1, 2)),
    matrices_only=way(attention=matrices_only),
    batches_only=way(attention=batches_only),
    raw_exponentials=way(attention=raw_exponentials),
    mask_after_softmax_renorm=way(attention=heads.weighed(heads.renormalised)),
    additive_inf_times_zero=way(attention=heads.inf_times_zero),
    mask_ignored=lambda x, W, mask=None: block(x, W),
    mask_of_first_example=lambda x, W, mask=None: block(x, W, mask if mask is None or mask.dim() == 2 else mask[0]),
    mask_as_an_index=way(attention=heads.mask_as_an_index),
    always_causal=way(attention=heads.causal_too),
    causal_without_mask=way(attention=causal_if_none),
    squeezed=way(after=torch.squeeze),
    only_residual_learns=way(update=lambda u: u.detach()),
    residual_detached=way(residual=lambda x, h: x.detach()),
    norm_detached=normed(mean=lambda squares: squares.mean(-1, keepdim=True).detach()),
    no_gradient=way(after=lambda y: y.detach()),
    added_in_place=added_in_place,
    normalised_in_place=normalised_in_place,
    matrices_taken_away=matrices_taken_away,
    forces_float32=forces_float32,
)  # fmt: skip
