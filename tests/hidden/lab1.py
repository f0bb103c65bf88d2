"""Hidden suite for Lab 1.

x x^T is symmetric, so mistakes that only exchange queries and keys do not show here and are not in the bank; they are
in the suites of the scores and of attention. Not in the bank, because right: scaling the tokens by d^-1/4 for the
weights, computing them row by row, float32 inside.
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect, expect_close, misconception, points

TOKENS = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]


@error_bound("lab1")
def lab1_bound(x):
    # As docs/tolerances.md derives for attention with q = k = v = x: a score is off by (d / 2 + 4) reach, with
    # reach = sum |x||x| (over sqrt(d) where it is scaled), a weight by what softmax makes of that, and the output adds
    # T products of weights and tokens.
    reach = x.abs() @ x.abs().T
    size = reach / math.sqrt(x.shape[1])
    weights = (x @ x.T / math.sqrt(x.shape[1])).softmax(1)
    exponents = (x.shape[1] / 2 + 5) * size + size.amax(1, keepdim=True)
    total = exponents + (weights * exponents).sum(1, keepdim=True) + len(x) + 8
    return (x.shape[1] / 2 + 4) * reach, weights * total, (weights * (total + len(x) + 4)) @ x.abs()


@points(0.7)
def test_three_tokens(matches_reference, make):
    """The tokens [1, 0], [0, 1], [1, 1] give the printed scores, weights and output, also with the third changed to
    [2, 0].

    词元为 [1, 0]、[0, 1]、[1, 1] 时，得到课文中的分数、权重和输出；把第三个改成 [2, 0] 后也正确。
    """
    matches_reference.lab1(make.tensor(TOKENS[:2]))
    matches_reference.lab1(make.tensor(TOKENS))
    matches_reference.lab1(make.tensor([*TOKENS[:2], [2.0, 0.0]]))


@points(2)
def test_definition(matches_reference, make, dtype):
    """Scores are x x^T, weights the softmax of each row of scores / sqrt(d), the output is weights times x, for any
    number of tokens of any size.

    分数为 x x^T，权重是对 scores / sqrt(d) 逐行做 softmax，输出为权重乘 x；词元的个数和长度任意。
    """
    for t, d in ((2, 3), (3, 2), (4, 7), (5, 6), (7, 5), (6, 16)):
        matches_reference.lab1(make.normal(t, d))


@points(0.5)
def test_raw_scores(student, matches_reference, make):
    """The scores come back raw: the diagonal holds each token's squared length, before any scaling.

    返回的分数未经缩放：对角线上是每个词元长度的平方。
    """
    for t, d in ((2, 3), (4, 9), (3, 16)):
        x = make.normal(t, d)
        scores, _, _ = student.lab1(x)
        en = "the diagonal of the scores is not the squared length of each token"
        zh = "分数的对角线不等于各词元长度的平方"
        expect_close(scores.diagonal(), x.double().square().sum(1), 1e-4, en, zh)
        matches_reference.lab1(x)


@points(0.6)
def test_weights(student, matches_reference, make):
    """Each row of weights sums to 1, and the scores of a row are divided by the square root of d, whatever T is.

    每一行权重之和为 1；每行的分数要除以 d 的平方根，与 T 无关。
    """
    for t, d in ((3, 2), (3, 9), (5, 16), (2, 64)):
        x = make.normal(t, d)
        _, weights, _ = student.lab1(x)
        en, zh = "a row of weights does not sum to 1", "某一行权重之和不为 1"
        expect_close(weights.sum(1), 1.0, 1e-5, en, zh)
        gaps = (x @ x.T).double().diff(dim=1)
        scale = float((weights.double().log().diff(dim=1) * gaps).sum() / gaps.square().sum())
        expect(
            math.isnan(scale) or math.isinf(scale) or abs(scale * math.sqrt(d) - 1) < 1e-3,
            f"with d={d} the weights belong to scores multiplied by {scale:.4g}; due is {1 / math.sqrt(d):.4g}",
            f"d={d} 时，权重相当于分数乘了 {scale:.4g}；应为 {1 / math.sqrt(d):.4g}",
        )
        matches_reference.lab1(x)


@points(0.9)
def test_laws(student, matches_reference, make):
    """The output is the weights times the tokens; tokens in another order give the same in that order; a token among
    copies of itself comes back unchanged.

    输出等于权重乘各词元；词元换了次序，结果只是随之换序；与自己的副本在一起的词元原样返回。
    """
    for t, d in ((3, 2), (4, 5), (5, 3)):
        x = make.normal(t, d)
        _, weights, output = student.lab1(x)
        expect_close(output, weights @ x, 1e-4, "the output is not weights @ x", "输出不等于 weights @ x")
        _, _, flipped = student.lab1(x.flip(0))
        en, zh = "with the tokens in reverse order the output is not reversed", "词元倒序后，输出没有随之倒序"
        expect_close(flipped, output.flip(0), 1e-4, en, zh)
        _, shares, same = student.lab1(x[:1].expand(t, d))
        en, zh = "equal tokens do not share the weight equally", "相同的词元没有平分权重"
        expect_close(shares, 1 / t, 1e-5, en, zh)
        expect_close(same, x[:1].expand(t, d), 1e-4, "equal tokens do not come back", "相同的词元没有原样返回")
        matches_reference.lab1(x)


@points(0.5)
@dtypes("float16", "float32")
def test_long_tokens(student, matches_reference, make, dtype):
    """Tokens with scores in the thousands do no harm: one that matches itself far better than the rest gets weight 1.

    分数达到数千也不出错：与自身的匹配远超其余的词元，得到的权重是 1。
    """
    for d in (2, 5):
        x = make.tensor([[60.0 * (i == j) for j in range(d)] for i in range(d)])  # scores 3,600 and 0
        _, weights, output = student.lab1(x)
        en = "tokens at right angles, 60 long, do not keep all weight to themselves"
        zh = "互相垂直、长度为 60 的词元，没有把全部权重留给自己"
        expect_close(weights, torch.eye(d), 1e-6, en, zh)
        expect_close(output, x, 1e-5, "these tokens do not come back", "这些词元没有原样返回")
        matches_reference.lab1(x / 64)


@points(0.3)
def test_special_sizes(matches_reference, make):
    """One token, tokens of one number and as many tokens as numbers are no special case.

    只有一个词元、词元只有一个数、词元的个数等于其长度时，都没有例外。
    """
    for t, d in ((1, 1), (1, 4), (5, 1), (2, 2), (3, 3), (4, 4)):
        matches_reference.lab1(make.normal(t, d))


@points(0.7)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to the tokens in all three roles, as queries, keys and values.

    梯度经由三种角色（查询、键、值）传回各个词元。
    """
    for t, d in ((2, 3), (3, 2), (5, 6)):
        x = make.normal(t, d)
        matches_gradients.of(0).lab1(x)
        matches_gradients.of(1).lab1(x)
        matches_gradients.of(2).lab1(x)


