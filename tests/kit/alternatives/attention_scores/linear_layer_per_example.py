"""Each example's keys as the weights of a linear layer."""

import torch
import torch.nn.functional as F


def attention_scores(q, k):
    flat = zip(q.flatten(0, -3), k.flatten(0, -3)) if q.dim() > 2 else [(q, k)]
    tables = [F.linear(queries, keys) for queries, keys in flat]
    return torch.stack(tables).reshape(*q.shape[:-1], k.shape[-2])
