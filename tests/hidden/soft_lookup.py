"""Hidden suite for the soft dictionary lookup.

Not in the bank, because right: any order of summation, float32 inside, flattening the leading dimensions and putting
them back.
"""

import torch

from grader.suites import dtypes, error_bound, expect, expect_close, misconception, points


@error_bound("soft_lookup")
def lookup_bound(weights, values):
    # Weights and values may be taken to float32 (half an epsilon each), each product is rounded (half), the n products
    # are added one after another (n / 2), and the sum is stored (half): n / 2 + 2 epsilon of sum |w||v|, doubled.
    return (weights.shape[-1] + 4) * (weights.abs() @ values.abs())


def distribution(make, *shape):
    """Positive weights that sum to 1 over the last dimension, but for rounding to the check's dtype."""
    return make.tensor(make.normal(*shape).double().softmax(-1))


@points(1.6)
def test_definition(matches_reference, make, dtype):
    """The answer is the sum of all rows of values, each times its weight, for a single query, for several and for
    batches of them.

    答案是 values 的各行分别乘以各自的权重再相加；单个查询、多个查询、成批的查询都是如此。
    """
    for lead, n, d in (((), 2, 3), ((), 3, 1), ((2,), 3, 4), ((5,), 4, 2), ((2, 3), 7, 5), ((2, 3, 5), 4, 6)):
        matches_reference.soft_lookup(distribution(make, *lead, n), make.normal(n, d))


@points(0.8)
def test_one_entry_has_all_the_weight(student, matches_reference, make):
    """A weight of 1 beside zeros gives that entry's value, as a dictionary does, and never touches the others.

    一个权重为 1、其余为 0 时，得到的就是那个条目的值，与普通字典一样，其他条目毫无影响。
    """
    for n, d in ((2, 3), (5, 3), (4, 6)):
        values = make.normal(n, d)
        for j in range(n):
            picked = student.soft_lookup(make.tensor([float(i == j) for i in range(n)]), values)
            en = f"all weight is on entry {j} of {n}, and the answer is not its value"
            zh = f"全部权重都在第 {j} 个条目（共 {n} 个）上，答案却不是它的值"
            expect_close(picked, values[j], 1e-6, en, zh)
        matches_reference.soft_lookup(torch.eye(n), values)


@points(0.5)
def test_values_that_tell_entries_apart(student, matches_reference, make):
    """With the rows of the identity matrix as values the answer is the weights themselves.

    以单位矩阵的各行为值时，答案就是权重本身。
    """
    for lead, n in (((), 3), ((2,), 5), ((3, 2), 4)):
        weights = distribution(make, *lead, n)
        en, zh = "values = identity does not give the weights back", "values 为单位矩阵时，没有得到权重本身"
        expect_close(student.soft_lookup(weights, torch.eye(n)), weights, 1e-6, en, zh)
        matches_reference.soft_lookup(weights, make.normal(n, n + 1))


@points(0.5)
def test_laws(student, matches_reference, make):
    """Where the weights sum to 1 every entry of the answer lies between the smallest and largest value of its column,
    and f(w, 2v + 3) = 2 f(w, v) + 3.

    权重之和为 1 时，答案的每个元素都介于该列的最小值与最大值之间，并且 f(w, 2v + 3) = 2 f(w, v) + 3。
    """
    for lead, n, d in (((), 3, 2), ((2,), 5, 3), ((2, 3), 4, 7)):
        weights, values = distribution(make, *lead, n), make.normal(n, d)
        answer = student.soft_lookup(weights, values)
        inside = (answer >= values.amin(0) - 1e-5) & (answer <= values.amax(0) + 1e-5)
        expect(inside, "the answer leaves the range of the values", "答案超出了各个值的范围")
        moved = student.soft_lookup(weights, 2 * values + 3)
        en, zh = (
            "doubling the values and adding 3 does not do the same to the answer",
            "值乘 2 加 3 后，答案没有同样变化",
        )
        expect_close(moved, 2 * answer + 3, 1e-4, en, zh)
        matches_reference.soft_lookup(weights, values)


@points(0.8)
def test_weights_as_they_are(matches_reference, make, dtype):
    """Weights are used as they come: they may sum to anything, and be 0 or negative.

    权重按原样使用：它们的和可以是任意数，也可以为 0 或为负。
    """
    for lead, n, d in (((), 2, 1), ((), 3, 2), ((2,), 5, 3), ((2, 4), 3, 5)):
        matches_reference.soft_lookup(make.normal(*lead, n, scale=2.0), make.normal(n, d))
        matches_reference.soft_lookup(make.mask(*lead, n).to(make.dtype) * 0.5, make.normal(n, d))


