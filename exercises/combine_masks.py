"""The causal mask and the padding mask in one.

Sentences of a batch have different lengths, yet a tensor is a box: the short ones are filled up with padding, behind
the text (right padding, usual in training) or in front of it (left padding, usual when a batch of prompts is to be
continued). Two rules then decide together what a query may see: a key must not lie in the future, and it must be a
token, not padding.

The result has an axis of size 1 where the heads are, [B, 1, T, T], so that it broadcasts against scores [B, H, T, T].
Without that axis a mask [B, T, T] would be an error, or worse: with B = H it would silently hide heads instead of
examples. Only keys are hidden: what a padded position asks as a query is nobody's business, since no one reads its
answer. With left padding such a query sees nothing at all; a softmax that can stand that is the exercise
masked_softmax.

This file stands alone: import nothing from other exercises.

把因果掩码和填充掩码合二为一。

同一批的句子长短不一，张量却是一个方盒子：短句要用填充补齐，补在正文后面（右填充，训练时常用），或补在正文前面
（左填充，成批续写提示词时常用）。这时一个查询能看见什么，由两条规则共同决定：键不能在未来，而且必须是真正的词元，
不能是填充。

结果在头的位置留一个大小为 1 的轴，即 [B, 1, T, T]，于是可以广播到分数 [B, H, T, T]。如果没有这个轴，
[B, T, T] 的掩码会报错；更糟的是 B = H 时不报错，遮住的却是头而不是样本。被遮住的只有键：
填充位置作为查询问了什么无关紧要，因为没有人读它的答案。左填充时，这样的查询什么也看不见；
能应付这种情况的 softmax 是练习 masked_softmax 的内容。

本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def combine_masks(seq_len: int, lengths: Tensor, padding_side: str = "right") -> Tensor:
    """Which keys each query may attend to: tokens, not padding, and none of the future.

    Args:
        seq_len: T, the number of positions of each example, padding included; 1 or more.
        lengths: [B], int64: how many of them are tokens, 0 to seq_len; the rest is padding.
        padding_side: "right": the tokens come first and the padding follows; "left": the padding comes first.

    Returns:
        bool [B, 1, T, T] on the device of lengths. Entry (b, 0, i, j) is True ("may attend") exactly if j <= i and
        position j of example b is a token. lengths is not changed.

    Raises:
        ValueError: padding_side is neither "right" nor "left".

    Example:
        combine_masks(3, tensor([2]))              combine_masks(3, tensor([2]), padding_side="left")
        [[[[ True, False, False],                  [[[[False, False, False],
           [ True,  True, False],                     [False,  True, False],
           [ True,  True, False]]]]                   [False,  True,  True]]]]

        combine_masks(5, tensor([5, 3])).sum()     -> 27

    每个查询可以关注哪些键：是词元而不是填充，并且不在未来。

    参数：
        seq_len：T，每个样本的位置数，包括填充；至少为 1。
        lengths：[B]，int64：其中有多少个是词元，从 0 到 seq_len；其余是填充。
        padding_side："right" 表示词元在前、填充在后；"left" 表示填充在前。

    返回：
        bool 张量 [B, 1, T, T]，位于 lengths 所在的设备上。当且仅当 j <= i 且样本 b 的位置 j 是词元时，
        元素 (b, 0, i, j) 为 True（可以关注）。lengths 不被修改。

    异常：
        ValueError：padding_side 既不是 "right" 也不是 "left"。

    示例见上文英文部分。
    """
    raise NotImplementedError
