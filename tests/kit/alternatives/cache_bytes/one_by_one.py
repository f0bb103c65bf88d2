"""Layer after layer, and one length after the other until attention takes more."""

def _positive(**numbers):
    for name, value in numbers.items():
        if value < 1:
            raise ValueError(f"{name} is {value}")


def kv_bytes(num_layers: int, num_kv_heads: int, head_dim: int, bytes_per_number: int = 2) -> int:
    _positive(num_layers=num_layers, num_kv_heads=num_kv_heads, head_dim=head_dim, bytes_per_number=bytes_per_number)
    key = value = num_kv_heads * head_dim
    return (key + value) * bytes_per_number * num_layers


def mla_bytes(num_layers: int, latent_dim: int, rope_dim: int, bytes_per_number: int = 2) -> int:
    _positive(num_layers=num_layers, latent_dim=latent_dim, bytes_per_number=bytes_per_number, rope=rope_dim + 1)
    return sum((latent_dim + rope_dim) * bytes_per_number for _ in range(num_layers))


def step_cost(q_len, kv_len, num_heads, num_kv_heads, head_dim, bytes_per_number=2):
    _positive(q=q_len, kv=kv_len, h=num_heads, g=num_kv_heads, d=head_dim, b=bytes_per_number)
    if kv_len < q_len:
        raise ValueError("kv_len")
    if num_heads % num_kv_heads != 0:
        raise ValueError("heads")
    scores = 2 * num_heads * q_len * kv_len * head_dim
    mixing = 2 * num_heads * q_len * kv_len * head_dim
    q = q_len * num_heads * head_dim
    k = kv_len * num_kv_heads * head_dim
    v = kv_len * num_kv_heads * head_dim
    o = q_len * num_heads * head_dim
    return scores + mixing, (q + k + v + o) * bytes_per_number


def overtaking_length(d_model, d_ff, num_heads, head_dim, mlp_matrices=2):
    _positive(a=d_model, b=d_ff, c=num_heads, d=head_dim, e=mlp_matrices)
    mlp = 2 * mlp_matrices * d_model * d_ff
    n = 1
    while 4 * n * num_heads * head_dim <= mlp:
        n += 1
    return n
