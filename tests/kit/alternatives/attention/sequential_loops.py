"""Every sum term by term in the dtype of the inputs: the weakest accumulation there is."""

import math

import torch


def add_up(terms):
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def scaled_dot_product_attention(q, k, v, mask=None):
    T_kv, Dh = k.shape[-2], k.shape[-1]
    columns = []
    for j in range(T_kv):
        products = [q[..., c] * k[..., j, c].unsqueeze(-1) for c in range(Dh)]
        columns.append(add_up(products) / math.sqrt(Dh))
    scores = torch.stack(columns, dim=-1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    exps = (scores - scores.max(-1, keepdim=True).values).exp()
    weights = exps / add_up([exps[..., j] for j in range(T_kv)]).unsqueeze(-1)
    output = add_up([weights[..., j, None] * v[..., j, None, :] for j in range(T_kv)])
    return output, weights
