"""Repair job: a multi-head attention that never looks at its mask.

The code below runs, prints plausible numbers and has been copied many times. It has two faults: the mask is accepted
and ignored, so a causal model trained with it sees the future; and a width that num_heads does not divide is cut
without a word, until something fails much later. Find both and fix them; the rest is right. This file stands alone:
import nothing from the other exercises.
"""

import math

from torch import Tensor


def masked_multi_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, mask: Tensor | None = None
) -> Tensor:
    """Multi-head self-attention with a mask.

    Args:
        x: inputs [B, T, D].
        w_q, w_k, w_v, w_o: projections [D, D], applied as x @ w; head h uses channels h * Dh to (h + 1) * Dh - 1.
        num_heads: how many heads, a divisor of D.
        mask: bool, broadcastable to [B, num_heads, T, T]; True = may attend. Each row has a True. None: all visible.

    Returns:
        [B, T, D], in the dtype and on the device of x.

    Raises:
        ValueError: num_heads does not divide D.
    """
    B, T, D = x.shape
    head_dim = D // num_heads
    q, k, v = ((x @ w)[..., : num_heads * head_dim].view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
    weights = scores.softmax(dim=-1)
    merged = (weights @ v).transpose(1, 2).reshape(B, T, -1)
    return merged @ w_o[: num_heads * head_dim]
