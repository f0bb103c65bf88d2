"""The score matrix: every query meets every key."""

from torch import Tensor


def attention_scores(q: Tensor, k: Tensor) -> Tensor:
    """scores[i, j] = q_i . k_j, the product q k^T; Vaswani et al. 2017, section 3.2.1, before scaling.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].

    Returns:
        [..., T_q, T_kv].
    """
    return q @ k.transpose(-2, -1)  # [..., T_q, Dh] @ [..., Dh, T_kv] -> [..., T_q, T_kv]
