"""Hidden suite for scaled dot-product attention.

Not in the bank, because right for the masks and scores that the course allows (every row of a mask has a True, allowed
scores lie within +-5,000): filling with -1e4, adding -1e9 (in float16 it becomes -inf), and not treating rows in which
everything is hidden. Detached weights are right too: gradients are asked of the output only.
"""

import math

import torch

from grader.suitekit import Misconception, Text, dtypes, error_bound, expect, expect_close, facts, misconception, points

LEAK = 1e-6  # what a hidden key may get at most


@error_bound("scaled_dot_product_attention")
def attention_bound(q, k, v, mask=None):
    # A score is a sum of Dh products, rounded at each step, of q and k rounded once, and scaled: its error is at most
    # eps (Dh / 2 + 4) reach with reach = sum |q||k| / sqrt(Dh). Softmax takes it times the weight, plus the average of
    # all scores' errors, plus its own: eps (|score| + |maximum| + T_kv + 8), with |score| <= reach.
    # The output adds T_kv products of weights and values one after another. A hidden key may keep a weight of LEAK.
    reach = q.abs() @ k.abs().transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.expand(scores.shape)
    weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
    reach = reach.masked_fill(hidden, 0.0)
    exponents = (q.shape[-1] / 2 + 5) * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + k.shape[-2] + 8
    leak = hidden * LEAK / torch.finfo(torch.float32).eps
    return (weights * (total + k.shape[-2] + 4)) @ v.abs(), weights * total + leak


def inputs(make, *lead, t_q=5, t_kv=7, dh=6, dv=4):
    """Random q, k, v with these leading dimensions."""
    return make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh), make.normal(*lead, t_kv, dv)


@points(2)
def test_definition(golden, make, dtype):
    """The output is softmax(q k^T / sqrt(Dh)) v, and the weights are returned beside it, for any leading dimensions.

    输出为 softmax(q k^T / sqrt(Dh)) v，同时返回权重；前面可以有任意多个维度。
    """
    golden.scaled_dot_product_attention(*inputs(make, t_q=2, t_kv=3))
    golden.scaled_dot_product_attention(*inputs(make, 2))
    golden.scaled_dot_product_attention(*inputs(make, 2, 3))


@points(1)
def test_scale(student, golden, make):
    """Scores are divided by the square root of Dh, the size of one query vector, whatever the other sizes are.

    分数要除以 Dh（单个查询向量的长度）的平方根，与其他尺寸无关。
    """
    for dh, t_kv, lead in ((2, 3, ()), (1, 4, ()), (9, 5, (2,)), (16, 3, (2, 3)), (64, 5, (1, 2))):
        q, k, v = inputs(make, *lead, t_kv=t_kv, dh=dh)
        _, weights = student.scaled_dot_product_attention(q, k, v)
        gaps = (q @ k.transpose(-2, -1)).double().diff(dim=-1)
        scale = float((weights.double().log().diff(dim=-1) * gaps).sum() / gaps.square().sum())
        expect(
            math.isnan(scale) or abs(scale * math.sqrt(dh) - 1) < 1e-3,
            f"with Dh={dh} the weights belong to scores multiplied by {scale:.4g}; due is {1 / math.sqrt(dh):.4g}",
            f"Dh={dh} 时，权重相当于分数乘了 {scale:.4g}；应为 {1 / math.sqrt(dh):.4g}",
        )
        golden.scaled_dot_product_attention(q, k, v)


@points(1)
def test_laws(student, golden, make):
    """Each query's weights over the keys sum to 1, the output is their mix of the values, and the order of keys is
    free.

    每个查询在各个键上的权重之和为 1；输出是按这些权重混合的值；键的先后顺序无关紧要。
    """
    for lead in ((), (2,), (2, 3)):
        q, k, v = inputs(make, *lead)
        output, weights = student.scaled_dot_product_attention(q, k, v)
        en, zh = "the weights of a query do not sum to 1 over the keys", "某个查询在各个键上的权重之和不为 1"
        expect_close(weights.sum(-1), 1.0, 1e-5, en, zh)
        expect_close(output, weights @ v, 1e-4, "the output is not weights @ v", "输出不等于 weights @ v")
        other, _ = student.scaled_dot_product_attention(q, k.flip(-2), v.flip(-2))
        en, zh = "reversing the order of keys and values changes the output", "颠倒键和值的顺序后，输出变了"
        expect_close(other, output, 1e-4, en, zh)
        golden.scaled_dot_product_attention(q, k, v)


