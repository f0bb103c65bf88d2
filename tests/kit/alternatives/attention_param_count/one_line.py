def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    g = n_kv_heads or n_heads
    if n_heads / g != n_heads // g:
        raise ValueError
    return n_layers * (2 * (n_heads + g) * d_head * d_model + int(bias) * ((n_heads + 2 * g) * d_head + d_model))
