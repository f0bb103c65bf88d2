"""Hidden suite for the repaired mask. The broken code fails every check: each has a mask that hides something.

Half precision is left out: four products in a row round so much there that nothing but the order of size is left to
see.
"""

import math

import torch

from grader.suites import dtypes, error_bound, misconception, points


@error_bound("masked_multi_head")
def bound(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    # Each projection sums D products (D epsilon of the sum of absolute values). A score, of such q and k, is off by
    # (2 D + Dh + 4) epsilon of |q||k| / sqrt(Dh); its weight by that much of itself, and so is the output; the values'
    # own error and the last projection add D each.
    B, T, D = x.shape
    q, k, v = ((x.abs() @ w.abs()).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    reach = (q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)).amax((-2, -1), keepdim=True)
    units = 2 * (2 * D + D // num_heads + 5) * reach + 2 * D + T + 16
    mixed = (units * v.amax(-2, keepdim=True)).expand_as(v).transpose(1, 2).reshape(B, T, D)
    return mixed @ w_o.abs()


def inputs(make, b=2, t=5, d=12):
    """x and four projections that keep its size."""
    return make.normal(b, t, d), *(make.normal(d, d, scale=1 / math.sqrt(d)) for _ in range(4))


def causal(t):
    """Each position sees itself and what is before it."""
    return torch.ones(t, t, dtype=torch.bool).tril()


@points(1)
@dtypes("float32", "float64")
def test_causal(matches_reference, make, dtype):
    """With a causal mask no position sees a later one; without a mask every position sees all.

    使用因果掩码时，任何位置都看不到后面的位置；没有掩码时可以看到全部。
    """
    matches_reference.masked_multi_head(*inputs(make, 1, 2, 2), 1, mask=causal(2))
    matches_reference.masked_multi_head(*inputs(make), 3, mask=causal(5))
    matches_reference.masked_multi_head(*inputs(make), 3)


@points(0.8)
@dtypes("float32", "float64")
def test_masks_of_other_shapes(matches_reference, make, dtype):
    """Masks for each example, or for each head, broadcast as they should.

    每个样本一个掩码、每个头一个掩码，都按应有的方式广播。
    """
    for shape in ((2, 1, 1, 5), (2, 1, 5, 5), (1, 3, 5, 5), (2, 3, 5, 5)):
        matches_reference.masked_multi_head(*inputs(make), 3, mask=make.mask(*shape))


@points(0.3)
def test_a_width_that_does_not_divide(raises_value_error, matches_reference, make):
    """ValueError, if num_heads does not divide the width; any divisor will do.

    num_heads 不能整除宽度时抛出 ValueError；任何因数都可以。
    """
    for heads, width in ((5, 12), (4, 6)):
        raises_value_error.masked_multi_head(*inputs(make, 1, 3, width), heads)
    for heads in (1, 2, 4, 12):
        matches_reference.masked_multi_head(*inputs(make, 1, 3), heads, mask=causal(3))


@points(0.2)
def test_more_heads_than_channels(raises_value_error, matches_reference, make):
    """ValueError, if there are more heads than channels.

    头比通道还多时抛出 ValueError。
    """
    raises_value_error.masked_multi_head(*inputs(make, 1, 3, 4), 7)
    raises_value_error.masked_multi_head(*inputs(make, 1, 2, 2), 3, mask=causal(2))
    matches_reference.masked_multi_head(*inputs(make, 1, 3, 4), 4, mask=causal(3))


@points(0.4)
@dtypes("float32")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to the input and all projections, and none comes from a hidden position.

    梯度传到输入和所有投影；被遮住的位置不产生梯度。
    """
    matches_gradients.masked_multi_head(*inputs(make, 1, 3, 4), 2, mask=causal(3))


@points(0.3)
def test_device_and_inputs(stays_on_device, does_not_mutate, matches_reference, make):
    """It works on any device, and leaves its inputs as they were.

    在任何设备上都能运行，并且不改动输入。
    """
    stays_on_device.masked_multi_head(*inputs(make), 3, mask=causal(5))
    does_not_mutate.masked_multi_head(*inputs(make), 3, mask=causal(5))
    matches_reference.masked_multi_head(*inputs(make), 3, mask=causal(5))


def attend(x, w_q, w_k, w_v, w_o, num_heads, mask=None, hide=None, scale=None, checked=True):
    """The repaired code with a variation."""
    B, T, D = x.shape
    if checked and D % num_heads:
        raise ValueError(num_heads)
    width = D // num_heads
    q, k, v = ((x @ w)[..., : num_heads * width].view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) * (max(width, 1) ** -0.5 if scale is None else scale)
    weights = scores.softmax(-1) if mask is None else (hide or hidden)(scores, mask)
    return (weights @ v).transpose(1, 2).reshape(B, T, -1) @ w_o[: num_heads * width]


def hidden(scores, mask):
    """The right way to hide."""
    return scores.masked_fill(~mask, -math.inf).softmax(-1)


@misconception("masked_multi_head", stub=True)
def as_given(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """This is the code as it was given: it ignores the mask, and cuts a width that num_heads does not divide.

    这还是题目给出的代码：它不使用掩码，宽度不能被 num_heads 整除时直接截断。
    """
    return attend(x, w_q, w_k, w_v, w_o, num_heads, checked=False)


@misconception("masked_multi_head")
def mask_ignored(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """The mask is still not used: hidden positions are seen. Set their scores to minus infinity before softmax.

    掩码仍然没有用上：被遮住的位置还能看见。应在 softmax 之前把它们的分数设为负无穷。
    """
    return attend(x, w_q, w_k, w_v, w_o, num_heads)


@misconception("masked_multi_head")
def mask_inverted(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """The mask is read the wrong way round. Here True means: may attend.

    掩码的含义弄反了。这里 True 表示可以看见。
    """
    return attend(x, w_q, w_k, w_v, w_o, num_heads, None if mask is None else ~mask)


@misconception("masked_multi_head")
def mask_after_softmax(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """Hidden weights are set to 0 after softmax, so the visible ones no longer sum to 1. Hide the scores before it.

    在 softmax 之后才把被遮住的权重置 0，可见的权重之和不再是 1。应在它之前遮住分数。
    """
    return attend(x, w_q, w_k, w_v, w_o, num_heads, mask, lambda s, m: s.softmax(-1) * m)


@misconception("masked_multi_head")
def mask_multiplied(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """Hidden scores are set to 0, which is an ordinary score. Minus infinity is what softmax turns into weight 0.

    被遮住的分数被设成 0，而 0 是普通的分数。softmax 会把负无穷变成权重 0。
    """
    return attend(x, w_q, w_k, w_v, w_o, num_heads, mask, lambda s, m: (s * m).softmax(-1))


@misconception("masked_multi_head")
def mask_transposed(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """The mask is transposed: rows are queries and columns are keys.

    掩码转置了：行是查询，列是键。
    """
    turned = None if mask is None else mask.expand(*mask.shape[:-2], x.shape[1], x.shape[1]).transpose(-2, -1)
    return attend(x, w_q, w_k, w_v, w_o, num_heads, turned, lambda s, m: s.masked_fill(~m, -1e30).softmax(-1))


@misconception("masked_multi_head")
def width_not_checked(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """The mask is mended, but a width that num_heads does not divide is still cut without a word. Raise ValueError.

    掩码修好了，但宽度不能被 num_heads 整除时仍然一声不响地截断。应抛出 ValueError。
    """
    return attend(x, w_q, w_k, w_v, w_o, num_heads, mask, checked=False)


@misconception("masked_multi_head")
def scale_of_the_whole(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """The scale was right before: each head takes dot products of length Dh = D / num_heads, not D.

    缩放原本是对的：每个头的点积长度是 Dh = D / num_heads，而不是 D。
    """
    return attend(x, w_q, w_k, w_v, w_o, num_heads, mask, scale=x.shape[-1] ** -0.5)
