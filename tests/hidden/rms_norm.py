"""Hidden suite for RMSNorm.

Not in the bank, because right: rounding to the dtype of x before the weight is applied (as Llama does), dividing by a
power of two instead of computing in float32, x / length * sqrt(D).
"""

import torch

from grader.suites import dtypes, error_bound, expect_close, misconception, points


@error_bound("rms_norm")
def rms_norm_bound(x, weight=None, eps=1e-6):
    # Relative to the result: the mean of D squares is off by (D / 2 + 3) eps, its root by half of that; x rounded to
    # float32, the root, the quotient, the weight and the product with it are rounded once each.
    y = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)
    return (y if weight is None else y * weight).abs() * (x.shape[-1] / 4 + 8)


@points(1.5)
def test_definition(matches_reference, make, dtype):
    """Each vector is divided by the root of the mean of its squares, along the last dimension.

    每个向量沿最后一维除以自己各分量平方的均值的平方根。
    """
    for shape in ((2,), (5,), (3, 4), (2, 3, 5), (2, 3, 4, 7)):
        matches_reference.rms_norm(make.normal(*shape, scale=2.0))


@points(1.25)
def test_weight(matches_reference, make, dtype):
    """With a weight, each channel is multiplied by its factor afterwards.

    有 weight 时，归一化之后每个通道再乘以自己的系数。
    """
    for shape in ((2,), (5,), (3, 4), (2, 3, 5)):
        matches_reference.rms_norm(make.normal(*shape), weight=make.normal(shape[-1]))


@points(0.75)
@dtypes("float16", "bfloat16")
def test_wider_weight(matches_reference, make, dtype):
    """A weight in float32 does not widen the result: it has the dtype of x.

    weight 为 float32 时，结果不会随之变宽：dtype 仍与 x 相同。
    """
    for shape, scale in (((3,), 1.0), ((2, 5), 1.0), ((2, 3, 4), 400.0)):
        matches_reference.rms_norm(make.normal(*shape, scale=scale), weight=make.normal(shape[-1]).float())


@points(1)
@dtypes("float16", "float32")
def test_large_entries(matches_reference, make, dtype):
    """Entries whose squares do not fit into float16 are no problem.

    分量的平方超出 float16 的范围也不成问题。
    """
    matches_reference.rms_norm(make.tensor([300.0, 300.0]))
    matches_reference.rms_norm(make.tensor([[300.0, -400.0, 0.5], [60000.0, -30000.0, 1.0]]))
    matches_reference.rms_norm(make.normal(2, 3, 7, scale=1000.0))


@points(1)
def test_laws(student, matches_reference, make):
    """The root mean square of the result is 1, whatever the length of a vector was, and opposite vectors stay opposite.

    无论向量原来多长，结果的均方根都是 1；方向相反的向量仍然相反。
    """
    for shape in ((3,), (2, 5), (2, 3, 4)):
        x = make.normal(*shape) + 0.5
        y = student.rms_norm(x)
        en, zh = "the root mean square of the result is not 1", "结果的均方根不是 1"
        expect_close(y.square().mean(-1).sqrt(), 1.0, 1e-4, en, zh)
        en, zh = "a vector 8 times as long does not give the same result", "向量变为 8 倍长，结果却变了"
        expect_close(student.rms_norm(x * 8), y, 1e-4, en, zh)
        en, zh = "the opposite vector does not give the opposite result", "相反的向量没有得到相反的结果"
        expect_close(student.rms_norm(-x), -y, 1e-5, en, zh)
        matches_reference.rms_norm(x)


@points(0.5)
def test_mean_is_left_alone(matches_reference, make):
    """The mean is not subtracted: a vector of equal entries becomes one of ones, and a large mean stays large.

    不减去均值：各分量相等的向量变成全 1，均值大的向量归一化后均值仍大。
    """
    matches_reference.rms_norm(make.tensor([[3.0, 3, 3], [-0.5, -0.5, -0.5]]))
    matches_reference.rms_norm(make.tensor([[1.0, -1, 2, -2], [11, 9, 12, 8]]))
    matches_reference.rms_norm(make.normal(3, 5) + 10)


