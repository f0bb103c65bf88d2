import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("impossible lengths")
    rows, columns = torch.tril_indices(q_len, kv_len, offset=kv_len - q_len, device=device)
    mask = torch.zeros((q_len, kv_len), dtype=torch.bool, device=device)
    mask[rows, columns] = True
    return mask
