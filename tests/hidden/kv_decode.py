"""Hidden suite for decoding with a cache of keys and values.

Not in the bank: what is kept in the cache and in which order is the student's choice, as long as the outputs are right;
its shape tells whether heads were repeated before. A solution that takes the whole text at once gives the right values,
so no replay can name it: test_memory finds it and says so. What can go wrong inside the block is in the suite of
minimind_attention; some of it is repeated here.
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect, expect_close, misconception, points

EPSILON = torch.finfo(torch.float32).eps


def split(x, num_heads):
    """[B, T, C] to [B, H, T, Dh], head 0 the first block."""
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge(heads):
    """[B, H, T, Dh] to [B, T, H * Dh], head 0 first."""
    return heads.transpose(1, 2).flatten(2)


def repeat(x, n_rep):
    """h0 h0 h1 h1."""
    return x.repeat_interleave(n_rep, 1)


def halves(x, cos, sin):
    """The rotation of pairs (i, i + Dh/2)."""
    x1, x2 = x.chunk(2, -1)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


def turned(x, start, theta, pair=halves):
    """RoPE for positions start, start + 1, ... along dimension -2."""
    T, Dh = x.shape[-2:]
    dtype = torch.promote_types(x.dtype, torch.float32)
    position = torch.arange(start, start + T, device=x.device).to(dtype)
    angle = torch.outer(position, theta ** -(torch.arange(Dh // 2, device=x.device).to(dtype) * 2 / Dh))
    return pair(x, angle.cos(), angle.sin()).to(x.dtype)


def lower_right(T, S, device):
    """True = may attend; the T queries are the last of S positions."""
    return torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)


def lengths(x):
    """The length of each pair of channels [..., Dh/2], once for each of the two."""
    return x.unflatten(-1, (2, -1)).norm(dim=-2)


@error_bound("kv_decode")
def decode_bound(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    # As for minimind_attention, bounded as if the text came in one go: a projection is off by at most eps (C / 2 + 3)
    # reach with reach = |x||W|; turning a pair adds two products and a sum, each rounded once (2), and the error of a
    # float32 table. Scores inherit that from q and from k, and are sums of Dh products; a score's error counts once as
    # it is and once averaged, softmax adds T + 8, a hidden token may keep 1e-6. Heads add T products and inherit the
    # values' errors; W_O projects once more. What the cache holds, and in which order, is free: any finite number.
    heads = num_heads, num_kv_heads, num_kv_heads
    T, C = x.shape[1:]
    Dh, n_rep, steps = C // num_heads, num_heads // num_kv_heads, C / 2 + 3
    q, k, v = (split(x @ w, n) for w, n in zip(W, heads, strict=False))
    off_q, off_k, off_v = (steps * split(x.abs() @ w.abs(), n) for w, n in zip(W, heads, strict=False))
    table = (2 + (2e-6 + 6e-7 * torch.arange(T).double()) / EPSILON).unsqueeze(-1)
    off_q, off_k = (o.unflatten(-1, (2, -1)).sum(-2) * (1 + table / steps) for o in (off_q, off_k))
    long_q = lengths(q)
    long_k, wide_k, wide_v, values = (repeat(t, n_rep) for t in (lengths(k), off_k, off_v, v))
    reach = long_q @ long_k.mT / math.sqrt(Dh)
    units = math.sqrt(2 / Dh) * (off_q @ long_k.mT + long_q @ wide_k.mT) + (Dh / 2 + 4) * reach
    hidden = ~lower_right(T, T, "cpu")
    scores = turned(q, 0, theta) @ repeat(turned(k, 0, theta), n_rep).mT / math.sqrt(Dh)
    attention = scores.masked_fill(hidden, -math.inf).softmax(-1)
    exponents = (units + 2 * reach).masked_fill(hidden, 0.0) + reach.masked_fill(hidden, 0.0).amax(-1, keepdim=True)
    total = exponents + (attention * exponents).sum(-1, keepdim=True) + T + 8
    leak = hidden * 1e-6 / EPSILON
    off = (attention * (total + T + 4) + leak) @ values.abs() + attention @ wide_v
    output = merge(off) @ W[3].abs() + steps * merge(attention @ values).abs() @ W[3].abs()
    return output, torch.full_like(k, math.inf), torch.full_like(v, math.inf)


def inputs(make, B=2, T=6, C=24, H=6, H_kv=3):
    """Tokens, matrices that keep their size, numbers of heads."""
    widths = C, C // H * H_kv, C // H * H_kv, C
    return make.normal(B, T, C), [make.normal(C, width, scale=C**-0.5) for width in widths], H, H_kv


def one_pair(make, T):
    """Tokens, and matrices that pick channel 1 and channel 3: scores from the pair in which theta shows best."""
    x = torch.zeros(1, T, 8)
    x[..., 1], x[..., 3] = 3.0, torch.where(torch.arange(T) < T // 2, 1.0, -1.0)
    return make.tensor(x), *(make.tensor(torch.diag(torch.eye(8)[channel])) for channel in (1, 3))


@points(2.4)
def test_token_by_token(matches_reference, make, dtype):
    """Token by token, each step with the cache of those before, the outputs are those of the whole text.

    逐个词元输入，每一步都用之前的缓存，输出与处理整段文本时相同。
    """
    matches_reference.kv_decode(*inputs(make, 1, 2, 4, 1, 1), [1, 1])
    matches_reference.kv_decode(*inputs(make, 1, 3, 8, 2, 1), [1] * 3)
    matches_reference.kv_decode(*inputs(make), [1] * 6)


@points(2.6)
def test_chunks(matches_reference, make, dtype):
    """Chunks of any sizes, equal or not, give the outputs of the whole text.

    无论各段大小是否相等，输出都与处理整段文本时相同。
    """
    matches_reference.kv_decode(*inputs(make, 1, 3, 4, 1, 1), [2, 1])
    matches_reference.kv_decode(*inputs(make, 1, 4, 8, 2, 1), [2, 2])
    for chunks in ([3, 3], [3, 1, 2], [6], [1, 5], [2, 4]):
        matches_reference.kv_decode(*inputs(make), chunks)


@points(1.2)
def test_every_cut_gives_the_same(student, matches_reference, make):
    """However the text is cut, your own outputs agree with each other.

    无论怎样切分文本，你自己的各次输出应彼此一致。
    """
    text = inputs(make)
    whole, _ = student.kv_decode(*text, [6])
    for chunks in ([1] * 6, [3, 3], [5, 1], [3, 1, 2], [1, 2, 3]):
        output, _ = student.kv_decode(*text, chunks)
        en = f"in chunks of {chunks} the output is not the one in a single chunk"
        zh = f"按 {chunks} 分段时，输出与不分段时不同"
        expect_close(output, whole, 2e-3, en, zh)
    matches_reference.kv_decode(*text, [4, 2])


@points(0.8)
def test_no_look_ahead(student, matches_reference, make):
    """What comes later changes no earlier output, inside a chunk or across chunks.

    后面的内容不改变前面的输出，无论在同一段内还是跨段。
    """
    x, *rest = inputs(make)
    for chunks in ([6], [2, 4], [1] * 6):
        before, _ = student.kv_decode(x, *rest, chunks)
        after, _ = student.kv_decode(torch.cat([x[:, :4], make.normal(2, 2, 24)], 1), *rest, chunks)
        en, zh = "an output depends on tokens that come later", "有的输出取决于后面的词元"
        expect_close(after[:, :4], before[:, :4], 1e-4, en, zh)
    matches_reference.kv_decode(x, *rest, [3, 3])


@points(1)
def test_cache(matches_reference, make):
    """The cache that comes back has a key and a value for every token and each of the H_kv heads, not for every query
    head.

    返回的缓存中，每个词元的每个键值头（共 H_kv 个）各有一个键和一个值，而不是每个查询头一份。
    """
    for (B, T, C, H, H_kv), chunks in (
        ((1, 4, 8, 4, 1), [2, 1, 1]),
        ((2, 5, 24, 6, 2), [4, 1]),
        ((3, 5, 12, 3, 3), [1, 4]),
        ((2, 3, 16, 4, 2), [3]),
    ):
        matches_reference.kv_decode(*inputs(make, B, T, C, H, H_kv), chunks)


@points(0.8)
def test_memory(largest_tensor, matches_reference, make):
    """Token by token, no tensor of T * T entries is made: neither all scores at once nor a square mask.

    逐个词元解码时，不产生有 T * T 个元素的张量：既没有全部分数，也没有掩码方阵。
    """
    for T, H, H_kv in ((12, 1, 1), (20, 4, 2)):
        entries = largest_tensor.kv_decode(*inputs(make, 1, T, 8, H, H_kv), [1] * T)
        en = f"token by token, a tensor with {entries} entries was made; {T} * {T} are too many"
        zh = f"逐个词元解码时，产生了有 {entries} 个元素的张量；不应达到 {T} * {T}"
        expect(entries < T * T, en, zh)
    matches_reference.kv_decode(*inputs(make), [1] * 6)


@points(0.8)
def test_memory_of_chunks(largest_tensor, matches_reference, make):
    """In short chunks, no tensor of T * T entries is made either.

    各段很短时，同样不产生有 T * T 个元素的张量。
    """
    for T, chunks in ((24, [2] * 12), (32, [4, 2] * 5 + [2])):
        entries = largest_tensor.kv_decode(*inputs(make, 1, T, 8, 4, 2), chunks)
        en = f"in chunks of at most {max(chunks)}, a tensor with {entries} entries was made; {T} * {T} are too many"
        zh = f"每段至多 {max(chunks)} 个词元时，产生了有 {entries} 个元素的张量；不应达到 {T} * {T}"
        expect(entries < T * T, en, zh)
    matches_reference.kv_decode(*inputs(make), [2, 2, 2])


@points(0.6)
def test_special_sizes(matches_reference, make):
    """A single token, a single example, sizes that coincide are no special case.

    只有一个词元、只有一个样本或尺寸彼此相等时没有例外。
    """
    matches_reference.kv_decode(*inputs(make, 1, 1, 2, 1, 1), [1])
    matches_reference.kv_decode(*inputs(make, 1, 5, 8, 2, 1), [1, 3, 1])
    matches_reference.kv_decode(*inputs(make, 4, 4, 16, 4, 4), [2, 2])
    matches_reference.kv_decode(*inputs(make, 3, 9, 36, 3, 3), [3, 3, 3])


@points(0.3)
def test_theta(matches_reference, make):
    """theta sets the frequencies of RoPE.

    theta 决定 RoPE 的频率。
    """
    for theta in (10000.0, 100.0 * make.integer(3, 60)):
        matches_reference.kv_decode(*inputs(make, H=3), [3, 1, 2], theta=theta)
    matches_reference.kv_decode(*inputs(make, 1, 24, 8, 1, 1), [16, 8], theta=20.0)


@points(0.3)
def test_default_theta(matches_reference, make):
    """theta is 1e6 unless given, and holds for every chunk.

    不给 theta 时为 1e6，每一段都一样。
    """
    x, one, three = one_pair(make, 60)
    matches_reference.kv_decode(x, [one, one, three, torch.eye(8)], 1, 1, [40, 20])
    matches_reference.kv_decode(*inputs(make, 2, 7, 24, 3, 3), [4, 3], theta=50.0)


@points(0.5)
def test_refuses_sums(raises_value_error, matches_reference, make):
    """ValueError if the chunks do not add up to the length of the text.

    各段之和不等于文本长度时，抛出 ValueError。
    """
    for chunks in ([5], [3, 2], [1] * 7, [6, 1], [12]):
        raises_value_error.kv_decode(*inputs(make), chunks)
    matches_reference.kv_decode(*inputs(make), [5, 1])


@points(0.5)
def test_refuses_empty_chunks(raises_value_error, matches_reference, make):
    """ValueError if a chunk is below 1, also where the sum is right.

    某一段小于 1 时抛出 ValueError，即使总和是对的。
    """
    for chunks in ([6, 0], [0, 6], [3, 0, 3], [7, -1]):
        raises_value_error.kv_decode(*inputs(make), chunks)
    matches_reference.kv_decode(*inputs(make), [1, 5])


@points(1.6)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow from every output back to all tokens that it saw, through the cache too, and to the matrices.

    梯度从每个输出传回它看到的所有词元（也穿过缓存），并传到各个矩阵。
    """
    matches_gradients.of(0).kv_decode(*inputs(make, 1, 3, 8, 2, 1), [2, 1])
    for chunks in ([1] * 6, [3, 1, 2], [6]):
        matches_gradients.of(0).kv_decode(*inputs(make), chunks)


