"""Hidden suite for combine_masks. A mask holds no rounded numbers, so every comparison is exact.

Not in the bank: a stale cache, which a replayed call cannot show.
"""

import math

import torch

from grader.suites import expect, misconception, points


@points(2)
def test_right_padding(matches_reference, make):
    """A key is seen if it lies no later than the query and is a token; the tokens come first, unless told otherwise.

    键不晚于查询且是词元时可见；不另外指定时，词元在前。
    """
    for seq_len, lengths in ((2, [1]), (3, [2]), (3, [3, 1]), (5, [5, 3]), (7, [2, 7, 4])):
        matches_reference.combine_masks(seq_len, torch.tensor(lengths))
    matches_reference.combine_masks(6, torch.tensor([2, 5]), padding_side="right")
    matches_reference.combine_masks(9, torch.tensor([make.integer(1, 8) for _ in range(4)]))


@points(1.5)
def test_left_padding(matches_reference, make):
    """With left padding the tokens are the last positions of each example.

    左填充时，词元位于每个样本的最后几个位置。
    """
    for seq_len, lengths in ((2, [1]), (3, [2]), (3, [3, 1]), (5, [5, 3]), (7, [2, 7, 4])):
        matches_reference.combine_masks(seq_len, torch.tensor(lengths), padding_side="left")
    matches_reference.combine_masks(9, torch.tensor([make.integer(1, 8) for _ in range(4)]), padding_side="left")


@points(0.75)
def test_counts(student, matches_reference):
    """The last token sees all tokens of its example, each token itself, and no query a key after its own position.

    最后一个词元看得见本样本的所有词元，每个词元都看得见自己，没有查询看得见自己之后的键。
    """
    for seq_len, lengths in ((3, [2]), (5, [5, 3]), (4, [1, 4, 2])):
        mask = student.combine_masks(seq_len, torch.tensor(lengths))
        count = torch.tensor(lengths, device=mask.device)
        en, zh = "the last query does not see as many keys as there are tokens", "最后一个查询看见的键数不等于词元数"
        expect(mask[:, 0, -1].sum(-1) == count, en, zh)
        own = mask[:, 0].diagonal(dim1=-2, dim2=-1).sum(-1) == count
        expect(own, "not exactly the tokens see themselves", "看得见自己的不恰好是各个词元")
        expect(~mask.triu(1).any(), "a query sees a key after its own position", "有的查询看得见自己之后的键")
        matches_reference.combine_masks(seq_len, torch.tensor(lengths))


@points(1)
def test_padding_is_never_felt(student, matches_reference, make):
    """What stands in the padding makes no difference: each example's tokens get what they would get on their own.

    填充里是什么都无所谓：每个样本的词元得到的结果，与它单独计算时一样。
    """
    for side, seq_len, lengths in (("right", 3, [3, 2]), ("left", 3, [3, 2]), ("left", 5, [2, 5, 4])):
        mask = student.combine_masks(seq_len, torch.tensor(lengths), padding_side=side).cpu()
        x = make.normal(len(lengths), seq_len, 4)
        for b, length in enumerate(lengths):
            here = slice(0, length) if side == "right" else slice(seq_len - length, seq_len)
            alone = attend(x[b, here], torch.ones(length, length, dtype=torch.bool).tril())
            together = attend(x[b], mask[b, 0])[here]
            same = bool(((together - alone).abs() < 1e-5).all())
            en = f"{side} padding: the {length} tokens of example {b} do not get what they get on their own"
            zh = f"填充在{'右' if side == 'right' else '左'}侧：样本 {b} 的 {length} 个词元与单独计算时不同"
            expect(same, en, zh)
        matches_reference.combine_masks(seq_len, torch.tensor(lengths), padding_side=side)


def attend(x, mask):
    """Attention of the tokens x [T, D] among themselves."""
    return (x @ x.T).masked_fill(~mask, -math.inf).softmax(-1) @ x


