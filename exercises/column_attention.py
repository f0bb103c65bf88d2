"""Two pictures of one formula: tokens as rows, tokens as columns.

Programs write a token as a row: X is [T, D], a projection is X W, scores are Q K^T, and each row of the weights
belongs to a query. Mathematicians (and the well-known animations) write it as a column: X is [D, T], a projection is
W X, scores are K^T Q, and each column belongs to a query. Both are the same computation, transposed:

                  rows                      columns
    projection    X W_Q           [T, Dh]   W_Q X           [Dh, T]
    scores        Q K^T           [T, T]    K^T Q           [T, T]
    entry (i, j)  query i, key j            key i, query j
    sums to 1     each row                  each column
    output        weights V       [T, Dv]   V weights       [Dv, T]

Whoever mixes the two gets no error, only wrong numbers: the scores are square either way. Take care above all of the
future: it is one triangle in one picture and the other triangle in the other.

Masks have two pictures as well. In this course, as in F.scaled_dot_product_attention, True means "may attend". In
nn.MultiheadAttention it means "may not attend". to_mha_mask translates.

Softmax may be borrowed from PyTorch; fused attention may not. This file stands alone: import nothing from other
exercises.

同一个公式的两种画法：词元写成行，词元写成列。

程序把词元写成行：X 是 [T, D]，投影是 X W，分数是 Q K^T，权重的每一行属于一个查询。数学家（以及那些著名的动画）
把它写成列：X 是 [D, T]，投影是 W X，分数是 K^T Q，每一列属于一个查询。两者是同一个计算，互为转置；对照表见上。

把两种画法混用不会报错，只会得到错误的数：分数怎样写都是方阵。尤其要当心未来：它在一种画法里是这个三角，
在另一种画法里就是另一个三角。

掩码也有两种画法。在本课程和 F.scaled_dot_product_attention 里，True 表示“可以关注”；
在 nn.MultiheadAttention 里，True 表示“不可以关注”。to_mha_mask 负责翻译。

softmax 可以直接用 PyTorch 的，融合的注意力函数则不可以。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def column_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, causal: bool = False) -> Tensor:
    """Scaled dot-product self-attention of tokens that are columns.

    Args:
        x: one token a column [D, T].
        w_q: projection to queries [Dh, D], used as w_q x.
        w_k: projection to keys [Dh, D].
        w_v: projection to values [Dv, D].
        causal: whether a query may attend only to itself and to tokens before it.

    Returns:
        [Dv, T]: column t is the mix of all values that query t asks for. Dtype and device of x; nothing is changed,
        and gradients flow to x and to the three matrices.

    Example:
        x = tensor([[1., 0., 1.], [0., 1., 1.]])   three tokens: (1, 0), (0, 1) and (1, 1)
        w = torch.eye(2)
        column_attention(x, w, w, w)              -> [[0.8022, 0.5989, 0.7517], [0.5989, 0.8022, 0.7517]]
        column_attention(x, w, w, w, causal=True) -> [[1.0000, 0.3302, 0.7517], [0.0000, 0.6698, 0.7517]]

    词元为列时的缩放点积自注意力。

    参数：
        x：每列一个词元，[D, T]。
        w_q：到查询的投影 [Dh, D]，用法是 w_q x。
        w_k：到键的投影 [Dh, D]。
        w_v：到值的投影 [Dv, D]。
        causal：查询是否只能关注自己和它之前的词元。

    返回：
        [Dv, T]：第 t 列是查询 t 所要的、由所有值混合而成的结果。dtype 和设备与 x 相同；
        输入都不被修改，梯度传回 x 和三个矩阵。

    示例见上文英文部分。
    """
    raise NotImplementedError


def to_mha_mask(mask: Tensor) -> Tensor:
    """Translate a mask of this course for the argument attn_mask of torch.nn.MultiheadAttention.

    That argument is a bool tensor in which True means "may not attend", and its shape is [T_q, T_kv] for all examples
    and heads alike, or [B * H, T_q, T_kv]: first all heads of example 0, then all heads of example 1, and so on.

    Args:
        mask: bool [T_q, T_kv] or [B, H, T_q, T_kv]; True = may attend.

    Returns:
        bool [T_q, T_kv] or [B * H, T_q, T_kv], on the device of mask; True = may not attend. mask is not changed.

    Example:
        to_mha_mask(tensor([[True, False], [True, True]])) -> [[False, True], [False, False]]

    把本课程的掩码翻译成 torch.nn.MultiheadAttention 的参数 attn_mask。

    该参数是 bool 张量，True 表示“不可以关注”；形状为 [T_q, T_kv]，所有样本和头共用，或为 [B * H, T_q, T_kv]：
    先是样本 0 的所有头，再是样本 1 的所有头，依此类推。

    参数：
        mask：bool 张量 [T_q, T_kv] 或 [B, H, T_q, T_kv]；True 表示可以关注。

    返回：
        bool 张量 [T_q, T_kv] 或 [B * H, T_q, T_kv]，位于 mask 所在的设备上；True 表示不可以关注。mask 不被修改。

    示例见上文英文部分。
    """
    raise NotImplementedError
