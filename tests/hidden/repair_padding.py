"""Hidden suite for the repaired padding mask. Sizes that coincide are where the broken code is silent; others raise."""

import math

import torch

from grader.suites import dtypes, error_bound, misconception, points


@error_bound("padded_attention")
def bound(q, k, v, mask):
    # As in the suite of scaled dot-product attention, for the output alone.
    mask = mask[:, None, None, :] if mask.dim() == 2 else mask[:, None]
    reach = q.abs() @ k.abs().transpose(-2, -1) / math.sqrt(q.shape[-1]) * mask
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    exponents = (q.shape[-1] / 2 + 5) * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + k.shape[-2] + 8
    return (weights * (total + k.shape[-2] + 4)) @ v.abs()


def inputs(make, b=2, h=3, t=5, dh=4):
    """Random q, k, v."""
    return tuple(make.normal(b, h, t, dh) for _ in range(3))


def lengths(b, t):
    """A mask [B, T] that shows fewer keys of each further example."""
    return torch.arange(t) < (t - torch.arange(b) % t).clamp_min(1)[:, None]


@points(0.8)
def test_padding(matches_reference, make, dtype):
    """A mask [B, T] hides the padded keys of each example from all its queries and heads.

    [B, T] 的掩码，对每个样本的所有查询和所有头遮住填充的键。
    """
    matches_reference.padded_attention(*inputs(make, 2, 1, 3), lengths(2, 3))
    matches_reference.padded_attention(*inputs(make), lengths(2, 5))
    matches_reference.padded_attention(*inputs(make, 4, 2, 3), make.mask(4, 3))


@points(0.8)
def test_a_mask_for_each_query(matches_reference, make, dtype):
    """A mask [B, T, T] says for each query of each example which keys it sees, in all heads.

    [B, T, T] 的掩码，说明每个样本的每个查询能看见哪些键，各头相同。
    """
    matches_reference.padded_attention(*inputs(make, 2, 3, 3), make.mask(2, 3, 3))
    matches_reference.padded_attention(*inputs(make), make.mask(2, 5, 5))


@points(0.6)
def test_sizes_that_coincide(matches_reference, make):
    """As many examples as positions, or as heads, changes nothing.

    样本数等于位置数，或等于头数时，也没有任何不同。
    """
    matches_reference.padded_attention(*inputs(make, 4, 3, 4), make.mask(4, 4))
    matches_reference.padded_attention(*inputs(make, 3, 3, 5), make.mask(3, 5, 5))
    matches_reference.padded_attention(*inputs(make, 3, 3, 3, 3), make.mask(3, 3, 3))


@points(0.3)
def test_a_mask_of_other_dimensions(raises_value_error, matches_reference, make):
    """ValueError, if the mask has one dimension, or four.

    掩码是一维或四维时抛出 ValueError。
    """
    raises_value_error.padded_attention(*inputs(make), make.mask(5))
    raises_value_error.padded_attention(*inputs(make), make.mask(2, 1, 5, 5))
    matches_reference.padded_attention(*inputs(make), make.mask(2, 5))


@points(0.25)
@dtypes("float32")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to queries, keys and values, and none comes from a hidden key.

    梯度传到查询、键和值；被遮住的键不产生梯度。
    """
    matches_gradients.padded_attention(*inputs(make, 2, 3, 4), lengths(2, 4))
    matches_gradients.padded_attention(*inputs(make, 2, 3, 4), make.mask(2, 4, 4))


@points(0.25)
def test_device_and_inputs(stays_on_device, does_not_mutate, matches_reference, make):
    """It works on any device, and leaves its inputs as they were.

    在任何设备上都能运行，并且不改动输入。
    """
    stays_on_device.padded_attention(*inputs(make), lengths(2, 5))
    does_not_mutate.padded_attention(*inputs(make), lengths(2, 5))
    matches_reference.padded_attention(*inputs(make), make.mask(2, 5, 5))


def attend(q, k, v, mask):
    """Attention with a mask that broadcasts as it is."""
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(~mask, -math.inf).softmax(-1) @ v


def checked(mask):
    """The right refusal."""
    if mask.dim() not in (2, 3):
        raise ValueError("mask")


@misconception("padded_attention", stub=True)
def as_given(q, k, v, mask):
    """This is the code as it was given: the mask broadcasts from the right and meets the wrong axes.

    这还是题目给出的代码：掩码从右边开始广播，对上了错误的轴。
    """
    return attend(q, k, v, mask)


@misconception("padded_attention")
def queries_hidden(q, k, v, mask):
    """The mask [B, T] was laid along the queries. It says which keys are real: the last axis of the scores.

    [B, T] 的掩码沿查询摆放了。它说明哪些键是真的，对应分数的最后一个轴。
    """
    checked(mask)
    if mask.dim() == 2:
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        return scores.masked_fill(~mask[:, None, :, None], torch.finfo(q.dtype).min).softmax(-1) @ v
    return attend(q, k, v, mask[:, None])


@misconception("padded_attention")
def padding_only(q, k, v, mask):
    """The mask [B, T] is mended, the mask [B, T, T] is not: it lacks the axis of the heads, after the first.

    [B, T] 的掩码修好了，[B, T, T] 的还没有：它缺少头的轴，应在第一个轴之后。
    """
    checked(mask)
    return attend(q, k, v, mask[:, None, None] if mask.dim() == 2 else mask)


@misconception("padded_attention")
def queries_only(q, k, v, mask):
    """The mask [B, T, T] is mended, the mask [B, T] is not: it lacks the axes of heads and queries.

    [B, T, T] 的掩码修好了，[B, T] 的还没有：它缺少头和查询的轴。
    """
    checked(mask)
    return attend(q, k, v, mask[:, None] if mask.dim() == 3 else mask)


@misconception("padded_attention")
def first_example_only(q, k, v, mask):
    """The first example's mask is used for all. Each has its own.

    所有样本都用了第一个样本的掩码。每个样本有自己的掩码。
    """
    checked(mask)
    return attend(q, k, v, (mask[:, None, None] if mask.dim() == 2 else mask[:, None])[:1])


@misconception("padded_attention")
def mask_transposed(q, k, v, mask):
    """The mask [B, T, T] is transposed: queries are its middle axis, keys the last.

    [B, T, T] 的掩码转置了：查询是中间的轴，键是最后的轴。
    """
    checked(mask)
    if mask.dim() == 2:
        return attend(q, k, v, mask[:, None, None])
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask[:, None].transpose(-2, -1), torch.finfo(q.dtype).min).softmax(-1) @ v


@misconception("padded_attention")
def mask_inverted(q, k, v, mask):
    """The mask is read the wrong way round. Here True means: may be seen.

    掩码的含义弄反了。这里 True 表示可以被看见。
    """
    checked(mask)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    hidden = mask[:, None, None] if mask.dim() == 2 else mask[:, None]
    return scores.masked_fill(hidden, torch.finfo(q.dtype).min).softmax(-1) @ v
