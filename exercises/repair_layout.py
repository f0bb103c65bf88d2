"""Repair job: rotary attention with its axes mixed up.

A rotation belongs to a position, so the tables of cosines and sines are indexed by position. In the code below queries
and keys are moved to [B, H, T, Dh] before they are rotated, but the tables are spread along the head axis; the values
are left where they were; and the heads are never joined again. As long as there are as many positions as heads nothing
complains, and the answer is silently wrong. Mend the layout. This file stands alone: import nothing from the other
exercises.

修复任务：轴弄乱了的旋转注意力。

旋转取决于位置，所以余弦表和正弦表按位置索引。下面的代码在旋转之前把查询和键变成了 [B, H, T, Dh]，
表却沿着头的轴铺开；值还留在原来的排布；各个头最后也没有合并。只要位置数恰好等于头数，就不会报错，
结果却悄悄地错了。请修好排布。本文件应独立完成，不要从其他练习导入。
"""

import math

import torch
from torch import Tensor


def rotary_attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, cos: Tensor, sin: Tensor
) -> Tensor:
    """Multi-head self-attention with rotary positions; every position sees all.

    Args:
        x: inputs [B, T, D].
        w_q, w_k, w_v, w_o: projections [D, D], applied as x @ w; head h uses channels h * Dh to (h + 1) * Dh - 1.
        num_heads: a divisor of D; Dh = D / num_heads is even.
        cos, sin: tables [T, Dh] in half-split layout; a vector u at position t becomes
            u * cos[t] + rotate_half(u) * sin[t], where rotate_half puts minus the second half before the first.

    Returns:
        [B, T, D], in the dtype and on the device of x. Queries and keys are rotated, values are not.

    带旋转位置编码的多头自注意力；每个位置都能看见全部位置。

    参数：
        x：输入 [B, T, D]。
        w_q、w_k、w_v、w_o：投影 [D, D]，以 x @ w 的方式使用；第 h 个头使用通道 h * Dh 到 (h + 1) * Dh - 1。
        num_heads：整除 D；Dh = D / num_heads 为偶数。
        cos、sin：按前后两半排布的表 [T, Dh]；位置 t 上的向量 u 变成 u * cos[t] + rotate_half(u) * sin[t]，
            其中 rotate_half 把后一半取负放到前一半之前。

    返回：
        [B, T, D]，dtype 和设备与 x 相同。查询和键旋转，值不旋转。
    """
    B, T, D = x.shape
    q, k, v = ((x @ w).view(B, T, num_heads, -1) for w in (w_q, w_k, w_v))
    q, k = q.transpose(1, 2), k.transpose(1, 2)
    half = q.shape[-1] // 2
    q, k = (u * cos[:, None] + torch.cat([-u[..., half:], u[..., :half]], dim=-1) * sin[:, None] for u in (q, k))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(2 * half)).softmax(dim=-1)
    return (weights @ v).reshape(B, T, D)
