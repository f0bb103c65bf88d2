"""Hidden suite for the W_O that averages heads.

Matrices whose rank is asked for are far from any other rank. W is always contiguous: torch.kron, which is right, takes
no other one.
"""

import torch

from grader.suites import dtypes, error_bound, expect, expect_close, misconception, points

FLOATS = ("float32", "float64")


@error_bound("mean_as_concat")
def mean_bound(W, num_heads):
    # One division, or one product with a rounded 1 / H, of entries rounded once.
    return [4 * W.abs().repeat(num_heads, 1) / num_heads]


def of_rank(make, Dh, D, rank):
    """A matrix of this rank, with small whole numbers and no small singular value."""
    one, other = torch.eye(Dh, rank), torch.eye(rank, D)
    one[rank:] = make.normal(Dh, rank)[rank:].sign()
    other[:, rank:] = make.normal(rank, D)[:, rank:].sign()
    return make.tensor(one @ other)


@points(1.5)
@dtypes(*FLOATS)
def test_definition(matches_reference, make, dtype):
    """W_O holds one block for each head, and each block is the same part of W.

    W_O 为每个头准备一段，每一段都是 W 的同一个份额。
    """
    for Dh, D, H in ((1, 3, 2), (2, 5, 3), (3, 7, 2), (5, 3, 4)):
        matches_reference.mean_as_concat(make.normal(Dh, D), H)


@points(1.5)
def test_same_output(student, matches_reference, make):
    """Whatever the heads hold, side by side times W_O they give the same as their mean times W.

    无论各个头里是什么，并排后乘以 W_O，与取平均后乘以 W，结果相同。
    """
    for Dh, D, H in ((1, 3, 2), (2, 5, 3), (3, 7, 4)):
        W, heads = make.normal(Dh, D), make.normal(2, H, 5, Dh)
        W_O, _ = student.mean_as_concat(W, H)
        merged = heads.transpose(1, 2).flatten(2)  # [2, 5, H * Dh]
        en = f"{H} heads side by side, times W_O, are not their mean times W"
        zh = f"{H} 个头并排后乘以 W_O，不等于它们的平均乘以 W"
        expect_close(merged @ W_O.cpu(), heads.mean(1) @ W, 1e-4, en, zh)
        matches_reference.mean_as_concat(W, H)


@points(0.75)
def test_rank(student, matches_reference, make):
    """The rank of W_O is that of W, however many heads there are: never more than Dh, and less where W has less.

    无论有多少个头，W_O 的秩都等于 W 的秩：不会超过 Dh；W 的秩更小时，它也更小。
    """
    for Dh, D, H, due in ((3, 5, 2, 1), (4, 7, 3, 2), (5, 8, 4, 3), (6, 4, 2, 4), (2, 5, 3, 0)):
        W = of_rank(make, Dh, D, due) if due else make.tensor([[0.0] * D] * Dh)
        _, rank = student.mean_as_concat(W, H)
        expect(rank == due, f"for a W of rank {due} and {H} heads the rank is given as {rank}",
               f"W 的秩为 {due}、{H} 个头时，给出的秩是 {rank}")  # fmt: skip
        matches_reference.mean_as_concat(W, H)


@points(0.5)
def test_rank_of_many_heads(student, matches_reference, make):
    """More heads do not raise the rank: their rows are the same ones again.

    头再多，秩也不会升高：多出来的只是同样的行。
    """
    for Dh, D, due in ((3, 9, 2), (4, 20, 3)):
        W = of_rank(make, Dh, D, due)
        found = [student.mean_as_concat(W, H)[1] for H in (1, 2, 5)]
        en = f"for a W of rank {due} and 1, 2 and 5 heads the ranks are given as {found}"
        zh = f"W 的秩为 {due}，头数为 1、2、5 时，给出的秩依次是 {found}"
        expect(found == [due] * 3, en, zh)
        matches_reference.mean_as_concat(W, 5)


@points(0.5)
def test_special_sizes(matches_reference, make):
    """One head, one channel, and sizes that coincide are no special case.

    单个头、单个通道，以及几个尺寸恰好相等时，都没有例外。
    """
    for Dh, D, H in ((1, 1, 1), (3, 5, 1), (1, 1, 4), (4, 4, 2), (3, 3, 3), (2, 6, 3), (4, 1, 2)):
        matches_reference.mean_as_concat(make.normal(Dh, D), H)


