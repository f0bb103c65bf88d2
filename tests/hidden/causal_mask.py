"""Hidden suite for causal_mask. A mask holds no rounded numbers, so every comparison is exact."""

import torch

from grader.suites import Text, expect, facts, misconception, points

CPU = torch.device("cpu")  # the device under test, once the call has arrived there


def visible(student, q_len, kv_len):
    """The student's mask, without kv_len where the default should give the same."""
    return student.causal_mask(q_len) if kv_len == q_len else student.causal_mask(q_len, kv_len=kv_len)


@points(1.5)
def test_square(matches_reference, make):
    """Without kv_len there are as many keys as queries, and token i may attend to tokens 0 to i: itself and the past.

    不给 kv_len 时键与查询一样多，第 i 个词元可以关注第 0 到第 i 个词元：它自己和过去。
    """
    for length in (1, 2, 3, 5, make.integer(9, 20)):
        matches_reference.causal_mask(length)
    matches_reference.causal_mask(6, kv_len=6)


@points(2)
def test_cached_keys(matches_reference, make):
    """With more keys than queries, the queries are the last positions: query i may attend to keys 0 to
    i + kv_len - q_len.

    键多于查询时，查询是最后的几个位置：查询 i 可以关注第 0 到第 i + kv_len - q_len 个键。
    """
    for q_len, kv_len in ((1, 2), (2, 5), (3, 4), (5, 7), (make.integer(4, 6), make.integer(11, 17))):
        matches_reference.causal_mask(q_len, kv_len=kv_len)


@points(1)
def test_own_key(student, matches_reference):
    """Every query may attend to the key of its own position, and not to the next one.

    每个查询都可以关注自己所在位置的键，但不能关注下一个键。
    """
    for q_len, kv_len in ((2, 2), (2, 5), (5, 5), (4, 9)):
        mask = visible(student, q_len, kv_len)
        cached = kv_len - q_len
        expect(mask.diagonal(cached), "a query cannot see its own position", "有的查询看不到自己的位置")
        expect(~mask.diagonal(cached + 1), "a query sees the position after its own", "有的查询看到了自己之后的位置")
    matches_reference.causal_mask(2, kv_len=5)


@points(1)
def test_row_counts(student, matches_reference):
    """Each query sees one key more than the query before it, and the last query sees every key.

    每个查询都比前一个查询多看到一个键，最后一个查询能看到所有的键。
    """
    for q_len, kv_len in ((3, 3), (2, 5), (5, 8)):
        mask = visible(student, q_len, kv_len)
        more = mask.sum(1).diff() == 1
        expect(more, "a row does not hold one True more than the row above it", "有的行不是比上一行多一个 True")
        expect(
            mask[1:] | ~mask[:-1],
            "a later query loses a key that an earlier one sees",
            "后面的查询反而看不到前面的查询能看到的键",
        )
        expect(mask[-1], "the last query does not see every key", "最后一个查询没有看到所有的键")
    matches_reference.causal_mask(3, kv_len=7)


@points(1)
def test_chunks(student, matches_reference):
    """A sequence processed in chunks, each against all keys so far, gives the rows of the mask of the whole sequence.

    把序列分块处理，每一块面对到目前为止的所有键，得到的正是整个序列的掩码的各行。
    """
    whole = student.causal_mask(7)
    for chunks in ((3, 4), (1, 1, 5), (2, 4, 1)):
        end = 0
        for length in chunks:
            end += length
            expect(
                visible(student, length, end) == whole[end - length : end, :end],
                f"the chunk of {length} that ends at {end} does not see what it sees in the whole sequence",
                f"以 {end} 结尾、长度为 {length} 的块看到的内容与在整个序列中不同",
            )
    matches_reference.causal_mask(7)


@points(0.5)
def test_one_query(student, matches_reference):
    """A single new token, as in decoding, sees every key.

    解码时的单个新词元能看到所有的键。
    """
    for kv_len in (1, 2, 5, 13):
        expect(visible(student, 1, kv_len), "the only query does not see every key", "唯一的查询没有看到所有的键")
    matches_reference.causal_mask(2, kv_len=6)


@points(0.5)
def test_no_leak(student, matches_reference, make):
    """Attention under this mask is blind to the future: changing a later token changes no earlier output.

    在此掩码下注意力看不到未来：改动后面的词元不会改变前面的输出。
    """
    for q_len, kv_len in ((3, 3), (4, 7)):
        mask = visible(student, q_len, kv_len)
        expect(mask.any(1), "a query may attend to no key at all", "有的查询一个键也不能关注")
        tokens, other = make.normal(kv_len, 6).cpu(), make.normal(kv_len, 6).cpu()
        for row, position in enumerate(range(kv_len - q_len, kv_len)):
            changed = torch.cat([tokens[: position + 1], other[position + 1 :]])
            before, after = attend(tokens, mask)[row], attend(changed, mask)[row]
            expect(before == after, "an output changes with a token that comes later", "有的输出会随后面的词元而改变")
    matches_reference.causal_mask(3, kv_len=5)


