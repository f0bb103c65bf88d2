"""Hidden suite for MiniMind's attention block as a module.

Not in the bank: how the cache is kept (rotated or not, repeated or not) is the student's choice here, and a cache that
all objects share cannot be shown by replaying calls (test_new_object finds it). What can go wrong inside the block is
in the suite of minimind_attention; some of it is repeated here.
"""

import math

import torch
from torch import nn

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


@error_bound("MiniMindAttention")
def module_bound(module, *turns):
    # Every text, in however many pieces, is bounded as if it came in one go.
    if not isinstance(turns[0], tuple):
        return text_bound(module, turns[0])
    texts = []
    for x, *continued in turns:
        if texts and continued == [True]:
            texts[-1].append(x)
        else:
            texts.append([x])
    return [b for text in texts for b in text_bound(module, torch.cat(text, 1)).split([x.shape[1] for x in text], 1)]


def text_bound(module, x):
    # As for minimind_attention: a projection is off by at most eps (C / 2 + 3) reach with reach = |x||W|; turning a
    # pair adds two products and a sum, each rounded once (2), and the error of a float32 table. Scores inherit that
    # from q and from k, and are sums of Dh products; a score's error counts once as it is and once averaged, softmax
    # adds T + 8, a hidden token may keep 1e-6. Heads add T products and inherit the values' errors; W_O projects once
    # more.
    heads = module.num_heads, module.num_kv_heads, module.num_kv_heads
    weights = [layer.weight.T for layer in (module.q_proj, module.k_proj, module.v_proj, module.o_proj)]
    T, C = x.shape[1:]
    Dh, n_rep, steps = C // heads[0], heads[0] // heads[1], C / 2 + 3
    q, k, v = (split(x @ w, n) for w, n in zip(weights, heads, strict=False))
    off_q, off_k, off_v = (steps * split(x.abs() @ w.abs(), n) for w, n in zip(weights, heads, strict=False))
    table = (2 + (2e-6 + 6e-7 * torch.arange(T).double()) / EPSILON).unsqueeze(-1)
    off_q, off_k = (o.unflatten(-1, (2, -1)).sum(-2) * (1 + table / steps) for o in (off_q, off_k))
    long_q = lengths(q)
    long_k, wide_k, wide_v, values = (repeat(t, n_rep) for t in (lengths(k), off_k, off_v, v))
    reach = long_q @ long_k.mT / math.sqrt(Dh)
    units = math.sqrt(2 / Dh) * (off_q @ long_k.mT + long_q @ wide_k.mT) + (Dh / 2 + 4) * reach
    hidden = ~lower_right(T, T, "cpu")
    scores = turned(q, 0, module.theta) @ repeat(turned(k, 0, module.theta), n_rep).mT / math.sqrt(Dh)
    attention = scores.masked_fill(hidden, -math.inf).softmax(-1)
    exponents = (units + 2 * reach).masked_fill(hidden, 0.0) + reach.masked_fill(hidden, 0.0).amax(-1, keepdim=True)
    total = exponents + (attention * exponents).sum(-1, keepdim=True) + T + 8
    leak = hidden * 1e-6 / EPSILON
    off = (attention * (total + T + 4) + leak) @ values.abs() + attention @ wide_v
    return merge(off) @ weights[3].abs() + steps * merge(attention @ values).abs() @ weights[3].abs()


