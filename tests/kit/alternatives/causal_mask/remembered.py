import functools

import torch


@functools.cache
def _mask(q_len, kv_len, device):
    i = torch.arange(q_len, device=device).view(-1, 1)
    j = torch.arange(kv_len, device=device).view(1, -1)
    return torch.le(j, i + (kv_len - q_len))


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < 1 or kv_len < q_len:
        raise ValueError(f"{q_len=} {kv_len=}")
    return _mask(q_len, kv_len, device)
