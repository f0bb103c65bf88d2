"""Hidden suite for the shape tracer. Shapes are whole numbers, so every comparison is exact.

How the shapes are found is free: from the sizes, or from tensors without memory.
"""

import math

from grader.suites import expect, misconception, points


@points(2)
def test_multi_head(matches_reference):
    """With as many key and value heads as query heads, every step has the shape of multi-head attention.

    键值头与查询头一样多时，每一步的形状与多头注意力一致。
    """
    for sizes in ((1, 2, 6, 3), (2, 5, 15, 3), (3, 7, 8, 2), (2, 10, 768, 8), (32, 100, 512, 8)):
        matches_reference.trace(*sizes)


@points(2)
def test_grouped(matches_reference):
    """With fewer key and value heads, k and v are narrower, have h_kv heads, and are repeated up to h heads.

    键值头较少时，k 和 v 更窄，只有 h_kv 个头，再重复到 h 个头。
    """
    for sizes, h_kv in (((1, 2, 12, 4), 2), ((2, 5, 24, 6), 3), ((2, 5, 30, 6), 2), ((3, 10, 768, 8), 2)):
        matches_reference.trace(*sizes, h_kv=h_kv)


@points(0.75)
def test_one_for_all(matches_reference):
    """With h_kv = 1 all query heads share one key and value head.

    h_kv = 1 时，所有查询头共用一个键值头。
    """
    for sizes in ((1, 2, 6, 3), (2, 5, 15, 3), (4, 3, 768, 8)):
        matches_reference.trace(*sizes, h_kv=1)


@points(0.5)
def test_as_many(student, matches_reference, make):
    """h_kv = h is the same as not giving h_kv.

    h_kv = h 与不给出 h_kv 是一回事。
    """
    B, T, dh = make.integer(2, 4), make.integer(5, 7), make.integer(8, 9)
    for h in (3, 6):
        one, other = student.trace(B, T, h * dh, h), student.trace(B, T, h * dh, h, h_kv=h)
        wrong = [name for name in one if tuple(one[name]) != tuple(other[name])]
        expect(not wrong, f"h_kv={h} with h={h} changes {wrong}", f"h={h} 时给出 h_kv={h} 会改变 {wrong}")
        matches_reference.trace(B, T, h * dh, h, h_kv=h)


@points(0.75)
def test_large(matches_reference):
    """The sizes of real models, too large for tensors: GPT-3, and Llama 3 with 70 billion parameters.

    真实模型的尺寸，大得放不下张量：GPT-3，以及 700 亿参数的 Llama 3。
    """
    matches_reference.trace(1, 1000, 12288, 96)
    matches_reference.trace(8, 8192, 8192, 64, h_kv=8)
    matches_reference.trace(32, 2048, 12288, 96, h_kv=12)


@points(0.5)
def test_special_sizes(matches_reference):
    """One example, one token, one head, one channel a head, and sizes that coincide are no special case.

    单个样本、单个词元、单个头、每头一个通道，以及几个尺寸恰好相等时，都没有例外。
    """
    for sizes, h_kv in (
        ((1, 1, 1, 1), 1), ((2, 1, 6, 3), 1), ((1, 5, 6, 1), 1), ((2, 3, 6, 6), 2), ((4, 4, 16, 4), 2),
        ((2, 2, 4, 2), 1),
    ):  # fmt: skip
        matches_reference.trace(*sizes)
        matches_reference.trace(*sizes, h_kv=h_kv)


@points(0.75)
def test_laws(student, matches_reference, make):
    """Splitting, merging and softmax move or change entries without adding any; the scores do not know d.

    拆分、合并与 softmax 不增减元素；分数的形状与 d 无关。
    """
    B, T = make.integer(2, 3), make.integer(5, 7)
    for d, h, h_kv in ((12, 4, 2), (18, 6, 3)):
        found = {name: tuple(shape) for name, shape in student.trace(B, T, d, h, h_kv=h_kv).items()}
        for one, other in (("q", "q_heads"), ("k", "k_heads"), ("v", "v_heads"), ("scores", "weights"),
                           ("heads", "merged")):  # fmt: skip
            a, b = found[one], found[other]
            en = f"{one} {list(a)} and {other} {list(b)} should have equally many entries"
            zh = f"{one} {list(a)} 与 {other} {list(b)} 的元素个数应当相等"
            expect(math.prod(a) == math.prod(b), en, zh)
        wide = tuple(student.trace(B, T, 5 * d, h, h_kv=h_kv)["scores"])
        en = f"the scores are {list(wide)} for d={5 * d} and {list(found['scores'])} for d={d}"
        zh = f"d={5 * d} 时分数的形状是 {list(wide)}，d={d} 时是 {list(found['scores'])}"
        expect(wide == found["scores"], en, zh)
        matches_reference.trace(B, T, d, h, h_kv=h_kv)


