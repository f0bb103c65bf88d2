"""Hidden suite for the repaired padding mask. Sizes that coincide are where the broken code is silent; others raise."""

import math

import torch
from hidden.lib import masking
from hidden.lib.attention import attend, integer_root

from grader.suites import Text, error_bound, expect_close, facts, laws, misconception, misconceptions, points


@error_bound("padded_attention")
def bound(q, k, v, mask):
    return masking.rounding(q, k, v, with_axes(mask), leak=1e-6)[0]


def inputs(make, b=2, h=3, t=5, dh=4):
    """Random q, k, v."""
    return tuple(make.normal(b, h, t, dh) for _ in range(3))


def lengths(b, t):
    """A mask [B, T] that shows fewer keys of each further example."""
    return torch.arange(t) < (t - torch.arange(b) % t).clamp_min(1)[:, None]


@points(0.7)
def test_padding(matches_reference, make, dtype):
    """A mask [B, T] hides the padded keys of each example from all its queries and heads."""
    matches_reference.padded_attention(*inputs(make), lengths(2, 5))
    matches_reference.padded_attention(*inputs(make, 4, 8, 6, 5), make.mask(4, 6))
    matches_reference.padded_attention(*inputs(make, 2, 1, 3), lengths(2, 3))
    far = [[8.0]] * 2, [[0.375], [0.0]], [[0.0], [1.0]]  # scores of 3 and 0: bfloat16 too tells 3 from 3.6
    matches_reference.padded_attention(*(make.tensor([[t]]) for t in far), lengths(1, 2))


@points(0.7)
def test_a_mask_for_each_query(matches_reference, make, dtype):
    """A mask [B, T, T] says for each query of each example which keys it sees, in all heads."""
    matches_reference.padded_attention(*inputs(make, 2, 3, 3), make.mask(2, 3, 3))
    matches_reference.padded_attention(*inputs(make, 4, 8, 5, 5), make.mask(4, 5, 5))
    matches_reference.padded_attention(*inputs(make, 2, 1, 3), make.mask(2, 3, 3))


@points(0.3)
def test_scores_far_from_zero(student, make, dtype):
    """A hidden score in the thousands has no influence, in any dtype, even where all visible ones lie far below."""
    for q, k, v, mask, seen in masking.far_from_zero(make):
        if mask is None:
            continue
        q, v = torch.cat([q, q[:1]]), torch.cat([v, v[:, :2]], 1)  # as many queries as keys, as long as they are
        q, k, v = (t.expand(2, 2, *t.shape) for t in (q, k, v))
        masks = torch.stack([torch.cat([mask, mask[:1]]), torch.cat([mask, mask[1:]])])
        result = student.padded_attention(q, k, v, masks)
        said = "the visible key that outweighs the others does not get all the weight"
        due = torch.stack([v[0, 0, [*seen, seen[0]]], v[0, 0, [*seen, seen[1]]]])[:, None].expand(result.shape)
        expect_close(result, due.to(result.device), 1e-5, said)


@points(0.5)
def test_sizes_that_coincide(matches_reference, make):
    """As many examples as positions, or as heads, work too."""
    matches_reference.padded_attention(*inputs(make, 4, 3, 4), make.mask(4, 4))
    matches_reference.padded_attention(*inputs(make, 3, 3, 5), make.mask(3, 5, 5))
    matches_reference.padded_attention(*inputs(make, 3, 3, 3, 3), make.mask(3, 3, 3))
    matches_reference.padded_attention(*inputs(make, 3, 3, 3, 3), make.mask(3, 3))
    matches_reference.padded_attention(*inputs(make, 1, 1, 1, 1), torch.ones(1, 1).bool())


@points(0.3)
def test_a_mask_of_other_dimensions(raises_value_error, notes_values, make):
    """A mask with one dimension, or with four, is refused with ValueError."""
    raises_value_error.padded_attention(*inputs(make), make.mask(5))
    raises_value_error.padded_attention(*inputs(make), make.mask(2, 1, 5, 5))
    notes_values.padded_attention(*inputs(make), make.mask(2, 5))


def examples(ask, make):
    ask.padded_attention(*inputs(make, 2, 3, 4), lengths(2, 4))
    ask.padded_attention(*inputs(make, 2, 3, 4), make.mask(2, 4, 4))
    ask.padded_attention(*inputs(make, 1, 2, 3), lengths(1, 3))


def of_length(ask, make, n):
    ask.padded_attention(*inputs(make, 2, 1, n), make.mask(2, n))


LAWS = laws.all(
    examples, of_length, gradient=(0.15, examples, "float32"), device=0.1, inputs_unchanged=0.05, memory_layout=0.05,
    remembers_nothing=0.05, keywords=0.05,
)  # fmt: skip


@facts("padded_attention")
def seen(result, q, k, v, mask):
    def same(other):
        return torch.allclose(result, other, rtol=1e-3, atol=1e-3)

    if same(attend(q, k, v)[0]):
        yield Text("it is the result without a mask")
    if same(right(q, k, v, mask[:1].expand(mask.shape))):
        yield Text("it is the result with the first example's mask for all")
    wrong = (result - right(q, k, v, mask)).abs().amax((1, 3)) > 1e-3
    if bool(wrong.any()):
        queries = [row.nonzero().flatten().tolist() for row in wrong]
        yield Text("the queries that are wrong, example by example: {queries}").format(queries=queries)


