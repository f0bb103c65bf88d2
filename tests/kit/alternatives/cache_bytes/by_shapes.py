"""Counts the entries of everything that would be there."""

from math import prod


def checked(*sizes):
    for size in sizes:
        if size <= 0:
            raise ValueError(f"{size} is not positive")


def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    checked(num_layers, num_kv_heads, head_dim, bytes_per_number)
    return prod((2, num_layers, num_kv_heads, head_dim)) * bytes_per_number


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    checked(num_layers, latent_dim, bytes_per_number)
    if rope_dim < 0:
        raise ValueError("rope_dim")
    return (num_layers * latent_dim + num_layers * rope_dim) * bytes_per_number


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    checked(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number)
    if q_len > kv_len:
        raise ValueError("more queries than keys")
    if num_heads % num_kv_heads != 0:
        raise ValueError("uneven groups")
    q = o = (num_heads, q_len, head_dim)
    k = v = (num_kv_heads, kv_len, head_dim)
    scores = (num_heads, q_len, kv_len)
    flops = 2 * prod(scores) * head_dim + 2 * prod(o) * kv_len
    return [flops, bytes_per_number * sum(map(prod, (q, k, v, o)))]


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    checked(d_model, d_ff, num_heads, head_dim, mlp_matrices)
    quotient, _ = divmod(mlp_matrices * d_model * d_ff, 2 * num_heads * head_dim)
    return quotient + 1
