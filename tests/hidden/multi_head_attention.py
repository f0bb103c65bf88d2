"""Hidden suite for multi-head attention as a function.

Not in the bank, because right: heads one after another, one fused projection, W_O applied head by head and summed,
einsum, leaving the key bias out (it changes nothing, so no gradient is asked of it). Averaging, summing or picking a
head leaves Dh channels where W_O expects D: all of them end in the same error, so `heads_not_concatenated` stands for
them.
"""

import math

import torch
from hidden.lib import heads, masking
from hidden.lib.attention import attend, merge, split
from hidden.lib.heads import multi_head

from grader.suites import (
    Misconception,
    Text,
    dtypes,
    error_bound,
    expect,
    expect_close,
    facts,
    laws,
    misconceptions,
    points,
)

FLOWS = ("x", "W[0]", "W[1]", "W[2]", "W[3]", "biases[0]", "biases[2]", "biases[3]")  # a key bias changes nothing


@error_bound("multi_head_attention")
def multi_head_bound(x, W, biases, num_heads, mask=None):
    return heads.bound(x, W, biases, num_heads, mask)[0]


@facts("multi_head_attention")
def seen(y, x, W, biases, num_heads, mask=None):
    yield from heads.seen_in_heads(y, x, W, biases, num_heads, mask)


def weights_for(make, D):
    """Four matrices that keep the size of their input, and four biases."""
    return [make.normal(D, D, scale=D**-0.5) for _ in range(4)], [make.normal(D, scale=0.5) for _ in range(4)]


def inputs(make, B=2, T=5, D=15, H=3):
    """Tokens, matrices, biases and the number of heads."""
    return make.normal(B, T, D), *weights_for(make, D), H


@points(2.5)
@dtypes("float32", "float64")
def test_definition(matches_reference, make, dtype):
    """Each head attends with its own block of channels; the heads side by side, times W_O, plus its bias, are the
    output.
    """
    for B, T, D, H in ((2, 3, 6, 2), (2, 5, 15, 3), (3, 7, 12, 2)):
        matches_reference.multi_head_attention(*inputs(make, B, T, D, H))


@points(1.5)
def test_own_block(student, notes_values, make):
    """Head i is column block i of W_Q, W_K and W_V and row block i of W_O; no other head has a part in it."""
    for B, T, D, H in ((2, 3, 6, 2), (2, 5, 15, 3)):
        x, W, biases, _ = inputs(make, B, T, D, H)
        for head in range(H):
            own = torch.arange(D) // (D // H) == head
            W_O = W[3] * own[:, None]
            strangers = [w + (~own) * make.normal(D, D) / 4 for w in W[:3]]  # no score near what exp can take
            one = student.multi_head_attention(x, [*W[:3], W_O], biases, H)
            other = student.multi_head_attention(x, [*strangers, W_O], biases, H)
            said = "of {H} heads, head {head} uses columns of W_Q, W_K or W_V that belong to another head"
            expect_close(other, one, 1e-4, said, H=H, head=head)
        notes_values.multi_head_attention(x, W, biases, H)


