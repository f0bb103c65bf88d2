"""Hidden suite for the repair of chunked prefill.

Every check holds a case that the code as it was found gets wrong, so whoever only deletes the line with
NotImplementedError scores nothing. Not in the bank, because right: scores by hand in both ways, or token by token.
"""

import math

import torch
import torch.nn.functional as F

from grader.suites import dtypes, error_bound, expect_close, misconception, points

EPSILON = torch.finfo(torch.float32).eps
WAYS = ({}, {"flash": False})


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


@error_bound("prefill")
def prefill_bound(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
    # A projection is a sum of C products, rounded at each step, of x and W rounded once: off by at most eps (C / 2 + 3)
    # reach with reach = |x||W|. Turning a pair adds two products and a sum, each rounded once (2), and the error of a
    # float32 table, (2e-6 + 6e-7 * position) / eps, times both channels. Scores inherit that from q and from k, pair by
    # pair, and are sums of Dh products themselves; then as in gqa: a score's error counts once as it is and once
    # averaged, softmax adds S + 8, a hidden token may keep 1e-6. Heads add S products and inherit the values' errors.
    # W_O is one more projection. What comes out of the cache was rounded once.
    cache = None if past is None else tuple(t.transpose(1, 2) for t in past)
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
    return output, *(t.transpose(1, 2) for t in (torch.cat([off_k, off_k], -1), off_v))


def inputs(make, B=2, T=6, C=24, H=6, H_kv=3):
    """Tokens, matrices that keep their size, numbers of heads."""
    widths = C, C // H * H_kv, C // H * H_kv, C
    return make.normal(B, T, C), [make.normal(C, width, scale=C**-0.5) for width in widths], H, H_kv


def in_chunks(function, x, W, H, H_kv, sizes, **options):
    """The output of a text in chunks of these sizes, each with the past of those before."""
    outputs, past = [], {}
    for chunk in x.split(sizes, 1):
        output, kept = function(chunk, W, H, H_kv, **past, **options)
        outputs.append(output)
        past = {"past": kept}
    return torch.cat(outputs, 1)


def means(make):
    """Three tokens behind three cached ones, all scores equal: an output is the mean of what is visible.

    The oldest token is 0, so that seeing only that one shows in every dtype.
    """
    e, tokens = make.tensor(torch.eye(8)), make.tensor(torch.arange(6).repeat_interleave(8).reshape(1, 6, 8))
    old = tokens[:, :3].unsqueeze(2)
    return (tokens[:, 3:], [0 * e, 0 * e, e, e], 1, 1), (0 * old, old)


SIZES = ((1, 1, 2, (1, 4, 1, 1)), (1, 3, 3, (2, 24, 6, 3)), (2, 1, 5, (2, 24, 6, 2)), (1, 4, 2, (1, 16, 4, 1)))


@points(2.4)
def test_fused(matches_reference, make, reference, dtype):
    """With fused attention (flash=True) a later chunk gives the outputs of the whole text.

    使用融合注意力（flash=True）时，后面的一块给出与整段文本相同的输出。
    """
    for B, past, T, (_, C, H, H_kv) in SIZES:
        x, *rest = inputs(make, B, past + T, C, H, H_kv)
        matches_reference.prefill(x[:, :past], *rest)
        _, kept = reference.prefill(x[:, :past], *rest)
        matches_reference.prefill(x[:, past:], *rest, past=kept)
    given, kept = means(make)
    matches_reference.prefill(*given, past=kept)


@points(2.4)
def test_by_hand(matches_reference, make, reference, dtype):
    """With scores by hand (flash=False) a later chunk gives the outputs of the whole text.

    手工计算分数（flash=False）时，后面的一块给出与整段文本相同的输出。
    """
    for B, past, T, (_, C, H, H_kv) in SIZES:
        x, *rest = inputs(make, B, past + T, C, H, H_kv)
        matches_reference.prefill(x[:, :past], *rest, flash=False)
        _, kept = reference.prefill(x[:, :past], *rest)
        matches_reference.prefill(x[:, past:], *rest, past=kept, flash=False)
    given, kept = means(make)
    matches_reference.prefill(*given, past=kept, flash=False)


@points(1.4)
def test_any_chunks(student, matches_reference, make):
    """However the text is cut, and in either way, your outputs are those of one pass.

    无论文本怎样切分、采用哪种做法，你的输出都与一次处理整段文本时相同。
    """
    for sizes in ([1] * 6, [5, 1], [3, 3], [1, 5], [3, 1, 2]):
        text = inputs(make)
        whole, _ = student.prefill(*text)
        for way in WAYS:
            output = in_chunks(student.prefill, *text, sizes, **way)
            en = f"in chunks of {sizes} tokens (flash={not way}) the output is not that of the whole text"
            zh = f"分成 {sizes} 个词元的块时（flash={not way}），输出与整段文本的不同"
            expect_close(output, whole, 2e-3, en, zh)
        matches_reference.prefill(*text)


@points(0.8)
def test_both_ways_agree(student, matches_reference, make, reference):
    """flash=True and flash=False give the same output.

    flash=True 与 flash=False 给出相同的输出。
    """
    for past, T in ((0, 5), (4, 1), (2, 3), (3, 2)):
        x, *rest = inputs(make, T=past + T)
        kept = {"past": reference.prefill(x[:, :past], *rest)[1]} if past else {}
        one, other = (student.prefill(x[:, past:], *rest, **kept, **way)[0] for way in WAYS)
        en = f"{T} tokens behind {past} cached ones: the two ways do not agree"
        zh = f"{past} 个缓存的词元之后再来 {T} 个：两种做法结果不同"
        expect_close(one, other, 2e-3, en, zh)
        matches_reference.prefill(x[:, past:], *rest, **kept)


@points(0.8)
def test_who_sees_whom(student, matches_reference, make, reference):
    """A token in a later chunk sees all cached tokens, itself and those before it in the chunk, and none after it.

    后面一块中的词元能看见缓存的所有词元、它自己以及块内在它之前的词元，看不见在它之后的。
    """
    (x, *rest), kept = means(make)
    seen = torch.cat([kept[1].squeeze(2), x], 1)[0]
    due = torch.stack([seen[: 4 + i].mean(0) for i in range(3)])
    for way in WAYS:
        output, _ = student.prefill(x, *rest, past=kept, **way)
        en, zh = "a token does not see just those up to itself", "有的词元看见的并不恰好是到自己为止的那些"
        expect_close(output[0], due, 1e-5, en, zh)
        matches_reference.prefill(x, *rest, past=kept, **way)


@points(0.4)
def test_special_sizes(matches_reference, make, reference):
    """Single tokens, one head, as many key and value heads as query heads, sizes that coincide.

    单个词元、只有一个头、键值头与查询头一样多、尺寸彼此相等。
    """
    for B, past, T, C, H, H_kv in ((1, 1, 1, 2, 1, 1), (2, 3, 1, 12, 3, 3), (4, 4, 4, 16, 4, 4), (3, 3, 3, 18, 3, 1)):
        x, *rest = inputs(make, B, past + T, C, H, H_kv)
        _, kept = reference.prefill(x[:, :past], *rest)
        for way in WAYS:
            matches_reference.prefill(x, *rest, **way)
            matches_reference.prefill(x[:, past:], *rest, past=kept, **way)


@points(0.8)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, reference, dtype):
    """Gradients flow from the output to the tokens of the chunk and to the matrices, in both ways.

    两种做法下，梯度都从输出传回这一块的词元和各个矩阵。
    """
    x, *rest = inputs(make)
    _, kept = reference.prefill(x[:, :2], *rest)
    for way in WAYS:
        probe = matches_gradients.of(0).wrt("x", "W[0]", "W[1]", "W[2]", "W[3]")
        probe.prefill(x[:, :3], *rest, **way)
        probe.prefill(x[:, 2:], *rest, past=kept, **way)


