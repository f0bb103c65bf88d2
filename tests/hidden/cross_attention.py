"""Hidden suite for cross-attention.

Lengths and widths of the two sequences differ wherever nothing else is said: with equal ones most mistakes run. Some
mistakes can only be told from each other there, so equal sizes have a check of their own. What can go wrong inside
attention itself is in the suite of attention; a few of those mistakes are repeated here.
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect_close, misconception, points

LEAK = 1e-6  # what a hidden key may get at most


@error_bound("cross_attention")
def cross_attention_bound(x, context, w_q, w_k, w_v, mask=None):
    # A projection is a sum of D products of numbers that may have been rounded to float32: off by (D / 2 + 3) |x||W|.
    # A score takes over these errors of q and k, times the other, and its own: Dh products, scaled, reach = |q||k|^T /
    # sqrt(Dh). Softmax multiplies them by the weight, adds their average and its own (|score| + |maximum| + T + 8).
    # The output adds T_kv products of weights and values, which are off themselves. A hidden key may keep LEAK.
    def projected(tokens, w):
        return tokens @ w, (tokens.shape[-1] / 2 + 3) * (tokens.abs() @ w.abs())

    (q, q_off), (k, k_off), (v, v_off) = projected(x, w_q), projected(context, w_k), projected(context, w_v)
    root, keys = math.sqrt(q.shape[-1]), k.shape[-2]
    scores, reach = q @ k.mT / root, q.abs() @ k.abs().mT / root
    off = (q_off @ k.abs().mT + q.abs() @ k_off.mT) / root + (q.shape[-1] / 2 + 5) * reach
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.expand(scores.shape)
    scores, reach, off = scores.masked_fill(hidden, -math.inf), reach.masked_fill(hidden, 0), off.masked_fill(hidden, 0)
    weights = scores.softmax(-1)
    off = off + reach.amax(-1, keepdim=True)
    units = weights * (off + (weights * off).sum(-1, keepdim=True) + keys + 8)
    leak = hidden * LEAK / torch.finfo(torch.float32).eps
    return (units + (keys + 4) * weights + leak) @ v.abs() + weights @ v_off


def inputs(make, b=2, t_q=3, t_kv=5, d=6, dc=4, dh=3, dv=7):
    """Random x, context and projections, so that scores are of the order of 1."""
    projections = make.normal(d, dh, scale=d**-0.5), make.normal(dc, dh, scale=dc**-0.5), make.normal(dc, dv)
    return make.normal(b, t_q, d), make.normal(b, t_kv, dc), *projections


@points(2)
def test_definition(matches_reference, make, dtype):
    """Each token of x gets a mix of the context's values, weighted by how well its query matches the context's keys.

    x 的每个词元得到上下文各个值的混合，权重取决于它的查询与上下文的键有多匹配。
    """
    matches_reference.cross_attention(*inputs(make, b=1, t_q=1, t_kv=2, d=2, dc=3, dh=1, dv=2))
    matches_reference.cross_attention(*inputs(make, b=1, t_q=4, t_kv=2, d=3, dc=2, dh=4, dv=1))
    matches_reference.cross_attention(*inputs(make))


@points(1.25)
def test_mask(matches_reference, make, dtype):
    """A key of the context is seen where the mask is True and gets no weight where it is False, however it broadcasts.

    掩码为 True 处，上下文的键可见；为 False 处得不到权重；掩码可按任意方式广播。
    """
    for shape in ((1, 5), (3, 5), (2, 1, 5), (2, 3, 5)):
        matches_reference.cross_attention(*inputs(make), mask=make.mask(*shape))


@points(1)
def test_laws(student, matches_reference, make):
    """There is an output for each token of x, which depends on no other token of x, and the context's order is free.

    x 的每个词元对应一个输出，与 x 的其他词元无关；上下文的先后次序无关紧要。
    """
    for t_q, t_kv in ((2, 3), (5, 4)):
        x, context, *weights = inputs(make, t_q=t_q, t_kv=t_kv)
        output = student.cross_attention(x, context, *weights)
        reordered = student.cross_attention(x, context.flip(1), *weights)
        en, zh = "reversing the context changes the output", "颠倒上下文的次序后，输出变了"
        expect_close(reordered, output, 1e-4, en, zh)
        last = student.cross_attention(x[:, -1:], context, *weights)
        en, zh = "without the others a token of x gets something else", "去掉 x 的其他词元后，一个词元的输出变了"
        expect_close(last, output[:, -1:], 1e-4, en, zh)
        matches_reference.cross_attention(x, context, *weights)


@points(0.75)
def test_one_token_of_context(matches_gradients, matches_reference, make):
    """A context of one token leaves no choice: every query gets its value, and x gets no gradient.

    上下文只有一个词元时别无选择：每个查询得到的都是它的值，x 的梯度为 0。
    """
    matches_reference.cross_attention(*inputs(make, b=1, t_q=2, t_kv=1))
    matches_gradients.cross_attention(*inputs(make, t_kv=1))
    matches_reference.cross_attention(*inputs(make, t_kv=1), mask=torch.ones(1, 1, dtype=torch.bool))


@points(0.5)
def test_context_is_x(matches_reference, make):
    """If the context is x itself, this is self-attention.

    如果上下文就是 x 自己，这就是自注意力。
    """
    for t, d in ((1, 2), (3, 4)):
        x, _, *weights = inputs(make, t_q=t, t_kv=t, d=d, dc=d)
        matches_reference.cross_attention(x, x, *weights)
        matches_reference.cross_attention(x, x, *weights, mask=torch.ones(t, t, dtype=torch.bool).tril())


@points(0.75)
def test_padding_is_never_felt(student, matches_reference, make):
    """What stands in the padding of the context makes no difference.

    上下文的填充里是什么都无所谓。
    """
    for lengths in ((2, 5), (4, 1)):
        x, context, *weights = inputs(make)
        mask = torch.arange(5) < torch.tensor(lengths)[:, None, None]  # [B, 1, T_kv]
        output = student.cross_attention(x, context, *weights, mask=mask)
        other = student.cross_attention(x, torch.where(mask.mT, context, 3.0), *weights, mask=mask)
        en, zh = "the output changes with what stands in the padding", "输出随填充的内容而变"
        expect_close(other, output, 1e-4, en, zh)
        for b, length in enumerate(lengths):
            alone = student.cross_attention(x[b : b + 1], context[b : b + 1, :length], *weights)
            en, zh = "with padding the output is not what it is without", "有填充时的输出与没有填充时不同"
            expect_close(output[b], alone[0], 1e-4, en, zh)
        matches_reference.cross_attention(x, context, *weights, mask=mask)


@points(0.5)
def test_sizes_that_coincide(matches_reference, make):
    """Sequences of the same length and width are no special case: x still asks, the context still answers.

    两个序列的长度和宽度都相同时也没有例外：仍然是 x 提问，上下文回答。
    """
    matches_reference.cross_attention(*inputs(make, t_q=3, t_kv=3, d=4, dc=4, dh=4, dv=4))
    matches_reference.cross_attention(*inputs(make, b=3, t_q=3, t_kv=3, d=3, dc=3, dh=3, dv=3), mask=make.mask(3, 3))
    matches_reference.cross_attention(*inputs(make, b=1, t_q=1, t_kv=1, d=1, dc=1, dh=1, dv=1))


@points(0.5)
@dtypes("float16", "float32")
def test_hidden_score_dwarfs_the_rest(matches_reference, make, dtype):
    """A hidden key gets no weight even if its score is far above all visible ones.

    被遮住的键即使分数远超所有可见的键，也得不到权重。
    """
    x = make.tensor([[[40.0], [-40.0]]])
    context = make.tensor([[[0.0, 1], [60, 2], [0, 3]]])  # scores 0, 2400, 0 and 0, -2400, 0
    w_k, w_v = make.tensor([[1.0], [0.0]]), make.tensor([[0.0, 1], [1, 0.5]])
    mask = torch.tensor([[True, False, True], [True, True, False]])
    matches_reference.cross_attention(x, context, make.tensor([[1.0]]), w_k, w_v, mask=mask[:1])
    matches_reference.cross_attention(x, context, make.tensor([[1.0]]), w_k, w_v, mask=mask)


@points(1)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to both sequences and to all three projections.

    梯度传回两个序列和三个投影矩阵。
    """
    matches_gradients.cross_attention(*inputs(make, b=1, t_q=3, t_kv=4))
    matches_gradients.cross_attention(*inputs(make))
    matches_gradients.cross_attention(*inputs(make), mask=make.mask(2, 1, 5))


