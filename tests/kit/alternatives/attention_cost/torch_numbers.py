import torch


def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
    scores = torch.tensor([n, n, n_heads, n_layers], dtype=torch.int64).prod()
    return scores, scores * bytes
