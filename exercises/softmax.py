"""Softmax along any dimension.

Turn a row of scores (logits) into weights: positive, larger for larger scores, with the sum 1.

    p_i = exp(x_i) / (exp(x_1) + ... + exp(x_n))

The formula is short; the work is in the numbers. exp(1000) does not fit into any dtype of PyTorch, yet a row that
holds 1000 has perfectly good weights. Find out what can be done to a whole row without changing its weights.
`torch.softmax` and its relatives are not allowed here.
"""

from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """Softmax of the rows that run along `dim`.

    Args:
        x: logits [...], any shape and float dtype, on any device. An entry may be -inf: it gets exactly 0. Each row
            has at least one finite entry.
        dim: the dimension along which the weights sum to 1, counted from the front (0, 1, ...) or the back (-1, ...).

    Returns:
        Weights [...]: shape, dtype and device of x. Logits of 10,000 or -10,000 are no problem. x itself is not
        changed, and gradients flow back to it.

    Example:
        softmax(tensor([2.5, 1.3, 3.7, 0.8]))            -> [0.2082, 0.0627, 0.6911, 0.0380]
        softmax(tensor([[2.5, 1.3], [3.7, 0.8]]), dim=0) -> [[0.2315, 0.6225], [0.7685, 0.3775]]
    """
    raise NotImplementedError
