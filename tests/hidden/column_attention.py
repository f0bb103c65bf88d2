"""Hidden suite for attention in columns, and for masks that nn.MultiheadAttention understands.

Not in the bank, because the values cannot tell: computing with rows inside and transposing at the end (that is right),
and key^T query against query^T key where softmax and product follow suit.
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect, expect_close, misconception, points


@error_bound("column_attention")
def column_attention_bound(x, w_q, w_k, w_v, causal=False):
    # A projection is a sum of D products of numbers that may have been rounded to float32: off by (D / 2 + 3) |W||x|.
    # A score takes over these errors of q and k, times the other, and its own: Dh products, scaled, reach = |k|^T|q| /
    # sqrt(Dh). Softmax multiplies them by the weight, adds their average and its own (|score| + |maximum| + T + 8).
    # The output adds T products of weights and values, which are off themselves.
    slack = x.shape[0] / 2 + 3
    q, k, v = (w @ x for w in (w_q, w_k, w_v))
    q_off, k_off, v_off = (slack * w.abs() @ x.abs() for w in (w_q, w_k, w_v))
    root = math.sqrt(len(q))
    scores, reach = k.T @ q / root, k.T.abs() @ q.abs() / root
    off = (k_off.T @ q.abs() + k.T.abs() @ q_off) / root + (len(q) / 2 + 5) * reach
    if causal:
        future = torch.ones_like(scores, dtype=torch.bool).tril(-1)
        scores, reach, off = scores.masked_fill(future, -math.inf), reach.masked_fill(future, 0), off.triu()
    weights = scores.softmax(0)
    off = off + reach.amax(0)
    units = weights * (off + (weights * off).sum(0) + len(scores) + 8)
    return v.abs() @ (units + (len(scores) + 4) * weights) + v_off @ weights


def inputs(make, d=6, t=7, dh=3, dv=4):
    """Tokens as columns, and three projections."""
    return make.normal(d, t), make.normal(dh, d, scale=0.7), make.normal(dh, d, scale=0.7), make.normal(dv, d)


def in_rows(x, w_q, w_k, w_v, causal):
    """The same attention with rows."""
    rows = x.T
    q, k, v = rows @ w_q.T, rows @ w_k.T, rows @ w_v.T
    scores = q @ k.T / math.sqrt(q.shape[1])
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)
    return scores.softmax(-1) @ v


@points(1.5)
def test_definition(matches_reference, make, dtype):
    """Column t of the output is the mix of values that query t asks for: V softmax(K^T Q / sqrt(Dh)).

    输出的第 t 列，是查询 t 所要的值的混合：V softmax(K^T Q / sqrt(Dh))。
    """
    matches_reference.column_attention(*inputs(make, d=2, t=2, dh=1, dv=3))
    matches_reference.column_attention(*inputs(make, d=3, t=4, dh=2, dv=5))
    matches_reference.column_attention(*inputs(make))


@points(1.25)
def test_causal(matches_reference, make, dtype):
    """With causal=True a query attends to itself and to what comes before it; the future gets no weight.

    causal=True 时，查询只关注自己和之前的内容，未来得不到权重。
    """
    matches_reference.column_attention(*inputs(make, d=2, t=2, dh=1, dv=3), causal=True)
    matches_reference.column_attention(*inputs(make, d=3, t=4, dh=2, dv=5), causal=True)
    matches_reference.column_attention(*inputs(make), causal=True)


@points(0.75)
def test_same_as_rows(student, matches_reference, make):
    """Transposed, it is the attention of rows; and exchanging two tokens exchanges their outputs.

    转置之后就是按行计算的注意力；交换两个词元，输出也跟着交换。
    """
    for d, t, dh, dv in ((2, 3, 4, 1), (5, 4, 3, 2)):
        x, *weights = inputs(make, d=d, t=t, dh=dh, dv=dv)
        result = student.column_attention(x, *weights)
        due = in_rows(x, *weights, causal=False).T.to(result.device)
        en, zh = "it is not the transpose of the attention of rows", "结果不是按行计算的注意力的转置"
        expect_close(result, due, 1e-4, en, zh)
        other = student.column_attention(x.flip(1), *weights)
        en, zh = "reversing the tokens does not reverse the outputs", "颠倒词元的次序后，输出没有跟着颠倒"
        expect_close(other.flip(1), result, 1e-4, en, zh)
        matches_reference.column_attention(x, *weights)


@points(0.75)
def test_blind_to_the_future(student, matches_reference, make):
    """With causal=True a change of later tokens changes no earlier output, and the first token gets its own value.

    causal=True 时，改动后面的词元不会改变前面的输出；第一个词元得到的就是它自己的值。
    """
    for t in (2, 5):
        x, w_q, w_k, w_v = inputs(make, t=t)
        before = student.column_attention(x, w_q, w_k, w_v, causal=True)
        first = (w_v @ x)[:, 0].to(before.device)
        en, zh = "the first token does not get its own value", "第一个词元得到的不是自己的值"
        expect_close(before[:, 0], first, 1e-4, en, zh)
        for seen in range(1, t):
            changed = torch.cat([x[:, :seen], make.normal(len(x), t - seen)], 1)
            after = student.column_attention(changed, w_q, w_k, w_v, causal=True)
            en = f"the outputs of the first {seen} tokens change with later ones"
            zh = f"前 {seen} 个词元的输出会随后面的词元而改变"
            expect_close(after[:, :seen], before[:, :seen], 1e-4, en, zh)
        matches_reference.column_attention(x, w_q, w_k, w_v, causal=True)


@points(0.5)
def test_special_sizes(matches_reference, make):
    """One token, sizes of 1 and sizes that coincide are no special case.

    只有一个词元、尺寸为 1 或彼此相等时，都没有例外。
    """
    for d, t, dh, dv in ((1, 1, 1, 1), (3, 1, 2, 4), (4, 4, 4, 4), (2, 3, 3, 3), (3, 3, 2, 3), (5, 2, 5, 5)):
        matches_reference.column_attention(*inputs(make, d=d, t=t, dh=dh, dv=dv))
        matches_reference.column_attention(*inputs(make, d=d, t=t, dh=dh, dv=dv), causal=True)


@points(0.75)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to the tokens and to all three projections.

    梯度传回各个词元和三个投影矩阵。
    """
    matches_gradients.column_attention(*inputs(make, d=4, t=5, dh=2, dv=3))
    matches_gradients.column_attention(*inputs(make))
    matches_gradients.column_attention(*inputs(make), causal=True)


