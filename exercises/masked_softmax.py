"""Masked softmax, also for rows in which nothing is visible.

A mask takes entries out of the competition: softmax then shares the whole row among the visible ones, as if the hidden
ones did not exist. The usual trick is to lower hidden scores to minus infinity, because exp(-inf) is exactly 0.

The trick has an edge. A sentence that is shorter than the longest of its batch is filled up, and a row may end up with
nothing to look at. Softmax of nothing but -inf is 0 divided by 0: NaN, and one NaN is enough to spoil a whole training
step on its way back through the gradients. Libraries disagree about such a row: some give NaN, some the same weight to
every hidden entry, some zeros. Here it gets zeros: who sees nothing takes nothing home. A large finite number such as
-1e9 in place of -inf is no way out: it makes up weights for such a row, and float16 cannot even hold it.

`torch.softmax` may be used. This file stands alone: import nothing from other exercises.
"""

from torch import Tensor


def masked_softmax(scores: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    """Softmax along `dim` over the visible entries only; a row without any is 0.

    Args:
        scores: [...], any shape and float dtype. Visible scores lie within +-5,000; a hidden one may be any finite
            number.
        mask: bool, broadcastable to the shape of scores; True = may attend (visible). A row along `dim` may be hidden
            altogether.
        dim: the dimension along which the weights of a row sum to 1, counted from the front or from the back.

    Returns:
        Weights [...] in the shape, dtype and device of scores. Hidden entries get exactly 0, so a row that is hidden
        altogether is 0 throughout; the visible entries of any other row sum to 1. scores and mask are not changed.
        Gradients flow to the visible scores; those of hidden scores are exactly 0 and never NaN.

    Example:
        scores = tensor([[2.0, 1.0, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]])
        masked_softmax(scores, tensor([[True, False, False], [True, True, False], [False, False, False]]))
            -> [[1.0000, 0.0000, 0.0000], [0.2891, 0.7109, 0.0000], [0.0000, 0.0000, 0.0000]]
    """
    raise NotImplementedError
