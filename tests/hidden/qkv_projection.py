"""Hidden suite for the projections to queries, keys and values.

Not in the bank, because right: one product with the three matrices side by side, cut into pieces of the right widths;
`nn.functional.linear` with the transposed matrices; token by token.
"""

import torch

from grader.suites import dtypes, error_bound, expect_close, misconception, points

LAB_1B = (
    [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]],
    [[1.0, 0.5], [0.0, 1.0]],
    [[0.5, 1.0], [1.0, 0.0]],
    [[1.0, -0.5], [0.5, 1.0]],
)


@error_bound("qkv_projection")
def projection_bound(x, w_q, w_k, w_v):
    # x and a matrix may be taken to float32 (half an epsilon each), each product is rounded (half), the D products are
    # added one after another (D / 2), and the sum is stored (half): D / 2 + 2 epsilon of sum |x||w|, doubled.
    return tuple((x.shape[-1] + 4) * (x.abs() @ w.abs()) for w in (w_q, w_k, w_v))


def inputs(make, *lead, t=5, d=7, dq=4, dk=3, dv=6):
    """Random tokens with these leading dimensions, and three matrices."""
    return make.normal(*lead, t, d), *(make.normal(d, width) for width in (dq, dk, dv))


@points(0.8)
def test_three_tokens(matches_reference, make):
    """The tokens and matrices of Lab 1B give the printed queries, keys and values, also in a batch of two.

    实验 1B 的词元和矩阵得到课文中的查询、键和值；两份组成一批时也是如此。
    """
    x, *matrices = map(make.tensor, LAB_1B)
    matches_reference.qkv_projection(x[:1], *matrices)
    matches_reference.qkv_projection(x, *matrices)
    matches_reference.qkv_projection(torch.stack([x, x.flip(0)]), *matrices)


@points(2.4)
def test_definition(matches_reference, make, dtype):
    """Queries, keys and values are x times their matrix each, for any leading dimensions and any widths.

    查询、键和值分别是 x 乘以各自的矩阵；前面可以有任意多个维度，宽度任意。
    """
    matches_reference.qkv_projection(*inputs(make, t=2, d=3, dq=4, dk=4, dv=5))
    matches_reference.qkv_projection(*inputs(make, t=4, d=5, dq=2, dk=3, dv=1))
    matches_reference.qkv_projection(*inputs(make, 2))
    matches_reference.qkv_projection(*inputs(make, 2, 3))


@points(0.9)
def test_each_has_its_own_matrix(student, matches_reference, make):
    """Another matrix for one of the three changes that one and leaves the other two as they are.

    换掉三个矩阵中的一个，只有对应的那一个结果改变，另外两个不变。
    """
    for d, width in ((3, 4), (6, 5)):
        x, *matrices = inputs(make, d=d, dq=width, dk=width, dv=width)
        before = student.qkv_projection(x, *matrices)
        for i, name in enumerate("QKV"):
            others = [2 * w if i == j else w for j, w in enumerate(matrices)]
            after = student.qkv_projection(x, *others)
            for j, other in enumerate("QKV"):
                en = f"doubling the matrix of {name} does not {'double' if i == j else 'leave'} {other}"
                zh = f"把 {name} 的矩阵乘 2 之后，{other} 没有{'随之乘 2' if i == j else '保持不变'}"
                expect_close(after[j], before[j] * (2 if i == j else 1), 1e-4, en, zh)
        matches_reference.qkv_projection(x, *matrices)


@points(1)
def test_laws(student, matches_reference, make):
    """The identity as tokens gives the matrices back; a token twice as long has views twice as long; no token has a
    say in the views of another.

    以单位矩阵为词元，得到的就是各个矩阵；词元加长一倍，它的三个视角也加长一倍；一个词元不影响别的词元的视角。
    """
    for d, widths in ((3, (2, 4, 5)), (5, (3, 3, 2))):
        matrices = [make.normal(d, w) for w in widths]
        en, zh = "tokens = identity do not give the matrices back", "词元为单位矩阵时，没有得到各个矩阵"
        for result, w in zip(student.qkv_projection(torch.eye(d), *matrices), matrices, strict=True):
            expect_close(result, w, 1e-6, en, zh)
        x = make.normal(4, d)
        longer = torch.cat([x[:3], 2 * x[3:]])
        for one, two in zip(
            student.qkv_projection(x, *matrices), student.qkv_projection(longer, *matrices), strict=True
        ):
            en, zh = "doubling the last token changes the others", "最后一个词元乘 2 之后，其他词元的结果变了"
            expect_close(two[:3], one[:3], 1e-5, en, zh)
            en, zh = (
                "doubling the last token does not double its views",
                "最后一个词元乘 2 之后，它的结果没有随之乘 2",
            )
            expect_close(two[3:], 2 * one[3:], 1e-4, en, zh)
        matches_reference.qkv_projection(x, *matrices)


