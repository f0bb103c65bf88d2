import math

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, mask=None):
    q = q / math.sqrt(q.size(-1))
    scores = torch.matmul(q, k.transpose(-1, -2))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, v)
    return [output, weights]