@points(0.75)
def test_small_vectors(matches_reference, make):
    """A vector of zeros gives zeros, not NaN; where entries are of the size of eps, eps counts.

    全 0 的向量得到 0，而不是 NaN；分量与 eps 大小相当时，eps 起作用。
    """
    matches_reference.rms_norm(make.tensor([0.0, 0.0]))
    matches_reference.rms_norm(make.tensor([[0.0, 0.0, 0.0], [1.0, 0.0, 2.0]]))
    matches_reference.rms_norm(make.normal(3, 5, scale=1e-3))
    matches_reference.rms_norm(make.normal(2, 4, scale=1e-5), weight=make.normal(4))


@points(1)
def test_eps(matches_reference, make):
    """eps is added to the mean of the squares, under the root; it can be chosen.

    eps 加在平方的均值上，在根号之内；它可以另外指定。
    """
    for eps in (1e-5, 0.01, 0.5, 4.0):
        matches_reference.rms_norm(make.normal(2), eps=eps)
        matches_reference.rms_norm(make.normal(3, 5, scale=0.5), eps=eps)
        matches_reference.rms_norm(make.normal(2, 3, 4), weight=make.normal(4), eps=eps)
    matches_reference.rms_norm(make.normal(2, 3), eps=0.0)


@points(0.5)
def test_special_sizes(matches_reference, make):
    """Vectors of one entry, single vectors and sizes that coincide are no special case.

    只有一个分量、只有一个向量、尺寸彼此相等时，都没有例外。
    """
    for shape in ((1,), (3, 1), (1, 3), (3, 3), (4, 4, 4), (1, 1, 1)):
        matches_reference.rms_norm(make.normal(*shape))
        matches_reference.rms_norm(make.normal(*shape), weight=make.normal(shape[-1]))


@points(1)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to x, through the root as well, and to the weight; also from a vector of zeros.

    梯度传回 x（也经过根号）和 weight；全 0 的向量也一样。
    """
    matches_gradients.rms_norm(make.normal(3))
    matches_gradients.rms_norm(make.normal(2, 3, 5), weight=make.normal(5))
    matches_gradients.rms_norm(make.normal(3, 4), weight=make.normal(4), eps=0.1)
    matches_gradients.rms_norm(make.tensor([[0.0, 0.0, 0.0], [1.0, -2.0, 0.5]]), eps=0.01)


@points(0.25)
def test_memory_layout(matches_reference, make):
    """Vectors may lie in memory in any order.

    向量在内存中可按任意次序排布。
    """
    matches_reference.rms_norm(make.normal(5, 3).T, weight=make.normal(10)[::2])
    matches_reference.rms_norm(make.strided(make.normal(2, 3, 4)))
    matches_reference.rms_norm(make.normal(2, 1, 4).expand(2, 3, 4), weight=make.normal(1).expand(4))


@points(0.25)
def test_inputs_unchanged(does_not_mutate, matches_reference, make):
    """x and the weight are left as they were.

    x 和 weight 保持原样。
    """
    for shape in ((3,), (2, 3, 5)):
        x, weight = make.normal(*shape), make.normal(shape[-1])
        does_not_mutate.rms_norm(x)
        does_not_mutate.rms_norm(x, weight=weight)
        matches_reference.rms_norm(x, weight=weight)


@points(0.25)
def test_device(stays_on_device, matches_reference, make):
    """Whatever is made on the way is made on the device of x.

    计算途中创建的张量都位于 x 所在的设备上。
    """
    x, weight = make.normal(2, 3, 5), make.normal(5)
    stays_on_device.rms_norm(x)
    stays_on_device.rms_norm(x, weight=weight, eps=0.1)
    matches_reference.rms_norm(x, weight=weight, eps=0.1)


def wide(x):
    """x in float32 or wider."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


def finished(y, x, weight):
    """The result, with the weight and in the dtype of x."""
    return (y if weight is None else y * weight).to(x.dtype)


def mean_square(h):
    """The mean of the squares of each vector."""
    return h.square().mean(-1, keepdim=True)


@misconception("rms_norm")
def layer_norm(x, weight=None, eps=1e-6):
    """The mean is subtracted first: that is LayerNorm. RMSNorm only divides, so that the direction stays.

    先减去了均值：那是 LayerNorm。RMSNorm 只做除法，方向因此不变。
    """
    h = wide(x) - wide(x).mean(-1, keepdim=True)
    return finished(h * torch.rsqrt(mean_square(h) + eps), x, weight)


