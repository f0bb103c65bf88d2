"""Long texts: three ways to compute fewer scores.

Full attention compares every token with every token. Three well-known ways compare less, and so give another output:

A local window with a few global tokens (Longformer): neighbours see each other; the global tokens see all and are seen
by all, so that any two tokens are at most two steps apart. Buckets (Reformer): queries and keys are hashed, and only
those with the same hash are compared. Low rank (Linformer): the keys are mixed down to R by a matrix before they are
compared, and the values likewise, so that there are T * R scores.

There is no causal mask in this exercise. This file stands alone: import nothing from the other exercises.
"""

import torch
from torch import Tensor


def local_global_mask(length: int, window: int, num_global: int, device: torch.device | str | None = None) -> Tensor:
    """Build the mask of a local window with global tokens.

    Args:
        length: number of tokens T.
        window: token i sees the tokens j with |i - j| < window, its own position included, 1 or more.
        num_global: the first num_global tokens see every token and are seen by every token, 0 or more.
        device: the device to build the mask on; torch's default if it is None.

    Returns:
        Tensor [length, length], dtype bool, True = may attend.

    Raises:
        ValueError: length or window is below 1, or num_global is negative or larger than length.

    Example:
        local_global_mask(4, 1, 1)              local_global_mask(4, 2, 0)
        [[ True,  True,  True,  True],          [[ True,  True, False, False],
         [ True,  True, False, False],           [ True,  True,  True, False],
         [ True, False,  True, False],           [False,  True,  True,  True],
         [ True, False, False,  True]]           [False, False,  True,  True]]
    """
    raise NotImplementedError


def bucket_mask(query_buckets: Tensor, key_buckets: Tensor) -> Tensor:
    """Build the mask that lets queries attend to the keys in their own bucket.

    Args:
        query_buckets: the bucket of each query, whole numbers [..., T_q].
        key_buckets: the bucket of each key, whole numbers [..., T_kv], with the same leading dimensions.

    Returns:
        Tensor [..., T_q, T_kv], dtype bool, True = may attend. The inputs are not changed.

    Example:
        bucket_mask(tensor([0, 1]), tensor([1, 0, 1])) -> [[False, True, False], [True, False, True]]
    """
    raise NotImplementedError


def low_rank_attention(q: Tensor, k: Tensor, v: Tensor, mix_k: Tensor, mix_v: Tensor) -> Tensor:
    """Scaled dot-product attention to R mixed keys and values.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        mix_k: [R, T_kv]; row r says how much mixed key r takes from each key.
        mix_v: [R, T_kv]; likewise for the values.

    Returns:
        Output [..., T_q, Dv], in the dtype and on the device of q. The inputs are not changed; gradients flow back to
        all five.

    Example:
        q, k and v = tensor([[1., 0.], [0., 1.], [1., 1.]]); mix = tensor([[1., 0., 1.], [0., 1., 0.]])
        low_rank_attention(q, k, v, mix, mix) -> [[1.6089, 1.0000], [1.0000, 1.0000], [1.6089, 1.0000]]
    """
    raise NotImplementedError