@points(0.25)
def test_memory_layout(matches_reference, make):
    """Tokens and projections may lie in memory in any order.

    词元和投影矩阵在内存中可按任意次序排布。
    """
    matches_reference.column_attention(*(make.strided(t) for t in inputs(make)))
    matches_reference.column_attention(make.normal(7, 6).T, *inputs(make)[1:], causal=True)


@points(0.25)
def test_inputs_unchanged(does_not_mutate, matches_reference, make):
    """Tokens and projections are left as they were.

    词元和投影矩阵保持原样。
    """
    for causal in (False, True):
        tensors = inputs(make)
        does_not_mutate.column_attention(*tensors, causal=causal)
        matches_reference.column_attention(*tensors, causal=causal)


@points(0.25)
def test_device(stays_on_device, matches_reference, make):
    """Whatever is made on the way is made on the device of the tokens.

    计算途中创建的张量都位于词元所在的设备上。
    """
    for causal in (False, True):
        tensors = inputs(make)
        stays_on_device.column_attention(*tensors, causal=causal)
        matches_reference.column_attention(*tensors, causal=causal)


@points(1)
def test_mha_mask(matches_reference, does_not_mutate, make):
    """For nn.MultiheadAttention True means "may not attend": what may be seen becomes False.

    对 nn.MultiheadAttention 来说，True 表示“不可以关注”：可见的变为 False。
    """
    for shape in ((1, 2), (2, 3), (3, 3), (5, 7)):
        matches_reference.to_mha_mask(make.mask(*shape))
    does_not_mutate.to_mha_mask(make.mask(2, 3))
    matches_reference.to_mha_mask(make.strided(make.mask(4, 5)))


@points(0.75)
def test_mha_mask_of_heads(matches_reference, does_not_mutate, make):
    """A mask for each head of each example gets one axis for both: all heads of example 0 first.

    每个样本的每个头各有掩码时，两者合为一个轴：先是样本 0 的所有头。
    """
    for shape in ((1, 2, 2, 3), (2, 3, 4, 5), (2, 2, 3, 3), (3, 1, 2, 4)):
        matches_reference.to_mha_mask(make.mask(*shape))
    does_not_mutate.to_mha_mask(make.mask(2, 3, 4, 5))
    matches_reference.to_mha_mask(make.mask(2, 1, 4, 5).expand(2, 3, 4, 5))


