from math import prod


def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
    if n_heads % n_kv_heads != 0:
        raise ValueError("n_heads must be a multiple of n_kv_heads")
    wide, narrow = n_heads * d_head, n_kv_heads * d_head
    shapes = [(d_model, wide), (d_model, narrow), (d_model, narrow), (wide, d_model)]
    per_layer = sum(prod(shape) for shape in shapes)
    if bias:
        per_layer += sum(columns for _, columns in shapes)
    return per_layer * n_layers
