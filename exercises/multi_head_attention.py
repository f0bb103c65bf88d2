"""Multi-head attention as a formula.

One softmax row can follow one pattern only. Multi-head attention runs several patterns side by side: it cuts queries,
keys and values into H blocks of Dh = D / H channels, lets every block attend for itself, and mixes what the blocks
found with one last matrix:

    head_i = attention(block i of x W_Q, block i of x W_K, block i of x W_V)
    output = [head_0 | head_1 | ... ] W_O

Each head takes dot products over Dh channels, so its scores are divided by sqrt(Dh), not by sqrt(D). The matrices do
not change with H, so 8 heads have exactly as many parameters as 1. No head is told what to look for.

Here the four matrices are used as x @ W, and each product gets its bias. Softmax may be borrowed from PyTorch; its
fused attention may not. This file stands alone: import nothing from the other exercises.

由公式写出多头注意力。

一行 softmax 只能表达一种关注方式。多头注意力让若干种方式并排进行：把查询、键、值的通道切成 H 段，
每段 Dh = D / H 个通道，各段各自计算注意力，最后用一个矩阵把各段的结果混合起来：

    head_i = attention(x W_Q 的第 i 段, x W_K 的第 i 段, x W_V 的第 i 段)
    output = [head_0 | head_1 | ... ] W_O

每个头的点积涉及 Dh 个通道，所以分数要除以 sqrt(Dh)，而不是 sqrt(D)。这些矩阵的大小与 H 无关，
因此 8 个头的参数与 1 个头一样多。没有人规定哪个头该看什么。

这里的四个矩阵都按 x @ W 使用，每个乘积再加上各自的偏置。softmax 可以直接用 PyTorch 的，
融合的注意力函数则不可以。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    """Self-attention with several heads, from input tokens to output tokens.

    Args:
        x: tokens [B, T, D].
        W: the matrices W_Q, W_K, W_V, W_O, each [D, D], used as x @ W. Head i owns the columns i * D/H to
            (i + 1) * D/H - 1 of the first three, and the same rows of W_O.
        biases: their biases, each [D]; the last one is added to the output.
        num_heads: number of heads H.
        mask: bool with 2 or 4 dimensions, broadcastable to [B, H, T, T]; True = this query may attend to this key.
            Each row has a True. None: every token sees every token.

    Returns:
        Tensor [B, T, D] in the dtype and on the device of x. Hidden tokens get a weight below 1e-6, also in float16.
        The inputs are not changed; gradients flow to x, to the matrices and to the biases.

    Raises:
        ValueError: D is not divisible by num_heads.

    Example, with x = [[[1, 0], [0, 1], [1, 1]]], all four matrices the identity and all biases 0:
        1 head  -> [[[0.8022, 0.5989], [0.5989, 0.8022], [0.7517, 0.7517]]]
        2 heads -> [[[0.8446, 0.6667], [0.6667, 0.8446], [0.8446, 0.8446]]]

    多个头的自注意力：从输入的各个词元到输出的各个词元。

    参数：
        x：各个词元 [B, T, D]。
        W：矩阵 W_Q、W_K、W_V、W_O，各为 [D, D]，按 x @ W 使用。第 i 个头拥有前三个矩阵的第 i * D/H 到
            (i + 1) * D/H - 1 列，以及 W_O 的相同各行。
        biases：它们的偏置，各为 [D]；最后一个加在输出上。
        num_heads：头数 H。
        mask：bool 张量，2 维或 4 维，可广播到 [B, H, T, T]；True 表示该查询可以看见该键。
            每一行至少有一个 True。None 表示每个词元都能看见所有词元。

    返回：
        形状为 [B, T, D] 的张量，dtype 和设备与 x 相同。被遮住的词元权重小于 1e-6，float16 也不例外。
        输入不被修改；梯度传回 x、各个矩阵和各个偏置。

    异常：
        ValueError：D 不能被 num_heads 整除。

    示例见上文英文部分。
    """
    raise NotImplementedError