@points(0.5)
def test_memory_layout(matches_reference, make):
    """The inputs may lie in memory in any order.

    输入在内存中可按任意次序排布。
    """
    matches_reference.cross_attention(*(make.strided(t) for t in inputs(make)), mask=make.strided(make.mask(3, 5)))
    x, context, *weights = inputs(make)
    matches_reference.cross_attention(x, context[:1].expand(2, 5, 4), *weights, mask=make.mask(2, 1, 5).expand(2, 3, 5))


@points(0.5)
def test_inputs_unchanged(does_not_mutate, matches_reference, make):
    """Both sequences, the projections and the mask are left as they were.

    两个序列、投影矩阵和掩码都保持原样。
    """
    for mask in ({}, {"mask": make.mask(2, 1, 5)}):
        tensors = inputs(make)
        does_not_mutate.cross_attention(*tensors, **mask)
        matches_reference.cross_attention(*tensors, **mask)


@points(0.75)
def test_device(stays_on_device, matches_reference, make):
    """Whatever is made on the way is made on the device of the inputs.

    计算途中创建的张量都位于输入所在的设备上。
    """
    for mask in ({}, {"mask": make.mask(2, 1, 5)}):
        tensors = inputs(make)
        stays_on_device.cross_attention(*tensors, **mask)
        matches_reference.cross_attention(*tensors, **mask)


