"""Each query takes its slice of the keys; there is no mask at all."""

import math

import torch


def seen(position, window):
    return slice(max(0, position + 1 - window), position + 1)


def sliding_window_mask(q_len, window, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    for length in (q_len, window, kv_len):
        if length < 1:
            raise ValueError(f"{length} < 1")
    if q_len > kv_len:
        raise ValueError("more queries than keys")
    mask = torch.zeros(q_len, kv_len, dtype=torch.bool, device=device)
    for i in range(q_len):
        mask[i, seen(i + kv_len - q_len, window)] = True
    return mask


def sliding_window_attention(q, k, v, window):
    outputs = []
    for i in range(q.shape[-2]):
        s = seen(i + k.shape[-2] - q.shape[-2], window)
        scores = q[..., i : i + 1, :] @ k[..., s, :].transpose(-2, -1) / math.sqrt(q.shape[-1])
        outputs.append(torch.softmax(scores, -1) @ v[..., s, :])
    return torch.cat(outputs, -2)