@points(2)
def test_mask(golden, make, dtype):
    """A key is seen where the mask is True and gets no weight where it is False, however the mask broadcasts.

    掩码为 True 处的键可见，为 False 处的键得不到权重；掩码可按任意方式广播。
    """
    for lead, shape in (((), (5, 7)), ((2,), (2, 1, 7)), ((2, 3), (3, 5, 7)), ((2, 3), (2, 1, 5, 7))):
        mask = make.mask(*shape)
        _, weights = golden.scaled_dot_product_attention(*inputs(make, *lead), mask=mask)
        en, zh = "a hidden key has a weight of 1e-6 or more", "被遮住的键仍有不小于 1e-6 的权重"
        expect(weights[~mask.expand(weights.shape)] < LEAK, en, zh)


@points(1.2)
def test_scores_far_from_zero(student, golden, make, dtype):
    """Scores in the thousands do no harm: neither allowed ones, large or small, nor hidden ones that dwarf the rest.

    数以千计的分数也不出错：可见的分数无论极大还是极小，被遮住的分数即使远超其余，都没有影响。
    """
    q, v = make.tensor([[40.0] * 6] * 2), make.normal(3, 4)
    near, high, low = [0.0] * 6, [50.0] * 6, [-50.0] * 6  # scores 0, 4899, -4899
    for keys, rows, seen in (
        ([near, high, low], None, [1, 1]),
        ([high, near, low], [[False, True, True], [False, False, True]], [1, 2]),
        ([low, near, high], [[True, False, False], [False, True, False]], [0, 1]),
    ):
        mask = {} if rows is None else {"mask": torch.tensor(rows, device=q.device)}
        output, weights = student.scaled_dot_product_attention(q, make.tensor(keys), v, **mask)
        one_hot = torch.nn.functional.one_hot(torch.tensor(seen, device=q.device), 3)
        en = "the key that outweighs all other visible ones does not get weight 1, or another gets some"
        zh = "远超其他可见键的那个键没有得到权重 1，或者别的键分到了权重"
        expect_close(weights, one_hot, LEAK, en, zh)
        expect_close(output, v[seen], 1e-5, "the output is not that key's value", "输出不是那个键对应的值")
    mask = torch.tensor([[True, True, False]] * 2, device=q.device)
    golden.scaled_dot_product_attention(q, make.tensor([near, near, high]), v, mask=mask)


@points(0.5)
def test_special_sizes(golden, make):
    """Sizes of 1, sizes that coincide, masks of fewer dimensions and masks that hide nothing are no special case.

    尺寸为 1 或彼此相等、掩码维数较少、掩码什么都不遮住时，都没有例外。
    """
    for lead, t_q, t_kv, dh, dv in (
        ((), 1, 1, 1, 1), ((), 1, 5, 3, 2), ((2,), 5, 1, 3, 2), ((3,), 3, 3, 3, 3), ((2, 2), 2, 2, 2, 2),
        ((1, 1), 4, 4, 2, 2), ((2, 1, 3), 2, 4, 3, 2),
    ):  # fmt: skip
        golden.scaled_dot_product_attention(*inputs(make, *lead, t_q=t_q, t_kv=t_kv, dh=dh, dv=dv))
    golden.scaled_dot_product_attention(*inputs(make, 3, t_q=3, t_kv=3, dh=3, dv=3), mask=make.mask(3, 3))
    for shape in ((1, 7), (5, 7), (2, 3, 5, 7)):
        golden.scaled_dot_product_attention(*inputs(make, 2, 3), mask=make.mask(*shape))
    golden.scaled_dot_product_attention(*inputs(make, 2), mask=make.mask(5, 7) | True)


