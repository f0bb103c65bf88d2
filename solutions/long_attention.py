"""Three ways to compute fewer scores: a window with global tokens, buckets, keys mixed down to a few."""

import math

import torch
from torch import Tensor


def local_global_mask(length: int, window: int, num_global: int, device: torch.device | str | None = None) -> Tensor:
    """Neighbours see each other, and the first num_global tokens see all and are seen; Longformer, Beltagy et al. 2020.

    Returns:
        bool [length, length]; True where |i - j| < window, i < num_global or j < num_global.

    Raises:
        ValueError: length or window is below 1, or num_global is not in 0 ... length.
    """
    if length < 1 or window < 1 or not 0 <= num_global <= length:
        raise ValueError(f"got length={length}, window={window} and num_global={num_global}")
    position = torch.arange(length, device=device)  # [T]
    near = (position[:, None] - position).abs() < window  # [T, T]
    chosen = position < num_global  # [T]
    return near | chosen | chosen[:, None]


def bucket_mask(query_buckets: Tensor, key_buckets: Tensor) -> Tensor:
    """True where query [..., T_q] and key [..., T_kv] share a bucket: [..., T_q, T_kv]; Reformer, Kitaev 2020."""
    return query_buckets[..., :, None] == key_buckets[..., None, :]


def low_rank_attention(q: Tensor, k: Tensor, v: Tensor, mix_k: Tensor, mix_v: Tensor) -> Tensor:
    """softmax(q (E k)^T / sqrt(Dh)) (F v), with E = mix_k and F = mix_v; Linformer, Wang et al. 2020.

    Args:
        q: queries [..., T_q, Dh].
        k: keys [..., T_kv, Dh].
        v: values [..., T_kv, Dv].
        mix_k, mix_v: [R, T_kv], what each of R mixed keys and values takes from the tokens.

    Returns:
        [..., T_q, Dv].
    """
    few_k, few_v = mix_k @ k, mix_v @ v  # [..., R, Dh], [..., R, Dv]
    scores = q @ few_k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [..., T_q, R]
    return scores.softmax(dim=-1) @ few_v  # [..., T_q, Dv]
