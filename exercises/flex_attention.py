"""Attention with a score modifier and a block mask, as PyTorch's FlexAttention has them.

ALiBi, soft caps, windows, packed documents: instead of a kernel for each of them, FlexAttention takes two small
functions of a query and a key. mask_mod(q_idx, kv_idx) says whether query q_idx sees key kv_idx, and
score_mod(score, b, h, q_idx, kv_idx) changes a scaled score, in example b of the batch and head h.

A mask also saves work. The table of T_q x T_kv pairs is cut into tiles of block x block; those at the right and at the
lower edge may be smaller. In an empty tile no pair is visible: its scores are never computed. In a full tile all pairs
are visible: mask_mod need not be called. Only a partial tile needs both.

Both functions take indices in the whole text, as whole numbers or as tensors of them that broadcast. Call them for a
tile at once, not for each pair. No gradient flows through them. This file stands alone: import nothing from the other
exercises.
"""

from collections.abc import Callable

import torch
from torch import Tensor


def block_mask(
    mask_mod: Callable, q_len: int, kv_len: int, block: int, device: torch.device | str | None = None
) -> Tensor:
    """Find out which tiles are empty, partial or full.

    Args:
        mask_mod: mask_mod(q_idx, kv_idx) gives True where the pair is visible.
        q_len: number of queries, 1 or more.
        kv_len: number of keys, 1 or more.
        block: length of the side of a tile.
        device: the device of the result; torch's default if it is None.

    Returns:
        Tensor [ceil(q_len / block), ceil(kv_len / block)], dtype int64: 0 for an empty tile, 1 for a partial one, 2 for
        a full one. Only pairs that exist count.

    Raises:
        ValueError: block is below 1.

    Example, causal:
        block_mask(lambda q_idx, kv_idx: kv_idx <= q_idx, 5, 5, 2) -> [[1, 0, 0], [2, 1, 0], [2, 2, 2]]
    """
    raise NotImplementedError


def flex_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask_mod: Callable,
    tiles: Tensor,
    block: int,
    score_mod: Callable | None = None,
) -> Tensor:
    """Attention, softmax(score_mod(q k^T / sqrt(Dh))) v, with the tiles that are not empty only.

    Args:
        q: queries [B, H, T_q, Dh].
        k: keys [B, H, T_kv, Dh].
        v: values [B, H, T_kv, Dv].
        mask_mod: mask_mod(q_idx, kv_idx), one mask for all examples and heads. It is called for partial tiles only.
        tiles: what block_mask gives for mask_mod, T_q, T_kv and block.
        block: length of the side of a tile.
        score_mod: score_mod(score, b, h, q_idx, kv_idx) takes a tensor of scores and gives one of the same shape and
            dtype, finite. It is not called for empty tiles. None: scores stay as they are.

    Returns:
        [B, H, T_q, Dv], in the dtype and on the device of q; 0 for a query that sees no key. A hidden key has no
        weight, whatever score_mod makes of its score and however low the visible scores are. Memory has no room for all
        scores at once. The inputs are not changed; without score_mod gradients flow back to q, k and v.

    Example, one head, with a score modifier that counts the distance:
        q = k = torch.zeros(1, 1, 2, 1); v = tensor([[[[1.], [3.]]]])
        causal = lambda q_idx, kv_idx: kv_idx <= q_idx
        away = lambda score, b, h, q_idx, kv_idx: score - (q_idx - kv_idx)
        flex_attention(q, k, v, causal, tensor([[1]]), 2)       -> [[[[1.], [2.]]]]
        flex_attention(q, k, v, causal, tensor([[1]]), 2, away) -> [[[[1.], [2.4621]]]]
    """
    raise NotImplementedError