@points(0.25)
def test_memory_layout(matches_reference, make):
    """The layout of the tokens in memory does not matter: transposed and expanded tensors work as well.

    词元在内存中的排布不影响结果：转置或 expand 得到的张量同样适用。
    """
    matches_reference.lab1(make.normal(3, 5).T)
    matches_reference.lab1(make.strided(make.normal(4, 6)))
    matches_reference.lab1(make.normal(1, 3).expand(4, 3))


@points(0.25)
def test_input_unchanged(does_not_mutate, matches_reference, make):
    """The tokens are left as they were.

    各词元保持原样。
    """
    for t, d in ((3, 2), (5, 6)):
        x = make.normal(t, d)
        does_not_mutate.lab1(x)
        matches_reference.lab1(x)


@points(0.3)
def test_device(stays_on_device, matches_reference, make):
    """All of it happens on the device of the tokens.

    全部计算都在词元所在的设备上进行。
    """
    for t, d in ((3, 2), (5, 6)):
        x = make.normal(t, d)
        stays_on_device.lab1(x)
        matches_reference.lab1(x)


def steps(x, scale=None, dim=1):
    """The three steps, with places to go wrong."""
    scores = x @ x.T
    weights = (scores * (1 / math.sqrt(x.shape[1]) if scale is None else scale)).softmax(dim)
    return scores, weights, weights @ x


