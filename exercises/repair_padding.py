"""Repair job: a padding mask of the wrong shape.

Sentences of different lengths are padded to one length, and a mask tells for each example which positions are real:
[B, T]. The scores of multi-head attention are [B, H, T, T]. Broadcasting lines shapes up from the right, so a mask of
[B, T] or [B, T, T] meets the wrong axes: mostly that raises an error, but with as many examples as positions it hides
query rows, and with as many examples as heads it hides the keys of another example, without a word. Mend it, for both
kinds of mask. This file stands alone: import nothing from the other exercises.

修复任务：形状不对的填充掩码。

长短不一的句子被补齐到同一长度，掩码说明每个样本中哪些位置是真的：[B, T]。多头注意力的分数是 [B, H, T, T]。
广播从右边对齐形状，于是 [B, T] 或 [B, T, T] 的掩码对上了错误的轴：多数时候会报错；但样本数等于位置数时，
它遮住的是查询行，样本数等于头数时，它遮住的是别的样本的键，而且一声不响。请对两种掩码都修好。
本文件应独立完成，不要从其他练习导入。
"""

import math

from torch import Tensor


def padded_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Multi-head attention with a mask for each example.

    Args:
        q, k, v: queries, keys and values [B, H, T, Dh].
        mask: bool, True = may be seen. [B, T]: which keys of each example are real; [B, T, T]: which key
            (last axis) each query (middle axis) of each example may see. Every query sees at least one key. The same
            for all heads.

    Returns:
        [B, H, T, Dh], in the dtype and on the device of q.

    Raises:
        ValueError: the mask has neither 2 nor 3 dimensions.

    每个样本有自己的掩码的多头注意力。

    参数：
        q、k、v：查询、键和值 [B, H, T, Dh]。
        mask：bool 张量，True 表示可以被看见。[B, T]：每个样本中哪些键是真的；
            [B, T, T]：每个样本的每个查询（中间的轴）可以看见哪些键（最后的轴）。每个查询至少能看见一个键。各头相同。

    返回：
        [B, H, T, Dh]，dtype 和设备与 q 相同。

    异常：
        ValueError：掩码既不是 2 维也不是 3 维。
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v
