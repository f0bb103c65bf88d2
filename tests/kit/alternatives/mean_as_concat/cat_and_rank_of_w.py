import torch


def mean_as_concat(W, num_heads):
    return torch.cat([W / num_heads] * num_heads, dim=0), torch.linalg.matrix_rank(W).item()
