"""Hidden suite for sliding-window attention.

A mistake in the mask may be made alone or, by using it, in attention as well: each is in the bank in both forms. What
can go wrong inside attention itself is in the suite of attention.
"""

import math

import torch

from grader.suites import Misconception, dtypes, error_bound, expect, expect_close, misconception, points

CPU = torch.device("cpu")  # the device under test, once the call has arrived there


def band(q_len, window, kv_len=None, device=None):
    """The right mask."""
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("window or lengths")
    distance = distances(q_len, kv_len, device)
    return (distance >= 0) & (distance < window)


def distances(q_len, kv_len, device=None):
    """How far each key lies before each query [q_len, kv_len], negative where it comes later."""
    query = torch.arange(kv_len - q_len, kv_len, device=device).unsqueeze(1)
    return query - torch.arange(kv_len, device=device)


@error_bound("sliding_window_attention")
def attention_bound(q, k, v, window):
    # As for plain attention under this mask (docs/tolerances.md); a hidden key may keep a weight of 1e-6.
    hidden = ~band(q.shape[-2], window, k.shape[-2])
    reach = q.abs() @ k.abs().mT / math.sqrt(q.shape[-1])
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(hidden, -math.inf).softmax(-1)
    reach = reach.masked_fill(hidden, 0.0)
    exponents = (q.shape[-1] / 2 + 5) * reach + reach.amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + k.shape[-2] + 8
    leak = hidden * 1e-6 / torch.finfo(torch.float32).eps
    return (weights * (total + k.shape[-2] + 4) + leak) @ v.abs()


def inputs(make, *lead, t_q=5, t_kv=8, dh=6, dv=4):
    """Random q, k, v with these leading dimensions."""
    return make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh), make.normal(*lead, t_kv, dv)


@points(2)
def test_square(matches_reference, make):
    """Every query sees its own position and the window - 1 positions before it, and nothing later.

    每个查询能看见自己的位置以及之前的 window - 1 个位置，看不见后面的任何位置。
    """
    for q_len, window in ((2, 1), (3, 2), (6, 3), (7, 5), (9, 4), (make.integer(10, 20), make.integer(3, 8))):
        matches_reference.sliding_window_mask(q_len, window)


@points(1.5)
def test_more_keys(matches_reference, make):
    """With more keys than queries the queries are the last positions.

    键多于查询时，查询是最后的几个位置。
    """
    for q_len, window, kv_len in ((1, 2, 3), (2, 3, 5), (1, 4, 9), (3, 2, 8), (4, 6, 7), (5, 3, 5)):
        matches_reference.sliding_window_mask(q_len, window, kv_len=kv_len)
    matches_reference.sliding_window_mask(make.integer(2, 6), make.integer(2, 9), kv_len=make.integer(7, 15))


@points(0.5)
def test_counts(student, matches_reference):
    """Row by row, as many keys are visible as there are positions up to the query, at most `window` of them.

    每一行可见的键数，等于到该查询为止的位置数，但不超过 `window`。
    """
    for q_len, window, kv_len in ((6, 3, 6), (5, 2, 5), (3, 4, 10), (1, 3, 8)):
        seen = student.sliding_window_mask(q_len, window, kv_len=kv_len).sum(-1).tolist()
        due = [min(i + 1 + kv_len - q_len, window) for i in range(q_len)]
        en = f"{q_len} queries, {kv_len} keys, window {window}: {seen} keys are visible, row by row; due are {due}"
        zh = f"{q_len} 个查询、{kv_len} 个键、窗口 {window}：各行可见的键数为 {seen}，应为 {due}"
        expect(seen == due, en, zh)
        matches_reference.sliding_window_mask(q_len, window, kv_len=kv_len)


@points(0.8)
def test_extreme_windows(matches_reference):
    """A window of 1 leaves each query only itself; one as long as the text, or longer, is the causal mask.

    窗口为 1 时每个查询只能看见自己；窗口与文本一样长或更长时，就是因果掩码。
    """
    for q_len, kv_len in ((1, 1), (4, 4), (3, 7)):
        for window in (1, kv_len, kv_len + 1, 10 * kv_len):
            matches_reference.sliding_window_mask(q_len, window, kv_len=kv_len)