@points(1)
@dtypes("float32", "float64")
def test_gradient(gradients, make, dtype):
    """Gradients flow from the output to queries, keys and values, and none to what is hidden.

    梯度从输出传回查询、键和值；被遮住的部分没有梯度。
    """
    gradients.of(0).scaled_dot_product_attention(*inputs(make, t_q=2, t_kv=3))
    gradients.of(0).scaled_dot_product_attention(*inputs(make, 2, 3))
    gradients.of(0).scaled_dot_product_attention(*inputs(make, 2, 3), mask=make.mask(2, 1, 5, 7))


@points(0.5)
def test_memory_layout(golden, make):
    """The layout of the inputs in memory does not matter: transposed and expanded tensors and masks work as well.

    输入在内存中的排布不影响结果：转置或 expand 得到的张量和掩码同样适用。
    """
    q, k, v = (t.transpose(1, 2) for t in (make.normal(2, 5, 3, 6), make.normal(2, 7, 3, 6), make.normal(2, 7, 3, 4)))
    golden.scaled_dot_product_attention(q, k, v)
    golden.scaled_dot_product_attention(*(make.strided(t) for t in inputs(make)), mask=make.strided(make.mask(5, 7)))
    k, v = make.normal(2, 1, 7, 6).expand(2, 3, 7, 6), make.normal(2, 1, 7, 4).expand(2, 3, 7, 4)
    golden.scaled_dot_product_attention(q, k, v, mask=make.mask(2, 1, 1, 7).expand(2, 1, 5, 7))


@points(0.4)
def test_inputs_unchanged(untouched, golden, make):
    """Queries, keys, values and mask are left as they were.

    查询、键、值和掩码都保持原样。
    """
    q, k, v = inputs(make, 2, 3)
    mask = make.mask(5, 7)
    untouched.scaled_dot_product_attention(q[0, 0], k[0, 0], v[0, 0])
    untouched.scaled_dot_product_attention(q, k, v, mask=mask)
    golden.scaled_dot_product_attention(q, k, v, mask=mask)


@points(0.4)
def test_device(contract, golden, make):
    """Whatever is made on the way is made on the device of the inputs.

    计算途中创建的张量都位于输入所在的设备上。
    """
    q, k, v = inputs(make, 2, 3)
    mask = make.mask(5, 7)
    contract.scaled_dot_product_attention(q[0, 0], k[0, 0], v[0, 0])
    contract.scaled_dot_product_attention(q, k, v, mask=mask)
    golden.scaled_dot_product_attention(q, k, v, mask=mask)


def attend(q, k, v, mask=None, scale=None, fill=-math.inf, dim=-1):
    """The right formula, with places to go wrong."""
    scores = q @ k.transpose(-2, -1) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(~mask, fill)
    weights = scores.softmax(dim)
    return weights @ v, weights


@facts("scaled_dot_product_attention")
def seen(result, q, k, v, mask=None):
    output, weights = result
    rows, columns = weights.sum(-1), weights.sum(-2)
    if not bool(((rows - 1).abs() < 1e-3).all()):
        low, high = float(rows.min()), float(rows.max())
        yield Text(
            f"the weights of a query sum to {low:.4g} to {high:.4g}, not to 1",
            f"每个查询的权重之和为 {low:.4g} 到 {high:.4g}，而不是 1",
        )
        if bool(((columns - 1).abs() < 1e-3).all()):
            yield Text(
                "those of a key do: the normalisation runs over the queries",
                "每个键的权重之和却是 1：归一化是沿查询进行的",
            )
    if mask is not None and bool((weights.masked_select(~mask.expand(weights.shape)) > 1e-6).any()):
        yield Text("hidden keys have weight", "被遮住的键仍有权重")
    if mask is None and bool((weights > 0).all()) and q.shape[-1] > 1 and k.shape[-2] > 1:
        scores = q @ k.transpose(-2, -1)
        gaps, logs = scores.diff(dim=-1), weights.log().diff(dim=-1)
        slope = float((gaps * logs).sum() / gaps.square().sum().clamp_min(1e-30))
        if bool(((logs - slope * gaps).abs() <= 1e-3 * (1 + logs.abs())).all()):
            due = 1 / math.sqrt(q.shape[-1])
            if abs(slope - due) > 1e-3 * due:
                yield Text(
                    f"the weights are those of q k^T times {slope:.4g}; due is {due:.4g}",
                    f"权重相当于 q k^T 乘以 {slope:.4g}；应为 {due:.4g}",
                )
        else:
            yield Text("the weights are not those of q k^T times any number", "权重不是 q k^T 乘以任何一个数所得")
    if not torch.allclose(output, weights @ v, rtol=1e-3, atol=1e-3):
        yield Text("the output is not the returned weights times v", "output 不等于返回的权重乘以 v")