@points(0.5)
@dtypes(*FLOATS)
def test_gradient(matches_gradients, make, dtype):
    """Gradients flow from W_O to W.

    梯度从 W_O 传回 W。
    """
    matches_gradients.of(0).mean_as_concat(make.normal(1, 3), 2)
    matches_gradients.of(0).mean_as_concat(make.normal(3, 7), 4)


@points(0.25)
def test_input_unchanged(does_not_mutate, matches_reference, make):
    """W is left as it was.

    W 保持原样。
    """
    does_not_mutate.mean_as_concat(make.normal(3, 7), 2)
    matches_reference.mean_as_concat(make.normal(3, 7), 2)


@points(0.5)
def test_device(stays_on_device, matches_reference, make):
    """Whatever is made on the way is made on the device of W.

    计算途中创建的张量都位于 W 所在的设备上。
    """
    stays_on_device.mean_as_concat(make.normal(2, 5), 3)
    matches_reference.mean_as_concat(make.normal(2, 5), 3)


def stacked(W, H, part=None):
    """The same block for every head."""
    return (W / H if part is None else part).repeat(H, 1)


def rank(W):
    """Its rank, as a number."""
    return int(torch.linalg.matrix_rank(W))


@misconception("mean_as_concat")
def not_divided(W, num_heads):
    """Every block is W itself. That adds the heads up; their mean needs W / H in every block.

    每一段都是 W 本身，得到的是各个头之和；要得到平均，每一段应为 W / H。
    """
    return stacked(W, num_heads, W), rank(W)


@misconception("mean_as_concat")
def divided_by_root(W, num_heads):
    """The blocks are divided by the square root of H. A mean divides by H.

    各段除以了 H 的平方根。取平均要除以 H。
    """
    return stacked(W, num_heads, W / num_heads**0.5), rank(W)


@misconception("mean_as_concat")
def divided_by_channels(W, num_heads):
    """The blocks are divided by Dh, the channels of a head. The mean runs over the heads: divide by H.

    各段除以了每个头的通道数 Dh。平均是对各个头取的：应除以 H。
    """
    return stacked(W, num_heads, W / W.shape[0]), rank(W)


@misconception("mean_as_concat")
def rows_interleaved(W, num_heads):
    """Each row of W is repeated H times in a row. The merged heads hold all channels of head 0 first, then all of head
    1: the whole of W has to come again and again.

    W 的每一行连续重复了 H 次。合并后的头先是第 0 个头的全部通道，再是第 1 个头的：应把整个 W 一遍遍地重复。
    """
    return (W / num_heads).repeat_interleave(num_heads, 0), rank(W)


@misconception("mean_as_concat")
def side_by_side(W, num_heads):
    """The blocks stand side by side: [Dh, H * D]. W_O is multiplied from the right, so the channels of the heads are
    its rows: put the blocks on top of each other.

    各段左右并排，成了 [Dh, H * D]。W_O 是从右边相乘的，各个头的通道对应它的行：应把各段上下叠放。
    """
    return (W / num_heads).repeat(1, num_heads), rank(W)


@misconception("mean_as_concat")
def transposed(W, num_heads):
    """W_O is transposed, as nn.Linear would store it. Here it is used as merged @ W_O.

    W_O 被转置了，那是 nn.Linear 的存储方式。这里按 merged @ W_O 使用。
    """
    return stacked(W, num_heads).T, rank(W)


@misconception("mean_as_concat")
def block_diagonal(W, num_heads):
    """Every head has its block on a diagonal: [H * Dh, H * D]. That keeps the heads apart; a mean adds them up in the
    same D channels.

    各段排在了对角线上，成了 [H * Dh, H * D]。那样各个头仍是分开的；而平均是把它们加到同样的 D 个通道里。
    """
    return torch.block_diag(*[W / num_heads] * num_heads), rank(W) * num_heads


@misconception("mean_as_concat")
def first_block_only(W, num_heads):
    """Only head 0 has a block, the others have zeros. A mean takes an equal part of every head.

    只有第 0 个头有一段，其余都是 0。取平均时，每个头的份额相同。
    """
    return torch.cat([W, torch.zeros_like(W).repeat(num_heads - 1, 1)]), rank(W)


