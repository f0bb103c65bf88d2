"""Attention weights are not an explanation.

It is tempting to read a row of attention weights as "how much each token mattered". The output is the weighted sum of
the values, so what a token contributes is its weight times its value, and a large weight on a small value adds little.
Worse, different weights can give the very same output. Here you build both counterexamples yourself; whatever numbers
you choose, the grader computes with them. This file stands alone: import nothing from the other exercises.

注意力权重并不是解释。

人们很容易把一行注意力权重读成“每个词元有多重要”。但输出是值的加权和，一个词元的贡献是权重乘以它的值：
权重再大，值很小，贡献也很小。更糟的是，不同的权重可以给出完全相同的输出。这里请你亲手构造这两个反例；
无论选什么数，评分器都会代入计算。本文件应独立完成，不要从其他练习导入。
"""

from torch import Tensor


def counterexample() -> tuple[Tensor, Tensor]:
    """Weights and values in which the token with the largest weight matters least.

    Returns:
        weights [n] and values [n, d], real floats, n >= 2. The weights are a row that softmax can give: all positive,
        sum 1. One weight is the largest, by 0.1 at least, and still removing that token (setting its value to 0)
        changes the output weights @ values less than removing any other token does; the others change it by 0.1 at
        least.

    一组权重和值，其中权重最大的词元影响最小。

    返回：
        weights [n] 和 values [n, d]，实数浮点张量，n >= 2。权重是 softmax 能够给出的一行：全为正，和为 1。
        最大的权重只有一个，至少比其余的大 0.1；但去掉这个词元（把它的值置 0）对输出 weights @ values 的改变，
        比去掉任何其他词元都小；去掉其他词元时，输出至少改变 0.1。
    """
    raise NotImplementedError


def twins() -> tuple[Tensor, Tensor, Tensor]:
    """Two different rows of weights that give the same output for the same values.

    Returns:
        w [n], w2 [n] and values [n, d], real floats. Both rows are positive and sum to 1; they differ by 0.1 or more in
        some entry; w @ values equals w2 @ values; and the values are not all the same row (two rows differ by 0.1).

    两行不同的权重，对同一组值给出相同的输出。

    返回：
        w [n]、w2 [n] 和 values [n, d]，实数浮点张量。两行都为正且和为 1；至少有一个元素相差 0.1 以上；
        w @ values 等于 w2 @ values；并且各行的值不能全都相同（至少有两行相差 0.1）。
    """
    raise NotImplementedError
