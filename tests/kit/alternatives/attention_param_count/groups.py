def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_kv_heads is not None and n_heads % n_kv_heads:
        raise ValueError("groups")
    groups = n_heads // n_kv_heads if n_kv_heads else 1
    kv = n_heads // groups
    per_head = 2 * d_model * d_head
    biases = (n_heads + 2 * kv) * d_head + d_model if bias else 0
    return ((n_heads + kv) * per_head + biases) * n_layers
