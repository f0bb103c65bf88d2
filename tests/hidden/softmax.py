"""Hidden suite for softmax.

Not in the bank, because right by the rules: clamping the denominator from below (it is at least 1), any shift that
keeps every row near 0 (the maximum, the logarithm of the sum), float32 inside.
"""

import math

import torch

from grader.suitekit import Text, dtypes, error_bound, expect, expect_close, facts, misconception, points


@error_bound("softmax")
def softmax_bound(x, dim=-1):
    # p = e^(x - m) / sum: an error d in an exponent changes p by p * d. Exponents are rounded when float64 input goes
    # through float32 (eps |x| / 2) and as x - m, or x - log(sum) with log(sum) <= m + log(n): eps (|x| + |m|) in all.
    # The exponents of the sum do the same to it, averaged with weights p. Adding n terms one after another costs
    # n eps / 2; the exponentials, the logarithm and the division a few eps more.
    p = torch.softmax(x, dim)
    size = x.abs().masked_fill(x.isinf(), 0.0) + x.amax(dim, keepdim=True).abs()
    return p * (size + (p * size).sum(dim, keepdim=True) + x.shape[dim] + 8)


@points(2)
def test_definition(golden, make, dtype):
    """Every entry is exp(x_i) divided by the sum of exp(x_j) over its row, the last dimension unless told otherwise.

    每个元素等于 exp(x_i) 除以它所在行的 exp(x_j) 之和；不指定时，行沿最后一维。
    """
    for shape in ((1,), (5,), (2, 3), (3, 3), (2, 3, 4, 5)):
        golden.softmax(make.normal(*shape))


@points(1)
def test_any_dimension(golden, make):
    """The dimension given by dim is the one that is normalised, counted from the front or from the back.

    被归一化的是 dim 指定的那一维，从前数、从后数都可以。
    """
    for shape in ((5,), (2, 1), (3, 5), (3, 3), (3, 2, 5, 4)):
        for dim in range(-len(shape), len(shape)):
            golden.softmax(make.normal(*shape, scale=2.0), dim=dim)


@points(0.5)
def test_laws(student, golden, make):
    """The entries of a row sum to 1, and adding one number to a whole row changes nothing.

    每一行之和为 1；给整行加上同一个数，结果不变。
    """
    for shape, dim in (((5,), 0), ((4, 3), 0), ((2, 5, 3), 1)):
        x = make.normal(*shape)
        p = student.softmax(x, dim=dim)
        en, zh = "the entries along dim do not sum to 1", "沿 dim 的元素之和不等于 1"
        expect_close(p.sum(dim), 1.0, 1e-5, en, zh)
        expect(p >= 0, "an entry is negative", "出现了负的元素")
        moved = student.softmax(x + 3.0, dim=dim)
        expect_close(moved, p, 1e-5, "adding 3 to every entry changes the result", "每个元素都加 3 之后，结果变了")
        golden.softmax(x * 4, dim=dim)


@points(2)
def test_large_logits(student, golden, make, dtype):
    """Logits far from 0, positive or negative, neither overflow nor vanish, and rows do not disturb each other.

    远离 0 的 logits（无论正负）既不会上溢也不会消失；各行互不影响。
    """
    for top in (1000.0, -1000.0):  # one entry far above the others: exact in every dtype
        x = make.tensor([[top - 512, top, top - 1024], [64.0, -64.0, 0.0], [0.0, -1024.0, 2048.0]])
        one_hot = (x == x.amax(1, keepdim=True)).double()
        en = "a row with one logit far above the rest is not 1 there and 0 elsewhere"
        zh = "某个 logit 远大于其余时，该处应为 1，其余应为 0"
        expect_close(student.softmax(x), one_hot, 1e-3, en, zh)
        expect_close(student.softmax(x.T.contiguous(), dim=0), one_hot.T, 1e-3, en, zh)
    golden.softmax(make.normal(2, 5))
    if dtype in (torch.float32, torch.float64):
        golden.softmax(make.tensor([1e4, 1e4 - 1, 1e4 - 2]))
        golden.softmax(make.tensor([[0.0, 1, 2], [1000, 1001, 1002], [-1e4, 1 - 1e4, 2 - 1e4]]))
        golden.softmax(make.normal(3, 5, scale=30.0), dim=0)


@points(1)
@dtypes("float16", "float32")
def test_minus_infinity(golden, make, dtype):
    """A logit of -inf gets exactly 0, and the others share the row as if it were not there.

    值为 -inf 的 logit 恰好得到 0，其余元素的结果如同它不存在。
    """
    hidden = -math.inf
    for row in ([0.5, hidden], [hidden, -2.0, hidden], [hidden, 1.0, 0.25, hidden, -1.5]):
        x = make.tensor(row)
        for logits, dim in ((x, -1), (x[:, None].repeat(1, 2), 0)):
            p = golden.softmax(logits, dim=dim)
            en, zh = "a logit of -inf does not get exactly 0", "值为 -inf 的 logit 没有恰好得到 0"
            expect(p[logits == hidden] == 0, en, zh)


