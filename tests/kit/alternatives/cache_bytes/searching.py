"""A layer as an object; the length found by halving."""

from typing import NamedTuple


class Cost(NamedTuple):
    flops: int
    bytes: int


def positive(**sizes):
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} is {size}")


def kv_bytes(num_layers, num_kv_heads, head_dim, bytes_per_number=2):
    positive(layers=num_layers, heads=num_kv_heads, channels=head_dim, bytes=bytes_per_number)
    return head_dim * bytes_per_number * num_kv_heads * 2 * num_layers


def mla_bytes(num_layers, latent_dim, rope_dim, bytes_per_number=2):
    positive(layers=num_layers, channels=latent_dim, rotated=1 + rope_dim, bytes=bytes_per_number)
    return bytes_per_number * num_layers * (rope_dim + latent_dim)


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    positive(q=q_len, cached=kv_len - q_len + 1, heads=num_heads, kv=num_kv_heads, channels=head_dim)
    positive(bytes=bytes_per_number, keys=kv_len)
    groups, rest = divmod(num_heads, num_kv_heads)
    if rest:
        raise ValueError("groups")
    each = 2 * q_len * groups + 2 * kv_len  # numbers of one channel of one head of keys
    return Cost(num_heads * q_len * kv_len * head_dim * 4, each * num_kv_heads * head_dim * bytes_per_number)


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    positive(model=d_model, ff=d_ff, heads=num_heads, channels=head_dim, matrices=mlp_matrices)
    mlp = 2 * mlp_matrices * d_model * d_ff
    low, high = 0, 1
    while 4 * high * num_heads * head_dim <= mlp:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if 4 * middle * num_heads * head_dim > mlp:
            high = middle
        else:
            low = middle
    return high
