"""Hidden suite for multi-head attention as a function.

Not in the bank, because right: heads one after another, one fused projection, W_O applied head by head and summed,
einsum. What can go wrong inside attention itself is in the suite of attention; a few of those mistakes are repeated
here. Averaging, summing or picking a head leaves Dh channels where W_O expects D: all of them end in the same error,
so `heads_not_concatenated` stands for them.
"""

import math

import torch

from grader.suites import Misconception, dtypes, error_bound, expect, expect_close, misconception, points

FLOWS = ("x", "W[0]", "W[1]", "W[2]", "W[3]", "biases[0]", "biases[2]", "biases[3]")  # a key bias changes nothing


def split(x, num_heads):
    """[B, T, D] to [B, H, T, Dh], head 0 the first block."""
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge(heads):
    """[B, H, T, Dh] to [B, T, D], head 0 first."""
    return heads.transpose(1, 2).flatten(2)


@error_bound("multi_head_attention")
def multi_head_bound(x, W, biases, num_heads, mask=None):
    # A projection is a sum of D products and a bias, rounded at each step, of x and W rounded once: off by at most
    # eps (D / 2 + 3) reach with reach = |x||W| + |b|. Scores inherit that from q and from k, and are sums of Dh
    # products themselves; then as in gqa: a score's error counts once as it is and once averaged, softmax adds T + 8, a
    # hidden token may keep 1e-6. Heads add T products and inherit the values' errors. W_O is one more projection.
    D, T = x.shape[-1], x.shape[-2]
    steps, Dh = D / 2 + 3, D // num_heads
    q, k, v = (split(x @ w + b, num_heads) for w, b in zip(W[:3], biases[:3], strict=True))
    reach_q, reach_k, reach_v = (
        split(x.abs() @ w.abs() + b.abs(), num_heads) for w, b in zip(W[:3], biases[:3], strict=True)
    )
    reach = reach_q @ reach_k.transpose(-2, -1) / math.sqrt(Dh)
    scores = q @ k.transpose(-2, -1) / math.sqrt(Dh)
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~mask.expand(scores.shape)
    weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
    reach = reach.masked_fill(hidden, 0.0)
    exponents = (2 * steps + Dh / 2 + 5) * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + T + 8
    leak = hidden * 1e-6 / torch.finfo(torch.float32).eps
    off = (weights * (total + T + 4) + leak) @ v.abs() + steps * weights @ reach_v
    heads = merge(weights @ v)
    return merge(off) @ W[3].abs() + steps * (heads.abs() @ W[3].abs() + biases[3].abs())


def weights_for(make, D):
    """Four matrices that keep the size of their input, and four biases."""
    return [make.normal(D, D, scale=D**-0.5) for _ in range(4)], [make.normal(D, scale=0.5) for _ in range(4)]


def inputs(make, B=2, T=5, D=15, H=3):
    """Tokens, matrices, biases and the number of heads."""
    return make.normal(B, T, D), *weights_for(make, D), H


@points(3)
def test_definition(matches_reference, make, dtype):
    """Each head attends with its own block of channels; the heads side by side, times W_O, plus its bias, are the
    output.

    每个头用属于自己的一段通道计算注意力；各个头并排拼接，乘以 W_O 再加偏置，就是输出。
    """
    for B, T, D, H in ((1, 2, 6, 2), (2, 5, 15, 3), (3, 7, 12, 2)):
        matches_reference.multi_head_attention(*inputs(make, B, T, D, H))


@points(1.5)
def test_own_block(student, matches_reference, make):
    """Head i is column block i of W_Q, W_K and W_V and row block i of W_O; no other head has a part in it.

    第 i 个头就是 W_Q、W_K、W_V 的第 i 段列和 W_O 的第 i 段行；别的头与它无关。
    """
    for B, T, D, H in ((1, 2, 6, 2), (2, 5, 15, 3)):
        x, W, biases, _ = inputs(make, B, T, D, H)
        for head in range(H):
            own = torch.arange(D) // (D // H) == head
            W_O = W[3] * own[:, None]
            strangers = [w + (~own) * make.normal(D, D) for w in W[:3]]
            one = student.multi_head_attention(x, [*W[:3], W_O], biases, H)
            other = student.multi_head_attention(x, [*strangers, W_O], biases, H)
            en = f"of {H} heads, head {head} uses columns of W_Q, W_K or W_V that belong to another head"
            zh = f"共 {H} 个头，第 {head} 个头用到了 W_Q、W_K 或 W_V 中属于别的头的列"
            expect_close(other, one, 1e-4, en, zh)
        matches_reference.multi_head_attention(x, W, biases, H)


