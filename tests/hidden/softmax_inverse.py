"""Hidden suite for scores from weights.

Every answer is right up to a constant, so nothing is compared with the solution's values: laws about gaps decide. Not
in the bank, because right: dividing by the largest weight first, subtracting the largest score or the score of the
largest weight, any base's logarithm that is converted back.
"""

import math

import torch

from grader.suites import Misconception, dtypes, expect, expect_close, misconception, points


def distribution(make, n, scale=1.0):
    """n positive weights that sum to 1, but for rounding to the check's dtype."""
    return make.tensor(make.normal(n, scale=scale).double().softmax(-1))


def belong(scores, w):
    """Expect these scores to be right for w: gaps, zeros, and the way back through softmax."""
    dtype, seen = w.dtype, w > 0
    scores, w = scores.double(), w.double()
    en, zh = "a weight of 0 does not belong to a score of -inf", "权重 0 对应的分数不是 -inf"
    expect(scores[~seen] == -math.inf, en, zh)
    expect(scores[seen].isfinite(), "a weight above 0 belongs to no finite score", "大于 0 的权重没有对应有限的分数")
    # A score is a logarithm (its rounding, that of w to float32 and of one division: |log w| / 2 + 1 epsilon) plus a
    # constant of that size, rounded again (|log w|); a gap has two scores.
    logs = (w[seen] / w.max()).log()
    epsilon = max(torch.finfo(dtype).eps, torch.finfo(torch.float32).eps)
    tolerance = epsilon * (4 * float(w[seen].log().abs().max()) + 8)
    en = "the gap between a score and that of the largest weight does not fit their weights"
    zh = "某个分数与最大权重的分数之差，与两者的权重不符"
    expect_close(scores[seen] - scores[w.argmax()], logs, tolerance, en, zh)
    en, zh = "softmax of the scores is not w", "这些分数的 softmax 不等于 w"
    expect_close(scores.softmax(-1), w / w.sum(), tolerance, en, zh)


@points(0.6)
def test_rows_from_texts(student, make):
    """Rows of weights as texts print them get scores whose softmax they are.

    文章里常见的几行权重，得到的分数经 softmax 后就是它们。
    """
    for row in ([0.6, 0.4], [0.25, 0.15, 0.6], [0.1, 0.05, 0.8, 0.05], [0.4, 0.3, 0.05, 0.05, 0.1, 0.1]):
        w = make.tensor(row)
        belong(student.softmax_inverse(w), w)


@points(1.6)
def test_gaps(student, make, dtype):
    """The gap between two scores is the logarithm of the ratio of their weights.

    两个分数之差等于对应权重之比的对数。
    """
    for n in (2, 3, 5, 8, 13):
        w = distribution(make, n)
        belong(student.softmax_inverse(w), w)


@points(0.8)
def test_round_trip(student, make):
    """From scores to weights and back the scores return, but for a constant; also scores that are far apart.

    从分数到权重再回来，得到原来的分数（只差一个常数）；相距很远的分数也是如此。
    """
    for n, scale in ((2, 0.5), (3, 2.0), (5, 4.0), (7, 8.0)):
        start = make.normal(n, scale=scale)
        w = make.tensor(start.double().softmax(-1))
        scores = student.softmax_inverse(w)
        gaps = start.double() - start.double()[w.argmax()]
        en = "the scores that the weights were made from do not return"
        zh = "没有得到当初用来生成这些权重的分数"
        expect_close(scores.double() - scores.double()[w.argmax()], gaps, 1e-4, en, zh)
        belong(scores, w)


@points(1)
@dtypes("float16", "float32", "float64")
def test_zero_weights(student, make, dtype):
    """A weight of 0 belongs to a score of -inf wherever it stands, and the others are as if it were not there.

    权重 0 无论在哪个位置，对应的分数都是 -inf；其余分数的结果如同它不存在。
    """
    for row in ([0.0, 1.0], [0.75, 0.25, 0.0], [0.0, 0.5, 0.25, 0.25], [0.0, 0.0, 0.125, 0.0, 0.875]):
        w = make.tensor(row)
        belong(student.softmax_inverse(w), w)


