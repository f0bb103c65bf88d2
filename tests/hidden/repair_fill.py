"""Hidden suite for the repaired mask fill. The broken code fails each check: it has half precision or a row that sees
nothing."""

import math

import torch

from grader.suites import dtypes, error_bound, expect, misconception, points


@error_bound("attention_with_mask")
def bound(q, k, v, mask):
    # As in the suite of scaled dot-product attention; a row that sees nothing is exactly 0.
    reach = q.abs() @ k.abs().transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    mask = mask.expand(scores.shape)
    weights = scores.masked_fill(~mask, torch.finfo(torch.float64).min).softmax(-1) * mask
    reach = reach * mask
    exponents = (q.shape[-1] / 2 + 5) * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + k.shape[-2] + 8
    return (weights * (total + k.shape[-2] + 4)) @ v.abs(), weights * total


def inputs(make, *lead, t_q=5, t_kv=7, dh=6, dv=4):
    """Random q, k, v."""
    return make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh), make.normal(*lead, t_kv, dv)


def with_blind_rows(make, *shape, blind=(1,)):
    """A random mask whose rows `blind` see nothing."""
    mask = make.mask(*shape)
    mask[..., list(blind), :] = False
    return mask


@points(1)
def test_every_dtype(matches_reference, make, dtype):
    """The mask works in every float dtype, half precision too; a row that sees nothing is zero.

    掩码在每种浮点 dtype 中都有效，半精度也不例外；什么也看不见的行为零。
    """
    matches_reference.attention_with_mask(*inputs(make, t_q=2, t_kv=3), with_blind_rows(make, 2, 3))
    matches_reference.attention_with_mask(*inputs(make, 2, 3), with_blind_rows(make, 2, 1, 5, 7))


@points(0.6)
def test_rows_that_see_nothing(student, matches_reference, make):
    """Weights and output of a row that sees nothing are exactly zero, the other rows are as always.

    什么也看不见的行，权重和输出恰好为零；其他行照常。
    """
    for blind in ((0,), (0, 4), (0, 1, 2, 3, 4)):
        q, k, v = inputs(make, 2)
        mask = with_blind_rows(make, 2, 5, 7, blind=blind)
        output, weights = student.attention_with_mask(q, k, v, mask)
        rows = list(blind)
        expect(weights[:, rows] == 0, "a row that sees nothing has weight", "什么也看不见的行有权重")
        expect(output[:, rows] == 0, "a row that sees nothing has output", "什么也看不见的行有输出")
        matches_reference.attention_with_mask(q, k, v, mask)


@points(0.5)
@dtypes("float16", "bfloat16")
def test_large_scores(matches_reference, make, dtype):
    """A hidden score that dwarfs all visible ones gets no weight, in half precision too; nor where it is negative.

    被遮住的分数即使远超所有可见的分数，在半精度下也得不到权重；可见的分数很小时也一样。
    """
    q = make.tensor([[40.0] * 6, [-40.0] * 6])
    k = make.tensor([[0.0] * 6, [50.0] * 6, [1.0] * 6])  # scores of some thousands, either sign
    matches_reference.attention_with_mask(
        q, k, make.normal(3, 4), torch.tensor([[True, False, True], [False, False, False]])
    )
    matches_reference.attention_with_mask(
        q, k, make.normal(3, 4), torch.tensor([[False, False, False], [False, True, False]])
    )


@points(0.5)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients are finite where a row sees nothing, and zero there; elsewhere they are as always.

    行中什么也看不见时，梯度有限且为零；其他地方照常。
    """
    matches_gradients.of(0).attention_with_mask(*inputs(make, t_q=2, t_kv=3), with_blind_rows(make, 2, 3))
    matches_gradients.of(0).attention_with_mask(*inputs(make, 2), with_blind_rows(make, 2, 5, 7))


@points(0.4)
def test_device_and_inputs(stays_on_device, does_not_mutate, matches_reference, make):
    """It works on any device and leaves its inputs as they were, where a row sees nothing too.

    在任何设备上都能运行，并且不改动输入；有看不见任何键的行时也是如此。
    """
    mask = with_blind_rows(make, 5, 7)
    stays_on_device.attention_with_mask(*inputs(make, 2), mask)
    does_not_mutate.attention_with_mask(*inputs(make, 2), mask)
    matches_reference.attention_with_mask(*inputs(make, 2), mask)


def attend(q, k, v, mask, fill=None, zeroed=True):
    """The repaired code with a variation."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, torch.finfo(q.dtype).min if fill is None else fill).softmax(-1)
    weights = weights.masked_fill(~mask, 0.0) if zeroed else weights
    return weights @ v, weights


@misconception("attention_with_mask", stub=True)
def as_given(q, k, v, mask):
    """This is the code as it was given: -1e9 does not fit into half precision, and a row that sees nothing spreads its
    weight evenly.

    这还是题目给出的代码：半精度存不下 -1e9，而什么也看不见的行把权重平均分配了。
    """
    return attend(q, k, v, mask, -1e9, zeroed=False)


@misconception("attention_with_mask")
def infinity_only(q, k, v, mask):
    """Minus infinity fits into every dtype, but a row of nothing else becomes 0 / 0: NaN. Such rows have to become
    zero.

    负无穷在每种 dtype 中都存得下，但整行都是负无穷时会变成 0 / 0，即 NaN。这样的行应变成零。
    """
    return attend(q, k, v, mask, -math.inf, zeroed=False)


@misconception("attention_with_mask")
def lowest_only(q, k, v, mask):
    """The lowest number fits into the dtype, but a row that sees nothing still spreads its weight evenly. Set it to
    zero.

    有限的数存得下，但什么也看不见的行仍然把权重平均分配。应把它置零。
    """
    return attend(q, k, v, mask, zeroed=False)


@misconception("attention_with_mask")
def nan_to_zero(q, k, v, mask):
    """NaN is replaced by 0 at the end. The values are right, but the gradient has been through 0 / 0 and is NaN. Do
    not let the NaN arise: fill with a finite number, or open such rows and zero them afterwards.

    最后把 NaN 换成了 0。数值是对的，但梯度经过了 0 / 0，仍是 NaN。不要让 NaN 产生：用有限的数填充，
    或先放开这些行，之后再置零。
    """
    output, weights = attend(q, k, v, mask, -math.inf, zeroed=False)
    return output.nan_to_num(0.0), weights.nan_to_num(0.0)


@misconception("attention_with_mask")
def mask_inverted(q, k, v, mask):
    """The mask is read the wrong way round. Here True means: may attend.

    掩码的含义弄反了。这里 True 表示可以看见。
    """
    return attend(q, k, v, ~mask)


@misconception("attention_with_mask")
def output_forgotten(q, k, v, mask):
    """The weights are zeroed, but the output was computed before that.

    权重置零了，但输出是在那之前算出来的。
    """
    output, weights = attend(q, k, v, mask, zeroed=False)
    return output, weights.masked_fill(~mask, 0.0)
