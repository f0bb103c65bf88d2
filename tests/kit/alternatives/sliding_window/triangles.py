import torch
import torch.nn.functional as F


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if min(q_len, window) <= 0 or q_len > kv_len:
        raise ValueError("sizes")
    ones = torch.ones(q_len, kv_len, dtype=torch.bool, device=device)
    return ones.tril(kv_len - q_len) & ~ones.tril(kv_len - q_len - window)


def sliding_window_attention(q, k, v, window):
    mask = sliding_window_mask(q.shape[-2], window, kv_len=k.shape[-2], device=q.device)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