@points(0.5)
@dtypes("float32", "float64")
def test_no_competitor(student, golden, make, dtype):
    """An entry that is alone in its row, or far above the rest, gets exactly 1.

    一行中唯一的元素，或远高于其余的元素，恰好得到 1。
    """
    for row in ([3.0], [0.0, -200.0], [-200.0, 0.0, -300.0]):
        p = student.softmax(make.tensor(row))
        en, zh = "an entry without a competitor does not get 1", "没有竞争者的元素没有得到 1"
        expect_close(p.amax(), 1.0, 2 * torch.finfo(dtype).eps, en, zh)
        golden.softmax(make.tensor(row))


@points(0.5)
@dtypes("float32", "float64")
def test_equal_logits(student, golden, make, dtype):
    """n equal logits get exactly 1/n each, because nothing else is added to their sum.

    n 个相等的 logits 各得恰好 1/n，因为它们的和里没有掺入别的数。
    """
    for n in (2, 3, 5, 7):
        p = student.softmax(make.tensor([0.0] * n))
        detour = bool((p.float() == p).all())  # float32 inside is honest; what float32 cannot hold did not come from it
        epsilon = torch.finfo(torch.float32 if detour else dtype).eps
        en, zh = f"{n} equal logits do not get 1/{n} each", f"{n} 个相等的 logits 没有各得 1/{n}"
        expect_close(p, 1 / n, 16 / n * epsilon, en, zh)
        golden.softmax(make.normal(n))


@points(1)
@dtypes("float32", "float64")
def test_gradient(gradients, make, dtype):
    """Gradients flow back through the exponentials and through their sum.

    梯度既穿过各个指数，也穿过它们的和。
    """
    gradients.softmax(make.normal(5))
    gradients.softmax(make.normal(3, 5), dim=0)
    gradients.softmax(make.normal(2, 4, 3, scale=3.0), dim=1)


@points(0.5)
def test_memory_layout(golden, make):
    """The layout of the input in memory does not matter: transposed and expanded tensors give the same result.

    输入在内存中的排布不影响结果：转置或 expand 得到的张量也一样。
    """
    for x in (make.normal(5, 3).T, make.strided(make.normal(2, 3, 5)), make.normal(2, 1, 5).expand(2, 3, 5)):
        for dim in range(x.dim()):
            golden.softmax(x, dim=dim)


@points(0.5)
def test_input_unchanged(untouched, golden, make):
    """The input is left as it was.

    输入保持原样。
    """
    for x in (make.normal(5), make.normal(2, 3, 5)):
        untouched.softmax(x, dim=0)
        golden.softmax(x, dim=0)


@points(0.5)
def test_device(contract, golden, make):
    """All of it happens on the device of the input.

    全部计算都在输入所在的设备上进行。
    """
    for x in (make.normal(5), make.normal(2, 3, 5)):
        contract.softmax(x, dim=0)
        golden.softmax(x, dim=0)


@facts("softmax")
def seen(y, x, dim=-1):
    sums = y.sum(dim)
    if not bool(((sums - 1).abs() < 1e-3).all()):
        low, high = float(sums.min()), float(sums.max())
        yield Text(
            f"the sums along dim {dim} lie between {low:.4g} and {high:.4g}, not at 1",
            f"沿第 {dim} 维的和在 {low:.4g} 与 {high:.4g} 之间，而不是 1",
        )
        for other in range(x.dim()):
            if other != dim % x.dim() and bool(((y.sum(other) - 1).abs() < 1e-3).all()):
                yield Text(f"they are 1 along dim {other}", f"沿第 {other} 维的和才是 1")
    if bool((y < 0).any()):
        yield Text(f"{int((y < 0).sum())} entries are negative", f"有 {int((y < 0).sum())} 个元素为负")
    if x.shape[dim] > 1 and not bool((y.argmax(dim) == x.argmax(dim)).all()):
        yield Text("the largest entry is not where the largest input is", "最大元素的位置与输入最大值的位置不同")


@misconception("softmax")
def no_max_subtraction(x, dim=-1):
    """The exponentials are taken of the raw logits, so a large logit overflows to inf and the row becomes NaN. Shift
    each row first: which shift leaves the result as it is and makes no exponent positive?

    直接对原始 logits 取指数：较大的 logit 会溢出为 inf，整行变成 NaN。请先平移每一行：怎样的平移不改变结果，
    又使所有指数都不大于 0?
    """
    return x.exp() / x.exp().sum(dim, keepdim=True)


