"""Repair job: minus a billion is not minus infinity.

Hiding a score by writing -1e9 into it is an old habit with two faults. Half precision cannot hold the number, so the
line raises an error there. And a query that may see nothing at all, a padding row for instance, gets equal weights for
everything that is hidden from it, because equally small scores are still equal. Mend both: any float dtype works, and
a row without a visible key gives weights and output of exactly zero, with finite gradients. This file stands alone:
import nothing from the other exercises.
"""

import math

from torch import Tensor


def attention_with_mask(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention in which a query may see no key at all.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        mask: bool, broadcastable to [..., T_q, T_kv]; True = may attend. A row may have no True.

    Returns:
        output [..., T_q, Dv] and weights [..., T_q, T_kv], in the dtype and on the device of q. Hidden keys weigh
        exactly 0; a row without a visible key is 0 in both results, and its gradients are 0, not NaN.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(mask == 0, -1e9).softmax(dim=-1)
    return weights @ v, weights
