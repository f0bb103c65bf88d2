"""Attention weights are not an explanation.

It is tempting to read a row of attention weights as "how much each token mattered". The output is the weighted sum of
the values, so what a token contributes is its weight times its value, and a large weight on a small value adds little.
Worse, different weights can give the very same output. Here you build both counterexamples yourself; whatever numbers
you choose, the grader computes with them. This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def counterexample() -> tuple[Tensor, Tensor]:
    """Weights and values in which the token with the largest weight matters least.

    Returns:
        weights [n] and values [n, d], real floats, n >= 2. The weights are a row that softmax can give: all positive,
        sum 1. One weight is the largest, by 0.1 at least, and still removing that token (setting its value to 0)
        changes the output weights @ values less than removing any other token does; the others change it by 0.1 at
        least.
    """
    raise NotImplementedError


def twins() -> tuple[Tensor, Tensor, Tensor]:
    """Two different rows of weights that give the same output for the same values.

    Returns:
        w [n], w2 [n] and values [n, d], real floats. Both rows are positive and sum to 1; they differ by 0.1 or more in
        some entry; w @ values equals w2 @ values; and the values are not all the same row (two rows differ by 0.1).
    """
    raise NotImplementedError
