"""Grouped-query attention (GQA).

While a language model writes, it keeps the keys and values of everything so far in memory. GQA makes that memory
smaller: there are fewer key and value heads than query heads, and a run of neighbouring query heads shares one. With 8
query heads and 2 key and value heads (as in MiniMind), query heads 0 to 3 use head 0 and query heads 4 to 7 use head 1;
query head 5, for example, uses head 5 // (8 / 2) = 1.

The simplest way is to repeat each key and value head until there are as many as query heads, and to attend as usual.
Softmax may be borrowed from PyTorch; its fused attention may not. This file stands alone: import nothing from the
other exercises.

分组查询注意力（GQA）。

语言模型在生成时，要把此前所有位置的键和值保存在内存里。GQA 让这份内存变小：键值头比查询头少，
相邻的若干个查询头共用一个键值头。有 8 个查询头、2 个键值头时（MiniMind 即如此），
查询头 0 到 3 使用第 0 个键值头，查询头 4 到 7 使用第 1 个；例如查询头 5 使用的是第 5 // (8 / 2) = 1 个。

最简单的做法是：把每个键头和值头重复若干次，直到与查询头一样多，然后照常计算注意力。
softmax 可以直接用 PyTorch 的，融合的注意力函数则不可以。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    """Repeat every head n_rep times, copies next to each other.

    Args:
        x: key or value heads [B, H_kv, T, Dh].
        n_rep: how many query heads share one of them, 1 or more.

    Returns:
        [B, H_kv * n_rep, T, Dh]: for heads h0, h1 and n_rep = 2 the order is h0, h0, h1, h1. Same dtype and device;
        x is not changed, and gradients flow back to it.

    Example:
        x = tensor([10., 20.]).reshape(1, 2, 1, 1)   two heads, one entry each
        repeat_kv(x, 4).flatten()                    -> [10, 10, 10, 10, 20, 20, 20, 20]

    把每个头重复 n_rep 次，副本彼此相邻。

    参数：
        x：键头或值头 [B, H_kv, T, Dh]。
        n_rep：多少个查询头共用其中一个头，至少为 1。

    返回：
        [B, H_kv * n_rep, T, Dh]：头为 h0、h1 且 n_rep = 2 时，次序为 h0、h0、h1、h1。
        dtype 和设备不变；x 不被修改，梯度能够传回 x。

    示例见上文英文部分。
    """
    raise NotImplementedError


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention in which query head h uses key and value head h // (H / H_kv).

    Args:
        q: queries [B, H, T_q, Dh].
        k: keys [B, H_kv, T_kv, Dh].
        v: values [B, H_kv, T_kv, Dv].
        mask: bool with 2 to 4 dimensions, broadcastable to [B, H, T_q, T_kv]; True = this query may attend to this
            key. Each row has a True. None: every query sees every key.

    Returns:
        output [B, H, T_q, Dv] and weights [B, H, T_q, T_kv], in the dtype and on the device of q. Hidden keys have a
        weight below 1e-6. The inputs are not changed; gradients flow from the output to q, k and v.

    Raises:
        ValueError: H is not a multiple of H_kv.

    Example, two query heads that share one key and value head:
        q = tensor([[1., 0.], [1., 1.]]).reshape(1, 2, 1, 2)
        k = v = tensor([[1., 0.], [0., 1.], [1., 1.]]).reshape(1, 1, 3, 2)
        grouped_query_attention(q, k, v)
            -> output  [[[[0.8022, 0.5989]], [[0.7517, 0.7517]]]]
               weights [[[[0.4011, 0.1978, 0.4011]], [[0.2483, 0.2483, 0.5035]]]]

    缩放点积注意力，其中查询头 h 使用第 h // (H / H_kv) 个键值头。

    参数：
        q：查询 [B, H, T_q, Dh]。
        k：键 [B, H_kv, T_kv, Dh]。
        v：值 [B, H_kv, T_kv, Dv]。
        mask：bool 张量，2 到 4 维，可广播到 [B, H, T_q, T_kv]；True 表示该查询可以看见该键。
            每一行至少有一个 True。None 表示每个查询都能看见所有键。

    返回：
        output [B, H, T_q, Dv] 和 weights [B, H, T_q, T_kv]，dtype 和设备与 q 相同。
        被遮住的键权重小于 1e-6。输入不被修改；梯度从 output 传回 q、k 和 v。

    异常：
        ValueError：H 不是 H_kv 的整数倍。

    示例见上文英文部分。
    """
    raise NotImplementedError
