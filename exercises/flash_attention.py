"""Attention in tiles, as FlashAttention does it.

The scores of a text of 100,000 tokens form a square of ten billion numbers, and each is needed for a moment only.
FlashAttention never writes that square down. It walks through the keys block by block and carries three things along
for each query: the largest score m so far, the sum l of e^(score - m), and the sum o of the values with these factors.
When a block brings a larger score, what was summed so far shrinks by e^(old m - new m). At the end the output is o / l.

This is not an approximation: up to rounding the result is that of plain attention, whatever the size of the blocks.
What is saved is memory and, on a GPU, the way to it and back. Here you write the loop in plain PyTorch. softmax and its
relatives are not allowed, and neither is PyTorch's own fused attention. The loop over the queries may be left out:
score [T_q, block] at a time. This file stands alone: import nothing from the other exercises.
"""

from torch import Tensor


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    """Scaled dot-product attention that looks at `block` keys at a time.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh], with the same leading dimensions.
        v: values [..., T_kv, Dv].
        block: keys in a block, 1 or more; the last block may be shorter.
        causal: True: the queries are the last T_q of the T_kv positions, and query i sees the keys j <= i + T_kv - T_q.

    Returns:
        softmax(q k^T / sqrt(Dh)) v, [..., T_q, Dv], in the dtype and on the device of q. Scores within +-5000 do no
        harm. No tensor may be made on the way that has as many entries as the scores would have: neither the scores
        nor a mask of their size; nor are all scores kept in pieces. The inputs are not changed; gradients flow back to
        q, k and v.

    Raises:
        ValueError: block is below 1, or causal with more queries than keys.

    Example:
        x = tensor([[1., 0.], [0., 1.], [1., 1.]])
        flash_attention(x, x, x, 2)              -> [[0.8022, 0.5989], [0.5989, 0.8022], [0.7517, 0.7517]]
        flash_attention(x, x, x, 2, causal=True) -> [[1.0000, 0.0000], [0.3302, 0.6698], [0.7517, 0.7517]]
    """
    raise NotImplementedError