@points(0.75)
def test_mha_obeys(student, matches_reference, make):
    """nn.MultiheadAttention, given the translated mask, gives weight to exactly the keys that may be attended to.

    把翻译后的掩码交给 nn.MultiheadAttention，得到权重的恰好是可以关注的键。
    """
    for b, h, t in ((1, 1, 2), (2, 3, 4)):
        with torch.random.fork_rng(devices=[]):
            attention = torch.nn.MultiheadAttention(2 * h, h, batch_first=True)
        x, mask = make.normal(b, t, 2 * h), make.mask(b, h, t, t)
        for given in (mask[0, 0], mask):
            translated = student.to_mha_mask(given).cpu()
            _, weights = attention(x, x, x, attn_mask=translated, average_attn_weights=False)
            seen = given.expand(weights.shape)
            en, zh = "it gives weight to a key that may not be attended to", "不可以关注的键得到了权重"
            expect(~weights.isnan() & ((weights == 0) | seen), en, zh)
            expect((weights > 0) | ~seen, "a key that may be attended to gets no weight", "可以关注的键没有得到权重")
        matches_reference.to_mha_mask(mask)


@points(0.25)
def test_mha_mask_device(stays_on_device, matches_reference, make):
    """The translated mask is on the device of the mask.

    翻译后的掩码与原掩码在同一设备上。
    """
    for shape in ((2, 3), (2, 3, 4, 5)):
        stays_on_device.to_mha_mask(make.mask(*shape))
        matches_reference.to_mha_mask(make.mask(*shape))


def project(x, w_q, w_k, w_v):
    """Queries, keys and values as columns."""
    return w_q @ x, w_k @ x, w_v @ x


def future_of(scores):
    """True where the key (row) is later than the query (column)."""
    return torch.ones_like(scores, dtype=torch.bool).tril(-1)


def attend(q, k, v, causal=False, scale=None, fill=-math.inf, hidden=future_of, dim=0):
    """The right formula, with places to go wrong."""
    scores = k.T @ q * (1 / math.sqrt(q.shape[0]) if scale is None else scale)
    if causal:
        scores = scores.masked_fill(hidden(scores), fill)
    return v @ scores.softmax(dim)


@misconception("column_attention")
def softmax_over_queries(x, w_q, w_k, w_v, causal=False):
    """Softmax runs along the rows. In K^T Q a row belongs to a key, so each key is shared out among the queries. Each
    column, a query, must sum to 1.

    softmax 沿行做了归一化。K^T Q 的一行属于一个键，于是变成每个键分给各个查询。应当是每一列（一个查询）的和为 1。
    """
    return attend(*project(x, w_q, w_k, w_v), causal, dim=1)


@misconception("column_attention")
def row_weights_not_transposed(x, w_q, w_k, w_v, causal=False):
    """The weights are those of the row picture (a query in each row), but V is multiplied by them as in the column
    picture. Transpose the weights first, or use K^T Q and softmax down the columns.

    权重是行的画法（每行一个查询），却像列的画法那样用 V 去乘。应先转置权重，或用 K^T Q 并沿列做 softmax。
    """
    q, k, v = project(x, w_q, w_k, w_v)
    scores = q.T @ k / math.sqrt(q.shape[0])
    if causal:
        scores = scores.masked_fill(future_of(scores).T, -math.inf)
    return v @ scores.softmax(1)


@misconception("column_attention")
def scores_transposed(x, w_q, w_k, w_v, causal=False):
    """The scores are Q^T K, with a row for each query, but softmax and the product with V take its columns for queries:
    queries and keys have changed places. Column t of K^T Q belongs to query t.

    分数算成了 Q^T K，每行一个查询；而 softmax 和与 V 的乘积却把列当作查询：查询与键换了位置。
    K^T Q 的第 t 列才属于查询 t。
    """
    q, k, v = project(x, w_q, w_k, w_v)
    return attend(k, q, v, causal)