def with_axes(mask):
    """The mask with the axes that it lacks."""
    if mask.dim() not in (2, 3):
        raise ValueError("mask")
    return mask[:, None, None] if mask.dim() == 2 else mask[:, None]


def masked(two=with_axes, three=with_axes, other=with_axes, **places):
    """Attention with a mask of two, three and other dimensions changed so; `places`: see `attend`."""

    def wrong(q, k, v, mask):
        change = {2: two, 3: three}.get(mask.dim(), other)
        return attend(q, k, v, change(mask), **places)[0]

    return wrong


def lowest(change):
    """Attention whose hidden scores, `change(mask)`, are the lowest number: in an empty row all weigh alike."""
    return lambda q, k, v, mask: attend(q, k, v, change(with_axes(mask)), fill=torch.finfo(q.dtype).min)[0]


def as_it_is(mask):
    return mask


def along_queries(mask):
    return mask[:, None, :, None]


def causal_too(mask):
    return with_axes(mask) & torch.ones(mask.shape[-1], mask.shape[-1], dtype=torch.bool, device=mask.device).tril()


def weighed(change):
    """The values weighed by `change(scores, mask)`."""
    return lambda q, k, v, mask: change(q @ k.mT / math.sqrt(q.shape[-1]), with_axes(mask)) @ v


def both_axes(q, k, v, mask):
    if mask.dim() == 2:
        visible = along_queries(mask) & with_axes(mask)
        return attend(q, k, v, visible)[1].masked_fill(~visible, 0.0) @ v
    return right(q, k, v, mask)


def masks_repeated_in_turn(q, k, v, mask):
    """Examples and heads become one axis, and the masks come as 0 1 0 1 where 0 0 1 1 is due."""
    B, H = q.shape[:2]
    laid = with_axes(mask)
    return attend(q, k, v, laid[torch.arange(B * H).view(B, H) % B].squeeze(2))[0]


def asserts(q, k, v, mask):
    assert mask.dim() in (2, 3)
    return right(q, k, v, mask)


right = masked()


@misconception("padded_attention", stub=True)
def as_given(q, k, v, mask):
    """This is the code as it was given: the mask broadcasts from the right and meets the wrong axes."""
    return attend(q, k, v, mask)[0]


KNOWN = misconceptions(
    "padded_attention",
    queries_hidden=lambda q, k, v, mask: lowest(lambda m: m.mT if mask.dim() == 2 else m)(q, k, v, mask),
    queries_hidden_nan=masked(two=along_queries),
    both_axes=both_axes,
    padded_queries_hidden_nan=masked(two=lambda mask: (mask[:, None, :] & mask[:, :, None])[:, None]),
    causal_too=masked(two=causal_too, three=causal_too),
    causal_too_for_two=masked(two=causal_too),
    first_of_three_only=masked(three=lambda mask: mask[0]),
    padding_only=masked(three=as_it_is),
    queries_only=masked(two=as_it_is),
    always_two=masked(three=lambda mask: mask[:, None, None], other=lambda mask: mask[:, None, None]),
    first_example_only=masked(two=lambda mask: with_axes(mask)[:1], three=lambda mask: with_axes(mask)[:1]),
    mask_transposed=lambda q, k, v, mask: lowest(lambda m: m.mT if mask.dim() == 3 else m)(q, k, v, mask),
    mask_transposed_nan=masked(three=lambda mask: mask.mT[:, None]),
    mask_inverted=lowest(torch.logical_not),
    mask_inverted_nan=masked(two=lambda mask: ~with_axes(mask), three=lambda mask: ~with_axes(mask)),
    mask_inverted_1e9=masked(two=lambda mask: ~with_axes(mask), three=lambda mask: ~with_axes(mask), fill=-1e9),
    mask_after_softmax=weighed(lambda scores, mask: scores.softmax(-1) * mask),
    scores_times_mask=masked(fill=0.0),
    infinity_times_mask=weighed(lambda scores, mask: (scores + (~mask).float() * -math.inf).softmax(-1)),
    fill_1e9=masked(fill=-1e9),
    fill_too_high=masked(fill=-100.0),
    scale_of_all_heads=masked(scale=lambda q, k, v: (q.shape[-1] * q.shape[1]) ** -0.5),
    no_scale=masked(scale=1.0),
    scale_integer_root=masked(scale=integer_root),
    masks_repeated_in_turn=masks_repeated_in_turn,
    masks_of_queries_repeated_in_turn=lambda q, k, v, mask: (masks_repeated_in_turn if mask.dim() == 3 else right)(
        q, k, v, mask
    ),
    heads_behind_the_queries=masked(three=lambda mask: mask.unsqueeze(2)),
    not_refused=masked(other=as_it_is),
    other_is_three=masked(other=lambda mask: mask[:, None]),
    only_one_refused=masked(other=lambda mask: mask if mask.dim() == 4 else with_axes(mask)),
    asserts=asserts,
    bias_on_cpu=weighed(
        lambda scores, mask: (
            scores + torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)
        ).softmax(-1)
    ),
    forces_float32=lambda q, k, v, mask: right(q.float(), k.float(), v.float(), mask),
    scales_in_place=lambda q, k, v, mask: masked(scale=1.0)(q.mul_(1 / math.sqrt(q.shape[-1])), k, v, mask),
    no_gradient=lambda q, k, v, mask: right(q, k, v, mask).detach(),
)