@misconception("scaled_dot_product_attention")
def no_scale(q, k, v, mask=None):
    """The scores are not scaled. Their spread grows with Dh, softmax then picks one key nearly alone and its gradient
    fades. Divide by the square root of Dh.

    分数没有缩放。它们的离散程度随 Dh 增大，softmax 几乎只选中一个键，梯度随之消失。应除以 Dh 的平方根。
    """
    return attend(q, k, v, mask, 1.0)


@misconception("scaled_dot_product_attention")
def scale_d(q, k, v, mask=None):
    """The scores are divided by Dh instead of its square root, so the weights are too even.

    分数除以了 Dh，而不是它的平方根，权重因此过于平均。
    """
    return attend(q, k, v, mask, 1 / q.shape[-1])


@misconception("scaled_dot_product_attention")
def scale_mul_sqrt(q, k, v, mask=None):
    """The scores are multiplied by the square root of Dh instead of divided by it, which makes the large scores
    larger still.

    分数乘上了 Dh 的平方根，而不是除以它，大的分数变得更大。
    """
    return attend(q, k, v, mask, math.sqrt(q.shape[-1]))


@misconception("scaled_dot_product_attention")
def scale_sqrt_kv_len(q, k, v, mask=None):
    """The scale uses T_kv, the number of keys. It is the length of the vectors (Dh) that makes dot products grow.

    缩放用了 T_kv，即键的个数。让点积变大的是向量的长度 Dh。
    """
    return attend(q, k, v, mask, 1 / math.sqrt(k.shape[-2]))


@misconception("scaled_dot_product_attention")
def scale_sqrt_q_len(q, k, v, mask=None):
    """The scale uses T_q, the number of queries. It is the length of the vectors (Dh) that makes dot products grow.

    缩放用了 T_q，即查询的个数。让点积变大的是向量的长度 Dh。
    """
    return attend(q, k, v, mask, 1 / math.sqrt(q.shape[-2]))


@misconception("scaled_dot_product_attention")
def scale_sqrt_dv(q, k, v, mask=None):
    """The scale uses Dv, the length of a value. Values take no part in the scores; queries and keys have length Dh.

    缩放用了值的长度 Dv。值并不参与打分；查询和键的长度是 Dh。
    """
    return attend(q, k, v, mask, 1 / math.sqrt(v.shape[-1]))


@misconception("scaled_dot_product_attention")
def scale_sqrt_dmodel(q, k, v, mask=None):
    """The scale uses the size of the whole model, all heads together. Each head takes dot products of length Dh only.

    缩放用了整个模型的维度（所有头加在一起）。每个头的点积长度只有 Dh。
    """
    heads = q.shape[-3] if q.dim() > 2 else 1
    return attend(q, k, v, mask, 1 / math.sqrt(heads * q.shape[-1]))


@misconception("scaled_dot_product_attention")
def scale_64(q, k, v, mask=None):
    """The scale is the number 1/8, right for Dh = 64 only. Take Dh from the shape of q.

    缩放写死为 1/8，只在 Dh = 64 时正确。应从 q 的形状读取 Dh。
    """
    return attend(q, k, v, mask, 1 / 8)


@misconception("scaled_dot_product_attention")
def scale_after_softmax(q, k, v, mask=None):
    """The weights are scaled instead of the scores, so they sum to less than 1. Scale before softmax.

    缩放的是权重而不是分数，权重之和因此小于 1。应在 softmax 之前缩放。
    """
    _, weights = attend(q, k, v, mask, 1.0)
    weights = weights / math.sqrt(q.shape[-1])
    return weights @ v, weights


@misconception("scaled_dot_product_attention")
def softmax_over_queries(q, k, v, mask=None):
    """Softmax runs over the queries: each key is shared out among the queries. Each query must share itself out among
    the keys, the last dimension of the scores.

    softmax 沿查询做了归一化：变成每个键分给各个查询。应当是每个查询分给各个键，即分数的最后一维。
    """
    return attend(q, k, v, mask, dim=-2)