@points(0.8)
def test_inputs(does_not_mutate, matches_reference, make):
    """Tokens and matrices may lie in memory in any order, and are left as they were.

    词元和矩阵在内存中可按任意次序排布，并且保持原样。
    """
    x, W, *heads = inputs(make)
    x, W = make.strided(x), [make.strided(w) for w in W]
    for chunks in ([3, 3], [1] * 6):
        does_not_mutate.kv_decode(x, W, *heads, chunks)
    matches_reference.kv_decode(x, W, *heads, [4, 2])


@points(0.4)
def test_device(stays_on_device, matches_reference, make):
    """Positions and masks are made on the device of the inputs.

    位置和掩码都建在输入所在的设备上。
    """
    stays_on_device.kv_decode(*inputs(make), [6])
    matches_reference.kv_decode(*inputs(make), [6])


@points(0.4)
def test_device_in_chunks(stays_on_device, matches_reference, make):
    """Positions and masks are made on the device of the inputs, in every chunk.

    每一段的位置和掩码都建在输入所在的设备上。
    """
    stays_on_device.kv_decode(*inputs(make), [3, 1, 2])
    matches_reference.kv_decode(*inputs(make), [3, 1, 2])


def decoder(
    turn_q=turned, turn_k=turned, turn_v=None, shared=repeat, mask=lower_right, scale=lambda C, Dh: Dh**-0.5,
    start=lambda past, c, number: past, behind=lambda old, new: torch.cat([old, new], 2),
    kept=lambda cache, new: cache, given=lambda cache, n_rep: cache, joined=merge, base=None, checked=True,
):  # fmt: skip
    """The right decoder, with places to go wrong."""

    def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
        if checked and (min(chunks) < 1 or sum(chunks) != x.shape[1]):
            raise ValueError("chunks")
        outputs, cache, n_rep, C, at = [], None, num_heads // num_kv_heads, x.shape[2], 0
        for number, c in enumerate(chunks):
            piece, at = x[:, at : at + c], at + c
            c = piece.shape[1]
            q, k, v = (split(piece @ w, n) for w, n in zip(W, (num_heads, num_kv_heads, num_kv_heads), strict=False))
            first = start(cache[0].shape[2] if cache else 0, c, number)
            q, k = turn_q(q, first, base or theta), turn_k(k, first, base or theta)
            v = turn_v(v, first, theta) if turn_v else v
            new = k, v
            if cache:
                k, v = behind(cache[0], k), behind(cache[1], v)
            cache = kept((k, v), new)
            k, v = (shared(t, n_rep) for t in (k, v))
            scores = q @ k.mT * scale(C, q.shape[-1])
            visible = mask(c, k.shape[2], x.device)
            outputs.append(joined(scores.masked_fill(~visible, -math.inf).softmax(-1) @ v) @ W[3])
        return torch.cat(outputs, 1), given(cache, n_rep)

    return kv_decode


