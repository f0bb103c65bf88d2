import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < 1:
        raise ValueError("lengths must be at least 1")
    if kv_len < q_len:
        raise ValueError("kv_len must not be smaller than q_len")
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(diagonal=kv_len - q_len)
