"""Hidden suite for the two counterexamples: whatever the student builds is computed with.

Nothing is compared with the solution's numbers; each condition of the statement is a check of its own.
"""

import torch

from grader.suites import expect, misconception, points

SLACK = 1e-5  # sums in float32 of a few terms


def row(weights, name):
    """The weights in float64, after what every check needs: a row that softmax can give."""
    expect(
        weights.dim() == 1 and weights.shape[0] >= 2,
        f"{name} must be one row of two or more",
        f"{name} 应是一行，至少两个元素",
    )
    expect(weights.dtype.is_floating_point, f"{name} must be real floats", f"{name} 应是实数浮点张量")
    w = weights.detach().double()
    expect(
        w.isfinite() & (w > 0),
        f"{name} must be positive: softmax gives no 0 and nothing below",
        f"{name} 应全为正：softmax 不会给出 0 或负数",
    )
    total = float(w.sum())
    rounding = max(SLACK, 4 * float(torch.finfo(weights.dtype).eps))  # of each weight in proportion: of all, one row's
    expect(abs(total - 1) < rounding, f"{name} sums to {total:.4g}, not to 1", f"{name} 之和为 {total:.4g}，而不是 1")
    return w


def table(values, n):
    """The values in float64, one row for each weight."""
    good = values.dim() == 2 and values.shape[0] == n and values.shape[1] >= 1 and values.dtype.is_floating_point
    shape = list(values.shape)
    expect(
        good,
        f"values must be real floats [{n}, d], not {shape} {values.dtype}",
        f"values 应是 [{n}, d] 的实数浮点张量，而不是 {shape} {values.dtype}",
    )
    v = values.detach().double()
    expect(
        v.isfinite() & (v.abs() < 1e6), "values must be finite and below a million", "values 应是有限的，且小于一百万"
    )
    return v


def effects(w, v):
    """How far the output moves when each token's value is removed: [n]."""
    return (w[:, None] * v).norm(dim=-1)


@points(1)
def test_a_row_and_its_values(any_shape):
    """The weights of the counterexample are a row that softmax can give, with one value for each weight.

    反例中的权重是 softmax 能够给出的一行，并且每个权重对应一个值。
    """
    weights, values = any_shape.counterexample()
    w = row(weights, "weights")
    table(values, len(w))


@points(1.5)
def test_one_weight_is_the_largest(any_shape):
    """One weight is the largest, by 0.1 at least.

    最大的权重只有一个，至少比其余的大 0.1。
    """
    weights, values = any_shape.counterexample()
    w = row(weights, "weights")
    table(values, len(w))
    first, second = w.sort(descending=True).values[:2].tolist()
    expect(
        first - second >= 0.1 - SLACK,
        f"the largest weights are {first:.4g} and {second:.4g}",
        f"最大的两个权重是 {first:.4g} 和 {second:.4g}",
    )


@points(1)
def test_the_largest_weight_has_not_the_largest_effect(any_shape):
    """Some other token changes the output more, when it is removed, than the one with the largest weight.

    去掉某个其他词元，对输出的改变比去掉权重最大的词元更大。
    """
    weights, values = any_shape.counterexample()
    w = row(weights, "weights")
    moved = effects(w, table(values, len(w)))
    here, most = float(moved[w.argmax()]), float(moved.max())
    expect(
        here < most - SLACK,
        f"removing it moves the output by {here:.4g}, which is the most that any token does",
        f"去掉它，输出移动 {here:.4g}，没有哪个词元比这更多",
    )


@points(1)
def test_the_largest_weight_has_the_least_effect(any_shape):
    """Removing the token with the largest weight changes the output less than removing any other.

    去掉权重最大的词元，对输出的改变比去掉任何其他词元都小。
    """
    weights, values = any_shape.counterexample()
    w = row(weights, "weights")
    moved = effects(w, table(values, len(w)))
    here, least = float(moved[w.argmax()]), float(moved[torch.arange(len(w)) != w.argmax()].min())
    expect(
        here < least - SLACK,
        f"removing it moves the output by {here:.4g}, removing another one by {least:.4g}",
        f"去掉它，输出移动 {here:.4g}；去掉另一个，移动 {least:.4g}",
    )


@points(0.5)
def test_the_others_matter(any_shape):
    """Removing any other token changes the output by 0.1 at least.

    去掉任何其他词元，输出至少改变 0.1。
    """
    weights, values = any_shape.counterexample()
    w = row(weights, "weights")
    least = float(effects(w, table(values, len(w)))[torch.arange(len(w)) != w.argmax()].min())
    expect(
        least >= 0.1 - SLACK,
        f"another token moves the output by {least:.4g} only; 0.1 is due",
        f"另一个词元只让输出移动 {least:.4g}；应至少 0.1",
    )


@points(1)
def test_twins_are_rows(any_shape):
    """Both rows of the twins can come from softmax, and there is one value for each weight.

    两行权重都是 softmax 能够给出的，并且每个权重对应一个值。
    """
    w, w2, values = any_shape.twins()
    w, w2 = row(w, "w"), row(w2, "w2")
    expect(len(w) == len(w2), f"w has {len(w)} entries, w2 has {len(w2)}", f"w 有 {len(w)} 个元素，w2 有 {len(w2)} 个")
    table(values, len(w))


