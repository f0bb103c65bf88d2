# A beginner's version: every cell one by one.
import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len == None:
        kv_len = q_len
    if q_len < 1:
        raise ValueError("q_len is too small")
    if kv_len < q_len:
        raise ValueError("kv_len is smaller than q_len")
    rows = []
    for i in range(q_len):
        row = []
        for j in range(kv_len):
            if j <= i + kv_len - q_len:
                row.append(True)
            else:
                row.append(False)
        rows.append(row)
    return torch.tensor(rows, device=device)