@points(1.5)
def test_scale(student, matches_reference, make):
    """Scores are divided by the square root of Dh = D / H, the size of one head's query, not of the whole model's.

    分数要除以 Dh = D / H（单个头的查询长度）的平方根，而不是整个模型维度的平方根。
    """
    for D, H in ((6, 3), (9, 3), (10, 2), (18, 2)):
        x, same, none = make.normal(1, 2, D), [torch.eye(D)] * 4, [torch.zeros(D)] * 4
        output = student.multi_head_attention(x, same, none, H).cpu()
        a, b = split(x.double(), H).unbind(2)  # [1, H, Dh]: two tokens; each output is share * a + (1 - share) * b
        step = (a - b).square().sum(-1)
        share = ((split(output.double(), H) - b[:, :, None]) * (a - b)[:, :, None]).sum(-1) / step[..., None]
        gaps = torch.stack([(a * (a - b)).sum(-1), (b * (a - b)).sum(-1)], -1)  # of the two scores, for a and for b
        found = share.logit()
        scale = float((found * gaps).sum() / gaps.square().sum())
        fits = bool(((found - scale * gaps).abs() <= 1e-2).all())  # else something other than the scale is wrong
        expect(
            not fits or abs(scale * math.sqrt(D // H) - 1) < 2e-3,
            f"with D={D} and {H} heads, scores are multiplied by {scale:.4g}; due is {1 / math.sqrt(D // H):.4g}",
            f"D={D}、{H} 个头时，分数被乘以 {scale:.4g}；应为 {1 / math.sqrt(D // H):.4g}",
        )
        matches_reference.multi_head_attention(x, same, none, H)


@points(2)
def test_mask(matches_reference, make, dtype):
    """A token is seen where the mask is True and not where it is False: one mask for all, for each example or for each
    head.

    掩码为 True 处的词元可见，为 False 处的不可见；掩码可以所有样本共用，也可以每个样本或每个头各有一份。
    """
    for shape in ((5, 5), (2, 1, 5, 5), (2, 1, 1, 5), (1, 3, 5, 5), (2, 3, 5, 5)):
        x, W, biases, H = inputs(make)
        matches_reference.multi_head_attention(x, W, biases, H, mask=make.mask(*shape))


@points(1.5)
def test_causal_reach(student, matches_reference, make):
    """Under a causal mask a change of one token reaches the outputs from that token on: all of them, and none before.

    使用因果掩码时，改动一个词元会影响从它开始的所有输出，而不影响它之前的输出。
    """
    for T, D, H in ((3, 6, 2), (6, 15, 3)):
        x, W, biases, _ = inputs(make, 1, T, D, H)
        causal = torch.ones(T, T, dtype=torch.bool).tril()
        before = student.multi_head_attention(x, W, biases, H, mask=causal)
        for token in range(T):
            changed = x + 3.0 * (torch.arange(T) == token)[:, None]
            moved = (student.multi_head_attention(changed, W, biases, H, mask=causal) - before).abs().amax((0, 2))
            found = [t for t, m in enumerate(moved.tolist()) if m > 1e-5]
            want = list(range(token, T))
            en = (
                f"of {T} tokens under a causal mask, a change of token {token} reaches the outputs {found}, due: {want}"
            )
            zh = f"{T} 个词元使用因果掩码，改动第 {token} 个影响到的输出是 {found}，应为 {want}"
            expect(found == want, en, zh)
        matches_reference.multi_head_attention(x, W, biases, H, mask=causal)


@points(1)
def test_laws(student, matches_reference, make):
    """Without a mask, tokens in another order give the same outputs in that order; examples of a batch do not mix.

    没有掩码时，调换词元的次序，输出也只是同样调换次序；同一批的样本互不影响。
    """
    for B, T, D, H in ((2, 3, 6, 2), (3, 5, 15, 3)):
        x, W, biases, _ = inputs(make, B, T, D, H)
        output = student.multi_head_attention(x, W, biases, H)
        turned = student.multi_head_attention(x.flip(1), W, biases, H)
        en, zh = "reversing the tokens does more than reverse the outputs", "颠倒词元的次序，输出不只是颠倒了次序"
        expect_close(turned, output.flip(1), 1e-4, en, zh)
        alone = student.multi_head_attention(x[:1], W, biases, H)
        en, zh = "an example gets another output when others stand beside it", "同批的其他样本改变了某个样本的输出"
        expect_close(output[:1], alone, 1e-4, en, zh)
        matches_reference.multi_head_attention(x, W, biases, H)


@points(1)
def test_biases(student, matches_reference, make):
    """A key bias shifts all scores of a query alike and changes nothing; a value bias arrives through W_O, the output
    bias as it is.

    键的偏置让一个查询的所有分数平移相同的量，不改变结果；值的偏置经过 W_O 到达输出，输出偏置则原样加上。
    """
    for B, T, D, H in ((1, 2, 6, 2), (2, 5, 15, 3)):
        x, W, biases, _ = inputs(make, B, T, D, H)
        none, shift = [torch.zeros(D)] * 4, make.normal(D)
        plain = student.multi_head_attention(x, W, none, H)
        for index, name, gain in ((1, "W_K", 0.0 * shift), (2, "W_V", shift @ W[3]), (3, "W_O", shift)):
            moved = student.multi_head_attention(x, W, [*none[:index], shift, *none[index + 1 :]], H)
            en, zh = f"the bias of {name} does not arrive as it should", f"{name} 的偏置没有以应有的方式到达输出"
            expect_close(moved - plain, gain.expand(B, T, D), 1e-4, en, zh)
        matches_reference.multi_head_attention(x, W, biases, H)


@points(1)
def test_special_sizes(matches_reference, make):
    """One head, one channel a head, one token, and sizes that coincide are no special case.

    单个头、每头一个通道、单个词元，以及几个尺寸恰好相等时，都没有例外。
    """
    for B, T, D, H in (
        (1, 1, 1, 1), (2, 1, 6, 3), (2, 5, 6, 1), (2, 3, 5, 5), (3, 3, 9, 3), (2, 4, 8, 4), (6, 6, 6, 6), (3, 2, 6, 3),
    ):  # fmt: skip
        matches_reference.multi_head_attention(*inputs(make, B, T, D, H))
    for B, T, D, H in ((3, 3, 9, 3), (2, 1, 6, 3), (2, 5, 6, 1)):
        matches_reference.multi_head_attention(*inputs(make, B, T, D, H), mask=make.mask(B, 1, T, T))


@points(0.5)
@dtypes("float16", "float32")
def test_hidden_score_dwarfs_the_rest(matches_reference, make, dtype):
    """A hidden token gets no weight even if its score is far above all visible ones.

    被遮住的词元即使分数远超所有可见的词元，也得不到权重。
    """
    x = make.tensor([[[40.0, 0.0] * 3, [50.0, 1.0] * 3, [0.0, 2.0] * 3]])  # a head's scores of token 1: 1414, 1768, 0
    pick = make.tensor([1.0, 0.0] * 3).diag()  # queries and keys see every other channel, values the rest
    W, none = [pick, pick, torch.eye(6).to(x.dtype) - pick, make.normal(6, 6)], [make.tensor([0.0] * 6)] * 4
    mask = torch.tensor([[True, False, False], [False, False, True], [True, False, False]])
    matches_reference.multi_head_attention(x, W, none, 3, mask=mask)


@points(0.4)
def test_refuses_remainder(matches_reference, raises_value_error, make):
    """Channels that cannot be divided evenly among the heads are refused with ValueError.

    通道数不能被头数整除时抛出 ValueError。
    """
    matches_reference.multi_head_attention(*inputs(make, 1, 2, 10, 5))
    for D, H in ((3, 2), (10, 4), (13, 6)):
        raises_value_error.multi_head_attention(*inputs(make, 2, 3, D, H))


@points(0.4)
def test_refuses_too_many_heads(matches_reference, raises_value_error, make):
    """More heads than channels are refused with ValueError.

    头数多于通道数时抛出 ValueError。
    """
    matches_reference.multi_head_attention(*inputs(make, 1, 2, 6, 6))
    for D, H in ((1, 2), (6, 8), (5, 10)):
        raises_value_error.multi_head_attention(*inputs(make, 2, 3, D, H))


@points(1.2)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow to the tokens, to all four matrices and to their biases.

    梯度传回各个词元、四个矩阵和它们的偏置。
    """
    matches_gradients.wrt(*FLOWS).multi_head_attention(*inputs(make, 1, 2, 6, 2))
    matches_gradients.wrt(*FLOWS).multi_head_attention(*inputs(make), mask=make.mask(2, 1, 5, 5))


@points(0.5)
def test_inputs(does_not_mutate, matches_reference, make):
    """Tokens, matrices and mask may lie in memory in any order, and are left as they were.

    词元、矩阵和掩码在内存中可按任意次序排布，并且保持原样。
    """
    x, W, biases, H = inputs(make)
    matches_reference.multi_head_attention(
        make.strided(x), [w.T for w in W], biases, H, mask=make.strided(make.mask(5, 5))
    )
    matches_reference.multi_head_attention(x[:1].expand(2, 5, 15), W, [b[:1].expand(15) for b in biases], H)
    mask = make.mask(2, 1, 5, 5)
    does_not_mutate.multi_head_attention(x, W, biases, H)
    does_not_mutate.multi_head_attention(x, W, biases, H, mask=mask)


@points(0.5)
def test_device(stays_on_device, matches_reference, make):
    """Whatever is made on the way is made on the device of the inputs.

    计算途中创建的张量都位于输入所在的设备上。
    """
    x, W, biases, H = inputs(make)
    stays_on_device.multi_head_attention(x, W, biases, H)
    stays_on_device.multi_head_attention(x, W, biases, H, mask=make.mask(5, 5))
    matches_reference.multi_head_attention(x, W, biases, H)


def attend(q, k, v, mask=None, scale=None, fill=-math.inf, dim=-1):
    """The right formula, with places to go wrong."""
    scores = q @ k.transpose(-2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        scores = scores.masked_fill(~mask, fill)
    return scores.softmax(dim) @ v


def affine(x, w, b):
    """A projection."""
    return x @ w + b


def multi_head(x, W, biases, H, mask=None, attention=attend, parted=split, joined=merge, linear=affine):
    """The right formula, with its parts to be replaced."""
    if x.shape[-1] % H:
        raise ValueError("channels are not a multiple of heads")
    q, k, v = (parted(linear(x, W[i], biases[i]), H) for i in range(3))
    return linear(joined(attention(q, k, v, mask)), W[3], biases[3])


def cut_across(x, num_heads):
    """[B, T, D] reshaped straight to [B, H, T, Dh]."""
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)


def piled_up(heads):
    """[B, H, T, Dh] reshaped straight to [B, T, D]."""
    return heads.reshape(heads.shape[0], heads.shape[2], -1)


def dealt_out(x, num_heads):
    """[B, T, D] to [B, H, T, Dh], channel c to head c mod H."""
    return x.unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)


def collected(heads):
    """The inverse of `dealt_out`."""
    return heads.permute(0, 2, 3, 1).flatten(2)


@misconception("multi_head_attention")
def no_scale(x, W, biases, num_heads, mask=None):
    """The scores are not scaled. Divide by the square root of Dh = D / H.

    分数没有缩放。应除以 Dh = D / H 的平方根。
    """
    return multi_head(x, W, biases, num_heads, mask, lambda *a: attend(*a, scale=1.0))


@misconception("multi_head_attention")
def scale_sqrt_dmodel(x, W, biases, num_heads, mask=None):
    """The scores are divided by the square root of D, the whole model. A head takes dot products of length Dh = D / H
    only, so that makes its weights too even.

    分数除以了整个模型维度 D 的平方根。一个头的点积长度只有 Dh = D / H，这样会使权重过于平均。
    """
    return multi_head(x, W, biases, num_heads, mask, lambda *a: attend(*a, scale=x.shape[-1] ** -0.5))


@misconception("multi_head_attention")
def scale_d_head(x, W, biases, num_heads, mask=None):
    """The scores are divided by Dh instead of its square root, so the weights are too even.

    分数除以了 Dh，而不是它的平方根，权重因此过于平均。
    """
    return multi_head(x, W, biases, num_heads, mask, lambda *a: attend(*a, scale=num_heads / x.shape[-1]))


@misconception("multi_head_attention")
def scale_sqrt_heads(x, W, biases, num_heads, mask=None):
    """The scores are divided by the square root of H, the number of heads. It is the length of a head's vectors, Dh,
    that makes dot products grow.

    分数除以了头数 H 的平方根。让点积变大的是每个头的向量长度 Dh。
    """
    return multi_head(x, W, biases, num_heads, mask, lambda *a: attend(*a, scale=num_heads**-0.5))


@misconception("multi_head_attention")
def split_without_transpose(x, W, biases, num_heads, mask=None):
    """The split reshapes straight to [B, H, T, Dh], which cuts across tokens: a head then gets all channels of some
    tokens instead of some channels of all. Make it [B, T, H, Dh] first, then exchange T and H.

    拆分时直接 reshape 成 [B, H, T, Dh]，切断了词元：一个头得到的是部分词元的全部通道，
    而不是全部词元的部分通道。应先变成 [B, T, H, Dh]，再交换 T 与 H。
    """
    return multi_head(x, W, biases, num_heads, mask, parted=cut_across)


@misconception("multi_head_attention")
def merge_without_transpose(x, W, biases, num_heads, mask=None):
    """The merge reshapes [B, H, T, Dh] straight to [B, T, D], which mixes heads and tokens: under a causal mask the
    past then sees the future. Exchange H and T first.

    合并时把 [B, H, T, Dh] 直接 reshape 成 [B, T, D]，头与词元混在了一起：用因果掩码时，过去会看见未来。
    应先交换 H 与 T。
    """
    return multi_head(x, W, biases, num_heads, mask, joined=piled_up)


@misconception("multi_head_attention")
def both_without_transpose(x, W, biases, num_heads, mask=None):
    """Neither the split nor the merge exchanges T and H. Each undoes the other, so shapes and round trips look right,
    but every head attends among pieces of a few tokens only.

    拆分与合并都没有交换 T 与 H。两者互相抵消，形状和往返都显得正确，但每个头只在少数几个词元的碎片之间计算注意力。
    """
    return multi_head(x, W, biases, num_heads, mask, parted=cut_across, joined=piled_up)


@misconception("multi_head_attention")
def both_interleaved(x, W, biases, num_heads, mask=None):
    """The channels are dealt out like cards: head i gets channels i, i + H, i + 2H, ... A module trained that way from
    the start would learn just as well, but with given matrices head i owns block i: neighbouring channels.

    通道像发牌一样轮流分给各个头：第 i 个头得到通道 i、i + H、i + 2H……从头训练的模块这样做也能学好，
    但矩阵给定时，第 i 个头拥有的是第 i 段，即相邻的通道。
    """
    return multi_head(x, W, biases, num_heads, mask, parted=dealt_out, joined=collected)


@misconception("multi_head_attention")
def merge_interleaved(x, W, biases, num_heads, mask=None):
    """The merge deals the channels of the heads out in turn: channel 0 of every head, then channel 1. Head 0 comes
    first with all its channels, then head 1.

    合并时把各个头的通道轮流排列：先是每个头的第 0 个通道，再是第 1 个。应当先放第 0 个头的全部通道，再放第 1 个头的。
    """
    return multi_head(x, W, biases, num_heads, mask, joined=collected)


@misconception("multi_head_attention")
def heads_reversed(x, W, biases, num_heads, mask=None):
    """The heads are put side by side in reverse, the last one first. Head 0 comes first; W_O tells them apart by place.

    各个头并排的次序反了，最后一个排在了最前。第 0 个头应在最前：W_O 是按位置区分它们的。
    """
    return multi_head(x, W, biases, num_heads, mask, joined=lambda t: merge(t.flip(1)))


@misconception("multi_head_attention")
def merge_view(x, W, biases, num_heads, mask=None):
    """After the transpose the heads do not lie in memory in the new order, and `view` raises RuntimeError. Use
    reshape, or make them contiguous first.

    转置之后，各个头在内存中并未按新的次序排列，`view` 会抛出 RuntimeError。应使用 reshape，或先 contiguous()。
    """
    joined = lambda t: t.transpose(1, 2).view(t.shape[0], t.shape[2], -1)  # noqa: E731 -- a formula
    return multi_head(x, W, biases, num_heads, mask, joined=joined)


@misconception("multi_head_attention")
def heads_not_concatenated(x, W, biases, num_heads, mask=None):
    """The heads are averaged, added up, or only one is kept. That leaves Dh channels, and W_O expects D: put the heads
    side by side and let W_O mix them.

    各个头被平均、相加，或者只保留了一个。这样只剩 Dh 个通道，而 W_O 需要 D 个：应把各个头并排拼接，由 W_O 来混合。
    """
    if x.shape[-1] % num_heads:
        raise ValueError("channels are not a multiple of heads")
    q, k, v = (split(x @ w + b, num_heads) for w, b in zip(W[:3], biases[:3], strict=True))
    return attend(q, k, v, mask).mean(1) @ W[3] + biases[3]


@misconception("multi_head_attention")
def mean_of_heads(x, W, biases, num_heads, mask=None):
    """Every head's place holds the mean of all heads. Each place belongs to one head, so that W_O can treat them
    differently.

    每个头的位置上放的都是所有头的平均。每个位置应属于一个头，这样 W_O 才能区别对待它们。
    """
    return multi_head(x, W, biases, num_heads, mask, joined=lambda t: merge(t.mean(1, keepdim=True).expand_as(t)))


@misconception("multi_head_attention")
def first_head_only(x, W, biases, num_heads, mask=None):
    """Every head's place holds head 0. In a loop over heads, take the block of the current one.

    每个头的位置上放的都是第 0 个头。循环处理各个头时，应取当前那个头的一段。
    """
    return multi_head(x, W, biases, num_heads, mask, joined=lambda t: merge(t[:, :1].expand_as(t)))


@misconception("multi_head_attention")
def single_head(x, W, biases, num_heads, mask=None):
    """num_heads is not used: all channels attend together, as one head. Every head has weights of its own.

    没有用到 num_heads：所有通道合在一起，像只有一个头那样计算注意力。每个头都应有自己的权重。
    """
    if mask is not None and mask.dim() > 2:
        mask = mask[:, :1]
    return multi_head(x, W, biases, 1, mask)


@misconception("multi_head_attention")
def attends_over_heads(x, W, biases, num_heads, mask=None):
    """T and H are not exchanged after the split: at [B, T, H, Dh] the heads of one token attend to each other, and no
    token ever sees another. Attention needs T right before Dh.

    拆分后没有交换 T 与 H：在 [B, T, H, Dh] 上，是同一个词元的各个头互相注意，词元之间从不相见。
    注意力要求 T 紧挨在 Dh 之前。
    """
    parted = lambda t, H: t.unflatten(-1, (H, -1))  # noqa: E731 -- a formula
    return multi_head(x, W, biases, num_heads, mask, parted=parted, joined=lambda t: t.flatten(2))


@misconception("multi_head_attention")
def no_output_projection(x, W, biases, num_heads, mask=None):
    """The heads side by side are returned as they are. W_O comes last: it is the only place where heads meet.

    各个头拼接之后就直接返回了。最后还要乘以 W_O：各个头只在这里相互混合。
    """
    return multi_head(
        x, [*W[:3], torch.eye(x.shape[-1]).to(x)], [*biases[:3], torch.zeros_like(biases[3])], num_heads, mask
    )


@misconception("multi_head_attention")
def no_biases(x, W, biases, num_heads, mask=None):
    """The biases are accepted and never used. Each of the four products gets its own.

    接收了偏置却没有使用。四个乘积都要加上各自的偏置。
    """
    return multi_head(x, W, [torch.zeros_like(b) for b in biases], num_heads, mask)


@misconception("multi_head_attention")
def no_output_bias(x, W, biases, num_heads, mask=None):
    """The bias of W_O is forgotten. It is the fourth one, added to the output.

    漏掉了 W_O 的偏置。它是第四个偏置，加在输出上。
    """
    return multi_head(x, W, [*biases[:3], torch.zeros_like(biases[3])], num_heads, mask)


@misconception("multi_head_attention")
def only_output_bias(x, W, biases, num_heads, mask=None):
    """Queries, keys and values get no bias, only the output does. Each of the four products gets its own.

    查询、键和值没有加偏置，只有输出加了。四个乘积都要加上各自的偏置。
    """
    return multi_head(x, W, [*(torch.zeros_like(b) for b in biases[:3]), biases[3]], num_heads, mask)


@misconception("multi_head_attention")
def bias_before_product(x, W, biases, num_heads, mask=None):
    """A bias is added to the input of its product instead of to the result: (x + b) W in place of x W + b.

    偏置加在了乘积的输入上，而不是结果上：算成了 (x + b) W，应为 x W + b。
    """
    return multi_head(x, W, biases, num_heads, mask, linear=lambda t, w, b: (t + b) @ w)


@misconception("multi_head_attention")
def weights_transposed(x, W, biases, num_heads, mask=None):
    """The matrices are used as x @ W.T, as nn.Linear stores them. Here they are given for x @ W.

    矩阵按 x @ W.T 使用了，那是 nn.Linear 的存储方式。这里给出的矩阵应按 x @ W 使用。
    """
    return multi_head(x, [w.T for w in W], biases, num_heads, mask)


@misconception("multi_head_attention")
def keys_and_values_swapped(x, W, biases, num_heads, mask=None):
    """W_K and W_V have changed places. The order is W_Q, W_K, W_V, W_O.

    W_K 与 W_V 用反了。次序是 W_Q、W_K、W_V、W_O。
    """
    return multi_head(x, [W[i] for i in (0, 2, 1, 3)], [biases[i] for i in (0, 2, 1, 3)], num_heads, mask)


@misconception("multi_head_attention")
def queries_and_keys_swapped(x, W, biases, num_heads, mask=None):
    """W_Q and W_K have changed places: every token is asked where it should ask. The order is W_Q, W_K, W_V, W_O.

    W_Q 与 W_K 用反了：每个词元该提问时却成了被问的一方。次序是 W_Q、W_K、W_V、W_O。
    """
    return multi_head(x, [W[i] for i in (1, 0, 2, 3)], [biases[i] for i in (1, 0, 2, 3)], num_heads, mask)


@misconception("multi_head_attention")
def one_matrix_for_all(x, W, biases, num_heads, mask=None):
    """Queries, keys and values all come from W_Q. Each has a matrix of its own.

    查询、键和值都是用 W_Q 得到的。它们各有自己的矩阵。
    """
    return multi_head(x, [W[0], W[0], W[0], W[3]], [biases[0], biases[0], biases[0], biases[3]], num_heads, mask)


@misconception("multi_head_attention")
def values_not_projected(x, W, biases, num_heads, mask=None):
    """The tokens themselves serve as values, W_V is not used. What a token gives away is x W_V + b, not x.

    直接把词元本身当作值，没有用到 W_V。词元交出的内容是 x W_V + b，而不是 x。
    """
    W_V, none = torch.eye(x.shape[-1]).to(x), torch.zeros_like(biases[2])
    return multi_head(x, [*W[:2], W_V, W[3]], [*biases[:2], none, biases[3]], num_heads, mask)


@misconception("multi_head_attention")
def residual_added(x, W, biases, num_heads, mask=None):
    """The input is added to the output. The residual connection belongs to the block around attention.

    输出里加上了输入。残差连接属于注意力外面的模块。
    """
    return multi_head(x, W, biases, num_heads, mask) + x


@misconception("multi_head_attention")
def softmax_over_heads(x, W, biases, num_heads, mask=None):
    """Softmax runs over dimension 1 and makes the heads compete. It belongs on the keys, the last dimension of the
    scores.

    softmax 沿第 1 维进行，让头与头互相竞争。它应作用于键，即分数的最后一维。
    """
    return multi_head(x, W, biases, num_heads, mask, lambda *a: attend(*a, dim=1))


@misconception("multi_head_attention")
def softmax_over_queries(x, W, biases, num_heads, mask=None):
    """Softmax runs over the queries. It belongs on the keys, the last dimension of the scores.

    softmax 沿查询做了归一化。它应作用于键，即分数的最后一维。
    """
    return multi_head(x, W, biases, num_heads, mask, lambda *a: attend(*a, dim=-2))


@misconception("multi_head_attention")
def mask_ignored(x, W, biases, num_heads, mask=None):
    """The mask is accepted and never used: hidden tokens keep their weight.

    接收了掩码却没有使用：被遮住的词元仍保有权重。
    """
    return multi_head(x, W, biases, num_heads)


@misconception("multi_head_attention")
def mask_inverted(x, W, biases, num_heads, mask=None):
    """The mask is read the wrong way round, as nn.MultiheadAttention reads it. Here True means: may attend.

    掩码的含义弄反了（nn.MultiheadAttention 是那样规定的）。这里 True 表示可以看见。
    """
    return multi_head(x, W, biases, num_heads, None if mask is None else ~mask)


@misconception("multi_head_attention")
def mask_multiplied(x, W, biases, num_heads, mask=None):
    """Hidden scores become 0, and exp(0) = 1: they still get weight. They have to go where the exponential vanishes.

    被遮住的分数变成 0，而 exp(0) = 1：它们仍有权重。应把它们送到指数趋于 0 的地方。
    """
    return multi_head(x, W, biases, num_heads, mask, lambda *a: attend(*a, fill=0.0))


@misconception("multi_head_attention")
def mask_after_softmax(x, W, biases, num_heads, mask=None):
    """Hidden weights are set to 0 after softmax, so the visible ones no longer sum to 1. Hide the scores before
    softmax.

    在 softmax 之后才把被遮住的权重置 0，可见的权重之和不再是 1。应在 softmax 之前遮住分数。
    """

    def late(q, k, v, mask):
        weights = (q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5).softmax(-1)
        return (weights if mask is None else weights * mask) @ v

    return multi_head(x, W, biases, num_heads, mask, late)


@misconception("multi_head_attention")
def fill_1e9(x, W, biases, num_heads, mask=None):
    """Hidden scores are set to -1e9, which float16 cannot hold: an error. Use minus infinity, or the lowest number of
    the dtype.

    被遮住的分数设成了 -1e9，float16 存不下，会报错。应使用负无穷，或该 dtype 的最小值。
    """
    return multi_head(x, W, biases, num_heads, mask, lambda *a: attend(*a, fill=-1e9))


@misconception("multi_head_attention")
def adds_causal_always(x, W, biases, num_heads, mask=None):
    """Later tokens are hidden although nobody asked for it. Only the mask that is passed in decides what is hidden.

    没有人要求，靠后的词元却被遮住了。遮住什么只由传入的掩码决定。
    """
    causal = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
    return multi_head(x, W, biases, num_heads, causal if mask is None else mask & causal)


@misconception("multi_head_attention")
def no_value_error(x, W, biases, num_heads, mask=None):
    """Head counts that do not divide the channels are not refused on purpose: the code runs on and breaks later, in a
    reshape. Refuse them first, with ValueError.

    头数不能整除通道数时没有主动拒绝：代码继续运行，直到某个 reshape 才出错。应先检查并抛出 ValueError。
    """
    B, T, D = x.shape
    q, k, v = (
        (x @ w + b).reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
        for w, b in zip(W[:3], biases[:3], strict=True)
    )
    return merge(attend(q, k, v, mask)) @ W[3] + biases[3]


@misconception("multi_head_attention")
def assertion(x, W, biases, num_heads, mask=None):
    """Head counts that do not divide end in AssertionError, which `python -O` removes. Raise ValueError, with a
    message.

    头数不能整除时抛出的是 AssertionError，而 `python -O` 会去掉断言。应抛出带说明的 ValueError。
    """
    assert x.shape[-1] % num_heads == 0
    return multi_head(x, W, biases, num_heads, mask)


@misconception("multi_head_attention")
def no_gradient(x, W, biases, num_heads, mask=None):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor), so nothing could learn.

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量），什么也学不到。
    """
    return multi_head(x.detach(), [w.detach() for w in W], [b.detach() for b in biases], num_heads, mask)


@misconception("multi_head_attention")
def forces_float32(x, W, biases, num_heads, mask=None):
    """The result is always float32. Computing in float32 inside is fine, but it must come back in the dtype of x.

    结果总是 float32。内部用 float32 计算没有问题，但返回时要转回 x 的 dtype。
    """
    return multi_head(x.float(), [w.float() for w in W], [b.float() for b in biases], num_heads, mask)


def with_scale(mistake, factor, other):
    """Two mistakes at once: `other`, with scores that are `factor(D, H)` times the right ones."""
    variant = other.functions["multi_head_attention"]

    def both_wrong(x, W, biases, num_heads, mask=None):
        by = factor(x.shape[-1], num_heads)
        return variant(x, [W[0] * by, *W[1:]], [biases[0] * by, *biases[1:]], num_heads, mask)

    functions = {"multi_head_attention": both_wrong}
    return Misconception(f"{mistake.name}_and_{other.name}", functions, f"{mistake.message}\n\n{other.message}")


PAIRS = [
    with_scale(mistake, factor, other)
    for mistake, factor in ((no_scale, lambda D, H: math.sqrt(D / H)), (scale_sqrt_dmodel, lambda D, H: H**-0.5))
    for other in (mask_ignored, mask_inverted, no_biases, no_output_projection, weights_transposed)
]
