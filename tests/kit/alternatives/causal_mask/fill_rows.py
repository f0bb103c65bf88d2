import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if kv_len < q_len or q_len < 1:
        raise ValueError("need 1 <= q_len <= kv_len")
    mask = torch.zeros(q_len, kv_len, device=device).bool()
    for i in range(q_len):
        mask[i, : kv_len - q_len + i + 1] = True
    return mask
