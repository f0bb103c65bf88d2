"""Hidden suite for calls that show mistakes of causal_mask."""

import torch
from hidden import causal_mask

from grader.suites import breaking


def of_ones(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("the queries are the last of the keys")
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(kv_len - q_len)


def row_by_row(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if not 1 <= q_len <= kv_len:
        raise ValueError("the queries are the last of the keys")
    seen = range(kv_len - q_len + 1, kv_len + 1)
    return torch.tensor([[True] * n + [False] * (kv_len - n) for n in seen], device=device)


test_promised, test_told_apart = breaking.checks(
    causal_mask, "causal_mask", points=5, calls=7, right=[of_ones, row_by_row]
)
