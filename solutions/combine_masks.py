"""The causal mask and the padding mask of a batch in one."""

import torch
from torch import Tensor


def combine_masks(seq_len: int, lengths: Tensor, padding_side: str = "right") -> Tensor:
    """True where key j is a token and no later than query i.

    Args:
        seq_len: T, positions of each example, padding included.
        lengths: [B], tokens of each example.
        padding_side: where the padding is, "right" or "left".

    Returns:
        bool [B, 1, T, T].

    Raises:
        ValueError: padding_side is neither.
    """
    if padding_side not in ("right", "left"):
        raise ValueError(f"padding_side must be 'right' or 'left', got {padding_side!r}")
    position = torch.arange(seq_len, device=lengths.device)  # [T]
    past = position <= position[:, None]  # [T, T]: key <= query
    first = 0 if padding_side == "right" else seq_len - lengths[:, None]  # [B, 1], the first token of each example
    token = (position >= first) & (position < first + lengths[:, None])  # [B, T]
    return past & token[:, None, None]  # [T, T] & [B, 1, 1, T] = [B, 1, T, T]
