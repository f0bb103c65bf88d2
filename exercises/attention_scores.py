"""The score matrix.

Attention begins with a question asked of everyone: each query is compared with each key, and the result is a table of
scores with a row for each query and a column for each key. The comparison is the dot product,

    scores[i, j] = q_i . k_j = q_i[0] * k_j[0] + q_i[1] * k_j[1] + ... + q_i[Dh - 1] * k_j[Dh - 1]

large where the two vectors point the same way and are long, 0 where they are at right angles, negative where they
point apart. The raw scores are asked for here: no scaling, no softmax. There may be more keys than queries or fewer;
the table tells rows from columns only if you do. This file stands alone: import nothing from the other exercises.

分数矩阵。

注意力从“逐一比较”开始：每个查询与每个键比较一次，结果是一张分数表，每个查询占一行，每个键占一列。
比较的办法是点积：

    scores[i, j] = q_i . k_j = q_i[0] * k_j[0] + q_i[1] * k_j[1] + ... + q_i[Dh - 1] * k_j[Dh - 1]

两个向量方向一致且较长时，点积大；互相垂直时为 0；方向相反时为负。本题要的是原始分数：不缩放，也不做 softmax。
键的个数可以多于查询，也可以少于查询；行和列各代表什么，要由你来分清。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def attention_scores(q: Tensor, k: Tensor) -> Tensor:
    """The dot product of every query with every key.

    The leading dimensions (...) are the same for q and k: none, a batch, batch and heads, or more. Only queries and
    keys of the same example and head are compared.

    Args:
        q: queries [..., T_q, Dh], any float dtype.
        k: keys [..., T_kv, Dh].

    Returns:
        Scores [..., T_q, T_kv], in the dtype and on the device of q. The inputs are not changed; gradients flow back
        to both.

    Example:
        q = tensor([[1., 0.], [1., 2.]])
        k = tensor([[1., 1.], [0., 3.], [-2., 1.]])
        attention_scores(q, k) -> [[1, 0, -2], [3, 6, 0]]

    求每个查询与每个键的点积。

    q 与 k 前面的维度（...）相同：可以没有，可以是批次，可以是批次和头，也可以更多。
    只有同一样本、同一个头的查询与键才相互比较。

    参数：
        q：查询 [..., T_q, Dh]，任意浮点 dtype。
        k：键 [..., T_kv, Dh]。

    返回：
        分数 [..., T_q, T_kv]，dtype 和设备与 q 相同。输入不被修改，梯度能够传回两个输入。

    示例见上文英文部分。
    """
    raise NotImplementedError
