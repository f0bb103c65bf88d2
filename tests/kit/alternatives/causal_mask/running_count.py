import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("impossible lengths")
    with torch.device(device if device is not None else "cpu"):
        ends = torch.zeros(q_len, kv_len)
        ends[torch.arange(q_len), torch.arange(q_len) + kv_len - q_len] = 1
    return ends.flip(1).cumsum(1).flip(1) > 0.5
