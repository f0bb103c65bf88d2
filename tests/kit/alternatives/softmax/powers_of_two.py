import math

import torch

LOG2_E = 1 / math.log(2)


def softmax(x, dim=-1):
    y = x * LOG2_E  # e^x = 2^(x log2 e)
    p = torch.exp2(y - y.amax(dim, keepdim=True))
    return p * (1 / p.sum(dim, keepdim=True))
