"""Hidden suite for attention in tiles.

Not in the bank, because right: tiling the queries too, going through the keys backwards, accumulating in float32. A
solution that makes all scores at once gives the right values, so no replay can name it: test_memory finds it and says
so. A block of hidden keys only cannot come first here, so nothing is lost by not guarding against -inf - (-inf).
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect, expect_close, misconception, points


def hidden_keys(T_q, T_kv, causal):
    """True = hidden [T_q, T_kv]."""
    return torch.ones(T_q, T_kv, dtype=torch.bool).triu(T_kv - T_q + 1) & causal


@error_bound("flash_attention")
def flash_bound(q, k, v, block, causal=False):
    # As for plain attention (docs/tolerances.md): a score is off by at most eps (Dh / 2 + 4) reach with reach = sum
    # |q||k| / sqrt(Dh), softmax takes that once as it is and once averaged, adds T_kv + 8, and the output T_kv + 4. The
    # maximum may move from block to block, by 2 max reach in all, and each move costs l and o a few roundings.
    reach = q.abs() @ k.abs().mT / math.sqrt(q.shape[-1])
    hidden = hidden_keys(q.shape[-2], k.shape[-2], causal)
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(hidden, -math.inf).softmax(-1)
    reach = reach.masked_fill(hidden, 0.0)
    exponents = (q.shape[-1] / 2 + 5) * reach + 3 * reach.amax(-1, keepdim=True)
    steps = k.shape[-2] + 8 + 4 * math.ceil(k.shape[-2] / block)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + steps
    return (weights * (total + k.shape[-2] + 4)) @ v.abs()


def inputs(make, *lead, t_q=5, t_kv=8, dh=6, dv=4):
    """Random q, k, v with these leading dimensions."""
    return make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh), make.normal(*lead, t_kv, dv)


def scored(make, rows, dv=3):
    """q, k, v whose scores are exactly these rows, one for each query: keys are unit vectors."""
    scores = make.tensor(rows)
    n = 1 << (2 * math.ceil(math.log(scores.shape[-1], 4)))  # a power of 4: its square root divides exactly
    q = torch.nn.functional.pad(scores * math.sqrt(n), (0, n - scores.shape[-1]))
    return q, make.tensor(torch.eye(n)[: scores.shape[-1]]), make.normal(scores.shape[-1], dv)


@points(2.6)
def test_definition(matches_reference, make, dtype):
    """The output is that of plain attention, for any leading dimensions.

    输出与普通注意力相同，前面可以有任意多个维度。
    """
    matches_reference.flash_attention(*inputs(make, t_q=1, t_kv=2, dh=2, dv=1), 1)
    matches_reference.flash_attention(*inputs(make, t_q=2, t_kv=4), 2)
    matches_reference.flash_attention(*inputs(make, 2), 4)
    matches_reference.flash_attention(*inputs(make, 2, 3, t_kv=9), 3)


@points(1.3)
def test_tail(matches_reference, make):
    """Where the keys do not fill the last block, what is left of them counts too, and nothing else does.

    键填不满最后一块时，剩下的键也要算上，而且只算它们。
    """
    for t_kv, block in ((3, 2), (5, 3), (7, 4), (10, 4), (11, 3)):
        matches_reference.flash_attention(*inputs(make, t_kv=t_kv), block)
    matches_reference.flash_attention(*inputs(make, 2, 3, t_kv=7), 5)


@points(1)
def test_extreme_blocks(matches_reference, make):
    """Blocks of a single key, one block for all keys, and blocks larger than all of them.

    每块只有一个键、一块包含所有的键、块比所有的键还多。
    """
    for t_kv, block in ((1, 1), (6, 1), (6, 6), (6, 7), (6, 1000), (1, 5)):
        matches_reference.flash_attention(*inputs(make, t_kv=t_kv), block)
        matches_reference.flash_attention(*inputs(make, 2, t_q=t_kv, t_kv=t_kv), block, causal=True)


@points(1.6)
def test_where_the_maximum_is(matches_reference, make, dtype):
    """The largest score may be in the first block, in the last, in between, or everywhere.

    最大的分数可以在第一块、最后一块、中间某块，也可以处处相同。
    """
    rows = [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [1, 0, 6, 5, 2, 1], [2, 2, 2, 2, 2, 2], [-3, -7, -1, -9, -4, -2]]
    for block in (1, 2, 4):
        matches_reference.flash_attention(*scored(make, rows), block)


@points(1.3)
@dtypes("float16", "bfloat16", "float32")
def test_scores_far_from_zero(student, matches_reference, make, dtype):
    """Scores in the thousands do no harm, rising or falling from block to block.

    数以千计的分数也不出错，无论各块的分数是越来越大还是越来越小。
    """
    rows = [[4096, 0, -4096], [-4096, 0, 4096], [0, 4096, -4096], [-4096, -3840, -4096], [512, 0, 256]]
    q, k, v = scored(make, rows)
    q, k = q / 32, k * 32  # both fit into float16
    for block in (1, 2, 3):
        output = student.flash_attention(q, k, v, block)
        en, zh = (
            "the key with by far the largest score does not get the whole weight",
            "分数遥遥领先的键没有得到全部权重",
        )
        expect_close(output, v[[0, 2, 1, 1, 0]], 4 * torch.finfo(dtype).eps * float(v.abs().max()), en, zh)
    matches_reference.flash_attention(q[4:], k, v, 1)


@points(2)
def test_causal(matches_reference, make, dtype):
    """With causal=True a query sees no later key, whichever block that is in.

    causal=True 时，查询看不见后面的键，无论它在哪一块。
    """
    matches_reference.flash_attention(*inputs(make, t_q=2, t_kv=2), 1, causal=True)
    matches_reference.flash_attention(*inputs(make, t_q=5, t_kv=5), 2, causal=True)
    matches_reference.flash_attention(*inputs(make, 2, 3, t_q=6, t_kv=6), 4, causal=True)
    matches_reference.flash_attention(*inputs(make, 2, t_q=3, t_kv=7), 2, causal=True)


@points(1)
def test_causal_after_a_cache(matches_reference, make):
    """The queries are the last positions: a single query sees all keys, two see all but one, and so on.

    查询是最后的几个位置：单个查询能看见所有的键，两个查询时第一个少看见一个，依此类推。
    """
    for t_q, t_kv, block in ((1, 2, 1), (1, 7, 3), (2, 5, 2), (4, 9, 3), (5, 6, 4)):
        matches_reference.flash_attention(*inputs(make, 2, t_q=t_q, t_kv=t_kv), block, causal=True)


@points(1)
def test_block_does_not_matter(student, matches_reference, make):
    """Whatever the size of the blocks, your output is the same.

    无论块有多大，你的输出都相同。
    """
    for causal in (False, True):
        q, k, v = inputs(make, 2, t_q=7, t_kv=10)
        options = {"causal": True} if causal else {}
        whole = student.flash_attention(3 * q, k, v, 10, **options)
        for block in (1, 3, 4, 9):
            output = student.flash_attention(3 * q, k, v, block, **options)
            en = f"blocks of {block} keys do not give the output of a single block"
            zh = f"每块 {block} 个键时，输出与只有一块时不同"
            expect_close(output, whole, 1e-3, en, zh)
        matches_reference.flash_attention(q, k, v, 3, **options)


@points(1.2)
def test_memory(largest_tensor, matches_reference, make):
    """No tensor on the way has as many entries as the scores would have.

    途中没有哪个张量的元素与全部分数一样多。
    """
    for lead, t_q, t_kv, block in (((), 40, 64, 8), ((2, 3), 24, 32, 4)):
        entries = largest_tensor.flash_attention(*inputs(make, *lead, t_q=t_q, t_kv=t_kv, dh=4, dv=3), block)
        scores = math.prod(lead) * t_q * t_kv
        en = f"a tensor with {entries} entries was made; all scores together have {scores}"
        zh = f"产生了有 {entries} 个元素的张量；全部分数才有 {scores} 个"
        expect(entries < scores, en, zh)
    matches_reference.flash_attention(*inputs(make), 3)


@points(0.8)
def test_memory_causal(largest_tensor, matches_reference, make):
    """With causal=True there is no mask of the size of the scores either.

    causal=True 时，也没有与全部分数一样大的掩码。
    """
    for t_q, t_kv, block in ((48, 48, 8), (20, 60, 6)):
        entries = largest_tensor.flash_attention(*inputs(make, t_q=t_q, t_kv=t_kv, dh=4, dv=3), block, causal=True)
        en = f"a tensor with {entries} entries was made; all scores together have {t_q * t_kv}"
        zh = f"产生了有 {entries} 个元素的张量；全部分数才有 {t_q * t_kv} 个"
        expect(entries < t_q * t_kv, en, zh)
    matches_reference.flash_attention(*inputs(make, t_q=5, t_kv=7), 3, causal=True)


@points(0.2)
def test_refuses_blocks(raises_value_error, matches_reference, make):
    """ValueError for a block of 0 or fewer keys.

    一块的键数为 0 或更少时，抛出 ValueError。
    """
    for block in (0, -1, -8):
        raises_value_error.flash_attention(*inputs(make), block)
    matches_reference.flash_attention(*inputs(make), 1)


@points(0.1)
def test_refuses_blocks_causal(raises_value_error, matches_reference, make):
    """ValueError for a block of 0 or fewer keys with causal=True too.

    causal=True 时，一块的键数为 0 或更少同样要抛出 ValueError。
    """
    for block in (0, -1, -8):
        raises_value_error.flash_attention(*inputs(make, 2), block, causal=True)
    matches_reference.flash_attention(*inputs(make, 2), 1, causal=True)


@points(0.2)
def test_refuses_early_queries(raises_value_error, matches_reference, make):
    """ValueError for more queries than keys if causal, since the first queries would see nothing; else they are fine.

    causal 时查询多于键要抛出 ValueError，因为最前面的查询什么也看不见；否则没有问题。
    """
    for t_q, t_kv in ((2, 1), (5, 3), (9, 8)):
        raises_value_error.flash_attention(*inputs(make, t_q=t_q, t_kv=t_kv), 2, causal=True)
        matches_reference.flash_attention(*inputs(make, t_q=t_q, t_kv=t_kv), 2)


@points(0.1)
def test_refuses_early_queries_in_heads(raises_value_error, matches_reference, make):
    """More queries than keys are refused with leading dimensions too.

    前面还有其他维度时，查询多于键同样要拒绝。
    """
    raises_value_error.flash_attention(*inputs(make, 2, 3, t_q=4, t_kv=3), 2, causal=True)
    raises_value_error.flash_attention(*inputs(make, 2, t_q=3, t_kv=2), 5, causal=True)
    matches_reference.flash_attention(*inputs(make, 2, 3, t_q=3, t_kv=3), 2, causal=True)


@points(1.2)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow through all blocks back to queries, keys and values.

    梯度穿过每一块传回查询、键和值。
    """
    matches_gradients.flash_attention(*inputs(make, t_q=2, t_kv=3), 2)
    matches_gradients.flash_attention(*inputs(make, 2), 3)
    matches_gradients.flash_attention(*inputs(make, 2, t_q=4, t_kv=6), 2, causal=True)


