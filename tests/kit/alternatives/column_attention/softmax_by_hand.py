"""Softmax by hand down the columns; the mask by positions."""

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    Q, K, V = w_q.matmul(x), w_k.matmul(x), w_v.matmul(x)
    S = K.t().matmul(Q).mul(Q.size(0) ** -0.5)
    if causal:
        at = torch.arange(x.size(1), device=x.device)
        S = S.masked_fill(at.unsqueeze(1) > at.unsqueeze(0), float("-inf"))
    E = torch.exp(S - S.max(dim=0, keepdim=True).values)
    return V.matmul(E / E.sum(dim=0, keepdim=True))


def to_mha_mask(mask):
    *lead, t_q, t_kv = mask.shape
    hidden = mask.logical_not()
    return hidden.reshape(-1, t_q, t_kv) if lead else hidden
