"""Nothing is repeated: the query heads get an axis of groups instead."""

import torch


def repeat_kv(x, n_rep):
    return torch.einsum("bhtd,r->bhrtd", x, x.new_ones(n_rep)).reshape(x.size(0), -1, x.size(2), x.size(3))


def grouped_query_attention(q, k, v, mask=None):
    B, H, T_q, Dh = q.shape
    H_kv, T_kv = k.shape[1:3]
    if H % H_kv:
        raise ValueError("H must be a multiple of H_kv")
    q = q.reshape(B, H_kv, H // H_kv, T_q, Dh)
    scores = torch.einsum("bgrid,bgjd->bgrij", q, k) / Dh**0.5
    if mask is not None:
        mask = mask.expand(B, H, T_q, T_kv).reshape(scores.shape)
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1)
    output = torch.einsum("bgrij,bgjd->bgrid", weights, v)
    return output.reshape(B, H, T_q, -1), weights.reshape(B, H, T_q, T_kv)
