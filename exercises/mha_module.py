"""Multi-head attention as a module.

A model keeps its matrices in a module, so that they can be trained, saved and moved to a GPU together. This module
does what nn.MultiheadAttention does for self-attention: with the same weights both give the same output. Five things
differ, and each has cost somebody a day:

- nn.Linear stores its weight as [out, in] and computes x @ weight.T + bias.
- nn.MultiheadAttention keeps the weights of w_q, w_k and w_v in one matrix, in_proj_weight, stacked by rows.
- Its attn_mask is the other way round: there True means hidden. Here True means: may attend.
- It returns the mean of the heads' weights [B, T, T]. Here every head's weights are returned: [B, H, T, T].
- Its inputs are [T, B, D] unless it is made with batch_first=True. Here they are always [B, T, D].

The parameters' names are part of the task: a saved state_dict fits only a module that uses the same ones. Softmax may
be borrowed from PyTorch; its fused attention may not. This file stands alone: import nothing from the other exercises.

模块形式的多头注意力。

模型把矩阵放在模块里，以便一起训练、保存和搬到 GPU 上。这个模块做的是 nn.MultiheadAttention 的自注意力：
权重相同时，两者输出相同。有五处不同，每一处都曾让人白费一天：

- nn.Linear 的权重按 [out, in] 存储，计算的是 x @ weight.T + bias。
- nn.MultiheadAttention 把 w_q、w_k、w_v 的权重按行叠成一个矩阵 in_proj_weight。
- 它的 attn_mask 含义相反：那里 True 表示遮住。这里 True 表示可以看见。
- 它返回各个头权重的平均 [B, T, T]。这里返回每个头的权重：[B, H, T, T]。
- 它的输入是 [T, B, D]，除非创建时写明 batch_first=True。这里总是 [B, T, D]。

参数的名称也是要求的一部分：保存下来的 state_dict 只适用于名称相同的模块。softmax 可以直接用 PyTorch 的，
融合的注意力函数则不可以。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Self-attention with num_heads heads of d_model / num_heads channels each.

    Its parameters are those of four nn.Linear(d_model, d_model), named w_q, w_k, w_v and w_o, and no others: the keys
    of its state_dict are w_q.weight, w_q.bias, ..., w_o.bias, or only the four weights if bias is False.

    Raises:
        ValueError: d_model is not divisible by num_heads; when the module is made.

    Example, with MultiHeadAttention(2, 2, bias=False), all four weights the identity:
        x [[[1, 0], [0, 1], [1, 1]]]
            -> output  [[[0.8446, 0.6667], [0.6667, 0.8446], [0.8446, 0.8446]]]
               weights [[[[0.4223, 0.1554, 0.4223], [0.3333, 0.3333, 0.3333], [0.4223, 0.1554, 0.4223]],
                         [[0.3333, 0.3333, 0.3333], [0.1554, 0.4223, 0.4223], [0.1554, 0.4223, 0.4223]]]]

    自注意力：num_heads 个头，每个头有 d_model / num_heads 个通道。

    它的参数就是四个 nn.Linear(d_model, d_model) 的参数，依次名为 w_q、w_k、w_v、w_o，此外没有别的：
    state_dict 的键为 w_q.weight、w_q.bias……w_o.bias；bias 为 False 时只有四个 weight。

    异常：
        ValueError：d_model 不能被 num_heads 整除；在创建模块时抛出。

    示例见上文英文部分。
    """

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        """Make the four layers; the order of the arguments and their names are fixed.

        创建四个线性层；参数的次序和名称是固定的。
        """
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Let the tokens attend to each other.

        Args:
            x: tokens [B, T, d_model].
            mask: bool, True = this query may attend to this key: [T, T] for all, [B, T, T] with one for each example,
                or 4 dimensions, broadcastable to [B, H, T, T]. Each row has a True. None: every token sees every token.

        Returns:
            output [B, T, d_model] and the weights of every head [B, H, T, T], in the dtype and on the device of x.
            Hidden tokens have a weight below 1e-6, also in float16. Nothing is kept from one call to the next, and
            training mode changes nothing. Gradients flow from the output to x and to all parameters.

        让各个词元互相注意。

        参数：
            x：各个词元 [B, T, d_model]。
            mask：bool 张量，True 表示该查询可以看见该键：[T, T] 供所有样本共用；[B, T, T] 每个样本一份；
                或者 4 维，可广播到 [B, H, T, T]。每一行至少有一个 True。None 表示每个词元都能看见所有词元。

        返回：
            output [B, T, d_model] 和每个头的权重 [B, H, T, T]，dtype 和设备与 x 相同。
            被遮住的词元权重小于 1e-6，float16 也不例外。一次调用不会给下一次留下任何东西，训练模式也不改变结果。
            梯度从 output 传回 x 和所有参数。
        """
        raise NotImplementedError