@points(0.8)
@dtypes("float32", "float64")
def test_tiny_weights(student, make, dtype):
    """A weight of 1e-12 is small but not 0: its score is low by just as much as the ratio says.

    权重 1e-12 很小，但不是 0：它的分数低多少，恰由权重之比决定。
    """
    tiny = [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12]
    for row in ([1 - sum(tiny), *tiny], [1.0, 1e-12], [3e-7, 0.25, 0.75, 1e-9], [1e-30, 1.0, 1e-20]):
        w = make.tensor(row)
        belong(student.softmax_inverse(w), w)


@points(0.4)
def test_special_rows(student, make):
    """A single weight, equal weights, many weights and one that takes the whole are no special case.

    只有一个权重、权重全部相等、权重很多、某个权重独占全部时，都没有例外。
    """
    for row in ([1.0], [0.5, 0.5], [0.25] * 4, [1.0, 0.0, 0.0]):
        w = make.tensor(row)
        belong(student.softmax_inverse(w), w)
    w = distribution(make, 300, scale=3.0)
    belong(student.softmax_inverse(w), w)


@points(0.2)
def test_memory_layout(student, make):
    """The layout of the weights in memory does not matter: a column of a matrix and an expanded tensor work as well.

    权重在内存中的排布不影响结果：矩阵的一列、expand 得到的张量同样适用。
    """
    for w in (torch.stack([distribution(make, 5)] * 3, 1)[:, 1], make.tensor([0.25]).expand(4)):
        belong(student.softmax_inverse(w), w)


@points(0.2)
def test_input_unchanged(student, does_not_mutate, make):
    """The weights are left as they were.

    权重保持原样。
    """
    for n in (3, 7):
        w = distribution(make, n)
        does_not_mutate.softmax_inverse(w)
        belong(student.softmax_inverse(w), w)


@points(0.4)
def test_device(stays_on_device, student, make):
    """All of it happens on the device of the input.

    全部计算都在输入所在的设备上进行。
    """
    for n in (3, 7):
        w = distribution(make, n)
        stays_on_device.softmax_inverse(w)
        belong(student.softmax_inverse(w), w)


@misconception("softmax_inverse")
def weights_themselves(w):
    """The weights are returned as if they were scores. Softmax of them is much flatter: weights of 0.8 and 0.1 would
    need scores 2.08 apart, not 0.7.

    直接把权重当作分数返回。对它们再做 softmax 会平坦得多：权重 0.8 与 0.1 要求分数相差 2.08，而不是 0.7。
    """
    return w.clone()


@misconception("softmax_inverse")
def ratios(w):
    """The weights are divided by the largest. Ratios of weights become differences of scores, so a logarithm is
    missing.

    把权重除以了最大的一个。权重之比对应的是分数之差，还缺一次取对数。
    """
    return w / w.max()


@misconception("softmax_inverse")
def logit(w):
    """This is log(w / (1 - w)), which undoes a sigmoid. There each weight stands alone; in softmax a weight's share of
    the others is in the common sum already, so take log w.

    这是 log(w / (1 - w))，即 sigmoid 的反函数。那里每个权重各自独立；而 softmax 中其他权重已经包含在共同的和里，
    只需取 log w。
    """
    return (w / (1 - w)).log()


@misconception("softmax_inverse")
def base2(w):
    """The logarithm has base 2. Softmax uses powers of e, so its inverse is the natural logarithm.

    用了以 2 为底的对数。softmax 用的是 e 的幂，反过来就是自然对数。
    """
    return w.log2()


@misconception("softmax_inverse")
def base10(w):
    """The logarithm has base 10. Softmax uses powers of e, so its inverse is the natural logarithm.

    用了以 10 为底的对数。softmax 用的是 e 的幂，反过来就是自然对数。
    """
    return w.log10()


@misconception("softmax_inverse")
def negated(w):
    """The sign is turned round (-log w, the surprise or loss of an outcome): here the smallest weight gets the highest
    score.

    符号反了（-log w 是某个结果的信息量或损失）：这样一来，最小的权重反而得到最高的分数。
    """
    return -w.log()


@misconception("softmax_inverse")
def log1p(w):
    """This is log(1 + w), which avoids log 0 but is another function: a weight of 0 gets score 0 instead of -inf, and
    the gaps shrink.

    这是 log(1 + w)，虽然避开了 log 0，却是另一个函数：权重 0 得到分数 0 而不是 -inf，分数之差也变小了。
    """
    return w.log1p()


