"""Project to queries, keys and values.

In Lab 1 a token was its own query, key and value. A model learns three views of it instead: what it is looking for,
what it can be found by, and what it hands on. Each view is one matrix, the same for all tokens:

    Q = x W_q        K = x W_k        V = x W_v

Row t of x goes in, row t of Q, K and V comes out; no token meets another here. The matrices need not be square: values
may be wider or narrower than keys, and with shared key and value heads (GQA) keys are narrower than queries. Mind one
convention: here a matrix is multiplied from the right, x W, with shape [in, out], while `nn.Linear` stores its weight
as [out, in] and computes x W^T. This file stands alone: import nothing from the other exercises.

投影出查询、键和值。

在实验 1 中，词元自己就是查询、键和值。模型则为它学习三个视角：它在找什么、凭什么被找到、被选中后交出什么。
每个视角是一个矩阵，所有词元共用：

    Q = x W_q        K = x W_k        V = x W_v

x 的第 t 行进去，Q、K、V 的第 t 行出来；在这一步，词元之间互不相干。矩阵不必是方阵：值可以比键宽，也可以比键窄；
共用键值头（GQA）时，键比查询窄。注意一个约定：这里矩阵从右边相乘，即 x W，形状为 [输入, 输出]；
而 `nn.Linear` 把权重存成 [输出, 输入]，计算的是 x W^T。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def qkv_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The three views of every token.

    Args:
        x: tokens [..., T, D], any number of leading dimensions, any float dtype.
        w_q: [D, Dq], makes queries.
        w_k: [D, Dk], makes keys.
        w_v: [D, Dv], makes values. Dq, Dk and Dv may differ.

    Returns:
        Q [..., T, Dq], K [..., T, Dk] and V [..., T, Dv], in this order, in the dtype and on the device of x. The
        inputs are not changed; gradients flow back to all four.

    Example, Lab 1B:
        x = tensor([[1., 0.], [0., 1.], [1., 1.]])
        qkv_projection(x, tensor([[1., 0.5], [0., 1.]]), tensor([[0.5, 1.], [1., 0.]]), tensor([[1., -0.5], [0.5, 1.]]))
            -> Q [[1.0, 0.5], [0.0, 1.0], [1.0, 1.5]]
               K [[0.5, 1.0], [1.0, 0.0], [1.5, 1.0]]
               V [[1.0, -0.5], [0.5, 1.0], [1.5, 0.5]]

    每个词元的三个视角。

    参数：
        x：词元，[..., T, D]，前面可以有任意多个维度，任意浮点 dtype。
        w_q：[D, Dq]，用于得到查询。
        w_k：[D, Dk]，用于得到键。
        w_v：[D, Dv]，用于得到值。Dq、Dk 和 Dv 可以各不相同。

    返回：
        依次为 Q [..., T, Dq]、K [..., T, Dk] 和 V [..., T, Dv]，dtype 和设备与 x 相同。
        输入不被修改；梯度能够传回全部四个输入。

    示例见上文英文部分。
    """
    raise NotImplementedError