@points(0.6)
def test_widths(matches_reference, make):
    """Values may be wider than keys, keys narrower than queries, and all of them wider or narrower than the tokens.

    值可以比键宽，键可以比查询窄，它们都可以比词元更宽或更窄。
    """
    for d, dq, dk, dv in ((4, 8, 2, 2), (3, 5, 5, 9), (8, 2, 2, 3), (6, 12, 3, 1)):
        matches_reference.qkv_projection(*inputs(make, 2, d=d, dq=dq, dk=dk, dv=dv))


@points(0.4)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and sizes that coincide are no special case.

    尺寸为 1 或彼此相等时没有例外。
    """
    for lead, t, d, width in (((), 1, 1, 1), ((), 1, 4, 3), ((2,), 5, 1, 2), ((), 3, 3, 3), ((3,), 3, 3, 3)):
        matches_reference.qkv_projection(*inputs(make, *lead, t=t, d=d, dq=width, dk=width, dv=width))


@points(0.8)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to the tokens through all three views, and to each of the three matrices.

    梯度经由三个视角传回词元，也传回三个矩阵。
    """
    matches_gradients.qkv_projection(*inputs(make, t=2, d=3))
    matches_gradients.qkv_projection(*inputs(make, 2))
    for i in range(3):
        matches_gradients.of(i).qkv_projection(*inputs(make, 2, 3))


@points(0.4)
def test_memory_layout(matches_reference, make):
    """The layout in memory does not matter: the weights of `nn.Linear` can be passed transposed, tokens expanded.

    内存中的排布不影响结果：`nn.Linear` 的权重可以转置后传入，词元也可以由 expand 得到。
    """
    matrices = [make.normal(width, 7).T for width in (4, 3, 6)]
    matches_reference.qkv_projection(make.normal(5, 7), *matrices)
    matches_reference.qkv_projection(make.strided(make.normal(2, 5, 7)), *matrices)
    matches_reference.qkv_projection(make.normal(1, 5, 7).expand(3, 5, 7), *matrices)


@points(0.3)
def test_inputs_unchanged(does_not_mutate, matches_reference, make):
    """Tokens and matrices are left as they were.

    词元和各个矩阵都保持原样。
    """
    for lead in ((), (2, 3)):
        given = inputs(make, *lead)
        does_not_mutate.qkv_projection(*given)
        matches_reference.qkv_projection(*given)


@points(0.4)
def test_device(stays_on_device, matches_reference, make):
    """All of it happens on the device of the inputs.

    全部计算都在输入所在的设备上进行。
    """
    for lead in ((), (2, 3)):
        given = inputs(make, *lead)
        stays_on_device.qkv_projection(*given)
        matches_reference.qkv_projection(*given)


@misconception("qkv_projection")
def transposed_weights(x, w_q, w_k, w_v):
    """The matrices are transposed (x W^T), as `nn.Linear` and `F.linear` do with theirs. Here they have shape
    [in, out]: multiply by them as they are. A square matrix hides the mistake, a symmetric one even in its values.

    矩阵被转置了（x W^T），`nn.Linear` 和 `F.linear` 对自己的权重正是这样做的。
    这里矩阵的形状是 [输入, 输出]，直接相乘即可。方阵会掩盖这个错误，对称矩阵连数值都看不出来。
    """
    return x @ w_q.T, x @ w_k.T, x @ w_v.T


@misconception("qkv_projection")
def order_q_v_k(x, w_q, w_k, w_v):
    """The results come in the order Q, V, K. Return Q, K, V.

    返回的次序是 Q、V、K。应返回 Q、K、V。
    """
    return x @ w_q, x @ w_v, x @ w_k


@misconception("qkv_projection")
def order_k_q_v(x, w_q, w_k, w_v):
    """Queries and keys are exchanged. Scores would then have rows for keys; return Q, K, V.

    查询和键互换了，这样分数的行就属于键。应返回 Q、K、V。
    """
    return x @ w_k, x @ w_q, x @ w_v


@misconception("qkv_projection")
def all_from_w_q(x, w_q, w_k, w_v):
    """All three are made with W_q. Then a token looks for itself and nothing else; each view has its own matrix.

    三者都用了 W_q。这样词元找的只会是它自己；每个视角都有自己的矩阵。
    """
    return x @ w_q, x @ w_q, x @ w_q


@misconception("qkv_projection")
def tokens_themselves(x, w_q, w_k, w_v):
    """The tokens themselves are returned as queries, keys and values. That was Lab 1; here each goes through its
    matrix.

    直接把词元本身当作查询、键和值返回。那是实验 1 的做法；这里各自要经过自己的矩阵。
    """
    return x.clone(), x.clone(), x.clone()


@misconception("qkv_projection")
def values_are_tokens(x, w_q, w_k, w_v):
    """Queries and keys are projected, the values are the tokens themselves. What a token hands on is a learned view as
    well.

    查询和键经过了投影，值却是词元本身。词元交出的内容也是学来的视角。
    """
    return x @ w_q, x @ w_k, x.clone()


