"""What grouped-query attention costs: parameters of a layer, and bytes of cache for a token."""


def gqa_budget(hidden_size: int, num_heads: int, num_kv_heads: int, bytes_per_number: int = 2) -> tuple[int, int]:
    """Parameters of the four projections of a layer, and bytes that one token adds to its cache; Ainslie et al. 2023.

    Raises:
        ValueError: a size is below 1, hidden_size is no multiple of num_heads, or num_heads none of num_kv_heads.
    """
    sizes = (hidden_size, num_heads, num_kv_heads, bytes_per_number)
    if min(sizes) < 1 or hidden_size % num_heads or num_heads % num_kv_heads:
        raise ValueError(f"heads must divide evenly, got {sizes}")
    kv_size = hidden_size // num_heads * num_kv_heads  # channels of all keys of a token, and of all its values
    parameters = 2 * hidden_size * hidden_size + 2 * hidden_size * kv_size  # W_Q and W_O, then W_K and W_V
    return parameters, 2 * kv_size * bytes_per_number