def attend(q, k, v, mask=None, scale=None, fill=-math.inf, dim=-1):
    """Attention, with places to go wrong."""
    scores = q @ k.mT * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(~mask, fill)
    return scores.softmax(dim) @ v


@misconception("cross_attention")
def queries_from_context(x, context, w_q, w_k, w_v, mask=None):
    """The queries come from the context, so x takes no part. x asks: its projection is x @ w_q.

    查询来自上下文，x 没有参与。提问的是 x：查询应为 x @ w_q。
    """
    return attend(context @ w_q, context @ w_k, context @ w_v, mask)


@misconception("cross_attention")
def keys_from_x(x, context, w_q, w_k, w_v, mask=None):
    """The keys come from x. Keys describe what can be found, so they come from the context, as the values do.

    键来自 x。键描述的是能找到什么，因此和值一样来自上下文。
    """
    return attend(x @ w_q, x @ w_k, context @ w_v, mask)


@misconception("cross_attention")
def values_from_x(x, context, w_q, w_k, w_v, mask=None):
    """The values come from x, so nothing of the context is taken over. Keys and values belong together: both come from
    the context.

    值来自 x，于是什么也没有从上下文取来。键和值是一对：都来自上下文。
    """
    return attend(x @ w_q, context @ w_k, x @ w_v, mask)


@misconception("cross_attention")
def self_attention(x, context, w_q, w_k, w_v, mask=None):
    """Queries, keys and values all come from x: that is self-attention, and the context takes no part.

    查询、键、值全部来自 x：这是自注意力，上下文没有参与。
    """
    return attend(x @ w_q, x @ w_k, x @ w_v, mask)


@misconception("cross_attention")
def roles_swapped(x, context, w_q, w_k, w_v, mask=None):
    """The two sequences have changed places: the context asks and x answers.

    两个序列换了位置：成了上下文提问，x 回答。
    """
    return attend(context @ w_q, x @ w_k, x @ w_v, mask)