@misconception("rms_norm")
def standard_deviation(x, weight=None, eps=1e-6):
    """Vectors are divided by their standard deviation, which is measured from the mean. The root mean square is
    measured from 0.

    除以的是标准差，它从均值量起。均方根是从 0 量起的。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(mean_square(h - h.mean(-1, keepdim=True)) + eps), x, weight)


@misconception("rms_norm")
def sum_instead_of_mean(x, weight=None, eps=1e-6):
    """The squares are added but not divided by D (an L2 norm): vectors get length 1, not entries of typical size 1.

    平方相加之后没有除以 D（那是 L2 范数）：得到的是长度为 1 的向量，而不是典型分量大小为 1。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(h.square().sum(-1, keepdim=True) + eps), x, weight)


@misconception("rms_norm")
def no_root(x, weight=None, eps=1e-6):
    """Vectors are divided by the mean of the squares; its root is missing. A vector twice as long would come out half
    as long.

    除以的是平方的均值，漏了开方。向量变为两倍长，结果反而会变为一半长。
    """
    h = wide(x)
    return finished(h / (mean_square(h) + eps), x, weight)


@misconception("rms_norm")
def mean_of_magnitudes(x, weight=None, eps=1e-6):
    """Vectors are divided by the mean of |x|. Squares come first, then the mean, then the root.

    除以的是 |x| 的均值。应当先平方，再求均值，最后开方。
    """
    h = wide(x)
    return finished(h / (h.abs().mean(-1, keepdim=True) + eps), x, weight)


@misconception("rms_norm")
def square_of_mean(x, weight=None, eps=1e-6):
    """The mean is taken first and squared afterwards: positive and negative entries cancel. Square each entry, then
    take the mean.

    先求了均值再平方：正负分量互相抵消。应当先平方每个分量，再求均值。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(h.mean(-1, keepdim=True).square() + eps), x, weight)


@misconception("rms_norm")
def multiplied(x, weight=None, eps=1e-6):
    """Vectors are multiplied by their root mean square instead of divided by it: long ones become longer still.

    乘上了均方根，而不是除以它：长的向量变得更长。
    """
    h = wide(x)
    return finished(h * (mean_square(h) + eps).sqrt(), x, weight)


@misconception("rms_norm")
def softmax_instead(x, weight=None, eps=1e-6):
    """This is softmax: positive numbers with the sum 1. RMSNorm keeps signs and direction and changes the length only.

    这是 softmax：得到和为 1 的正数。RMSNorm 保留符号和方向，只改变长度。
    """
    return finished(wide(x).softmax(-1), x, weight)


@misconception("rms_norm")
def eps_outside_root(x, weight=None, eps=1e-6):
    """eps is added after the root. It belongs inside, to the mean of the squares: near 0 that makes a difference of
    sqrt(eps) against eps.

    eps 加在了开方之后。它应在根号之内，加到平方的均值上：在 0 附近，差别是 sqrt(eps) 与 eps 之比。
    """
    h = wide(x)
    return finished(h / (mean_square(h).sqrt() + eps), x, weight)


@misconception("rms_norm")
def eps_left_out(x, weight=None, eps=1e-6):
    """eps is not used: a vector of zeros becomes 0 / 0 = NaN.

    没有用到 eps：全 0 的向量变成 0 / 0 = NaN。
    """
    h = wide(x)
    return finished(h / mean_square(h).sqrt(), x, weight)


@misconception("rms_norm")
def eps_fixed(x, weight=None, eps=1e-6):
    """eps is always 1e-6, whatever is passed in.

    无论传入什么，eps 总是 1e-6。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(mean_square(h) + 1e-6), x, weight)


@misconception("rms_norm")
def eps_as_least_value(x, weight=None, eps=1e-6):
    """eps is used as the least value of the mean square (clamp). It is added to it.

    把 eps 当作均方的下限（clamp）。应当是加上它。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(mean_square(h).clamp(min=eps)), x, weight)


@misconception("rms_norm")
def along_dim0(x, weight=None, eps=1e-6):
    """The mean runs along the first dimension, over different tokens. Each token is normalised by itself, along the
    last.

    均值沿第一维求，跨越了不同的词元。每个词元应沿最后一维单独归一化。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(h.square().mean(0, keepdim=True) + eps), x, weight)