def attend(tokens, mask):
    """Attention of the last tokens to all of them."""
    scores = tokens[-mask.shape[0] :] @ tokens.T
    return scores.masked_fill(~mask, float("-inf")).softmax(-1) @ tokens


@points(0.5)
def test_long(matches_reference):
    """The mask is right for long caches too: positions do not run out of digits.

    缓存很长时掩码也正确：位置编号不会溢出或丢失精度。
    """
    for kv_len in (300, 2100):
        matches_reference.causal_mask(6, kv_len=kv_len)


@points(0.75)
def test_refuses_fewer_keys(matches_reference, raises_value_error):
    """Fewer keys than queries is refused with ValueError.

    键少于查询时抛出 ValueError。
    """
    matches_reference.causal_mask(2, kv_len=3)
    for q_len, kv_len in ((2, 1), (7, 5), (3, 0)):
        raises_value_error.causal_mask(q_len, kv_len=kv_len)


@points(0.5)
def test_refuses_lengths_below_one(matches_reference, raises_value_error):
    """A length below 1 is refused with ValueError.

    长度小于 1 时抛出 ValueError。
    """
    matches_reference.causal_mask(1)
    for q_len in (0, -1):
        raises_value_error.causal_mask(q_len)
    for q_len, kv_len in ((0, 4), (-2, 3), (3, 0), (0, 0)):
        raises_value_error.causal_mask(q_len, kv_len=kv_len)


@points(0.25)
def test_other_lengths(matches_reference):
    """A call does not depend on the calls before it.

    每次调用的结果与之前的调用无关。
    """
    for q_len, kv_len in ((4, 4), (4, 6), (2, 6), (4, 4), (4, 9), (2, 6)):
        matches_reference.causal_mask(q_len, kv_len=kv_len)


@points(0.25)
def test_device_square(matches_reference, stays_on_device):
    """The mask is made on the device that is asked for.

    掩码建在所要求的设备上。
    """
    matches_reference.causal_mask(4, device=CPU)
    stays_on_device.causal_mask(4, device=CPU)


@points(0.25)
def test_device_cached_keys(matches_reference, stays_on_device):
    """The mask for cached keys is made on the device that is asked for, also after the same one was made elsewhere.

    有缓存的键时掩码也建在所要求的设备上，即使之前在别的设备上建过同样的掩码。
    """
    matches_reference.causal_mask(2, kv_len=5)
    stays_on_device.causal_mask(2, kv_len=5, device=CPU)


# Misconceptions. Not here: what happens to rows without any True, which kv_len >= q_len never has; a stale cache, which
# a replayed call cannot show (test_other_lengths finds it).


def positions(q_len, kv_len, device):
    """The position of each query [q_len, 1] and of each key [kv_len], and how many keys are cached."""
    kv_len = q_len if kv_len is None else kv_len
    if not 1 <= q_len <= kv_len:
        raise ValueError("lengths")
    keys = torch.arange(kv_len, device=device)
    return keys[kv_len - q_len :, None], keys, kv_len - q_len


