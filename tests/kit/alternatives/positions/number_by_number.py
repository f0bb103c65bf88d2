"""One number at a time, in Python."""

import math

import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length <= 0:
        raise ValueError("no positions")
    if channels <= 0 or channels % 2 == 1:
        raise ValueError("channels come in pairs")
    rows = []
    for p in range(length):
        row = []
        for i in range(channels // 2):
            angle = p / base ** (2 * i / channels)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float32, device=device)


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if num_heads not in {2**n for n in range(30)}:
        raise ValueError("heads")
    if q_len < 1 or kv_len < q_len:
        raise ValueError("lengths")
    bias = torch.full((num_heads, q_len, kv_len), float("-inf"), device=device)
    for h in range(num_heads):
        for i in range(q_len):
            for j in range(kv_len - q_len + i + 1):
                bias[h, i, j] = -(2 ** (-8 * (h + 1) / num_heads)) * (kv_len - q_len + i - j)
    return bias
