"""From weights back to scores.

Softmax turns scores into weights. Can you go back? A row of weights does not tell which scores it came from: adding
7 to all scores of a row leaves its weights as they are. But it does tell how far apart the scores were, exactly: a
weight four times as large belongs to a score that is higher by one certain number, wherever the two stand in the row.

So any scores will do here whose softmax is the given row. Finding them is also the quickest way to judge weights that
someone prints: do the scores that they claim belong to these weights?
"""

from torch import Tensor


def softmax_inverse(w: Tensor) -> Tensor:
    """Scores whose softmax is w.

    Args:
        w: [n], n weights of any float dtype: each between 0 and 1, together 1 (up to rounding). Some may be 0.

    Returns:
        Scores [n], in the dtype and on the device of w. Adding one constant (within +-100, say) to all of them makes
        no difference; all are right. A weight of 0 belongs to a score of -inf, all other scores are finite.
        w itself is not changed.

    Example, up to a constant:
        softmax_inverse(tensor([0.25, 0.15, 0.60]))  -> [-0.8755, -1.3863, 0.0000]
        softmax_inverse(tensor([0.80, 0.00, 0.20]))  -> [1.3863, -inf, 0.0000]
    """
    raise NotImplementedError