@points(0.5)
def test_inputs(does_not_mutate, matches_reference, make, reference):
    """Tokens, matrices and the past are left as they were.

    词元、矩阵和先前的缓存都保持原样。
    """
    x, *rest = inputs(make)
    _, kept = reference.prefill(x[:, :2], *rest)
    for way in WAYS:
        does_not_mutate.prefill(x[:, 2:], *rest, past=kept, **way)
        matches_reference.prefill(x[:, 2:], *rest, past=kept, **way)


@points(0.25)
def test_device(stays_on_device, matches_reference, make, reference):
    """The mask for fused attention is made on the device of the inputs.

    给融合注意力的掩码建在输入所在的设备上。
    """
    x, *rest = inputs(make)
    _, kept = reference.prefill(x[:, :2], *rest)
    stays_on_device.prefill(x[:, 2:], *rest, past=kept)
    matches_reference.prefill(x[:, 2:], *rest, past=kept)


@points(0.25)
def test_device_by_hand(stays_on_device, matches_reference, make, reference):
    """The mask for scores by hand is made on the device of the inputs.

    手工计算分数时，掩码建在输入所在的设备上。
    """
    x, *rest = inputs(make)
    _, kept = reference.prefill(x[:, :2], *rest)
    stays_on_device.prefill(x[:, 2:], *rest, past=kept, flash=False)
    matches_reference.prefill(x[:, 2:], *rest, past=kept, flash=False)


def as_found(q, k, v, past, device):
    """Fused attention as it was found: aligned at the top left, right for single tokens."""
    return F.scaled_dot_product_attention(q, k, v, is_causal=q.shape[2] > 1)


