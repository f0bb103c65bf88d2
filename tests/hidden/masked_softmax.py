"""Hidden suite for masked_softmax.

Not in the bank, because right: hidden scores filled with the lowest number of the dtype (or with -1e4, since visible
scores lie within +-5,000) and set to 0 afterwards; dead rows opened for softmax and closed again; a denominator clamped
from below, or with a number added that float32 cannot see. What softmax itself can get wrong is in the suite of
softmax; a few of those mistakes are repeated here.

A row is called dead if nothing in it is visible.
"""

import math
import warnings

import torch

from grader.suites import Misconception, dtypes, error_bound, expect, expect_close, misconception, points


@error_bound("masked_softmax")
def masked_softmax_bound(scores, mask, dim=-1):
    # As for softmax, over the visible entries: an exponent is off by eps (|s| + |m|) with m their maximum, the average
    # of these errors counts again through the sum, n additions cost n eps / 2, the rest a few eps. Nothing where p = 0.
    hidden = ~mask.expand(scores.shape)
    visible = scores.masked_fill(hidden, -math.inf)
    p = visible.softmax(dim).masked_fill(hidden, 0.0)
    size = scores.abs().masked_fill(hidden, 0.0)
    size = size + size.amax(dim, keepdim=True)
    return p * (size + (p * size).sum(dim, keepdim=True) + scores.shape[dim] + 8)


def with_dead_rows(mask, *rows):
    """The mask with these rows (of its last dimension but one) hidden altogether."""
    dead = torch.zeros(mask.shape[-2], dtype=torch.bool)
    dead[list(rows)] = True
    return mask & ~dead.to(mask.device)[:, None]


@points(1.5)
def test_definition(matches_reference, make, dtype):
    """The visible entries of a row share it by their exponentials; hidden ones get 0, however the mask broadcasts.

    一行中可见的元素按各自的指数分享整行，被遮住的得 0；掩码可按任意方式广播。
    """
    for shape, mask_shape in (
        ((2, 3), (2, 3)), ((5, 7), (5, 7)), ((5, 7), (1, 7)), ((2, 5, 7), (5, 7)), ((2, 3, 5, 7), (2, 1, 5, 7)),
        ((2, 3, 5, 7), (2, 1, 1, 7)),
    ):  # fmt: skip
        matches_reference.masked_softmax(make.normal(*shape), make.mask(*mask_shape))


@points(2)
def test_dead_rows(student, matches_reference, make, dtype):
    """A row in which nothing is visible is 0 throughout, and the rows beside it are as they would be without it.

    什么都看不见的行全为 0，它旁边的行不受影响。
    """
    for shape, dead in (((2, 3), (1,)), ((5, 7), (0, 3)), ((2, 3, 5, 7), (0, 1, 2))):
        mask = with_dead_rows(make.mask(*shape), *dead)
        scores = make.normal(*shape)
        weights = student.masked_softmax(scores, mask)
        en, zh = "a row in which nothing is visible is not 0", "什么都看不见的行不是 0"
        expect_close(weights[..., list(dead), :].abs().amax(), 0.0, 0.0, en, zh)
        matches_reference.masked_softmax(scores, mask)


@points(1)
def test_laws(student, matches_reference, make):
    """The rest of a row does not notice what is hidden: its weights sum to 1, and a further hidden entry changes none.

    被遮住的元素对一行的其余部分毫无影响：可见的权重之和为 1，再多一个被遮住的元素也不改变任何权重。
    """
    for shape in ((2, 3), (4, 5), (2, 3, 5)):
        scores, mask = make.normal(*shape), make.mask(*shape)
        weights = student.masked_softmax(scores, mask)
        en, zh = "the weights of a row do not sum to 1", "某一行的权重之和不为 1"
        expect_close(weights.sum(-1), 1.0, 1e-5, en, zh)
        expect(weights[~mask] == 0, "a hidden entry does not get exactly 0", "被遮住的元素没有恰好得到 0")
        longer = torch.cat([scores, scores.amax(-1, keepdim=True) + 2], -1)
        more = student.masked_softmax(longer, torch.cat([mask, torch.zeros_like(mask[..., :1])], -1))
        en, zh = "one more hidden entry changes the weights of the others", "多了一个被遮住的元素，其余权重就变了"
        expect_close(more[..., :-1], weights, 1e-5, en, zh)
        matches_reference.masked_softmax(scores, mask)