@points(0.7)
def test_inputs(does_not_mutate, matches_reference, make):
    """Queries, keys and values may lie in memory in any order, and are left as they were.

    查询、键和值在内存中可按任意次序排布，并且保持原样。
    """
    q, k, v = (make.strided(t) for t in inputs(make, 2))
    does_not_mutate.flash_attention(q, k, v, 3)
    does_not_mutate.flash_attention(q, k, v, 3, causal=True)
    matches_reference.flash_attention(q, k, v, 3)
    matches_reference.flash_attention(
        q[:1].expand(2, 5, 6), k[:1].expand(2, 8, 6), v[:1].expand(2, 8, 4), 3, causal=True
    )


@points(0.4)
def test_device(stays_on_device, matches_reference, make):
    """What is carried from block to block is made on the device of the inputs.

    逐块携带的内容都建在输入所在的设备上。
    """
    stays_on_device.flash_attention(*inputs(make, 2), 3)
    matches_reference.flash_attention(*inputs(make, 2), 3)


@points(0.2)
def test_device_causal(stays_on_device, matches_reference, make):
    """Masks of blocks are made on the device of the inputs.

    各块的掩码都建在输入所在的设备上。
    """
    stays_on_device.flash_attention(*inputs(make, 2, t_q=5, t_kv=5), 3, causal=True)
    matches_reference.flash_attention(*inputs(make, 2, t_q=5, t_kv=5), 3, causal=True)


