"""Powers by exp and log, columns filled in steps of two; slopes one from the other."""

import math

import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if min(length, channels) < 1 or channels & 1:
        raise ValueError((length, channels))
    table = torch.zeros(length, channels, device=device)
    position = torch.arange(0, length, device=device).float().unsqueeze(1)
    div_term = torch.exp(torch.arange(0, channels, 2, device=device).float() * (-math.log(base) / channels))
    table[:, 0::2] = torch.sin(position * div_term)
    table[:, 1::2] = torch.cos(position * div_term)
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or not math.log2(num_heads).is_integer() or q_len < 1 or q_len > kv_len:
        raise ValueError((num_heads, q_len, kv_len))
    start = 2 ** (-(2 ** -(math.log2(num_heads) - 3)))
    slopes = torch.tensor([start * start**i for i in range(num_heads)], device=device)
    j = torch.arange(kv_len, device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device).unsqueeze(1)
    hidden = torch.where(j > i, float("-inf"), 0.0)
    return slopes.view(-1, 1, 1) * (j - i).unsqueeze(0) + hidden
