import math

import torch


def masked_multi_head(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError(f"cannot split {D} into {num_heads}")
    heads = [(x @ w).reshape(B, T, num_heads, -1).transpose(1, 2).flatten(0, 1) for w in (w_q, w_k, w_v)]
    scores = torch.bmm(heads[0], heads[1].mT).div(math.sqrt(D // num_heads)).view(B, num_heads, T, T)
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    out = torch.bmm(scores.softmax(-1).flatten(0, 1), heads[2])
    return out.view(B, num_heads, T, -1).permute(0, 2, 1, 3).flatten(2) @ w_o