@points(1)
def test_scores_far_from_zero(student, matches_reference, make, dtype):
    """Scores in the thousands do no harm: neither visible ones, large or small, nor hidden ones that dwarf the rest.

    数以千计的分数也不出错：可见的分数无论极大还是极小，被遮住的分数即使远超其余，都没有影响。
    """
    scores = make.tensor([[0.0, 4000, -4000], [-4096, 4000, -4032], [4000, 0, -4000], [-4000, -64, 64], [0, 4000, 0]])
    mask = torch.tensor([[1, 1, 1], [1, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 1]], dtype=torch.bool)
    due = torch.tensor([[0, 1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [0.5, 0, 0.5]], dtype=torch.float64)
    weights = student.masked_softmax(scores, mask)
    en = "visible scores far above the rest, or hidden ones, do not leave the weights that are due"
    zh = "可见的分数远高于其余，或被遮住的分数很大时，权重不对"
    expect_close(weights, due.to(weights.device), 1e-3, en, zh)
    matches_reference.masked_softmax(scores[1:3], mask[1:3])
    matches_reference.masked_softmax(scores.T.contiguous(), mask.T.contiguous(), dim=0)


@points(0.75)
def test_any_dimension(matches_reference, make):
    """Rows run along the dimension that dim names, counted from the front or the back; dead ones too.

    行沿 dim 指定的维度，从前数、从后数都可以；什么都看不见的行也一样。
    """
    for shape in ((3,), (3, 5), (4, 4), (2, 3, 5), (3, 2, 5, 4)):
        for dim in range(-len(shape), len(shape)):
            mask = make.mask(*shape).transpose(0, -1).reshape(shape)
            matches_reference.masked_softmax(make.normal(*shape), mask, dim=dim)


@points(0.5)
def test_special_sizes(matches_reference, make):
    """Sizes of 1, squares, masks that hide everything or nothing are no special case.

    尺寸为 1、方阵、掩码全部遮住或什么都不遮住时，都没有例外。
    """
    for shape in ((1,), (1, 1), (4, 1), (1, 4), (3, 3), (2, 2, 2)):
        scores, everything = make.normal(*shape), torch.ones(shape, dtype=torch.bool)
        matches_reference.masked_softmax(scores, everything)
        matches_reference.masked_softmax(scores, ~everything)
        matches_reference.masked_softmax(scores, make.mask(*shape))
    matches_reference.masked_softmax(make.normal(2, 3, 5), torch.ones(1, 1, dtype=torch.bool))
    matches_reference.masked_softmax(make.normal(3, 3), with_dead_rows(make.mask(3, 3), 1))


@points(0.75)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to the visible scores, and none to the hidden ones.

    梯度传回可见的分数，不传给被遮住的分数。
    """
    matches_gradients.masked_softmax(make.normal(2, 3), make.mask(2, 3))
    matches_gradients.masked_softmax(make.normal(2, 3, 5), make.mask(2, 1, 5))
    matches_gradients.masked_softmax(make.normal(5, 3, scale=3.0), make.mask(5, 3).roll(1, 0) | make.mask(5, 1), dim=0)


@points(1.75)
@dtypes("float32", "float64")
def test_gradient_beside_dead_rows(matches_gradients, make, dtype):
    """A dead row sends back the gradient 0, not NaN, and leaves the gradients of the other rows alone.

    什么都看不见的行传回的梯度是 0 而不是 NaN，也不影响其他行的梯度。
    """
    matches_gradients.masked_softmax(make.normal(2, 3), with_dead_rows(make.mask(2, 3), 0))
    matches_gradients.masked_softmax(make.normal(2, 5, 7), with_dead_rows(make.mask(2, 5, 7), 1, 4))
    matches_gradients.masked_softmax(make.normal(4, 3), with_dead_rows(make.mask(4, 3), 0, 1, 3))


@points(0.5)
def test_memory_layout(matches_reference, make):
    """The layout in memory does not matter: transposed and expanded scores and masks work as well.

    内存中的排布不影响结果：转置或 expand 得到的分数和掩码同样适用。
    """
    matches_reference.masked_softmax(make.normal(5, 3).T, make.mask(5, 3).T | make.mask(3, 1))
    matches_reference.masked_softmax(make.strided(make.normal(2, 3, 5)), make.strided(make.mask(2, 3, 5)), dim=1)
    matches_reference.masked_softmax(make.normal(2, 1, 5).expand(2, 3, 5), make.mask(2, 3, 1).expand(2, 3, 5))


@points(0.75)
def test_inputs_unchanged(does_not_mutate, matches_reference, make):
    """Scores and mask are left as they were.

    分数和掩码保持原样。
    """
    for shape in ((3,), (2, 3, 5)):
        scores, mask = make.normal(*shape), make.mask(*shape)
        does_not_mutate.masked_softmax(scores, mask)
        matches_reference.masked_softmax(scores, mask)


@points(0.5)
def test_device(stays_on_device, matches_reference, make):
    """Whatever is made on the way is made on the device of the scores.

    计算途中创建的张量都位于分数所在的设备上。
    """
    for shape, mask_shape in (((2, 3), (2, 3)), ((2, 3, 5, 7), (2, 1, 1, 7))):
        scores, mask = make.normal(*shape), make.mask(*mask_shape)
        stays_on_device.masked_softmax(scores, mask)
        matches_reference.masked_softmax(scores, mask)


def softmax_of_filled(scores, mask, dim=-1, fill=-math.inf):
    """The right way where every row has something visible, with places to go wrong."""
    return scores.masked_fill(~mask, fill).softmax(dim)


def right(scores, mask, dim=-1):
    """The right way."""
    return softmax_of_filled(scores, mask, dim).masked_fill(~mask, 0.0)


@misconception("masked_softmax")
def dead_rows_nan(scores, mask, dim=-1):
    """A row in which everything is hidden holds nothing but -inf, and softmax makes NaN of it: 0 divided by 0. Put
    zeros there afterwards. Multiplying by the mask is not enough, because NaN times 0 is NaN; the entries have to be
    replaced.

    全部被遮住的行里只有 -inf，softmax 得到的是 NaN：0 除以 0。应在之后把它换成 0。
    乘以掩码是不够的，因为 NaN 乘 0 还是 NaN；必须替换这些元素。
    """
    return softmax_of_filled(scores, mask, dim)


@misconception("masked_softmax")
def dead_rows_nan_added(scores, mask, dim=-1):
    """-inf is added to the hidden scores. A row in which everything is hidden becomes NaN, in the result and in the
    gradients. Replace hidden scores instead of adding to them, and put zeros into such a row afterwards.

    给被遮住的分数加上了 -inf。全部被遮住的行变成 NaN，结果和梯度都是。应替换被遮住的分数，而不是往上加；
    之后再把这样的行换成 0。
    """
    return (scores + torch.zeros_like(scores).masked_fill(~mask, -math.inf)).softmax(dim)


@misconception("masked_softmax")
def dead_gradient_nan(scores, mask, dim=-1):
    """The result is right, but the gradient is NaN in rows where everything is hidden: -inf was added to the scores, so
    softmax passes its NaN on to them, although the result was repaired. Replace hidden scores (masked_fill or where):
    what was replaced sends back no gradient.

    结果正确，但全部被遮住的行梯度是 NaN：-inf 是加到分数上的，结果虽然修补过，softmax 的 NaN 仍会传回分数。
    应替换被遮住的分数（masked_fill 或 where）：被替换的元素不传回梯度。
    """
    bias = torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    return (scores + bias).softmax(dim).masked_fill(~mask, 0.0)


@misconception("masked_softmax")
def large_finite_fill(scores, mask, dim=-1):
    """Hidden scores are set to a large finite number such as -1e9. In a row where everything is hidden all scores are
    equal then, so each entry gets 1/n instead of 0; set hidden entries to 0 after softmax as well. And float16 cannot
    hold -1e9: there it is an error. Minus infinity fits into every dtype.

    被遮住的分数设成了 -1e9 之类有限的大数。全部被遮住的行里分数都相等，于是各得 1/n，而不是 0：
    softmax 之后还要把被遮住的元素置 0。另外 float16 存不下 -1e9，会报错；负无穷则任何 dtype 都能表示。
    """
    return softmax_of_filled(scores, mask, dim, -1e9)


@misconception("masked_softmax")
def dead_rows_as_if_unmasked(scores, mask, dim=-1):
    """In a row where everything is hidden the hidden entries share the weight as if there were no mask. That is so if
    such a row is opened on purpose, and also if -1e9 is added to hidden scores: softmax does not notice a number that
    is added to a whole row. (In float32 the sum also loses its digits and leaves 1/n each; in float16 -1e9 is -inf,
    and the row becomes NaN.) Set hidden entries to 0 after softmax.

    全部被遮住的行里，被遮住的元素分享了权重，就像没有掩码一样。特意放开这样的行会如此，
    给被遮住的分数加上 -1e9 也会如此：给整行加同一个数，softmax 察觉不到。
    （在 float32 里，相加还会丢掉有效数字，于是各得 1/n；在 float16 里 -1e9 变成 -inf，整行是 NaN。）
    softmax 之后应把被遮住的元素置 0。
    """
    return (scores + (~mask).to(scores.dtype) * -1e9).softmax(dim)


@misconception("masked_softmax")
def only_all_hidden(scores, mask, dim=-1):
    """Zeros are returned only if the whole mask hides everything. A single row without anything visible still becomes
    NaN; look at each row.

    只有整个掩码全部遮住时才返回 0。单独一行什么都看不见时仍得到 NaN；应当逐行判断。
    """
    return softmax_of_filled(scores, mask, dim) if mask.any() else torch.zeros_like(scores)


@misconception("masked_softmax")
def fill_1e9_zeroed(scores, mask, dim=-1):
    """Hidden scores are set to -1e9, which float16 cannot hold: an error there. Use minus infinity, or the lowest
    number of the dtype.

    被遮住的分数设成了 -1e9，float16 存不下它，会报错。应使用负无穷，或该 dtype 的最小值。
    """
    return softmax_of_filled(scores, mask, dim, -1e9).masked_fill(~mask, 0.0)


@misconception("masked_softmax")
def infinity_times_zero(scores, mask, dim=-1):
    """The mask is turned into a number and multiplied by infinity: 0 times infinity is NaN, everywhere that nothing
    is hidden. Choose between two values instead of multiplying.

    把掩码变成数再乘以无穷：0 乘无穷是 NaN，凡是没有遮住的地方都出错。应在两个值之间选择，而不是相乘。
    """
    return (scores + (~mask).to(scores.dtype) * -math.inf).softmax(dim)


@misconception("masked_softmax")
def mask_ignored(scores, mask, dim=-1):
    """The mask is accepted and never used: hidden entries keep their weight.

    接收了掩码却没有使用：被遮住的元素仍保有权重。
    """
    return scores.softmax(dim)


@misconception("masked_softmax")
def mask_inverted(scores, mask, dim=-1):
    """The mask is read the wrong way round. Here True means visible.

    掩码的含义弄反了。这里 True 表示可见。
    """
    return right(scores, ~mask, dim)


@misconception("masked_softmax")
def mask_inverted_nan(scores, mask, dim=-1):
    """The mask is read the wrong way round: here True means visible. And a row in which everything is hidden becomes
    NaN; it should be 0.

    掩码的含义弄反了：这里 True 表示可见。另外，全部被遮住的行变成了 NaN，应当是 0。
    """
    return softmax_of_filled(scores, ~mask, dim)


@misconception("masked_softmax")
def mask_after_softmax(scores, mask, dim=-1):
    """Hidden weights are set to 0 after softmax only, so the visible ones do not sum to 1. Hide the scores before
    softmax as well.

    只在 softmax 之后才把被遮住的权重置 0，可见的权重之和不为 1。softmax 之前就要遮住分数。
    """
    return scores.softmax(dim).masked_fill(~mask, 0.0)


@misconception("masked_softmax")
def mask_after_softmax_renormalised(scores, mask, dim=-1):
    """Hidden weights are set to 0 after softmax and the rest is divided by its sum. That is 0 divided by 0 where
    nothing is visible, and also where a hidden score dwarfs the visible ones. Hide the scores before softmax.

    在 softmax 之后把被遮住的权重置 0，再除以剩余之和。什么都看不见时就是 0 除以 0；
    被遮住的分数远超可见的分数时也是如此。应在 softmax 之前遮住分数。
    """
    weights = scores.softmax(dim).masked_fill(~mask, 0.0)
    return weights / weights.sum(dim, keepdim=True)


@misconception("masked_softmax")
def mask_after_softmax_renormalised_safely(scores, mask, dim=-1):
    """Hidden weights are set to 0 after softmax and the rest is divided by its sum, guarded against 0. Where a hidden
    score dwarfs the visible ones nothing is left to divide: the row becomes 0, though something is visible. Hide the
    scores before softmax.

    在 softmax 之后把被遮住的权重置 0，再除以剩余之和，并避免除以 0。但若被遮住的分数远超可见的分数，剩余部分已是 0，
    明明有可见的元素，整行却成了 0。应在 softmax 之前遮住分数。
    """
    weights = scores.softmax(dim).masked_fill(~mask, 0.0)
    total = weights.sum(dim, keepdim=True)
    return weights / total.masked_fill(total == 0, 1.0)


@misconception("masked_softmax")
def mask_added_as_number(scores, mask, dim=-1):
    """The mask is added to the scores as 0 and 1: visible entries gain 1, hidden ones stay. Hidden scores must go all
    the way down instead.

    把掩码当作 0 和 1 加到了分数上：可见的元素加 1，被遮住的不变。应当把被遮住的分数压到最低。
    """
    return (scores + mask).softmax(dim)


@misconception("masked_softmax")
def no_maximum_subtracted(scores, mask, dim=-1):
    """The exponentials are taken of the raw scores, so a large score overflows and its row becomes NaN, and a row of
    very low scores vanishes. Subtract each row's largest visible score first, or use torch.softmax.

    直接对原始分数取指数：较大的分数会溢出，整行变成 NaN；分数都很低的行则会消失。
    应先减去每行可见分数中的最大值，或使用 torch.softmax。
    """
    e = scores.exp().masked_fill(~mask, 0.0)
    total = e.sum(dim, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)


@misconception("masked_softmax")
def whole_tensor_normalised(scores, mask, dim=-1):
    """All visible entries of the whole tensor share a total of 1. Every row along dim has a total of its own.

    整个张量中所有可见的元素一起分享总量 1。沿 dim 的每一行都应各有总量 1。
    """
    weights = scores.masked_fill(~mask, -math.inf).flatten().softmax(0)
    return weights.reshape(scores.shape).masked_fill(~mask, 0.0)


@misconception("masked_softmax")
def ignores_dim(scores, mask, dim=-1):
    """The last dimension is normalised whatever dim says. Pass dim on to softmax.

    无论 dim 是什么，归一化的总是最后一维。应把 dim 传给 softmax。
    """
    return right(scores, mask, -1)


@misconception("masked_softmax")
def always_dim0(scores, mask, dim=-1):
    """The first dimension is normalised whatever dim says. Pass dim on to softmax.

    无论 dim 是什么，归一化的总是第一维。应把 dim 传给 softmax。
    """
    return right(scores, mask, 0)


@misconception("masked_softmax")
def always_dim1(scores, mask, dim=-1):
    """Dimension 1 is normalised whatever dim says. That is the last one only for a matrix.

    无论 dim 是什么，归一化的总是第 1 维。只有对矩阵来说它才是最后一维。
    """
    return right(scores, mask, 1)


@misconception("masked_softmax")
def mask_transposed(scores, mask, dim=-1):
    """The mask is transposed before it is used. It has the layout of the scores already.

    掩码在使用之前被转置了。它的排列本来就与分数一致。
    """
    return right(scores, mask.transpose(-2, -1), dim)


@misconception("masked_softmax")
def mask_of_first_example(scores, mask, dim=-1):
    """The mask of the first example is used for all of them. Let the mask broadcast as it is.

    所有样本都用了第一个的掩码。让掩码按原样广播即可。
    """
    return right(scores, mask if mask.dim() < 3 else mask[:1], dim)


@misconception("masked_softmax")
def forces_float32(scores, mask, dim=-1):
    """The result is always float32. Computing in float32 inside is fine, but it must come back in the dtype of the
    scores.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回分数的 dtype。
    """
    return right(scores.float(), mask, dim)


@misconception("masked_softmax")
def hides_in_place(scores, mask, dim=-1):
    """The caller's scores are overwritten with -inf (masked_fill_ works in place). Use masked_fill, which makes a new
    tensor.

    调用者的分数被改写成了 -inf（masked_fill_ 是就地操作）。应使用 masked_fill，它得到一个新张量。
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that this is not the thing to do with an expanded tensor
        scores.masked_fill_(~mask, -math.inf)
    return scores.softmax(dim).masked_fill(~mask, 0.0)


@misconception("masked_softmax")
def no_gradient(scores, mask, dim=-1):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing before it could learn.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），它之前的层将学不到任何东西。
    """
    return right(scores.detach(), mask, dim)


def weak(name, fill, en, zh):
    """Two misconceptions: hidden scores filled with a number that is not low enough, then hidden again or not."""

    def kept(scores, mask, dim=-1):
        return softmax_of_filled(scores, mask, dim, fill)

    def zeroed(scores, mask, dim=-1):
        return softmax_of_filled(scores, mask, dim, fill).masked_fill(~mask, 0.0)

    also = "Zeros put there after softmax take that weight away, but do not give it back to the visible entries."
    also_zh = "softmax 之后再置 0，只是拿走了这份权重，并没有还给可见的元素。"
    return [
        Misconception(name, {"masked_softmax": kept}, f"{en}\n\n{zh}"),
        Misconception(f"{name}_zeroed", {"masked_softmax": zeroed}, f"{en} {also}\n\n{zh}{also_zh}"),
    ]


NOT_LOW_ENOUGH = [
    *weak(
        "fill_0",
        0.0,
        "Hidden scores become 0, and exp(0) = 1: they still take their share. They have to go where the exponential "
        "vanishes.",
        "被遮住的分数变成 0，而 exp(0) = 1：它们仍占一份。应把它们送到指数趋于 0 的地方。",
    ),
    *weak(
        "fill_100",
        -100.0,
        "Hidden scores are set to -100. Visible scores may be far lower, and then the hidden entry wins.",
        "被遮住的分数设成了 -100。可见的分数可能低得多，那时胜出的反而是被遮住的元素。",
    ),
]