def as_it_is(x, start, theta):
    """No rotation."""
    return x


@misconception("kv_decode")
def no_cache(*given, **options):
    """Nothing is kept: every chunk sees only itself and begins at position 0. Token by token each output is the token's
    own value. Keep the keys and values of all chunks so far.

    什么也没有保存：每一段只能看见自己，并且从位置 0 开始。逐个词元解码时，每个输出只是该词元自己的值。
    应保存此前各段的键和值。
    """
    return decoder(kept=lambda cache, new: None)(*given, **options)


@misconception("kv_decode")
def keeps_last_chunk_only(*given, **options):
    """Only the last chunk is kept: each one replaces the cache instead of adding to it. With two chunks nobody notices,
    with three the first is lost.

    只保存了最后一段：每一段都替换缓存，而不是接在后面。两段时看不出来，三段时第一段就丢了。
    """
    return decoder(kept=lambda cache, new: new)(*given, **options)


@misconception("kv_decode")
def rope_reset(*given, **options):
    """The positions of every chunk start at 0. A chunk's first token stands behind all that were cached: start at their
    number. Token by token your model has no positions at all.

    每一段的位置都从 0 开始。一段的第一个词元排在所有已缓存的词元之后：应从它们的个数开始。
    逐个词元解码时，这样的模型等于完全没有位置。
    """
    return decoder(start=lambda past, c, number: 0)(*given, **options)


