"""Positions beside RoPE: a table of sines that is added to the tokens, and a bias that is added to the scores."""

import torch
from torch import Tensor


def sinusoidal_positions(
    length: int, channels: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    """float32 [length, channels]: sin in the even channels, cos in the odd ones; Vaswani et al. 2017.

    Raises:
        ValueError: length is below 1, or channels is odd or below 2.
    """
    if min(length, channels) < 1 or channels % 2:
        raise ValueError(f"got length={length} and channels={channels}")
    position = torch.arange(length, device=device)  # [T]
    pair = torch.arange(0, channels, 2, device=device)  # [D/2]
    angle = position[:, None] * base ** (-pair / channels)  # [T, D/2]
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # [T, D/2, 2], then [T, D]


def alibi_bias(
    num_heads: int, q_len: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    """float32 [H, q_len, kv_len], to be added to the scores; -inf for later keys; Press et al. 2022.

    Raises:
        ValueError: num_heads is not a power of 2, q_len is below 1, or kv_len is below q_len.
    """
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or not 1 <= q_len <= kv_len:
        raise ValueError(f"got num_heads={num_heads}, q_len={q_len} and kv_len={kv_len}")
    head = torch.arange(1, num_heads + 1, device=device)
    slope = 2.0 ** (-8 * head / num_heads)  # [H]
    key = torch.arange(kv_len, device=device)  # [T_kv]
    distance = key[kv_len - q_len :, None] - key  # [T_q, T_kv]
    return (-slope[:, None, None] * distance).masked_fill(distance < 0, -torch.inf)
