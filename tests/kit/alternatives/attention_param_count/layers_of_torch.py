from torch import nn


def attention_param_count(d_model, n_heads, d_head, n_layers, n_kv_heads=None, bias=False):
    """Make the layers without memory and count what is in them."""
    n_kv_heads = n_kv_heads or n_heads
    if n_heads % n_kv_heads != 0:
        raise ValueError("n_kv_heads must divide n_heads")
    layer = nn.ModuleList(
        [
            nn.Linear(d_model, n_heads * d_head, bias, device="meta"),
            nn.Linear(d_model, n_kv_heads * d_head, bias, device="meta"),
            nn.Linear(d_model, n_kv_heads * d_head, bias, device="meta"),
            nn.Linear(n_heads * d_head, d_model, bias, device="meta"),
        ]
    )
    return sum(p.numel() for p in layer.parameters()) * n_layers
