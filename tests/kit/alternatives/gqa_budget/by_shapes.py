from math import prod


def gqa_budget(hidden_size, num_heads, num_kv_heads, bytes_per_number=2):
    for number in (hidden_size, num_heads, num_kv_heads, bytes_per_number):
        if number <= 0:
            raise ValueError(f"{number} is not positive")
    head_dim, rest = divmod(hidden_size, num_heads)
    if rest:
        raise ValueError("hidden_size % num_heads != 0")
    if num_heads % num_kv_heads:
        raise ValueError("num_heads % num_kv_heads != 0")
    shapes = {
        "q": (hidden_size, num_heads * head_dim),
        "k": (hidden_size, num_kv_heads * head_dim),
        "v": (hidden_size, num_kv_heads * head_dim),
        "o": (num_heads * head_dim, hidden_size),
    }
    return sum(prod(s) for s in shapes.values()), 2 * num_kv_heads * head_dim * bytes_per_number
