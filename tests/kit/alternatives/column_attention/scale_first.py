import math

import torch
from torch import nn


class ColumnAttention(nn.Module):
    def forward(self, x, w_q, w_k, w_v, causal=False):
        root = math.sqrt(math.sqrt(w_q.shape[0]))
        q, k, v = (w_q / root) @ x, (w_k / root) @ x, w_v @ x
        pattern = q.mT @ k  # [query, key]
        if causal:
            hidden = torch.triu(torch.ones_like(pattern), 1) > 0
            pattern = pattern.masked_fill(hidden, float("-inf"))
        pattern = nn.functional.softmax(pattern, -1).mT
        return v @ pattern


column_attention = ColumnAttention()


def to_mha_mask(mask):
    heads = [h for example in mask for h in example] if mask.dim() == 4 else None
    return ~torch.stack(heads) if heads else ~mask