@misconception("kv_decode")
def start_counts_chunks(*given, **options):
    """The position of a chunk is its number, as if every chunk before had held one token. Count the tokens in the
    cache.

    一段的位置用的是它的序号，好像之前每段都只有一个词元。应数缓存中的词元。
    """
    return decoder(start=lambda past, c, number: number)(*given, **options)


@misconception("kv_decode")
def starts_too_late(*given, **options):
    """Later chunks stand one position too far back: behind n tokens, at the positions 0 to n - 1, the next one stands
    at n.

    后面的各段位置都多了 1：前面 n 个词元位于 0 到 n - 1，下一个就在 n。
    """
    return decoder(start=lambda past, c, number: past + (past > 0))(*given, **options)


@misconception("kv_decode")
def start_after_appending(*given, **options):
    """The start is read off the cache after the new keys were put in, so every chunk is shifted by its own length.
    Equal chunks are all shifted alike and nobody notices; chunks of 3, 1 and 2 tokens show it.

    起始位置是在放入新的键之后才从缓存读出的，于是每一段都被推后了自身的长度。各段一样长时都推后同样多，看不出来；
    3、1、2 个词元的段就会露馅。
    """
    return decoder(start=lambda past, c, number: past + c)(*given, **options)


@misconception("kv_decode")
def new_before_old(*given, **options):
    """The new keys and values are put in front of the cached ones, and the mask hides the wrong ones. Single tokens
    hide nothing, so only longer chunks show it. The oldest come first.

    新的键和值放到了缓存的前面，掩码就遮错了对象。单个词元什么也不遮，只有较长的段才看得出来。旧的应在前。
    """
    return decoder(behind=lambda old, new: torch.cat([new, old], 2))(*given, **options)


