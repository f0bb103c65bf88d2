"""One token after another, each a vector times a matrix."""

import torch


def view(x, w):
    rows = [torch.mv(w.t(), token) for token in x.reshape(-1, x.shape[-1])]
    return torch.stack(rows).reshape(*x.shape[:-1], w.shape[-1])


def qkv_projection(x, w_q, w_k, w_v):
    queries = view(x, w_q)
    keys = view(x, w_k)
    values = view(x, w_v)
    return queries, keys, values
