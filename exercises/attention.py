"""Scaled dot-product attention.

Every query looks for keys that resemble it and takes home a mix of their values:

    scores  = q k^T / sqrt(Dh)      how well each query matches each key
    weights = softmax(scores)       the share that each key gets of a query, 1 in total
    output  = weights v             the values, mixed in these shares

A mask says which keys a query may see at all. A key that it may not see gets no weight, and the visible keys share the
whole. Softmax may be borrowed from PyTorch; its fused attention may not.
"""

from torch import Tensor


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Mix the values by how well queries and keys match.

    The leading dimensions (...) are the same for q, k and v: none, a batch, batch and heads, or more.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        mask: bool with 2 or more dimensions, broadcastable to [..., T_q, T_kv]; True = this query may attend to this
            key. Each row has a True. None: every query sees every key.

    Returns:
        output [..., T_q, Dv] and weights [..., T_q, T_kv], in the dtype and on the device of q. Hidden keys have a
        weight below 1e-6, also in float16, however high their scores; visible scores lie within +-5,000. The inputs are
        not changed; gradients flow from the output to q, k and v.

    Example, with X = [[1, 0], [0, 1], [1, 1]]:
        scaled_dot_product_attention(X, X, X)
            -> output  [[0.8022, 0.5989], [0.5989, 0.8022], [0.7517, 0.7517]]
               weights [[0.4011, 0.1978, 0.4011], [0.1978, 0.4011, 0.4011], [0.2483, 0.2483, 0.5035]]
        scaled_dot_product_attention(X, X, X, mask=tensor([[True, False, False], [True, True, False], [True] * 3]))
            -> output  [[1.0000, 0.0000], [0.3302, 0.6698], [0.7517, 0.7517]]
               weights [[1.0000, 0.0000, 0.0000], [0.3302, 0.6698, 0.0000], [0.2483, 0.2483, 0.5035]]
    """
    raise NotImplementedError
