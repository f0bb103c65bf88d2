import math

import torch


def attention_with_mask(q, k, v, mask):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = torch.nan_to_num(torch.softmax(scores.masked_fill(~mask, float("-inf")), -1), nan=0.0)
    return weights @ v, weights