@points(0.1)
def test_device_after_a_cache(stays_on_device, matches_reference, make):
    """Masks of blocks are made on the device of the inputs, also with more keys than queries.

    键多于查询时，各块的掩码同样建在输入所在的设备上。
    """
    stays_on_device.flash_attention(*inputs(make, 2), 3, causal=True)
    matches_reference.flash_attention(*inputs(make, 2), 3, causal=True)


def lower_right(query, key, T_q, T_kv, start):
    """Hidden where a key comes later; the queries are the last positions."""
    return key + start > query + T_kv - T_q


def blocks(T_kv, block):
    """The first key of each block."""
    return range(0, T_kv, block)


def tiled(
    hidden=lower_right, starts=blocks, top=torch.maximum, first=-math.inf, scale=lambda Dh, block: Dh**-0.5,
    shrunk=lambda shrink: (shrink, shrink), each=lambda s, o, f, w: (s + f, o + w), last=lambda s, o, n: o / s,
    checked=True, cut=lambda t, start, block: t[..., start : start + block, :], device=True, early=True,
):  # fmt: skip
    """The right loop, with places to go wrong."""

    def flash_attention(q, k, v, block, causal=False):
        T_q, T_kv = q.shape[-2], k.shape[-2]
        if (checked and block < 1) or (early and causal and T_q > T_kv):
            raise ValueError("block or lengths")
        where = q.device if device else None
        m = q.new_full((*q.shape[:-1], 1), first)
        s, o = torch.zeros_like(m), q.new_zeros(*q.shape[:-1], v.shape[-1])
        query, number = torch.arange(T_q, device=where).unsqueeze(1), 0
        for start in starts(T_kv, block):
            number += 1
            scores = q @ cut(k, start, block).mT * scale(q.shape[-1], block)
            if causal:
                key = torch.arange(scores.shape[-1], device=where)
                scores = scores.masked_fill(hidden(query, key, T_q, T_kv, start), -math.inf)
            new = top(m, scores.amax(-1, keepdim=True))
            factors = (scores - new).exp()
            for_s, for_o = shrunk((m - new).exp())
            s, o = each(for_s * s, for_o * o, factors.sum(-1, keepdim=True), factors @ cut(v, start, block))
            m = new
        return last(s, o, number)

    return flash_attention