@points(0.75)
def test_extreme_lengths(matches_reference):
    """Examples without padding, of one token, or of padding only are no special case.

    没有填充、只有一个词元、或全是填充的样本都没有例外。
    """
    for seq_len, lengths in ((1, [1]), (1, [0]), (1, [1, 0]), (4, [4, 4, 4]), (4, [0, 1]), (4, [0, 0, 0]), (6, [1])):
        matches_reference.combine_masks(seq_len, torch.tensor(lengths))
        matches_reference.combine_masks(seq_len, torch.tensor(lengths), padding_side="left")


@points(0.75)
def test_as_many_examples_as_positions(matches_reference, make):
    """With as many examples as positions nothing gets mixed up: each example has its own length.

    样本数与位置数相等时也不会混淆：每个样本用自己的长度。
    """
    for seq_len, lengths in ((2, [1, 2]), (3, [3, 1, 2]), (4, [2, 4, 1, 3])):
        matches_reference.combine_masks(seq_len, torch.tensor(lengths))
        matches_reference.combine_masks(seq_len, torch.tensor(lengths), padding_side="left")


@points(0.5)
def test_unknown_side(raises_value_error, matches_reference):
    """ValueError for a side that is neither right nor left.

    既不是右也不是左时，抛出 ValueError。
    """
    for side in ("", "both", "Right", "top"):
        raises_value_error.combine_masks(3, torch.tensor([3, 2]), padding_side=side)
    matches_reference.combine_masks(3, torch.tensor([3, 2]), padding_side="left")


@points(0.25)
def test_lengths_unchanged(does_not_mutate, matches_reference, make):
    """The lengths are left as they were, and need not lie next to each other in memory.

    lengths 保持原样，在内存中也不必相邻。
    """
    lengths = torch.tensor([5, 9, 3, 9, 4])[::2]
    for side in ("right", "left"):
        does_not_mutate.combine_masks(5, lengths, padding_side=side)
        matches_reference.combine_masks(5, lengths, padding_side=side)


@points(0.25)
def test_device(stays_on_device, matches_reference):
    """The mask is made on the device of the lengths.

    掩码建在 lengths 所在的设备上。
    """
    stays_on_device.combine_masks(4, torch.tensor([4, 2, 3]))
    matches_reference.combine_masks(4, torch.tensor([4, 2, 3]))


@points(0.25)
def test_device_left(stays_on_device, matches_reference):
    """The mask for left padding is made on the device of the lengths, too.

    左填充的掩码同样建在 lengths 所在的设备上。
    """
    stays_on_device.combine_masks(4, torch.tensor([4, 2, 3]), padding_side="left")
    matches_reference.combine_masks(4, torch.tensor([4, 2, 3]), padding_side="left")


def parts(seq_len, lengths, padding_side="right"):
    """Keys no later than the query [T, T] and keys that are tokens [B, T]."""
    if padding_side not in ("right", "left"):
        raise ValueError("side")
    position = torch.arange(seq_len, device=lengths.device)
    first = 0 if padding_side == "right" else seq_len - lengths[:, None]
    token = (position >= first) & (position < first + lengths[:, None])
    return position <= position[:, None], token


@misconception("combine_masks")
def either_rule(seq_len, lengths, padding_side="right"):
    """The two masks are joined with "or": a key is seen if one of the rules allows it, so tokens of the future and the
    padding of the past are visible. Both rules must allow it: "and".

    两个掩码是用“或”连接的：只要一条规则允许就能看见，于是未来的词元和过去的填充都可见。应当两条规则都允许，即“与”。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return past | token[:, None, None]


@misconception("combine_masks")
def padding_only(seq_len, lengths, padding_side="right"):
    """Padding is hidden, the future is not: each token sees the ones that it should predict. The causal rule is
    missing.

    遮住了填充，却没有遮住未来：每个词元都能看到它要预测的内容。缺少因果规则。
    """
    _, token = parts(seq_len, lengths, padding_side)
    return token[:, None, None].expand(-1, 1, seq_len, seq_len)


@misconception("combine_masks")
def causal_only(seq_len, lengths, padding_side="right"):
    """The future is hidden, padding is not: lengths has no effect.

    遮住了未来，却没有遮住填充：lengths 没有起作用。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return past.expand(len(token), 1, -1, -1).clone()