@misconception("column_attention")
def other_triangle(x, w_q, w_k, w_v, causal=False):
    """The upper right triangle is hidden. That is the future in the row picture; here a row is a key, so the future
    (key after query) lies below the diagonal. As it is, each token sees itself and the future.

    遮住的是右上三角。那是行的画法里的未来；这里行是键，未来（键在查询之后）在对角线下方。
    照你的写法，每个词元看见的是自己和未来。
    """
    return attend(*project(x, w_q, w_k, w_v), causal, hidden=lambda s: future_of(s).T)


@misconception("column_attention")
def hides_itself(x, w_q, w_k, w_v, causal=False):
    """The diagonal is hidden too: no token sees itself, and the first sees nothing at all (NaN). Only keys after the
    query are the future.

    对角线也被遮住了：没有词元看得见自己，第一个更是什么也看不见（NaN）。只有查询之后的键才是未来。
    """
    return attend(*project(x, w_q, w_k, w_v), causal, hidden=lambda s: torch.ones_like(s, dtype=torch.bool).tril())


@misconception("column_attention")
def sees_one_future(x, w_q, w_k, w_v, causal=False):
    """Each token sees the one after it: the triangle begins one diagonal too late.

    每个词元都能看到它的下一个：三角形晚开始了一条对角线。
    """
    return attend(*project(x, w_q, w_k, w_v), causal, hidden=lambda s: torch.ones_like(s, dtype=torch.bool).tril(-2))


@misconception("column_attention")
def causal_ignored(x, w_q, w_k, w_v, causal=False):
    """causal=True has no effect: the future is visible.

    causal=True 没有起作用：未来仍然可见。
    """
    return attend(*project(x, w_q, w_k, w_v))


@misconception("column_attention")
def always_causal(x, w_q, w_k, w_v, causal=False):
    """The future is hidden even if causal is False.

    即使 causal 为 False，未来也被遮住了。
    """
    return attend(*project(x, w_q, w_k, w_v), True)


@misconception("column_attention")
def hidden_after_softmax(x, w_q, w_k, w_v, causal=False):
    """The future is set to 0 after softmax, so the visible weights of a column do not sum to 1. Hide the scores before
    softmax.

    在 softmax 之后才把未来置 0，一列中可见的权重之和不为 1。应在 softmax 之前遮住分数。
    """
    q, k, v = project(x, w_q, w_k, w_v)
    weights = (k.T @ q / math.sqrt(q.shape[0])).softmax(0)
    return v @ (weights.triu() if causal else weights)


@misconception("column_attention")
def hidden_scores_zero(x, w_q, w_k, w_v, causal=False):
    """Scores of the future become 0 (as `triu` makes them), and exp(0) = 1: they still get weight. They have to become
    -inf.

    未来的分数变成了 0（`triu` 就会这样），而 exp(0) = 1：它们仍有权重。应当变成 -inf。
    """
    return attend(*project(x, w_q, w_k, w_v), causal, fill=0.0)


@misconception("column_attention")
def no_scale(x, w_q, w_k, w_v, causal=False):
    """The scores are not scaled. Divide by the square root of Dh.

    分数没有缩放。应除以 Dh 的平方根。
    """
    return attend(*project(x, w_q, w_k, w_v), causal, 1.0)


@misconception("column_attention")
def scale_dh(x, w_q, w_k, w_v, causal=False):
    """The scores are divided by Dh instead of its square root.

    分数除以了 Dh，而不是它的平方根。
    """
    return attend(*project(x, w_q, w_k, w_v), causal, 1 / len(w_q))


@misconception("column_attention")
def scale_d(x, w_q, w_k, w_v, causal=False):
    """The scale uses D, the length of a token. Queries and keys have length Dh: the number of rows of w_q.

    缩放用了词元的长度 D。查询和键的长度是 Dh，即 w_q 的行数。
    """
    return attend(*project(x, w_q, w_k, w_v), causal, 1 / math.sqrt(len(x)))


@misconception("column_attention")
def scale_t(x, w_q, w_k, w_v, causal=False):
    """The scale uses T, the number of tokens, as if the last axis were the length of a query. In columns it is the
    first.

    缩放用了词元的个数 T，仿佛最后一个轴是查询的长度。写成列时，第一个轴才是。
    """
    return attend(*project(x, w_q, w_k, w_v), causal, 1 / math.sqrt(x.shape[1]))


@misconception("column_attention")
def result_in_rows(x, w_q, w_k, w_v, causal=False):
    """The numbers are right, but the tokens come back as rows. They came as columns: transpose the result.

    数值正确，但词元是作为行返回的。它们来时是列：请转置结果。
    """
    return attend(*project(x, w_q, w_k, w_v), causal).T