@points(0.375)
def test_refuses_channels(matches_reference, raises_value_error):
    """Channels that cannot be divided evenly among the query heads are refused with ValueError.

    通道数不能被查询头数整除时抛出 ValueError。
    """
    matches_reference.trace(2, 3, 10, 5)
    for d, h in ((3, 2), (10, 4), (6, 8)):
        raises_value_error.trace(2, 3, d, h)
    raises_value_error.trace(2, 3, 10, 4, h_kv=2)


@points(0.375)
def test_refuses_groups(matches_reference, raises_value_error):
    """Query heads that cannot be shared out evenly among key and value heads are refused with ValueError.

    查询头不能平均分给各个键值头时抛出 ValueError。
    """
    matches_reference.trace(2, 3, 12, 6, h_kv=3)
    for h, h_kv in ((3, 2), (4, 3), (2, 4)):
        raises_value_error.trace(2, 3, 12, h, h_kv=h_kv)
    raises_value_error.trace(2, 3, 9, 3, h_kv=2)


def shapes(B, T, d, h, h_kv=None, width=None, wide_kv=False, check=True):
    """The right shapes, with places to go wrong: the channels of a head, and keys and values as wide as d."""
    h_kv = h if h_kv is None else h_kv
    if check and (d % h or h % h_kv):
        raise ValueError("does not divide")
    dh = d // h if width is None else width
    kv, one, many = (B, T, d if wide_kv else h_kv * dh), (B, h_kv, T, dh), (B, h, T, dh)
    return {
        "x": (B, T, d), "q": (B, T, h * dh), "k": kv, "v": kv, "q_heads": many, "k_heads": one, "v_heads": one,
        "k_repeated": many, "v_repeated": many, "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": many,
        "merged": (B, T, h * dh), "output": (B, T, d),
    }  # fmt: skip


def changed(found, change, *names):
    """The same shapes, those of `names` replaced by what `change` makes of them."""
    return {name: change(*shape) if name in names else shape for name, shape in found.items()}


SPLIT = ("q_heads", "k_heads", "v_heads", "k_repeated", "v_repeated", "heads")


@misconception("trace")
def kv_heads_ignored(B, T, d, h, h_kv=None):
    """h_kv is not used: keys and values get as many heads as the queries. With grouped queries they have h_kv heads,
    and are narrower.

    没有用到 h_kv：键和值的头数与查询一样多。分组查询时，它们只有 h_kv 个头，也更窄。
    """
    shapes(B, T, d, h, h_kv)
    return shapes(B, T, d, h)


@misconception("trace")
def kv_projected_to_d(B, T, d, h, h_kv=None):
    """k and v come out of their projections with d channels. W_K and W_V have h_kv * d/h columns: what is not needed is
    never computed.

    k 和 v 投影之后仍有 d 个通道。W_K 和 W_V 只有 h_kv * d/h 列：用不到的根本不会计算。
    """
    return shapes(B, T, d, h, h_kv, wide_kv=True)


@misconception("trace")
def kv_heads_wider(B, T, d, h, h_kv=None):
    """The d channels are shared out among h_kv heads, so key and value heads are wider than query heads. A query and a
    key need the same length, d/h, to have a dot product.

    d 个通道分给了 h_kv 个头，键值头因此比查询头宽。查询与键的长度必须相同，都是 d/h，才能做点积。
    """
    found = shapes(B, T, d, h, h_kv, wide_kv=True)
    width = d // (h if h_kv is None else h_kv)
    return changed(found, lambda *s: (*s[:-1], width), "k_heads", "v_heads", "k_repeated", "v_repeated")