@misconception("softmax_inverse")
def exponential(w):
    """The exponential of the weights is taken once more. Softmax used the exponential; going back takes its inverse.

    对权重又取了一次指数。softmax 用的是指数，要倒回去就得用它的反函数。
    """
    return w.exp()


@misconception("softmax_inverse")
def softmax_again(w):
    """Softmax is applied again instead of being undone.

    又做了一次 softmax，而不是把它倒回去。
    """
    return w.softmax(-1)


@misconception("softmax_inverse")
def reciprocal(w):
    """This is 1 / w. The inverse that is meant undoes the function softmax; it does not divide 1 by its result.

    这是 1 / w。这里的“反”是指把 softmax 这个函数倒回去，而不是用 1 去除它的结果。
    """
    return 1 / w


@misconception("softmax_inverse")
def mean_centred(w):
    """The mean of the scores is subtracted. It is a fine choice of constant until a weight is 0: then the mean is -inf
    and everything becomes NaN or inf.

    减去了分数的平均值。这个常数本来也可以，但只要有一个权重为 0，平均值就是 -inf，结果全都变成 NaN 或 inf。
    """
    return w.log() - w.log().mean()


@misconception("softmax_inverse")
def relative_to_first(w):
    """All scores are measured from the first one. If the first weight is 0, there is no finite score to measure from.
    The largest weight is never 0.

    所有分数都以第一个为基准。如果第一个权重是 0，就没有可作基准的有限分数。最大的权重则永远不为 0。
    """
    return w.log() - w.log()[0]


@misconception("softmax_inverse")
def relative_to_smallest(w):
    """All scores are measured from the lowest one. If a weight is 0, the lowest score is -inf, and nothing can be
    measured from it. The largest weight is never 0.

    所有分数都以最低的为基准。只要有一个权重为 0，最低的分数就是 -inf，无法作为基准。最大的权重则永远不为 0。
    """
    return w.log() - w.log().min()


@misconception("softmax_inverse")
def zero_gets_zero(w):
    """Weights of 0 are skipped and keep a score of 0. A score of 0 is nothing special: exp(0) = 1. Only -inf gets no
    weight.

    跳过了为 0 的权重，给它们的分数是 0。分数 0 并不特殊：exp(0) = 1。只有 -inf 才得不到权重。
    """
    return w.log().where(w > 0, 0.0)


@misconception("softmax_inverse")
def finite_instead_of_inf(w):
    """Weights of 0 get the lowest number of the dtype. No finite score has the weight 0; -inf is the one that does,
    and log 0 gives it.

    为 0 的权重得到了该 dtype 的最小值。任何有限的分数权重都不是 0；只有 -inf 才是，而 log 0 正好给出它。
    """
    return w.log().nan_to_num(neginf=torch.finfo(w.dtype).min)


@misconception("softmax_inverse")
def forces_float32(w):
    """The result is always float32. Computing in float32 inside is fine, but it must come back in the dtype of w.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回 w 的 dtype。
    """
    return w.float().log()


@misconception("softmax_inverse")
def inplace_log(w):
    """The logarithm is taken in place (`log_`), so the caller's weights are gone. Make a new tensor.

    就地取了对数（`log_`），调用者的权重被毁掉了。应当得到一个新张量。
    """
    return w.log_()


ADDED = """A small number is added before the logarithm. A weight of 0 then gets a finite score, and weights of that
size get scores that are too high. log 0 = -inf is just what is due here.

取对数之前加了一个小数。于是权重 0 得到了有限的分数，与该数大小相当的权重，分数也偏高。这里正需要 log 0 = -inf。
"""
CLAMPED = """The weights are raised to a smallest allowed one before the logarithm. A weight of 0 then gets a finite
score, and all weights below that number get the same. log 0 = -inf is just what is due here.

取对数之前把权重抬高到了某个下限。于是权重 0 得到了有限的分数，所有低于下限的权重得到同一个分数。
这里正需要 log 0 = -inf。
"""


def guarded(power):
    """The two ways to guard against log 0 with 10^-power."""
    floor = 10.0**-power
    added = {"softmax_inverse": lambda w: (w + floor).log()}
    clamped = {"softmax_inverse": lambda w: w.clamp(min=floor).log()}
    return [Misconception(f"added_1e_{power}", added, ADDED), Misconception(f"clamped_1e_{power}", clamped, CLAMPED)]


GUARDS = [m for power in (6, 7, 8, 9, 10, 12) for m in guarded(power)]
