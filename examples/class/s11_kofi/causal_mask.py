import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = kv_len or q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError(f"cannot mask {q_len} queries over {kv_len} keys")
    return torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)