@misconception("trace")
def one_kv_head_by_default(B, T, d, h, h_kv=None):
    """Without h_kv there is one key and value head. None means: as many as query heads.

    没有给出 h_kv 时，按一个键值头处理了。None 表示与查询头一样多。
    """
    return shapes(B, T, d, h, 1 if h_kv is None else h_kv)


@misconception("trace")
def heads_after_tokens(B, T, d, h, h_kv=None):
    """The heads stay behind the tokens: [B, T, h, d/h]. Attention runs over tokens, so T and the heads change places:
    [B, h, T, d/h].

    头留在了词元之后：[B, T, h, d/h]。注意力在词元之间进行，所以 T 与头要交换位置：[B, h, T, d/h]。
    """
    return changed(shapes(B, T, d, h, h_kv), lambda b, n, t, c: (b, t, n, c), *SPLIT)


@misconception("trace")
def heads_in_batch(B, T, d, h, h_kv=None):
    """The heads are merged with the batch: [B * h, T, d/h]. Some code does that, but here the heads have an axis of
    their own.

    头与批次合并成了一个轴：[B * h, T, d/h]。有些代码这样做，但这里头自成一个轴。
    """
    return changed(shapes(B, T, d, h, h_kv), lambda b, n, *s: (b * n, *s), *SPLIT, "scores", "weights")


@misconception("trace")
def heads_of_full_width(B, T, d, h, h_kv=None):
    """Every head gets all d channels. The channels are shared out: d/h for each.

    每个头都得到了全部 d 个通道。通道是分给各个头的：每头 d/h 个。
    """
    return shapes(B, T, d, h, h_kv, width=d)


@misconception("trace")
def not_repeated(B, T, d, h, h_kv=None):
    """k_repeated and v_repeated still have h_kv heads. After repeating there are h of them, one beside each query head.

    k_repeated 和 v_repeated 仍只有 h_kv 个头。重复之后应有 h 个，每个查询头旁边一个。
    """
    kv = h if h_kv is None else h_kv
    return changed(shapes(B, T, d, h, h_kv), lambda b, n, *s: (b, kv, *s), "k_repeated", "v_repeated")