@misconception("qkv_projection")
def values_from_w_k(x, w_q, w_k, w_v):
    """The values are made with the matrix of the keys. How a token is found and what it hands on are different views.

    值用了键的矩阵。凭什么被找到与交出什么，是两个不同的视角。
    """
    return x @ w_q, x @ w_k, x @ w_k


@misconception("qkv_projection")
def keys_from_queries(x, w_q, w_k, w_v):
    """The keys are made from the queries instead of the tokens. All three views start from x.

    键是由查询而不是由词元得到的。三个视角都从 x 出发。
    """
    q = x @ w_q
    return q, q @ w_k, x @ w_v


@misconception("qkv_projection")
def values_from_keys(x, w_q, w_k, w_v):
    """The values are made from the keys instead of the tokens. All three views start from x.

    值是由键而不是由词元得到的。三个视角都从 x 出发。
    """
    k = x @ w_k
    return x @ w_q, k, k @ w_v


@misconception("qkv_projection")
def tokens_in_columns(x, w_q, w_k, w_v):
    """The results have a token in each column (W^T x^T), as in the picture with columns of embeddings. Here a token is
    a row, before and after.

    结果中每一列是一个词元（W^T x^T），如同把嵌入画成列的那种图。这里词元始终是行，投影前后都一样。
    """
    return tuple((x @ w).transpose(-2, -1) for w in (w_q, w_k, w_v))


@misconception("qkv_projection")
def matrix_first(x, w_q, w_k, w_v):
    """The matrix stands on the left (W x). With tokens as rows the matrix multiplies from the right, x W; the other
    order mixes tokens, if it runs at all.

    矩阵放在了左边（W x）。词元是行时，矩阵应从右边相乘，即 x W；反过来即使能运行，也会把不同的词元混在一起。
    """
    return w_q @ x, w_k @ x, w_v @ x


@misconception("qkv_projection")
def elementwise(x, w_q, w_k, w_v):
    """Tokens and matrices are multiplied entry by entry (`*`). Use the matrix product (`@`).

    词元与矩阵逐元素相乘了（`*`）。应使用矩阵乘法（`@`）。
    """
    return x * w_q, x * w_k, x * w_v


@misconception("qkv_projection")
def stacked(x, w_q, w_k, w_v):
    """The three results are stacked into one tensor, which works only if they have the same width. Return a tuple.

    把三个结果堆叠成了一个张量，而这只有在宽度相同时才行得通。应返回元组。
    """
    return torch.stack([x @ w_q, x @ w_k, x @ w_v])


@misconception("qkv_projection")
def side_by_side(x, w_q, w_k, w_v):
    """The three results come side by side in one tensor. Cut it at the widths of the matrices and return a tuple.

    三个结果并排放在同一个张量里返回了。应按各矩阵的宽度切开，返回元组。
    """
    return torch.cat([x @ w_q, x @ w_k, x @ w_v], dim=-1)


@misconception("qkv_projection")
def equal_thirds(x, w_q, w_k, w_v):
    """One product with all three matrices side by side is fine, but it is cut into equal thirds. The widths may differ:
    cut at those of the matrices.

    把三个矩阵并排做一次乘法没有问题，但结果被平均切成了三份。三者宽度可能不同，应按各矩阵的宽度切开。
    """
    return (x @ torch.cat([w_q, w_k, w_v], dim=1)).chunk(3, dim=-1)


@misconception("qkv_projection")
def queries_scaled(x, w_q, w_k, w_v):
    """The queries are divided by the square root of their width already. Attention does that to the scores; then it
    would happen twice.

    查询已经除以了自身宽度的平方根。注意力会对分数做这件事，这样就缩放了两次。
    """
    return x @ w_q / w_q.shape[1] ** 0.5, x @ w_k, x @ w_v


@misconception("qkv_projection")
def flattened(x, w_q, w_k, w_v):
    """The leading dimensions are flattened, so tokens of different examples stand in one long list. Keep them.

    前面的维度被压平，不同样本的词元排成了一长列。应当保留这些维度。
    """
    return tuple(x.reshape(-1, x.shape[-1]) @ w for w in (w_q, w_k, w_v))


@misconception("qkv_projection")
def forces_float32(x, w_q, w_k, w_v):
    """The results are always float32. Computing in float32 inside is fine, but they must come back in the dtype of the
    inputs.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回输入的 dtype。
    """
    return tuple(x.float() @ w.float() for w in (w_q, w_k, w_v))


@misconception("qkv_projection")
def matrices_detached(x, w_q, w_k, w_v):
    """The values are right, but no gradient reaches the matrices (as after wrapping them in a new `nn.Parameter` or a
    copy), and they are what is to be learned.

    数值正确，但梯度到不了矩阵（例如把它们包进新的 `nn.Parameter` 或复制一份之后），而要学习的正是它们。
    """
    return tuple(x @ w.detach() for w in (w_q, w_k, w_v))


@misconception("qkv_projection")
def no_gradient(x, w_q, w_k, w_v):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing could learn.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），什么也学不到。
    """
    return tuple(x.detach() @ w.detach() for w in (w_q, w_k, w_v))
