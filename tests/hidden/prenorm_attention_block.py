"""Hidden suite for the pre-norm attention block.

Not in the bank, because right: W_V W_O or W_Q W_K^T multiplied beforehand, RMSNorm borrowed from PyTorch with the eps
asked for. What can go wrong inside the normalisation or inside attention is in their own suites; a few of those
mistakes are repeated here.
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect_close, misconception, points

LEAK = 1e-6  # what a hidden key may get at most


@error_bound("prenorm_attention_block")
def block_bound(x, W, mask=None):
    # h is off by (D / 4 + 8) |h| (see rms_norm). A projection takes that over, times |W|, and adds its own D / 2 + 3.
    # A score takes over the errors of q and k, times the other, and its own: Dh products, scaled, reach = |q||k|^T /
    # sqrt(Dh). Softmax multiplies them by the weight, adds their average and its own (|score| + |maximum| + T + 8).
    # Mixing adds T products of weights and values, which are off themselves, W_O adds Dv; the sum is rounded once.
    # A hidden key may keep LEAK.
    w_q, w_k, w_v, w_o = W
    h = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6)

    def projected(w):
        return h @ w, (x.shape[-1] * 3 / 4 + 11) * (h.abs() @ w.abs())

    (q, q_off), (k, k_off), (v, v_off) = projected(w_q), projected(w_k), projected(w_v)
    root, keys = math.sqrt(q.shape[-1]), k.shape[-2]
    scores, reach = q @ k.mT / root, q.abs() @ k.abs().mT / root
    off = (q_off @ k.abs().mT + q.abs() @ k_off.mT) / root + (q.shape[-1] / 2 + 5) * reach
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.expand(scores.shape)
    scores, reach, off = scores.masked_fill(hidden, -math.inf), reach.masked_fill(hidden, 0), off.masked_fill(hidden, 0)
    weights = scores.softmax(-1)
    off = off + reach.amax(-1, keepdim=True)
    units = weights * (off + (weights * off).sum(-1, keepdim=True) + keys + 8)
    leak = hidden * LEAK / torch.finfo(torch.float32).eps
    mixed, mixed_off = weights @ v, (units + (keys + 4) * weights + leak) @ v.abs() + weights @ v_off
    update_off = (mixed_off + (v.shape[-1] / 2 + 4) * (weights @ v.abs())) @ w_o.abs()
    return update_off + x.abs() + (x + mixed @ w_o).abs()


def inputs(make, *lead, t=5, d=6, dh=3, dv=4):
    """Random tokens and matrices, so that scores are of the order of 1."""
    W = [make.normal(d, n, scale=d**-0.5) for n in (dh, dh, dv)]
    return make.normal(*lead, t, d, scale=2.0), [*W, make.normal(dv, d)]


def large(make, *lead, **sizes):
    """The same with entries around +-300, and updates as large."""
    x, (*W, w_o) = inputs(make, *lead, **sizes)
    return x + 300 * x.sign(), [*W, w_o * 200]


@points(2)
def test_definition(matches_reference, make, dtype):
    """The output is x plus attention over the normalised tokens, brought back to D channels by W_O.

    输出等于 x，加上对归一化后的词元所做的注意力，再由 W_O 变回 D 个通道。
    """
    matches_reference.prenorm_attention_block(*inputs(make, t=2, d=2, dh=1, dv=3))
    matches_reference.prenorm_attention_block(*inputs(make, t=3, d=4, dh=2, dv=5))
    matches_reference.prenorm_attention_block(*inputs(make, 2))


@points(1)
@dtypes("float16", "float32")
def test_mask(matches_reference, make, dtype):
    """A key is seen where the mask is True and gets no weight where it is False.

    掩码为 True 处的键可见，为 False 处的键得不到权重。
    """
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    matches_reference.prenorm_attention_block(*inputs(make, t=2), mask=causal[:2, :2])
    matches_reference.prenorm_attention_block(*inputs(make), mask=causal)
    matches_reference.prenorm_attention_block(*inputs(make, 2), mask=make.mask(2, 1, 5))
    matches_reference.prenorm_attention_block(*inputs(make, 2, 3), mask=make.mask(2, 1, 5, 5))


@points(0.75)
def test_nothing_to_add(student, matches_reference, make):
    """If W_O is 0, the tokens come out as they went in; a token of zeros does no harm.

    W_O 为 0 时，词元原样输出；全 0 的词元也不会出错。
    """
    for lead in ((), (2,)):
        x, W = inputs(make, *lead)
        same = student.prenorm_attention_block(x, [*W[:3], torch.zeros_like(W[3])])
        en, zh = "with W_O = 0 the output is not x", "W_O = 0 时输出不等于 x"
        expect_close(same, x.to(same.device), 1e-6, en, zh)
        matches_reference.prenorm_attention_block(x * torch.tensor([[1.0], [0], [1], [1], [0]]), W)


@points(1)
def test_update_has_its_own_size(student, matches_reference, make):
    """What is added to a token does not depend on how long the tokens are: only their directions count.

    加到词元上的更新量与词元的长短无关：起作用的只有方向。
    """
    for lead in ((), (2,)):
        x, W = inputs(make, *lead)
        update = student.prenorm_attention_block(x, W) - x
        factors = torch.tensor([[2.0], [8.0], [1.0], [16.0], [4.0]])
        other = student.prenorm_attention_block(x * factors, W) - x * factors
        en, zh = "longer tokens get another update", "词元变长之后，更新量变了"
        expect_close(other, update, 1e-3, en, zh)
        matches_reference.prenorm_attention_block(x, W)


@points(0.5)
def test_order_and_company(student, matches_reference, make):
    """Without a mask the order of the tokens is free, and examples of a batch do not notice each other.

    没有掩码时，词元的次序无关紧要；同一批的样本互不影响。
    """
    for b, t in ((2, 3), (3, 4)):
        x, W = inputs(make, b, t=t)
        output = student.prenorm_attention_block(x, W)
        reversed_ = student.prenorm_attention_block(x.flip(1), W).flip(1)
        en, zh = "reversing the tokens does not just reverse the outputs", "颠倒词元的次序后，输出不只是跟着颠倒"
        expect_close(reversed_, output, 1e-4, en, zh)
        alone = student.prenorm_attention_block(x[:1], W)
        en, zh = "an example gets something else when it is alone", "一个样本单独计算时结果不同"
        expect_close(alone, output[:1], 1e-4, en, zh)
        matches_reference.prenorm_attention_block(x, W)


@points(0.75)
@dtypes("float16", "float32")
def test_one_token(matches_reference, make, dtype):
    """A single token has only itself to listen to: it gets its own normalised value through W_V and W_O.

    只有一个词元时，它只能关注自己：得到的是它自己归一化之后经过 W_V 和 W_O 的结果。
    """
    x, W = inputs(make, t=1)
    matches_reference.prenorm_attention_block(x, W)
    matches_reference.prenorm_attention_block(x * 0, W)
    matches_reference.prenorm_attention_block(*large(make, 3, t=1, d=4), mask=torch.ones(1, 1, dtype=torch.bool))


@points(1)
def test_leading_dimensions(matches_reference, make):
    """Only the last two dimensions are tokens and channels; in front there may be none, one or more.

    只有最后两维是词元和通道；前面可以没有维度，可以有一个，也可以有多个。
    """
    for lead in ((), (1,), (3,), (2, 3), (2, 1, 3)):
        matches_reference.prenorm_attention_block(*inputs(make, *lead))


@points(0.5)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and sizes that coincide are no special case.

    尺寸为 1 或彼此相等时，都没有例外。
    """
    matches_reference.prenorm_attention_block(*inputs(make, 4, t=4, d=4, dh=4, dv=4))
    matches_reference.prenorm_attention_block(*inputs(make, 3, t=3, d=3, dh=3, dv=3), mask=make.mask(3, 3))
    for t, d, dh, dv in ((1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 2, 2), (3, 4, 1, 1)):
        matches_reference.prenorm_attention_block(*inputs(make, t=t, d=d, dh=dh, dv=dv))


