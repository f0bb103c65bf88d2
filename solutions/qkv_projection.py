"""Project to queries, keys and values: three views of each token."""

from torch import Tensor


def qkv_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Q = x W_q, K = x W_k, V = x W_v; Vaswani et al. 2017, section 3.2.2.

    Args:
        x: tokens [..., T, D].
        w_q: [D, Dq].
        w_k: [D, Dk].
        w_v: [D, Dv].

    Returns:
        Q [..., T, Dq], K [..., T, Dk], V [..., T, Dv].
    """
    q = x @ w_q  # [..., T, Dq]
    k = x @ w_k  # [..., T, Dk]
    v = x @ w_v  # [..., T, Dv]
    return q, k, v
