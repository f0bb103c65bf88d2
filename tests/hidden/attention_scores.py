"""Hidden suite for the score matrix.

Not in the bank, because right: any order of the sum, comparing one pair after another, float32 inside.
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect_close, misconception, points


@error_bound("attention_scores")
def scores_bound(q, k):
    # q and k may be taken to float32 (half an epsilon each), each product is rounded (half), the Dh products are added
    # one after another (Dh / 2), and the sum is stored (half): Dh / 2 + 2 epsilon of sum |q||k|, doubled.
    return (q.shape[-1] + 4) * (q.abs() @ k.abs().transpose(-2, -1))


def inputs(make, *lead, t_q=5, t_kv=7, dh=6):
    """Random q and k with these leading dimensions."""
    return make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh)


@points(0.5)
def test_three_tokens(matches_reference, make):
    """Three tokens that serve as queries and keys give the raw dot products; two queries with other keys as well.

    三个词元同时充当查询和键时，得到的是原始点积；两个查询与另外的键也是如此。
    """
    matches_reference.attention_scores(
        make.tensor([[1.0, 0.0], [1.0, 2.0]]), make.tensor([[1.0, 1.0], [0.0, 3.0], [-2.0, 1.0]])
    )
    x = make.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    matches_reference.attention_scores(x, x)


@points(1.6)
def test_definition(matches_reference, make, dtype):
    """Entry (i, j) is the dot product of query i with key j of the same example and head, for any leading dimensions.

    位置 (i, j) 是同一样本、同一个头中第 i 个查询与第 j 个键的点积；前面可以有任意多个维度。
    """
    matches_reference.attention_scores(*inputs(make, t_q=2, t_kv=3))
    matches_reference.attention_scores(*inputs(make, t_q=4, t_kv=3, dh=5))
    matches_reference.attention_scores(*inputs(make, 2))
    matches_reference.attention_scores(*inputs(make, 2, 3))
    matches_reference.attention_scores(*inputs(make, 2, 3, 4, t_q=3, t_kv=2))


@points(0.8)
def test_rows_and_columns(student, matches_reference, make):
    """Row i belongs to query i and column j to key j: a changed query moves its row only, a changed key its column
    only.

    第 i 行属于第 i 个查询，第 j 列属于第 j 个键：改动一个查询只影响它那一行，改动一个键只影响它那一列。
    """
    for t_q, t_kv in ((3, 2), (2, 4), (5, 7)):
        q, k = inputs(make, t_q=t_q, t_kv=t_kv)
        before = student.attention_scores(q, k)
        row, column = torch.arange(t_q)[:, None] == t_q - 1, torch.arange(t_kv)[:, None] == 1
        moved = student.attention_scores(torch.where(row, q + 1.0, q), k) - before
        en, zh = "changing the last query changes another row", "改动最后一个查询，却影响了其他行"
        expect_close(moved[:-1], 0.0, 1e-5, en, zh)
        moved = student.attention_scores(q, torch.where(column, k + 1.0, k)) - before
        en, zh = "changing key 1 changes another column", "改动第 1 个键，却影响了其他列"
        expect_close(moved[:, torch.arange(t_kv) != 1], 0.0, 1e-5, en, zh)
        matches_reference.attention_scores(q, k)


@points(0.7)
def test_laws(student, matches_reference, make):
    """A query twice as long has scores twice as large, the opposite query the opposite scores, and vectors at right
    angles score 0.

    查询加长一倍，分数也加倍；查询反向，分数变号；互相垂直的向量得分为 0。
    """
    for lead, dh in (((), 3), ((2,), 5), ((2, 3), 4)):
        q, k = inputs(make, *lead, dh=dh)
        scores = student.attention_scores(q, k)
        for factor in (2.0, -1.0):
            en = f"queries times {factor:g} do not give scores times {factor:g}"
            zh = f"查询乘 {factor:g}，分数没有随之乘 {factor:g}"
            expect_close(student.attention_scores(factor * q, k), factor * scores, 1e-4, en, zh)
        matches_reference.attention_scores(q, k)
    axes = torch.eye(4)
    en, zh = (
        "different axes do not score 0, or an axis does not score 1 with itself",
        "不同坐标轴的得分不为 0，或与自身的得分不为 1",
    )
    expect_close(student.attention_scores(axes, axes), axes, 1e-6, en, zh)


@points(0.6)
def test_not_scaled(matches_reference, make, dtype):
    """The scores are raw: with all entries 1 each of them is Dh, and long vectors score in the thousands.

    分数不经缩放：所有元素都为 1 时，每个分数等于 Dh；很长的向量得分可达数千。
    """
    for dh, size in ((1, 1.0), (4, 1.0), (9, 1.0), (64, 1.0), (16, 16.0)):
        q = make.tensor([[size] * dh] * 2)
        k = make.tensor([[size] * dh, [-size] * dh, [0.0] * dh])
        matches_reference.attention_scores(q, k)


@points(0.4)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and sizes that coincide are no special case.

    尺寸为 1 或彼此相等时没有例外。
    """
    for lead, t_q, t_kv, dh in (
        ((), 1, 1, 1), ((), 1, 5, 3), ((2,), 5, 1, 3), ((), 4, 4, 2), ((3,), 3, 3, 3), ((2, 2), 2, 2, 2),
        ((1, 1), 4, 4, 5),
    ):  # fmt: skip
        matches_reference.attention_scores(*inputs(make, *lead, t_q=t_q, t_kv=t_kv, dh=dh))


