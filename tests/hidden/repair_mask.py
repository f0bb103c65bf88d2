"""Hidden suite for the repaired mask. The broken code fails every check: each has a mask that hides something."""

import math

import torch
from hidden.lib import heads, masking
from hidden.lib.arguments import in_float32
from hidden.lib.attention import attend, causal, integer_root, merge

from grader.suites import Text, dtypes, error_bound, expect_close, facts, laws, misconception, misconceptions, points


@error_bound("masked_multi_head")
def bound(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    # Each projection sums D products (D epsilon of the sum of absolute values). A score, of such q and k, is off by
    # (2 D + Dh + 4) epsilon of |q||k| / sqrt(Dh); its weight by that much of itself, and so is the output; the values'
    # own error and the last projection add D each.
    _, T, D = x.shape
    q, k, v = (split(x.abs() @ w.abs(), num_heads) for w in (w_q, w_k, w_v))
    reach = (q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)).amax((-2, -1), keepdim=True)
    units = 2 * (2 * D + D // num_heads + 5) * reach + 2 * D + T + 16
    return merge((units * v.amax(-2, keepdim=True)).expand_as(v)) @ w_o.abs()


def inputs(make, b=2, t=5, d=12):
    """x and four projections that keep its size."""
    return make.normal(b, t, d), *(make.normal(d, d, scale=1 / math.sqrt(d)) for _ in range(4))


@points(0.8)
@dtypes("float32", "float64")
def test_causal(matches_reference, make, dtype):
    """With a causal mask no position sees a later one; without a mask every position sees all."""
    matches_reference.masked_multi_head(*inputs(make, 2, 3, 4), 2, causal(3, 3))
    matches_reference.masked_multi_head(*inputs(make), 3, causal(5, 5))
    for H in (3, 1):
        matches_reference.masked_multi_head(*inputs(make), H)
    matches_reference.masked_multi_head(*inputs(make, 1, 2, 2), 1, causal(2, 2))


@points(0.6)
@dtypes("float32", "float64")
def test_masks_of_other_shapes(matches_reference, make, dtype):
    """Masks for each example, or for each head, broadcast as they should."""
    for shape in ((2, 1, 1, 5), (2, 1, 5, 5), (1, 3, 5, 5), (2, 3, 5, 5), (3, 5, 5)):
        matches_reference.masked_multi_head(*inputs(make), 3, make.mask(*shape))
    for mask in masking.alike(make, 3):
        matches_reference.masked_multi_head(*inputs(make, 3, 3, 3), 3, mask)
    matches_reference.masked_multi_head(*inputs(make, 1), 3, make.mask(1, 1, 1, 5))
    matches_reference.masked_multi_head(*inputs(make, t=1), 3, make.mask(1, 1))


@points(0.3)
def test_scores_far_from_zero(student, make, dtype):
    """A hidden score in the thousands has no influence, in any dtype, even where all visible ones lie far below."""
    one, other = make.tensor([[1.0, 0], [0, 0]]), make.tensor([[0.0, 0], [1, 0]])
    value = make.tensor([[0.0, 0], [0, 1 / 32]])
    for keys, mask, seen in (
        ([160.0, 0.0, -160.0], [[0, 1, 1]] * 3, [1, 1, 1]),  # scores of 4,525 and -4,525
        ([160.0, 0.0, -160.0], [[1, 1, 1], [0, 1, 1], [0, 0, 1]], [0, 1, 2]),
        ([-160.0, 160.0, 0.0], [[1, 0, 1], [1, 0, 0], [0, 0, 1]], [2, 0, 2]),
    ):
        x = torch.stack([make.tensor([40.0] * 3), make.tensor(keys)], -1)[None]
        result = student.masked_multi_head(
            x, one, other, value, torch.eye(2, dtype=dtype), 1, torch.tensor(mask).bool()
        )
        due = torch.tensor([[0, keys[j] / 32] for j in seen])[None]
        said = "the visible position with the highest score does not get all the weight"
        expect_close(result, due.to(result.device), 1e-3, said)


@points(0.25)
def test_a_width_that_does_not_divide(raises_value_error, notes_values, make):
    """A num_heads that does not divide the width is refused with ValueError; any divisor works."""
    for H, width in ((5, 12), (4, 6)):
        raises_value_error.masked_multi_head(*inputs(make, 1, 3, width), H, causal(3, 3))
    for H in (1, 2, 4, 12):
        notes_values.masked_multi_head(*inputs(make, 1, 3), H, causal(3, 3))


@points(0.15)
def test_more_heads_than_channels(raises_value_error, notes_values, make):
    """More heads than channels are refused with ValueError."""
    raises_value_error.masked_multi_head(*inputs(make, 1, 3, 4), 7, causal(3, 3))
    raises_value_error.masked_multi_head(*inputs(make, 1, 2, 2), 3, causal(2, 2))
    notes_values.masked_multi_head(*inputs(make, 1, 3, 4), 4, causal(3, 3))


def examples(ask, make):
    ask.masked_multi_head(*inputs(make, 2, 3, 4), 2, causal(3, 3))
    ask.masked_multi_head(*inputs(make), 3, make.mask(2, 3, 5, 5))
    ask.masked_multi_head(*inputs(make, 1, 2, 4), 2, causal(2, 2))
    ask.masked_multi_head(*inputs(make), 3)


def of_length(ask, make, n):
    ask.masked_multi_head(*inputs(make, 1, n, 4), 2, causal(n, n))


LAWS = laws.all(
    examples, of_length, gradient=(0.4, examples, "float32"), device=0.15, inputs_unchanged=0.05, memory_layout=0.1,
    keywords=0.05,
)  # fmt: skip


@facts("masked_multi_head")
def seen(result, x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def same(other):
        return torch.allclose(result, other, rtol=1e-3, atol=1e-3)

    if mask is not None and same(multi_head(x, w_q, w_k, w_v, w_o, num_heads)):
        yield Text("it is the result without a mask")
    rows = (result - multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask)).abs().amax((0, -1)) > 1e-3
    if bool(rows.any()):
        places = rows.nonzero().flatten().tolist()
        yield Text("positions {places} of {rows} are wrong").format(places=places, rows=len(rows))
    if same(multi_head(x, w_q, w_k, w_v, torch.eye(x.shape[-1]).to(x), num_heads, mask)):
        yield Text("it is the result before the projection w_o")


def split(x, num_heads):
    """[B, T, D] to [B, H, T, Dh]."""
    return x.view(*x.shape[:2], num_heads, -1).transpose(1, 2)


def multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None, *, attention=attend, split=split, merge=merge):
    """The repaired code, with places to go wrong; it cuts a width that num_heads does not divide."""
    width = x.shape[-1] // num_heads * num_heads
    q, k, v = (split((x @ w)[..., :width], num_heads) for w in (w_q, w_k, w_v))
    return merge(attention(q, k, v, mask)[0]) @ w_o[:width]


