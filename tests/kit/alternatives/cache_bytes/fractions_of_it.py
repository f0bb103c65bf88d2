"""Exact fractions; the length by the floor of one."""

import math
from fractions import Fraction


def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    if any(n < 1 for n in (num_layers, num_kv_heads, head_dim, bytes_per_number)):
        raise ValueError
    key = num_kv_heads * head_dim * bytes_per_number
    return num_layers * (key + key)


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    if min(num_layers, latent_dim, bytes_per_number) < 1 or rope_dim < 0:
        raise ValueError
    return sum((latent_dim, rope_dim)) * num_layers * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    if any(n < 1 for n in (q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number)):
        raise ValueError("sizes")
    if Fraction(num_heads, num_kv_heads).denominator != 1 or Fraction(q_len, kv_len) > 1:
        raise ValueError("does not fit")
    width = num_heads * head_dim
    share = Fraction(num_kv_heads, num_heads)
    return 4 * q_len * kv_len * width, int(2 * width * bytes_per_number * (q_len + kv_len * share))


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    if not all(n >= 1 for n in (d_model, d_ff, num_heads, head_dim, mlp_matrices)):
        raise ValueError("sizes")
    balance = Fraction(2 * mlp_matrices * d_model * d_ff, 4 * num_heads * head_dim)
    return math.floor(balance) + 1
