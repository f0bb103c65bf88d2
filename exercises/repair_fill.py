"""Repair job: minus a billion is not minus infinity.

Hiding a score by writing -1e9 into it is an old habit with two faults. Half precision cannot hold the number, so the
line raises an error there. And a query that may see nothing at all, a padding row for instance, gets equal weights for
everything that is hidden from it, because equally small scores are still equal. Mend both: any float dtype works, and
a row without a visible key gives weights and output of exactly zero, with finite gradients. This file stands alone:
import nothing from the other exercises.

修复任务：负十亿不是负无穷。

往分数里写 -1e9 来遮住它，是个老习惯，却有两处毛病。半精度存不下这个数，在那里会直接报错；
而什么都不该看见的查询（例如填充行），对遮住的一切会得到相等的权重，因为同样小的分数仍然相等。
请把两处都修好：任何浮点 dtype 都能用；没有可见键的行，权重和输出恰好为零，梯度有限。
本文件应独立完成，不要从其他练习导入。
"""

import math

from torch import Tensor


def attention_with_mask(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention in which a query may see no key at all.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        mask: bool, broadcastable to [..., T_q, T_kv]; True = may attend. A row may have no True.

    Returns:
        output [..., T_q, Dv] and weights [..., T_q, T_kv], in the dtype and on the device of q. Hidden keys weigh
        exactly 0; a row without a visible key is 0 in both results, and its gradients are 0, not NaN.

    缩放点积注意力，其中查询可以一个键也看不见。

    参数：
        q：查询 [..., T_q, Dh]。
        k：键 [..., T_kv, Dh]。
        v：值 [..., T_kv, Dv]。
        mask：bool 张量，可广播到 [..., T_q, T_kv]；True 表示可以看见。一行中可以没有 True。

    返回：
        output [..., T_q, Dv] 和 weights [..., T_q, T_kv]，dtype 和设备与 q 相同。被遮住的键权重恰好为 0；
        没有可见键的行，在两个结果中都为 0，其梯度为 0 而不是 NaN。
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(mask == 0, -1e9).softmax(dim=-1)
    return weights @ v, weights
