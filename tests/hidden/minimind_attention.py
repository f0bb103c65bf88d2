"""Hidden suite for MiniMind's attention block as a function.

Not in the bank, because right: fused attention with a mask of one's own, rotating after the heads were repeated, tables
of cosines that are kept between calls. Keys kept unrotated are right as long as nobody else reads the cache; here the
task says what it holds, so `cache_unrotated` is a mistake. What can go wrong inside the rotation and inside attention
is in the suites of rope and attention; a few of those mistakes are repeated here.
"""

import math

import torch

from grader.suites import dtypes, error_bound, expect_close, misconception, points

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


def turned(x, start, theta, pair=halves, dtype=None):
    """RoPE for positions start, start + 1, ... along dimension -2."""
    T, Dh = x.shape[-2:]
    dtype = dtype or torch.promote_types(x.dtype, torch.float32)
    position = torch.arange(start, start + T, device=x.device).to(dtype)
    angle = torch.outer(position, theta ** -(torch.arange(Dh // 2, device=x.device).to(dtype) * 2 / Dh))
    return pair(x, angle.cos(), angle.sin()).to(x.dtype)


def lower_right(T, S, device):
    """True = may attend; the T queries are the last of S positions."""
    return torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)


def lengths(x):
    """The length of each pair of channels [..., Dh/2], once for each of the two."""
    return x.unflatten(-1, (2, -1)).norm(dim=-2)


@error_bound("minimind_attention")
def block_bound(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    # A projection is a sum of C products, rounded at each step, of x and W rounded once: off by at most eps (C / 2 + 3)
    # reach with reach = |x||W|. Turning a pair adds two products and a sum, each rounded once (2), and the error of a
    # float32 table, (2e-6 + 6e-7 * position) / eps, times both channels. Scores inherit that from q and from k, pair by
    # pair, and are sums of Dh products themselves; then as in gqa: a score's error counts once as it is and once
    # averaged, softmax adds S + 8, a hidden token may keep 1e-6. Heads add S products and inherit the values' errors.
    # W_O is one more projection. What comes out of the cache was rounded once.
    C, past = x.shape[-1], 0 if cache is None else cache[0].shape[2]
    S, Dh, n_rep, steps = past + x.shape[1], C // num_heads, num_heads // num_kv_heads, C / 2 + 3
    heads = num_heads, num_kv_heads, num_kv_heads
    q, k, v = (split(x @ w, n) for w, n in zip(W, heads, strict=False))
    off_q, off_k, off_v = (
        steps * split(x.abs() @ w.abs(), h) for w, h in zip(W, (num_heads, num_kv_heads, num_kv_heads), strict=False)
    )
    table = (2 + (2e-6 + 6e-7 * torch.arange(past, S).double()) / EPSILON).unsqueeze(-1)
    off_q, off_k = (o.unflatten(-1, (2, -1)).sum(-2) * (1 + table / steps) for o in (off_q, off_k))
    k = turned(k, past, theta)
    if cache is not None:
        off_k = torch.cat([lengths(cache[0]), off_k], 2)
        off_v = torch.cat([cache[1].abs(), off_v], 2)
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    long_k, wide_k, wide_v, values = (repeat(t, n_rep) for t in (lengths(k), off_k, off_v, v))
    long_q = lengths(q)
    reach = long_q @ long_k.mT / math.sqrt(Dh)
    units = math.sqrt(2 / Dh) * (off_q @ long_k.mT + long_q @ wide_k.mT) + (Dh / 2 + 4) * reach
    hidden = ~lower_right(x.shape[1], S, "cpu")
    scores = turned(q, past, theta) @ repeat(k, n_rep).mT / math.sqrt(Dh)
    weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
    exponents = (units + 2 * reach).masked_fill(hidden, 0.0) + reach.masked_fill(hidden, 0.0).amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + S + 8
    leak = hidden * 1e-6 / EPSILON
    off = (weights * (total + S + 4) + leak) @ values.abs() + weights @ wide_v
    output = merge(off) @ W[3].abs() + steps * merge(weights @ values).abs() @ W[3].abs()
    return output, torch.cat([off_k, off_k], -1), off_v


def weights_for(make, C, H, H_kv):
    """W_Q, W_K, W_V, W_O that keep the size of their input."""
    return [make.normal(C, width, scale=C**-0.5) for width in (C, C // H * H_kv, C // H * H_kv, C)]


def inputs(make, B=2, T=5, C=24, H=6, H_kv=3):
    """Tokens, matrices, numbers of heads."""
    return make.normal(B, T, C), weights_for(make, C, H, H_kv), H, H_kv


def in_pieces(function, x, W, H, H_kv, sizes):
    """The output of a text that comes in pieces of these sizes, each with the cache of those before."""
    outputs, cache = [], None
    for piece in x.split(sizes, 1):
        output, cache = function(piece, W, H, H_kv, **({} if cache is None else {"cache": cache}))
        outputs.append(output)
    return torch.cat(outputs, 1)


@points(2.6)
def test_definition(matches_reference, make, dtype):
    """Project, rotate queries and keys, share key and value heads, attend causally, merge, project: the output, and the
    keys and values of all tokens beside it.

    投影、旋转查询和键、共用键值头、因果注意力、合并、再投影：返回输出，以及所有词元的键和值。
    """
    matches_reference.minimind_attention(*inputs(make, 1, 2, 4, 1, 1))
    matches_reference.minimind_attention(*inputs(make, 1, 3, 8, 2, 1))
    matches_reference.minimind_attention(*inputs(make))


@points(1.8)
def test_with_cache(matches_reference, make, reference, dtype):
    """With a cache the new tokens stand behind the cached ones: they are rotated to later positions, see all cached
    tokens, and the cache comes back longer.

    有缓存时，新词元排在缓存的词元之后：旋转到更靠后的位置，能看见缓存中的所有词元，返回的缓存也变长。
    """
    for past, T, (B, C, H, H_kv) in (
        (2, 1, (1, 4, 1, 1)),
        (3, 1, (2, 24, 6, 3)),
        (4, 3, (2, 24, 6, 2)),
        (1, 6, (1, 16, 4, 2)),
    ):
        x, *rest = inputs(make, B, past + T, C, H, H_kv)
        _, cache = reference.minimind_attention(x[:, :past], *rest)
        matches_reference.minimind_attention(x[:, past:], *rest, cache=cache)


@points(1.4)
def test_pieces(student, matches_reference, make):
    """A text gives the same output in one go, token by token, and in pieces of any sizes.

    一段文本无论一次给完、逐个词元给，还是分成任意大小的段给，输出都相同。
    """
    for sizes in ([1, 1], [2, 1], [1] * 6, [3, 3], [1, 5], [3, 1, 2]):
        x, *rest = inputs(make, T=sum(sizes))
        whole, _ = matches_reference.minimind_attention(x, *rest)
        pieces = in_pieces(student.minimind_attention, x, *rest, sizes)
        en = f"in pieces of {sizes} tokens the output is not that of the whole text"
        zh = f"分成 {sizes} 个词元的段时，输出与整段文本的不同"
        expect_close(pieces, whole, 2e-3, en, zh)


@points(0.8)
def test_no_look_ahead(student, matches_reference, make):
    """What comes later changes no earlier output: the first outputs of a text are those of its beginning alone.

    后面的内容不改变前面的输出：一段文本的前几个输出，与只给出开头时相同。
    """
    x, *rest = inputs(make, T=6)
    whole, _ = student.minimind_attention(x, *rest)
    for T in (1, 2, 4, 5):
        beginning, _ = student.minimind_attention(x[:, :T], *rest)
        en, zh = "an output depends on tokens that come later", "有的输出取决于后面的词元"
        expect_close(beginning, whole[:, :T], 2e-3, en, zh)
    matches_reference.minimind_attention(x, *rest)


@points(0.8)
def test_head_counts(matches_reference, make):
    """With H_kv = H every query head has a key and value head of its own; with H_kv = 1 all share one. Single tokens
    and sizes that coincide are no special case.

    H_kv = H 时每个查询头有自己的键值头；H_kv = 1 时所有头共用一个。只有一个词元或尺寸彼此相等时没有例外。
    """
    for B, T, C, H, H_kv in ((1, 1, 2, 1, 1), (2, 5, 12, 3, 3), (2, 5, 24, 4, 1), (1, 1, 8, 4, 2), (4, 4, 16, 4, 4)):
        matches_reference.minimind_attention(*inputs(make, B, T, C, H, H_kv))


@points(0.3)
def test_theta(matches_reference, make):
    """theta sets the frequencies of RoPE.

    theta 决定 RoPE 的频率。
    """
    for theta in (10000.0, 50.0, 100.0 * make.integer(3, 60)):
        matches_reference.minimind_attention(*inputs(make, T=7, H=3), theta=theta)


@points(0.2)
def test_theta_with_cache(matches_reference, make, reference):
    """theta sets the frequencies of RoPE, with a cache too.

    有缓存时，theta 同样决定 RoPE 的频率。
    """
    for theta in (10000.0, 100.0 * make.integer(3, 60)):
        x, *rest = inputs(make, T=7, H=3)
        _, cache = reference.minimind_attention(x[:, :4], *rest, theta=theta)
        matches_reference.minimind_attention(x[:, 4:], *rest, theta=theta, cache=cache)


@points(0.5)
def test_default_theta(matches_reference, make, reference):
    """theta is 1e6 unless given, and angles stay right far from the start.

    不给 theta 时为 1e6；离开头很远时，角度也要正确。
    """
    C = 16
    small = [make.normal(C, C, scale=0.01), make.normal(C, C // 2, scale=0.01), *weights_for(make, C, 2, 1)[2:]]
    matches_reference.minimind_attention(make.normal(1, 6, C), small, 2, 1)
    x, cache = make.normal(1, 1, C), tuple(make.normal(1, 1, 300, 8, scale=0.01) for _ in range(2))
    matches_reference.minimind_attention(x, small, 2, 1, cache=cache)
    matches_reference.minimind_attention(*inputs(make, T=40, C=C, H=2, H_kv=1))


@points(0.2)
@dtypes("float16", "bfloat16")
def test_half_precision(student, reference, matches_reference, make, dtype):
    """Half precision cannot tell position 2500 from 2501: the angles are computed in float32 at least.

    半精度分不清位置 2500 与 2501：角度至少要以 float32 计算。
    """
    x, e = make.normal(1, 3, 4), make.tensor(torch.eye(4))  # keys that no projection has rounded
    past = make.tensor(torch.zeros(1, 1, 2500, 4))
    _, (keys, _) = student.minimind_attention(x, [e] * 4, 1, 1, cache=(past, past))
    wide = past.double(), past.double()
    _, (exact, _) = reference.minimind_attention(x.double(), [e.double()] * 4, 1, 1, cache=wide)
    allowed = 4 * torch.finfo(dtype).eps * float(x.abs().max()) + 4e-3
    en, zh = "a key far from the start is turned by a wrong angle", "离开头很远的键转过的角度不对"
    expect_close(keys[:, :, 2500:], exact[:, :, 2500:], allowed, en, zh)
    matches_reference.minimind_attention(*inputs(make))


@points(0.4)
def test_refuses(raises_value_error, matches_reference, make):
    """ValueError if the query heads cannot be shared out equally among the key and value heads.

    查询头不能平均分给各个键值头时，抛出 ValueError。
    """
    for H, H_kv in ((3, 2), (2, 4), (4, 3)):
        x, W = make.normal(1, 2, 24), [make.normal(24, n) for n in (24, 24 // H * H_kv, 24 // H * H_kv, 24)]
        raises_value_error.minimind_attention(x, W, H, H_kv)
    matches_reference.minimind_attention(*inputs(make))


@points(0.2)
def test_refuses_with_cache(raises_value_error, matches_reference, make, reference):
    """Uneven groups are refused with a cache too.

    有缓存时，分组不均同样要拒绝。
    """
    x, W = make.normal(1, 2, 12), [make.normal(12, n) for n in (12, 8, 8, 12)]
    cache = tuple(make.normal(1, 2, 3, 4) for _ in range(2))
    raises_value_error.minimind_attention(x, W, 3, 2, cache=cache)
    x, *rest = inputs(make)
    matches_reference.minimind_attention(x[:, 2:], *rest, cache=reference.minimind_attention(x[:, :2], *rest)[1])


@points(1.4)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, reference, dtype):
    """Gradients flow from the output to the tokens and to all four matrices.

    梯度从输出传回各个词元和全部四个矩阵。
    """
    matches_gradients.of(0).minimind_attention(*inputs(make, 1, 3, 8, 2, 1))
    x, *rest = inputs(make)
    matches_gradients.of(0).minimind_attention(x, *rest)
    _, cache = reference.minimind_attention(x[:, :2], *rest)
    new = matches_gradients.of(0).wrt("x", "W[0]", "W[1]", "W[2]", "W[3]")
    new.minimind_attention(x[:, 2:], *rest, cache=cache)


@points(0.7)
def test_inputs(does_not_mutate, matches_reference, make, reference):
    """Tokens, matrices and the old cache may lie in memory in any order, and are left as they were.

    词元、矩阵和旧的缓存在内存中可按任意次序排布，并且保持原样。
    """
    x, W, *heads = inputs(make)
    x, W = make.strided(x), [make.strided(w) for w in W]
    does_not_mutate.minimind_attention(x, W, *heads)
    _, cache = reference.minimind_attention(x[:, :2], W, *heads)
    cache = tuple(t.transpose(1, 2).contiguous().transpose(1, 2) for t in cache)
    does_not_mutate.minimind_attention(x[:, 2:], W, *heads, cache=cache)
    matches_reference.minimind_attention(x[:, 2:], W, *heads, cache=cache)


@points(0.4)
def test_device(stays_on_device, matches_reference, make):
    """Positions and masks are made on the device of the inputs.

    位置和掩码都建在输入所在的设备上。
    """
    stays_on_device.minimind_attention(*inputs(make))
    matches_reference.minimind_attention(*inputs(make))


@points(0.3)
def test_device_with_cache(stays_on_device, matches_reference, make, reference):
    """Positions and masks are made on the device of the inputs, with a cache too.

    有缓存时，位置和掩码同样建在输入所在的设备上。
    """
    x, *rest = inputs(make)
    _, cache = reference.minimind_attention(x[:, :2], *rest)
    stays_on_device.minimind_attention(x[:, 2:], *rest, cache=cache)
    matches_reference.minimind_attention(x[:, 2:], *rest, cache=cache)


def block(
    turn_q=turned, turn_k=turned, turn_v=None, cut=split, joined=merge, shared=repeat, mask=lower_right,
    scale=lambda C, Dh: Dh**-0.5, start=lambda past, T: past, behind=lambda old, new: torch.cat([old, new], 2),
    matrices=lambda W: W, base=None, checked=True, project=True,
):  # fmt: skip
    """The right block, with places to go wrong."""

    def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
        if checked and num_heads % num_kv_heads:
            raise ValueError("query heads are not a multiple of key and value heads")
        W, theta, (_, T, C) = matrices(W), base or theta, x.shape
        q, k, v = (cut(x @ w, n) for w, n in zip(W, (num_heads, num_kv_heads, num_kv_heads), strict=False))
        past = 0 if cache is None else cache[0].shape[2]
        first = start(past, T)
        q, k = turn_q(q, first, theta), turn_k(k, first, theta)
        v = turn_v(v, first, theta) if turn_v else v
        if cache is not None:
            k, v = behind(cache[0], k), behind(cache[1], v)
        cache = k, v
        k, v = (shared(t, max(num_heads // num_kv_heads, 1)) for t in cache)
        scores = q @ k.mT * scale(C, q.shape[-1])
        visible = mask(T, k.shape[2], x.device)
        weights = scores.masked_fill(~visible, -math.inf).softmax(-1)
        output = joined(weights @ v)
        return output @ W[3] if project else output, cache

    return minimind_attention


def as_it_is(x, start, theta):
    """No rotation."""
    return x


@misconception("minimind_attention")
def no_rope(*given, **options):
    """Queries and keys are not rotated, so the block cannot tell one order of the tokens before from another.

    查询和键没有旋转，模块分辨不出前面词元的先后次序。
    """
    return block(as_it_is, as_it_is)(*given, **options)


@misconception("minimind_attention")
def rope_q_only(*given, **options):
    """Only the queries are rotated. A score then depends on where the query stands, not on the distance to the key.

    只旋转了查询。分数于是取决于查询在哪里，而不是它与键的距离。
    """
    return block(turn_k=as_it_is)(*given, **options)


@misconception("minimind_attention")
def rope_k_only(*given, **options):
    """Only the keys are rotated. A score then depends on where the key stands, not on the distance to the query.

    只旋转了键。分数于是取决于键在哪里，而不是它与查询的距离。
    """
    return block(turn_q=as_it_is)(*given, **options)


@misconception("minimind_attention")
def rope_on_values(*given, **options):
    """The values are rotated too. Their turn ends up in the output, which then depends on where the text starts.

    值也被旋转了。它转过的角度会直接进入输出，使输出取决于文本从哪里开始。
    """
    return block(turn_v=turned)(*given, **options)


@misconception("minimind_attention")
def rope_before_split(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """RoPE is applied before the heads are split: channels of different heads are paired, and all heads share one long
    row of frequencies. Split first; each head turns with the frequencies of its own Dh channels.

    在拆分多头之前就施加了 RoPE：配成对的通道来自不同的头，所有头共用一长列频率。
    应先拆分，每个头按自己的 Dh 个通道旋转。
    """
    past = 0 if cache is None else cache[0].shape[2]
    turns = iter((True, True, False))  # queries, keys, values

    def cut(t, n):
        return split(turned(t, past, theta) if next(turns) else t, n)

    return block(as_it_is, as_it_is, cut=cut)(x, W, num_heads, num_kv_heads, theta, cache)


@misconception("minimind_attention")
def neighbours_paired(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """Neighbouring channels are paired. MiniMind and Llama pair channel i of a head with channel i + Dh/2, and weights
    trained for one do not fit the other.

    相邻的通道配成了一对。MiniMind 和 Llama 是一个头内第 i 个与第 i + Dh/2 个通道配对，两种布局的权重互不通用。
    """

    def neighbours(x, cos, sin):
        x1, x2 = x[..., ::2], x[..., 1::2]
        return torch.stack([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).flatten(-2)

    def turn(x, start, theta):
        return turned(x, start, theta, neighbours)

    return block(turn, turn)(x, W, num_heads, num_kv_heads, theta, cache)


@misconception("minimind_attention")
def theta_always_10000(*given, **options):
    """The frequencies come from 10000 whatever theta is. MiniMind's base is 1e6.

    无论 theta 是多少，频率都按 10000 计算。MiniMind 的底数是 1e6。
    """
    return block(base=10000.0)(*given, **options)


@misconception("minimind_attention")
def theta_always_1e6(*given, **options):
    """The frequencies come from 1e6 whatever theta is.

    无论 theta 是多少，频率都按 1e6 计算。
    """
    return block(base=1e6)(*given, **options)


@misconception("minimind_attention")
def half_precision_angles(*given, **options):
    """The angles are computed in the dtype of x. bfloat16 cannot tell position 256 from 257 nor float16 2048 from 2049,
    and far into a text the angles are off by whole turns. Compute them in float32.

    角度用了 x 的 dtype 计算。bfloat16 分不清位置 256 与 257，float16 分不清 2048 与 2049；文本一长，
    角度会差出好几圈。应以 float32 计算。
    """

    def turn(x, start, theta):
        return turned(x, start, theta, dtype=x.dtype)

    return block(turn, turn)(*given, **options)


@misconception("minimind_attention")
def rope_reset(*given, **options):
    """With a cache the positions start at 0 again. The first new token stands behind the cached ones: start at T_past.
    Token by token your block has no positions at all.

    有缓存时，位置又从 0 开始了。第一个新词元排在缓存的词元之后，应从 T_past 开始。逐个词元生成时，
    这样的模块等于完全没有位置。
    """
    return block(start=lambda past, T: 0)(*given, **options)


@misconception("minimind_attention")
def starts_too_late(*given, **options):
    """The first new token is put one position too far back: behind T_past cached tokens, which end at position
    T_past - 1, it stands at T_past itself.

    第一个新词元的位置多了 1：缓存的 T_past 个词元到位置 T_past - 1 为止，它就在 T_past。
    """
    return block(start=lambda past, T: past + (past > 0))(*given, **options)


@misconception("minimind_attention")
def start_after_appending(*given, **options):
    """The start is read off the cache after the new keys were put in, so every piece of text is shifted by its own
    length. In equal pieces nobody notices; pieces of 3, 1 and 2 tokens show it.

    起始位置是在放入新的键之后才从缓存读出的，于是每段文本都被推后了自身的长度。各段一样长时看不出来，
    3、1、2 个词元的段就会露馅。
    """
    return block(start=lambda past, T: past + T)(*given, **options)


@misconception("minimind_attention")
def re_rotates_cached_keys(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """All keys are rotated on every call, those from the cache a second time. They were stored rotated.

    每次调用都旋转所有的键，缓存中的键又转了一遍。它们存进去时已经旋转过了。
    """
    past = 0 if cache is None else cache[0].shape[2]

    def behind(old, new):
        if old is cache[0]:
            return torch.cat([turned(old, 0, theta), turned(new, past, theta)], 2)
        return torch.cat([old, new], 2)

    turn_k = turned if cache is None else as_it_is
    return block(turn_k=turn_k, behind=behind)(x, W, num_heads, num_kv_heads, theta, cache)


@misconception("minimind_attention")
def cache_unrotated(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """Keys go into the cache before they are rotated, and all of them are rotated on every call. That can work for
    yourself, but a cache made elsewhere holds rotated keys, and old ones would be turned again and again.

    键在旋转之前就存进了缓存，每次调用都把它们全部旋转一遍。自己用倒也可行，但别处得到的缓存里是旋转过的键，
    而且旧的键要一遍遍重复旋转。
    """
    plain, old = [], (None, None) if cache is None else cache

    def keep(k, start, theta):
        plain.append(k if cache is None else torch.cat([old[0], k], 2))
        return turned(plain[0], 0, theta)

    output, (_, v) = block(turn_k=keep, behind=lambda o, new: new if o is old[0] else torch.cat([o, new], 2))(
        x, W, num_heads, num_kv_heads, theta, cache
    )
    return output, (plain[0], v)


@misconception("minimind_attention")
def cache_ignored(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """The cache is not used: the new tokens see only each other, and the cache that comes back holds only them.

    没有使用缓存：新的词元只能看见彼此，返回的缓存里也只有它们。
    """
    return block()(x, W, num_heads, num_kv_heads, theta, None)


@misconception("minimind_attention")
def returns_new_only(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """Only the new keys and values are returned, so the next call has lost everything before. Return all of them.

    只返回了新的键和值，下一次调用就丢失了之前的一切。应全部返回。
    """
    output, kept = block()(x, W, num_heads, num_kv_heads, theta, cache)
    return output, tuple(t[:, :, -x.shape[1] :] for t in kept)


@misconception("minimind_attention")
def new_before_old(*given, **options):
    """The new keys and values are put in front of the cached ones. The mask counts on the oldest coming first.

    新的键和值放到了缓存的前面。掩码要求旧的在前。
    """
    return block(behind=lambda old, new: torch.cat([new, old], 2))(*given, **options)


@misconception("minimind_attention")
def cache_after_repeat(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """The cache holds the repeated heads, H instead of H_kv of them: the memory that sharing heads was to save is spent
    again. Store first, repeat afterwards.

    缓存里存的是重复之后的头，有 H 个而不是 H_kv 个：共用头本来要省下的内存又用掉了。应先存，再重复。
    """
    output, (k, v) = block()(x, W, num_heads, num_kv_heads, theta, cache)
    return output, (repeat(k, num_heads // num_kv_heads), repeat(v, num_heads // num_kv_heads))


@misconception("minimind_attention")
def cache_exchanged(*given, **options):
    """The cache comes back as values, keys. The order is keys, values.

    返回的缓存是先值后键。次序应为先键后值。
    """
    output, (k, v) = block()(*given, **options)
    return output, (v, k)


@misconception("minimind_attention")
def only_output(*given, **options):
    """Only the output is returned. The cache belongs beside it, or the next token has nothing to look back at.

    只返回了输出。还应返回缓存，否则下一个词元没有可以回看的内容。
    """
    return block()(*given, **options)[0]


@misconception("minimind_attention")
def cache_appended_in_place(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """The caller's cache is changed in place. Whoever continues the same beginning in two ways would mix them up; build
    new tensors.

    调用者的缓存被就地修改了。若有人想从同一个开头接着写两种后续，就会混在一起；应新建张量。
    """
    output, kept = block()(x, W, num_heads, num_kv_heads, theta, cache)
    if cache is not None:
        for old in cache:
            old += 0
    return output, kept


@misconception("minimind_attention")
def no_causal_mask(*given, **options):
    """Tokens see those after them. One token at a time there is nothing to hide, so it does not show there.

    词元能看见它后面的词元。逐个词元生成时没有什么可遮的，所以看不出来。
    """

    def everything(T, S, device):
        return torch.ones(T, S, dtype=torch.bool, device=device)

    return block(mask=everything)(*given, **options)


@misconception("minimind_attention")
def top_left_mask(*given, **options):
    """The mask is aligned at the top left, as `is_causal=True` does it: with a cache the first new token sees only the
    very first key. The queries are the last positions, so the mask belongs to the bottom right.

    掩码按左上角对齐，`is_causal=True` 就是这样：有缓存时，第一个新词元只能看见最早的那个键。
    查询是最后的几个位置，掩码应按右下角对齐。
    """

    def top_left(T, S, device):
        return torch.ones(T, S, dtype=torch.bool, device=device).tril()

    return block(mask=top_left)(*given, **options)


@misconception("minimind_attention")
def square_mask(*given, **options):
    """The mask has T columns, but with a cache there are T_past + T keys, and it does not fit. It needs a column for
    every key.

    掩码只有 T 列，而有缓存时有 T_past + T 个键，两者对不上。每个键都要有一列。
    """

    def square(T, S, device):
        return torch.ones(T, T, dtype=torch.bool, device=device).tril()

    return block(mask=square)(*given, **options)


@misconception("minimind_attention")
def cannot_see_itself(*given, **options):
    """A token does not see itself; the first one then sees nothing and becomes NaN. The mask keeps the diagonal.

    词元看不见自己；第一个词元于是什么也看不见，变成了 NaN。掩码应保留对角线。
    """

    def strict(T, S, device):
        return torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T - 1)

    return block(mask=strict)(*given, **options)


@misconception("minimind_attention")
def heads_tiled(*given, **options):
    """Key and value heads are repeated as h0 h1 h0 h1. Neighbouring query heads share one: h0 h0 h1 h1.

    键值头按 h0 h1 h0 h1 重复了。相邻的查询头共用一个，应为 h0 h0 h1 h1。
    """
    tiled = block(shared=lambda t, n_rep: t.repeat(1, n_rep, 1, 1))
    return tiled(*given, **options)


@misconception("minimind_attention")
def first_kv_head_only(*given, **options):
    """All query heads use key and value head 0. Each group has one of its own.

    所有查询头都用了第 0 个键值头。每组各有一个自己的。
    """
    return block(shared=lambda t, n_rep: t[:, :1])(*given, **options)


@misconception("minimind_attention")
def no_scale(*given, **options):
    """The scores are not divided by the square root of Dh.

    分数没有除以 Dh 的平方根。
    """
    return block(scale=lambda C, Dh: 1.0)(*given, **options)


@misconception("minimind_attention")
def scale_of_all_channels(*given, **options):
    """The scores are divided by the square root of C, all heads together. A head takes dot products of length Dh.

    分数除以了 C（所有头合起来）的平方根。一个头的点积长度是 Dh。
    """
    return block(scale=lambda C, Dh: C**-0.5)(*given, **options)


@misconception("minimind_attention")
def split_without_transpose(*given, **options):
    """The heads were split with a reshape straight to [B, H, T, Dh], which cuts the text into pieces instead of the
    channels. Reshape to [B, T, H, Dh], then exchange the two middle dimensions.

    拆分多头时直接 reshape 成 [B, H, T, Dh]，切开的是文本而不是通道。应先 reshape 成 [B, T, H, Dh]，再交换中间两维。
    """

    def cut(t, n):
        return t.reshape(t.shape[0], n, t.shape[1], -1)

    return block(cut=cut)(*given, **options)


@misconception("minimind_attention")
def heads_interleaved(*given, **options):
    """A head takes every H-th channel. Head i owns the block of channels i * Dh to (i + 1) * Dh - 1.

    一个头取的是每隔 H 个的通道。第 i 个头拥有第 i * Dh 到 (i + 1) * Dh - 1 这一段通道。
    """

    def cut(t, n):
        return t.unflatten(-1, (-1, n)).permute(0, 3, 1, 2)

    return block(cut=cut)(*given, **options)


@misconception("minimind_attention")
def merge_without_transpose(*given, **options):
    """The heads are merged with a reshape only: a token's output mixes tokens of one head, also later ones. Bring the
    heads behind the tokens first.

    合并多头时只做了 reshape：一个词元的输出混进了同一个头的其他词元，包括后面的。应先把头换到词元之后。
    """

    def joined(t):
        return t.reshape(t.shape[0], t.shape[2], -1)

    return block(joined=joined)(*given, **options)


@misconception("minimind_attention")
def no_output_projection(*given, **options):
    """The merged heads are returned as they are. W_O still has to mix them.

    合并后的各头直接返回了。还要用 W_O 把它们混合起来。
    """
    return block(project=False)(*given, **options)


@misconception("minimind_attention")
def output_matrix_transposed(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """W_Q and W_O are used transposed, as nn.Linear stores them. Here the matrices are used as x @ W.

    W_Q 和 W_O 被转置着使用了，nn.Linear 的存法是那样。这里的矩阵按 x @ W 使用。
    """

    def matrices(W):
        return [W[0].T, W[1], W[2], W[3].T]

    return block(matrices=matrices)(x, W, num_heads, num_kv_heads, theta, cache)


@misconception("minimind_attention")
def keys_and_values_exchanged(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """W_K makes the values and W_V the keys. The order of the matrices is W_Q, W_K, W_V, W_O.

    用 W_K 产生了值，用 W_V 产生了键。矩阵的次序是 W_Q、W_K、W_V、W_O。
    """

    def matrices(W):
        return [W[0], W[2], W[1], W[3]]

    return block(matrices=matrices)(x, W, num_heads, num_kv_heads, theta, cache)


@misconception("minimind_attention")
def uneven_groups_accepted(*given, **options):
    """Query heads that cannot be shared out equally are not refused with ValueError, and end in another error.

    查询头不能平均分配时没有抛出 ValueError，而是以别的错误告终。
    """
    return block(checked=False)(*given, **options)


@misconception("minimind_attention")
def forces_float32(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    """The results are float32 whatever comes in, because the tables of cosines and sines are. Turned queries and keys
    go back to the dtype of x, or the cache of a half-precision model takes twice the memory.

    无论输入是什么，结果都成了 float32，因为余弦和正弦的表是 float32。旋转后的查询和键要转回 x 的 dtype，
    否则半精度模型的缓存会占用两倍内存。
    """
    x, W = x.float(), [w.float() for w in W]
    cache = None if cache is None else tuple(t.float() for t in cache)
    return block()(x, W, num_heads, num_kv_heads, theta, cache)


@misconception("minimind_attention")
def mask_on_cpu(*given, **options):
    """The mask is made on the CPU; on a GPU it does not mix with the scores. Make it on the device of x.

    掩码建在了 CPU 上；在 GPU 上它无法与分数一起运算。应建在 x 所在的设备上。
    """
    return block(mask=lambda T, S, device: lower_right(T, S, None))(*given, **options)


@misconception("minimind_attention")
def cache_detached(*given, **options):
    """Keys and values are detached before they are used, so W_K and W_V would never learn.

    键和值在使用之前就脱离了计算图，W_K 和 W_V 将学不到任何东西。
    """
    return block(shared=lambda t, n_rep: repeat(t.detach(), n_rep))(*given, **options)
