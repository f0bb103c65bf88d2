"""Causal mask: who may look at whom when text is generated from left to right.

A language model predicts each token from the tokens before it, so no query may attend to a later key. While it
generates, the keys of earlier tokens wait in a cache and only the newest tokens come as queries: then there are more
keys than queries, and the queries are the last positions.
"""

import torch
from torch import Tensor


def causal_mask(q_len: int, kv_len: int | None = None, device: torch.device | str | None = None) -> Tensor:
    """Build the mask that lets every query attend to its own position and to all positions before it.

    Args:
        q_len: number of queries; they are the last q_len of the kv_len positions.
        kv_len: number of all keys, cached ones included; the same as q_len if it is None.
        device: the device to build the mask on; torch's default if it is None.

    Returns:
        Tensor [q_len, kv_len], dtype bool. Entry (i, j) is True ("may attend") exactly if j <= i + kv_len - q_len.

    Raises:
        ValueError: kv_len is smaller than q_len, or a length is below 1.

    Example:
        causal_mask(3)             causal_mask(2, kv_len=5)
        [[ True, False, False],    [[ True,  True,  True,  True, False],
         [ True,  True, False],     [ True,  True,  True,  True,  True]]
         [ True,  True,  True]]

        Scores [[2.0, 1.0, 0.5], [1.2, 2.1, 0.7], [0.8, 1.3, 2.2]] under the left mask give, after softmax, the weights
        [[1, 0, 0], [0.2891, 0.7109, 0], [0.1492, 0.2459, 0.6049]].
    """
    raise NotImplementedError
