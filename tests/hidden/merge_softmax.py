"""Hidden suite for softmax in parts.

Not in the bank, because right: powers of 2 with scores times log2(e), and keeping l as it is while m is detached.
Gradients are asked of what does not depend on how the maximum is treated: from o to the values and to o, from l to l.
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect, expect_close, misconception, points


def size(m):
    """|m|, and 0 for -inf, which no rounding touches."""
    return m.abs().masked_fill(m.isinf(), 0.0)


def finite(m):
    """m with 0 in place of -inf."""
    return m.masked_fill(m == -math.inf, 0.0)


@error_bound("softmax_part")
def part_bound(scores, v):
    # m is one of the scores, at most taken to float32: |m| / 2. An exponent is off by |score| / 2 + |m| / 2 (the shift
    # is rounded, or both are taken to float32), taken twice; the exponential, n additions, and a product for o.
    m = scores.amax(-1)
    factors = (scores - finite(m).unsqueeze(-1)).exp()
    units = factors * (size(scores) + size(m).unsqueeze(-1) + scores.shape[-1] + 4)
    return size(m), units.sum(-1), (units + 2 * factors) @ v.abs()


@error_bound("merge_softmax")
def merge_bound(one, other):
    # A factor's exponent is off by |m1| / 2 + |m| / 2, taken twice; the exponential, a product, a sum.
    m = torch.maximum(one[0], other[0])
    units = [(part[0] - finite(m)).exp() * (size(part[0]) + size(m) + 4) for part in (one, other)]
    sums = [sum(u * p[1].abs() for u, p in zip(units, (one, other), strict=True))]
    outputs = sum(u.unsqueeze(-1) * p[2].abs() for u, p in zip(units, (one, other), strict=True))
    return size(m), *sums, outputs


def scores_and_values(make, *lead, t=3, n=5, dv=4, scale=2.0):
    """Random scores and values with these leading dimensions."""
    return make.normal(*lead, t, n, scale=scale), make.normal(*lead, n, dv)


def a_part(make, reference, *lead, **sizes):
    """A random part."""
    return reference.softmax_part(*scores_and_values(make, *lead, **sizes))


def empty(make, *lead, t=3, dv=4):
    """The part of keys that are all hidden."""
    return make.tensor(torch.full((*lead, t), -math.inf)), *(
        make.tensor(torch.zeros(s)) for s in ((*lead, t), (*lead, t, dv))
    )


@points(1.6)
def test_part(matches_reference, make, dtype):
    """m is the largest score of each query, l the sum of e^(score - m), o the values' sum with these factors.

    m 是每个查询的最大分数，l 是各个 e^(分数 - m) 之和，o 是以这些因子对各个值求和。
    """
    matches_reference.softmax_part(*scores_and_values(make, t=1, n=2, dv=1))
    matches_reference.softmax_part(*scores_and_values(make))
    matches_reference.softmax_part(*scores_and_values(make, 2, 3, t=4, n=7, dv=5))


@points(0.4)
def test_hidden_keys(matches_reference, make, dtype):
    """A hidden key (-inf) counts for nothing, and a row of hidden keys gives -inf, 0 and 0.

    被遮住的键（-inf）不起任何作用；全被遮住的一行得到 -inf、0 和 0。
    """
    for lead in ((), (2,)):
        scores, v = scores_and_values(make, *lead, t=4, n=5)
        mask = make.mask(*lead, 4, 5)
        mask[..., 2, :] = False
        matches_reference.softmax_part(scores.masked_fill(~mask, -math.inf), v)


@points(0.4)
def test_nothing_visible(matches_reference, make):
    """A part without a single visible key is (-inf, 0, 0) everywhere, with no NaN.

    一个可见的键都没有的一段处处是 (-inf, 0, 0)，没有 NaN。
    """
    for shape in ((1, 1), (2, 3), (2, 4, 3)):
        matches_reference.softmax_part(
            make.tensor(torch.full(shape, -math.inf)), make.normal(*shape[:-2], shape[-1], 2)
        )


@points(2)
def test_merge(matches_reference, make, reference, dtype):
    """Both parts are brought to the larger m: l and o are each multiplied by e^(own m - larger m), then added.

    两段都换算到较大的 m：各自的 l 和 o 乘以 e^(自己的 m - 较大的 m)，然后相加。
    """
    for lead, sizes in (((), {"t": 1, "dv": 2}), ((), {}), ((2,), {"t": 4, "dv": 3}), ((2, 3), {"t": 5})):
        matches_reference.merge_softmax(
            a_part(make, reference, *lead, **sizes), a_part(make, reference, *lead, n=2, **sizes)
        )


@points(1.2)
def test_merge_with_nothing(matches_reference, make, reference, dtype):
    """A part in which everything is hidden changes nothing, on either side; two such parts give another, with no NaN.

    全被遮住的一段放在哪一边都不改变结果；两个这样的段合并后仍是这样的一段，没有 NaN。
    """
    for lead in ((), (2,)):
        part = a_part(make, reference, *lead)
        matches_reference.merge_softmax(part, empty(make, *lead))
        matches_reference.merge_softmax(empty(make, *lead), part)
        matches_reference.merge_softmax(empty(make, *lead), empty(make, *lead))


@points(1)
@dtypes("bfloat16", "float32", "float64")
def test_large_scores(student, matches_reference, make, dtype):
    """Scores of 10,000 and -10,000 do no harm, wherever the larger ones are.

    分数为 10,000 或 -10,000 也不出错，无论较大的在哪一段。
    """
    v = make.normal(2, 3)
    parts = [student.softmax_part(make.tensor([row]), v) for row in ([9984.0, 0.0], [-9984.0, -9984.0], [3.0, 2.0])]
    for one in parts:
        for other in parts:
            m, s, o = student.merge_softmax(one, other)
            sound = m.isfinite() & s.isfinite() & o.isfinite().all(-1)
            expect(sound, "a merged part is not finite", "合并的结果不是有限的数")
            expect(s >= 1, "l is below 1, though the largest score counts 1", "l 小于 1，而最大的分数应计为 1")
    high = make.tensor([9984.0]), make.tensor([1.0]), make.tensor([[1.0, 2.0]])
    low = make.tensor([-9984.0]), make.tensor([2.0]), make.tensor([[5.0, 7.0]])
    for one, other in ((high, low), (low, high), (high, high), (low, low)):
        matches_reference.merge_softmax(one, other)
    matches_reference.softmax_part(make.tensor([[9984.0, -9984.0, 9984.0]]), make.normal(3, 2))


@points(1.2)
def test_order_and_grouping(student, matches_reference, make):
    """Parts may be merged in any order and grouping; the result is that of all keys at once.

    各段按任何次序、任何方式结合合并，结果都与所有键放在一起时相同。
    """
    scores, v = scores_and_values(make, 2, n=6)
    whole = matches_reference.softmax_part(scores, v)
    pieces = zip(scores.split([1, 3, 2], -1), v.split([1, 3, 2], -2), strict=True)
    a, b, c = (student.softmax_part(s.contiguous(), w) for s, w in pieces)
    merge = student.merge_softmax
    ways = (merge(merge(a, b), c), merge(a, merge(b, c)), merge(merge(c, a), b))
    for way in ways:
        for got, due, name in zip(way, whole, "mlo", strict=True):
            en = f"{name} of merged parts is not that of all keys at once"
            zh = f"合并各段得到的 {name} 与所有键放在一起时的不同"
            expect_close(got, due, 1e-4, en, zh)
    matches_reference.merge_softmax(a, b)


@points(0.6)
def test_output(student, matches_reference, make):
    """After merging, o / l is what attention over all keys puts out.

    合并之后，o / l 就是对所有键计算注意力的输出。
    """
    for n, t in ((2, 1), (4, 3), (7, 2)):
        scores, v = scores_and_values(make, t=t, n=n)
        parts = [student.softmax_part(scores[:, part].contiguous(), v[part]) for part in (slice(1, None), slice(0, 1))]
        _, total, output = student.merge_softmax(*parts)
        en, zh = "o / l is not the output of attention", "o / l 不是注意力的输出"
        expect_close(output / total.unsqueeze(-1), scores.softmax(-1) @ v, 1e-4, en, zh)
        matches_reference.merge_softmax(*parts)


@points(0.4)
def test_special_sizes(matches_reference, make, reference):
    """Single keys and queries, sizes that coincide, equal maxima are no special case.

    只有一个键或一个查询、尺寸彼此相等、最大值相等时没有例外。
    """
    matches_reference.softmax_part(*scores_and_values(make, t=1, n=1, dv=1))
    matches_reference.softmax_part(*scores_and_values(make, 3, t=3, n=3, dv=3))
    for lead, t, dv in (((), 1, 1), ((), 3, 3), ((3,), 3, 3), ((4, 4), 4, 4)):
        one, other = (a_part(make, reference, *lead, t=t, dv=dv) for _ in range(2))
        matches_reference.merge_softmax(one, other)
        matches_reference.merge_softmax(one, (one[0], *other[1:]))


@points(0.5)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, reference, dtype):
    """Gradients flow from o to the values and through merging, and from l through merging.

    梯度从 o 传到各个值，也穿过合并；从 l 同样穿过合并。
    """
    matches_gradients.of(2).wrt("v").softmax_part(*scores_and_values(make, 2))
    one, other = a_part(make, reference, 2), a_part(make, reference, 2)
    matches_gradients.of(2).wrt("one[2]", "other[2]").merge_softmax(one, other)
    matches_gradients.of(1).wrt("one[1]", "other[1]").merge_softmax(one, other)
    matches_gradients.of(2).wrt("one[2]").merge_softmax(one, empty(make, 2))


@points(0.4)
def test_inputs(does_not_mutate, matches_reference, make, reference):
    """The inputs may lie in memory in any order, and are left as they were.

    输入在内存中可按任意次序排布，并且保持原样。
    """
    scores, v = (make.strided(t) for t in scores_and_values(make, 2))
    does_not_mutate.softmax_part(scores, v)
    matches_reference.softmax_part(scores, v)
    one, other = (tuple(map(make.strided, a_part(make, reference, 2))) for _ in range(2))
    does_not_mutate.merge_softmax(one, other)
    matches_reference.merge_softmax(one, other)


@points(0.3)
def test_device(stays_on_device, matches_reference, make, reference):
    """What is made on the way is made on the device of the inputs.

    计算途中创建的张量都位于输入所在的设备上。
    """
    stays_on_device.softmax_part(*scores_and_values(make, 2))
    stays_on_device.merge_softmax(a_part(make, reference, 2), empty(make, 2))
    matches_reference.merge_softmax(a_part(make, reference, 2), empty(make, 2))


def part_with(shift=lambda scores, m: finite(m), top=lambda scores: scores.amax(-1), last=lambda m, s, o: (m, s, o)):
    """softmax_part with places to go wrong."""

    def softmax_part(scores, v):
        m = top(scores)
        factors = (scores - shift(scores, m).unsqueeze(-1)).exp()
        return last(m, factors.sum(-1), factors @ v)

    return softmax_part


def merged(one, other, factor, top=torch.maximum):
    """merge_softmax with these factors of l and of o."""
    m = top(one[0], other[0])
    (la, oa), (lb, ob) = factor(one[0], m), factor(other[0], m)
    return m, la * one[1] + lb * other[1], oa.unsqueeze(-1) * one[2] + ob.unsqueeze(-1) * other[2]


def right(own, m):
    """e^(own m - larger m), for l and for o."""
    a = (own - finite(m)).exp()
    return a, a


@misconception("softmax_part")
def no_shift(scores, v):
    """The exponentials are taken of the scores as they are, not relative to m. Scores of 100 overflow, and l and o do
    not belong to the m that is returned.

    指数是直接对分数取的，没有以 m 为基准。分数到 100 就会溢出，而且 l 和 o 与返回的 m 不配套。
    """
    return part_with(shift=lambda scores, m: torch.zeros_like(m))(scores, v)


@misconception("softmax_part")
def part_normalised(scores, v):
    """o is divided by l already. Parts are divided once, at the very end; divided earlier, they forget how much they
    weigh.

    o 已经除以了 l。除法只在最后做一次；提前除了，各段就丢失了自己的分量。
    """
    return part_with(last=lambda m, s, o: (m, s, o / s.unsqueeze(-1)))(scores, v)


@misconception("softmax_part")
def one_maximum_for_all(scores, v):
    """One maximum is taken over all queries. Every query has its own; a row far below the others' maximum would vanish.

    对所有查询只取了一个最大值。每个查询都有自己的；某一行若远低于别人的最大值，就会全部变成 0。
    """
    return part_with(top=lambda scores: scores.amax().expand(scores.shape[:-1]).clone())(scores, v)


@misconception("softmax_part")
def hidden_row_nan(scores, v):
    """In a row of hidden keys m is -inf, and -inf - (-inf) is not a number. Such a row gives l = 0 and o = 0.

    全被遮住的一行里 m 是 -inf，而 -inf - (-inf) 不是数。这样的一行应得到 l = 0、o = 0。
    """
    return part_with(shift=lambda scores, m: m)(scores, v)


@misconception("softmax_part")
def hidden_row_counts(scores, v):
    """A row of hidden keys is treated as a row of equal scores: l counts the keys. Nothing is visible there, so m stays
    -inf, l and o are 0.

    全被遮住的一行被当成了分数相等的一行：l 数的是键的个数。那里什么也看不见，m 应为 -inf，l 和 o 应为 0。
    """
    lowest = scores.clamp(min=torch.finfo(scores.dtype).min)
    return part_with()(lowest, v)


@misconception("softmax_part")
def logarithm_returned(scores, v):
    """l is returned as its logarithm. Sums are kept here; logarithms cannot simply be added up.

    返回的 l 是它的对数。这里保存的是和；对数不能直接相加。
    """
    return part_with(last=lambda m, s, o: (m, s.log(), o))(scores, v)


@misconception("softmax_part")
def keeps_dimension(scores, v):
    """m and l keep a last dimension of 1. They have one entry a query: [..., T].

    m 和 l 多留了一个大小为 1 的末维。它们每个查询只有一个元素：[..., T]。
    """
    return part_with(last=lambda m, s, o: (m.unsqueeze(-1), s.unsqueeze(-1), o))(scores, v)


@misconception("softmax_part")
def values_not_weighted(scores, v):
    """o is the plain sum of the values. Each value counts e^(score - m) times.

    o 只是各个值之和。每个值应乘以 e^(分数 - m)。
    """
    m, s, o = part_with()(scores, v)
    return m, s, v.sum(-2, keepdim=True).expand(o.shape).clone()


@misconception("merge_softmax")
def no_rescale(one, other):
    """l and o are added as they are. Each is relative to its own part's m; bring both to the larger one first.

    l 和 o 直接相加了。它们各以自己那段的 m 为基准，应先换算到较大的那个。
    """
    return merged(one, other, lambda own, m: (torch.ones_like(own), torch.ones_like(own)))


@misconception("merge_softmax")
def only_l_rescaled(one, other):
    """l is rescaled, o is not. Both are sums of the same exponentials and need the same factor.

    换算了 l，没有换算 o。两者由同样的指数相加而成，需要同样的因子。
    """
    return merged(one, other, lambda own, m: (right(own, m)[0], torch.ones_like(own)))


@misconception("merge_softmax")
def only_o_rescaled(one, other):
    """o is rescaled, l is not. Both are sums of the same exponentials and need the same factor.

    换算了 o，没有换算 l。两者由同样的指数相加而成，需要同样的因子。
    """
    return merged(one, other, lambda own, m: (torch.ones_like(own), right(own, m)[0]))


@misconception("merge_softmax")
def rescaled_backwards(one, other):
    """The factors are e^(m - m1) instead of e^(m1 - m): the part with the smaller scores grows, and far apart it
    overflows. A factor is never above 1.

    因子用的是 e^(m - m1)，而应是 e^(m1 - m)：分数较小的一段反而变大，相差很远时就会溢出。因子不会超过 1。
    """
    return merged(one, other, lambda own, m: (1 / right(own, m)[0], 1 / right(own, m)[0]))


@misconception("merge_softmax")
def smaller_maximum(one, other):
    """The smaller m is taken as the reference point. The formulas still agree on paper, but the factors are above 1 and
    overflow; and m is to be the largest score of all.

    以较小的 m 为基准。公式在纸面上仍然成立，但因子大于 1，会溢出；而且 m 应是所有分数中最大的。
    """
    return merged(one, other, right, torch.minimum)


@misconception("merge_softmax")
def maxima_added(one, other):
    """The two maxima are added. The larger of them is the maximum of all.

    把两个最大值相加了。两者中较大的才是总的最大值。
    """
    return merged(one, other, right, torch.add)


@misconception("merge_softmax")
def first_part_as_reference(one, other):
    """Everything is brought to the first part's m. That overflows where the second part has far larger scores; take the
    larger m.

    一切都换算到了第一段的 m。第二段的分数大得多时就会溢出；应取较大的 m。
    """
    return merged(one, other, right, lambda a, b: a.clone())


@misconception("merge_softmax")
def only_the_first_rescaled(one, other):
    """Only the first part is rescaled, as if the second one always had the larger m. Either may; rescale both.

    只换算了第一段，好像较大的 m 总在第二段。哪一段都有可能，两段都要换算。
    """
    m, s, o = merged(one, other, right)
    b = right(other[0], m)[0]
    return m, s + (1 - b) * other[1], o + (1 - b).unsqueeze(-1) * other[2]


@misconception("merge_softmax")
def winner_takes_all(one, other):
    """The part with the larger m is kept and the other one dropped. Its keys count less, not nothing.

    保留了 m 较大的一段，丢掉了另一段。后者的键只是分量小，并非没有。
    """
    first = one[0] >= other[0]
    parts = zip(one[1:], other[1:], (first, first.unsqueeze(-1)), strict=True)
    return torch.maximum(one[0], other[0]), *(torch.where(f, a, b) for a, b, f in parts)


@misconception("merge_softmax")
def normalised_already(one, other):
    """o is divided by l after merging. The next merge would take that for a sum again; divide once, at the very end.

    合并之后就把 o 除以了 l。下一次合并又会把它当作和；除法只在最后做一次。
    """
    m, s, o = merged(one, other, right)
    return m, s, o / s.unsqueeze(-1)


@misconception("merge_softmax")
def outputs_expected(one, other):
    """o is treated as an output that was divided by l, and averaged with the l as weights. Here o is a sum.

    把 o 当成了已除以 l 的输出，用 l 作权重求平均。这里的 o 是和。
    """
    m, s, _ = merged(one, other, right)
    a, b = right(one[0], m)[0] * one[1], right(other[0], m)[0] * other[1]
    return m, s, (a.unsqueeze(-1) * one[2] + b.unsqueeze(-1) * other[2]) / s.unsqueeze(-1)


@misconception("merge_softmax")
def mean_of_parts(one, other):
    """The parts are averaged. They add up: two parts hold twice as many keys.

    对两段取了平均。它们应当相加：两段里的键是一段的两倍。
    """
    m, s, o = merged(one, other, right)
    return m, s / 2, o / 2


@misconception("merge_softmax")
def nothing_is_nan(one, other):
    """Two parts without visible keys have m = -inf, and -inf - (-inf) is not a number. NaN then spreads to whatever is
    merged next; take 0 as the reference point there.

    两段都没有可见的键时 m 都是 -inf，而 -inf - (-inf) 不是数。NaN 会蔓延到之后的每次合并；此处应以 0 为基准。
    """
    return merged(one, other, lambda own, m: ((own - m).exp(), (own - m).exp()))


@misconception("merge_softmax")
def factors_on_wrong_axis(one, other):
    """The factors meet o along its last dimension. They have one entry a query, [..., T]; give them a last dimension of
    1 before they meet o [..., T, Dv].

    因子与 o 的末维对上了。它们每个查询有一个元素，[..., T]；与 o [..., T, Dv] 相乘前要先添一个大小为 1 的末维。
    """
    m = torch.maximum(one[0], other[0])
    a, b = (right(part[0], m)[0] for part in (one, other))
    return m, a * one[1] + b * other[1], a * one[2] + b * other[2]


@misconception("merge_softmax")
def first_part_overwritten(one, other):
    """The first part is changed in place. It belongs to the caller; build new tensors.

    第一段被就地修改了。它属于调用者；应新建张量。
    """
    result = merged(one, other, right)
    for old, new in zip(one, result, strict=True):
        old.copy_(new)
    return result


@misconception("softmax_part", "merge_softmax")
def forces_float32():
    """The results are always float32. Computing in float32 inside is fine, but they must come back in the dtype of the
    inputs.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回输入的 dtype。
    """
    return (
        lambda scores, v: part_with()(scores.float(), v.float()),
        lambda one, other: merged(tuple(t.float() for t in one), tuple(t.float() for t in other), right),
    )
