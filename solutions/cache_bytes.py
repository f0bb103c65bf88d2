"""What a model keeps of a token, what a step computes and reads, and where attention overtakes the MLP."""


def kv_bytes(num_layers: int, num_kv_heads: int, head_dim: int, bytes_per_number: int = 2) -> int:
    """Bytes of keys and values that a token leaves in the cache: MHA, GQA and MQA.

    Raises:
        ValueError: a number is below 1.
    """
    _refuse(num_layers, num_kv_heads, head_dim, bytes_per_number)
    return 2 * num_layers * num_kv_heads * head_dim * bytes_per_number


def mla_bytes(num_layers: int, latent_dim: int, rope_dim: int, bytes_per_number: int = 2) -> int:
    """Bytes that a token leaves with multi-head latent attention; DeepSeek-V2, 2024.

    Raises:
        ValueError: rope_dim is below 0, or another number below 1.
    """
    _refuse(num_layers, latent_dim, rope_dim + 1, bytes_per_number)
    return num_layers * (latent_dim + rope_dim) * bytes_per_number


def step_cost(
    q_len: int, kv_len: int, num_heads: int, num_kv_heads: int, head_dim: int, bytes_per_number: int = 2
) -> tuple[int, int]:
    """FLOPs of a layer's scores and mixing, and bytes that they read and write at least.

    Raises:
        ValueError: a number is below 1, kv_len is below q_len, or num_heads is no multiple of num_kv_heads.
    """
    _refuse(q_len, num_heads, num_kv_heads, head_dim, bytes_per_number)
    if kv_len < q_len or num_heads % num_kv_heads:
        raise ValueError(f"got q_len={q_len}, kv_len={kv_len}, num_heads={num_heads}, num_kv_heads={num_kv_heads}")
    numbers = 2 * q_len * num_heads + 2 * kv_len * num_kv_heads  # q and the output, k and v
    return 4 * q_len * kv_len * num_heads * head_dim, numbers * head_dim * bytes_per_number


def overtaking_length(d_model: int, d_ff: int, num_heads: int, head_dim: int, mlp_matrices: int = 2) -> int:
    """The shortest length at which scores and mixing take a token more FLOPs than the MLP.

    Raises:
        ValueError: a number is below 1.
    """
    _refuse(d_model, d_ff, num_heads, head_dim, mlp_matrices)
    mlp, for_each_key = 2 * mlp_matrices * d_model * d_ff, 4 * num_heads * head_dim
    return mlp // for_each_key + 1


def _refuse(*numbers: int) -> None:
    """Raises ValueError where a number is below 1."""
    if min(numbers) < 1:
        raise ValueError(f"every size is 1 or more, got {numbers}")
