"""Hidden suite for the update that heads add to tokens, tokens as columns.

Not in the bank, because right: any order of the products, a sum over heads or one W_O. Reading the pattern by rows is
the same as transposing it. Dividing a pattern by its column sums changes nothing, since they are 1.
"""

import torch

from grader.suites import dtypes, error_bound, expect, expect_close, misconception, points


@error_bound("value_update")
def update_bound(E, patterns, downs, ups):
    # Three products in any order, with sums of d, n and dk terms, and a sum over h heads: each term is rounded once for
    # every addition it takes part in and once for every product, of inputs rounded once.
    d, n, dk, h = *E.shape, downs[0].shape[0], len(downs)
    reach = sum(u.abs() @ w.abs() @ E.abs() @ a.abs() for a, w, u in zip(patterns, downs, ups, strict=True))
    return ((d + n + dk + h) / 2 + 8) * reach


def shares(make, n):
    """A pattern: each column sums to 1."""
    return make.normal(n, n, scale=2.0).double().softmax(0).to(make.dtype)


def inputs(make, d=7, n=5, dk=3, h=2):
    """Tokens, and for each head a pattern, a down and an up."""
    patterns = [shares(make, n) for _ in range(h)]
    downs = [make.normal(dk, d, scale=d**-0.5) for _ in range(h)]
    return make.normal(d, n), patterns, downs, [make.normal(d, dk, scale=dk**-0.5) for _ in range(h)]


@points(3)
def test_definition(matches_reference, make, dtype):
    """The update is the sum over heads of up (down E A).

    改变量是各个头的 up (down E A) 之和。
    """
    for d, n, dk, h in ((3, 2, 1, 1), (4, 3, 2, 2), (7, 5, 3, 2), (6, 4, 5, 3), (8, 5, 2, 4)):
        matches_reference.value_update(*inputs(make, d, n, dk, h))


@points(1)
def test_columns(student, matches_reference, make):
    """Column j of a pattern belongs to token j: if it takes all from token i, it gets the value of token i.

    模式的第 j 列属于第 j 个词元：如果它全部取自第 i 个词元，得到的就是第 i 个词元的值。
    """
    for d, n in ((4, 3), (7, 5)):
        E, _, downs, ups = inputs(make, d, n, 2, 1)
        source = [(j + 1) % n if j else 2 for j in range(n)]  # no permutation: some tokens are taken twice
        pattern = torch.stack([make.tensor([float(i == s) for i in range(n)]) for s in source], dim=1)
        found = student.value_update(E, [pattern], downs, ups)
        due = (ups[0] @ downs[0] @ E)[:, source]
        en = f"tokens that take all from the tokens {source} do not get their values"
        zh = f"各个词元依次全部取自第 {source} 个词元，得到的却不是它们的值"
        expect_close(found, due, 1e-4, en, zh)
        matches_reference.value_update(*inputs(make, d, n, 2, 1))


@points(1.5)
def test_heads_add_up(student, matches_reference, make):
    """What two heads add is what one adds plus what the other adds; and twice the tokens means twice the update.

    两个头加上的，等于一个头加上的与另一个头加上的之和；词元变为两倍，改变量也变为两倍。
    """
    for d, n, dk, h in ((4, 3, 2, 2), (7, 5, 3, 3)):
        E, patterns, downs, ups = inputs(make, d, n, dk, h)
        both = student.value_update(E, patterns, downs, ups)
        alone = [student.value_update(E, [patterns[i]], [downs[i]], [ups[i]]) for i in range(h)]
        en, zh = f"{h} heads do not add what they add one by one", f"{h} 个头一起加上的，不等于逐个加上的之和"
        expect_close(both, sum(alone), 1e-4, en, zh)
        twice = student.value_update(2 * E, patterns, downs, ups)
        en, zh = "twice the tokens do not give twice the update", "词元变为两倍，改变量却没有变为两倍"
        expect_close(twice, 2 * both, 1e-4, en, zh)
        matches_reference.value_update(E, patterns, downs, ups)


@points(1)
def test_narrow_heads(student, matches_reference, make):
    """One head moves all tokens within the dk directions of its up, so its update has rank dk at most.

    一个头只能让各个词元沿着它的 up 的 dk 个方向移动，因此它的改变量的秩不超过 dk。
    """
    for d, n, dk in ((6, 5, 2), (8, 7, 3)):
        arguments = inputs(make, d, n, dk, 1)
        found = student.value_update(*arguments).double()
        expect(found.isfinite(), "the update of one head is not finite", "单个头的改变量不是有限的数")
        rank = int((torch.linalg.svdvals(found) > 1e-4 * torch.linalg.matrix_norm(found, 2)).sum())
        en = f"the update of one head with dk={dk} has rank {rank}"
        zh = f"dk={dk} 的单个头，改变量的秩却是 {rank}"
        expect(rank <= dk, en, zh)
        matches_reference.value_update(*arguments)