@misconception("softmax")
def global_max(x, dim=-1):
    """One maximum of the whole tensor is subtracted from every row. A row far below it vanishes: 0 divided by 0. Each
    row along dim needs its own.

    所有行都减去了整个张量的最大值。远低于它的行会全部下溢，变成 0 除以 0。沿 dim 的每一行都要用自己的最大值。
    """
    e = (x - x.max()).exp()
    return e / e.sum(dim, keepdim=True)


@misconception("softmax")
def max_over_wrong_dim(x, dim=-1):
    """The maximum is taken along another dimension than the sum, so the entries of one row are shifted by different
    amounts and their ratios change. Use dim for both.

    求最大值与求和用了不同的维度，同一行的元素平移量不同，彼此的比例被改变。两处都应使用 dim。
    """
    other = 0 if dim % x.dim() else x.dim() - 1
    e = (x - x.amax(other, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)


@misconception("softmax")
def ignores_dim(x, dim=-1):
    """The last dimension is normalised whatever dim says. Pass dim on to the maximum and to the sum.

    无论 dim 是什么，归一化的总是最后一维。求最大值与求和时都要用上 dim。
    """
    return torch.softmax(x, -1)


@misconception("softmax")
def always_dim0(x, dim=-1):
    """The first dimension is normalised whatever dim says, so the columns sum to 1 instead of the rows.

    无论 dim 是什么，归一化的总是第一维：和为 1 的是列，而不是行。
    """
    return torch.softmax(x, 0)


@misconception("softmax")
def always_dim1(x, dim=-1):
    """Dimension 1 is normalised whatever dim says. That is the last one only for a matrix.

    无论 dim 是什么，归一化的总是第 1 维。只有对矩阵来说它才是最后一维。
    """
    return torch.softmax(x, min(1, x.dim() - 1))


@misconception("softmax")
def global_normaliser(x, dim=-1):
    """The sum runs over the whole tensor: all entries together sum to 1, each row to less. Every row along dim is a
    distribution of its own.

    求和覆盖了整个张量：所有元素之和为 1，而每一行之和小于 1。沿 dim 的每一行应各自成为一个分布。
    """
    e = (x - x.max()).exp()
    return e / e.sum()


@misconception("softmax")
def keepdim_forgotten(x, dim=-1):
    """The reduced dimension was dropped, so broadcasting lines up the sums with the wrong axis: an error for most
    shapes, silently wrong for square ones. Keep it with size 1.

    归约后丢掉了那一维，广播时和数对到了错误的轴上：多数形状会报错，方阵则悄悄算错。应保留该维，令其长度为 1。
    """
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim)


@misconception("softmax")
def denominator_unshifted(x, dim=-1):
    """The numerator is shifted by the maximum, the denominator is not, so a row sums to exp(-max) instead of 1. Shift
    once and use the same exponentials in both.

    分子减去了最大值，分母却没有，于是每行之和是 exp（-最大值） 而不是 1。只平移一次，分子分母用同一组指数。
    """
    return (x - x.amax(dim, keepdim=True)).exp() / x.exp().sum(dim, keepdim=True)


@misconception("softmax")
def log_softmax(x, dim=-1):
    """These are the logarithms of the answer (no entry is positive). The last step, the exponential, is missing.

    这是答案的对数（没有正数）。缺少最后一步：取指数。
    """
    return torch.log_softmax(x, dim)


@misconception("softmax")
def not_normalised(x, dim=-1):
    """The exponentials are returned as they are; they still have to be divided by their sum.

    直接返回了各个指数，还没有除以它们的和。
    """
    return (x - x.amax(dim, keepdim=True)).exp()


@misconception("softmax")
def linear_normalise(x, dim=-1):
    """Every logit is divided by the sum of logits, without the exponential. Negative logits then give negative
    weights, and adding a constant changes the result.

    没有取指数，直接把 logit 除以 logits 之和。负的 logit 会得到负的权重，而且加上常数后结果会变。
    """
    return x / x.sum(dim, keepdim=True)


@misconception("softmax")
def abs_l1(x, dim=-1):
    """Sizes are divided by the sum of sizes, without the exponential, so -3 weighs as much as 3. A smaller logit must
    get less.

    没有取指数，而是绝对值除以绝对值之和，于是 -3 与 3 的权重一样大。logit 越小，得到的应越少。
    """
    return x.abs() / x.abs().sum(dim, keepdim=True)


@misconception("softmax")
def base2(x, dim=-1):
    """Powers of 2 are used instead of powers of e, which makes every row too flat: one more in the logit must
    multiply the weight by e.

    用了 2 的幂而不是 e 的幂，每一行都过于平坦：logit 增加 1，权重应变为 e 倍。
    """
    return torch.softmax(x * math.log(2), dim)


