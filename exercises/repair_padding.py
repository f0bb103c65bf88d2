"""Repair job: a padding mask of the wrong shape.

Sentences of different lengths are padded to one length, and a mask tells for each example which positions are real:
[B, T]. The scores of multi-head attention are [B, H, T, T]. Broadcasting lines shapes up from the right, so a mask of
[B, T] or [B, T, T] meets the wrong axes: mostly that raises an error, but with as many examples as positions it hides
query rows, and with as many examples as heads it hides the keys of another example, without a word. Mend it, for both
kinds of mask. This file stands alone: import nothing from the other exercises.
"""

import math

from torch import Tensor


def padded_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Multi-head attention with a mask for each example.

    Args:
        q, k, v: queries, keys and values [B, H, T, Dh].
        mask: bool, True = may be seen. [B, T]: which keys of each example are real; [B, T, T]: which key
            (last axis) each query (middle axis) of each example may see. Every query sees at least one key. The same
            for all heads.

    Returns:
        [B, H, T, Dh], in the dtype and on the device of q.

    Raises:
        ValueError: the mask has neither 2 nor 3 dimensions.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v