def state(make, C, H, H_kv):
    """Weights [out, in] that keep the size of their input."""
    widths = {"q_proj": C, "k_proj": C // H * H_kv, "v_proj": C // H * H_kv, "o_proj": C}
    return {f"{name}.weight": make.normal(width, C, scale=C**-0.5) for name, width in widths.items()}


def made(probe, make, C=24, H=6, H_kv=3, **options):
    """The probe for an object of these sizes with random weights."""
    return probe.made(C, H, H_kv, state=state(make, C, H, H_kv), **options)


def pieces(x, sizes):
    """The arguments of the calls in which a text comes in pieces."""
    first, *rest = x.split(sizes, 1)
    return (first,), *((piece, True) for piece in rest)


def one_pair(make, T):
    """Tokens, and matrices that pick channel 1 and channel 3: scores from the pair in which theta shows best."""
    x = torch.zeros(1, T, 8)
    x[..., 1], x[..., 3] = 3.0, torch.where(torch.arange(T) < T // 2, 1.0, -1.0)
    return make.tensor(x), *(make.tensor(torch.diag(torch.eye(8)[channel])) for channel in (1, 3))


@points(1.6)
def test_definition(matches_reference, make, dtype):
    """A text in one call: rotated queries and keys, shared key and value heads, causal attention, output projection.

    一次调用给出整段文本：旋转查询和键、共用键值头、因果注意力、输出投影。
    """
    made(matches_reference, make, 4, 1, 1).MiniMindAttention(make.normal(1, 2, 4))
    made(matches_reference, make, 8, 2, 1).MiniMindAttention(make.normal(1, 3, 8))
    made(matches_reference, make).MiniMindAttention(make.normal(2, 5, 24))


@points(1.8)
def test_pieces(matches_reference, make, dtype):
    """A text in pieces of any sizes, one object called again and again, gives the outputs of the whole text.

    一段文本分成任意大小的段，反复调用同一个对象，得到的输出与整段文本的相同。
    """
    for sizes, C, H, H_kv in (
        ([1, 1], 4, 1, 1),
        ([2, 1], 8, 2, 1),
        ([1] * 5, 24, 6, 3),
        ([3, 3], 24, 6, 2),
        ([3, 1, 2], 16, 4, 2),
    ):
        x = make.normal(2, sum(sizes), C)
        made(matches_reference, make, C, H, H_kv).turns.MiniMindAttention(*pieces(x, sizes))


@points(0.5)
def test_whole_and_pieces(student, matches_reference, make):
    """Whole or in pieces, the outputs are your own module's in both cases.

    无论整段给还是分段给，你自己的模块给出的输出都应一致。
    """
    for sizes in ([1, 4], [2, 2, 2], [1] * 6):
        x, weights = make.normal(2, sum(sizes), 24), state(make, 24, 6, 3)
        whole = student.made(24, 6, 3, state=weights).MiniMindAttention(x)
        parts = student.made(24, 6, 3, state=weights).turns.MiniMindAttention(*pieces(x, sizes))
        en = f"in pieces of {sizes} tokens the output is not that of the whole text"
        zh = f"分成 {sizes} 个词元的段时，输出与整段文本的不同"
        expect_close(torch.cat(parts, 1), whole, 2e-3, en, zh)
        matches_reference.made(24, 6, 3, state=weights).turns.MiniMindAttention(*pieces(x, sizes))


@points(0.5)
def test_another_text(matches_reference, make):
    """A call that does not continue begins a new text at position 0; the last one is forgotten, also after one token.

    不续写的调用从位置 0 开始一段新文本；上一段被忘掉，哪怕它只有一个词元。
    """
    one, other = make.normal(2, 5, 24), make.normal(3, 4, 24)
    turns = made(matches_reference, make).turns
    turns.MiniMindAttention((one[:, :1],), (one[:, 1:3],))
    turns.MiniMindAttention((other,), (other[:1, :1],), (other[:1, 1:], True))


@points(0.3)
def test_another_text_in_pieces(matches_reference, make):
    """Texts in pieces may follow one another; none sees the others.

    分段给出的几段文本可以一段接一段，彼此互不可见。
    """
    one, other = make.normal(2, 5, 24), make.normal(3, 4, 24)
    made(matches_reference, make).turns.MiniMindAttention(*pieces(one, [3, 2]), *pieces(other, [1, 2, 1]))


@points(0.4)
def test_new_object(matches_reference, make):
    """Each object has a cache of its own; a new one has nothing to continue and begins at position 0.

    每个对象有自己的缓存；新建的对象没有可续写的内容，从位置 0 开始。
    """
    x, new = make.normal(2, 5, 24), make.normal(1, 2, 24)
    made(matches_reference, make).turns.MiniMindAttention(*pieces(x, [2, 3]))
    made(matches_reference, make).turns.MiniMindAttention((new, True), (new[:, :1], True))


@points(0.4)
def test_head_counts(matches_reference, make):
    """As many key and value heads as query heads, or a single one; single tokens; sizes that coincide.

    键值头与查询头一样多，或只有一个；只有一个词元；尺寸彼此相等。
    """
    for B, T, C, H, H_kv in ((1, 1, 2, 1, 1), (2, 5, 12, 3, 3), (2, 5, 24, 4, 1), (4, 4, 16, 4, 4)):
        made(matches_reference, make, C, H, H_kv).MiniMindAttention(make.normal(B, T, C))


@points(0.2)
def test_theta(matches_reference, make):
    """theta sets the frequencies of RoPE: 1e6 unless given.

    theta 决定 RoPE 的频率：不给时为 1e6。
    """
    for theta in (10000.0, 100.0 * make.integer(3, 60)):
        made(matches_reference, make, H=3, theta=theta).MiniMindAttention(make.normal(2, 7, 24))
    made(matches_reference, make, 8, 1, 1, theta=20.0).MiniMindAttention(make.normal(1, 24, 8))
    x, one, three = one_pair(make, 60)
    weights = dict(zip(state(make, 8, 1, 1), (one, one, three, torch.eye(8)), strict=True))
    matches_reference.made(8, 1, 1, state=weights).MiniMindAttention(x)


@points(0.2)
def test_theta_in_pieces(matches_reference, make):
    """theta sets the frequencies for all pieces of a text.

    一段文本的每一段都使用 theta 给出的频率。
    """
    for theta in (10000.0, 100.0 * make.integer(3, 60)):
        made(matches_reference, make, H=3, theta=theta).turns.MiniMindAttention(*pieces(make.normal(2, 7, 24), [4, 3]))
    made(matches_reference, make, 8, 1, 1, theta=20.0).turns.MiniMindAttention(*pieces(make.normal(1, 24, 8), [16, 8]))


@points(0.3)
def test_refuses_heads(raises_value_error, matches_reference, make):
    """ValueError, when the module is made, if the channels cannot be split evenly among the query heads.

    通道不能平均分给各个查询头时，在创建模块时抛出 ValueError。
    """
    for C, H, H_kv in ((10, 4, 2), (7, 2, 1), (24, 5, 5)):
        raises_value_error.made(C, H, H_kv).MiniMindAttention(make.normal(1, 2, C))
    made(matches_reference, make).MiniMindAttention(make.normal(2, 5, 24))


@points(0.3)
def test_refuses_groups(raises_value_error, matches_reference, make):
    """ValueError, when the module is made, if the query heads cannot be shared out equally.

    查询头不能平均分给各个键值头时，在创建模块时抛出 ValueError。
    """
    for C, H, H_kv in ((12, 3, 2), (16, 2, 4), (24, 4, 3)):
        raises_value_error.made(C, H, H_kv).MiniMindAttention(make.normal(1, 2, C))
    made(matches_reference, make).MiniMindAttention(make.normal(2, 5, 24))


@points(0.8)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients reach the tokens and all four weights, in training mode and in eval mode.

    梯度传到各个词元和全部四个权重，训练模式与 eval 模式都一样。
    """
    made(matches_gradients, make, 8, 2, 1).MiniMindAttention(make.normal(1, 3, 8))
    for train in (True, False):
        made(matches_gradients, make, train=train).MiniMindAttention(make.normal(2, 5, 24))


@points(0.3)
def test_inputs(does_not_mutate, matches_reference, make):
    """Tokens and weights are left as they were, and may lie in memory in any order.

    词元和权重保持原样；它们在内存中可按任意次序排布。
    """
    x = make.strided(make.normal(2, 5, 24))
    made(does_not_mutate, make).MiniMindAttention(x)
    made(does_not_mutate, make).turns.MiniMindAttention(*pieces(x, [2, 3]))
    made(matches_reference, make).turns.MiniMindAttention(*pieces(x, [2, 3]))


@points(0.2)
def test_device(stays_on_device, matches_reference, make):
    """Positions and masks are made on the device of x.

    位置和掩码都建在 x 所在的设备上。
    """
    made(stays_on_device, make).MiniMindAttention(make.normal(2, 5, 24))
    made(matches_reference, make).MiniMindAttention(make.normal(2, 5, 24))


@points(0.2)
def test_device_in_pieces(stays_on_device, matches_reference, make):
    """What is kept between calls stays on the device of x.

    两次调用之间保存的内容也位于 x 所在的设备上。
    """
    x = make.normal(2, 5, 24)
    made(stays_on_device, make).turns.MiniMindAttention(*pieces(x, [2, 1, 2]))
    made(matches_reference, make).turns.MiniMindAttention(*pieces(x, [2, 1, 2]))


def cached(old, new):
    """All keys or values so far."""
    return new if old is None else torch.cat([old, new], 2)


def kind(
    turn_q=turned, turn_k=turned, turn_v=None, cut=split, joined=merge, shared=repeat, mask=lower_right,
    scale=lambda C, Dh: Dh**-0.5, start=lambda past, T: past, behind=cached, kept=lambda cache, new: cache,
    drops=lambda continued: not continued, default=1e6, base=None, checked=True, bias=False, project=True,
):  # fmt: skip
    """The right module, with places to go wrong."""

    class MiniMindAttention(nn.Module):
        def __init__(self, hidden_size, num_heads, num_kv_heads, theta=default):
            super().__init__()
            if checked and (hidden_size % num_heads or num_heads % num_kv_heads):
                raise ValueError("uneven")
            kv = hidden_size // num_heads * num_kv_heads
            self.heads, self.theta, self.cache = (num_heads, num_kv_heads), base or theta, (None, None)
            self.q_proj = nn.Linear(hidden_size, hidden_size, bias=bias)
            self.k_proj = nn.Linear(hidden_size, kv, bias=bias)
            self.v_proj = nn.Linear(hidden_size, kv, bias=bias)
            self.o_proj = nn.Linear(hidden_size, hidden_size, bias=bias)

        def forward(self, x, continued=False):
            (H, H_kv), (_, T, C) = self.heads, x.shape
            if drops(continued):
                self.cache = None, None
            q, k, v = cut(self.q_proj(x), H), cut(self.k_proj(x), H_kv), cut(self.v_proj(x), H_kv)
            past = 0 if self.cache[0] is None else self.cache[0].shape[2]
            first = start(past, T)
            q, k = turn_q(q, first, self.theta), turn_k(k, first, self.theta)
            v = turn_v(v, first, self.theta) if turn_v else v
            new, (k, v) = (k, v), map(behind, self.cache, (k, v))
            self.cache = kept((k, v), new)
            k, v = (shared(t, max(H // H_kv, 1)) for t in (k, v))
            scores = q @ k.mT * scale(C, q.shape[-1])
            visible = mask(T, k.shape[2], x.device)
            output = joined(scores.masked_fill(~visible, -math.inf).softmax(-1) @ v)
            return self.o_proj(output) if project else output

    return MiniMindAttention


def as_it_is(x, start, theta):
    """No rotation."""
    return x


@misconception("MiniMindAttention")
def always_a_new_text(*sizes, **options):
    """`continued` is not used: every call begins a new text at position 0, and nothing before it is seen. Keep keys and
    values in the object and use them where the text goes on.

    没有使用 `continued`：每次调用都从位置 0 开始一段新文本，看不到之前的任何内容。
    应把键和值保存在对象里，续写时用上。
    """
    return kind(drops=lambda continued: True)(*sizes, **options)


@misconception("MiniMindAttention")
def never_a_new_text(*sizes, **options):
    """`continued` is not used: every call goes on with what was kept, so a new text sees the last one. Drop the cache
    when a text begins.

    没有使用 `continued`：每次调用都接着之前保存的内容，新文本会看到上一段。一段文本开始时应清空缓存。
    """
    return kind(drops=lambda continued: False)(*sizes, **options)


@misconception("MiniMindAttention")
def keeps_last_piece_only(*sizes, **options):
    """Only the last piece is kept: each call replaces the cache instead of adding to it. With two pieces nobody
    notices, with three the first is lost.

    只保存了最后一段：每次调用都替换缓存，而不是接在后面。两段时看不出来，三段时第一段就丢了。
    """
    return kind(kept=lambda cache, new: new)(*sizes, **options)


@misconception("MiniMindAttention")
def rope_reset(*sizes, **options):
    """The positions of every piece start at 0. The first new token stands behind all that were kept: start at their
    number.

    每一段的位置都从 0 开始。第一个新词元排在所有已保存的词元之后：应从它们的个数开始。
    """
    return kind(start=lambda past, T: 0)(*sizes, **options)


@misconception("MiniMindAttention")
def start_after_appending(*sizes, **options):
    """The start is read off the cache after the new keys were put in, so later pieces stand too far back by their own
    length.

    起始位置是在放入新的键之后才从缓存读出的，于是后面的每一段都被推后了自身的长度。
    """
    return kind(start=lambda past, T: past + T if past else 0)(*sizes, **options)


@misconception("MiniMindAttention")
def starts_too_late(*sizes, **options):
    """Later pieces stand one position too far back: behind n tokens, at the positions 0 to n - 1, the next one stands
    at n.

    后面的各段位置都多了 1：前面 n 个词元位于 0 到 n - 1，下一个就在 n。
    """
    return kind(start=lambda past, T: past + (past > 0))(*sizes, **options)


@misconception("MiniMindAttention")
def new_before_old(*sizes, **options):
    """The new keys and values are put in front of the old ones, and the mask hides the wrong ones. The oldest come
    first.

    新的键和值放到了旧的前面，掩码就遮错了对象。旧的应在前。
    """
    return kind(behind=lambda old, new: new if old is None else torch.cat([new, old], 2))(*sizes, **options)


@misconception("MiniMindAttention")
def top_left_mask(*sizes, **options):
    """The mask is aligned at the top left, as `is_causal=True` does it: the first token of a later piece sees only the
    very first key. The queries are the last positions, so the mask belongs to the bottom right.

    掩码按左上角对齐，`is_causal=True` 就是这样：后面某段的第一个词元只能看见最早的那个键。
    查询是最后的几个位置，掩码应按右下角对齐。
    """
    return kind(mask=lambda T, S, device: torch.ones(T, S, dtype=torch.bool, device=device).tril())(*sizes, **options)


@misconception("MiniMindAttention")
def square_mask(*sizes, **options):
    """The mask has a column for each new token only, and does not fit where keys were kept. It needs one for every key.

    掩码只为新的词元准备了列，有保存的键时对不上。每个键都要有一列。
    """
    return kind(mask=lambda T, S, device: torch.ones(T, T, dtype=torch.bool, device=device).tril())(*sizes, **options)


@misconception("MiniMindAttention")
def no_causal_mask(*sizes, **options):
    """Tokens see those after them. One token at a time there is nothing to hide; in longer pieces there is.

    词元能看见它后面的词元。逐个词元给时没有什么可遮的，段更长时就有了。
    """
    return kind(mask=lambda T, S, device: torch.ones(T, S, dtype=torch.bool, device=device))(*sizes, **options)


@misconception("MiniMindAttention")
def mask_on_cpu(*sizes, **options):
    """The mask is made on the CPU; on a GPU it does not mix with the scores. Make it on the device of x.

    掩码建在了 CPU 上；在 GPU 上它无法与分数一起运算。应建在 x 所在的设备上。
    """
    return kind(mask=lambda T, S, device: lower_right(T, S, None))(*sizes, **options)


@misconception("MiniMindAttention")
def no_rope(*sizes, **options):
    """Queries and keys are not rotated, so the module cannot tell one order of the tokens before from another.

    查询和键没有旋转，模块分辨不出前面词元的先后次序。
    """
    return kind(as_it_is, as_it_is)(*sizes, **options)


@misconception("MiniMindAttention")
def rope_q_only(*sizes, **options):
    """Only the queries are rotated. A score then depends on where the query stands, not on the distance to the key.

    只旋转了查询。分数于是取决于查询在哪里，而不是它与键的距离。
    """
    return kind(turn_k=as_it_is)(*sizes, **options)


@misconception("MiniMindAttention")
def rope_on_values(*sizes, **options):
    """The values are rotated too. Their turn ends up in the output, which then depends on where the text starts.

    值也被旋转了。它转过的角度会直接进入输出，使输出取决于文本从哪里开始。
    """
    return kind(turn_v=turned)(*sizes, **options)


@misconception("MiniMindAttention")
def theta_10000_by_default(*sizes, **options):
    """theta is 10000 unless given. MiniMind's default is 1e6.

    不给 theta 时用了 10000。MiniMind 的默认值是 1e6。
    """
    return kind(default=10000.0)(*sizes, **options)


@misconception("MiniMindAttention")
def theta_ignored(*sizes, **options):
    """theta is accepted and not used: the frequencies always come from 1e6.

    接收了 theta 却没有使用：频率总是按 1e6 计算。
    """
    return kind(base=1e6)(*sizes, **options)


@misconception("MiniMindAttention")
def heads_tiled(*sizes, **options):
    """Key and value heads are repeated as h0 h1 h0 h1. Neighbouring query heads share one: h0 h0 h1 h1.

    键值头按 h0 h1 h0 h1 重复了。相邻的查询头共用一个，应为 h0 h0 h1 h1。
    """
    return kind(shared=lambda t, n_rep: t.repeat(1, n_rep, 1, 1))(*sizes, **options)


@misconception("MiniMindAttention")
def no_scale(*sizes, **options):
    """The scores are not divided by the square root of Dh.

    分数没有除以 Dh 的平方根。
    """
    return kind(scale=lambda C, Dh: 1.0)(*sizes, **options)


@misconception("MiniMindAttention")
def scale_of_all_channels(*sizes, **options):
    """The scores are divided by the square root of C, all heads together. A head takes dot products of length Dh.

    分数除以了 C（所有头合起来）的平方根。一个头的点积长度是 Dh。
    """
    return kind(scale=lambda C, Dh: C**-0.5)(*sizes, **options)


@misconception("MiniMindAttention")
def split_without_transpose(*sizes, **options):
    """The heads were split with a reshape straight to [B, H, T, Dh], which cuts the text into pieces instead of the
    channels. Reshape to [B, T, H, Dh], then exchange the two middle dimensions.

    拆分多头时直接 reshape 成 [B, H, T, Dh]，切开的是文本而不是通道。应先 reshape 成 [B, T, H, Dh]，再交换中间两维。
    """
    return kind(cut=lambda t, n: t.reshape(t.shape[0], n, t.shape[1], -1))(*sizes, **options)


@misconception("MiniMindAttention")
def merge_without_transpose(*sizes, **options):
    """The heads are merged with a reshape only: a token's output mixes tokens of one head, also later ones. Bring the
    heads behind the tokens first.

    合并多头时只做了 reshape：一个词元的输出混进了同一个头的其他词元，包括后面的。应先把头换到词元之后。
    """
    return kind(joined=lambda t: t.reshape(t.shape[0], t.shape[2], -1))(*sizes, **options)


@misconception("MiniMindAttention")
def no_output_projection(*sizes, **options):
    """The merged heads are returned as they are. o_proj still has to mix them.

    合并后的各头直接返回了。还要用 o_proj 把它们混合起来。
    """
    return kind(project=False)(*sizes, **options)


@misconception("MiniMindAttention")
def other_parameters(*sizes, **options):
    """The weights do not fit: the state_dict holds something else than q_proj.weight, k_proj.weight, v_proj.weight and
    o_proj.weight. The layers have no bias, and whatever else is kept in buffers needs persistent=False.

    权重对不上：state_dict 里不只有（或缺少）q_proj.weight、k_proj.weight、v_proj.weight 和 o_proj.weight。
    各层没有偏置；存放在缓冲区里的其他内容要写 persistent=False。
    """
    return kind(bias=True)(*sizes, **options)


@misconception("MiniMindAttention")
def uneven_accepted(*sizes, **options):
    """Sizes that do not divide evenly are not refused with ValueError when the module is made; they fail later, or not
    at all.

    不能整除的尺寸在创建模块时没有抛出 ValueError，而是之后才出错，甚至根本不出错。
    """
    return kind(checked=False)(*sizes, **options)


@misconception("MiniMindAttention")
def detached(*sizes, **options):
    """Keys and values are detached before they are used, so k_proj and v_proj would never learn.

    键和值在使用之前就脱离了计算图，k_proj 和 v_proj 将学不到任何东西。
    """
    return kind(shared=lambda t, n_rep: repeat(t.detach(), n_rep))(*sizes, **options)
