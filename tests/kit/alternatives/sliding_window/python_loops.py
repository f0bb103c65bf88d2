import math

import torch


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < 1:
        raise ValueError("lengths must be positive")
    if window < 1:
        raise ValueError("the window must be positive")
    if q_len > kv_len:
        raise ValueError("more queries than keys")
    rows = []
    for i in range(q_len):
        own = i + kv_len - q_len
        rows.append([max(0, own - window + 1) <= j <= own for j in range(kv_len)])
    return torch.tensor(rows, dtype=torch.bool, device=device)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.size(-2), window, k.size(-2), device=q.device)
    scores = torch.matmul(q, k.transpose(-1, -2)) * (1.0 / math.sqrt(q.size(-1)))
    bias = torch.zeros(mask.shape, dtype=q.dtype, device=q.device).masked_fill(~mask, float("-inf"))
    return torch.matmul(torch.softmax(scores + bias, -1), v)