@points(0.6)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to queries and keys: both can be learned.

    梯度既传回查询，也传回键：两者都可以学习。
    """
    matches_gradients.attention_scores(*inputs(make, t_q=2, t_kv=3))
    matches_gradients.attention_scores(*inputs(make, 2))
    matches_gradients.attention_scores(*inputs(make, 2, 3))


@points(0.3)
def test_memory_layout(matches_reference, make):
    """The layout of the inputs in memory does not matter: transposed and expanded tensors work as well.

    输入在内存中的排布不影响结果：转置或 expand 得到的张量同样适用。
    """
    matches_reference.attention_scores(make.normal(6, 5).T, make.normal(6, 7).T)
    matches_reference.attention_scores(make.normal(2, 5, 3, 6).transpose(1, 2), make.normal(2, 7, 3, 6).transpose(1, 2))
    matches_reference.attention_scores(*(make.strided(t) for t in inputs(make, 2, 3)))
    matches_reference.attention_scores(make.normal(2, 3, 5, 6), make.normal(2, 1, 7, 6).expand(2, 3, 7, 6))


@points(0.2)
def test_inputs_unchanged(does_not_mutate, matches_reference, make):
    """Queries and keys are left as they were.

    查询和键都保持原样。
    """
    for lead in ((), (2, 3)):
        q, k = inputs(make, *lead)
        does_not_mutate.attention_scores(q, k)
        matches_reference.attention_scores(q, k)


@points(0.3)
def test_device(stays_on_device, matches_reference, make):
    """All of it happens on the device of the inputs.

    全部计算都在输入所在的设备上进行。
    """
    for lead in ((), (2, 3)):
        q, k = inputs(make, *lead)
        stays_on_device.attention_scores(q, k)
        matches_reference.attention_scores(q, k)


@misconception("attention_scores")
def scores_transposed(q, k):
    """The table lies on its side (k q^T): rows belong to keys, columns to queries. With as many keys as queries nothing
    complains, and for q = k it even is the same. Row i must belong to query i.

    分数表放倒了（k q^T）：行属于键，列属于查询。键与查询一样多时不会报错，q = k 时甚至结果相同。
    第 i 行应属于第 i 个查询。
    """
    return k @ q.transpose(-2, -1)


@misconception("attention_scores")
def k_reshaped_not_transposed(q, k):
    """The keys are reshaped to [..., Dh, T_kv]: the right shape, but each column mixes entries of different keys. The
    last two axes have to be exchanged.

    把键 reshape 成了 [..., Dh, T_kv]：形状对，但每一列混杂了不同键的元素。应当交换最后两个轴。
    """
    return q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])


@misconception("attention_scores")
def k_dot_t(q, k):
    """All axes of the keys are reversed (as `.T` does), also batch and heads. It works for a matrix; with leading
    dimensions exchange the last two axes only.

    键的所有轴都被颠倒了（`.T` 的行为），连批次和头也在内。对矩阵没有问题；前面还有维度时，只应交换最后两个轴。
    """
    return q @ k.permute(*range(k.dim() - 1, -1, -1))


@misconception("attention_scores")
def scaled(q, k):
    """The scores are divided by the square root of Dh. That comes later; here the raw dot products are asked for.

    分数除以了 Dh 的平方根。那是后面的步骤，这里要的是原始点积。
    """
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


@misconception("attention_scores")
def mean_of_products(q, k):
    """The products are averaged instead of summed, so the scores are Dh times too small.

    对各个乘积取了平均而不是求和，分数小了 Dh 倍。
    """
    return q @ k.transpose(-2, -1) / q.shape[-1]


@misconception("attention_scores")
def softmax_applied(q, k):
    """Softmax was applied already. Scores may be negative and sum to anything; turning them into weights is the next
    step.

    已经做了 softmax。分数可以为负，总和也不固定；把它们变成权重是下一步的事。
    """
    return (q @ k.transpose(-2, -1)).softmax(-1)


@misconception("attention_scores")
def cosine(q, k):
    """Queries and keys are normalised to length 1, so only their angle counts (cosine similarity). A dot product counts
    their lengths too.

    查询和键先被归一化为单位长度，于是只看夹角（余弦相似度）。点积还要计入它们的长度。
    """
    return (q / q.norm(dim=-1, keepdim=True)) @ (k / k.norm(dim=-1, keepdim=True)).transpose(-2, -1)


@misconception("attention_scores")
def negative_distance(q, k):
    """This is minus the squared distance between query and key. It is another measure of likeness: it never rewards a
    long key, and it is never positive.

    这是查询与键之间距离平方的相反数，是另一种相似度：它从不偏爱较长的键，也永远不为正。
    """
    return -(q.unsqueeze(-2) - k.unsqueeze(-3)).square().sum(-1)


@misconception("attention_scores")
def each_with_its_own(q, k):
    """Query i is compared with key i only. Every query has to meet every key.

    第 i 个查询只与第 i 个键比较。每个查询都要与每个键比较。
    """
    return (q * k).sum(-1)


@misconception("attention_scores")
def features_compared(q, k):
    """The sum runs over the tokens (q^T k), which compares channels with channels. Sum over the Dh entries of the
    vectors.

    求和沿着词元进行（q^T k），比较的是通道与通道。应当对向量的 Dh 个元素求和。
    """
    return q.transpose(-2, -1) @ k


@misconception("attention_scores")
def products_not_summed(q, k):
    """The entries of each query and key are multiplied and not added up: a dimension of size Dh is left.

    查询与键的元素相乘之后没有相加，多出了长度为 Dh 的一维。
    """
    return q.unsqueeze(-2) * k.unsqueeze(-3)


@misconception("attention_scores")
def negatives_cut_off(q, k):
    """Negative scores are raised to 0. They are meant: a key that points away from the query gets less than one that
    has nothing to do with it.

    负的分数被抬到了 0。负分是有意义的：与查询方向相反的键，应当比毫不相干的键得到更少。
    """
    return (q @ k.transpose(-2, -1)).clamp(min=0)


@misconception("attention_scores")
def absolute_values(q, k):
    """The signs are dropped, so an opposite key scores as high as an equal one.

    去掉了正负号，方向相反的键与方向相同的键得分一样高。
    """
    return (q @ k.transpose(-2, -1)).abs()


@misconception("attention_scores")
def later_keys_hidden(q, k):
    """Scores of later keys are set to -inf. Nobody asked for a mask; it comes in a step of its own.

    靠后的键的分数被设成了 -inf。没有人要求加掩码，那是单独的一步。
    """
    scores = q @ k.transpose(-2, -1)
    return scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)


@misconception("attention_scores")
def keys_of_first_example(q, k):
    """All examples (or heads) are compared with the keys of the first one. Each has keys of its own.

    所有样本（或头）都与第一个的键比较。每个样本、每个头都有自己的键。
    """
    return q @ (k if k.dim() < 3 else k[:1]).transpose(-2, -1)


@misconception("attention_scores")
def examples_compared(q, k):
    """The leading dimensions are flattened, so queries meet the keys of other examples and heads. Compare only what
    belongs together.

    前面的维度被压平，查询与其他样本、其他头的键也作了比较。只应比较属于同一样本、同一个头的。
    """
    return q.reshape(-1, q.shape[-1]) @ k.reshape(-1, k.shape[-1]).T


@misconception("attention_scores")
def forces_float32(q, k):
    """The result is always float32. Computing in float32 inside is fine, but it must come back in the dtype of the
    inputs.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回输入的 dtype。
    """
    return q.float() @ k.float().transpose(-2, -1)


@misconception("attention_scores")
def scaled_in_place(q, k):
    """The queries are scaled in place, so the caller's tensor changes. Leave the inputs as they are, and do not scale
    here.

    直接在原张量上缩放了查询，改动了调用者的张量。不要改动输入，这里也不需要缩放。
    """
    q /= math.sqrt(q.shape[-1])
    return q @ k.transpose(-2, -1)


@misconception("attention_scores")
def keys_detached(q, k):
    """The values are right, but the keys are cut out of the gradient, so only queries could ever be learned.

    数值正确，但键被排除在梯度之外，只有查询能够学习。
    """
    return q @ k.detach().transpose(-2, -1)


@misconception("attention_scores")
def no_gradient(q, k):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing before it could learn.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），它之前的层将学不到任何东西。
    """
    return q.detach() @ k.detach().transpose(-2, -1)