@misconception("column_attention")
def projections_transposed(x, w_q, w_k, w_v, causal=False):
    """The projections are transposed first. With columns, w_q [Dh, D] multiplies x [D, T] as it is.

    投影矩阵先被转置了。写成列时，w_q [Dh, D] 直接乘 x [D, T] 即可。
    """
    return attend(*project(x, w_q.T, w_k.T, w_v.T), causal)


@misconception("column_attention")
def values_not_projected(x, w_q, w_k, w_v, causal=False):
    """The weights mix the tokens themselves; w_v is not used. Mix the values w_v x.

    权重混合的是词元本身，没有用到 w_v。应混合值 w_v x。
    """
    q, k, _ = project(x, w_q, w_k, w_v)
    return attend(q, k, x, causal)


@misconception("column_attention")
def keys_from_w_q(x, w_q, w_k, w_v, causal=False):
    """Keys and queries come from the same matrix; w_k is not used.

    键和查询出自同一个矩阵，没有用到 w_k。
    """
    return attend(*project(x, w_q, w_q, w_v), causal)


@misconception("column_attention")
def no_gradient(x, w_q, w_k, w_v, causal=False):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing could be learned.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），什么也学不到。
    """
    return attend(*project(*(t.detach() for t in (x, w_q, w_k, w_v))), causal)


@misconception("column_attention")
def forces_float32(x, w_q, w_k, w_v, causal=False):
    """The result is always float32. It must come back in the dtype of x.

    结果总是 float32。应当以 x 的 dtype 返回。
    """
    return attend(*project(*(t.float() for t in (x, w_q, w_k, w_v))), causal)


@misconception("to_mha_mask")
def mask_unchanged(mask):
    """The mask is handed on as it is. nn.MultiheadAttention hides what is True, so it would see exactly what it should
    not.

    掩码原样传了下去。nn.MultiheadAttention 遮住的是 True：它看见的恰好是不该看见的。
    """
    return mask.clone() if mask.dim() == 2 else mask.flatten(0, 1)


@misconception("to_mha_mask")
def mask_as_bias(mask):
    """The mask holds 0 and -inf, to be added to scores. nn.MultiheadAttention would take that too, but a bool mask is
    asked for here.

    掩码里是 0 和 -inf，用来加到分数上。nn.MultiheadAttention 也接受，但这里要的是 bool 掩码。
    """
    mask = mask if mask.dim() == 2 else mask.flatten(0, 1)
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -math.inf)


@misconception("to_mha_mask")
def mask_transposed(mask):
    """The mask is inverted, and transposed as well. Rows are queries in nn.MultiheadAttention, too.

    掩码取反了，但也被转置了。nn.MultiheadAttention 里行同样是查询。
    """
    return ~mask.transpose(-2, -1) if mask.dim() == 2 else ~mask.flatten(0, 1).transpose(-2, -1)


@misconception("to_mha_mask")
def heads_not_merged(mask):
    """The mask is inverted, but keeps four axes. nn.MultiheadAttention wants one axis for examples and heads.

    掩码取反了，但仍有四个轴。nn.MultiheadAttention 要求样本和头合为一个轴。
    """
    return ~mask


@misconception("to_mha_mask")
def heads_before_examples(mask):
    """Examples and heads are merged in the wrong order: all examples of head 0 come first. It should be all heads of
    example 0.

    样本和头合并的次序反了：先是第 0 个头的所有样本。应当先是样本 0 的所有头。
    """
    return ~mask if mask.dim() == 2 else ~mask.transpose(0, 1).flatten(0, 1)


@misconception("to_mha_mask")
def one_head_only(mask):
    """Only the mask of one head is kept. Each head of each example may have its own.

    只保留了一个头的掩码。每个样本的每个头都可以有自己的掩码。
    """
    return ~mask if mask.dim() == 2 else ~mask[:, 0]


@misconception("to_mha_mask")
def mask_changed_in_place(mask):
    """The caller's mask is inverted in place. Make a new one: `~mask`.

    就地取反了调用者的掩码。应得到一个新的：`~mask`。
    """
    if mask.dim() > 2:
        mask = mask.flatten(0, 1)
    return mask.logical_not_()
