def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    kv = n_heads if n_kv_heads is None else n_kv_heads
    group, rest = divmod(n_heads, kv)
    if rest != 0:
        raise ValueError(f"{n_heads} heads in groups for {kv}")
    total = 0
    for _ in range(n_layers):
        for head in range(n_heads):
            total += 2 * d_model * d_head + bias * d_head
            if head % group == 0:
                total += 2 * (d_model * d_head + (d_head if bias else 0))
        if bias:
            total += d_model
    return total