@misconception("scaled_dot_product_attention")
def softmax_dim1(q, k, v, mask=None):
    """Softmax runs over dimension 1. With heads in front that compares heads with each other; count the dimension
    from the back.

    softmax 沿第 1 维进行。前面有头的维度时，那是在头与头之间比较；维度应从后往前数。
    """
    return attend(q, k, v, mask, dim=1)


@misconception("scaled_dot_product_attention")
def softmax_dim0(q, k, v, mask=None):
    """Softmax runs over dimension 0, so examples of a batch compete with each other. It belongs on the keys, the last
    dimension.

    softmax 沿第 0 维进行，同一批的样本互相竞争。它应作用于键，即最后一维。
    """
    return attend(q, k, v, mask, dim=0)


@misconception("scaled_dot_product_attention")
def no_softmax(q, k, v, mask=None):
    """The scores are used as weights without softmax: they may be negative and do not sum to 1.

    没有做 softmax，直接把分数当作权重：它们可能为负，和也不为 1。
    """
    weights = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = weights if mask is None else weights.masked_fill(~mask, 0)
    return weights @ v, weights


@misconception("scaled_dot_product_attention")
def sigmoid_weights(q, k, v, mask=None):
    """Each score is squashed by itself (a sigmoid). The keys of a query have to compete for a total of 1.

    每个分数各自经过 sigmoid。同一查询的各个键应当竞争总量为 1 的权重。
    """
    weights = torch.sigmoid(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]))
    weights = weights if mask is None else weights.masked_fill(~mask, 0)
    return weights @ v, weights


@misconception("scaled_dot_product_attention")
def scores_transposed(q, k, v, mask=None):
    """The scores are k q^T: rows belong to keys, columns to queries. With as many keys as queries nothing complains.
    Row i must belong to query i.

    分数算成了 k q^T：行属于键，列属于查询。键与查询一样多时不会报错。第 i 行应属于第 i 个查询。
    """
    return attend(k, q, v, mask)


@misconception("scaled_dot_product_attention")
def k_reshaped_not_transposed(q, k, v, mask=None):
    """The keys are reshaped to [..., Dh, T_kv], which has the right shape but mixes the entries of different keys.
    The last two axes have to be exchanged.

    把键 reshape 成了 [..., Dh, T_kv]：形状对，不同键的元素却混在了一起。应当交换最后两个轴。
    """
    return attend(q, k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]).transpose(-2, -1), v, mask)


@misconception("scaled_dot_product_attention")
def k_dot_t(q, k, v, mask=None):
    """All axes of the keys are reversed (as `.T` does), also batch and heads. Exchange the last two only.

    键的所有轴都被颠倒了（`.T` 的行为），连批次和头也在内。只应交换最后两个轴。
    """
    return attend(q, k.permute(*range(k.dim() - 1, -1, -1)).transpose(-2, -1), v, mask)


@misconception("scaled_dot_product_attention")
def out_uses_k(q, k, v, mask=None):
    """The weights mix the keys instead of the values. Keys are for matching; what is handed on is v.

    权重混合的是键而不是值。键只用于匹配，真正传递的内容是 v。
    """
    return attend(q, k, k, mask)


@misconception("scaled_dot_product_attention")
def out_weights_transposed(q, k, v, mask=None):
    """The weights are transposed before they meet the values, so the output follows the keys instead of the queries.

    权重在与值相乘之前被转置，输出的行对应的是键而不是查询。
    """
    _, weights = attend(q, k, v, mask)
    return weights.transpose(-2, -1) @ v, weights


@misconception("scaled_dot_product_attention")
def normalises_q_k(q, k, v, mask=None):
    """Queries and keys are normalised to length 1 first (cosine similarity). Attention keeps their lengths: a long
    key may ask for more weight.

    查询和键先被归一化为单位长度（余弦相似度）。注意力保留它们的长度：较长的键可以要求更多权重。
    """
    return attend(q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True), v, mask)


