"""Hidden suite for the repaired attention sublayer. Half precision is left out, as in the other repair of a whole
layer."""

import math

import torch

from grader.suites import dtypes, error_bound, expect_close, misconception, points


@error_bound("attention_sublayer")
def bound(x, w_q, w_k, w_v, w_o):
    # As for multi-head attention: projections of D products each, scores of D_k, values of T, the last one of D_v.
    q, k, v = x.abs() @ w_q.abs(), x.abs() @ w_k.abs(), x.abs() @ w_v.abs()
    reach = (q @ k.transpose(-2, -1) / math.sqrt(w_q.shape[-1])).amax((-2, -1), keepdim=True)
    units = 2 * (2 * x.shape[-1] + w_q.shape[-1] + 5) * reach + x.shape[-1] + x.shape[-2] + w_v.shape[-1] + 16
    return (units * v.amax(-2, keepdim=True)).expand_as(v) @ w_o.abs()


def inputs(make, *lead, t=5, d=6, d_k=4, d_v=3):
    """x and the four projections."""
    sizes = ((d, d_k), (d, d_k), (d, d_v), (d_v, d))
    return make.normal(*lead, t, d), *(make.normal(*size, scale=1 / math.sqrt(size[0])) for size in sizes)


@points(0.9)
@dtypes("float32", "float64")
def test_a_batch(matches_reference, make, dtype):
    """Each example of a batch attends to its own positions, for any number of leading dimensions.

    一批中的每个样本只看自己的各个位置；前导维度可以有任意多个。
    """
    for lead in ((), (2,), (3,), (2, 3)):
        matches_reference.attention_sublayer(*inputs(make, *lead))


@points(0.5)
def test_causal(student, matches_reference, make):
    """Changing the last input moves the last output only.

    改动最后一个输入，只有最后一个输出变化。
    """
    x, *weights = inputs(make, 2)
    before = student.attention_sublayer(x, *weights)
    after = student.attention_sublayer(torch.cat([x[:, :-1], x[:, -1:] + 1], 1), *weights)
    expect_close(after[:, :-1], before[:, :-1].double(), 1e-5, "an earlier output moves", "更早的输出也变了")
    matches_reference.attention_sublayer(x, *weights)


@points(0.5)
def test_wide_heads(matches_reference, make):
    """With 64 and with 100 channels a head the scores are divided by the root of that.

    每个头有 64 或 100 个通道时，分数除以它的平方根。
    """
    for d_k in (64, 100):
        matches_reference.attention_sublayer(*inputs(make, 2, d_k=d_k))


@points(0.4)
def test_special_sizes(matches_reference, make):
    """One position, and sizes that coincide, are no special case.

    只有一个位置，或各尺寸彼此相等，都不是例外。
    """
    matches_reference.attention_sublayer(*inputs(make, 2, t=1))
    matches_reference.attention_sublayer(*inputs(make, 4, t=4, d=4, d_k=4, d_v=4))


@points(0.4)
@dtypes("float32")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to the input and to all four projections.

    梯度传到输入和全部四个投影。
    """
    matches_gradients.attention_sublayer(*inputs(make, 2, t=3, d=4, d_k=3, d_v=2))


@points(0.3)
def test_device_and_inputs(stays_on_device, does_not_mutate, matches_reference, make):
    """It works on any device, and leaves its inputs as they were.

    在任何设备上都能运行，并且不改动输入。
    """
    stays_on_device.attention_sublayer(*inputs(make, 2))
    does_not_mutate.attention_sublayer(*inputs(make, 2))
    matches_reference.attention_sublayer(*inputs(make, 2))


def sublayer(x, w_q, w_k, w_v, w_o, turned=None, scale=None, causal=True, projected=True):
    """The repaired code with a variation."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ (k.transpose(-2, -1) if turned is None else turned(k))
    scores = scores * (w_q.shape[-1] ** -0.5 if scale is None else scale)
    if causal:
        scores = scores.masked_fill(~torch.ones_like(scores, dtype=torch.bool).tril(), -math.inf)
    output = scores.softmax(-1) @ v
    return output @ w_o if projected else output


def reverse_all(k):
    """What `.T` does to a batch."""
    return k.permute(*reversed(range(k.dim())))


@misconception("attention_sublayer", stub=True)
def as_given(x, w_q, w_k, w_v, w_o):
    """This is the code as it was given: all axes reversed, no scale, no causal mask, no output projection.

    这还是题目给出的代码：所有轴都翻转了，没有缩放，没有因果掩码，也没有输出投影。
    """
    return sublayer(x, w_q, w_k, w_v, w_o, reverse_all, 1.0, causal=False, projected=False)


@misconception("attention_sublayer")
def axes_reversed(x, w_q, w_k, w_v, w_o):
    """All axes are still reversed, which is a transpose only for a single sentence. Swap the last two.

    所有轴仍然全部翻转；只有单个句子时它才等于转置。应交换最后两个轴。
    """
    return sublayer(x, w_q, w_k, w_v, w_o, reverse_all)


@misconception("attention_sublayer")
def no_scale(x, w_q, w_k, w_v, w_o):
    """The scores are still not divided by the square root of D_k.

    分数仍然没有除以 D_k 的平方根。
    """
    return sublayer(x, w_q, w_k, w_v, w_o, scale=1.0)


@misconception("attention_sublayer")
def scale_of_the_model(x, w_q, w_k, w_v, w_o):
    """The scores are divided by the square root of D, the width of x. Each dot product has length D_k.

    分数除以了 x 的宽度 D 的平方根。每个点积的长度是 D_k。
    """
    return sublayer(x, w_q, w_k, w_v, w_o, scale=x.shape[-1] ** -0.5)


@misconception("attention_sublayer")
def not_causal(x, w_q, w_k, w_v, w_o):
    """Later positions are still visible.

    后面的位置仍然可见。
    """
    return sublayer(x, w_q, w_k, w_v, w_o, causal=False)


@misconception("attention_sublayer")
def not_itself(x, w_q, w_k, w_v, w_o):
    """A position does not see itself, and the first one sees nothing at all. Each sees up to and including itself.

    位置看不到自己，第一个位置什么也看不到。每个位置应看到自己及之前的位置。
    """
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) * w_q.shape[-1] ** -0.5
    hidden = ~torch.ones_like(scores, dtype=torch.bool).tril(-1)
    return scores.masked_fill(hidden, -math.inf).softmax(-1) @ v @ w_o


@misconception("attention_sublayer")
def not_projected(x, w_q, w_k, w_v, w_o):
    """The output projection is still not applied.

    仍然没有使用输出投影。
    """
    return sublayer(x, w_q, w_k, w_v, w_o, projected=False)
