"""Grouped-query attention (GQA).

At inference a language model keeps the keys and values of everything so far in memory. GQA makes that memory
smaller: there are fewer key and value heads than query heads, and a run of neighbouring query heads shares one. With 8
query heads and 2 key and value heads (as in MiniMind), query heads 0 to 3 use head 0 and query heads 4 to 7 use head 1;
query head 5, for example, uses head 5 // (8 / 2) = 1.

The simplest way is to repeat each key and value head until there are as many as query heads, and to attend as usual.
Softmax may be borrowed from PyTorch; its fused attention may not. This file stands alone: import nothing from the
other exercises.
"""

from torch import Tensor


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    """Repeat every head n_rep times, copies next to each other.

    Args:
        x: key or value heads [B, H_kv, T, Dh].
        n_rep: how many query heads share one of them, 1 or more.

    Returns:
        [B, H_kv * n_rep, T, Dh]: for heads h0, h1 and n_rep = 2 the order is h0, h0, h1, h1. Same dtype and device;
        x is not changed, and gradients flow back to it.

    Example:
        x = tensor([10., 20.]).reshape(1, 2, 1, 1)   two heads, one entry each
        repeat_kv(x, 4).flatten()                    -> [10, 10, 10, 10, 20, 20, 20, 20]
    """
    raise NotImplementedError


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention in which query head h uses key and value head h // (H / H_kv).

    Args:
        q: queries [B, H, T_q, Dh].
        k: keys [B, H_kv, T_kv, Dh].
        v: values [B, H_kv, T_kv, Dv].
        mask: bool with 2 to 4 dimensions, broadcastable to [B, H, T_q, T_kv]; True = this query may attend to this
            key. Each row has a True. None: every query sees every key.

    Returns:
        output [B, H, T_q, Dv] and weights [B, H, T_q, T_kv], in the dtype and on the device of q. Hidden keys have a
        weight below 1e-6. The inputs are not changed; gradients flow from the output to q, k and v.

    Raises:
        ValueError: H is not a multiple of H_kv.

    Example, two query heads that share one key and value head:
        q = tensor([[1., 0.], [1., 1.]]).reshape(1, 2, 1, 2)
        k = v = tensor([[1., 0.], [0., 1.], [1., 1.]]).reshape(1, 1, 3, 2)
        grouped_query_attention(q, k, v)
            -> output  [[[[0.8022, 0.5989]], [[0.7517, 0.7517]]]]
               weights [[[[0.4011, 0.1978, 0.4011]], [[0.2483, 0.2483, 0.5035]]]]
    """
    raise NotImplementedError