@misconception("mean_as_concat")
def not_stacked(W, num_heads):
    """There is one block of Dh rows only. The merged heads have H * Dh channels, so W_O needs as many rows.

    只有一段，共 Dh 行。合并后的头有 H * Dh 个通道，W_O 也需要同样多的行。
    """
    return W / num_heads, rank(W)


@misconception("mean_as_concat")
def identity_blocks(W, num_heads):
    """The blocks are identities divided by H, which makes the mean but leaves W out. W_O does both at once.

    各段是单位矩阵除以 H：取了平均，却漏掉了 W。W_O 要一次完成两件事。
    """
    return stacked(torch.eye(*W.shape).to(W), num_heads), min(W.shape)


@misconception("mean_as_concat")
def rank_times_heads(W, num_heads):
    """The rank is multiplied by the number of heads. Repeated rows point in no new direction.

    秩乘上了头数。重复的行并不指向新的方向。
    """
    return stacked(W, num_heads), min(rank(W) * num_heads, max(W.shape) * num_heads)


@misconception("mean_as_concat")
def rank_of_free_matrix(W, num_heads):
    """The rank is given as min(H * Dh, D), the most that a matrix of this size can have. This one has the same rows
    again and again.

    给出的秩是 min(H * Dh, D)，即这种大小的矩阵最多能有的秩。而这个矩阵反复出现的是同样的行。
    """
    return stacked(W, num_heads), min(W.shape[0] * num_heads, W.shape[1])


@misconception("mean_as_concat")
def rank_is_d_head(W, num_heads):
    """The rank is given as Dh. It is at most Dh, and less where W has a smaller rank itself.

    给出的秩是 Dh。秩最多为 Dh；W 自身的秩更小时，它也更小。
    """
    return stacked(W, num_heads), W.shape[0]


@misconception("mean_as_concat")
def rank_is_d_model(W, num_heads):
    """The rank is given as D, the width of the output. Only rank(W) of its directions can be reached.

    给出的秩是输出的宽度 D。其中能够到达的方向只有 rank(W) 个。
    """
    return stacked(W, num_heads), W.shape[1]


@misconception("mean_as_concat")
def rank_is_number_of_rows(W, num_heads):
    """The rank is given as H * Dh, the number of rows. Equal rows count once.

    给出的秩是行数 H * Dh。相同的行只算一次。
    """
    return stacked(W, num_heads), W.shape[0] * num_heads


@misconception("mean_as_concat")
def full_rank_assumed(W, num_heads):
    """The rank is given as min(Dh, D), as if W had full rank. W may have any: compute it.

    给出的秩是 min(Dh, D)，好像 W 总是满秩。W 的秩可以是任意值：应当计算出来。
    """
    return stacked(W, num_heads), min(W.shape)


@misconception("mean_as_concat")
def only_matrix(W, num_heads):
    """Only W_O is returned. Its rank is asked for as well.

    只返回了 W_O，还应当返回它的秩。
    """
    return stacked(W, num_heads)


@misconception("mean_as_concat")
def swap_return(W, num_heads):
    """The two results come in the wrong order: first W_O, then its rank.

    两个返回值的顺序反了：先 W_O，后它的秩。
    """
    return rank(W), stacked(W, num_heads)


@misconception("mean_as_concat")
def divided_in_place(W, num_heads):
    """W is divided in place, so the caller's matrix changes, and no gradient can flow. Make a new tensor.

    直接在 W 上做除法：调用者的矩阵被改动，梯度也无法通过。应当得到一个新张量。
    """
    W /= num_heads
    return W.repeat(num_heads, 1), rank(W)


@misconception("mean_as_concat")
def no_gradient(W, num_heads):
    """The values are right, but no gradient gets through (no_grad, detach, .data, numpy or a copy into a fresh
    tensor).

    数值正确，但梯度无法通过（no_grad、detach、.data、numpy 或复制到新张量）。
    """
    return stacked(W.detach(), num_heads), rank(W)


@misconception("mean_as_concat")
def forces_float32(W, num_heads):
    """W_O is always float32. It must have the dtype of W.

    W_O 总是 float32。它的 dtype 应与 W 相同。
    """
    return stacked(W.float(), num_heads), rank(W)
