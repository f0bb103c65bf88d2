"""All leading dimensions folded into one."""

import math

import torch


def scaled_dot_product_attention(q, k, v, mask=None):
    lead = q.shape[:-2]
    (T_q, Dh), (T_kv, Dv) = q.shape[-2:], v.shape[-2:]
    q, k, v = q.reshape(-1, T_q, Dh), k.reshape(-1, T_kv, Dh), v.reshape(-1, T_kv, Dv)
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(Dh)
    if mask is not None:
        mask = torch.broadcast_to(mask, (*lead, T_q, T_kv)).reshape(-1, T_q, T_kv)
        minus_infinity = torch.tensor(float("-inf"), dtype=scores.dtype, device=scores.device)
        scores = torch.where(mask, scores, minus_infinity)
    weights = torch.softmax(scores, dim=2)
    output = torch.bmm(weights, v)
    return output.reshape(*lead, T_q, Dv), weights.reshape(*lead, T_q, T_kv)