@misconception("cross_attention")
def x_among_the_keys(x, context, w_q, w_k, w_v, mask=None):
    """x and the context are joined and both give keys and values. In cross-attention only the context answers.

    把 x 和上下文拼接起来，两者都提供键和值。交叉注意力中，回答的只有上下文。
    """
    both = torch.cat([x, context], 1)
    if mask is not None:
        seen = mask.expand(len(x), x.shape[1], context.shape[1])
        mask = torch.cat([torch.ones(len(x), x.shape[1], x.shape[1], dtype=torch.bool, device=x.device), seen], -1)
    return attend(x @ w_q, both @ w_k, both @ w_v, mask)


@misconception("cross_attention")
def keys_and_values_swapped(x, context, w_q, w_k, w_v, mask=None):
    """w_k and w_v have changed places: the keys are projected by w_v and the values by w_k.

    w_k 和 w_v 换了位置：用 w_v 投影了键，用 w_k 投影了值。
    """
    return attend(x @ w_q, context @ w_v, context @ w_k, mask)


@misconception("cross_attention")
def values_not_projected(x, context, w_q, w_k, w_v, mask=None):
    """The weights mix the context itself; w_v is not used. Mix the values context @ w_v.

    权重混合的是上下文本身，没有用到 w_v。应混合值 context @ w_v。
    """
    return attend(x @ w_q, context @ w_k, context, mask)


@misconception("cross_attention")
def keys_not_projected(x, context, w_q, w_k, w_v, mask=None):
    """Queries are compared with the context itself; w_k is not used. The keys are context @ w_k.

    查询是与上下文本身比较的，没有用到 w_k。键应为 context @ w_k。
    """
    return attend(x @ w_q, context, context @ w_v, mask)


@misconception("cross_attention")
def projections_transposed(x, context, w_q, w_k, w_v, mask=None):
    """The projections are transposed, as nn.Linear keeps them. Here w_q [D, Dh] is used as it is: x @ w_q.

    投影矩阵被转置了，就像 nn.Linear 存放的那样。这里 w_q [D, Dh] 直接使用：x @ w_q。
    """
    return attend(x @ w_q.T, context @ w_k.T, context @ w_v.T, mask)


@misconception("cross_attention")
def causal_added(x, context, w_q, w_k, w_v, mask=None):
    """The later part of the context is hidden although nobody asked for it. Positions in the two sequences have nothing
    to do with each other; only the mask that is passed in decides.

    没有人要求，上下文靠后的部分却被遮住了。两个序列的位置互不相干；遮住什么只由传入的掩码决定。
    """
    causal = torch.ones(x.shape[1], context.shape[1], dtype=torch.bool, device=x.device).tril()
    return attend(x @ w_q, context @ w_k, context @ w_v, causal if mask is None else mask & causal)


@misconception("cross_attention")
def mask_ignored(x, context, w_q, w_k, w_v, mask=None):
    """The mask is accepted and never used: padding keeps its weight.

    接收了掩码却没有使用：填充仍保有权重。
    """
    return attend(x @ w_q, context @ w_k, context @ w_v)


@misconception("cross_attention")
def mask_inverted(x, context, w_q, w_k, w_v, mask=None):
    """The mask is read the wrong way round. Here True means: may attend.

    掩码的含义弄反了。这里 True 表示可以关注。
    """
    return attend(x @ w_q, context @ w_k, context @ w_v, None if mask is None else ~mask)


@misconception("cross_attention")
def mask_transposed(x, context, w_q, w_k, w_v, mask=None):
    """The mask is transposed: its rows are used for the context. Row i belongs to query i, column j to key j.

    掩码被转置了，行被用于上下文。第 i 行属于第 i 个查询，第 j 列属于第 j 个键。
    """
    return attend(x @ w_q, context @ w_k, context @ w_v, None if mask is None else mask.mT)


@misconception("cross_attention")
def mask_after_softmax(x, context, w_q, w_k, w_v, mask=None):
    """Hidden weights are set to 0 after softmax, so the visible ones no longer sum to 1. Hide the scores before
    softmax.

    在 softmax 之后才把被遮住的权重置 0，可见的权重之和不再是 1。应在 softmax 之前遮住分数。
    """
    q, k = x @ w_q, context @ w_k
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return (weights if mask is None else weights * mask) @ (context @ w_v)


