"""Masked softmax, also for rows in which nothing is visible.

A mask takes entries out of the competition: softmax then shares the whole row among the visible ones, as if the hidden
ones did not exist. The usual trick is to lower hidden scores to minus infinity, because exp(-inf) is exactly 0.

The trick has an edge. A sentence that is shorter than the longest of its batch is filled up, and a row may end up with
nothing to look at. Softmax of nothing but -inf is 0 divided by 0: NaN, and one NaN is enough to spoil a whole training
step on its way back through the gradients. Libraries disagree about such a row: some give NaN, some the same weight to
every hidden entry, some zeros. Here it gets zeros: who sees nothing takes nothing home. A large finite number such as
-1e9 in place of -inf is no way out: it makes up weights for such a row, and float16 cannot even hold it.

`torch.softmax` may be used. This file stands alone: import nothing from other exercises.

带掩码的 softmax，包括什么都看不见的行。

掩码让一部分元素退出竞争：softmax 把整行的权重分给可见的元素，就当被遮住的元素不存在。
常用的办法是把被遮住的分数压到负无穷，因为 exp(-inf) 恰好是 0。

这个办法有一处漏洞。句子比同一批中最长的句子短时要填充，于是某一行可能什么都看不见。全是 -inf 的一行做 softmax，
就是 0 除以 0，得到 NaN；而一个 NaN 沿梯度传回去，就足以毁掉一整步训练。各个库对这样的行处理不一：有的给出 NaN，
有的让被遮住的元素平分权重，有的给出 0。本题约定为 0：什么都看不见，就什么都得不到。
用 -1e9 这样有限的大数代替 -inf 并不能解决问题：它会给这样的行凭空造出权重，而且 float16 根本存不下它。

可以使用 `torch.softmax`。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    """Softmax along `dim` over the visible entries only; a row without any is 0.

    Args:
        scores: [...], any shape and float dtype. Visible scores lie within +-5,000; a hidden one may be any finite
            number.
        mask: bool, broadcastable to the shape of scores; True = may attend (visible). A row along `dim` may be hidden
            altogether.
        dim: the dimension along which the weights of a row sum to 1, counted from the front or from the back.

    Returns:
        Weights [...] in the shape, dtype and device of scores. Hidden entries get exactly 0, so a row that is hidden
        altogether is 0 throughout; the visible entries of any other row sum to 1. scores and mask are not changed.
        Gradients flow to the visible scores; those of hidden scores are exactly 0 and never NaN.

    Example:
        scores = tensor([[2.0, 1.0, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]])
        masked_softmax(scores, tensor([[True, False, False], [True, True, False], [False, False, False]]))
            -> [[1.0000, 0.0000, 0.0000], [0.2891, 0.7109, 0.0000], [0.0000, 0.0000, 0.0000]]

    沿 `dim` 只对可见的元素做 softmax；没有可见元素的行为 0。

    参数：
        scores：[...]，任意形状、任意浮点 dtype。可见的分数在 +-5,000 之内；被遮住的分数可以是任何有限的数。
        mask：bool 张量，可广播到 scores 的形状；True 表示可以关注（可见）。沿 `dim` 的一行可以全部被遮住。
        dim：每行的权重沿这一维求和为 1，可从前数，也可从后数。

    返回：
        权重 [...]，形状、dtype 和设备与 scores 相同。被遮住的元素恰好得到 0，因此全部被遮住的行全为 0；
        其他行中可见元素之和为 1。scores 和 mask 都不被修改。
        梯度传回可见的分数；被遮住的分数梯度恰好为 0，绝不是 NaN。

    示例见上文英文部分。
    """
    raise NotImplementedError