@points(0.5)
def test_one_after_another(student, matches_reference):
    """The rows of one query after another are those of all queries at once.

    逐个查询得到的各行，与所有查询一起得到的相同。
    """
    for length, window in ((5, 2), (8, 3)):
        whole = student.sliding_window_mask(length, window)
        for position in range(length):
            row = student.sliding_window_mask(1, window, kv_len=position + 1)
            en = f"the query at position {position} sees other keys alone than among all {length}"
            zh = f"位置 {position} 的查询单独计算时，看见的键与 {length} 个一起计算时不同"
            expect(row[0] == whole[position, : position + 1], en, zh)
        matches_reference.sliding_window_mask(length, window)


@points(0.3)
def test_refuses_windows(raises_value_error, matches_reference):
    """ValueError for a window below 1.

    窗口小于 1 时抛出 ValueError。
    """
    for window in (0, -1, -5):
        raises_value_error.sliding_window_mask(4, window)
        raises_value_error.sliding_window_mask(2, window, kv_len=6)
    matches_reference.sliding_window_mask(4, 1)


@points(0.3)
def test_refuses_lengths(raises_value_error, matches_reference):
    """ValueError for a length below 1, and for fewer keys than queries.

    长度小于 1，或键比查询少时，抛出 ValueError。
    """
    for q_len, kv_len in ((0, 3), (-2, 4), (3, 2), (5, 1)):  # not 0 keys: `kv_len or q_len` is usual
        raises_value_error.sliding_window_mask(q_len, 2, kv_len=kv_len)
    raises_value_error.sliding_window_mask(0, 2)
    matches_reference.sliding_window_mask(3, 2, kv_len=3)


@points(0.15)
def test_mask_device(stays_on_device, matches_reference):
    """The mask is made on the device that is asked for.

    掩码建在所要求的设备上。
    """
    matches_reference.sliding_window_mask(4, 2, device=CPU)
    stays_on_device.sliding_window_mask(4, 2, device=CPU)


@points(0.15)
def test_mask_device_more_keys(stays_on_device, matches_reference):
    """The mask is made on the device that is asked for, also with more keys.

    键更多时，掩码同样建在所要求的设备上。
    """
    matches_reference.sliding_window_mask(3, 2, kv_len=5, device=CPU)
    stays_on_device.sliding_window_mask(3, 2, kv_len=5, device=CPU)


@points(2)
def test_attention(matches_reference, make, dtype):
    """Attention looks through the window: softmax over the visible keys only.

    注意力透过窗口去看：softmax 只在可见的键上进行。
    """
    matches_reference.sliding_window_attention(*inputs(make, t_q=2, t_kv=2, dh=2, dv=1), 1)
    matches_reference.sliding_window_attention(*inputs(make, t_q=5, t_kv=5), 2)
    matches_reference.sliding_window_attention(*inputs(make, 2, t_q=7, t_kv=7), 3)
    matches_reference.sliding_window_attention(*inputs(make, 2, 3, t_q=4, t_kv=9), 5)


@points(0.5)
def test_windows_of_attention(student, matches_reference, make):
    """With a window of 1 the output is each query's own value; with a long one it is causal attention.

    窗口为 1 时，输出就是每个查询自己位置上的值；窗口很长时，就是因果注意力。
    """
    for t_q, t_kv in ((5, 5), (2, 7), (1, 4)):
        q, k, v = inputs(make, 2, t_q=t_q, t_kv=t_kv)
        own = student.sliding_window_attention(q, k, v, 1)
        en, zh = "with a window of 1 the output is not the own value", "窗口为 1 时，输出不是自己位置上的值"
        expect_close(own, v[:, t_kv - t_q :], 1e-5, en, zh)
        matches_reference.sliding_window_attention(q, k, v, t_kv + 3)
        matches_reference.sliding_window_attention(q, k, v, 2)


@points(0.8)
def test_outside_the_window(student, matches_reference, make):
    """What lies outside a query's window does not change its output, not even a score that dwarfs all others.

    查询窗口之外的内容不改变它的输出，哪怕那里的分数远超其余。
    """
    q, k, v = inputs(make, t_q=6, t_kv=6)
    q = torch.cat([q[:, :5].abs() + 1, q[:, 5:]], 1)
    for position, window in ((0, 2), (3, 3), (5, 2)):
        there = (torch.arange(6) == position).unsqueeze(1)
        before = student.sliding_window_attention(q, k, v, window)
        after = student.sliding_window_attention(q, torch.where(there, k + 50, k), torch.where(there, v - 9, v), window)
        blind = [i for i in range(6) if not 0 <= i - position < window]
        en = f"key {position} changes the output of a query that should not see it (window {window})"
        zh = f"第 {position} 个键改变了不该看见它的查询的输出（窗口 {window}）"
        expect_close(after[blind], before[blind], 1e-5, en, zh)
    matches_reference.sliding_window_attention(q, k, v, 2)


