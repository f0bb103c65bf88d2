import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    if q_len > 1:
        past = causal_mask(q_len, kv_len, device=device)
    mask = torch.zeros(q_len, kv_len, dtype=torch.bool, device=device)
    for i in range(q_len):
        mask[i, : i + kv_len - q_len + 1] = True
    return mask
