"""A cosine is a sine a quarter turn ahead; ALiBi's distances are sums of ones."""

import math

import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("length or channels")
    channel = torch.arange(channels, device=device, dtype=torch.float64)
    odd = channel % 2
    position = torch.arange(length, device=device, dtype=torch.float64)[:, None]
    return torch.sin(position / base ** ((channel - odd) / channels) + odd * (math.pi / 2)).to(torch.float32)


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or bin(num_heads).count("1") != 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("heads or lengths")
    earlier = torch.ones(kv_len, kv_len, device=device).tril(-1).flip(-1).cumsum(-1).flip(-1)
    slopes = torch.logspace(-8 / num_heads, -8, num_heads, base=2.0, device=device).view(-1, 1, 1)
    bias = -slopes * earlier + torch.full((kv_len, kv_len), -math.inf, device=device).triu(1)
    return bias[:, -q_len:, :]
