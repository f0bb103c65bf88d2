"""The causal mask, also for queries that follow keys kept in a cache."""

import torch
from torch import Tensor


def causal_mask(q_len: int, kv_len: int | None = None, device: torch.device | str | None = None) -> Tensor:
    """Which keys each query may attend to, the queries being the last q_len of kv_len positions.

    Args:
        q_len: number of queries.
        kv_len: number of keys, q_len if not given; the first kv_len - q_len of them come from the cache.
        device: where to make the mask, torch's default if not given.

    Returns:
        bool [q_len, kv_len]; entry (i, j) is True iff j <= i + kv_len - q_len.

    Raises:
        ValueError: kv_len < q_len, or a length is below 1.
    """
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError(f"need 1 <= q_len <= kv_len, got q_len={q_len} and kv_len={kv_len}")
    query = torch.arange(kv_len - q_len, kv_len, device=device).unsqueeze(1)  # (q_len, 1), each query's own position
    key = torch.arange(kv_len, device=device)  # (kv_len,)
    return key <= query  # (q_len, kv_len)
