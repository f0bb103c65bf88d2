"""Counts what PyTorch would make, without memory for it."""

import torch
from torch import nn


def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    if min(hidden_size, num_heads, num_kv_heads, bytes_per_number) < 1:
        raise ValueError("sizes start at 1")
    if hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError("uneven")
    head_dim = hidden_size // num_heads
    widths = [num_heads * head_dim, num_kv_heads * head_dim, num_kv_heads * head_dim]
    layers = [nn.Linear(hidden_size, width, bias=False, device="meta") for width in widths]
    layers.append(nn.Linear(widths[0], hidden_size, bias=False, device="meta"))
    parameters = sum(p.numel() for layer in layers for p in layer.parameters())
    token = torch.empty(2, num_kv_heads, head_dim, dtype=torch.int8, device="meta")
    return [parameters, token.numel() * bytes_per_number]