def padded(t, start, block):
    """A block that is filled up with zeros."""
    t = t[..., start : start + block, :]
    return torch.nn.functional.pad(t, (0, 0, 0, min(block, 64) - t.shape[-2])) if t.shape[-2] < min(block, 64) else t


def by_blocks(query, key, T_q, T_kv, start):
    """Hidden where the whole block, begun before the query, counts as visible."""
    return torch.full_like(key, start) > query + T_kv - T_q


@misconception("flash_attention")
def no_rescale(*given, **options):
    """When a block brings a larger maximum, what was summed so far is not shrunk. It is still relative to the old
    maximum: multiply l and o by e^(old m - new m). With the maximum in the first block nobody notices.

    某一块带来更大的最大值时，此前的累计没有缩小。它仍以旧的最大值为基准：l 和 o 都要乘以 e^(旧 m - 新 m)。
    最大值在第一块时看不出来。
    """
    return tiled(shrunk=lambda shrink: (torch.ones_like(shrink), torch.ones_like(shrink)))(*given, **options)


@misconception("flash_attention")
def only_l_rescaled(*given, **options):
    """l is shrunk when the maximum grows, o is not. Both are sums of the same exponentials.

    最大值变大时缩小了 l，没有缩小 o。两者由同样的指数相加而成。
    """
    return tiled(shrunk=lambda shrink: (shrink, torch.ones_like(shrink)))(*given, **options)


@misconception("flash_attention")
def only_o_rescaled(*given, **options):
    """o is shrunk when the maximum grows, l is not. Both are sums of the same exponentials.

    最大值变大时缩小了 o，没有缩小 l。两者由同样的指数相加而成。
    """
    return tiled(shrunk=lambda shrink: (torch.ones_like(shrink), shrink))(*given, **options)


@misconception("flash_attention")
def rescaled_backwards(*given, **options):
    """What was summed so far is multiplied by e^(new m - old m), which makes it grow. The factor is e^(old m - new m),
    at most 1.

    此前的累计乘了 e^(新 m - 旧 m)，反而变大。因子应是 e^(旧 m - 新 m)，不超过 1。
    """
    return tiled(shrunk=lambda shrink: ((1 / shrink).nan_to_num(posinf=0.0), (1 / shrink).nan_to_num(posinf=0.0)))(
        *given, **options
    )