@misconception("kv_decode")
def joined_along_heads(*given, **options):
    """New keys and values are joined to the old ones along the heads. They belong behind them along the tokens,
    dimension 2 of [B, H_kv, T, Dh].

    新的键和值与旧的沿着头的维度拼接了。应沿词元的维度接在后面，即 [B, H_kv, T, Dh] 的第 2 维。
    """
    return decoder(behind=lambda old, new: torch.cat([old, new], 1))(*given, **options)


@misconception("kv_decode")
def top_left_mask(*given, **options):
    """The mask is aligned at the top left, as `is_causal=True` does it: the first token of a later chunk sees only the
    very first key. The queries are the last positions, so the mask belongs to the bottom right.

    掩码按左上角对齐，`is_causal=True` 就是这样：后面某段的第一个词元只能看见最早的那个键。
    查询是最后的几个位置，掩码应按右下角对齐。
    """
    return decoder(mask=lambda c, S, device: torch.ones(c, S, dtype=torch.bool, device=device).tril())(
        *given, **options
    )


@misconception("kv_decode")
def square_mask(*given, **options):
    """The mask has a column for each new token only, and does not fit once there are cached keys. It needs one for
    every key.

    掩码只为新的词元准备了列，一旦有缓存的键就对不上。每个键都要有一列。
    """
    return decoder(mask=lambda c, S, device: torch.ones(c, c, dtype=torch.bool, device=device).tril())(
        *given, **options
    )