@misconception("scaled_dot_product_attention")
def adds_causal_always(q, k, v, mask=None):
    """Later keys are hidden although nobody asked for it. Only the mask that is passed in decides what is hidden.

    没有人要求，靠后的键却被遮住了。遮住什么只由传入的掩码决定。
    """
    causal = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).tril()
    return attend(q, k, v, causal if mask is None else mask & causal)


@misconception("scaled_dot_product_attention")
def residual_added(q, k, v, mask=None):
    """The query is added to the output. The residual connection belongs to the block around attention.

    输出里加上了查询。残差连接属于注意力外面的模块。
    """
    output, weights = attend(q, k, v, mask)
    return (output + q if output.shape == q.shape else output + q.mean(-1, keepdim=True)), weights


@misconception("scaled_dot_product_attention")
def swap_return(q, k, v, mask=None):
    """The two results come in the wrong order: first the output, then the weights.

    两个返回值的顺序反了：先输出，后权重。
    """
    return attend(q, k, v, mask)[::-1]


@misconception("scaled_dot_product_attention")
def only_output(q, k, v, mask=None):
    """Only the output is returned. The weights are asked for as well.

    只返回了输出，还应当返回权重。
    """
    return attend(q, k, v, mask)[0]


@misconception("scaled_dot_product_attention")
def returns_scores(q, k, v, mask=None):
    """The second result holds the scores before softmax. It should be the weights after it.

    第二个返回值是 softmax 之前的分数，应当是 softmax 之后的权重。
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return attend(q, k, v, mask)[0], scores if mask is None else scores.masked_fill(~mask, -math.inf)


@misconception("scaled_dot_product_attention")
def inplace_q(q, k, v, mask=None):
    """The queries are scaled in place, so the caller's tensor changes and a second call scales it again. Make a new
    tensor.

    直接在原张量上缩放查询：调用者的张量被改动，再次调用又会缩放一次。应当得到一个新张量。
    """
    q *= 1 / math.sqrt(q.shape[-1])
    return attend(q, k, v, mask, 1.0)


@misconception("scaled_dot_product_attention")
def no_gradient(q, k, v, mask=None):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing before it could learn.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），它之前的层将学不到任何东西。
    """
    return attend(q.detach(), k.detach(), v.detach(), mask)


@misconception("scaled_dot_product_attention")
def mask_ignored(q, k, v, mask=None):
    """The mask is accepted and never used: hidden keys keep their weight.

    接收了掩码却没有使用：被遮住的键仍保有权重。
    """
    return attend(q, k, v)


@misconception("scaled_dot_product_attention")
def mask_inverted(q, k, v, mask=None):
    """The mask is read the wrong way round. Here True means: may attend.

    掩码的含义弄反了。这里 True 表示可以看见。
    """
    return attend(q, k, v, None if mask is None else ~mask)


@misconception("scaled_dot_product_attention")
def mask_after_softmax(q, k, v, mask=None):
    """Hidden weights are set to 0 after softmax, so the visible ones no longer sum to 1. Hide the scores before
    softmax.

    在 softmax 之后才把被遮住的权重置 0，可见的权重之和不再是 1。应在 softmax 之前遮住分数。
    """
    _, weights = attend(q, k, v)
    weights = weights if mask is None else weights * mask
    return weights @ v, weights


@misconception("scaled_dot_product_attention")
def mask_after_softmax_renorm(q, k, v, mask=None):
    """Hidden weights are set to 0 after softmax and the rest is divided by its sum. A hidden score that dwarfs the
    others leaves 0 divided by 0. Hide the scores before softmax.

    在 softmax 之后把被遮住的权重置 0，再除以剩余之和。若某个被遮住的分数远超其余，就会变成 0 除以 0。
    应在 softmax 之前遮住分数。
    """
    _, weights = attend(q, k, v)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True)
    return weights @ v, weights


@misconception("scaled_dot_product_attention")
def mask_multiplied(q, k, v, mask=None):
    """Hidden scores become 0, and exp(0) = 1: they still get weight. They have to go where the exponential vanishes.

    被遮住的分数变成 0，而 exp(0) = 1：它们仍有权重。应把它们送到指数趋于 0 的地方。
    """
    return attend(q, k, v, mask, fill=0.0)


