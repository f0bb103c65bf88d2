"""Attention in tiles, as FlashAttention does it.

The scores of a text of 100,000 tokens form a square of ten billion numbers, and each is needed for a moment only.
FlashAttention never writes that square down. It walks through the keys block by block and carries three things along
for each query: the largest score m so far, the sum l of e^(score - m), and the sum o of the values with these factors.
When a block brings a larger score, what was summed so far shrinks by e^(old m - new m). At the end the output is o / l.

This is not an approximation: up to rounding the result is that of plain attention, whatever the size of the blocks.
What is saved is memory and, on a GPU, the way to it and back. Here you write the loop in plain PyTorch. softmax and its
relatives are not allowed, and neither is PyTorch's own fused attention. The loop over the queries may be left out:
score [T_q, block] at a time. This file stands alone: import nothing from the other exercises.

像 FlashAttention 那样分块计算注意力。

一段 100,000 个词元的文本，其分数构成一个含一百亿个数的方阵，而每个数只有一瞬间用得上。FlashAttention 从不写下
整个方阵。它一块一块地走过所有的键，为每个查询随身带着三样东西：到目前为止最大的分数 m、各个 e^(分数 - m) 之和 l，
以及用这些因子对各个值求和的 o。遇到更大的分数时，此前的累计要乘以 e^(旧 m - 新 m) 缩小。最后，输出就是 o / l。

这不是近似：无论块有多大，结果都与普通注意力相同，只差舍入。省下的是内存，在 GPU 上还有往返内存的时间。
这里请用普通的 PyTorch 写出这个循环。不允许使用 softmax 及其同类函数，也不允许使用 PyTorch 自带的融合注意力。
查询不必再分块：每次计算 [T_q, block] 的分数即可。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    """Scaled dot-product attention that looks at `block` keys at a time.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh], with the same leading dimensions.
        v: values [..., T_kv, Dv].
        block: keys in a block, 1 or more; the last block may be shorter.
        causal: True: the queries are the last T_q of the T_kv positions, and query i sees the keys j <= i + T_kv - T_q.

    Returns:
        softmax(q k^T / sqrt(Dh)) v, [..., T_q, Dv], in the dtype and on the device of q. Scores within +-5000 do no
        harm. No tensor may be made on the way that has as many entries as the scores would have: neither the scores
        nor a mask of their size; nor are all scores kept in pieces. The inputs are not changed; gradients flow back to
        q, k and v.

    Raises:
        ValueError: block is below 1, or causal with more queries than keys.

    Example:
        x = tensor([[1., 0.], [0., 1.], [1., 1.]])
        flash_attention(x, x, x, 2)              -> [[0.8022, 0.5989], [0.5989, 0.8022], [0.7517, 0.7517]]
        flash_attention(x, x, x, 2, causal=True) -> [[1.0000, 0.0000], [0.3302, 0.6698], [0.7517, 0.7517]]

    每次只看 `block` 个键的缩放点积注意力。

    参数：
        q：查询 [..., T_q, Dh]。
        k：键 [..., T_kv, Dh]，前面的维度相同。
        v：值 [..., T_kv, Dv]。
        block：一块中键的个数，至少为 1；最后一块可以较短。
        causal：True 表示查询是 T_kv 个位置中的最后 T_q 个，查询 i 能看见 j <= i + T_kv - T_q 的键。

    返回：
        softmax(q k^T / sqrt(Dh)) v，形状为 [..., T_q, Dv]，dtype 和设备与 q 相同。分数在 +-5000 之内都不成问题。
        途中不得产生元素与全部分数一样多的张量：既不能有全部分数，也不能有同样大的掩码；也不得把全部分数分块留存。
        输入不被修改；梯度能够传回 q、k 和 v。

    异常：
        ValueError：block 小于 1；或者 causal 为 True 而查询多于键。

    示例见上文英文部分。
    """
    raise NotImplementedError