@points(1.25)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to x, along the residual connection and through attention, and to all four matrices.

    梯度传回 x（既沿残差连接，也经过注意力）和四个矩阵。
    """
    matches_gradients.prenorm_attention_block(*inputs(make, t=3, d=4))
    matches_gradients.prenorm_attention_block(*inputs(make, 2))
    matches_gradients.prenorm_attention_block(*inputs(make, 2), mask=make.mask(2, 1, 5))


@points(0.75)
@dtypes("float16", "float32")
def test_large_entries(matches_reference, make, dtype):
    """Tokens with entries of several hundred are normalised without overflow, also in float16.

    分量达到几百的词元也能归一化而不溢出，float16 也一样。
    """
    matches_reference.prenorm_attention_block(*large(make, t=2))
    matches_reference.prenorm_attention_block(*large(make, 2), mask=make.mask(5, 5))


@points(0.5)
def test_memory_layout(matches_reference, make):
    """Tokens, matrices and mask may lie in memory in any order.

    词元、矩阵和掩码在内存中可按任意次序排布。
    """
    x, W = inputs(make, 2)
    matches_reference.prenorm_attention_block(
        make.strided(x), [make.strided(w) for w in W], mask=make.strided(make.mask(5, 5))
    )
    matches_reference.prenorm_attention_block(x[:1].expand(2, 5, 6), W, mask=make.mask(2, 1, 5).expand(2, 5, 5))


@points(0.5)
def test_inputs_unchanged(does_not_mutate, matches_reference, make):
    """Tokens, matrices and mask are left as they were.

    词元、矩阵和掩码保持原样。
    """
    for mask in ({}, {"mask": make.mask(5, 5)}):
        x, W = inputs(make, 2)
        does_not_mutate.prenorm_attention_block(x, W, **mask)
        matches_reference.prenorm_attention_block(x, W, **mask)


@points(0.5)
def test_device(stays_on_device, matches_reference, make):
    """Whatever is made on the way is made on the device of the inputs.

    计算途中创建的张量都位于输入所在的设备上。
    """
    for mask in ({}, {"mask": make.mask(2, 1, 5)}):
        x, W = inputs(make, 2)
        stays_on_device.prenorm_attention_block(x, W, **mask)
        matches_reference.prenorm_attention_block(x, W, **mask)


def rms(x, eps=1e-6):
    """RMSNorm."""
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)).to(x.dtype)


def attend(q, k, v, mask=None, scale=None, fill=-math.inf, dim=-1):
    """Attention, with places to go wrong."""
    scores = q @ k.mT * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(~mask, fill)
    return scores.softmax(dim) @ v


def update(h, W, mask=None, **wrong):
    """What attention over h adds."""
    return attend(h @ W[0], h @ W[1], h @ W[2], mask, **wrong) @ W[3]


@misconception("prenorm_attention_block")
def no_residual(x, W, mask=None):
    """x is not added: the block replaces the tokens instead of improving them, and with W_O = 0 nothing is left.

    没有加上 x：这一块把词元替换掉了，而不是改进它；W_O = 0 时什么也不剩。
    """
    return update(rms(x), W, mask)


@misconception("prenorm_attention_block")
def normalised_residual(x, W, mask=None):
    """The normalised tokens are added instead of x: the residual was taken after the norm. Keep x before you normalise.

    加上的是归一化之后的词元，而不是 x：残差取在了归一化之后。应在归一化之前保存 x。
    """
    return rms(x) + update(rms(x), W, mask)


@misconception("prenorm_attention_block")
def post_norm(x, W, mask=None):
    """The sum is normalised at the end (post-norm, as in the first transformer). Here the norm comes first, and the sum
    is left as it is.

    归一化放在了最后，作用于求和的结果（post-norm，最初的 Transformer 如此）。这里归一化在最前面，求和的结果不再改动。
    """
    return rms(x + update(x, W, mask))


@misconception("prenorm_attention_block")
def normed_twice(x, W, mask=None):
    """The norm comes first, as it should, and once more over the sum. The sum is left as it is.

    归一化如要求那样在最前面，但对求和的结果又做了一次。求和的结果不应再改动。
    """
    return rms(x + update(rms(x), W, mask))


@misconception("prenorm_attention_block")
def no_norm(x, W, mask=None):
    """Nothing is normalised: long tokens get sharper attention and larger updates.

    没有做归一化：较长的词元会得到更尖锐的注意力和更大的更新量。
    """
    return x + update(x, W, mask)


@misconception("prenorm_attention_block")
def update_normalised(x, W, mask=None):
    """The output of attention is normalised instead of its input. Normalise x before it is projected.

    归一化的是注意力的输出，而不是输入。应在投影之前归一化 x。
    """
    return x + rms(update(x, W, mask))


@misconception("prenorm_attention_block")
def values_from_raw_x(x, W, mask=None):
    """Queries and keys come from the normalised tokens, the values from x itself. All three come from the normalised
    ones.

    查询和键来自归一化后的词元，值却来自 x 本身。三者都应来自归一化后的词元。
    """
    h = rms(x)
    return x + attend(h @ W[0], h @ W[1], x @ W[2], mask) @ W[3]


@misconception("prenorm_attention_block")
def keys_and_values_from_raw_x(x, W, mask=None):
    """Only the queries come from the normalised tokens; keys and values come from x itself. All three come from the
    normalised ones.

    只有查询来自归一化后的词元，键和值来自 x 本身。三者都应来自归一化后的词元。
    """
    return x + attend(rms(x) @ W[0], x @ W[1], x @ W[2], mask) @ W[3]


@misconception("prenorm_attention_block")
def no_w_o(x, W, mask=None):
    """W_O is not used: what attention found is added as it is (where the widths agree at all). It has to be brought
    back to D channels first.

    没有用到 W_O：直接加上了注意力的结果（宽度不同时根本加不上）。应先由 W_O 变回 D 个通道。
    """
    h = rms(x)
    return x + attend(h @ W[0], h @ W[1], h @ W[2], mask)


@misconception("prenorm_attention_block")
def no_scale(x, W, mask=None):
    """The scores are not scaled. Divide by the square root of Dh, also after normalising: the norm makes channels of
    size 1, and a dot product adds Dh of them.

    分数没有缩放。即使归一化过，也应除以 Dh 的平方根：归一化使各通道大小约为 1，而点积要把 Dh 个这样的乘积相加。
    """
    return x + update(rms(x), W, mask, scale=1.0)


@misconception("prenorm_attention_block")
def no_scale_no_w_o(x, W, mask=None):
    """Two things are missing: the scores are not divided by the square root of Dh, and W_O is not used.

    少了两样：分数没有除以 Dh 的平方根，也没有用到 W_O。
    """
    h = rms(x)
    return x + attend(h @ W[0], h @ W[1], h @ W[2], mask, 1.0)


@misconception("prenorm_attention_block")
def scale_d(x, W, mask=None):
    """The scale uses D, the width of a token. Queries and keys have length Dh.

    缩放用了词元的宽度 D。查询和键的长度是 Dh。
    """
    return x + update(rms(x), W, mask, scale=1 / math.sqrt(x.shape[-1]))


@misconception("prenorm_attention_block")
def scale_dh(x, W, mask=None):
    """The scores are divided by Dh instead of its square root.

    分数除以了 Dh，而不是它的平方根。
    """
    return x + update(rms(x), W, mask, scale=1 / W[0].shape[-1])


@misconception("prenorm_attention_block")
def all_axes_reversed(x, W, mask=None):
    """All axes of the keys are reversed, as `.T` does, so a batch is an error or, with sizes that coincide, wrong
    numbers. Exchange the last two axes only.

    键的所有轴都被颠倒了（`.T` 就会这样）：带批次时会报错，或在尺寸恰好相等时算错。只应交换最后两个轴。
    """
    h = rms(x)
    k = h @ W[1]
    return x + attend(h @ W[0], k.permute(*range(k.dim() - 1, -1, -1)).mT, h @ W[2], mask) @ W[3]


@misconception("prenorm_attention_block")
def layer_norm(x, W, mask=None):
    """The mean is subtracted before dividing: that is LayerNorm. RMSNorm only divides.

    做除法之前先减去了均值：那是 LayerNorm。RMSNorm 只做除法。
    """
    return x + update(rms(x - x.mean(-1, keepdim=True)), W, mask)


@misconception("prenorm_attention_block")
def softmax_as_norm(x, W, mask=None):
    """The tokens go through softmax before attention. Softmax makes shares out of scores; a token needs RMSNorm, which
    keeps its signs and its direction.

    注意力之前，词元先经过了 softmax。softmax 把分数变成份额；词元需要的是 RMSNorm，它保留符号和方向。
    """
    return x + update(x.softmax(-1), W, mask)


@misconception("prenorm_attention_block")
def unit_length(x, W, mask=None):
    """Tokens are brought to length 1 instead of root mean square 1: the squares were added but not divided by D.

    词元的长度被调整为 1，而不是均方根为 1：平方相加之后没有除以 D。
    """
    return x + update(rms(x) / math.sqrt(x.shape[-1]), W, mask)


@misconception("prenorm_attention_block")
def norm_over_tokens(x, W, mask=None):
    """The norm runs over the tokens instead of over the channels. Each token is normalised by itself.

    归一化沿词元的方向进行，而不是沿通道。每个词元应单独归一化。
    """
    return x + update(rms(x.mT).mT, W, mask)


@misconception("prenorm_attention_block")
def squares_in_float16(x, W, mask=None):
    """The squares of the norm are computed in the dtype of x: in float16 those of several hundred are infinite, and the
    update becomes 0 or NaN. Normalise in float32.

    归一化中的平方是用 x 的 dtype 计算的：float16 下，几百的平方就是无穷大，更新量会变成 0 或 NaN。
    应在 float32 中归一化。
    """
    return x + update(x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6), W, mask)


@misconception("prenorm_attention_block")
def eps_left_out(x, W, mask=None):
    """The norm has no eps, so a token of zeros becomes 0 / 0 = NaN, and every token that looks at it as well.

    归一化没有加 eps：全 0 的词元变成 0 / 0 = NaN，看得见它的所有词元也跟着变成 NaN。
    """
    return x + update(rms(x, 0.0), W, mask)


@misconception("prenorm_attention_block")
def softmax_over_queries(x, W, mask=None):
    """Softmax runs over the queries. Each query must share itself out among the keys, the last dimension.

    softmax 沿查询做了归一化。每个查询应把自己分给各个键，即最后一维。
    """
    return x + update(rms(x), W, mask, dim=-2)


@misconception("prenorm_attention_block")
def mask_ignored(x, W, mask=None):
    """The mask is accepted and never used: hidden tokens keep their weight.

    接收了掩码却没有使用：被遮住的词元仍保有权重。
    """
    return x + update(rms(x), W)


@misconception("prenorm_attention_block")
def mask_inverted(x, W, mask=None):
    """The mask is read the wrong way round. Here True means: may attend.

    掩码的含义弄反了。这里 True 表示可以关注。
    """
    return x + update(rms(x), W, None if mask is None else ~mask)


@misconception("prenorm_attention_block")
def hidden_scores_zero(x, W, mask=None):
    """Hidden scores become 0, and exp(0) = 1: they still get weight. They have to go where the exponential vanishes.

    被遮住的分数变成 0，而 exp(0) = 1：它们仍有权重。应把它们送到指数趋于 0 的地方。
    """
    return x + update(rms(x), W, mask, fill=0.0)


@misconception("prenorm_attention_block")
def always_causal(x, W, mask=None):
    """Later tokens are hidden although nobody asked for it. Only the mask that is passed in decides.

    没有人要求，后面的词元却被遮住了。遮住什么只由传入的掩码决定。
    """
    causal = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool, device=x.device).tril()
    return x + update(rms(x), W, causal if mask is None else mask & causal)


@misconception("prenorm_attention_block")
def matrices_transposed(x, W, mask=None):
    """The matrices are transposed, as nn.Linear keeps them. Here they are used as they are: h @ W.

    矩阵被转置了，就像 nn.Linear 存放的那样。这里直接使用：h @ W。
    """
    return x + update(rms(x), [w.T for w in W], mask)


@misconception("prenorm_attention_block")
def only_residual_learns(x, W, mask=None):
    """The values are right, but no gradient gets through attention (no_grad, detach, .data, numpy or a fresh tensor):
    x hears of its residual only, and the matrices learn nothing.

    数值正确，但梯度无法穿过注意力（no_grad、detach、.data、numpy 或新张量）：x 只得到残差那一份，矩阵什么也学不到。
    """
    return x + update(rms(x.detach()), [w.detach() for w in W], mask)


@misconception("prenorm_attention_block")
def residual_detached(x, W, mask=None):
    """The values are right, but no gradient flows along the residual connection: x was copied or detached before it
    was added.

    数值正确，但梯度没有沿残差连接传回：x 在相加之前被复制或分离（detach）了。
    """
    return x.detach() + update(rms(x), W, mask)


@misconception("prenorm_attention_block")
def added_in_place(x, W, mask=None):
    """The update is added to the caller's x in place (+=). Make a new tensor.

    更新量就地加到了调用者的 x 上（+=）。应得到一个新张量。
    """
    new = update(rms(x), W, mask)
    x += new
    return x


@misconception("prenorm_attention_block")
def forces_float32(x, W, mask=None):
    """The result is always float32. Computing in float32 inside is fine, but it must come back in the dtype of x.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回 x 的 dtype。
    """
    return x.float() + update(rms(x.float()), [w.float() for w in W], mask)