@points(0.4)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and sizes that coincide are no special case.

    尺寸为 1 或彼此相等时没有例外。
    """
    sizes = (((), 1, 1), ((1,), 1, 3), ((4,), 3, 1), ((), 3, 3), ((3,), 3, 3), ((2, 2), 2, 2), ((1, 3), 4, 4))
    for lead, n, d in sizes:
        matches_reference.soft_lookup(distribution(make, *lead, n), make.normal(n, d))


@points(0.6)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to the weights and to the values: both can be learned.

    梯度既传回权重，也传回值：两者都可以学习。
    """
    matches_gradients.soft_lookup(distribution(make, 3), make.normal(3, 2))
    matches_gradients.soft_lookup(make.normal(5, 3), make.normal(3, 4))
    matches_gradients.soft_lookup(distribution(make, 2, 3, 5), make.normal(5, 4))


@points(0.3)
def test_memory_layout(matches_reference, make):
    """The layout of the inputs in memory does not matter: transposed and expanded tensors work as well.

    输入在内存中的排布不影响结果：转置或 expand 得到的张量同样适用。
    """
    matches_reference.soft_lookup(make.normal(5, 3).T, make.normal(4, 5).T)
    matches_reference.soft_lookup(make.strided(distribution(make, 2, 3, 5)), make.strided(make.normal(5, 4)))
    matches_reference.soft_lookup(distribution(make, 1, 5).expand(3, 5), make.normal(5, 1).expand(5, 2))


@points(0.25)
def test_inputs_unchanged(does_not_mutate, matches_reference, make):
    """Weights and values are left as they were.

    权重和值都保持原样。
    """
    for lead, n, d in (((), 3, 2), ((2, 3), 5, 4)):
        weights, values = make.normal(*lead, n), make.normal(n, d)
        does_not_mutate.soft_lookup(weights, values)
        matches_reference.soft_lookup(weights, values)


@points(0.25)
def test_device(stays_on_device, matches_reference, make):
    """All of it happens on the device of the inputs.

    全部计算都在输入所在的设备上进行。
    """
    for lead, n, d in (((4,), 3, 2), ((2, 3), 5, 4)):
        weights, values = distribution(make, *lead, n), make.normal(n, d)
        stays_on_device.soft_lookup(weights, values)
        matches_reference.soft_lookup(weights, values)


@misconception("soft_lookup")
def hard_lookup(weights, values):
    """Only the value with the largest weight is returned, as a dictionary would. A soft lookup mixes in all the others
    in proportion, and that is what lets gradients reach the weights.

    只返回了权重最大的那个值，与普通字典无异。软查询要把其余的值也按比例混合进来，梯度也正是由此传到权重。
    """
    return values[weights.argmax(-1)]


@misconception("soft_lookup")
def only_the_best(weights, values):
    """The value with the largest weight is multiplied by it and the rest is dropped. Every entry adds its share,
    however small.

    只取了权重最大的值乘以其权重，其余全部丢弃。每个条目无论权重多小，都要贡献自己的一份。
    """
    best = weights.max(-1, keepdim=True)
    return best.values * values[best.indices.squeeze(-1)]


@misconception("soft_lookup")
def plain_average(weights, values):
    """All values count the same: this is their average, and the weights make no difference.

    所有值一视同仁：得到的只是平均值，权重没有起作用。
    """
    return values.mean(0).expand(*weights.shape[:-1], -1) + 0 * weights.sum(-1, keepdim=True)


@misconception("soft_lookup")
def mean_instead_of_sum(weights, values):
    """The weighted values are averaged instead of summed, so the answer is n times too small. The weights already
    share out the whole; nothing has to be divided again.

    加权后的值取了平均而不是求和，答案小了 n 倍。权重已经把整体分好了份，不必再除一次。
    """
    return (weights.unsqueeze(-1) * values).mean(-2)


@misconception("soft_lookup")
def max_instead_of_sum(weights, values):
    """Of the weighted values the largest is taken, column by column. They have to be added up.

    在加权后的值中逐列取了最大的一个。应当把它们加起来。
    """
    return (weights.unsqueeze(-1) * values).amax(-2)