@misconception("trace")
def repeated_along_tokens(B, T, d, h, h_kv=None):
    """The tokens are repeated instead of the heads. Repeating makes more heads; T stays.

    重复的是词元而不是头。重复会让头变多，T 不变。
    """
    kv = h if h_kv is None else h_kv
    return changed(shapes(B, T, d, h, h_kv), lambda b, n, t, c: (b, kv, t * n // kv, c), "k_repeated", "v_repeated")


@misconception("trace")
def copies_on_their_own_axis(B, T, d, h, h_kv=None):
    """The copies are left on an axis of their own: [B, h_kv, h/h_kv, T, d/h]. They are merged with the heads.

    副本留在了单独的一个轴上：[B, h_kv, h/h_kv, T, d/h]。应把它与头合并。
    """
    kv = h if h_kv is None else h_kv
    return changed(shapes(B, T, d, h, h_kv), lambda b, n, *s: (b, kv, n // kv, *s), "k_repeated", "v_repeated")


@misconception("trace")
def scores_of_kv_heads(B, T, d, h, h_kv=None):
    """There are scores and weights for h_kv heads only. Every query head has its own, also where keys are shared.

    分数和权重只有 h_kv 个头。每个查询头都有自己的分数，即使键是共用的。
    """
    kv = h if h_kv is None else h_kv
    return changed(shapes(B, T, d, h, h_kv), lambda b, n, *s: (b, kv, *s), "scores", "weights")


@misconception("trace")
def scores_with_channels(B, T, d, h, h_kv=None):
    """Scores and weights end in d/h. A score is one number for a query and a key: the channels are summed over, and the
    last two axes are T and T.

    分数和权重的最后一维写成了 d/h。一个查询与一个键只得到一个数：通道已被求和，最后两维都是 T。
    """
    return changed(shapes(B, T, d, h, h_kv), lambda b, n, t, _: (b, n, t, d // h), "scores", "weights")


@misconception("trace")
def scores_between_heads(B, T, d, h, h_kv=None):
    """Scores and weights are [B, T, h, h]: heads compared with heads inside one token. Tokens are compared with tokens.

    分数和权重写成了 [B, T, h, h]：那是同一个词元里头与头的比较。应当是词元与词元的比较。
    """
    return changed(shapes(B, T, d, h, h_kv), lambda b, n, t, _: (b, t, n, n), "scores", "weights")


@misconception("trace")
def scores_for_all_heads_at_once(B, T, d, h, h_kv=None):
    """Scores and weights have no axis for the heads. Every head has a T by T table of its own.

    分数和权重没有头这个轴。每个头都有自己的一张 T 乘 T 的表。
    """
    return changed(shapes(B, T, d, h, h_kv), lambda b, n, *s: (b, *s), "scores", "weights")


@misconception("trace")
def weights_averaged(B, T, d, h, h_kv=None):
    """The weights have no axis for the heads, as nn.MultiheadAttention returns them: it averages over the heads for its
    caller. On the way every head has its own.

    权重没有头这个轴，就像 nn.MultiheadAttention 返回的那样：它为调用者对各个头取了平均。途中每个头都有自己的权重。
    """
    return changed(shapes(B, T, d, h, h_kv), lambda b, n, *s: (b, *s), "weights")


@misconception("trace")
def heads_averaged(B, T, d, h, h_kv=None):
    """Merging leaves d/h channels, as if heads were averaged. They are put side by side, which gives d again.

    合并之后只剩 d/h 个通道，好像对各个头取了平均。它们是并排拼接的，又得到 d 个通道。
    """
    return changed(shapes(B, T, d, h, h_kv), lambda b, t, _: (b, t, d // h), "merged")


@misconception("trace")
def output_of_a_head(B, T, d, h, h_kv=None):
    """The output has d/h channels. The last projection has d columns: what leaves attention is as wide as what came in.

    输出只有 d/h 个通道。最后的投影有 d 列：离开注意力时与进来时一样宽。
    """
    return changed(shapes(B, T, d, h, h_kv), lambda b, t, _: (b, t, d // h), "output")


@misconception("trace")
def batch_second(B, T, d, h, h_kv=None):
    """Tokens come before examples: [T, B, d]. Here the batch is first.

    词元排在了样本之前：[T, B, d]。这里批次在最前。
    """
    return changed(shapes(B, T, d, h, h_kv), lambda b, t, c: (t, b, c), "x", "q", "k", "v", "merged", "output")


@misconception("trace")
def tokens_in_columns(B, T, d, h, h_kv=None):
    """Tokens are columns: [B, d, T], as in pictures that multiply W from the left. Here a token is a row.

    词元成了列：[B, d, T]，那是把 W 乘在左边的画法。这里一个词元是一行。
    """
    return changed(shapes(B, T, d, h, h_kv), lambda b, t, c: (b, c, t), "x", "q", "k", "v", "merged", "output")


@misconception("trace")
def no_batch(B, T, d, h, h_kv=None):
    """The batch is missing from all shapes. Every step has B as its first size.

    所有形状都缺了批次。每一步的第一个尺寸都是 B。
    """
    found = shapes(B, T, d, h, h_kv)
    return changed(found, lambda b, *s: s, *found)


@misconception("trace")
def repeated_left_out(B, T, d, h, h_kv=None):
    """k_repeated and v_repeated are missing where nothing has to be repeated. All 14 steps are asked for; repeating
    once changes nothing.

    不需要重复时缺少 k_repeated 和 v_repeated。14 个步骤都要给出；重复一次就是原样不变。
    """
    found = shapes(B, T, d, h, h_kv)
    left_out = ("k_repeated", "v_repeated") if h_kv in (None, h) else ()
    return {name: shape for name, shape in found.items() if name not in left_out}


@misconception("trace")
def no_value_error(B, T, d, h, h_kv=None):
    """Sizes that do not divide are rounded down instead of refused, and channels get lost. Raise ValueError.

    不能整除时没有拒绝，而是向下取整，一部分通道就丢失了。应抛出 ValueError。
    """
    found = shapes(B, T, d, h, h_kv, check=False)
    return changed(found, lambda b, t, _: (b, t, d), "q", "merged")


@misconception("trace")
def assertion(B, T, d, h, h_kv=None):
    """Sizes that do not divide end in AssertionError, which `python -O` removes. Raise ValueError, with a message.

    不能整除时抛出的是 AssertionError，而 `python -O` 会去掉断言。应抛出带说明的 ValueError。
    """
    assert d % h == 0
    assert h % (h_kv or h) == 0
    return shapes(B, T, d, h, h_kv)
