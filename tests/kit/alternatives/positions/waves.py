"""A complex wave, seen as pairs; the bias of the square, from which the last rows are cut."""

import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels not in range(2, channels + 1, 2):
        raise ValueError("sizes")
    pace = torch.tensor([base ** (-c / channels) for c in range(0, channels, 2)], device=device)
    angle = torch.outer(torch.arange(length, device=device, dtype=torch.float32), pace)
    wave = torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(wave).flip(-1).reshape(length, channels)


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = kv_len if kv_len is not None else q_len
    if q_len < 1 or kv_len < q_len or num_heads < 1 or bin(num_heads).count("1") != 1:
        raise ValueError("sizes")
    position = torch.arange(kv_len, device=device, dtype=torch.float32)
    distance = (position[:, None] - position).clamp(min=0)
    slopes = torch.pow(2.0, -torch.arange(1, num_heads + 1, device=device) * (8 / num_heads))
    bias = torch.einsum("h,ij->hij", -slopes, distance)
    bias.masked_fill_(torch.ones(kv_len, kv_len, dtype=torch.bool, device=device).triu(1), -torch.inf)
    return bias[:, kv_len - q_len :]