@points(1.5)
def test_twins_differ(any_shape):
    """The two rows differ by 0.1 or more somewhere, and the values are not all the same.

    两行权重至少有一处相差 0.1 以上，并且各行的值不全相同。
    """
    w, w2, values = any_shape.twins()
    w, w2 = row(w, "w"), row(w2, "w2")
    expect(len(w) == len(w2), f"w has {len(w)} entries, w2 has {len(w2)}", f"w 有 {len(w)} 个元素，w2 有 {len(w2)} 个")
    apart = float((w - w2).abs().max())
    expect(apart >= 0.1 - SLACK, f"they differ by {apart:.4g} at most", f"它们最多相差 {apart:.4g}")
    v = table(values, len(w))
    spread = float((v - v[:1]).abs().max())
    expect(
        spread >= 0.1 - SLACK,
        "the values are all the same: then any weights give one output",
        "各行的值全都相同：那样任何权重的输出都一样",
    )


def difference(any_shape, shift):
    """How far apart both outputs are, once `shift` is added to all values; the twins must differ for that."""
    w, w2, values = any_shape.twins()
    w, w2 = row(w, "w"), row(w2, "w2")
    expect(len(w) == len(w2), f"w has {len(w)} entries, w2 has {len(w2)}", f"w 有 {len(w)} 个元素，w2 有 {len(w2)} 个")
    v = table(values, len(w))
    expect((v - v[:1]).abs().max() >= 0.1 - SLACK, "the values are all the same", "各行的值全都相同")
    expect((w - w2).abs().max() >= 0.1 - SLACK, "the two rows are the same", "两行权重相同")
    v = v + shift
    return float((w @ v - w2 @ v).abs().max()), 1 + float(v.abs().max())


@points(1.5)
def test_twins_have_one_output(any_shape):
    """Both rows, different as they are, give the same output for values that are not all the same.

    两行权重虽然不同，对不全相同的值却给出相同的输出。
    """
    off, size = difference(any_shape, 0.0)
    expect(off <= SLACK * size, f"the outputs differ by {off:.4g}", f"两个输出相差 {off:.4g}")


@points(1)
def test_twins_stay_twins(any_shape):
    """The outputs stay the same when one row is added to all values: both rows of weights sum to 1.

    给所有的值都加上同一行，两个输出仍然相同：两行权重之和都是 1。
    """
    off, size = difference(any_shape, 3.0)
    expect(off <= SLACK * size, f"the outputs then differ by {off:.4g}", f"此时两个输出相差 {off:.4g}")


@misconception("counterexample")
def not_a_distribution():
    """The weights do not sum to 1. Softmax gives a row that does; only then the comparison says something.

    权重之和不是 1。softmax 给出的一行和为 1，这样比较才有意义。
    """
    return torch.tensor([0.5, 0.5, 1.0]), torch.tensor([[1.0, 0.0], [-1.0, 0.5], [0.0, 0.0]])


@misconception("counterexample")
def nothing_matters():
    """All values are zero, so no token has an effect and nothing is compared. The other tokens have to matter.

    所有的值都是 0，没有哪个词元有影响，也就无从比较。其他词元应当确有影响。
    """
    return torch.tensor([0.2, 0.2, 0.6]), torch.zeros(3, 2)


@misconception("counterexample")
def equal_values():
    """All values are alike, so the largest weight does have the largest effect. Make its value small instead.

    所有的值都一样，权重最大的词元影响也最大。应让它的值很小。
    """
    return torch.tensor([0.2, 0.2, 0.6]), torch.ones(3, 2)


@misconception("counterexample")
def equal_weights():
    """No weight is the largest: they are all equal. One has to stand out by 0.1.

    没有最大的权重：它们全都相等。应有一个比其余的大 0.1。
    """
    return torch.full((4,), 0.25), torch.tensor([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


@misconception("twins")
def same_weights():
    """The two rows are the same, so of course the output is. They have to differ.

    两行权重相同，输出当然相同。它们应当不同。
    """
    w = torch.tensor([0.2, 0.2, 0.6])
    return w, w, torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])


@misconception("twins")
def constant_values():
    """All values are the same row, so any weights give that row. Let the values differ.

    所有的值都是同一行，任何权重都给出这一行。应让各行的值不同。
    """
    w = torch.tensor([0.2, 0.2, 0.6])
    return w, w.flip(0), torch.ones(3, 2)


@misconception("twins")
def permuted_only():
    """The weights are swapped between tokens with different values, so the output changes. Swap them between tokens
    whose values are equal, or move along a direction that the values do not see.

    权重在值不同的词元之间交换，输出随之改变。应在值相等的词元之间交换，或沿着值“看不见”的方向移动。
    """
    w = torch.tensor([0.2, 0.2, 0.6])
    return w, w.flip(0), torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])


@misconception("twins")
def not_positive():
    """A weight is 0 or below. Softmax gives positive weights only.

    有权重为 0 或负数。softmax 只会给出正的权重。
    """
    return torch.tensor([0.0, 0.5, 0.5]), torch.tensor([0.5, 0.5, 0.0]), torch.tensor([[1.0], [0.0], [1.0]])