@points(1)
def test_special_sizes(matches_reference, make):
    """One token, one channel, dk = 1, dk = d, and sizes that coincide are no special case.

    单个词元、单个通道、dk = 1、dk = d，以及几个尺寸恰好相等时，都没有例外。
    """
    for d, n, dk, h in (
        (1, 1, 1, 1),
        (3, 3, 3, 3),
        (5, 1, 2, 3),
        (1, 4, 1, 2),
        (4, 4, 2, 2),
        (3, 5, 3, 2),
        (6, 4, 1, 6),
    ):
        matches_reference.value_update(*inputs(make, d, n, dk, h))


@points(1.5)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to the tokens and to the patterns, downs and ups of all heads.

    梯度传回各个词元，以及所有头的模式、down 和 up。
    """
    matches_gradients.value_update(*inputs(make, 3, 2, 1, 1))
    matches_gradients.value_update(*inputs(make))


@points(1)
def test_inputs(does_not_mutate, matches_reference, make):
    """The inputs may lie in memory in any order, and are left as they were.

    输入在内存中可按任意次序排布，并且保持原样。
    """
    E, patterns, downs, ups = inputs(make)
    matches_reference.value_update(
        E.T.contiguous().T, *([make.strided(t) for t in ts] for ts in (patterns, downs, ups))
    )
    matches_reference.value_update(E[:, :1].expand(7, 5), patterns, downs, ups)
    does_not_mutate.value_update(E, patterns, downs, ups)
    does_not_mutate.value_update(E, patterns[:1], downs[:1], ups[:1])


@points(1)
def test_device(stays_on_device, matches_reference, make):
    """Whatever is made on the way is made on the device of the inputs.

    计算途中创建的张量都位于输入所在的设备上。
    """
    stays_on_device.value_update(*inputs(make, h=1))
    stays_on_device.value_update(*inputs(make))
    matches_reference.value_update(*inputs(make))


def added(E, patterns, downs, ups):
    """The right sum."""
    return sum(up @ (down @ E @ A) for A, down, up in zip(patterns, downs, ups, strict=True))


@misconception("value_update")
def pattern_transposed(E, patterns, downs, ups):
    """The pattern is read by rows (or transposed). Tokens are columns here, and column j of the pattern holds the
    shares that token j takes: the pattern stands on the right of E as it is.

    模式被按行读了（或者被转置了）。这里词元是列，模式的第 j 列是第 j 个词元所取的份额：模式应原样放在 E 的右边。
    """
    return added(E, [A.T for A in patterns], downs, ups)


@misconception("value_update")
def pattern_on_the_left(E, patterns, downs, ups):
    """The pattern stands on the left of the values. There it would mix channels, and the sizes do not fit: with tokens
    as columns it belongs on the right.

    模式放在了值的左边。那样混合的是通道，尺寸也对不上：词元是列时，它应放在右边。
    """
    return sum(up @ (A @ (down @ E)) for A, down, up in zip(patterns, downs, ups, strict=True))


@misconception("value_update")
def no_attention(E, patterns, downs, ups):
    """The patterns are not used: each token gets its own value only. They say how values are mixed.

    没有用到模式：每个词元只得到自己的值。模式规定了值怎样混合。
    """
    return sum(up @ down @ E for down, up in zip(downs, ups, strict=True))


@misconception("value_update")
def first_pattern_for_all(E, patterns, downs, ups):
    """All heads mix by the pattern of the first one. Each has its own.

    所有的头都按第一个头的模式混合。每个头有自己的模式。
    """
    return added(E, [patterns[0]] * len(patterns), downs, ups)


@misconception("value_update")
def patterns_averaged(E, patterns, downs, ups):
    """All heads mix by the mean of the patterns. Each has its own, and a mean of patterns is not a sum of updates.

    所有的头都按各模式的平均来混合。每个头有自己的模式；模式的平均不等于改变量之和。
    """
    return added(E, [sum(patterns) / len(patterns)] * len(patterns), downs, ups)


@misconception("value_update")
def softmax_again(E, patterns, downs, ups):
    """Softmax is applied to the patterns. They are shares already, each column sums to 1.

    又对模式做了一次 softmax。它们已经是份额，每一列之和为 1。
    """
    return added(E, [A.softmax(0) for A in patterns], downs, ups)


@misconception("value_update")
def mean_of_heads(E, patterns, downs, ups):
    """The updates are averaged over the heads. They are added.

    对各个头的改变量取了平均。应当相加。
    """
    return added(E, patterns, downs, ups) / len(ups)


@misconception("value_update")
def heads_mixed(E, patterns, downs, ups):
    """The ups are added up first and so are the mixed values: every up then meets the values of every head. Multiply
    head by head, then add.

    先把各个 up 相加，又把各个头混合后的值相加：结果每个 up 遇到了所有头的值。应当逐个头相乘，再相加。
    """
    return sum(ups) @ sum(down @ E @ A for down, A in zip(downs, patterns, strict=True))


@misconception("value_update")
def ups_reversed(E, patterns, downs, ups):
    """The ups and the heads meet in opposite orders. The first block of W_O belongs to the first head.

    up 与头的次序相反。W_O 的第一段属于第一个头。
    """
    return added(E, patterns, downs, ups[::-1])


@misconception("value_update")
def ups_stacked_by_rows(E, patterns, downs, ups):
    """The ups are put on top of each other, [h * d, dk]. W_O has them side by side, [d, h * dk], so that each meets the
    block of its own head.

    各个 up 上下叠放成了 [h * d, dk]。W_O 是把它们左右并排成 [d, h * dk]，这样每个 up 才对上自己那个头的一段。
    """
    return torch.cat(tuple(ups)) @ torch.cat([down @ E @ A for down, A in zip(downs, patterns, strict=True)])


@misconception("value_update")
def updates_stacked(E, patterns, downs, ups):
    """The updates of the heads are put on top of each other instead of added: [h * d, n].

    各个头的改变量被上下叠放成了 [h * d, n]，应当相加。
    """
    return torch.cat([up @ (down @ E @ A) for A, down, up in zip(patterns, downs, ups, strict=True)])


@misconception("value_update")
def down_and_up_swapped(E, patterns, downs, ups):
    """down and up have changed places. down [dk, d] comes first and takes a token of d channels; up [d, dk] brings the
    mix back.

    down 与 up 用反了。down [dk, d] 在先，它接收 d 个通道的词元；up [d, dk] 再把混合的结果带回来。
    """
    return added(E, patterns, ups, downs)


@misconception("value_update")
def down_and_up_transposed(E, patterns, downs, ups):
    """down and up are transposed, as if tokens were rows. With tokens as columns, down [dk, d] and up [d, dk] are used
    as they are.

    down 与 up 被转置了，好像词元是行。词元是列时，down [dk, d] 和 up [d, dk] 应原样使用。
    """
    return added(E, patterns, [down.T for down in downs], [up.T for up in ups])


@misconception("value_update")
def up_is_down_transposed(E, patterns, downs, ups):
    """The way up is taken to be down transposed, and ups is not used. The two are learned independently.

    把 down 的转置当成了 up，没有用到 ups。两者是各自独立学到的。
    """
    return added(E, patterns, downs, [down.T for down in downs])


@misconception("value_update")
def first_head_only(E, patterns, downs, ups):
    """Only the first head is returned; a return inside the loop perhaps. All heads are added.

    只返回了第一个头的结果，也许是在循环里就 return 了。应把所有的头相加。
    """
    return added(E, patterns[:1], downs[:1], ups[:1])


@misconception("value_update")
def last_head_only(E, patterns, downs, ups):
    """Only the last head is left: each round of the loop overwrites what the one before had found. Add instead.

    只剩下最后一个头：循环每一轮都覆盖了上一轮的结果。应当累加。
    """
    return added(E, patterns[-1:], downs[-1:], ups[-1:])


@misconception("value_update")
def residual_included(E, patterns, downs, ups):
    """The tokens themselves are in the result. Asked for is what is added to them.

    结果里包含了词元本身。要求的只是加在它们上面的部分。
    """
    return E + added(E, patterns, downs, ups)


@misconception("value_update")
def tokens_changed_in_place(E, patterns, downs, ups):
    """The update is added to E in place: the caller's tokens change, and the second head already sees what the first
    one added. Make a new tensor, starting from 0.

    改变量被就地加到了 E 上：调用者的词元被改动，而且第二个头看到的已是第一个头加过的结果。应从 0 开始另建一个张量。
    """
    for A, down, up in zip(patterns, downs, ups, strict=True):
        E += up @ (down @ E @ A)
    return E


@misconception("value_update")
def scaled_by_dk(E, patterns, downs, ups):
    """The update is divided by the square root of dk. Scores are scaled, before softmax; values are not.

    改变量除以了 dk 的平方根。需要缩放的是 softmax 之前的分数，值不缩放。
    """
    return added(E, patterns, downs, ups) / downs[0].shape[0] ** 0.5


@misconception("value_update")
def no_gradient(E, patterns, downs, ups):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing could learn.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），什么也学不到。
    """
    return added(E, patterns, downs, ups).detach()


@misconception("value_update")
def forces_float32(E, patterns, downs, ups):
    """The result is always float32. Computing in float32 inside is fine, but it must come back in the dtype of E.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回 E 的 dtype。
    """
    return added(E, patterns, downs, ups).float()
