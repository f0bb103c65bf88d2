"""Hidden suite for split_heads and merge_heads. Both only move entries, so every comparison is exact."""

import itertools

import torch

from grader.suites import Text, dtypes, expect, facts, misconception, points

SHAPES = ((1, 2, 15, 3), (2, 5, 18, 3), (3, 2, 20, 4))  # B, T, D, H, pairwise different, as is D/H
EDGES = (
    (1, 1, 1, 1), (2, 1, 6, 3), (2, 5, 3, 1), (3, 2, 5, 5), (2, 3, 6, 3), (3, 2, 15, 3), (4, 4, 8, 4), (3, 3, 9, 3),
)  # fmt: skip # T = 1, one head, one channel a head, T = H, B = H, and several at once


def split_up(make, B, T, D, H):
    """What merge_heads gets for these sizes."""
    return make.distinct(B, H, T, D // H)


@points(2)
def test_split(matches_reference, make, dtype):
    """Entry [b, h, t, c] of the split tensor is channel h * D/H + c of token t: each head gets a block of neighbours.

    拆分后的元素 [b, h, t, c] 是第 t 个词元的第 h * D/H + c 个通道：每个头得到一段相邻的通道。
    """
    for B, T, D, H in SHAPES:
        matches_reference.split_heads(make.distinct(B, T, D), H)


@points(2)
def test_merge(matches_reference, make, dtype):
    """Merging puts each token's heads side by side, head 0 first.

    合并时把每个词元的各个头依次并排放好，第 0 个头在最前。
    """
    for sizes in SHAPES:
        matches_reference.merge_heads(split_up(make, *sizes))


@points(0.75)
def test_split_edges(matches_reference, make):
    """Splitting is right for special sizes too: one token, one head, one channel a head, sizes that coincide.

    特殊尺寸下拆分也正确：单个词元、单个头、每头一个通道，以及几个尺寸恰好相等时。
    """
    for B, T, D, H in EDGES:
        matches_reference.split_heads(make.distinct(B, T, D), H)


@points(0.75)
def test_merge_edges(matches_reference, make):
    """Merging is right for special sizes too: one token, one head, one channel a head, sizes that coincide.

    特殊尺寸下合并也正确：单个词元、单个头、每头一个通道，以及几个尺寸恰好相等时。
    """
    for sizes in EDGES:
        matches_reference.merge_heads(split_up(make, *sizes))


@points(0.75)
def test_round_trip(student, matches_reference, make):
    """Merging undoes splitting and splitting undoes merging.

    合并能还原拆分，拆分也能还原合并。
    """
    for B, T, D, H in SHAPES[:2]:
        x, y = make.normal(B, T, D), make.normal(B, H, T, D // H)
        merged = student.merge_heads(student.split_heads(x, H))
        expect(merged == x.cpu(), "merge_heads(split_heads(x)) is not x", "merge_heads(split_heads(x)) 不等于 x")
        split = student.split_heads(student.merge_heads(y), H)
        expect(split == y.cpu(), "split_heads(merge_heads(y)) is not y", "split_heads(merge_heads(y)) 不等于 y")
    matches_reference.split_heads(make.distinct(2, 3, 10), 2)
    matches_reference.merge_heads(make.distinct(2, 4, 3, 5))


@points(0.75)
def test_tokens_apart(student, matches_reference, make):
    """Tokens do not mix: a change of one token stays at that token in every head, and after merging too.

    词元之间互不混合：改动一个词元，只影响各个头中的这个词元，合并之后也一样。
    """
    B, T, D, H = 2, 5, 18, 3
    token = make.integer(1, T - 2)
    others = [t for t in range(T) if t != token]
    x, y = make.distinct(B, T, D), split_up(make, B, T, D, H)
    x_changed, y_changed = x.clone(), y.clone()
    x_changed[:, token] += 500
    y_changed[:, :, token] += 500
    moved = (student.split_heads(x, H) != student.split_heads(x_changed, H))[:, :, others]
    expect(~moved, "splitting moves one token's channels to another token", "拆分把一个词元的通道搬到了别处")
    moved = (student.merge_heads(y) != student.merge_heads(y_changed))[:, others]
    expect(~moved, "merging moves one token's channels to another token", "合并把一个词元的通道搬到了别处")
    matches_reference.split_heads(x, H)
    matches_reference.merge_heads(y)


@points(0.75)
def test_heads_apart(student, matches_reference, make):
    """Head h is the block of channels h * D/H to (h + 1) * D/H - 1: scaling it scales that head and no other.

    第 h 个头就是第 h * D/H 到第 (h + 1) * D/H - 1 个通道这一段：缩放这一段，只有该头随之缩放。
    """
    B, T, D, H = 2, 5, 18, 3
    x = make.distinct(B, T, D)
    factors = torch.tensor([1.0, 2.0, 4.0])
    scaled = student.split_heads(x.cpu() * factors.repeat_interleave(D // H), H)
    same = scaled == student.split_heads(x, H) * factors.reshape(H, 1, 1)
    expect(same, "a head does not hold its own block of channels", "有的头拿到的不是属于自己的那段通道")
    y = split_up(make, B, T, D, H)
    merged = student.merge_heads(y.cpu() * factors.reshape(H, 1, 1))
    same = merged == student.merge_heads(y) * factors.repeat_interleave(D // H)
    expect(same, "merging does not give a head its own block of channels", "合并后，有的头没有落在自己的那段通道里")
    matches_reference.split_heads(x, H)
    matches_reference.merge_heads(y)


@points(0.25)
def test_refuses_remainder(matches_reference, raises_value_error, make):
    """Channels that cannot be divided evenly among the heads are refused with ValueError.

    通道数不能被头数整除时抛出 ValueError。
    """
    matches_reference.split_heads(make.distinct(2, 3, 10), 5)
    for D, H in ((3, 2), (10, 4), (13, 6)):
        raises_value_error.split_heads(make.distinct(2, 3, D), H)


@points(0.25)
def test_refuses_too_many_heads(matches_reference, raises_value_error, make):
    """More heads than channels are refused with ValueError.

    头数多于通道数时抛出 ValueError。
    """
    matches_reference.split_heads(make.distinct(2, 3, 6), 6)
    for D, H in ((1, 2), (6, 8), (5, 10)):
        raises_value_error.split_heads(make.distinct(2, 3, D), H)


@points(0.25)
def test_split_layouts(matches_reference, make):
    """Splitting does not depend on how the input lies in memory.

    拆分的结果与输入在内存中的排布无关。
    """
    matches_reference.split_heads(make.strided(make.normal(2, 5, 18)), 3)
    matches_reference.split_heads(make.normal(5, 18).expand(2, 5, 18), 3)
    matches_reference.split_heads(make.distinct(2, 5, 1).expand(2, 5, 12), 3)
    matches_reference.split_heads(make.distinct(2, 5, 24)[:, :, 3:-3], 3)


@points(0.25)
def test_merge_layouts(matches_reference, make):
    """Merging does not depend on how the input lies in memory; attention often hands over a transposed tensor.

    合并的结果与输入在内存中的排布无关；注意力交来的往往是转置过的张量。
    """
    matches_reference.merge_heads(make.strided(make.normal(2, 3, 5, 6)))
    matches_reference.merge_heads(make.normal(2, 5, 3, 6).transpose(1, 2))
    matches_reference.merge_heads(make.distinct(3, 5, 6).expand(2, 3, 5, 6))
    matches_reference.merge_heads(make.distinct(2, 3, 5, 1).expand(2, 3, 5, 6))


@points(0.5)
@dtypes("float32", "float64")
def test_gradients(matches_gradients, make, dtype):
    """Gradients flow back through splitting and merging to the entry they belong to.

    梯度能穿过拆分与合并，回到对应的元素上。
    """
    matches_gradients.split_heads(make.strided(make.normal(2, 5, 18)), 3)
    matches_gradients.merge_heads(make.strided(make.normal(2, 3, 5, 6)))


@points(0.25)
def test_inputs_unchanged(does_not_mutate, make):
    """The inputs are not changed.

    不修改输入。
    """
    does_not_mutate.split_heads(make.distinct(2, 5, 18), 3)
    does_not_mutate.merge_heads(make.distinct(2, 3, 5, 6))


@points(0.25)
def test_split_device(stays_on_device, make):
    """Splitting stays on the device of the input.

    拆分的结果与输入位于同一设备。
    """
    stays_on_device.split_heads(make.distinct(2, 5, 18), 3)


@points(0.25)
def test_merge_device(stays_on_device, make):
    """Merging stays on the device of the input.

    合并的结果与输入位于同一设备。
    """
    stays_on_device.merge_heads(make.distinct(2, 3, 5, 6))


# Misconceptions. Not here: num_heads = 0 and contiguity, of which the exercise says nothing; a result that shares
# memory with the input, which is honest.


def divided(x, num_heads):
    """B, T, H, D/H."""
    if x.shape[-1] % num_heads:
        raise ValueError("remainder")
    return *x.shape[:2], num_heads, x.shape[-1] // num_heads


def sources(result, x):
    """For each place of the result: the place in x that its value came from, or None."""
    flat = {value: index for index, value in enumerate(x.flatten().tolist())}
    for place in itertools.product(*map(range, result.shape)):
        index = flat.get(float(result[place]))
        yield place, None if index is None else divmod_all(index, x.shape)


def divmod_all(index, shape):
    """The place with the flat index `index`."""
    place = []
    for size in reversed(shape):
        index, position = divmod(index, size)
        place.append(position)
    return tuple(reversed(place))


def first_stray(result, x, due):
    """A sentence on the first entry that came from elsewhere than from `due(place)`."""
    for place, origin in sources(result, x):
        if origin != due(place):
            en = f"holds x{list(origin)}" if origin else "holds nothing of x"
            zh = f"取自 x{list(origin)}" if origin else "不是 x 中的值"
            yield Text(
                f"entry {list(place)} {en}; due is x{list(due(place))}",
                f"位置 {list(place)} {zh}；应取自 x{list(due(place))}",
            )
            return


@facts("split_heads")
def seen_in_split(y, x, num_heads):
    width = x.shape[-1] // num_heads
    yield from first_stray(y, x, lambda place: (place[0], place[2], place[1] * width + place[3]))


@facts("merge_heads")
def seen_in_merge(y, x):
    width = x.shape[-1]
    yield from first_stray(y, x, lambda place: (place[0], place[2] // width, place[1], place[2] % width))


@misconception("split_heads")
def view_directly(x, num_heads):
    """You reshape straight to [B, H, T, D/H]. The shape is right, but entries keep their order in memory, so tokens end
    up inside a single head. Make [B, T, H, D/H] first, then exchange the two middle dimensions.

    直接 reshape 成 [B, H, T, D/H]。形状对了，但元素仍按内存顺序排列，几个词元落进了同一个头。
    应先得到 [B, T, H, D/H]，再交换中间两维。
    """
    B, T, H, Dh = divided(x, num_heads)
    return x.reshape(B, H, T, Dh)


@misconception("split_heads")
def interleaved(x, num_heads):
    """Your heads take every H-th channel. A head is a block of neighbours: D splits as (H, D/H), not as (D/H, H).

    每个头取的是相隔 H 的通道。头应是一段相邻的通道：D 要拆成 (H, D/H)，而不是 (D/H, H)。
    """
    B, T, H, Dh = divided(x, num_heads)
    return x.reshape(B, T, Dh, H).permute(0, 3, 1, 2)


@misconception("split_heads")
def no_transpose(x, num_heads):
    """You stop at [B, T, H, D/H]; attention would then run over heads, not tokens. Exchange the middle dimensions.

    停在了 [B, T, H, D/H]；注意力会在头之间、而不是词元之间进行。还要交换中间两维。
    """
    return x.reshape(divided(x, num_heads))


@misconception("split_heads")
def head_dim_for_num_heads(x, num_heads):
    """You take the second argument for the channels per head. It is the number of heads.

    把第二个参数当成了每个头的通道数。它是头数。
    """
    B, T, H, Dh = divided(x, num_heads)
    return x.reshape(B, T, Dh, H).transpose(1, 2)


@misconception("split_heads")
def truncates_remainder(x, num_heads):
    """When D is not divisible by the number of heads you silently drop the last channels. Raise ValueError.

    D 不能被头数整除时，悄悄丢掉了最后几个通道。应抛出 ValueError。
    """
    B, T, D = x.shape
    Dh = D // num_heads
    return x[..., : num_heads * Dh].reshape(B, T, num_heads, Dh).transpose(1, 2)


@misconception("split_heads")
def no_check(x, num_heads):
    """You leave it to reshape to fail, which raises RuntimeError with a puzzling message. Check first and raise
    ValueError.

    任由 reshape 失败，抛出的是 RuntimeError，信息也难懂。应先检查，再抛出 ValueError。
    """
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


@misconception("split_heads")
def asserts(x, num_heads):
    """You check with assert, which raises AssertionError and is skipped under `python -O`. Raise ValueError.

    用 assert 检查，抛出的是 AssertionError，而且 `python -O` 会跳过它。应抛出 ValueError。
    """
    B, T, D = x.shape
    if D % num_heads:
        raise AssertionError
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


@misconception("split_heads")
def reversed_heads(x, num_heads):
    """Your heads come in reverse order. Head 0 holds the first channels.

    头的顺序反了。第 0 个头应持有最前面的通道。
    """
    return x.reshape(divided(x, num_heads)).transpose(1, 2).flip(1)


@misconception("split_heads")
def heads_into_batch(x, num_heads):
    """You fold the heads into the batch. They have a dimension of their own: [B, H, T, D/H].

    把头并进了批次维。头应自成一维：[B, H, T, D/H]。
    """
    return x.reshape(divided(x, num_heads)).transpose(1, 2).flatten(0, 1)


@misconception("split_heads")
def heads_first(x, num_heads):
    """You put the heads before the batch. The order is batch, heads, tokens, channels.

    把头放在了批次之前。顺序应为：批次、头、词元、通道。
    """
    return x.reshape(divided(x, num_heads)).permute(2, 0, 1, 3)


@misconception("split_heads")
def last_two_swapped(x, num_heads):
    """Your last two dimensions are swapped: after the heads come tokens, then channels.

    最后两维互换了：头之后应是词元，再是通道。
    """
    return x.reshape(divided(x, num_heads)).permute(0, 2, 3, 1)


@misconception("split_heads")
def copies_x_per_head(x, num_heads):
    """Each of your heads gets all D channels. They share them out: D/H channels each.

    每个头都拿到了全部 D 个通道。各头应当平分：每头 D/H 个。
    """
    divided(x, num_heads)
    return x.unsqueeze(1).repeat(1, num_heads, 1, 1)


@misconception("split_heads")
def splits_tokens(x, num_heads):
    """You share out the tokens among the heads. Every head sees all tokens; it is the channels that are split.

    把词元分给了各个头。每个头都要看到所有词元；被拆分的是通道。
    """
    divided(x, num_heads)
    return torch.stack(x[:, : x.shape[1] // num_heads * num_heads].chunk(num_heads, dim=1), dim=1)


@misconception("merge_heads")
def view_without_contiguous(x):
    """You call view on a transposed tensor, whose entries do not lie in that order in memory. Copy it into order first.

    对转置后的张量直接调用 view，而它的元素在内存中并非按这个顺序排列。应先整理成连续的。
    """
    return x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)


@misconception("merge_heads")
def reshape_no_transpose(x):
    """You reshape without bringing tokens before heads again, so one row mixes channels of several tokens.

    没有先把词元换回头之前就 reshape，于是同一行混进了几个词元的通道。
    """
    return x.reshape(x.shape[0], x.shape[2], -1)


@misconception("merge_heads")
def merge_interleaved(x):
    """You put the heads' channels alternately: one of each head in turn. Each head keeps its channels together.

    把各头的通道交错排列，轮流各取一个。每个头的通道应当连在一起。
    """
    return x.permute(0, 2, 3, 1).flatten(2)


@misconception("merge_heads")
def merge_reversed(x):
    """You join the heads in reverse order. Head 0 comes first.

    拼接头的顺序反了。第 0 个头应在最前。
    """
    return x.flip(1).transpose(1, 2).flatten(2)


@misconception("merge_heads")
def mean_heads(x):
    """You average the heads. That leaves D/H channels and loses what the heads saw apart; put them side by side.

    对各头取了平均。这样只剩 D/H 个通道，各头分别看到的信息也丢了；应当并排拼接。
    """
    return x.mean(1)


@misconception("merge_heads")
def sum_heads(x):
    """You add up the heads. That leaves D/H channels; put them side by side.

    把各头相加了。这样只剩 D/H 个通道；应当并排拼接。
    """
    return x.sum(1)


@misconception("merge_heads")
def first_head(x):
    """You return one head only. All of them belong side by side.

    只返回了一个头。应把所有的头并排拼接。
    """
    return x[:, 0]


@misconception("merge_heads")
def concatenates_tokens(x):
    """You concatenate the heads along the tokens. Heads of the same token belong side by side along the channels.

    沿词元维拼接了各头。同一个词元的各头应沿通道维并排。
    """
    return x.flatten(1, 2)


@misconception("merge_heads")
def batch_and_heads_swapped(x):
    """You exchange heads with the batch instead of with the tokens. Count the dimensions: 0 is the batch.

    交换的是头与批次，而不是头与词元。数一数维度：第 0 维是批次。
    """
    return x.transpose(0, 1).flatten(2)


@misconception("split_heads", "merge_heads")
def both_without_transpose():
    """Neither function exchanges heads and tokens. They undo each other, so a round trip looks right, but each head
    holds pieces of several tokens and attention compares the wrong things. Look at where a single entry goes.

    两个函数都没有交换头与词元。它们互为逆运算，来回一趟看不出错，但每个头里混着几个词元的片段，
    注意力比较的对象全错了。看看单个元素被放到了哪里。
    """
    return view_directly.functions["split_heads"], reshape_no_transpose.functions["merge_heads"]


@misconception("split_heads", "merge_heads")
def both_interleaved():
    """Both functions take every H-th channel for a head. They undo each other, so a round trip looks right, but trained
    weights expect each head to be a block of neighbours.

    两个函数都让头取相隔 H 的通道。它们互为逆运算，来回一趟看不出错，但训练好的权重要求每个头是一段相邻的通道。
    """
    return interleaved.functions["split_heads"], merge_interleaved.functions["merge_heads"]


@misconception("split_heads", "merge_heads")
def both_reversed():
    """Both functions count the heads from the end. They undo each other, so a round trip looks right, but head 0 should
    hold the first channels.

    两个函数都从后往前数头。它们互为逆运算，来回一趟看不出错，但第 0 个头应持有最前面的通道。
    """
    return reversed_heads.functions["split_heads"], merge_reversed.functions["merge_heads"]


@misconception("split_heads", "merge_heads")
def detached():
    """Your result is cut off from the input (detach, .data, no_grad or a copy by value), so the model cannot learn
    through it.

    结果与输入断开了（detach、.data、no_grad 或按值复制），模型无法通过它学习。
    """

    def split(x, num_heads):
        return x.detach().reshape(divided(x, num_heads)).transpose(1, 2)

    return split, lambda x: x.detach().transpose(1, 2).flatten(2)


@misconception("split_heads", "merge_heads")
def default_dtype_and_device():
    """You copy into a tensor from torch.zeros or torch.empty, which is float32 on the CPU. The result must keep the
    input's dtype and device.

    把数据填进了 torch.zeros 或 torch.empty 建的张量，它默认是 CPU 上的 float32。结果应保持输入的 dtype 和设备。
    """

    def split(x, num_heads):
        B, T, H, Dh = divided(x, num_heads)
        out = torch.zeros(B, H, T, Dh)
        for h in range(H):
            out[:, h] = x[:, :, h * Dh : (h + 1) * Dh]
        return out

    def merge(x):
        B, H, T, Dh = x.shape
        out = torch.zeros(B, T, H * Dh)
        for h in range(H):
            out[:, :, h * Dh : (h + 1) * Dh] = x[:, h]
        return out

    return split, merge