@misconception("rms_norm")
def along_dim1(x, weight=None, eps=1e-6):
    """The mean runs along dimension 1. That is the last one for a matrix only; count from the back.

    均值沿第 1 维求。只有对矩阵来说它才是最后一维；应从后往前数。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(h.square().mean(min(1, x.dim() - 1), keepdim=True) + eps), x, weight)


@misconception("rms_norm")
def whole_tensor(x, weight=None, eps=1e-6):
    """One mean is taken over the whole tensor. Each vector, along the last dimension, has its own.

    对整个张量只求了一个均值。沿最后一维的每个向量都应有自己的均值。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(h.square().mean() + eps), x, weight)


@misconception("rms_norm")
def keepdim_forgotten(x, weight=None, eps=1e-6):
    """The mean loses its dimension (keepdim=True is missing), so it broadcasts along the wrong axis: an error, or wrong
    numbers where the sizes coincide.

    求均值时丢掉了维度（缺少 keepdim=True），于是沿错误的轴广播：要么报错，要么在尺寸恰好相等时算错。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(h.square().mean(-1) + eps), x, weight)


@misconception("rms_norm")
def weight_ignored(x, weight=None, eps=1e-6):
    """The weight is accepted and never used.

    接收了 weight 却没有使用。
    """
    h = wide(x)
    return (h * torch.rsqrt(mean_square(h) + eps)).to(x.dtype)


@misconception("rms_norm")
def weight_plus_one(x, weight=None, eps=1e-6):
    """Channels are multiplied by 1 + weight. Some models (Gemma) store it that way; here weight is the factor itself.

    通道乘的是 1 + weight。有的模型（Gemma）这样存放；这里 weight 就是系数本身。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(mean_square(h) + eps), x, None if weight is None else 1 + weight)


@misconception("rms_norm")
def weight_added(x, weight=None, eps=1e-6):
    """The weight is added, as a bias would be. It is a factor.

    weight 像偏置一样被加了上去。它是系数，应当相乘。
    """
    h = wide(x)
    y = h * torch.rsqrt(mean_square(h) + eps)
    return (y if weight is None else y + weight).to(x.dtype)


@misconception("rms_norm")
def weight_first(x, weight=None, eps=1e-6):
    """The weight is applied before the vector is measured, so normalising takes part of it away again. Measure x, and
    multiply afterwards.

    在测量向量大小之前就乘了 weight，归一化又把它抵消掉一部分。应先用 x 求均方根，之后再乘。
    """
    h = wide(x) if weight is None else wide(x) * weight
    return (h * torch.rsqrt(mean_square(h) + eps)).to(x.dtype)


@misconception("rms_norm")
def squares_in_float16(x, weight=None, eps=1e-6):
    """The squares are computed in the dtype of x: in float16 300 squared is infinite, and the result is 0. Compute in
    float32 and convert back.

    平方是用 x 的 dtype 计算的：float16 下 300 的平方是无穷大，结果成了 0。应先转为 float32 计算，再转回。
    """
    y = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)
    return finished(y, x, weight)


@misconception("rms_norm")
def widened_by_weight(x, weight=None, eps=1e-6):
    """A weight in float32 makes the result float32, because it is applied after the conversion back. Convert last.

    weight 为 float32 时，结果也变成了 float32，因为转回 dtype 之后才乘它。应当最后再转换。
    """
    h = wide(x)
    y = (h * torch.rsqrt(mean_square(h) + eps)).to(x.dtype)
    return y if weight is None else y * weight


@misconception("rms_norm")
def forces_float32(x, weight=None, eps=1e-6):
    """The result is always float32. Computing in float32 is right, but it must come back in the dtype of x.

    结果总是 float32。用 float32 计算是对的，但返回时要转回 x 的 dtype。
    """
    h = x.float()
    return finished(h * torch.rsqrt(mean_square(h) + eps), h, weight)


@misconception("rms_norm")
def root_detached(x, weight=None, eps=1e-6):
    """The values are right, but the gradient treats the root mean square as a constant (detach or no_grad around it).
    It depends on x, too.

    数值正确，但求梯度时把均方根当成了常数（在它外面用了 detach 或 no_grad）。它也依赖于 x。
    """
    h = wide(x)
    return finished(h * torch.rsqrt(mean_square(h) + eps).detach(), x, weight)


@misconception("rms_norm")
def no_gradient(x, weight=None, eps=1e-6):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing before it could learn.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），它之前的层将学不到任何东西。
    """
    h = wide(x.detach())
    return finished(h * torch.rsqrt(mean_square(h) + eps), x, None if weight is None else weight.detach())