def varied(checked=True, **places):
    """The repaired code with a variation."""

    def wrong(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
        if checked and x.shape[-1] % num_heads:
            raise ValueError("width")
        return multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask, **places)

    return wrong


def masked(change):
    """Another mask, where there is one."""
    return varied(attention=heads.masked(change))


def hidden_as(weights_of):
    """Weights `weights_of(scores, mask)`, where there is a mask."""

    def attention(q, k, v, mask):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        return (scores.softmax(-1) if mask is None else weights_of(scores, mask)) @ v, None

    return varied(attention=attention)


def places(**to):
    """Attention with something put in another place, see `attend`."""
    return varied(attention=lambda q, k, v, mask: attend(q, k, v, mask, **to))


def only_more_heads_refused(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if num_heads > x.shape[-1]:
        raise ValueError("heads")
    return multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask)


def asserts(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    assert x.shape[-1] % num_heads == 0
    return multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask)


def mask_with_another_axis(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    # Joined as the code to repair does it: by the sizes of x, which the heads have no longer.
    joined = varied(merge=lambda heads: heads.transpose(1, 2).reshape(*x.shape[:2], -1))
    return joined(x, w_q, w_k, w_v, w_o, num_heads, None if mask is None else mask.unsqueeze(1))


def mask_required(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    return right(x, w_q, w_k, w_v, w_o, num_heads, ~~mask)


def mask_as_a_truth(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    return right(x, w_q, w_k, w_v, w_o, num_heads, mask if mask else None)


right = varied()


@misconception("masked_multi_head", stub=True)
def as_given(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """This is the code as it was given: it ignores the mask, and cuts a width that num_heads does not divide."""
    return multi_head(x, w_q, w_k, w_v, w_o, num_heads)


KNOWN = misconceptions(
    "masked_multi_head",
    mask_ignored=varied(attention=lambda q, k, v, mask: attend(q, k, v)),
    mask_inverted=masked(lambda mask: ~mask),
    mask_inverted_1e9=varied(attention=heads.ATTENTIONS["mask_inverted_1e9"]),
    always_causal=varied(attention=heads.causal_only),
    causal_without_mask=varied(attention=heads.ATTENTIONS["causal_without_a_mask"]),
    mask_after_softmax=varied(attention=heads.ATTENTIONS["mask_after_softmax"]),
    mask_after_softmax_renormalised=varied(attention=heads.weighed(heads.renormalised)),
    global_maximum=varied(attention=heads.global_maximum),
    mask_multiplied=places(fill=0.0),
    fill_1e9=places(fill=-1e9),
    fill_too_high=places(fill=-100.0),
    added_too_little=hidden_as(lambda scores, mask: (scores + (~mask).to(scores.dtype) * -100).softmax(-1)),
    added_in_float32=hidden_as(lambda scores, mask: (scores + (~mask).float() * -1e9).softmax(-1)),
    infinity_times_mask=hidden_as(lambda scores, mask: (scores + (~mask).float() * -math.inf).softmax(-1)),
    mask_added_as_number=varied(attention=heads.ATTENTIONS["mask_added_as_number"]),
    mask_transposed=hidden_as(
        lambda scores, mask: scores.masked_fill(~mask.expand(scores.shape).mT, torch.finfo(scores.dtype).min).softmax(
            -1
        )
    ),
    mask_of_first_example=masked(lambda mask: mask if mask.dim() < 4 else mask[:1]),
    mask_of_first_head=masked(lambda mask: mask if mask.dim() < 3 else mask[..., :1, :, :]),
    mask_with_another_axis=mask_with_another_axis,
    mask_required=mask_required,
    mask_as_a_truth=mask_as_a_truth,
    width_not_checked=multi_head,
    only_more_heads_refused=only_more_heads_refused,
    asserts=asserts,
    scale_of_the_whole=varied(attention=heads.ATTENTIONS["scale_sqrt_dmodel"]),
    no_scale=places(scale=1.0),
    scale_integer_root=places(scale=integer_root),
    heads_not_transposed=varied(split=heads.cut_across),
    merged_without_transpose=varied(merge=heads.piled_up),
    projections_transposed=lambda x, w_q, w_k, w_v, w_o, num_heads, mask=None: right(
        x, w_q.T, w_k.T, w_v.T, w_o.T, num_heads, mask
    ),
    no_output_projection=lambda x, w_q, w_k, w_v, w_o, num_heads, mask=None: right(
        x, w_q, w_k, w_v, torch.eye(x.shape[-1]).to(x), num_heads, mask
    ),
    forces_float32=in_float32(right),
    weights_detached=varied(attention=lambda q, k, v, mask: (attend(q, k, v, mask)[1].detach() @ v, None)),
    no_gradient=lambda x, w_q, w_k, w_v, w_o, num_heads, mask=None: right(
        x, w_q, w_k, w_v, w_o, num_heads, mask
    ).detach(),
)