@misconception("lab1")
def scaled_scores_returned(x):
    """The first result is scaled already, perhaps because the division was done in place (`/=`). The weights are right;
    return the scores as they are before it.

    第一个返回值已经缩放过，也许是因为除法就地进行（`/=`）。权重是对的；分数应返回除以 sqrt(d) 之前的。
    """
    scores, weights, output = steps(x)
    return scores / math.sqrt(x.shape[1]), weights, output


@misconception("lab1")
def no_scale(x):
    """The scores are not divided by the square root of d before softmax, so the weights are too uneven: row 1 of the
    example becomes 0.4223, 0.1554, 0.4223.

    softmax 之前没有把分数除以 d 的平方根，权重过于悬殊：例中第一行变成 0.4223、0.1554、0.4223。
    """
    return steps(x, 1.0)


@misconception("lab1")
def scale_d(x):
    """The scores are divided by d instead of its square root, so the weights are too even.

    分数除以了 d，而不是它的平方根，权重过于平均。
    """
    return steps(x, 1 / x.shape[1])


@misconception("lab1")
def scale_mul_sqrt(x):
    """The scores are multiplied by the square root of d instead of divided by it.

    分数乘上了 d 的平方根，而不是除以它。
    """
    return steps(x, math.sqrt(x.shape[1]))


@misconception("lab1")
def scale_sqrt_tokens(x):
    """The scale uses the number of tokens. It is the length of a token, d, that makes dot products grow.

    缩放用了词元的个数。让点积变大的是词元的长度 d。
    """
    return steps(x, 1 / math.sqrt(len(x)))


@misconception("lab1")
def scale_sqrt_2(x):
    """The scale is the number sqrt(2) of the example. Take d from the shape of x.

    缩放写死成了例子里的 sqrt(2)。应从 x 的形状读取 d。
    """
    return steps(x, 1 / math.sqrt(2))


@misconception("lab1")
def softmax_down_the_columns(x):
    """Softmax runs down the columns: there they sum to 1, and the rows do not. A row belongs to one query, and it is
    the query that shares out its attention.

    softmax 沿着列进行：列之和为 1，行之和却不是。一行属于一个查询，分配注意力的是查询。
    """
    return steps(x, dim=0)


@misconception("lab1")
def softmax_over_all(x):
    """One softmax runs over the whole table, so all weights together sum to 1. Every row sums to 1 of its own.

    对整张表做了一次 softmax，所有权重加起来才是 1。应当每一行各自的和为 1。
    """
    scores = x @ x.T
    weights = (scores / math.sqrt(x.shape[1])).flatten().softmax(0).view_as(scores)
    return scores, weights, weights @ x


@misconception("lab1")
def no_softmax(x):
    """The scaled scores are used as weights. They may be negative and do not sum to 1; softmax is missing.

    直接把缩放后的分数当作权重。它们可能为负，和也不为 1；缺少 softmax。
    """
    scores = x @ x.T
    weights = scores / math.sqrt(x.shape[1])
    return scores, weights, weights @ x


@misconception("lab1")
def divided_by_row_sum(x):
    """Scores are divided by the sum of their row, without the exponential. A row that sums to 0 or holds negative
    scores then gives no shares at all.

    没有取指数，直接用分数除以该行之和。若一行之和为 0 或含有负分，得到的就不是份额了。
    """
    scores = x @ x.T
    weights = scores / scores.sum(1, keepdim=True)
    return scores, weights, weights @ x


@misconception("lab1")
def hardmax(x):
    """Each token attends to the best match alone. Softmax gives every token a share.

    每个词元只关注最匹配的那一个。softmax 会给每个词元都分一份。
    """
    scores = x @ x.T
    weights = (scores == scores.amax(1, keepdim=True)).to(x.dtype)
    weights = weights / weights.sum(1, keepdim=True)
    return scores, weights, weights @ x + 0 * scores.sum()


@misconception("lab1")
def rounded_as_printed(x):
    """The results are rounded to three decimals, as they are printed. Rounding is for the eye; return the numbers as
    they are, or gradients stop there.

    结果按课文的样子舍入到了三位小数。舍入只是为了好看；应返回原来的数，否则梯度到此为止。
    """
    return tuple(t.double().round(decimals=3).to(x.dtype) for t in steps(x))


