import torch


def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    one = torch.empty(n_heads, n, n, device="meta").numel()
    per_model = sum(one for _ in range(n_layers))
    return tuple(f * per_model for f in (1, bytes))
