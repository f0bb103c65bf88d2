"""Softmax along any dimension.

Turn a row of scores (logits) into weights: positive, larger for larger scores, with the sum 1.

    p_i = exp(x_i) / (exp(x_1) + ... + exp(x_n))

The formula is short; the work is in the numbers. exp(1000) does not fit into any dtype of PyTorch, yet a row that
holds 1000 has perfectly good weights. Find out what can be done to a whole row without changing its weights.
`torch.softmax` and its relatives are not allowed here.

沿任意维度的 softmax。

把一行分数（logits）变成权重：全部为正，分数越大权重越大，总和为 1。

    p_i = exp(x_i) / (exp(x_1) + ... + exp(x_n))

公式很短，难点在数值。PyTorch 的任何 dtype 都存不下 exp(1000)，但含有 1000 的一行仍有完全正常的权重。
想一想：对整行做什么样的变换，权重不会改变？本题不允许使用 `torch.softmax` 及其同类函数。
"""

from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """Softmax of the rows that run along `dim`.

    Args:
        x: logits [...], any shape and float dtype, on any device. An entry may be -inf: it gets exactly 0. Each row
            has at least one finite entry.
        dim: the dimension along which the weights sum to 1, counted from the front (0, 1, ...) or the back (-1, ...).

    Returns:
        Weights [...]: shape, dtype and device of x. Logits of 10,000 or -10,000 are no problem. x itself is not
        changed, and gradients flow back to it.

    Example:
        softmax(tensor([2.5, 1.3, 3.7, 0.8]))            -> [0.2082, 0.0627, 0.6911, 0.0380]
        softmax(tensor([[2.5, 1.3], [3.7, 0.8]]), dim=0) -> [[0.2315, 0.6225], [0.7685, 0.3775]]

    对沿 `dim` 方向的每一行计算 softmax。

    参数：
        x：logits [...]，任意形状、任意浮点 dtype、任意设备。元素可以是 -inf，它恰好得到 0。
            每一行至少有一个有限的元素。
        dim：权重沿这一维求和为 1，可从前数（0, 1, ...），也可从后数（-1, ...）。

    返回：
        权重 [...]：形状、dtype 和设备都与 x 相同。logits 为 10,000 或 -10,000 也不成问题。
        x 本身不被修改，梯度能够传回 x。

    示例见上文英文部分。
    """
    raise NotImplementedError
