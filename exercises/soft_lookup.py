"""Soft dictionary lookup.

A dictionary answers a question with one entry: the one whose key matches, and nothing of the others. Attention asks
more softly. Every entry gets a weight that says how well it matches, and the answer is a mix of all values in these
proportions:

    answer = weights[0] * values[0] + weights[1] * values[1] + ... + weights[n - 1] * values[n - 1]

With all weight on one entry this is the old dictionary; with equal weights it is the average; in between it is
something that no entry says alone. And because a mix changes smoothly with its weights, a model can learn which
entries to weigh. Here the weights are given; where they come from is what the next exercises are about.
This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def soft_lookup(weights: Tensor, values: Tensor) -> Tensor:
    """Mix the rows of `values` in the proportions that each row of `weights` gives.

    Args:
        weights: [..., n], one weight an entry; any number of leading dimensions (none, queries, a batch of them, ...).
            They are taken as they are: a row usually sums to 1, but need not.
        values: [n, d], one row an entry, in the dtype of weights (any float dtype).

    Returns:
        [..., d]: for each row of weights one mix of the values; same dtype and device. The inputs are not changed, and
        gradients flow back to both.

    Example:
        values = tensor([[10., 0.], [20., 0.], [30., 1.], [40., 1.]])
        soft_lookup(tensor([0.1, 0.05, 0.8, 0.05]), values)                  -> [28.00, 0.85]
        soft_lookup(tensor([[0., 0., 1., 0.], [0.5, 0.5, 0., 0.]]), values)  -> [[30, 1], [15, 0]]
    """
    raise NotImplementedError
