class Count:
    def __init__(self):
        self.total = 0

    def affine(self, inputs, outputs, bias):
        self.total += (inputs + bool(bias)) * outputs
        return outputs


def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    if n_kv_heads is None:
        n_kv_heads = n_heads
    if n_kv_heads > n_heads or n_heads % n_kv_heads:
        raise ValueError("uneven groups")
    layer = Count()
    for heads in (n_heads, n_kv_heads, n_kv_heads):
        layer.affine(d_model, heads * d_head, bias)
    layer.affine(n_heads * d_head, d_model, bias)
    return layer.total * n_layers
