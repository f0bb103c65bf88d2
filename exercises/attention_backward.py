"""Attention, backwards: the gradients of q, k and v by hand.

Training needs the gradients of what went in. Autograd finds them, and so do the kernels that are written by hand, as
FlashAttention's; this exercise does it once with nothing but products. Forwards:

    scores  = q k^T / sqrt(Dh)
    weights = softmax(scores), over the visible keys
    output  = weights v

d_x is the gradient of a number L with respect to x: it has the shape of x. Backwards, d_output is given, and each step
hands on what it gets. Two rules suffice. A product C = A B gives d_A = d_C B^T and d_B = A^T d_C. Softmax has a
Jacobian for each row: weight i changes with score j by w_i (1 - w_i) if i = j, and by -w_i w_j if not.

Autograd is not allowed here (no .backward(), no torch.autograd, no torch.func); softmax may be borrowed from PyTorch.
This file stands alone: import nothing from the other exercises.

注意力的反向传播：手算 q、k、v 的梯度。

训练需要各个输入的梯度。自动求导可以求出，FlashAttention 那样手写的算子也要自己求；本练习只用乘法做一遍。前向：

    scores  = q k^T / sqrt(Dh)
    weights = softmax(scores)，沿可见的键
    output  = weights v

d_x 是某个数 L 对 x 的梯度，形状与 x 相同。反向时给定 d_output，每一步把收到的梯度往前传。两条规则就够了：
乘积 C = A B 给出 d_A = d_C B^T 与 d_B = A^T d_C；softmax 的每一行有一个雅可比矩阵：第 i 个权重对第 j 个分数的导数，
i = j 时是 w_i (1 - w_i)，否则是 -w_i w_j。

这里不允许使用自动求导（不能用 .backward()、torch.autograd、torch.func）；softmax 可以直接用 PyTorch 的。
本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def softmax_backward(weights: Tensor, d_weights: Tensor) -> Tensor:
    """From the gradient of weights = softmax(scores) to that of the scores; softmax runs over the last dimension.

    Args:
        weights: what softmax returned, [..., n]; each row sums to 1.
        d_weights: the gradient of the weights, [..., n].

    Returns:
        The gradient of the scores [..., n], in the dtype and on the device of weights. The inputs are not changed.

    Example:
        softmax_backward(tensor([0.25, 0.75]), tensor([1., 0.])) -> [0.1875, -0.1875]
        softmax_backward(tensor([0.2, 0.3, 0.5]), tensor([1., 2., 3.])) -> [-0.2600, -0.0900, 0.3500]

    由 weights = softmax(scores) 的梯度求 scores 的梯度；softmax 沿最后一维进行。

    参数：
        weights：softmax 的结果 [..., n]，每一行之和为 1。
        d_weights：权重的梯度 [..., n]。

    返回：
        分数的梯度 [..., n]，dtype 和设备与 weights 相同。输入不被修改。

    示例见上文英文部分。
    """
    raise NotImplementedError


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, d_output: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """From the gradient of attention's output to those of q, k and v.

    The leading dimensions (...) are the same for q, k, v and d_output: none, a batch, batch and heads, or more.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        d_output: the gradient of the output, [..., T_q, Dv].
        mask: bool with 2 or more dimensions, broadcastable to [..., T_q, T_kv]; True = this query may attend to this
            key. Each row has a True. None: every query sees every key.

    Returns:
        (d_q, d_k, d_v), each in the shape, in the dtype and on the device of q, k and v. A key that no query sees gets
        the gradient 0, and so does its value. The inputs are not changed. Gradients of the results are not asked for.

    Example, with q = [[1, 0]], k = [[1, 0], [0, 1]], v = [[2], [0]], d_output = [[1]]:
        attention_backward(q, k, v, d_output)
            -> d_q [[0.3128, -0.3128]], d_k [[0.3128, 0.0000], [-0.3128, 0.0000]], d_v [[0.6698], [0.3302]]
        attention_backward(q, k, v, d_output, mask=tensor([[True, False]]))
            -> d_q [[0, 0]], d_k [[0, 0], [0, 0]], d_v [[1], [0]]

    由注意力输出的梯度求 q、k、v 的梯度。

    q、k、v 和 d_output 前面的维度（...）相同：可以没有，可以是批次，可以是批次和头，也可以更多。

    参数：
        q：查询 [..., T_q, Dh]。
        k：键 [..., T_kv, Dh]。
        v：值 [..., T_kv, Dv]。
        d_output：输出的梯度 [..., T_q, Dv]。
        mask：bool 张量，至少 2 维，可广播到 [..., T_q, T_kv]；True 表示该查询可以看见该键。
            每一行至少有一个 True。None 表示每个查询都能看见所有键。

    返回：
        (d_q, d_k, d_v)，形状、dtype 和设备分别与 q、k、v 相同。没有任何查询看见的键，它和它的值的梯度都是 0。
        输入不被修改。不要求结果本身还能求梯度。

    示例见上文英文部分。
    """
    raise NotImplementedError