@facts("causal_mask")
def seen(mask, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    due = torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
    wrong = (mask != due).nonzero().tolist()
    i, j = wrong[0]
    yield Text(
        f"{len(wrong)} of {mask.numel()} cells differ, the first at query {i}, key {j}: {bool(mask[i, j])}",
        f"{mask.numel()} 格中有 {len(wrong)} 格不同，第一处在查询 {i}、键 {j}：{bool(mask[i, j])}",
    )
    yield Text(
        f"the queries see {mask.sum(-1).tolist()} keys; due are {due.sum(-1).tolist()}",
        f"各查询可见 {mask.sum(-1).tolist()} 个键；应为 {due.sum(-1).tolist()}",
    )


@misconception("causal_mask")
def inverted(q_len, kv_len=None, device=None):
    """Your mask is inverted: True marks the keys to hide, as in nn.MultiheadAttention. Here True means "may attend".

    掩码取反了：True 标记的是要遮住的键，如同 nn.MultiheadAttention。在这里 True 表示“可以关注”。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return key > query


@misconception("causal_mask")
def strict_no_self(q_len, kv_len=None, device=None):
    """A token cannot attend to itself in your mask, so the first one sees nothing at all. Is the comparison strict?

    在你的掩码里词元不能关注自己，第一个词元于是什么也看不到。比较时是否少了等号？
    """
    query, key, _ = positions(q_len, kv_len, device)
    return key < query


@misconception("causal_mask")
def sees_one_future(q_len, kv_len=None, device=None):
    """Each token sees the one after it: the answer that it should predict leaks. Your diagonal is one too high.

    每个词元都能看到它的下一个：要预测的答案泄漏了。对角线高了一格。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return key <= query + 1


@misconception("causal_mask")
def top_left(q_len, kv_len=None, device=None):
    """You align the triangle to the top left, as if the queries were the first positions. With cached keys they are the
    last ones, and a decoded token would see only key 0.

    三角形对齐到了左上角，仿佛查询是最前面的位置。有缓存的键时，查询是最后的位置；
    照你的写法，解码时的新词元只能看到第 0 个键。
    """
    query, key, cached = positions(q_len, kv_len, device)
    return key <= query - cached


@misconception("causal_mask")
def offset_sign(q_len, kv_len=None, device=None):
    """You shift the diagonal by q_len - kv_len, the wrong way: with cached keys the first queries see nothing.

    对角线平移了 q_len - kv_len，方向反了：有缓存的键时，前面的查询什么也看不到。
    """
    query, key, cached = positions(q_len, kv_len, device)
    return key <= query - 2 * cached


@misconception("causal_mask")
def offset_one_too_far(q_len, kv_len=None, device=None):
    """With cached keys your diagonal is one place too far to the right; without them it is correct. Count the cached
    keys again.

    有缓存的键时，对角线偏右了一格；没有缓存时是对的。再数一数缓存了多少个键。
    """
    query, key, cached = positions(q_len, kv_len, device)
    return key <= query + (cached > 0)


@misconception("causal_mask")
def upper_triangle(q_len, kv_len=None, device=None):
    """You keep the upper triangle: each token sees itself and the future. Rows are queries and columns are keys, so the
    past lies to the left.

    保留的是上三角：每个词元看到的是自己和未来。行是查询，列是键，过去在左边。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return key >= query


@misconception("causal_mask")
def hides_lower_left(q_len, kv_len=None, device=None):
    """You hide the lower left part. That belongs to the picture with a key per row and a query per column; here rows
    are queries, and the future is the upper right part.

    遮住的是左下角。那是“每行一个键、每列一个查询”的画法；这里行是查询，未来在右上角。
    """
    query, key, cached = positions(q_len, kv_len, device)
    return key >= query - cached


@misconception("causal_mask")
def ignores_kv_len(q_len, kv_len=None, device=None):
    """Your mask has a column per query and leaves the cached keys out. It needs kv_len columns.

    掩码的列数等于查询数，漏掉了缓存的键。应当有 kv_len 列。
    """
    query, key, cached = positions(q_len, kv_len, device)
    return key[cached:] <= query


@misconception("causal_mask")
def row_per_key(q_len, kv_len=None, device=None):
    """You return the square mask of all kv_len positions. Only the last q_len rows belong to queries.

    返回的是全部 kv_len 个位置的方形掩码。只有最后 q_len 行属于查询。
    """
    _, key, _ = positions(q_len, kv_len, device)
    return key <= key[:, None]


@misconception("causal_mask")
def transposed(q_len, kv_len=None, device=None):
    """Rows and columns are swapped: a row belongs to a query, a column to a key, so the shape is [q_len, kv_len].

    行列互换了：行对应查询，列对应键，形状应为 [q_len, kv_len]。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return (key <= query).T


@misconception("causal_mask")
def mirrored(q_len, kv_len=None, device=None):
    """Your rows run from the last query to the first. Row 0 belongs to the earliest query, which sees the fewest keys.

    行的顺序反了，从最后一个查询排到了第一个。第 0 行属于最早的查询，它看到的键最少。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return key <= query.flip(0)


@misconception("causal_mask")
def float_ones(q_len, kv_len=None, device=None):
    """Your mask is of floats 0 and 1. Added to scores it would hide nothing, and `~mask` fails: return bool.

    掩码是由 0 和 1 组成的浮点数。加到分数上什么也遮不住，而且 `~mask` 会报错：应返回 bool。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return (key <= query).float()


@misconception("causal_mask")
def integer_ones(q_len, kv_len=None, device=None):
    """Your mask is of integers 0 and 1. `~mask` then gives -1 and -2, which both count as true: return bool.

    掩码是由 0 和 1 组成的整数。`~mask` 会得到 -1 和 -2，两者都算作真：应返回 bool。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return (key <= query).long()


@misconception("causal_mask")
def additive(q_len, kv_len=None, device=None):
    """You return an additive mask, 0 for visible and -inf for hidden. This function returns bool, True = may attend.

    返回的是加性掩码：可见处为 0，遮住处为 -inf。本函数应返回 bool,True 表示可以关注。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return torch.zeros(q_len, len(key), device=device).masked_fill(key > query, float("-inf"))


@misconception("causal_mask")
def zero_times_infinity(q_len, kv_len=None, device=None):
    """You multiply a triangle by -inf; 0 times infinity is NaN, so every visible cell is NaN. Return bool instead.

    用三角矩阵乘以 -inf;0 乘无穷大得 NaN，所有可见的格子都成了 NaN。应返回 bool。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return (key > query).float() * float("-inf")


@misconception("causal_mask")
def extra_dimensions(q_len, kv_len=None, device=None):
    """Your mask has dimensions for batch and heads. Return [q_len, kv_len]; broadcasting adds the rest.

    掩码多了批次和头的维度。返回 [q_len, kv_len] 即可，其余由广播补上。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return (key <= query)[None, None]


@misconception("causal_mask")
def all_true(q_len, kv_len=None, device=None):
    """Your mask hides nothing, so every token sees the future. That is right only for a single query.

    掩码什么也没有遮住，每个词元都能看到未来。只有单个查询时才是这样。
    """
    query, key, _ = positions(q_len, kv_len, device)
    return key <= query + q_len


@misconception("causal_mask")
def blocks_first_key(q_len, kv_len=None, device=None):
    """Key 0 is hidden from everyone in your mask. Positions count from 0: is a lower limit off by one?

    在你的掩码里谁都看不到第 0 个键。位置从 0 开始编号：下限是否差了一？
    """
    query, key, _ = positions(q_len, kv_len, device)
    return (key <= query) & (key > 0)


@misconception("causal_mask")
def only_cached_keys(q_len, kv_len=None, device=None):
    """Your queries see the cached keys and nothing of their own chunk, not even themselves.

    查询只能看到缓存的键，看不到自己这一块的任何键，连自己也看不到。
    """
    _, key, cached = positions(q_len, kv_len, device)
    return (key < cached).expand(q_len, -1)


@misconception("causal_mask")
def forgets_cached_keys(q_len, kv_len=None, device=None):
    """Your triangle is right within the chunk, but the cached keys are hidden. All of them are past: show them.

    块内的三角形是对的，但缓存的键被遮住了。它们都属于过去，应当可见。
    """
    query, key, cached = positions(q_len, kv_len, device)
    return (key <= query) & (key >= cached)


@misconception("causal_mask")
def shows_whole_chunk(q_len, kv_len=None, device=None):
    """With cached keys you let every query see the whole chunk. The cache is past, but within the chunk order matters.

    有缓存的键时，每个查询都能看到整个块。缓存属于过去，但块内仍须遵守先后顺序。
    """
    query, key, cached = positions(q_len, kv_len, device)
    return key <= query + (q_len if cached else 0)


@misconception("causal_mask")
def kv_len_counts_cache_only(q_len, kv_len=None, device=None):
    """You take kv_len for the number of cached keys. It counts all keys, the queries' own included.

    把 kv_len 当成了缓存的键数。它是所有键的数目，包括查询自己的键。
    """
    query, key, _ = positions(q_len, q_len + (kv_len or 0), device)
    return key <= query


@misconception("causal_mask")
def no_check(q_len, kv_len=None, device=None):
    """You do not check the lengths: with fewer keys than queries some rows see nothing, and attention gives NaN. Raise
    ValueError.

    没有检查长度：键少于查询时，有的行什么也看不到，注意力会得到 NaN。应抛出 ValueError。
    """
    kv_len = q_len if kv_len is None else kv_len
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(kv_len - q_len)


@misconception("causal_mask")
def asserts(q_len, kv_len=None, device=None):
    """You check the lengths with assert, which raises AssertionError and is skipped under `python -O`. Raise
    ValueError.

    用 assert 检查长度，抛出的是 AssertionError，而且 `python -O` 会跳过它。应抛出 ValueError。
    """
    try:
        query, key, _ = positions(q_len, kv_len, device)
    except ValueError as error:
        raise AssertionError from error
    return key <= query


@misconception("causal_mask")
def zero_taken_for_none(q_len, kv_len=None, device=None):
    """kv_len=0 is taken for "not given", since 0 counts as false in `kv_len or q_len`. Compare with None instead.

    kv_len=0 被当成了“没有给出”，因为在 `kv_len or q_len` 里 0 算作假。应与 None 比较。
    """
    query, key, _ = positions(q_len, kv_len or None, device)
    return key <= query


@misconception("causal_mask")
def ignores_device(q_len, kv_len=None, device=None):
    """You make the mask on the CPU whatever `device` says; on a GPU it would not mix with the scores.

    无论 `device` 是什么，掩码都建在 CPU 上；在 GPU 上它无法与分数一起运算。
    """
    query, key, _ = positions(q_len, kv_len, None)
    return key <= query
