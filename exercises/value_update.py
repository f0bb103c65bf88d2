"""Heads as a sum: what attention adds to each token.

Many pictures of transformers draw a token as a column: E [d, n] holds n tokens of d channels each, and matrices are
multiplied from the left. In such a picture the pattern A [n, n] of a head is read down a column: column j holds the
shares that token j takes of each token, and sums to 1.

What does one head add to the tokens? It takes a value from each token, mixes the values by its pattern, and turns the
mix into a change of d channels. A full d x d value matrix would be large, so it is built from two narrow ones: `down`
[dk, d] squeezes a token into dk channels, `up` [d, dk] spreads the mix out again. Nothing a head does can leave the dk
directions of its `up`. The changes of all heads are added:

    update = sum over heads of  up (down E A)

Put all `up`s side by side and you have W_O; stack all `down E A` on top of each other and you have the heads, merged.
That is why one last matrix W_O and a sum over heads are the same thing. The residual connection, E + update, is not
part of this exercise.

按头求和：注意力给每个词元加上了什么。

许多讲解 Transformer 的图把一个词元画成一列：E [d, n] 有 n 个词元，每个 d 个通道，矩阵从左边相乘。
在这样的图里，一个头的注意力模式 A [n, n] 要竖着读：第 j 列是第 j 个词元从各个词元那里取的份额，总和为 1。

一个头给词元加上了什么？它从每个词元取出一个值，按模式混合，再把混合的结果变成 d 个通道的改变量。
完整的 d x d 值矩阵太大，所以用两个窄矩阵来构造：down [dk, d] 把词元压缩到 dk 个通道，
up [d, dk] 再把混合的结果展开。一个头无论做什么，都离不开它的 up 的那 dk 个方向。各个头的改变量相加：

    update = 对各个头求和  up (down E A)

把所有的 up 左右并排，就是 W_O；把所有的 down E A 上下叠放，就是合并后的各个头。
所以，最后乘一个矩阵 W_O 与对各个头求和是一回事。残差连接 E + update 不属于本练习。
"""

from torch import Tensor


def value_update(E: Tensor, patterns: list[Tensor], downs: list[Tensor], ups: list[Tensor]) -> Tensor:
    """What all heads together add to the tokens.

    Args:
        E: tokens as columns [d, n].
        patterns: for each head [n, n]; entry [i, j] is the share that token j takes of token i.
        downs: for each head [dk, d].
        ups: for each head [d, dk], in the same order.

    Returns:
        Tensor [d, n] in the dtype and on the device of E. The inputs are not changed; gradients flow to all of them.

    Example, with one head that works on the second channel only:
        E = [[1, 2, 3], [10, 20, 30]], pattern = [[1, 0.5, 0], [0, 0.5, 0], [0, 0, 1]], down = [[0, 1]], up = [[2], [1]]
            -> [[20, 30, 60], [10, 15, 30]]

    所有的头合起来给各个词元加上了什么。

    参数：
        E：各个词元，按列排放 [d, n]。
        patterns：每个头一个 [n, n]；元素 [i, j] 是第 j 个词元从第 i 个词元取的份额。
        downs：每个头一个 [dk, d]。
        ups：每个头一个 [d, dk]，次序相同。

    返回：
        形状为 [d, n] 的张量，dtype 和设备与 E 相同。输入不被修改；梯度传回所有输入。

    示例见上文英文部分，其中唯一的头只处理第二个通道。
    """
    raise NotImplementedError
