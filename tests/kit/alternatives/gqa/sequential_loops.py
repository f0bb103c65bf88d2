"""Every sum term by term in the dtype of the inputs: the weakest accumulation there is."""

import math

import torch


def repeat_kv(x, n_rep):
    repeated = torch.empty(x.shape[0], x.shape[1] * n_rep, *x.shape[2:], dtype=x.dtype, device=x.device)
    for head in range(x.shape[1]):
        for copy in range(n_rep):
            repeated[:, head * n_rep + copy] = x[:, head]
    return repeated


def add_up(terms):
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def grouped_query_attention(q, k, v, mask=None):
    if q.shape[1] % k.shape[1]:
        raise ValueError("the query heads do not fall into equal groups")
    k, v = (repeat_kv(t, q.shape[1] // k.shape[1]) for t in (k, v))
    T_kv, Dh = k.shape[-2], k.shape[-1]
    columns = []
    for j in range(T_kv):
        columns.append(add_up([q[..., c] * k[..., j, c].unsqueeze(-1) for c in range(Dh)]) / math.sqrt(Dh))
    scores = torch.stack(columns, dim=-1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    exps = (scores - scores.max(-1, keepdim=True).values).exp()
    weights = exps / add_up([exps[..., j] for j in range(T_kv)]).unsqueeze(-1)
    return add_up([weights[..., j, None] * v[..., j, None, :] for j in range(T_kv)]), weights