@misconception("softmax")
def sigmoid(x, dim=-1):
    """Every entry is squashed on its own (a sigmoid), so a row does not sum to 1. In softmax the entries of a row
    compete.

    每个元素各自压缩到 0 与 1 之间(sigmoid)，一行之和不为 1。softmax 中，同一行的元素彼此竞争。
    """
    return torch.sigmoid(x)


@misconception("softmax")
def scaled_sqrt_n(x, dim=-1):
    """The logits are divided by the square root of the row's length first. That scale belongs to attention, where it
    is the square root of the head dimension, and not to softmax.

    先把 logits 除以了行长的平方根。缩放属于注意力（而且用的是头维度的平方根），不属于 softmax。
    """
    return torch.softmax(x / x.shape[dim] ** 0.5, dim)


@misconception("softmax")
def hardmax(x, dim=-1):
    """The largest entry gets everything. Softmax is soft: every finite logit keeps a share, and gradients need it.

    最大的元素独占了全部权重。softmax 是“软”的：每个有限的 logit 都保留一份，梯度也靠它传播。
    """
    return (x == x.amax(dim, keepdim=True)).to(x.dtype)


@misconception("softmax")
def eps_in_denominator(x, dim=-1):
    """A small number is added to the sum, so a row no longer sums to 1. There is nothing to guard against: once the
    maximum is subtracted, the sum is at least 1.

    分母额外加了一个小数，每行之和不再是 1。这里无须防备：减去最大值之后，和至少是 1。
    """
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / (e.sum(dim, keepdim=True) + 1e-9)


@misconception("softmax")
def forces_float32(x, dim=-1):
    """The result is always float32. Computing in float32 inside is fine, but the result must come back in the dtype
    of the input.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回输入的 dtype。
    """
    return torch.softmax(x.float(), dim)


@misconception("softmax")
def inplace_mutation(x, dim=-1):
    """The maximum is subtracted from the input itself, so the caller's logits change. Make a new tensor instead.

    直接在输入上减去最大值，改动了调用者的 logits。应当得到一个新张量。
    """
    x -= x.amax(dim, keepdim=True)
    return torch.softmax(x, dim)


@misconception("softmax")
def min_instead_of_max(x, dim=-1):
    """The minimum is subtracted, so all exponents are positive: a wide row overflows, and an entry of -inf ruins its
    row.

    减去的是最小值，所有指数都成了正的：跨度大的行会溢出，含 -inf 的行会整行报废。
    """
    e = (x - x.amin(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)


@misconception("softmax")
def mean_subtraction(x, dim=-1):
    """The mean is subtracted instead of the maximum. A logit far above the mean still overflows, and one -inf makes
    the mean -inf.

    减去的是平均值而不是最大值。远高于平均值的 logit 仍会溢出，而且只要有一个 -inf，平均值就是 -inf。
    """
    e = (x - x.mean(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)


@misconception("softmax")
def clamped_logits(x, dim=-1):
    """Large logits are cut off to avoid the overflow, so entries above the limit become equal. A shift avoids it
    without losing anything.

    为避免溢出而截断了大的 logits，超过界限的元素因此变得一样大。平移同样能避免溢出，而且什么都不丢。
    """
    return torch.softmax(x.clamp(-10, 10), dim)


@misconception("softmax")
def nan_replaced(x, dim=-1):
    """The overflow still happens and its NaN is replaced by 0 afterwards: exactly the largest logits lose their weight.

    溢出照样发生，只是事后把 NaN 换成了 0：恰恰是最大的 logits 失去了权重。
    """
    return (x.exp() / x.exp().sum(dim, keepdim=True)).nan_to_num(0.0)


@misconception("softmax")
def rmsnorm_instead(x, dim=-1):
    """The row is divided by its root mean square (RMSNorm). That keeps signs and sets the size of a vector; softmax
    makes a distribution.

    把一行除以了它的均方根(RMSNorm)。那会保留符号，只规定向量的大小；softmax 得到的是概率分布。
    """
    return x / x.pow(2).mean(dim, keepdim=True).sqrt()


@misconception("softmax")
def detached_sum(x, dim=-1):
    """The values are right, but the sum is cut out of the gradient, so raising one logit seems not to lower the others.

    数值正确，但求和被排除在梯度之外，于是提高一个 logit 似乎不会降低其他元素。
    """
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True).detach()


@misconception("softmax")
def no_gradient(x, dim=-1):
    """The values are right, but no gradient gets through (no_grad, detach, .data or a copy into a fresh tensor), so
    nothing before it could learn.

    数值正确，但梯度无法通过（no_grad、detach、.data 或复制到新张量），它之前的层将学不到任何东西。
    """
    return torch.softmax(x.detach(), dim)