@misconception("kv_decode")
def no_causal_mask(*given, **options):
    """There is no mask. A single new token needs none, since all keys are its own or earlier; in a longer chunk the
    tokens see those after them.

    没有掩码。单个新词元不需要掩码，因为所有的键都是它自己的或更早的；段更长时，词元就会看到后面的。
    """
    return decoder(mask=lambda c, S, device: torch.ones(c, S, dtype=torch.bool, device=device))(*given, **options)


@misconception("kv_decode")
def whole_chunk_hidden(*given, **options):
    """New tokens do not see themselves (only the very first one does). Each token sees itself and everything before it.

    新的词元看不见自己（只有最早的那个例外）。每个词元应能看见自己以及之前的一切。
    """
    return decoder(
        mask=lambda c, S, device: (
            torch.ones(c, S, dtype=torch.bool, device=device).tril(S - c - 1) | (torch.arange(S, device=device) == 0)
        )
    )(*given, **options)


@misconception("kv_decode")
def no_rope(*given, **options):
    """Queries and keys are not turned, so the model cannot tell one order of the tokens before from another.

    查询和键没有旋转，模型分辨不出前面词元的先后次序。
    """
    return decoder(as_it_is, as_it_is)(*given, **options)


@misconception("kv_decode")
def rope_q_only(*given, **options):
    """Only the queries are turned. A score then depends on where the query stands, not on the distance to the key.

    只旋转了查询。分数于是取决于查询在哪里，而不是它与键的距离。
    """
    return decoder(turn_k=as_it_is)(*given, **options)


@misconception("kv_decode")
def rope_on_values(*given, **options):
    """The values are turned too. Their turn ends up in the output, which then depends on where the text starts.

    值也被旋转了。它转过的角度会直接进入输出，使输出取决于文本从哪里开始。
    """
    return decoder(turn_v=turned)(*given, **options)


@misconception("kv_decode")
def theta_ignored(*given, **options):
    """theta is accepted and not used: the frequencies always come from 1e6.

    接收了 theta 却没有使用：频率总是按 1e6 计算。
    """
    return decoder(base=1e6)(*given, **options)


@misconception("kv_decode")
def theta_always_10000(*given, **options):
    """The frequencies come from 10000 whatever theta is. The default here is 1e6.

    无论 theta 是多少，频率都按 10000 计算。这里的默认值是 1e6。
    """
    return decoder(base=10000.0)(*given, **options)


@misconception("kv_decode")
def cache_after_repeat(*given, **options):
    """The cache holds the repeated heads, H instead of H_kv of them: the memory that sharing heads was to save is spent
    again. Keep first, repeat afterwards.

    缓存里存的是重复之后的头，有 H 个而不是 H_kv 个：共用头本来要省下的内存又用掉了。应先保存，再重复。
    """
    return decoder(given=lambda cache, n_rep: tuple(repeat(t, n_rep) for t in cache))(*given, **options)


