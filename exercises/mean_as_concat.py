"""Concatenate the heads, or average them?

Multi-head attention puts its heads side by side and multiplies by W_O [H * Dh, D]. Why not simply average the heads
and multiply the mean by a small matrix W [Dh, D]? It would be cheaper, and it would give up something. This exercise
says precisely what: averaging is one special case of concatenating. There is a matrix W_O for which both give the same
output, whatever the heads hold:

    [head_0 | head_1 | ... ] W_O  =  mean(head_0, head_1, ...) W

Find it, and count its rank: the number of directions in which its output can move. A W_O that is learned may have any
rank up to min(H * Dh, D), and may treat every head differently; this one cannot.

把各个头拼接起来，还是取平均？

多头注意力把各个头左右并排，再乘以 W_O [H * Dh, D]。为什么不干脆对各个头取平均，再乘一个小矩阵 W [Dh, D] 呢？
那样更省，但也放弃了一些东西。本练习要准确地说出放弃了什么：取平均只是拼接的一个特例。
存在一个矩阵 W_O，无论各个头里是什么，两种做法的输出都相同：

    [head_0 | head_1 | ... ] W_O  =  mean(head_0, head_1, ...) W

请找出它，并数一数它的秩，也就是输出能够移动的方向数。学习得到的 W_O 的秩可以高达 min(H * Dh, D)，
也可以对每个头区别对待；而这个矩阵做不到。
"""

from torch import Tensor


def mean_as_concat(W: Tensor, num_heads: int) -> tuple[Tensor, int]:
    """The W_O with which concatenated heads give what their mean gives with W.

    Args:
        W: matrix [Dh, D], float32 or float64, used as mean @ W.
        num_heads: number of heads H, 1 or more.

    Returns:
        W_O [H * Dh, D], used as merged @ W_O, in the dtype and on the device of W; and its rank, an int. W may have
        any rank. It is not changed; gradients flow from W_O to it.

    Example: for W = [[2, 4, 6]] (Dh = 1, D = 3) and 2 heads
        -> [[1, 2, 3], [1, 2, 3]] and 1

    求出 W_O，使拼接后的各个头得到的结果，与它们的平均乘以 W 的结果相同。

    参数：
        W：矩阵 [Dh, D]，float32 或 float64，按 mean @ W 使用。
        num_heads：头数 H，至少为 1。

    返回：
        W_O [H * Dh, D]，按 merged @ W_O 使用，dtype 和设备与 W 相同；以及它的秩，类型为 int。
        W 的秩可以是任意值。W 不被修改；梯度从 W_O 传回 W。

    示例见上文英文部分。
    """
    raise NotImplementedError
