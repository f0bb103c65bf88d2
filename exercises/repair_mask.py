"""Repair job: a multi-head attention that never looks at its mask.

The code below runs, prints plausible numbers and has been copied many times. It has two faults: the mask is accepted
and ignored, so a causal model trained with it sees the future; and a width that num_heads does not divide is cut
without a word, until something fails much later. Find both and mend them; the rest is right. This file stands alone:
import nothing from the other exercises.

修复任务：从不看掩码的多头注意力。

下面的代码能运行，输出看起来合理，也被抄过许多遍。它有两处毛病：接收了掩码却从不使用，
用它训练因果模型就会看到未来；宽度不能被 num_heads 整除时一声不响地截断，直到很久以后才出错。
请找出并修好这两处；其余部分是对的。本文件应独立完成，不要从其他练习导入。
"""

import math

from torch import Tensor


def masked_multi_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, mask: Tensor | None = None
) -> Tensor:
    """Multi-head self-attention with a mask.

    Args:
        x: inputs [B, T, D].
        w_q, w_k, w_v, w_o: projections [D, D], applied as x @ w; head h uses channels h * Dh to (h + 1) * Dh - 1.
        num_heads: how many heads, a divisor of D.
        mask: bool, broadcastable to [B, num_heads, T, T]; True = may attend. Each row has a True. None: all visible.

    Returns:
        [B, T, D], in the dtype and on the device of x.

    Raises:
        ValueError: num_heads does not divide D.

    带掩码的多头自注意力。

    参数：
        x：输入 [B, T, D]。
        w_q、w_k、w_v、w_o：投影 [D, D]，以 x @ w 的方式使用；第 h 个头使用通道 h * Dh 到 (h + 1) * Dh - 1。
        num_heads：头的个数，应整除 D。
        mask：bool 张量，可广播到 [B, num_heads, T, T]；True 表示可以看见。每行至少一个 True。None 表示全部可见。

    返回：
        [B, T, D]，dtype 和设备与 x 相同。

    异常：
        ValueError：num_heads 不能整除 D。
    """
    B, T, D = x.shape
    head_dim = D // num_heads
    q, k, v = ((x @ w)[..., : num_heads * head_dim].view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
    weights = scores.softmax(dim=-1)
    merged = (weights @ v).transpose(1, 2).reshape(B, T, -1)
    return merged @ w_o[: num_heads * head_dim]
