"""The attention block of a language model: normalise, attend, add.

A model is a stack of blocks, and each one improves the tokens a little instead of replacing them:

    h      = RMSNorm(x)                                          calm numbers for the work
    update = softmax(h W_Q (h W_K)^T / sqrt(Dh)) h W_V W_O       what the tokens have to tell each other
    output = x + update                                          the old token, plus what it learned

The sum is the residual connection. It carries the raw x, not the normalised one, past everything: even if attention
does nothing at all (W_O = 0), the token arrives untouched, and so does its gradient. That the normalisation sits inside
the detour, in front of attention, is called pre-norm; it makes the update independent of how large x is.

Here there is one head, RMSNorm has no weight and eps = 1e-6, and the mask is True where a query may attend. Softmax may
be borrowed from PyTorch; fused attention may not. This file stands alone: write the normalisation here as well.

语言模型里的注意力块：归一化，做注意力，加回去。

模型由许多块叠成，每一块并不替换词元，只是把它改进一点：先归一化 h = RMSNorm(x)，让数值平稳；
再用注意力算出更新量 update = softmax(h W_Q (h W_K)^T / sqrt(Dh)) h W_V W_O，即各个词元要互相告知的内容；
最后 output = x + update：原来的词元，加上它学到的东西。

这个加法就是残差连接。它把未经归一化的 x 原样送到终点：即使注意力什么也不做（W_O = 0），词元也完好无损地到达，
它的梯度也一样。归一化放在这条支路的里面、注意力的前面，叫作 pre-norm（前置归一化）；这样更新量就与 x 的大小无关。

这里只有一个头，RMSNorm 没有 weight，eps = 1e-6；掩码为 True 处，查询可以关注。softmax 可以直接用 PyTorch 的，
融合的注意力函数则不可以。本文件应独立完成：归一化也在这里自己写。
"""

from torch import Tensor


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    """x + Attention(RMSNorm(x)) W_O, with one head.

    Args:
        x: tokens [..., T, D]; any leading dimensions, or none. Entries up to 1,000 in size, also in float16.
        W: the matrices W_Q [D, Dh], W_K [D, Dh], W_V [D, Dv] and W_O [Dv, D], each used as h @ W.
        mask: bool with 2 or more dimensions, broadcastable to [..., T, T]; True = this query may attend to this key.
            Each row has a True. None: every token sees every token.

    Returns:
        [..., T, D] in the dtype and on the device of x. A hidden key has a weight below 1e-6, also in float16. The
        inputs are not changed; gradients flow to x and to all matrices.

    Example, with x = tensor([[1., 0.], [0., 1.], [1., 1.]]) and E = torch.eye(2):
        prenorm_attention_block(x, [E, E, E, E])     -> [[2.0899, 0.5277], [0.5277, 2.0899], [1.8333, 1.8333]]
        prenorm_attention_block(x, [E, E, E, E], mask=torch.ones(3, 3, dtype=torch.bool).tril())
                                                     -> [[2.4142, 0.0000], [0.2766, 2.1376], [1.8333, 1.8333]]
        prenorm_attention_block(x, [E, E, E, 0 * E]) -> x

    x + Attention(RMSNorm(x)) W_O，只有一个头。

    参数：
        x：词元 [..., T, D]；前面可以有任意多个维度，也可以没有。分量大小不超过 1,000，float16 也一样。
        W：矩阵 W_Q [D, Dh]、W_K [D, Dh]、W_V [D, Dv] 和 W_O [Dv, D]，用法都是 h @ W。
        mask：bool 张量，至少 2 维，可广播到 [..., T, T]；True 表示该查询可以关注该键。
            每一行至少有一个 True。None 表示每个词元都能看见所有词元。

    返回：
        [..., T, D]，dtype 和设备与 x 相同。被遮住的键权重小于 1e-6，float16 也不例外。
        输入都不被修改；梯度传回 x 和所有矩阵。

    示例见上文英文部分。
    """
    raise NotImplementedError