@misconception("combine_masks")
def one_padding_seen(seq_len, lengths, padding_side="right"):
    """One padded position counts as a token. Positions are numbered from 0, so n tokens are 0 to n - 1: is there a <=
    too many?

    有一个填充位置被当成了词元。位置从 0 数起，n 个词元是 0 到 n - 1：是不是多写了等号？
    """
    past, token = parts(seq_len, (lengths + 1).clamp(max=seq_len), padding_side)
    return past & token[:, None, None]


@misconception("combine_masks")
def one_token_lost(seq_len, lengths, padding_side="right"):
    """One token of each example counts as padding. With n tokens, n positions have to be visible.

    每个样本都有一个词元被当成了填充。有 n 个词元，就应有 n 个位置可见。
    """
    past, token = parts(seq_len, (lengths - 1).clamp(min=0), padding_side)
    return past & token[:, None, None]


@misconception("combine_masks")
def sides_swapped(seq_len, lengths, padding_side="right"):
    """The sides are swapped. "right" says where the padding is, not where the tokens are.

    两侧弄反了。“right”说的是填充在哪一侧，而不是词元在哪一侧。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return past & token.flip(1)[:, None, None]


@misconception("combine_masks")
def always_right(seq_len, lengths, padding_side="right"):
    """The padding is taken to be on the right, whatever padding_side says.

    无论 padding_side 是什么，都当作填充在右侧。
    """
    past, token = parts(seq_len, lengths)
    return past & token[:, None, None]


@misconception("combine_masks")
def queries_hidden(seq_len, lengths, padding_side="right"):
    """The padding hides rows, the queries, instead of columns, the keys. With left padding tokens then see padding.

    填充遮住的是行（查询），而不是列（键）。左填充时，词元因此能看见填充。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return past & token[:, None, :, None]


@misconception("combine_masks")
def queries_hidden_too(seq_len, lengths, padding_side="right"):
    """Padded queries see nothing in your mask. Only keys are to be hidden: what a padded query sees is nobody's
    business, and rows without anything visible only make trouble in softmax.

    在你的掩码里，填充位置的查询什么也看不见。需要遮住的只有键：填充的查询看见什么无关紧要，
    而什么都看不见的行只会给 softmax 添麻烦。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return past & token[:, None, None] & token[:, None, :, None]


@misconception("combine_masks")
def sees_itself_always(seq_len, lengths, padding_side="right"):
    """Padded positions see themselves, perhaps to keep every row from being empty. Padding is hidden from every query;
    a row without anything visible is allowed.

    填充位置看得见自己，也许是为了不让任何一行为空。填充对所有查询都不可见；允许有什么都看不见的行。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return past & token[:, None, None] | torch.eye(seq_len, dtype=torch.bool, device=lengths.device)


@misconception("combine_masks")
def inverted(seq_len, lengths, padding_side="right"):
    """The mask is inverted: True marks what to hide. Here True means "may attend".

    掩码取反了：True 标记的是要遮住的键。在这里 True 表示“可以关注”。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return ~(past & token[:, None, None])


@misconception("combine_masks")
def padding_inverted(seq_len, lengths, padding_side="right"):
    """The padding is visible and the tokens are hidden: one of the two masks is inverted before they are joined.

    可见的是填充，被遮住的是词元：两个掩码合并之前，其中一个取反了。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return past & ~token[:, None, None]


