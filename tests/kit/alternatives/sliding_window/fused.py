import torch
import torch.nn.functional as F


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    n = q_len if kv_len is None else kv_len
    if not (window >= 1 and 1 <= q_len <= n):
        raise ValueError
    key = torch.arange(n, device=device)
    query = key[-q_len:, None]
    return key.le(query) & key.gt(query - window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, k.shape[-2], q.device)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
