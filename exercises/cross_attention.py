"""Cross-attention: one sequence asks, another one answers.

A translator at work looks from the sentence that it writes to the sentence that it translates. The queries come from
the first, x; keys and values come from the second, the context:

    Q = x W_Q         K = context W_K         V = context W_V
    output = softmax(Q K^T / sqrt(Dh)) V

Everything else is attention as you know it. There are as many outputs as queries, one for each token of x, whatever the
length of the context, and the two may have different widths. Nothing here is hidden because of its position: the whole
source sentence is there before the first word of the translation is written. Only its padding has to be masked.

Softmax may be borrowed from PyTorch; fused attention may not. This file stands alone: import nothing from other
exercises.

交叉注意力：一个序列提问，另一个序列回答。

翻译时，译者一边写译文，一边回看原文。查询来自译文 x，键和值来自原文，即上下文 context：

    Q = x W_Q         K = context W_K         V = context W_V
    output = softmax(Q K^T / sqrt(Dh)) V

其余部分与你熟悉的注意力完全一样。输出与查询一样多，x 的每个词元得到一个，与上下文的长度无关；两者的宽度也可以不同。
这里没有什么因为位置而被遮住：写下译文的第一个词之前，整句原文就已经在那里了。需要遮住的只有原文中的填充。

softmax 可以直接用 PyTorch 的，融合的注意力函数则不可以。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def cross_attention(
    x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, mask: Tensor | None = None
) -> Tensor:
    """Attention from the tokens of x to those of the context.

    Args:
        x: the tokens that ask [B, T_q, D].
        context: the tokens that answer [B, T_kv, Dc].
        w_q: projection to queries [D, Dh], used as x @ w_q.
        w_k: projection to keys [Dc, Dh].
        w_v: projection to values [Dc, Dv].
        mask: bool with 2 or 3 dimensions, broadcastable to [B, T_q, T_kv]; True = this query may attend to this key.
            For padding in the context it is [B, 1, T_kv]. Each row has a True. None: every query sees all of it.

    Returns:
        [B, T_q, Dv] in the dtype and on the device of x. Hidden keys have a weight below 1e-6, also in float16, however
        high their scores. The inputs are not changed; gradients flow to x, context and the three matrices.

    Example, with w_q = w_k = w_v = torch.eye(2):
        x, context = tensor([[[1., 0.]]]), tensor([[[1., 0.], [0., 1.], [1., 1.]]])
        cross_attention(x, context, w_q, w_k, w_v)                                     -> [[[0.8022, 0.5989]]]
        cross_attention(x, context, w_q, w_k, w_v, mask=tensor([[True, False, True]])) -> [[[1.0000, 0.5000]]]

    从 x 的各个词元到上下文各个词元的注意力。

    参数：
        x：提问的词元，[B, T_q, D]。
        context：回答的词元，[B, T_kv, Dc]。
        w_q：到查询的投影 [D, Dh]，用法是 x @ w_q。
        w_k：到键的投影 [Dc, Dh]。
        w_v：到值的投影 [Dc, Dv]。
        mask：bool 张量，2 或 3 维，可广播到 [B, T_q, T_kv]；True 表示该查询可以关注该键。
            上下文有填充时是 [B, 1, T_kv]。每一行至少有一个 True。None 表示每个查询都能看见整个上下文。

    返回：
        [B, T_q, Dv]，dtype 和设备与 x 相同。被遮住的键无论分数多高，权重都小于 1e-6，float16 也不例外。
        输入都不被修改；梯度传回 x、context 和三个矩阵。

    示例见上文英文部分。
    """
    raise NotImplementedError
