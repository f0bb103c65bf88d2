"""Scaled dot-product attention.

Every query looks for keys that resemble it and takes home a mix of their values:

    scores  = q k^T / sqrt(Dh)      how well each query matches each key
    weights = softmax(scores)       the share that each key gets of a query, 1 in total
    output  = weights v             the values, mixed in these shares

A mask says which keys a query may see at all. A key that it may not see gets no weight, and the visible keys share the
whole. Softmax may be borrowed from PyTorch; its fused attention may not.

缩放点积注意力。

每个查询寻找与自己相似的键，并取回相应的值按比例混合的结果：

    scores  = q k^T / sqrt(Dh)      每个查询与每个键有多匹配
    weights = softmax(scores)       一个查询分给各个键的份额，总和为 1
    output  = weights v             按这些份额混合的值

掩码规定一个查询究竟能看见哪些键。看不见的键得不到任何权重，全部权重由可见的键分享。
softmax 可以直接用 PyTorch 的，融合的注意力函数则不可以。
"""

from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Mix the values by how well queries and keys match.

    The leading dimensions (...) are the same for q, k and v: none, a batch, batch and heads, or more.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        mask: bool with 2 or more dimensions, broadcastable to [..., T_q, T_kv]; True = this query may attend to this
            key. Each row has a True. None: every query sees every key.

    Returns:
        output [..., T_q, Dv] and weights [..., T_q, T_kv], in the dtype and on the device of q. Hidden keys have a
        weight below 1e-6, also in float16, however high their scores. The inputs are not changed; gradients flow from
        the output to q, k and v.

    Example, with X = [[1, 0], [0, 1], [1, 1]]:
        scaled_dot_product_attention(X, X, X)
            -> output  [[0.8022, 0.5989], [0.5989, 0.8022], [0.7517, 0.7517]]
               weights [[0.4011, 0.1978, 0.4011], [0.1978, 0.4011, 0.4011], [0.2483, 0.2483, 0.5035]]
        scaled_dot_product_attention(X, X, X, mask=tensor([[True, False, False], [True, True, False], [True] * 3]))
            -> output  [[1.0000, 0.0000], [0.3302, 0.6698], [0.7517, 0.7517]]
               weights [[1.0000, 0.0000, 0.0000], [0.3302, 0.6698, 0.0000], [0.2483, 0.2483, 0.5035]]

    按查询与键的匹配程度混合各个值。

    q、k、v 前面的维度（...）相同：可以没有，可以是批次，可以是批次和头，也可以更多。

    参数：
        q：查询 [..., T_q, Dh]。
        k：键 [..., T_kv, Dh]。
        v：值 [..., T_kv, Dv]。
        mask：bool 张量，至少 2 维，可广播到 [..., T_q, T_kv]；True 表示该查询可以看见该键。
            每一行至少有一个 True。None 表示每个查询都能看见所有键。

    返回：
        output [..., T_q, Dv] 和 weights [..., T_q, T_kv]，dtype 和设备与 q 相同。
        被遮住的键无论分数多高，权重都小于 1e-6，float16 也不例外。
        输入不被修改；梯度从 output 传回 q、k 和 v。

    示例见上文英文部分。
    """
    raise NotImplementedError
