import math

import torch


def column_attention(x, w_q, w_k, w_v, causal=False):
    T = x.shape[1]
    columns = []
    for t in range(T):
        seen = x[:, : t + 1] if causal else x
        q = w_q @ x[:, t]
        k = w_k @ seen
        v = w_v @ seen
        p = torch.softmax((q @ k) / math.sqrt(len(q)), dim=0)
        columns.append(v @ p)
    return torch.stack(columns, dim=1)


def to_mha_mask(mask):
    if mask.dim() == 2:
        return mask == False
    return torch.cat([example == False for example in mask], dim=0)