@misconception("combine_masks")
def future_instead_of_past(seq_len, lengths, padding_side="right"):
    """Each query sees itself and the future. Rows are queries and columns keys, so the past lies to the left.

    每个查询看见的是自己和未来。行是查询，列是键，过去在左边。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return past.T & token[:, None, None]


@misconception("combine_masks")
def not_itself(seq_len, lengths, padding_side="right"):
    """No token sees itself. Is the comparison strict where it should be <=?

    没有词元看得见自己。比较时是否少了等号？
    """
    past, token = parts(seq_len, lengths, padding_side)
    return past.tril(-1) & token[:, None, None]


@misconception("combine_masks")
def lengths_count_padding(seq_len, lengths, padding_side="right"):
    """lengths is read as the number of padded positions. It is the number of tokens.

    把 lengths 当成了填充的个数。它是词元的个数。
    """
    past, token = parts(seq_len, seq_len - lengths, padding_side)
    return past & token[:, None, None]


@misconception("combine_masks")
def longest_for_all(seq_len, lengths, padding_side="right"):
    """All examples are treated as long as the longest. Each has its own length.

    所有样本都按最长的那个处理。每个样本有自己的长度。
    """
    past, token = parts(seq_len, lengths.amax().expand(lengths.shape), padding_side)
    return past & token[:, None, None]


@misconception("combine_masks")
def first_for_all(seq_len, lengths, padding_side="right"):
    """All examples get the mask of the first. Each has its own length.

    所有样本都用了第一个的掩码。每个样本有自己的长度。
    """
    past, token = parts(seq_len, lengths[:1].expand(lengths.shape), padding_side)
    return past & token[:, None, None]


@misconception("combine_masks")
def no_head_axis(seq_len, lengths, padding_side="right"):
    """The axis for the heads is missing: [B, T, T]. Against scores [B, H, T, T] that is an error, and with B = H it
    hides heads instead of examples. Return [B, 1, T, T].

    缺少头的轴：形状成了 [B, T, T]。用于分数 [B, H, T, T] 会报错，而 B = H 时遮住的是头而不是样本。应返回 [B, 1, T, T]。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return past & token[:, None]


@misconception("combine_masks")
def head_axis_first(seq_len, lengths, padding_side="right"):
    """The axis of size 1 comes before the batch: [1, B, T, T]. There the examples stand where the heads should be.

    大小为 1 的轴放在了批次前面：[1, B, T, T]。这样，样本就占了头的位置。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return (past & token[:, None])[None]


@misconception("combine_masks")
def padding_mask_only(seq_len, lengths, padding_side="right"):
    """The result is the padding mask [B, 1, 1, T] on its own. Join it with the causal mask [T, T].

    返回的只是填充掩码 [B, 1, 1, T]。还要与因果掩码 [T, T] 合并。
    """
    _, token = parts(seq_len, lengths, padding_side)
    return token[:, None, None]


@misconception("combine_masks")
def as_numbers(seq_len, lengths, padding_side="right"):
    """The mask is made of the numbers 0 and 1. It has to be bool: `~mask` means something else for numbers, and a mask
    of floats would be added to the scores.

    掩码由数 0 和 1 组成。它应当是 bool：对数取 `~mask` 是另一回事，而浮点掩码会被加到分数上。
    """
    past, token = parts(seq_len, lengths, padding_side)
    return (past & token[:, None, None]).float()


@misconception("combine_masks")
def as_bias(seq_len, lengths, padding_side="right"):
    """The mask holds 0 and -inf, to be added to scores. A bool mask is asked for, True = may attend.

    掩码里是 0 和 -inf，用来加到分数上。这里要的是 bool 掩码，True 表示可以关注。
    """
    past, token = parts(seq_len, lengths, padding_side)
    mask = past & token[:, None, None]
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -math.inf)


@misconception("combine_masks")
def made_on_cpu(seq_len, lengths, padding_side="right"):
    """The positions or the triangle are made on the CPU, whatever device lengths is on. Pass device=lengths.device.

    位置或三角形总建在 CPU 上，而不管 lengths 在哪个设备上。应传入 device=lengths.device。
    """
    position = torch.arange(seq_len)
    past, token = parts(seq_len, lengths, padding_side)
    return (position <= position[:, None]) & past & token[:, None, None]