@misconception("cross_attention")
def hidden_scores_zero(x, context, w_q, w_k, w_v, mask=None):
    """Hidden scores become 0, and exp(0) = 1: they still get weight. They have to go where the exponential vanishes.

    被遮住的分数变成 0，而 exp(0) = 1：它们仍有权重。应把它们送到指数趋于 0 的地方。
    """
    return attend(x @ w_q, context @ w_k, context @ w_v, mask, fill=0.0)


@misconception("cross_attention")
def fill_1e9(x, context, w_q, w_k, w_v, mask=None):
    """Hidden scores are set to -1e9, which float16 cannot hold: an error. Use minus infinity, or the lowest number of
    the dtype.

    被遮住的分数设成了 -1e9，float16 存不下，会报错。应使用负无穷，或该 dtype 的最小值。
    """
    return attend(x @ w_q, context @ w_k, context @ w_v, mask, fill=-1e9)


@misconception("cross_attention")
def no_scale(x, context, w_q, w_k, w_v, mask=None):
    """The scores are not scaled. Divide by the square root of Dh.

    分数没有缩放。应除以 Dh 的平方根。
    """
    return attend(x @ w_q, context @ w_k, context @ w_v, mask, 1.0)


@misconception("cross_attention")
def scale_dh(x, context, w_q, w_k, w_v, mask=None):
    """The scores are divided by Dh instead of its square root.

    分数除以了 Dh，而不是它的平方根。
    """
    return attend(x @ w_q, context @ w_k, context @ w_v, mask, 1 / w_q.shape[1])


@misconception("cross_attention")
def scale_d(x, context, w_q, w_k, w_v, mask=None):
    """The scale uses D, the width of x. Dot products are taken of queries and keys, which have length Dh.

    缩放用了 x 的宽度 D。做点积的是查询和键，它们的长度是 Dh。
    """
    return attend(x @ w_q, context @ w_k, context @ w_v, mask, 1 / math.sqrt(x.shape[-1]))


@misconception("cross_attention")
def scale_context(x, context, w_q, w_k, w_v, mask=None):
    """The scale uses Dc, the width of the context. Dot products are taken of queries and keys, which have length Dh.

    缩放用了上下文的宽度 Dc。做点积的是查询和键，它们的长度是 Dh。
    """
    return attend(x @ w_q, context @ w_k, context @ w_v, mask, 1 / math.sqrt(context.shape[-1]))


@misconception("cross_attention")
def softmax_over_queries(x, context, w_q, w_k, w_v, mask=None):
    """Softmax runs over the queries: each token of the context is shared out among those of x. Each query must share
    itself out among the keys, the last dimension.

    softmax 沿查询做了归一化：上下文的每个词元被分给 x 的各个词元。应当是每个查询分给各个键，即最后一维。
    """
    return attend(x @ w_q, context @ w_k, context @ w_v, mask, dim=-2)


@misconception("cross_attention")
def weights_returned_too(x, context, w_q, w_k, w_v, mask=None):
    """The weights are returned beside the output. Only the output is asked for.

    返回输出的同时还返回了权重。这里只要输出。
    """
    q, k = x @ w_q, context @ w_k
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(~mask, -math.inf)).softmax(-1)
    return weights @ (context @ w_v), weights


@misconception("cross_attention")
def no_gradient(x, context, w_q, w_k, w_v, mask=None):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing could be learned.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），什么也学不到。
    """
    x, context, w_q, w_k, w_v = (t.detach() for t in (x, context, w_q, w_k, w_v))
    return attend(x @ w_q, context @ w_k, context @ w_v, mask)


@misconception("cross_attention")
def forces_float32(x, context, w_q, w_k, w_v, mask=None):
    """The result is always float32. Computing in float32 inside is fine, but it must come back in the dtype of x.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回 x 的 dtype。
    """
    x, context, w_q, w_k, w_v = (t.float() for t in (x, context, w_q, w_k, w_v))
    return attend(x @ w_q, context @ w_k, context @ w_v, mask)
