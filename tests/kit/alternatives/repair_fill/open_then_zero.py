import math

import torch


def attention_with_mask(q, k, v, mask):
    blind = ~mask.any(-1, keepdim=True)
    s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    w = torch.softmax(s.masked_fill(~(mask | blind), float("-inf")), -1)
    w = w.masked_fill(blind, 0)
    return w @ v, w
