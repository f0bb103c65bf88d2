import numpy as np
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("q_len must be in 1..kv_len")
    return torch.from_numpy(np.tri(q_len, kv_len, kv_len - q_len, dtype=bool)).to(device or "cpu")
