"""Lab 1: attention by hand, from the first number to the last.

Before any matrix is learned, let the tokens speak for themselves: queries, keys and values are all the same, the
tokens x. Three lines are left, and each deserves a look at its numbers:

    scores  = x x^T                        how much each token has in common with each
    weights = softmax(scores / sqrt(d))    what share of its attention a token gives to each, row by row
    output  = weights x                    each token, mixed with those that it attends to

Work it out on paper for [1, 0], [0, 1] and [1, 1] first. Then change the third token to [2, 0] and say, before you
compute, which of its weights will rise. All three results are asked for, the scores as they are before the scaling.
Softmax may be borrowed from PyTorch; its fused attention may not. This file stands alone: import nothing from the
other exercises.

实验 1：手算注意力，从第一个数到最后一个数。

在学习任何矩阵之前，先让词元自己说话：查询、键、值都相同，就是各个词元，即 x。只剩三行，每一行的数都值得细看：

    scores  = x x^T                        每个词元与每个词元有多少共同之处
    weights = softmax(scores / sqrt(d))    每个词元把注意力的多少份额分给各个词元，逐行计算
    output  = weights x                    每个词元与它所关注的词元混合的结果

先用纸笔对 [1, 0]、[0, 1] 和 [1, 1] 算一遍。再把第三个词元改成 [2, 0]，在计算之前先说说它的哪些权重会上升。
三个结果都要返回，其中分数是缩放之前的。softmax 可以直接用 PyTorch 的，融合的注意力函数则不可以。
本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def lab1(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Self-attention without projections: queries = keys = values = x.

    Args:
        x: tokens [T, d], one row a token, any float dtype.

    Returns:
        scores [T, T]: the raw dot products, not scaled.
        weights [T, T]: softmax of each row of scores / sqrt(d).
        output [T, d]: the mixes of tokens.
        All in the dtype and on the device of x. x is not changed; gradients flow back to it from all three.

    Example:
        lab1(tensor([[1., 0.], [0., 1.], [1., 1.]]))
            -> scores  [[1, 0, 1], [0, 1, 1], [1, 1, 2]]
               weights [[0.4011, 0.1978, 0.4011], [0.1978, 0.4011, 0.4011], [0.2483, 0.2483, 0.5035]]
               output  [[0.8022, 0.5989], [0.5989, 0.8022], [0.7517, 0.7517]]

    不带投影的自注意力：查询 = 键 = 值 = x。

    参数：
        x：词元，[T, d]，每行一个，任意浮点 dtype。

    返回：
        scores [T, T]：原始点积，不缩放。
        weights [T, T]：对 scores / sqrt(d) 的每一行做 softmax。
        output [T, d]：各个词元混合的结果。
        dtype 和设备都与 x 相同。x 不被修改；梯度能从三个结果传回 x。

    示例见上文英文部分。
    """
    raise NotImplementedError