@misconception("kv_decode")
def heads_tiled(*given, **options):
    """Key and value heads are repeated as h0 h1 h0 h1. Neighbouring query heads share one: h0 h0 h1 h1.

    键值头按 h0 h1 h0 h1 重复了。相邻的查询头共用一个，应为 h0 h0 h1 h1。
    """
    return decoder(shared=lambda t, n_rep: t.repeat(1, n_rep, 1, 1))(*given, **options)


@misconception("kv_decode")
def no_scale(*given, **options):
    """The scores are not divided by the square root of Dh.

    分数没有除以 Dh 的平方根。
    """
    return decoder(scale=lambda C, Dh: 1.0)(*given, **options)


@misconception("kv_decode")
def scale_of_all_channels(*given, **options):
    """The scores are divided by the square root of C, all heads together. A head takes dot products of length Dh.

    分数除以了 C（所有头合起来）的平方根。一个头的点积长度是 Dh。
    """
    return decoder(scale=lambda C, Dh: C**-0.5)(*given, **options)


@misconception("kv_decode")
def merge_without_transpose(*given, **options):
    """The heads are merged with a reshape only. For a single token that is right, in longer chunks a token's output
    mixes tokens of one head. Bring the heads behind the tokens first.

    合并多头时只做了 reshape。单个词元时是对的，段更长时，一个词元的输出就混进了同一个头的其他词元。
    应先把头换到词元之后。
    """
    return decoder(joined=lambda t: t.reshape(t.shape[0], t.shape[2], -1))(*given, **options)


@misconception("kv_decode")
def chunks_not_checked(*given, **options):
    """Chunks that do not make up the text are not refused: some tokens are left over, or a chunk is empty. Raise
    ValueError.

    各段拼不成整段文本时没有拒绝：会剩下一些词元，或出现空的一段。应抛出 ValueError。
    """
    return decoder(checked=False)(*given, **options)


@misconception("kv_decode")
def cache_detached(*given, **options):
    """What goes into the cache is cut out of the gradient, so tokens learn nothing from those that look back at them.

    存入缓存的内容被排除在梯度之外，回看它们的词元无法让它们学到任何东西。
    """
    return decoder(kept=lambda cache, new: tuple(t.detach() for t in cache))(*given, **options)


@misconception("kv_decode")
def mask_on_cpu(*given, **options):
    """The mask is made on the CPU; on a GPU it does not mix with the scores. Make it on the device of x.

    掩码建在了 CPU 上；在 GPU 上它无法与分数一起运算。应建在 x 所在的设备上。
    """
    return decoder(mask=lambda c, S, device: lower_right(c, S, None))(*given, **options)


@misconception("kv_decode")
def re_rotates_cached_keys(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    """All keys are turned in every chunk, those from the cache once more. They were kept turned; turn the new ones
    only, or keep them as they were projected.

    每一段都旋转所有的键，缓存中的键又转了一遍。它们存进去时已经旋转过了；应只旋转新的键，或者保存未旋转的键。
    """

    def kept(cache, new):
        return turned(cache[0], 0, theta), cache[1]  # as the next chunk will find it

    return decoder(kept=kept)(x, W, num_heads, num_kv_heads, chunks, theta)


@misconception("kv_decode")
def forces_float32(x, W, *given, **options):
    """The results are float32 whatever comes in, because the tables of cosines and sines are. What was turned goes back
    to the dtype of x, or the cache of a half-precision model takes twice the memory.

    无论输入是什么，结果都成了 float32，因为余弦和正弦的表是 float32。
    旋转后的内容要转回 x 的 dtype，否则半精度模型的缓存会占用两倍内存。
    """
    return decoder()(x.float(), [w.float() for w in W], *given, **options)


@misconception("kv_decode")
def only_output(*given, **options):
    """Only the output is returned. The cache belongs beside it, so that the text can go on.

    只返回了输出。还应返回缓存，这样文本才能接着写下去。
    """
    return decoder()(*given, **options)[0]