@misconception("scaled_dot_product_attention")
def mask_added_as_number(q, k, v, mask=None):
    """The mask is added to the scores as 0 and 1: visible keys gain 1, hidden ones stay. Hidden scores must go far
    down instead.

    把掩码当作 0 和 1 加到了分数上：可见的键加 1，被遮住的键不变。应当把被遮住的分数压到极低。
    """
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) + (0 if mask is None else mask)).softmax(-1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention")
def fill_1(q, k, v, mask=None):
    """Hidden scores are set to -1, a score like any other: hidden keys keep a good part of their weight.

    被遮住的分数设成了 -1，与普通分数无异：被遮住的键仍保有相当的权重。
    """
    return attend(q, k, v, mask, fill=-1.0)


@misconception("scaled_dot_product_attention")
def fill_100(q, k, v, mask=None):
    """Hidden scores are set to -100. Visible scores may be far lower, and then the hidden key wins.

    被遮住的分数设成了 -100。可见的分数可能低得多，那时胜出的反而是被遮住的键。
    """
    return attend(q, k, v, mask, fill=-100.0)


@misconception("scaled_dot_product_attention")
def fill_tiny(q, k, v, mask=None):
    """Hidden scores are set to a tiny positive number such as 1e-9, meant was a hugely negative one. That is a score
    of 0, and exp(0) = 1.

    被遮住的分数设成了 1e-9 之类极小的正数，本意应是极大的负数。那等于分数为 0，而 exp(0) = 1。
    """
    return attend(q, k, v, mask, fill=1e-9)


@misconception("scaled_dot_product_attention")
def fill_1e9(q, k, v, mask=None):
    """Hidden scores are set to -1e9, which float16 cannot hold: an error. Use minus infinity, or the lowest number of
    the dtype.

    被遮住的分数设成了 -1e9，float16 存不下，会报错。应使用负无穷，或该 dtype 的最小值。
    """
    return attend(q, k, v, mask, fill=-1e9)


@misconception("scaled_dot_product_attention")
def additive_inf_times_zero(q, k, v, mask=None):
    """The mask is turned into a number and multiplied by infinity: 0 times infinity is NaN, everywhere that nothing
    is hidden. Choose between two values instead of multiplying.

    把掩码变成数再乘以无穷：0 乘无穷是 NaN，凡是没有遮住的地方都出错。应在两个值之间选择，而不是相乘。
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + (~mask).to(q.dtype) * -math.inf
    weights = scores.softmax(-1)
    return weights @ v, weights


@misconception("scaled_dot_product_attention")
def mask_transposed(q, k, v, mask=None):
    """The mask is transposed: its rows are used for the keys. Row i of the mask belongs to query i.

    掩码被转置了，行被当成了键。掩码的第 i 行属于第 i 个查询。
    """
    return attend(q, k, v, None if mask is None else mask.transpose(-2, -1))


@misconception("scaled_dot_product_attention")
def mask_of_first_example(q, k, v, mask=None):
    """The mask of the first example (or head) is used for all of them. Let the mask broadcast as it is.

    所有样本（或头）都用了第一个的掩码。让掩码按原样广播即可。
    """
    return attend(q, k, v, mask if mask is None or mask.dim() < 3 else mask[:1])


@misconception("scaled_dot_product_attention")
def forces_float32(q, k, v, mask=None):
    """The results are always float32. Computing in float32 inside is fine, but they must come back in the dtype of
    the inputs.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回输入的 dtype。
    """
    return attend(q.float(), k.float(), v.float(), mask)


def with_scale(mistake, factor, other):
    """Two mistakes at once: `other`, with scores that are `factor(Dh)` times the right ones."""
    variant = other.functions["scaled_dot_product_attention"]

    def both_wrong(q, k, v, mask=None):
        return variant(q * factor(q.shape[-1]), k, v, mask)

    functions = {"scaled_dot_product_attention": both_wrong}
    return Misconception(f"{mistake.name}_and_{other.name}", functions, f"{mistake.message}\n\n{other.message}")


PAIRS = [
    with_scale(mistake, factor, other)
    for mistake, factor in ((no_scale, math.sqrt), (scale_d, lambda d: 1 / math.sqrt(d)), (scale_mul_sqrt, float))
    for other in (softmax_over_queries, mask_ignored, mask_inverted, mask_after_softmax, mask_multiplied)
]