@misconception("lab1")
def output_of_scores(x):
    """The output mixes the tokens with the raw scores. Mix them with the weights.

    输出用原始分数混合各个词元。应当用权重混合。
    """
    scores, weights, _ = steps(x)
    return scores, weights, scores @ x


@misconception("lab1")
def output_by_columns(x):
    """The weights are transposed before they meet the tokens, so token i gets what the others give to it. Row i of the
    weights makes row i of the output.

    权重在与词元相乘之前被转置，第 i 个词元得到的是别人分给它的。输出的第 i 行应由权重的第 i 行得到。
    """
    scores, weights, _ = steps(x)
    return scores, weights, weights.T @ x


@misconception("lab1")
def tokens_returned(x):
    """The third result is x itself. Mix the tokens with the weights.

    第三个返回值就是 x 本身。应当用权重混合各个词元。
    """
    scores, weights, _ = steps(x)
    return scores, weights, x.clone()


@misconception("lab1")
def residual_added(x):
    """The token itself is added to the output. The residual connection belongs to the block around attention.

    输出里又加上了词元本身。残差连接属于注意力外面的模块。
    """
    scores, weights, output = steps(x)
    return scores, weights, output + x


@misconception("lab1")
def not_to_itself(x):
    """A token gives itself no weight. In self-attention each token attends to itself as well.

    词元没有给自己任何权重。在自注意力中，每个词元也会关注自己。
    """
    scores = x @ x.T
    itself = torch.eye(len(x), dtype=torch.bool, device=x.device)
    others = scores if len(x) == 1 else scores.masked_fill(itself, -math.inf)
    weights = (others / math.sqrt(x.shape[1])).softmax(1)
    return scores, weights, weights @ x


@misconception("lab1")
def later_tokens_hidden(x):
    """Later tokens are hidden. There is no mask in this lab: each token sees all of them.

    靠后的词元被遮住了。本实验没有掩码，每个词元都能看见全部词元。
    """
    scores = x @ x.T
    later = torch.ones_like(scores, dtype=torch.bool).triu(1)
    weights = (scores.masked_fill(later, -math.inf) / math.sqrt(x.shape[1])).softmax(1)
    return scores, weights, weights @ x


@misconception("lab1")
def cosine(x):
    """The tokens are normalised to length 1 before they are compared. In Lab 1 the longer token [1, 1] gets more
    weight from itself, and [2, 0] more still.

    比较之前先把词元归一化为单位长度。在实验 1 中，较长的 [1, 1] 从自己那里得到更多权重，[2, 0] 还要更多。
    """
    unit = x / x.norm(dim=1, keepdim=True)
    scores, weights, _ = steps(unit)
    return scores, weights, weights @ x


@misconception("lab1")
def channels_compared(x):
    """This is x^T x, which compares channels with channels and has shape [d, d]. Compare tokens with tokens, x x^T.

    这是 x^T x，比较的是通道与通道，形状为 [d, d]。应当比较词元与词元，即 x x^T。
    """
    scores, weights, output = steps(x.T)
    return scores, weights, output.T


@misconception("lab1")
def weights_output_only(x):
    """Two results are returned. Three are asked for: scores, weights, output.

    只返回了两个结果。要的是三个：分数、权重、输出。
    """
    return steps(x)[1:]


@misconception("lab1")
def output_first(x):
    """The results come in another order. Return scores, weights, output, as they are computed.

    返回值的次序不对。应按计算次序返回：分数、权重、输出。
    """
    return steps(x)[::-1]


@misconception("lab1")
def forces_float32(x):
    """The results are always float32. Computing in float32 inside is fine, but they must come back in the dtype of x.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回 x 的 dtype。
    """
    return steps(x.float())


@misconception("lab1")
def no_gradient(x):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing before it could learn.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），它之前的层将学不到任何东西。
    """
    return steps(x.detach())


@misconception("lab1")
def weights_detached(x):
    """The values are right, but the weights are cut out of the gradient, so the tokens learn as values only, never as
    queries and keys.

    数值正确，但权重被排除在梯度之外，词元只作为值学习，不会作为查询和键学习。
    """
    scores, weights, _ = steps(x)
    return scores, weights.detach(), weights.detach() @ x