@points(1.5)
def test_scale(student, notes_values, make):
    """Scores are divided by the square root of Dh = D / H, the channels of one head, not of the whole model's."""
    for D, H in ((6, 3), (9, 3), (10, 2), (18, 2)):
        x, same, none = make.normal(1, 2, D), [torch.eye(D)] * 4, [torch.zeros(D)] * 4
        output = student.multi_head_attention(x, same, none, H).cpu()
        a, b = split(x.double(), H).unbind(2)  # [1, H, Dh]: two tokens; each output is share * a + (1 - share) * b
        step = (a - b).square().sum(-1)
        share = ((split(output.double(), H) - b[:, :, None]) * (a - b)[:, :, None]).sum(-1) / step[..., None]
        gaps = torch.stack([(a * (a - b)).sum(-1), (b * (a - b)).sum(-1)], -1)  # of the two scores, for a and for b
        found = share.logit()
        scale = float((found * gaps).sum() / gaps.square().sum())
        fits = bool(((found - scale * gaps).abs() <= 1e-2).all())  # else something other than the scale is wrong
        expect(
            not fits or abs(scale * math.sqrt(D // H) - 1) < 2e-3,
            "with D={D} and {H} heads, scores are multiplied by {scale:.4g}; expected {d:.4g}",
            D=D,
            H=H,
            scale=scale,
            d=1 / math.sqrt(D // H),
        )
        notes_values.multi_head_attention(x, same, none, H)


@points(1.5)
@dtypes("float32", "float64")
def test_mask(matches_reference, make, dtype):
    """A token is seen where the mask is True and not where it is False: one mask for all, for each example or for each
    head.
    """
    B, T, D, H = 2, 4, 6, 3
    for shape in ((T, T), (1, T), (B, 1, T, T), (B, 1, 1, T), (1, H, T, T), (B, H, T, T), (B, H, 1, T)):
        matches_reference.multi_head_attention(*inputs(make, B, T, D, H), mask=make.mask(*shape))


@points(1.2)
@dtypes("float16", "float32")
def test_causal_reach(student, make, dtype):
    """Under a causal mask a change of one token reaches the outputs from that token on: all of them, and none
    before.
    """
    for T, D, H in ((3, 6, 2), (6, 15, 3)):
        x, W, biases, _ = inputs(make, 1, T, D, H)
        x = x / 4  # weights far from 0, and no score near what exp can take in float16
        causal = torch.ones(T, T, dtype=torch.bool).tril()
        before = student.multi_head_attention(x, W, biases, H, mask=causal)
        for token in range(T):
            changed = (x + 0.75 * (torch.arange(T) == token)[:, None]).to(dtype)
            after = student.multi_head_attention(changed, W, biases, H, mask=causal)
            moved = (after - before).abs().amax((0, 2))
            expect(moved.isfinite(), "under a causal mask there is NaN or infinity in the output")
            found = [t for t, m in enumerate(moved.tolist()) if m > 1e-5]
            want = list(range(token, T))
            said = "of {T} tokens under a causal mask, token {token} reaches the outputs {found}; expected {want}"
            expect(found == want, said, T=T, token=token, found=found, want=want)


@points(0.8)
def test_laws(student, notes_values, make):
    """Without a mask, tokens in another order give the same outputs in that order; examples of a batch do not mix."""
    for B, T, D, H in ((2, 3, 6, 2), (3, 5, 15, 3)):
        x, W, biases, _ = inputs(make, B, T, D, H)
        output = student.multi_head_attention(x, W, biases, H)
        turned = student.multi_head_attention(x.flip(1), W, biases, H)
        expect_close(turned, output.flip(1), 1e-4, "reversing the tokens does not just reverse the outputs")
        alone = student.multi_head_attention(x[:1], W, biases, H)
        expect_close(output[:1], alone, 1e-4, "an example gets another output when others stand beside it")
        notes_values.multi_head_attention(x, W, biases, H)


@points(1)
def test_biases(student, notes_values, make):
    """A key bias shifts all scores of a query alike and changes nothing; a value bias reaches the output through W_O,
    the output bias directly.
    """
    for B, T, D, H in ((2, 3, 6, 2), (2, 5, 15, 3)):
        x, W, biases, _ = inputs(make, B, T, D, H)
        none, shift = [torch.zeros(D)] * 4, make.normal(D)
        plain = student.multi_head_attention(x, W, none, H)
        for index, name, gain in ((1, "W_K", 0.0 * shift), (2, "W_V", shift @ W[3]), (3, "W_O", shift)):
            moved = student.multi_head_attention(x, W, [*none[:index], shift, *none[index + 1 :]], H)
            said = Text("the bias of {name} does not change the output as it should").format(name=name)
            expect_close(moved - plain, gain.expand(B, T, D), 1e-4, said)
        notes_values.multi_head_attention(x, W, biases, H)


@points(0.9)
def test_special_sizes(matches_reference, make):
    """One head, one channel a head, one token and equal sizes work too."""
    for B, T, D, H in (
        (1, 1, 1, 1), (2, 1, 6, 3), (2, 5, 6, 1), (2, 3, 5, 5), (3, 3, 9, 3), (2, 4, 8, 4), (6, 6, 6, 6), (3, 2, 6, 3),
        (1, 2, 6, 2), (2, 2, 10, 5), (2, 3, 1, 1),
    ):  # fmt: skip
        matches_reference.multi_head_attention(*inputs(make, B, T, D, H))
    for B, T, D, H in ((3, 3, 9, 3), (2, 1, 6, 3), (2, 5, 6, 1), (1, 3, 6, 2)):
        for shape in ((T, T), (B, 1, T, T), (B, H, T, T), (1, H, T, T)):
            matches_reference.multi_head_attention(*inputs(make, B, T, D, H), mask=make.mask(*shape))
    for mask in masking.alike(make, 3, 2, 4):
        matches_reference.multi_head_attention(*inputs(make, 3, 3, 9, 3), mask=mask)
    matches_reference.multi_head_attention(*inputs(make), mask=make.mask(5, 5) | True)


@points(1.6)
def test_highest_score_takes_all(student, make, dtype):
    """In every dtype, float16 too: the visible token with a far higher score than the rest gets all the weight, and
    hidden ones get none, even if their scores are far above it.
    """
    for B, T, H in ((2, 3, 2), (2, 5, 3)):
        for shape in (None, (T, T), (B, 1, T, T), (B, H, T, T)):
            (x, W, biases), mask = heads.decided(make, B, T, H), None if shape is None else make.mask(*shape)
            output = student.multi_head_attention(x, W, biases, H, mask=mask)
            due = heads.decided_result(x, W, biases, H, mask)[0]
            said = "the output is not that of the one visible token with by far the highest score"
            expect_close(output.cpu(), due, 0.3, said)


@points(0.4)
def test_refuses_remainder(raises_value_error, make):
    """Channels that cannot be divided evenly among the heads are refused with ValueError."""
    for D, H in ((3, 2), (10, 4), (13, 6)):
        raises_value_error.multi_head_attention(*inputs(make, 2, 3, D, H))


@points(0.3)
def test_refuses_too_many_heads(raises_value_error, make):
    """More heads than channels are refused with ValueError."""
    for D, H in ((1, 2), (6, 8), (5, 10)):
        raises_value_error.multi_head_attention(*inputs(make, 2, 3, D, H))


def examples(ask, make):
    ask.multi_head_attention(*inputs(make, 2, 3, 6, 2))
    ask.multi_head_attention(*inputs(make), mask=make.mask(2, 1, 5, 5))
    ask.multi_head_attention(*inputs(make), mask=make.mask(5, 5))


def of_length(ask, make, n):
    ask.multi_head_attention(*inputs(make, 1, n, 4, 2), mask=make.mask(n, n))


LAWS = laws.all(
    examples, of_length, gradient=(1, lambda ask, make: examples(ask.wrt(*FLOWS), make)), memory_layout=0.3,
    inputs_unchanged=0.3, device=0.5, remembers_nothing=0.3, keywords=0.2, lengths=0.2,
)  # fmt: skip


def way(attention=attend, projections=lambda W, b: (W, b), **parts):
    """The right formula, with its parts replaced."""

    def wrong(x, W, biases, num_heads, mask=None):
        return multi_head(x, *projections(W, biases), num_heads, mask, attention, **parts)[0]

    return wrong


def raw_exponentials(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    e = (scores if mask is None else scores.masked_fill(~mask, -math.inf)).exp()
    weights = e / e.sum(-1, keepdim=True)
    return weights @ v, weights


def attends_over_heads(x, W, biases, num_heads, mask=None):
    parts = {"parted": lambda t, H: t.unflatten(-1, (H, -1)), "joined": lambda t: t.flatten(2)}
    return multi_head(x, W, biases, num_heads, mask, **parts)[0]


def single_head(x, W, biases, num_heads, mask=None):
    return multi_head(x, W, biases, 1, mask[:, :1] if mask is not None and mask.dim() > 2 else mask)[0]


def mask_with_another_axis(merged):
    """Where the scores get an axis more, the heads are merged by a reshape to `merged(x)`, as people do."""

    def wrong(x, W, biases, num_heads, mask=None):
        attention = heads.masked(lambda mask: mask.unsqueeze(1))
        return way(attention, joined=lambda t: t.transpose(1, 2).reshape(merged(x)))(x, W, biases, num_heads, mask)

    return wrong


def inputs_split(x, W, biases, num_heads, mask=None):
    """Each head projects its own channels of x."""
    head = torch.arange(x.shape[-1], device=x.device) * num_heads // x.shape[-1]
    own = head == head[:, None]
    return way()(x, [*(w * own for w in W[:3]), W[3]], biases, num_heads, mask)


def no_value_error(x, W, biases, num_heads, mask=None):
    cut = (x.shape[0], x.shape[1], num_heads, x.shape[-1] // num_heads)
    q, k, v = ((x @ w + b).reshape(cut).transpose(1, 2) for w, b in zip(W[:3], biases[:3], strict=True))
    return merge(attend(q, k, v, mask)[0]) @ W[3] + biases[3]


def assertion(x, W, biases, num_heads, mask=None):
    assert x.shape[-1] % num_heads == 0
    return way()(x, W, biases, num_heads, mask)


def matrices_only(x, W, biases, num_heads, mask=None):
    if x.shape[-1] % num_heads:
        raise ValueError
    return torch.mm(x, W[0])


def heads_in_the_batch(q, k, v, mask=None):
    """B and H are one dimension, and the mask is not brought there."""
    flat = [t.flatten(0, 1) for t in (q, k, v)]
    scores = torch.bmm(flat[0], flat[1].mT) / math.sqrt(q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(~mask, -math.inf)).softmax(-1)
    return torch.bmm(weights, flat[2]).view(v.shape), weights


def bias_for_each_head(x, W, biases, num_heads, mask=None):
    return way()(x, W, [*biases[:3], num_heads * biases[3]], num_heads, mask)


def scales_in_place(x, W, biases, num_heads, mask=None):
    if x.shape[-1] % num_heads:
        raise ValueError
    W[0] *= (num_heads / x.shape[-1]) ** 0.5
    biases[0] *= (num_heads / x.shape[-1]) ** 0.5
    return way(heads.scaled(1.0))(x, W, biases, num_heads, mask)


def cut(x, W, biases, num_heads, mask=None, change=torch.Tensor.detach):
    return way()(x, *([change(t) for t in ts] for ts in (W, biases)), num_heads, mask)


KNOWN = misconceptions(
    "multi_head_attention",
    **{name: way(attention) for name, attention in heads.ATTENTIONS.items()},
    **{name: way(**parts) for name, parts in heads.LAYOUTS.items()},
    **{name: way(projections=change) for name, change in (heads.PROJECTIONS | heads.BIASES).items()},
    raw_exponentials=way(raw_exponentials),
    values_from_w_k=way(projections=lambda W, b: ([*W[:2], W[1], W[3]], b)),
    first_three_transposed=way(projections=lambda W, b: ([*(w.T for w in W[:3]), W[3]], b)),
    output_matrix_transposed=way(projections=lambda W, b: ([*W[:3], W[3].T], b)),
    last_head_only=way(joined=lambda t: merge(torch.cat([torch.zeros_like(t[:, :-1]), t[:, -1:]], 1))),
    inputs_split=inputs_split,
    mask_with_another_axis=mask_with_another_axis(lambda x: x.shape),
    mask_with_another_axis_free_size=mask_with_another_axis(lambda x: (len(x), -1, x.shape[-1])),
    single_head=single_head,
    attends_over_heads=attends_over_heads,
    bias_before_product=way(linear=lambda t, w, b: (t + b) @ w),
    bias_for_each_head=bias_for_each_head,
    residual_added=lambda x, W, biases, num_heads, mask=None: way()(x, W, biases, num_heads, mask) + x,
    mask_not_for_each_head=way(heads_in_the_batch),
    matrices_only=matrices_only,
    squeezed=lambda x, W, biases, num_heads, mask=None: way()(x, W, biases, num_heads, mask).squeeze(),
    scales_in_place=scales_in_place,
    no_value_error=no_value_error,
    assertion=assertion,
    no_gradient=lambda x, *rest, **named: cut(x.detach(), *rest, **named),
    weights_detached=cut,
    forces_float32=lambda x, *rest, **named: cut(x.float(), *rest, **named, change=torch.Tensor.float),
)


def with_scale(mistake, factor, other):
    """Two mistakes at once: `other`, with scores that are `factor(D, H)` times the right ones."""

    def wrong(x, W, biases, num_heads, mask=None):
        by = factor(x.shape[-1], num_heads)
        variant = other.functions["multi_head_attention"]
        return variant(x, [W[0] * by, *W[1:]], [biases[0] * by, *biases[1:]], num_heads, mask)

    return Misconception(f"{mistake}_and_{other.name}", {"multi_head_attention": wrong})


PAIRS = [
    with_scale(mistake, factor, other)
    for mistake, factor in (("no_scale", lambda D, H: math.sqrt(D / H)), ("scale_sqrt_dmodel", lambda D, H: H**-0.5))
    for other in KNOWN
    if other.name in ("no_biases", "weights_transposed")
]