@points(0.6)
@dtypes("float32", "float64")
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow back to queries, keys and values, and none to what is never seen.

    梯度传回查询、键和值；从未被看见的部分没有梯度。
    """
    matches_gradients.sliding_window_attention(*inputs(make, t_q=3, t_kv=3), 2)
    matches_gradients.sliding_window_attention(*inputs(make, 2, t_q=3), 2)


@points(0.5)
def test_inputs(does_not_mutate, matches_reference, make):
    """Queries, keys and values may lie in memory in any order, and are left as they were.

    查询、键和值在内存中可按任意次序排布，并且保持原样。
    """
    q, k, v = (make.strided(t) for t in inputs(make, 2))
    does_not_mutate.sliding_window_attention(q, k, v, 3)
    matches_reference.sliding_window_attention(q, k, v, 3)
    matches_reference.sliding_window_attention(q[:1].expand(2, 5, 6), k[:1].expand(2, 8, 6), v[:1].expand(2, 8, 4), 2)


@points(0.2)
def test_device(stays_on_device, matches_reference, make):
    """The mask that attention makes is on the device of the inputs.

    注意力自己构造的掩码位于输入所在的设备上。
    """
    stays_on_device.sliding_window_attention(*inputs(make, 2), 3)
    matches_reference.sliding_window_attention(*inputs(make, 2), 3)


@points(0.2)
def test_device_of_squares(stays_on_device, matches_reference, make):
    """The mask that attention makes is on the device of the inputs, for as many keys as queries too.

    键与查询一样多时，注意力自己构造的掩码同样位于输入所在的设备上。
    """
    stays_on_device.sliding_window_attention(*inputs(make, t_q=4, t_kv=4), 2)
    matches_reference.sliding_window_attention(*inputs(make, t_q=4, t_kv=4), 2)


def attend(q, k, v, window, mask=band, scale=None, fill=-math.inf):
    """Attention under a mask, with places to go wrong."""
    visible = mask(q.shape[-2], window, k.shape[-2], q.device)
    scores = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    return scores.masked_fill(~visible, fill).softmax(-1) @ v


def checked(q_len, window, kv_len):
    """Both lengths, or ValueError."""
    kv_len = q_len if kv_len is None else kv_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("window or lengths")
    return q_len, kv_len


def with_mask(visible, refuses=True):
    """Both functions for the mask `visible(distance, window, q_len, kv_len)`."""

    def mask(q_len, window, kv_len=None, device=None):
        kv_len = q_len if kv_len is None else kv_len
        if refuses:
            checked(q_len, window, kv_len)
        return visible(distances(q_len, kv_len, device), window, q_len, kv_len)

    return mask, lambda q, k, v, window: attend(q, k, v, window, mask)


BOTH = ("sliding_window_mask", "sliding_window_attention")


@misconception(*BOTH)
def one_too_many():
    """The window is one position too long: with its own position a query sees window + 1. `window` counts the query's
    own position as well (15 visible pairs for 6 tokens and a window of 3, not 18).

    窗口长了一个位置：加上自己，查询看见了 window + 1 个位置。`window` 把自己的位置也算在内（6 个词元、
    窗口 3 时可见 15 对，不是 18 对）。
    """
    return with_mask(lambda d, w, *_: (d >= 0) & (d <= w))


@misconception(*BOTH)
def one_too_few():
    """The window is one position too short: a query sees window - 1 positions (11 visible pairs for 6 tokens and a
    window of 3, not 15).

    窗口短了一个位置：查询只看见 window - 1 个位置（6 个词元、窗口 3 时可见 11 对，应为 15 对）。
    """
    return with_mask(lambda d, w, *_: (d >= 0) & ((d < w - 1) | (d == 0)))


@misconception(*BOTH)
def both_sides():
    """The window reaches forwards as well as backwards. A token may not see what comes after it.

    窗口既向后也向前伸展。词元不能看见它后面的内容。
    """
    return with_mask(lambda d, w, *_: d.abs() < w)


@misconception(*BOTH)
def future_visible():
    """Old keys are hidden, but the future is not: the mask also has to be causal.

    遮住了旧的键，却没有遮住未来：掩码还应是因果的。
    """
    return with_mask(lambda d, w, *_: d < w)


@misconception(*BOTH)
def causal_only():
    """This is the plain causal mask; the window is not used. Keys that are `window` or more positions back are hidden
    too.

    这只是普通的因果掩码，没有使用窗口。在 `window` 个位置或更早之前的键也要遮住。
    """
    return with_mask(lambda d, w, *_: d >= 0)


@misconception(*BOTH)
def first_keys():
    """Every query sees the first `window` keys instead of the last ones. The window slides along with the query.

    每个查询看见的都是最前面的 `window` 个键，而不是最近的。窗口应随查询滑动。
    """
    return with_mask(lambda d, w, q_len, kv_len: (d >= 0) & (torch.arange(kv_len, device=d.device) < w))


@misconception(*BOTH)
def blocks():
    """The text is cut into blocks, and a query sees only its own block. A sliding window has no borders: every query
    sees the last `window` positions up to its own.

    文本被切成了一个个块，查询只能看见自己那一块。滑动窗口没有边界：每个查询都能看见到自己为止的最近 `window` 个位置。
    """
    return with_mask(
        lambda d, w, q_len, kv_len: (
            (d >= 0)
            & (
                torch.arange(kv_len - q_len, kv_len, device=d.device).unsqueeze(1) // w
                == torch.arange(kv_len, device=d.device) // w
            )
        )
    )


@misconception(*BOTH)
def strided():
    """A query sees every `window`-th key before it (a strided pattern). The window holds neighbours.

    查询看见的是之前每隔 `window` 个的键（跨步模式）。窗口里应是相邻的键。
    """
    return with_mask(lambda d, w, *_: (d >= 0) & (d % w == 0))


@misconception(*BOTH)
def looks_ahead():
    """The window lies after the query instead of before it. Count the distance as query minus key.

    窗口在查询之后，而应在它之前。距离应是查询的位置减去键的位置。
    """
    return with_mask(lambda d, w, *_: (d <= 0) & (d > -w))


@misconception(*BOTH)
def itself_hidden():
    """A query does not see its own position; the window is shifted back by one.

    查询看不见自己的位置；窗口整体后移了一位。
    """
    return with_mask(lambda d, w, *_: ((d > 0) & (d <= w)) | (d == d.max()))


@misconception(*BOTH)
def top_left():
    """Query i is taken to stand at position i. With more keys than queries the queries are the last positions: i +
    kv_len - q_len.

    把查询 i 当成位于位置 i。键多于查询时，查询是最后的几个位置：i + kv_len - q_len。
    """
    return with_mask(lambda d, w, q_len, kv_len: (d - kv_len + q_len >= 0) & (d - kv_len + q_len < w))


@misconception(*BOTH)
def inverted():
    """True and False are exchanged: True means may attend.

    True 与 False 颠倒了：True 表示可以关注。
    """
    return with_mask(lambda d, w, *_: (d < 0) | (d >= w))


@misconception(*BOTH)
def window_not_checked():
    """A window below 1, an impossible length or fewer keys than queries are not refused with ValueError; some queries
    then see nothing at all.

    窗口小于 1、长度不合理或键比查询少时，没有抛出 ValueError；有的查询于是什么也看不见。
    """
    return with_mask(lambda d, w, *_: (d >= 0) & (d < w), refuses=False)


@misconception("sliding_window_mask")
def kv_len_ignored(q_len, window, kv_len=None, device=None):
    """kv_len is accepted and not used: the mask has a column for each query only.

    接收了 kv_len 却没有使用：掩码只为每个查询准备了一列。
    """
    checked(q_len, window, kv_len)
    return band(q_len, window, None, device)


@misconception("sliding_window_mask")
def transposed(q_len, window, kv_len=None, device=None):
    """Rows and columns are exchanged: a row belongs to a query.

    行与列对调了：每一行属于一个查询。
    """
    return band(q_len, window, kv_len, device).T


@misconception("sliding_window_mask")
def numbers_instead_of_bool(q_len, window, kv_len=None, device=None):
    """The mask holds numbers. It should be bool, with True for may attend.

    掩码里是数。它应是 bool，True 表示可以关注。
    """
    return band(q_len, window, kv_len, device).float()


@misconception("sliding_window_mask")
def minus_infinity_instead_of_bool(q_len, window, kv_len=None, device=None):
    """The mask holds 0 and -inf, to be added to the scores. Here it should be bool, with True for may attend.

    掩码里是准备加到分数上的 0 和 -inf。这里应是 bool，True 表示可以关注。
    """
    visible = band(q_len, window, kv_len, device)
    return torch.zeros(visible.shape, device=device).masked_fill(~visible, -math.inf)


@misconception("sliding_window_mask")
def device_ignored(q_len, window, kv_len=None, device=None):
    """The mask is always made on the CPU, whatever `device` says.

    无论 `device` 是什么，掩码都建在了 CPU 上。
    """
    return band(q_len, window, kv_len)


@misconception("sliding_window_attention")
def no_window_in_attention(q, k, v, window):
    """Attention is causal only; the window is not used.

    注意力只是因果的，没有使用窗口。
    """
    return attend(q, k, v, k.shape[-2])


@misconception("sliding_window_attention")
def no_mask_in_attention(q, k, v, window):
    """Attention sees everything; the mask is not used.

    注意力能看见一切，没有使用掩码。
    """
    return attend(q, k, v, window, lambda T_q, w, T_kv, device: band(T_q, 1, T_kv, device) | True)


@misconception("sliding_window_attention")
def mask_of_queries_only(q, k, v, window):
    """The mask is made for T_q keys. With more keys than queries it does not fit; hand T_kv on as kv_len.

    掩码是按 T_q 个键构造的。键多于查询时就对不上；应把 T_kv 作为 kv_len 传入。
    """
    return attend(q, k, v, window, lambda T_q, w, T_kv, device: band(T_q, w, None, device))


@misconception("sliding_window_attention")
def hidden_after_softmax(q, k, v, window):
    """Hidden weights are set to 0 after softmax, and the rest no longer sums to 1. Hide the scores before softmax.

    在 softmax 之后才把被遮住的权重置 0，剩下的和不再为 1。应在 softmax 之前遮住分数。
    """
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return (weights * band(q.shape[-2], window, k.shape[-2], q.device)) @ v


@misconception("sliding_window_attention")
def hidden_scores_zero(q, k, v, window):
    """Hidden scores become 0, and e^0 = 1: they still get weight.

    被遮住的分数变成了 0，而 e^0 = 1：它们仍有权重。
    """
    return attend(q, k, v, window, fill=0.0)


@misconception("sliding_window_attention")
def no_scale(q, k, v, window):
    """The scores are not divided by the square root of Dh.

    分数没有除以 Dh 的平方根。
    """
    return attend(q, k, v, window, scale=1.0)


@misconception("sliding_window_attention")
def scale_of_the_window(q, k, v, window):
    """The scores are divided by the square root of the window. It is the length of the vectors, Dh, that counts.

    分数除以了窗口大小的平方根。起作用的是向量的长度 Dh。
    """
    return attend(q, k, v, window, scale=window**-0.5)


@misconception("sliding_window_attention")
def forces_float32(q, k, v, window):
    """The result is always float32. It comes back in the dtype of q.

    结果总是 float32。返回时要转回 q 的 dtype。
    """
    return attend(q.float(), k.float(), v.float(), window)


@misconception("sliding_window_attention")
def mask_on_cpu(q, k, v, window):
    """The mask is made on the CPU; on a GPU it does not mix with the scores. Hand on the device of q.

    掩码建在了 CPU 上；在 GPU 上它无法与分数一起运算。应把 q 的设备传进去。
    """
    return attend(q, k, v, window, lambda T_q, w, T_kv, device: band(T_q, w, T_kv))


@misconception("sliding_window_attention")
def keys_detached(q, k, v, window):
    """Keys are cut out of the gradient.

    键被排除在了梯度之外。
    """
    return attend(q, k.detach(), v, window)


IN_THE_MASK = [
    Misconception(f"{m.name}_in_the_mask", {BOTH[0]: m.functions[BOTH[0]]}, m.message)
    for m in (one_too_many, one_too_few, both_sides, future_visible, causal_only, looks_ahead, top_left, inverted)
]
IN_ATTENTION = [
    Misconception(f"{m.name}_in_attention", {BOTH[1]: m.functions[BOTH[1]]}, m.message)
    for m in (one_too_many, one_too_few, both_sides, future_visible, top_left, inverted)
]
