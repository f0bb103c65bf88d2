import math

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(query, key, value, mask=None):
    query = query / math.sqrt(query.size(-1))
    scores = torch.matmul(query, key.transpose(-1, -2))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    return [output, weights]
