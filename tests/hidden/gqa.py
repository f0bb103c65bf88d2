"""Hidden suite for grouped-query attention.

Not in the bank, because right: `repeat_interleave`, a copy or the tensor itself for n_rep = 1, attention group by group
without repeating anything. What can go wrong inside attention itself is in the suite of attention; a few of those
mistakes are repeated here.
"""

import math

import torch

from grader.suites import Misconception, Text, dtypes, error_bound, expect, expect_close, facts, misconception, points


@error_bound("grouped_query_attention")
def attention_bound(q, k, v, mask=None):
    # A score is a sum of Dh products, rounded at each step, of q and k rounded once, and scaled: its error is at most
    # eps (Dh / 2 + 4) reach with reach = sum |q||k| / sqrt(Dh). Softmax takes it times the weight, plus the average of
    # all scores' errors, plus its own: eps (|score| + |maximum| + T_kv + 8), with |score| <= reach.
    # The output adds T_kv products of weights and values one after another. A hidden key may keep a weight of 1e-6.
    k, v = (t.repeat_interleave(q.shape[1] // k.shape[1], 1) for t in (k, v))
    reach = q.abs() @ k.abs().transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.expand(scores.shape)
    weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
    reach = reach.masked_fill(hidden, 0.0)
    exponents = (q.shape[-1] / 2 + 5) * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + k.shape[-2] + 8
    leak = hidden * 1e-6 / torch.finfo(torch.float32).eps
    return (weights * (total + k.shape[-2] + 4)) @ v.abs(), weights * total + leak


def inputs(make, b=2, h=6, h_kv=3, t_q=5, t_kv=7, dh=8, dv=4):
    """Random q, k, v."""
    return make.normal(b, h, t_q, dh), make.normal(b, h_kv, t_kv, dh), make.normal(b, h_kv, t_kv, dv)


@points(2)
def test_repeat_order(matches_reference, make, dtype):
    """repeat_kv writes each head n_rep times in a row: h0 h0 h1 h1, not h0 h1 h0 h1.

    repeat_kv 让每个头连续出现 n_rep 次：h0 h0 h1 h1，而不是 h0 h1 h0 h1。
    """
    for shape, n_rep in (((1, 2, 1, 1), 2), ((1, 2, 1, 3), 3), ((2, 3, 5, 4), 2), ((2, 2, 3, 5), 4), ((3, 4, 2, 6), 5)):
        matches_reference.repeat_kv(make.distinct(*shape), n_rep)


@points(0.5)
def test_repeat_special_sizes(matches_reference, make):
    """Repeating once gives the same heads, and a single head can be repeated; sizes that coincide are no special case.

    重复一次得到原来的头；只有一个头也可以重复；尺寸彼此相等时没有例外。
    """
    for shape, n_rep in (((1, 1, 1, 1), 1), ((1, 1, 1, 1), 3), ((2, 3, 5, 4), 1), ((2, 1, 5, 4), 6), ((3, 3, 3, 3), 3)):
        matches_reference.repeat_kv(make.distinct(*shape), n_rep)


@points(0.5)
def test_repeat_memory_layout(matches_reference, does_not_mutate, make):
    """repeat_kv takes transposed and expanded tensors too, and leaves its input as it was.

    repeat_kv 同样接受转置或 expand 得到的张量，并且不改动输入。
    """
    matches_reference.repeat_kv(make.distinct(2, 5, 3, 4).transpose(1, 2), 2)
    matches_reference.repeat_kv(make.strided(make.distinct(2, 3, 5, 4)), 4)
    matches_reference.repeat_kv(make.distinct(2, 1, 5, 4).expand(2, 3, 5, 4), 2)
    x = make.distinct(2, 3, 5, 4)
    does_not_mutate.repeat_kv(x, 2)
    matches_reference.repeat_kv(x, 2)


@points(2)
def test_definition(matches_reference, make, dtype):
    """Each query head attends with the key and value head of its group, and the weights are returned beside the output.

    每个查询头使用本组的键头和值头计算注意力；同时返回输出和权重。
    """
    matches_reference.grouped_query_attention(*inputs(make, b=1, h=4, h_kv=2, t_q=2, t_kv=3, dh=2, dv=3))
    matches_reference.grouped_query_attention(*inputs(make, h=6, h_kv=2, dh=3, dv=5))


@points(1)
def test_groups(student, matches_reference, make):
    """Query heads 0 to H / H_kv - 1 listen to key and value head 0, the next as many to head 1, and so on.

    查询头 0 到 H / H_kv - 1 使用第 0 个键值头，随后同样数量的查询头使用第 1 个，依此类推。
    """
    for h, h_kv in ((4, 2), (6, 2), (6, 3)):
        q, k, v = inputs(make, b=1, h=h, h_kv=h_kv)
        before, _ = student.grouped_query_attention(q, k, v)
        for head in range(h_kv):
            changed = torch.arange(h_kv, device=q.device)[:, None, None] == head
            after, _ = student.grouped_query_attention(q, k, torch.where(changed, v + 1.0, v))
            moved = (after - before).mean((0, 2, 3)).double()  # by head: 1 where it listens, else 0
            due = (torch.arange(h, device=q.device) // (h // h_kv) == head).double()
            found = [i for i, m in enumerate(moved.tolist()) if abs(m) > 0.5]
            want = [i for i, m in enumerate(due.tolist()) if m]
            en = f"of {h} query heads, {found} listen to key and value head {head} of {h_kv}; it should be {want}"
            zh = f"{h} 个查询头中，使用第 {head} 个键值头（共 {h_kv} 个）的是 {found}，应为 {want}"
            expect_close(moved, due, 1e-3, en, zh)
        matches_reference.grouped_query_attention(q, k, v)


@points(0.5)
def test_extremes(matches_reference, make):
    """With H_kv = H this is multi-head attention, with H_kv = 1 all query heads share one head; sizes of 1 work too.

    H_kv = H 时就是多头注意力，H_kv = 1 时所有查询头共用一个头；尺寸为 1 时同样成立。
    """
    matches_reference.grouped_query_attention(*inputs(make, b=1, h=1, h_kv=1, t_q=1, t_kv=1, dh=1, dv=1))
    matches_reference.grouped_query_attention(*inputs(make, h=3, h_kv=3))
    matches_reference.grouped_query_attention(*inputs(make, h=3, h_kv=1, t_q=1))
    matches_reference.grouped_query_attention(*inputs(make, b=4, h=4, h_kv=2, t_q=4, t_kv=4, dh=4, dv=4))
    matches_reference.grouped_query_attention(*inputs(make, b=3, h=6, h_kv=3, t_q=3, t_kv=3, dh=3, dv=3))


@points(0.6)
def test_mask(matches_reference, make, dtype):
    """A key is seen where the mask is True and gets no weight where it is False, however the mask broadcasts.

    掩码为 True 处的键可见，为 False 处的键得不到权重；掩码可按任意方式广播。
    """
    for shape in ((5, 7), (6, 5, 7), (2, 6, 5, 7)):
        mask = make.mask(*shape)
        _, weights = matches_reference.grouped_query_attention(*inputs(make), mask=mask)
        en, zh = "a hidden key has a weight of 1e-6 or more", "被遮住的键仍有不小于 1e-6 的权重"
        expect(weights[~mask.expand(weights.shape)] < 1e-6, en, zh)


@points(0.4)
@dtypes("float16", "float32")
def test_hidden_score_dwarfs_the_rest(matches_reference, make, dtype):
    """A hidden key gets no weight even if its score is far above all visible ones.

    被遮住的键即使分数远超所有可见的键，也得不到权重。
    """
    q = make.tensor([40.0] * 6).expand(1, 4, 1, 6)
    k = make.tensor([[0.0] * 6, [50.0] * 6, [0.0] * 6]).expand(1, 2, 3, 6)  # scores 0, 4899, 0
    mask = torch.tensor([[True, False, True]], device=q.device)
    matches_reference.grouped_query_attention(q, k, make.normal(1, 2, 3, 4), mask=mask)


@points(0.3)
def test_heads_that_do_not_divide(raises_value_error, matches_reference, make):
    """ValueError, if the query heads cannot be shared out equally among the key and value heads.

    查询头不能平均分给各个键值头时，抛出 ValueError。
    """
    for h, h_kv in ((3, 2), (4, 3), (7, 2)):
        raises_value_error.grouped_query_attention(*inputs(make, b=1, h=h, h_kv=h_kv))
    matches_reference.grouped_query_attention(*inputs(make, b=1, h=4, h_kv=2))


@points(0.3)
def test_too_few_query_heads(raises_value_error, matches_reference, make):
    """ValueError, if there are fewer query heads than key and value heads.

    查询头比键值头还少时，抛出 ValueError。
    """
    for h, h_kv in ((1, 2), (2, 4), (2, 3)):
        raises_value_error.grouped_query_attention(*inputs(make, b=1, h=h, h_kv=h_kv))
    matches_reference.grouped_query_attention(*inputs(make, b=1, h=4, h_kv=2))


@points(1)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to queries, keys and values; a shared head collects those of all its query heads.

    梯度传回查询、键和值；被共享的头汇总其所有查询头的梯度。
    """
    matches_gradients.repeat_kv(make.normal(1, 2, 1, 3), 3)
    matches_gradients.repeat_kv(make.normal(2, 3, 5, 4), 2)
    matches_gradients.of(0).grouped_query_attention(*inputs(make, b=1, h=4, h_kv=2, t_q=2, t_kv=3))
    matches_gradients.of(0).grouped_query_attention(*inputs(make), mask=make.mask(2, 1, 5, 7))


@points(0.5)
def test_inputs(does_not_mutate, matches_reference, make):
    """Queries, keys, values and mask may lie in memory in any order, and are left as they were.

    查询、键、值和掩码在内存中可按任意次序排布，并且保持原样。
    """
    q, k, v = (t.transpose(1, 2) for t in (make.normal(2, 5, 6, 8), make.normal(2, 7, 3, 8), make.normal(2, 7, 3, 4)))
    mask = make.strided(make.mask(5, 7))
    matches_reference.grouped_query_attention(q, k, v, mask=mask)
    k_shared, v_shared = k[:, :1].expand(2, 2, 7, 8), v[:, :1].expand(2, 2, 7, 4)
    matches_reference.grouped_query_attention(q, k_shared, v_shared, mask=make.mask(2, 1, 1, 7).expand(2, 1, 5, 7))
    does_not_mutate.grouped_query_attention(q, k, v)
    does_not_mutate.grouped_query_attention(q, k, v, mask=mask)


@points(0.4)
def test_device(stays_on_device, matches_reference, make):
    """Whatever is made on the way is made on the device of the inputs.

    计算途中创建的张量都位于输入所在的设备上。
    """
    x, mask = make.distinct(2, 3, 5, 4), make.mask(5, 7)
    stays_on_device.repeat_kv(x, 2)
    matches_reference.repeat_kv(x, 2)
    q, k, v = inputs(make)
    stays_on_device.grouped_query_attention(q, k, v)
    stays_on_device.grouped_query_attention(q, k, v, mask=mask)
    matches_reference.grouped_query_attention(q, k, v, mask=mask)


def attend(q, k, v, mask=None, scale=None, fill=-math.inf, dim=-1):
    """Attention in which each query head has a key and value head of its own."""
    scores = q @ k.transpose(-2, -1) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(~mask, fill)
    weights = scores.softmax(dim)
    return weights @ v, weights


def repeat(x, n_rep):
    """The right order."""
    return x.repeat_interleave(n_rep, 1)


def grouped(attention=attend, repeated=repeat):
    """Grouped-query attention out of an attention and a way to repeat."""

    def grouped_query_attention(q, k, v, mask=None):
        if q.shape[1] % k.shape[1]:
            raise ValueError("query heads are not a multiple of key and value heads")
        n_rep = q.shape[1] // k.shape[1]
        return attention(q, repeated(k, n_rep), repeated(v, n_rep), mask)

    return grouped_query_attention


def both_from(repeated):
    """repeat_kv done like this, and the attention that uses it."""
    return repeated, grouped(repeated=repeated)


@facts("repeat_kv")
def seen_in_repeat(y, x, n_rep):
    origins = [next((h for h in range(x.shape[1]) if torch.equal(y[:, i], x[:, h])), None) for i in range(y.shape[1])]
    due = [h for h in range(x.shape[1]) for _ in range(n_rep)]
    came, wanted = (", ".join("?" if h is None else f"h{h}" for h in heads) for heads in (origins, due))
    yield Text(f"the heads of the result are {came}; due are {wanted}", f"结果的各个头依次是 {came}；应为 {wanted}")


@facts("grouped_query_attention")
def seen_in_attention(result, q, k, v, mask=None):
    output, weights = result
    rows = weights.sum(-1)
    if not bool(((rows - 1).abs() < 1e-3).all()):
        low, high = float(rows.min()), float(rows.max())
        yield Text(
            f"the weights of a query sum to {low:.4g} to {high:.4g}, not to 1",
            f"每个查询的权重之和为 {low:.4g} 到 {high:.4g}，而不是 1",
        )
    uses = [
        next((h for h in range(v.shape[1]) if torch.allclose(output[:, i], weights[:, i] @ v[:, h], atol=1e-3)), None)
        for i in range(q.shape[1])
    ]
    due = [h * v.shape[1] // q.shape[1] for h in range(q.shape[1])]
    if uses != due:
        yield Text(
            f"the query heads take their values from heads {uses}; due are {due}".replace("None", "?"),
            f"各查询头的值取自第 {uses} 个头；应为 {due}".replace("None", "?"),
        )


@misconception("repeat_kv", "grouped_query_attention")
def tile_repeat():
    """The whole list of heads is repeated: h0 h1 h0 h1. Query head 1 then listens to the wrong head; each head has to
    be followed by its own copies.

    重复的是整列头：h0 h1 h0 h1。于是查询头 1 用到了错误的头；每个头后面应紧跟它自己的副本。
    """
    return both_from(lambda x, n_rep: x.repeat(1, n_rep, 1, 1))


@misconception("repeat_kv", "grouped_query_attention")
def wrong_axis_time():
    """The positions are repeated, not the heads: axis 2 holds the positions here, the heads are on axis 1. (MiniMind
    keeps them the other way round.)

    重复的是位置而不是头：这里第 2 轴是位置，头在第 1 轴。（MiniMind 中二者的次序相反。）
    """
    return both_from(lambda x, n_rep: x.repeat_interleave(n_rep, 2))


@misconception("repeat_kv", "grouped_query_attention")
def wrong_axis_last():
    """The entries of each vector are repeated, not the heads. The heads are on axis 1.

    重复的是每个向量的分量，而不是头。头在第 1 轴。
    """
    return both_from(lambda x, n_rep: x.repeat_interleave(n_rep, -1))


@misconception("repeat_kv", "grouped_query_attention")
def wrong_axis_batch():
    """The examples of the batch are repeated, not the heads. The heads are on axis 1.

    重复的是同一批的样本，而不是头。头在第 1 轴。
    """
    return both_from(lambda x, n_rep: x.repeat_interleave(n_rep, 0))


@misconception("repeat_kv", "grouped_query_attention")
def not_merged():
    """The copies stay on an axis of their own, so the result has five axes. Merge that axis with the heads.

    副本还留在单独的一个轴上，结果有五个轴。应把它与头的轴合并。
    """
    return both_from(lambda x, n_rep: x[:, :, None].expand(-1, -1, n_rep, -1, -1))


@misconception("repeat_kv", "grouped_query_attention")
def copies_before_heads():
    """The axis of the copies was put before the heads, and merging them then gives h0 h1 h0 h1. It belongs after the
    heads.

    副本的轴放在了头的前面，合并之后成了 h0 h1 h0 h1。它应放在头的后面。
    """
    return both_from(lambda x, n_rep: x[:, None].expand(-1, n_rep, -1, -1, -1).flatten(1, 2))


@misconception("repeat_kv", "grouped_query_attention")
def heads_and_time_mixed():
    """The shape is right, but a reshape across head and position tore the heads apart. Add the axis of the copies
    next to the heads before merging.

    形状是对的，但跨越头与位置的 reshape 把各个头拆散了。应先在头的旁边加上副本的轴，再合并。
    """
    return both_from(lambda x, n_rep: x.repeat_interleave(n_rep, 2).reshape(x.shape[0], -1, *x.shape[2:]))


@misconception("repeat_kv", "grouped_query_attention")
def zero_pad():
    """The missing heads are filled with zeros. They have to be copies: all query heads of a group share one head.

    缺少的头用 0 补齐了。它们应当是副本：同组的查询头共用一个头。
    """

    def padded(x, n_rep):
        rest = torch.zeros_like(x[:, :, None]).expand(-1, -1, n_rep - 1, -1, -1)
        return torch.cat([x[:, :, None], rest], 2).flatten(1, 2)

    return both_from(padded)


@misconception("repeat_kv", "grouped_query_attention")
def scaled_by_n():
    """The copies are divided by their number. Nothing is shared out: every query head sees the full head.

    副本被除以了份数。这里并不是分摊：每个查询头看到的都是完整的头。
    """
    return both_from(lambda x, n_rep: repeat(x, n_rep) / n_rep)


@misconception("repeat_kv", "grouped_query_attention")
def one_too_few():
    """There are n_rep - 1 copies of each head, one too few: n_rep counts the head itself as well.

    每个头只出现了 n_rep - 1 次，少了一次：n_rep 把它自己也算在内。
    """
    return both_from(lambda x, n_rep: repeat(x, max(n_rep - 1, 1)))


@misconception("repeat_kv", "grouped_query_attention")
def one_too_many():
    """There are n_rep + 1 copies of each head, one too many: n_rep counts the head itself as well.

    每个头出现了 n_rep + 1 次，多了一次：n_rep 把它自己也算在内。
    """
    return both_from(lambda x, n_rep: repeat(x, n_rep + 1))


@misconception("repeat_kv", "grouped_query_attention")
def not_repeated():
    """The heads are returned as they came. Broadcasting will not repeat them, unless there is only one.

    头原样返回，没有重复。除非只有一个头，否则广播不会替你重复。
    """
    return both_from(lambda x, n_rep: x)


@misconception("repeat_kv", "grouped_query_attention")
def repeated_twice():
    """Every head appears twice, whatever n_rep says.

    无论 n_rep 是多少，每个头都只出现两次。
    """
    return both_from(lambda x, n_rep: repeat(x, 2))


@misconception("repeat_kv", "grouped_query_attention")
def reversed_groups():
    """The groups come in reverse order: the first query heads listen to the last head.

    各组的次序反了：最前面的查询头用的是最后一个头。
    """
    return both_from(lambda x, n_rep: repeat(x.flip(1), n_rep))


@misconception("repeat_kv", "grouped_query_attention")
def view_after_expand():
    """An expanded tensor holds one copy only, so `view` cannot merge its axes and raises RuntimeError. Use what
    copies when it has to.

    expand 之后内存里只有一份数据，`view` 无法合并这些轴，会抛出 RuntimeError。应换用必要时会复制的操作。
    """

    def viewed(x, n_rep):
        B, H_kv, T, Dh = x.shape
        return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).view(B, H_kv * n_rep, T, Dh)

    return both_from(viewed)


@misconception("repeat_kv", "grouped_query_attention")
def detached():
    """The values are right, but the copies are cut out of the gradient, so the shared heads could not learn.

    数值正确，但副本被排除在梯度之外，共享的头将学不到任何东西。
    """
    return both_from(lambda x, n_rep: repeat(x.detach(), n_rep))


@misconception("grouped_query_attention")
def modulo_groups(q, k, v, mask=None):
    """Query head h uses head h mod H_kv, so neighbours never share. A group is a run of neighbours: divide h by the
    size of a group.

    查询头 h 用了第 h mod H_kv 个头，相邻的头互不共享。一组是相邻的若干个头：应当用 h 除以组的大小。
    """
    return grouped(repeated=lambda x, n_rep: x.repeat(1, n_rep, 1, 1))(q, k, v, mask)


@misconception("grouped_query_attention")
def values_tiled(q, k, v, mask=None):
    """The keys are repeated in the right order, the values in another. Both belong to the same group.

    键的重复次序正确，值用了另一种次序。同一组的键和值应当来自同一个头。
    """
    _, weights = grouped()(q, k, v, mask)
    return weights @ v.repeat(1, q.shape[1] // k.shape[1], 1, 1), weights


@misconception("grouped_query_attention")
def first_head_only(q, k, v, mask=None):
    """All query heads use key and value head 0 (multi-query attention). Each group has a head of its own.

    所有查询头都用了第 0 个键值头（那是多查询注意力）。每一组应有自己的头。
    """
    return grouped(repeated=lambda x, n_rep: x[:, :1].expand(-1, x.shape[1] * n_rep, -1, -1))(q, k, v, mask)


@misconception("grouped_query_attention")
def heads_averaged(q, k, v, mask=None):
    """All query heads use the mean of the key and value heads. Each group has a head of its own.

    所有查询头都用了各键值头的平均。每一组应有自己的头。
    """
    mean = lambda x, n_rep: x.mean(1, keepdim=True).expand(-1, x.shape[1] * n_rep, -1, -1)  # noqa: E731 -- a formula
    return grouped(repeated=mean)(q, k, v, mask)


@misconception("grouped_query_attention")
def queries_pooled(q, k, v, mask=None):
    """The query heads of a group are averaged. Only keys and values are shared; every query head keeps its own weights.

    同组的查询头被平均了。共享的只有键和值，每个查询头都有自己的权重。
    """
    n_rep = q.shape[1] // k.shape[1]
    pooled = q.unflatten(1, (-1, n_rep)).mean(2).repeat_interleave(n_rep, 1) if q.shape[1] % k.shape[1] == 0 else q
    return grouped()(pooled, k, v, mask)


@misconception("grouped_query_attention")
def no_value_error(q, k, v, mask=None):
    """Head counts that do not divide are accepted and the left-over query heads get something arbitrary. Refuse them
    with ValueError.

    头数不能整除时照样计算，多出来的查询头得到的是任意结果。应抛出 ValueError 拒绝。
    """
    n_rep = max(-(-q.shape[1] // k.shape[1]), 1)
    return attend(q, repeat(k, n_rep)[:, : q.shape[1]], repeat(v, n_rep)[:, : q.shape[1]], mask)


@misconception("grouped_query_attention")
def assertion(q, k, v, mask=None):
    """Head counts that do not divide end in AssertionError, which `python -O` removes. Raise ValueError, with a
    message.

    头数不能整除时抛出的是 AssertionError，而 `python -O` 会去掉断言。应抛出带说明的 ValueError。
    """
    assert q.shape[1] % k.shape[1] == 0
    return grouped()(q, k, v, mask)


@misconception("grouped_query_attention")
def no_scale(q, k, v, mask=None):
    """The scores are not divided by the square root of Dh.

    分数没有除以 Dh 的平方根。
    """
    return grouped(lambda q, k, v, mask: attend(q, k, v, mask, 1.0))(q, k, v, mask)


@misconception("grouped_query_attention")
def scale_sqrt_dmodel(q, k, v, mask=None):
    """The scale uses the size of the whole model, all heads together. Each head takes dot products of length Dh only.

    缩放用了整个模型的维度（所有头加在一起）。每个头的点积长度只有 Dh。
    """
    return grouped(lambda q, k, v, mask: attend(q, k, v, mask, (q.shape[1] * q.shape[-1]) ** -0.5))(q, k, v, mask)


@misconception("grouped_query_attention")
def softmax_over_queries(q, k, v, mask=None):
    """Softmax runs over the queries. It belongs on the keys, the last dimension of the scores.

    softmax 沿查询做了归一化。它应作用于键，即分数的最后一维。
    """
    return grouped(lambda q, k, v, mask: attend(q, k, v, mask, dim=-2))(q, k, v, mask)


@misconception("grouped_query_attention")
def softmax_dim1(q, k, v, mask=None):
    """Softmax runs over dimension 1 and makes the heads compete. It belongs on the keys, the last dimension of the
    scores.

    softmax 沿第 1 维进行，让头与头互相竞争。它应作用于键，即分数的最后一维。
    """
    return grouped(lambda q, k, v, mask: attend(q, k, v, mask, dim=1))(q, k, v, mask)


@misconception("grouped_query_attention")
def mask_ignored(q, k, v, mask=None):
    """The mask is accepted and never used: hidden keys keep their weight.

    接收了掩码却没有使用：被遮住的键仍保有权重。
    """
    return grouped()(q, k, v)


@misconception("grouped_query_attention")
def mask_inverted(q, k, v, mask=None):
    """The mask is read the wrong way round. Here True means: may attend.

    掩码的含义弄反了。这里 True 表示可以看见。
    """
    return grouped()(q, k, v, None if mask is None else ~mask)


@misconception("grouped_query_attention")
def mask_after_softmax(q, k, v, mask=None):
    """Hidden weights are set to 0 after softmax, so the visible ones no longer sum to 1. Hide the scores before
    softmax.

    在 softmax 之后才把被遮住的权重置 0，可见的权重之和不再是 1。应在 softmax 之前遮住分数。
    """

    def late(q, k, v, mask):
        weights = attend(q, k, v)[1] * (1 if mask is None else mask)
        return weights @ v, weights

    return grouped(late)(q, k, v, mask)


@misconception("grouped_query_attention")
def mask_after_softmax_renorm(q, k, v, mask=None):
    """Hidden weights are set to 0 after softmax and the rest is divided by its sum. A hidden score that dwarfs the
    others leaves 0 divided by 0. Hide the scores before softmax.

    在 softmax 之后把被遮住的权重置 0，再除以剩余之和。若某个被遮住的分数远超其余，就会变成 0 除以 0。
    应在 softmax 之前遮住分数。
    """

    def late(q, k, v, mask):
        weights = attend(q, k, v)[1] * (1 if mask is None else mask)
        weights = weights / weights.sum(-1, keepdim=True)
        return weights @ v, weights

    return grouped(late)(q, k, v, mask)


@misconception("grouped_query_attention")
def fill_1e9(q, k, v, mask=None):
    """Hidden scores are set to -1e9, which float16 cannot hold: an error. Use minus infinity, or the lowest number of
    the dtype.

    被遮住的分数设成了 -1e9，float16 存不下，会报错。应使用负无穷，或该 dtype 的最小值。
    """
    return grouped(lambda q, k, v, mask: attend(q, k, v, mask, fill=-1e9))(q, k, v, mask)


@misconception("grouped_query_attention")
def swap_return(q, k, v, mask=None):
    """The two results come in the wrong order: first the output, then the weights.

    两个返回值的顺序反了：先输出，后权重。
    """
    return grouped()(q, k, v, mask)[::-1]


@misconception("grouped_query_attention")
def only_output(q, k, v, mask=None):
    """Only the output is returned. The weights are asked for as well.

    只返回了输出，还应当返回权重。
    """
    return grouped()(q, k, v, mask)[0]


def at_once(order, repeated, other, attention):
    """Two mistakes at once: a wrong order of the heads and a wrong attention."""
    functions = {"repeat_kv": repeated, "grouped_query_attention": grouped(attention, repeated)}
    said = Text(*(" ".join(parts) for parts in zip(order.message, other.message, strict=True)))
    return Misconception(f"{order.name}_and_{other.name}", functions, said)


PAIRS = [
    at_once(order, repeated, other, attention)
    for order, repeated in (
        (tile_repeat, lambda x, n_rep: x.repeat(1, n_rep, 1, 1)),
        (reversed_groups, lambda x, n_rep: repeat(x.flip(1), n_rep)),
    )
    for other, attention in (
        (no_scale, lambda q, k, v, mask: attend(q, k, v, mask, 1.0)),
        (softmax_over_queries, lambda q, k, v, mask: attend(q, k, v, mask, dim=-2)),
        (mask_ignored, lambda q, k, v, mask: attend(q, k, v)),
        (mask_inverted, lambda q, k, v, mask: attend(q, k, v, None if mask is None else ~mask)),
    )
]
