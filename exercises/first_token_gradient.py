"""How far the first token reaches.

A recurrent network hands information on step by step: what the first token says must survive every step up to the last.
Attention looks back directly, whatever the distance. You measure the difference: differentiate the last output with
respect to the first input, for both models, and watch how fast the gradient fades as the sequence grows. With random
small weights the recurrent one fades exponentially, the attention one about as 1 / T. (Attention pays for it: every
pair of positions is compared, so time and memory grow with the square of T.)

Autograd does the work: x.requires_grad_(), a scalar, torch.autograd.grad. This file stands alone: import nothing from
the other exercises.

第一个词元能影响多远。

循环网络一步一步地传递信息：第一个词元的内容必须熬过每一步才能到达最后。注意力则直接回看，无论相隔多远。
请你量出这个差别：对两种模型，求最后一个输出对第一个输入的梯度，观察它随序列变长衰减得多快。
在随机的小权重下，循环网络按指数衰减，注意力大约按 1 / T 衰减。（注意力为此付出代价：每一对位置都要比较，
时间和内存随 T 的平方增长。）

可以使用自动求导：x.requires_grad_()、一个标量、torch.autograd.grad。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def rnn_gradient(x: Tensor, w_x: Tensor, w_h: Tensor) -> Tensor:
    """The gradient of the last state of a recurrent network, summed over its entries, with respect to the first input.

    The state starts at zero, and h_t = tanh(x_t @ w_x + h_(t-1) @ w_h) for t = 0 ... T - 1.

    Args:
        x: inputs [T, d].
        w_x: input weights [d, d_h].
        w_h: recurrent weights [d_h, d_h].

    Returns:
        [d]: the derivative of sum(h_(T-1)) with respect to x_0, in the dtype of x. x is not changed: no gradient
            stays in it.

    Example: x = [[0.0], [0.0]], w_x = [[1.0]], w_h = [[0.5]] -> [0.5]

    循环网络最后一个状态各元素之和对第一个输入的梯度。

    状态从零开始，h_t = tanh(x_t @ w_x + h_(t-1) @ w_h)，t = 0 … T - 1。

    参数：
        x：输入 [T, d]。
        w_x：输入权重 [d, d_h]。
        w_h：循环权重 [d_h, d_h]。

    返回：
        [d]：sum(h_(T-1)) 对 x_0 的导数，dtype 与 x 相同。x 不被修改，也不留下梯度。

    示例见上文英文部分。
    """
    raise NotImplementedError


def attention_gradient(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """The same for one head of self-attention: the last position's output, summed, with respect to the first input.

    The last position attends to all T positions: softmax(q_(T-1) k^T / sqrt(d_k)) v with q = x w_q, k = x w_k, v = x
    w_v.

    Args:
        x: inputs [T, d].
        w_q, w_k: projections [d, d_k].
        w_v: projection [d, d_v].

    Returns:
        [d]: the derivative of the sum of the last output with respect to x_0, in the dtype of x. x is not changed: no
            gradient stays in it.

    Example: x = [[0.0], [0.0]], all weights [[1.0]] -> [0.5]

    对一个自注意力头求同样的量：最后一个位置的输出各元素之和对第一个输入的梯度。

    最后一个位置能看见全部 T 个位置：softmax(q_(T-1) k^T / sqrt(d_k)) v，其中 q = x w_q，k = x w_k，v = x w_v。

    参数：
        x：输入 [T, d]。
        w_q、w_k：投影 [d, d_k]。
        w_v：投影 [d, d_v]。

    返回：
        [d]：最后一个输出之和对 x_0 的导数，dtype 与 x 相同。x 不被修改，也不留下梯度。

    示例见上文英文部分。
    """
    raise NotImplementedError