@misconception("flash_attention")
def not_normalised(*given, **options):
    """The output is not divided by l at the end.

    最后没有除以 l。
    """
    return tiled(last=lambda s, o, n: o)(*given, **options)


@misconception("flash_attention")
def normalised_in_each_block(*given, **options):
    """o is divided by l in every block, and what was divided is then summed on as if it were not. Divide once, after
    the last block.

    每一块都把 o 除以 l，而除过的结果又被当作没除过继续累加。只应在最后一块之后除一次。
    """
    return tiled(each=lambda s, o, f, w: (s + f, (o + w) / (s + f)))(*given, **options)


@misconception("flash_attention")
def mean_of_blocks(*given, **options):
    """Each block gets a softmax of its own and the outputs are averaged. A block counts as much as its exponentials sum
    to.

    每一块各自做 softmax，再对输出取平均。每一块的分量应取决于它的指数之和。
    """
    return tiled(
        shrunk=lambda shrink: (0 * shrink, torch.ones_like(shrink)),
        top=lambda m, new: new,
        each=lambda s, o, f, w: (s + f, o + w / f),
        last=lambda s, o, n: o / n,
    )(*given, **options)


@misconception("flash_attention")
def drops_the_tail(*given, **options):
    """Keys that do not fill a block are left out. The last block may be shorter.

    填不满一块的键被丢掉了。最后一块可以较短。
    """
    return tiled(starts=lambda T_kv, block: range(0, T_kv // block * block or min(block, T_kv), block))(
        *given, **options
    )


@misconception("flash_attention")
def tail_padded(*given, **options):
    """The last block is filled up with zeros, and these count as keys: a score of 0 has the weight e^0. Take fewer
    keys, or hide the padding.

    最后一块用 0 补齐了，而补上的也被当成了键：分数 0 的权重是 e^0。应少取几个键，或把补上的遮住。
    """
    return tiled(cut=padded)(*given, **options)


@misconception("flash_attention")
def maximum_starts_at_zero(*given, **options):
    """The maximum starts at 0 instead of -inf. Where all scores are far below 0, every exponential vanishes and 0 is
    divided by 0.

    最大值从 0 开始，而应从 -inf 开始。所有分数都远低于 0 时，各个指数都变成 0，结果是 0 除以 0。
    """
    return tiled(first=0.0)(*given, **options)


@misconception("flash_attention")
def maximum_of_the_block(*given, **options):
    """The reference point is the maximum of the current block, so it may go down again. On paper that is right, but
    going down by a hundred makes e^(old m - new m) overflow. Keep the largest score so far.

    以当前一块的最大值为基准，于是它可能又变小。纸面上没有错，但一旦降低上百，e^(旧 m - 新 m) 就会溢出。
    应保留到目前为止最大的分数。
    """
    return tiled(top=lambda m, new: new)(*given, **options)


@misconception("flash_attention")
def maximum_of_the_first_block(*given, **options):
    """The maximum of the first block is kept for all. A later score that is far larger overflows; the maximum has to
    grow.

    所有块都用了第一块的最大值。后面若有大得多的分数就会溢出；最大值应随之增大。
    """
    return tiled(top=lambda m, new: torch.where(m.isinf(), new, m))(*given, **options)


@misconception("flash_attention")
def no_maximum(*given, **options):
    """No maximum is subtracted at all. Scores in the thousands overflow.

    根本没有减去最大值。数以千计的分数会溢出。
    """
    return tiled(first=0.0, top=lambda m, new: m)(*given, **options)


@misconception("flash_attention")
def no_scale(*given, **options):
    """The scores are not divided by the square root of Dh.

    分数没有除以 Dh 的平方根。
    """
    return tiled(scale=lambda Dh, block: 1.0)(*given, **options)


@misconception("flash_attention")
def scale_of_the_block(*given, **options):
    """The scores are divided by the square root of the block's size. It is the length of the vectors, Dh, that makes
    dot products grow.

    分数除以了块大小的平方根。让点积变大的是向量的长度 Dh。
    """
    return tiled(scale=lambda Dh, block: block**-0.5)(*given, **options)


@misconception("flash_attention")
def causal_ignored(*given, **options):
    """`causal` is accepted and not used.

    接收了 `causal` 却没有使用。
    """
    return tiled(hidden=lambda query, key, T_q, T_kv, start: key < 0)(*given, **options)


@misconception("flash_attention")
def causal_inverted(*given, **options):
    """With causal=True the earlier keys are hidden and the later ones are seen.

    causal=True 时遮住了前面的键，反而看见了后面的。
    """
    return tiled(hidden=lambda query, key, T_q, T_kv, start: (key + start <= query + T_kv - T_q) & (key + start > 0))(
        *given, **options
    )


@misconception("flash_attention")
def causal_top_left(*given, **options):
    """The mask is aligned at the top left: with more keys than queries the queries see too few. They are the last
    positions, so query i stands at i + T_kv - T_q.

    掩码按左上角对齐：键多于查询时，查询看到的太少。查询是最后的几个位置，查询 i 位于 i + T_kv - T_q。
    """
    return tiled(hidden=lambda query, key, T_q, T_kv, start: key + start > query)(*given, **options)


@misconception("flash_attention")
def causal_within_the_block(*given, **options):
    """The mask counts keys from the start of their block. Add the block's start to get their positions.

    掩码从每块的开头数键。应加上该块的起点，才是键的位置。
    """
    return tiled(hidden=lambda query, key, T_q, T_kv, start: (key > query + T_kv - T_q) & (key > 0))(*given, **options)


@misconception("flash_attention")
def causal_hides_itself(*given, **options):
    """A query does not see the key at its own position.

    查询看不见自己位置上的键。
    """
    return tiled(hidden=lambda query, key, T_q, T_kv, start: (key + start >= query + T_kv - T_q) & (key + start > 0))(
        *given, **options
    )


@misconception("flash_attention")
def causal_by_blocks(*given, **options):
    """A block is hidden or seen as a whole. The block in which a query stands is partly visible.

    整块要么遮住，要么可见。查询所在的那一块应是部分可见的。
    """
    return tiled(hidden=by_blocks)(*given, **options)


@misconception("flash_attention")
def block_not_checked(*given, **options):
    """Blocks below 1 are not refused with ValueError; NaN or another error comes instead.

    块小于 1 时没有抛出 ValueError，而是得到 NaN 或别的错误。
    """
    return tiled(checked=False)(*given, **options)


@misconception("flash_attention")
def early_queries_accepted(*given, **options):
    """More queries than keys are accepted with causal=True. The first queries see nothing and become NaN; raise
    ValueError.

    causal=True 时接受了比键还多的查询。最前面的查询什么也看不见，变成 NaN；应抛出 ValueError。
    """
    return tiled(early=False)(*given, **options)


@misconception("flash_attention")
def mask_on_cpu(*given, **options):
    """The mask of a block is made on the CPU; on a GPU it does not mix with the scores.

    各块的掩码建在了 CPU 上；在 GPU 上它无法与分数一起运算。
    """
    return tiled(device=False)(*given, **options)


@misconception("flash_attention")
def values_detached(*given, **options):
    """Keys and values are cut out of the gradient when a block is taken.

    取出一块时，键和值被排除在了梯度之外。
    """
    return tiled(cut=lambda t, start, block: t[..., start : start + block, :].detach())(*given, **options)


@misconception("flash_attention")
def forces_float32(q, k, v, block, causal=False):
    """The result is always float32. Accumulating in float32 is a good idea, but the output comes back in the dtype of
    q.

    结果总是 float32。用 float32 累加是个好主意，但输出要转回 q 的 dtype。
    """
    return tiled()(q.float(), k.float(), v.float(), block, causal)


@misconception("flash_attention")
def queries_scaled_in_place(q, k, v, block, causal=False):
    """The caller's queries are scaled in place. Build a new tensor.

    调用者的查询被就地缩放了。应新建一个张量。
    """
    q *= q.shape[-1] ** -0.5
    return tiled(scale=lambda Dh, block: 1.0)(q, k, v, block, causal)


@misconception("flash_attention")
def returns_the_sum_too(*given, **options):
    """More than the output is returned. m and l are scaffolding.

    返回的不只是输出。m 和 l 只是脚手架。
    """
    output = tiled()(*given, **options)
    return output, output[..., 0]
