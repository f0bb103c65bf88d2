"""A laboratory for RoPE: what do the scores depend on, and why are values left alone?

RoPE turns each query and each key by an angle that grows with its position. Put one and the same query at the
positions 0, 1, 2, ..., one and the same key too, and write down the score of every combination: the table that comes
out is constant along its diagonals. Moving both tokens by the same distance changes nothing; only how far apart they
are, and in which direction, matters. No parameter is learned for this.

Then try what RoPE does not do: rotate the values as well. A score compares two vectors, so their common turn cancels.
A value is compared with nothing; its turn ends up in the output, and the same sentence means something else when it
starts ten positions later. This file stands alone: import nothing from the other exercises.

RoPE 实验室：分数取决于什么，值又为什么不旋转？

RoPE 把每个查询和每个键旋转一个随位置增大的角度。把同一个查询依次放在位置 0、1、2……，同一个键也这样放，
记下每种组合的分数：得到的表沿各条对角线不变。两个词元一起移动同样的距离，分数不变；
起作用的只是两者相距多远、谁在前谁在后。这一切不需要学习任何参数。

然后试试 RoPE 不做的事：把值也旋转。分数是两个向量之间的比较，共同转过的角度会抵消；
而值不与任何东西比较，它转过的角度直接进入输出，于是同一句话晚十个位置开始，含义就变了。
本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def rotate(x: Tensor, positions: Tensor, theta: float = 10000.0) -> Tensor:
    """Turn vectors to their positions, as Llama and MiniMind do.

    Channel i is paired with channel i + Dh/2, for i = 0 ... Dh/2 - 1: the pair is a point (x1, x2) in the plane. At
    position p it is turned by the angle a = p * theta^(-2i / Dh):

        (x1, x2) -> (x1 cos a - x2 sin a, x2 cos a + x1 sin a)

    Args:
        x: vectors [..., T, Dh] of any float dtype.
        positions: where the T vectors stand: whole numbers [T] in any order, at least 0.
        theta: base of the frequencies.

    Returns:
        [..., T, Dh] in the dtype and on the device of x, which is not changed. The angles are computed in float32 at
        least. Gradients flow back to x.

    Raises:
        ValueError: Dh is odd.

    Example:
        rotate(tensor([[1., 0.], [1., 0.], [1., 0.]]), tensor([0, 1, 2]))
            -> [[1.0000, 0.0000], [0.5403, 0.8415], [-0.4161, 0.9093]]
        rotate(tensor([[1., 2., 3., 4.]]), tensor([1])) -> [[-1.9841, 1.9599, 2.4624, 4.0198]]

    像 Llama 和 MiniMind 那样，把向量旋转到各自的位置。

    对 i = 0 …… Dh/2 - 1，第 i 个通道与第 i + Dh/2 个通道配对，这一对是平面上的一个点 (x1, x2)。
    在位置 p，它转过角度 a = p * theta^(-2i / Dh)，公式见上。

    参数：
        x：向量 [..., T, Dh]，任意浮点 dtype。
        positions：这 T 个向量所在的位置：整数 [T]，次序任意，不小于 0。
        theta：频率的底数。

    返回：
        [..., T, Dh]，dtype 和设备与 x 相同；x 不被修改。角度至少以 float32 计算。梯度能够传回 x。

    异常：
        ValueError：Dh 为奇数。

    示例见上文英文部分。
    """
    raise NotImplementedError


def rope_scores(q: Tensor, k: Tensor, length: int, theta: float = 10000.0) -> Tensor:
    """Tabulate the score of one query at every position with one key at every position.

    Args:
        q: the query [Dh].
        k: the key [Dh].
        length: how many positions, 1 or more.
        theta: base of the frequencies.

    Returns:
        [length, length] in the dtype of q: entry (m, n) is the dot product, not scaled, of q turned to position m and
        k turned to position n. Gradients flow back to q and k.

    Raises:
        ValueError: Dh is odd.

    Example:
        rope_scores(tensor([1., 0.]), tensor([0., 1.]), 3)
            -> [[0.0000, -0.8415, -0.9093], [0.8415, 0.0000, -0.8415], [0.9093, 0.8415, 0.0000]]

    列出同一个查询在每个位置、同一个键在每个位置时的分数。

    参数：
        q：查询 [Dh]。
        k：键 [Dh]。
        length：有多少个位置，至少为 1。
        theta：频率的底数。

    返回：
        [length, length]，dtype 与 q 相同：元素 (m, n) 是旋转到位置 m 的 q 与旋转到位置 n 的 k 的点积，不缩放。
        梯度能够传回 q 和 k。

    异常：
        ValueError：Dh 为奇数。

    示例见上文英文部分。
    """
    raise NotImplementedError


def rotated_attention(
    q: Tensor, k: Tensor, v: Tensor, start: int = 0, rotate_values: bool = False, theta: float = 10000.0
) -> Tensor:
    """Attention with RoPE among T tokens that stand at the positions start, start + 1, ..., start + T - 1.

    Every query sees every key; there is no mask. Compare what you get for two values of `start`, with and without
    `rotate_values`.

    Args:
        q: queries [..., T, Dh].
        k: keys [..., T, Dh].
        v: values [..., T, Dv].
        start: the position of the first token.
        rotate_values: whether the values are rotated too, as queries and keys are.
        theta: base of the frequencies.

    Returns:
        softmax(q' k'^T / sqrt(Dh)) v, [..., T, Dv], with q' and k' the rotated queries and keys; v is rotated only if
        that is asked for. Same dtype and device; the inputs are not changed, gradients flow back to them.

    Raises:
        ValueError: Dh is odd, or Dv is odd and the values are to be rotated.

    Example:
        x = tensor([[1., 0.], [0., 1.], [1., 1.]])
        rotated_attention(x, x, x)           -> [[0.8144, 0.3175], [0.6127, 0.8947], [0.6290, 0.9453]]
        rotated_attention(x, x, x, start=10) -> the same
        rotated_attention(x, x, x, start=10, rotate_values=True)
                                             -> [[-0.2051, -0.3300], [0.9993, 0.1003], [1.1179, 0.1484]]

    T 个词元之间带 RoPE 的注意力，它们位于 start、start + 1、……、start + T - 1。

    每个查询都能看见每个键，没有掩码。取两个不同的 `start`，分别在旋转值和不旋转值时比较结果。

    参数：
        q：查询 [..., T, Dh]。
        k：键 [..., T, Dh]。
        v：值 [..., T, Dv]。
        start：第一个词元的位置。
        rotate_values：是否像查询和键那样把值也旋转。
        theta：频率的底数。

    返回：
        softmax(q' k'^T / sqrt(Dh)) v，形状为 [..., T, Dv]，其中 q'、k' 是旋转后的查询和键；只有要求时才旋转 v。
        dtype 和设备不变；输入不被修改，梯度能够传回各个输入。

    异常：
        ValueError：Dh 为奇数；或者要旋转值而 Dv 为奇数。

    示例见上文英文部分。
    """
    raise NotImplementedError
