"""Sliding-window attention: every query sees the last `window` positions up to its own."""

import math

import torch
from torch import Tensor


def sliding_window_mask(
    q_len: int, window: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    """Which keys each query may attend to, the queries being the last q_len of kv_len positions; as in Mistral 7B.

    Returns:
        bool [q_len, kv_len]; True where 0 <= own position - key < window.

    Raises:
        ValueError: window or a length is below 1, or kv_len < q_len.
    """
    if kv_len is None:
        kv_len = q_len
    if window < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError(f"got window={window}, q_len={q_len} and kv_len={kv_len}")
    query = torch.arange(kv_len - q_len, kv_len, device=device).unsqueeze(1)  # [q_len, 1], each query's own position
    distance = query - torch.arange(kv_len, device=device)  # [q_len, kv_len]
    return (distance >= 0) & (distance < window)


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Attention of q [..., T_q, Dh] to the last `window` of the keys [..., T_kv, Dh] up to each one: [..., T_q, Dv]."""
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)  # [T_q, T_kv]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [..., T_q, T_kv]
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v  # [..., T_q, Dv]