def square(q, k, v, past, device):
    """Scores by hand as they were found: a mask for the new tokens only."""
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores + torch.full((q.shape[2], q.shape[2]), -math.inf, device=device).triu(1)
    return scores.softmax(-1).to(q.dtype) @ v


def by_hand(q, k, v, visible):
    """Attention under a mask."""
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v


def masked(mask, fused=True):
    """Attention under the mask of (T, S, device)."""

    def attend(q, k, v, past, device):
        visible = mask(q.shape[2], k.shape[2], device)
        return F.scaled_dot_product_attention(q, k, v, attn_mask=visible) if fused else by_hand(q, k, v, visible)

    return attend


def diagonal(shift):
    """The mask whose last visible key lies `shift` off the right one."""
    return lambda T, S, device: torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T + shift)


def repaired(fused=None, hand=None, start=lambda past: past, kept=lambda k, v: (k, v), behind=None):
    """The repaired function, with places to go wrong; `fused` and `hand` attend."""
    fused, hand = fused or masked(diagonal(0)), hand or masked(diagonal(0), False)
    behind = behind or (lambda old, new: torch.cat([old, new], 1))

    def prefill(x, W, num_heads, num_kv_heads, past=None, flash=True, theta=1e6):
        q, k, v = (split(x @ w, n) for w, n in zip(W, (num_heads, num_kv_heads, num_kv_heads), strict=False))
        length = 0 if past is None else past[0].shape[1]
        q, k = turned(q, start(length), theta), turned(k, start(length), theta)
        k, v = k.transpose(1, 2), v.transpose(1, 2)
        if past is not None:
            k, v = behind(past[0], k), behind(past[1], v)
        result = kept(k, v)
        k, v = (repeat(t.transpose(1, 2), num_heads // num_kv_heads) for t in (k, v))
        heads = (fused if flash else hand)(q, k, v, length, x.device)
        return merge(heads) @ W[3], result

    return prefill


def new_first(T, S, device):
    """The triangle of the new tokens first, then columns of the cached ones."""
    cached = torch.ones(T, S - T, dtype=torch.bool, device=device)
    return torch.cat([torch.ones(T, T, dtype=torch.bool, device=device).tril(), cached], 1)


@misconception("prefill")
def not_mended(*given, **options):
    """The code is as it was found. is_causal=True aligns its mask at the top left: with 3 cached keys the first new
    query sees key 0 only. And the mask by hand has T columns where there are T_past + T keys.

    代码还是原来的样子。is_causal=True 的掩码按左上角对齐：有 3 个缓存的键时，第一个新查询只能看见第 0 个键。
    手工的掩码只有 T 列，而键有 T_past + T 个。
    """
    return repaired(as_found, square)(*given, **options)


@misconception("prefill")
def only_by_hand_mended(*given, **options):
    """The scores by hand are right now, fused attention still aligns its mask at the top left. Give it a mask
    (attn_mask) instead of is_causal.

    手工计算分数已经对了，融合注意力的掩码仍按左上角对齐。应给它一个掩码（attn_mask），而不用 is_causal。
    """
    return repaired(as_found)(*given, **options)


@misconception("prefill")
def only_fused_mended(*given, **options):
    """Fused attention is right now, the mask of the scores by hand still has a column for each new token only. It needs
    one for every key.

    融合注意力已经对了，手工计算分数的掩码仍只为新的词元准备了列。每个键都要有一列。
    """
    return repaired(None, square)(*given, **options)


@misconception("prefill")
def no_mask_behind_a_cache(*given, **options):
    """Fused attention gets no mask once there is a cache, so the tokens of a chunk see those after them in it. Cached
    keys are visible to all, but inside the chunk the order still counts.

    有缓存之后，融合注意力就没有掩码了，一块中的词元能看见块内在它之后的词元。
    缓存的键人人可见，但块内仍要讲先后。
    """
    return repaired(lambda q, k, v, past, device: F.scaled_dot_product_attention(q, k, v, is_causal=not past))(
        *given, **options
    )


@misconception("prefill")
def top_left_by_hand(*given, **options):
    """The mask by hand has the right shape now, but is aligned at the top left, as is_causal is. The queries are the
    last positions: shift the diagonal by T_past.

    手工的掩码形状对了，却仍按左上角对齐，与 is_causal 一样。查询是最后的几个位置：对角线应平移 T_past。
    """
    return repaired(
        as_found, masked(lambda T, S, device: torch.ones(T, S, dtype=torch.bool, device=device).tril(), False)
    )(*given, **options)


@misconception("prefill")
def top_left_mask_in_both(*given, **options):
    """Both masks have a column for every key now, but are aligned at the top left, also for a single token. The queries
    are the last positions: shift the diagonal by T_past.

    两种掩码都为每个键准备了列，却仍按左上角对齐，单个词元时也是如此。查询是最后的几个位置：对角线应平移 T_past。
    """
    return repaired(
        masked(lambda T, S, device: torch.ones(T, S, dtype=torch.bool, device=device).tril()),
        masked(lambda T, S, device: torch.ones(T, S, dtype=torch.bool, device=device).tril(), False),
    )(*given, **options)


@misconception("prefill")
def hides_itself(*given, **options):
    """The diagonal lies one too low: a token does not see itself, and the first of all sees nothing.

    对角线低了一格：词元看不见自己，最早的那个什么也看不见。
    """
    return repaired(masked(diagonal(-1)), masked(diagonal(-1), False))(*given, **options)


@misconception("prefill")
def sees_one_ahead(*given, **options):
    """The diagonal lies one too high: a token sees the one after it.

    对角线高了一格：词元能看见它后面的一个。
    """
    return repaired(masked(diagonal(1)), masked(diagonal(1), False))(*given, **options)


@misconception("prefill")
def mask_inverted(*given, **options):
    """Fused attention gets a mask in which True means hidden. There True means: takes part.

    给融合注意力的掩码里 True 表示遮住。那里 True 表示参与。
    """
    return repaired(masked(lambda T, S, device: ~diagonal(0)(T, S, device)))(*given, **options)


@misconception("prefill")
def mask_as_numbers(*given, **options):
    """Fused attention gets a mask of the numbers 0 and 1. Numbers are added to the scores: nothing is hidden. Give it a
    bool mask, or 0 and -inf.

    给融合注意力的掩码是数 0 和 1。数会加到分数上，什么也没有遮住。应给 bool 掩码，或者 0 和 -inf。
    """
    return repaired(masked(lambda T, S, device: diagonal(0)(T, S, device).float()))(*given, **options)


@misconception("prefill")
def cached_columns_on_the_right(*given, **options):
    """The columns of the cached keys were added on the right of the mask. They come first, so they belong on the left.

    缓存的键所在的列加到了掩码的右边。它们在前，应放在左边。
    """
    return repaired(masked(new_first), masked(new_first, False))(*given, **options)


@misconception("prefill")
def only_cached_visible(*given, **options):
    """The new tokens see the cached keys only, not each other and not themselves.

    新的词元只能看见缓存的键，看不见彼此，也看不见自己。
    """
    return repaired(
        masked(lambda T, S, device: torch.arange(S, device=device) < max(S - T, 1)),
        masked(lambda T, S, device: torch.arange(S, device=device).expand(T, S) < max(S - T, 1), False),
    )(*given, **options)


@misconception("prefill")
def rope_reset(*given, **options):
    """The positions of a later chunk start at 0 now. They were right: the first new token stands behind the cached
    ones.

    后面一块的位置变成从 0 开始了。原来是对的：第一个新词元排在缓存的词元之后。
    """
    return repaired(start=lambda past: 0)(*given, **options)


@misconception("prefill")
def cache_dropped(*given, **options):
    """The cached keys and values are not used any more, so that the shapes fit. A later chunk then knows nothing of the
    text before it.

    为了让形状对上，不再使用缓存的键和值。后面的一块就完全不知道前面的文本。
    """
    return repaired(behind=lambda old, new: new)(*given, **options)


@misconception("prefill")
def new_before_old(*given, **options):
    """The new keys come before the cached ones now. The order was right; the mask has to fit it.

    现在新的键排在了缓存的键之前。原来的次序是对的，应让掩码去适应它。
    """
    return repaired(behind=lambda old, new: torch.cat([new, old], 1))(*given, **options)


@misconception("prefill")
def layout_changed(*given, **options):
    """The past comes back with heads before tokens. Its layout [B, T, H_kv, Dh] was right; whoever calls relies on it.

    返回的缓存变成了头在词元之前。布局 [B, T, H_kv, Dh] 原来是对的，调用者依赖它。
    """
    return repaired(kept=lambda k, v: (k.transpose(1, 2), v.transpose(1, 2)))(*given, **options)


@misconception("prefill")
def repeated_heads_kept(*given, **options):
    """The past comes back with repeated heads. Keep H_kv heads, as before.

    返回的缓存里是重复之后的头。应像原来那样只保存 H_kv 个头。
    """
    return repaired(kept=lambda k, v: (k.repeat_interleave(2, 2), v.repeat_interleave(2, 2)))(*given, **options)


@misconception("prefill")
def mask_on_cpu(*given, **options):
    """The new mask is made on the CPU; on a GPU it does not mix with the scores. Make it on the device of x.

    新的掩码建在了 CPU 上；在 GPU 上它无法与分数一起运算。应建在 x 所在的设备上。
    """
    return repaired(
        masked(lambda T, S, device: diagonal(0)(T, S, None)),
        masked(lambda T, S, device: diagonal(0)(T, S, None), False),
    )(*given, **options)