@misconception("soft_lookup")
def normalised_again(weights, values):
    """The weights are divided by their sum first. Weights that sum to 1 hide it; take them as they are, making them
    sum to 1 is the task of softmax.

    先把权重除以了它们的和。权重之和恰好为 1 时看不出来；应按原样使用权重，让它们的和为 1 是 softmax 的任务。
    """
    return weights / weights.sum(-1, keepdim=True) @ values


@misconception("soft_lookup")
def softmax_again(weights, values):
    """The weights go through softmax. They are weights already, no scores; a second softmax makes them nearly equal.

    对权重又做了一次 softmax。它们已经是权重，不是分数；再做一次 softmax 会让它们趋于相等。
    """
    return weights.softmax(-1) @ values


@misconception("soft_lookup")
def values_transposed(weights, values):
    """The values are transposed, so weights meet the columns of the table instead of its entries. With as many columns
    as entries nothing complains. Entry j is row j.

    值被转置了：权重对上的是表格的列，而不是条目。列数与条目数相等时不会报错。第 j 个条目是第 j 行。
    """
    return weights @ values.T


@misconception("soft_lookup")
def not_summed(weights, values):
    """The values are weighted and not added up: one row an entry is left. The answer is their sum.

    值乘上了权重，却没有相加：每个条目仍占一行。答案应是它们的和。
    """
    return weights.unsqueeze(-1) * values


@misconception("soft_lookup")
def summed_over_columns(weights, values):
    """The weighted values are summed over the columns of each entry. Sum over the entries, column by column.

    加权后的值沿着每个条目的各列求了和。应当沿条目求和，各列分开。
    """
    return (weights.unsqueeze(-1) * values).sum(-1)


@misconception("soft_lookup")
def weight_of_all(weights, values):
    """Weights and values are summed separately and then multiplied, so it no longer matters which weight belongs to
    which value. Multiply first, then sum.

    先把权重和值分别求和再相乘，哪个权重对应哪个值就无关紧要了。应当先相乘，再求和。
    """
    return weights.sum(-1, keepdim=True) * values.sum(0)


@misconception("soft_lookup")
def one_answer_for_all(weights, values):
    """All queries are summed into one answer. Every row of weights gets an answer of its own.

    把所有查询合并成了一个答案。weights 的每一行都应有自己的答案。
    """
    return weights.reshape(-1, weights.shape[-1]).sum(0) @ values


@misconception("soft_lookup")
def first_query_only(weights, values):
    """Only the first row of weights is answered. Every row gets an answer of its own.

    只回答了 weights 的第一行。每一行都应有自己的答案。
    """
    return weights.reshape(-1, weights.shape[-1])[0] @ values


@misconception("soft_lookup")
def flattened(weights, values):
    """The leading dimensions come back flattened into one. The answer has those of the weights, with d in place of n.

    前面的各个维度被压成了一维。答案前面的维度应与 weights 相同，只是最后的 n 换成 d。
    """
    return weights.reshape(-1, weights.shape[-1]) @ values


@misconception("soft_lookup")
def values_reversed(weights, values):
    """The weights meet the values in reverse order, the first weight the last value. Weight j belongs to row j.

    权重与值的次序相反，第一个权重对上了最后一个值。第 j 个权重属于第 j 行。
    """
    return weights @ values.flip(0)


@misconception("soft_lookup")
def forces_float32(weights, values):
    """The result is always float32. Computing in float32 inside is fine, but it must come back in the dtype of the
    inputs.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回输入的 dtype。
    """
    return weights.float() @ values.float()


@misconception("soft_lookup")
def normalised_in_place(weights, values):
    """The weights are divided by their sum, and in the caller's own tensor. Leave the inputs as they are, and take the
    weights as they come.

    权重被除以了它们的和，而且改的是调用者的张量。不要改动输入，权重按原样使用。
    """
    weights /= weights.sum(-1, keepdim=True)
    return weights @ values


@misconception("soft_lookup")
def weights_detached(weights, values):
    """The values are right, but the weights are cut out of the gradient (detach, .data, no_grad), so a model could
    never learn what to look up.

    数值正确，但权重被排除在梯度之外（detach、.data、no_grad），模型就永远学不会该查什么。
    """
    return weights.detach() @ values


@misconception("soft_lookup")
def no_gradient(weights, values):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing before it could learn.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），它之前的层将学不到任何东西。
    """
    return weights.detach() @ values.detach()
